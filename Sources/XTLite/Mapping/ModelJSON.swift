import Foundation

/// Nested models that are not Codable, and arrays, sets, dictionaries and optionals of them: JSON of
/// their stored properties, by the same mapping that a table of theirs would have.
enum ModelJSON {
  /// - Returns: nil where `type` has no such model in it, or is Codable anyway.
  static func codec(for type: Any.Type) -> (any FieldCodec)? {
    guard !(type is any Codable.Type), canBridge(type) else { return nil }
    func make<Value>(_: Value.Type) -> any FieldCodec { ValueCodec(ModelCoder<Value>()) }
    return _openExistential(type, do: make)
  }

  static func mismatch(_ json: XTJSON, _ type: Any.Type) -> ColumnFailure {
    let text = (try? JSONText.encode(json)) ?? "JSON"
    return .mismatch(.text(text), TypeName.display(type))
  }
}

private struct ModelCoder<Value>: ValueCoder {
  var storageClass: XTStorageClass { .text }

  func encode(_ value: Value) throws -> XTValue {
    var path = NestingPath()
    return .text(try JSONText.encode(try ModelJSON.json(value, &path)))
  }

  func decode(_ value: XTValue) throws -> Value {
    guard case .text(let text) = value else {
      throw ColumnFailure.mismatch(value, TypeName.display(Value.self))
    }
    return try ModelJSON.read(try XTJSON.parse(text), as: Value.self)
  }
}

/// The objects that stand around the one that is written, to notice one that contains itself.
struct NestingPath {
  private var depth = 0
  private var objects: Set<ObjectIdentifier> = []

  mutating func inside<T>(_ object: AnyObject?, _ body: (inout NestingPath) throws -> T) throws -> T {
    guard depth < NestingCheck.limit,
      object.map({ objects.insert(ObjectIdentifier($0)).inserted }) ?? true
    else {
      throw ColumnFailure.notStorable(
        "it contains itself, or is nested more than \(NestingCheck.limit) levels deep",
        hint: "List the property that leads back in xt_ignored.")
    }
    depth += 1
    defer {
      depth -= 1
      if let object { objects.remove(ObjectIdentifier(object)) }
    }
    return try body(&self)
  }
}

/// A container that may have models in it, as JSON.
private protocol ModelBridged {
  static var canBridge: Bool { get }
  func json(_ path: inout NestingPath) throws -> XTJSON
  static func read(_ json: XTJSON) throws -> Self
}

extension ModelJSON {
  /// Models conform to `XTModel`, not to `ModelBridged`; this looks at both.
  static func canBridge(_ type: Any.Type) -> Bool {
    if type is any Codable.Type { return true }
    if type is any XTModel.Type { return true }
    return (type as? any ModelBridged.Type)?.canBridge ?? false
  }

  static func json<Value>(_ value: Value, _ path: inout NestingPath) throws -> XTJSON {
    if let codable = value as? any Encodable, Value.self is any Codable.Type {
      return try XTJSON.parse(try JSONText.encode(codable))
    }
    if let model = value as? any XTModel { return try json(ofModel: model, &path) }
    if let bridged = value as? any ModelBridged { return try bridged.json(&path) }
    throw ColumnFailure.notStorable("a \(TypeName.display(Value.self)) has no JSON")
  }

  static func read<Value>(_ json: XTJSON, as type: Value.Type) throws -> Value {
    var result: Value?
    if let codable = type as? any Codable.Type {
      result = try JSONText.decode(codable, from: try JSONText.encode(json)) as? Value
    } else if let model = type as? any XTModel.Type {
      result = try read(json, model: model) as? Value
    } else if let bridged = type as? any ModelBridged.Type {
      result = try bridged.read(json) as? Value
    }
    guard let result else { throw mismatch(json, type) }
    return result
  }

  private static func json<Model: XTModel>(ofModel model: Model, _ path: inout NestingPath) throws -> XTJSON {
    let mapping = try ModelMapping.of(Model.self)
    return try path.inside(mapping.isClass ? model as AnyObject : nil) { path in
      var members: [String: XTJSON] = [:]
      for column in mapping.columns where column.access != nil {
        members[column.name] = try withModelMemory(model) { base in
          try column.json(in: base, &path)
        }
      }
      return .object(members)
    }
  }

  private static func read<Model: XTModel>(_ json: XTJSON, model: Model.Type) throws -> Model {
    guard case .object(let members) = json else { throw mismatch(json, model) }
    let mapping = try ModelMapping.of(model)
    var result = Model()
    try withMutableModelMemory(&result) { base, _ in
      for column in mapping.columns {
        guard let member = members[column.name], let access = column.access, column.isReadBack
        else { continue }
        try access.store(ValueInHand(value: try column.value(of: member)), in: base, assigning: true)
      }
    }
    return result
  }
}

extension Column {
  fileprivate func json(in base: UnsafeRawPointer, _ path: inout NestingPath) throws -> XTJSON {
    guard let access else { return .null }
    switch try access.value(from: base) {
    case .null: return .null
    case .integer(let number): return type.kind == .bool ? .bool(number != 0) : .integer(number)
    case .real(let number): return .number(number)
    case .text(let text): return type.isJSON ? try XTJSON.parse(text) : .string(text)
    case .blob(let data): return .string(data.base64EncodedString())
    }
  }

  /// What the column would hold for this JSON.
  fileprivate func value(of json: XTJSON) throws -> XTValue {
    if json == .null { return .null }
    if type.isJSON { return .text(try JSONText.encode(json)) }
    switch (type.storageClass, json) {
    case (_, .bool(let flag)): return .integer(flag ? 1 : 0)
    case (.blob, .string(let text)):
      guard let data = Data(base64Encoded: text) else { break }
      return .blob(data)
    case (.real, .string("inf")): return .real(.infinity)
    case (.real, .string("-inf")): return .real(-.infinity)
    case (_, .string(let text)): return .text(text)
    case (_, .integer(let number)): return .integer(number)
    case (_, .number(let number)): return .real(number)
    default: break
    }
    throw ModelJSON.mismatch(json, type.swiftType)
  }
}

extension Array: ModelBridged {
  fileprivate static var canBridge: Bool { ModelJSON.canBridge(Element.self) }

  fileprivate func json(_ path: inout NestingPath) throws -> XTJSON {
    .array(try path.inside(nil) { path in try map { try ModelJSON.json($0, &path) } })
  }

  fileprivate static func read(_ json: XTJSON) throws -> [Element] {
    guard case .array(let elements) = json else { throw ModelJSON.mismatch(json, self) }
    return try elements.map { try ModelJSON.read($0, as: Element.self) }
  }
}

extension Set: ModelBridged {
  fileprivate static var canBridge: Bool { ModelJSON.canBridge(Element.self) }

  fileprivate func json(_ path: inout NestingPath) throws -> XTJSON {
    // Equal sets give equal texts: the elements are ordered by theirs.
    let elements = try path.inside(nil) { path in
      try map { element in
        let json = try ModelJSON.json(element, &path)
        return (json: json, text: try JSONText.encode(json))
      }
    }
    return .array(
      elements.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map(\.json))
  }

  fileprivate static func read(_ json: XTJSON) throws -> Set<Element> {
    Set(try [Element].read(json))
  }
}

extension Dictionary: ModelBridged {
  fileprivate static var canBridge: Bool { Key.self == String.self && ModelJSON.canBridge(Value.self) }

  fileprivate func json(_ path: inout NestingPath) throws -> XTJSON {
    var members: [String: XTJSON] = [:]
    try path.inside(nil) { path in
      for (key, value) in self {
        guard let name = key as? String else { continue }
        members[name] = try ModelJSON.json(value, &path)
      }
    }
    return .object(members)
  }

  fileprivate static func read(_ json: XTJSON) throws -> [Key: Value] {
    guard case .object(let members) = json else { throw ModelJSON.mismatch(json, self) }
    var result: [Key: Value] = [:]
    for (name, member) in members {
      guard let key = name as? Key else { throw ModelJSON.mismatch(json, self) }
      result[key] = try ModelJSON.read(member, as: Value.self)
    }
    return result
  }
}

extension Optional: ModelBridged {
  fileprivate static var canBridge: Bool { ModelJSON.canBridge(Wrapped.self) }

  fileprivate func json(_ path: inout NestingPath) throws -> XTJSON {
    try map { try ModelJSON.json($0, &path) } ?? .null
  }

  fileprivate static func read(_ json: XTJSON) throws -> Wrapped? {
    json == .null ? nil : try ModelJSON.read(json, as: Wrapped.self)
  }
}
