import Foundation

/// Nested models that are not Codable, and arrays, sets, dictionaries and optionals of them: JSON
/// of their stored properties, by the same mapping that a table of theirs would have.
enum ModelJSON {
  /// - Returns: nil where `type` has no such model in it, or is Codable anyway.
  static func codec(for type: Any.Type) -> (any FieldCodec)? {
    guard !(type is any Codable.Type), canBridge(type) else { return nil }
    func make<Value>(_: Value.Type) -> any FieldCodec { ValueCodec(ModelCoder<Value>()) }
    return _openExistential(type, do: make)
  }

  /// Models conform to `XTModel`, not to `ModelBridged`; this looks at both.
  static func canBridge(_ type: Any.Type) -> Bool {
    if type is any Codable.Type { return true }
    if type is any XTModel.Type { return true }
    return (type as? any ModelBridged.Type)?.canBridge ?? false
  }

  /// The models that values of `type` are written by the mappings of.
  static func models(in type: Any.Type) -> [any XTModel.Type] {
    if type is any Codable.Type { return [] }
    if let model = type as? any XTModel.Type { return [model] }
    return (type as? any ModelBridged.Type)?.partTypes.flatMap(models) ?? []
  }

  static func mismatch(_ node: JSONNode, _ type: Any.Type) -> ColumnFailure {
    .mismatch(.text(node.text), TypeName.display(type))
  }
}

private struct ModelCoder<Value>: ValueCoder {
  var storageClass: XTStorageClass { .text }

  func encode(_ value: Value) throws -> XTValue {
    do {
      return try encode(value, upTo: DeepStack.shallow)
    } catch is NestingPath.TooDeep {
      return try DeepStack.run {
        do {
          return try encode(value, upTo: NestingCheck.limit)
        } catch is NestingPath.TooDeep {
          throw NestingCheck.tooDeep
        }
      }
    }
  }

  private func encode(_ value: Value, upTo levels: Int) throws -> XTValue {
    var path = NestingPath(limit: levels)
    var text = ""
    try ModelJSON.append(value, to: &text, &path)
    // What is Codable inside of the models counts its own levels only.
    guard JSONText.depth(of: text.utf8) <= NestingCheck.limit else { throw NestingCheck.tooDeep }
    return .text(text)
  }

  func decode(_ value: XTValue) throws -> Value {
    guard case .text(let text) = value else {
      throw ColumnFailure.mismatch(value, TypeName.display(Value.self))
    }
    func read() throws -> Value { try ModelJSON.read(try JSONNode.parse(text), as: Value.self) }
    return JSONText.depth(of: text.utf8) > DeepStack.shallow ? try DeepStack.run(read) : try read()
  }

  func appendJSON(
    _ value: Value, to text: inout String, _ path: inout NestingPath
  ) throws -> Bool {
    try ModelJSON.append(value, to: &text, &path)
    return true
  }

  func decodeJSON(_ node: JSONNode) throws -> Value? {
    try ModelJSON.read(node, as: Value.self)
  }
}

/// What stands around the value that is written, to notice an object that contains itself.
struct NestingPath {
  struct TooDeep: Error {}

  private let limit: Int
  private var depth = 0
  private var objects: Set<ObjectIdentifier> = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func inside<T>(
    _ object: AnyObject? = nil, _ body: (inout NestingPath) throws -> T
  ) throws -> T {
    guard depth < limit else { throw TooDeep() }
    if let object, !objects.insert(ObjectIdentifier(object)).inserted {
      throw NestingCheck.cycle(type(of: object))
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
protocol ModelBridged: StandardContainer {
  static var canBridge: Bool { get }
  func appendJSON(to text: inout String, _ path: inout NestingPath) throws
  static func read(_ node: JSONNode) throws -> Self
}

extension ModelJSON {
  static func append<Value>(
    _ value: Value, to text: inout String, _ path: inout NestingPath
  ) throws {
    if Value.self is any Codable.Type, let codable = value as? any Encodable {
      text += try JSONText.encode(codable, mayNest: true)
    } else if let model = value as? any XTModel {
      try append(model: model, to: &text, &path)
    } else if let bridged = value as? any ModelBridged {
      try bridged.appendJSON(to: &text, &path)
    } else {
      throw ColumnFailure.notStorable("a \(TypeName.display(Value.self)) has no JSON")
    }
  }

  static func read<Value>(_ node: JSONNode, as type: Value.Type) throws -> Value {
    var result: Value?
    if let codable = type as? any Codable.Type {
      result = try JSONText.decode(codable, from: node.text) as? Value
    } else if let model = type as? any XTModel.Type {
      result = try read(node, model: model) as? Value
    } else if let bridged = type as? any ModelBridged.Type {
      result = try bridged.read(node) as? Value
    }
    guard let result else { throw mismatch(node, type) }
    return result
  }

  private static func append<Model: XTModel>(
    model: Model, to text: inout String, _ path: inout NestingPath
  ) throws {
    let mapping = try ModelMapping.of(Swift.type(of: model))
    try path.inside(mapping.isClass ? model as AnyObject : nil) { path in
      text += "{"
      var separator = ""
      try withMemory(of: model) { memory in
        for column in mapping.columnsByName {
          text += separator
          separator = ","
          text.appendJSON(column.name)
          text += ":"
          try column.located { try column.appendJSON(in: memory.base, to: &text, &path) }
        }
      }
      text += "}"
    }
  }

  private static func read<Model: XTModel>(_ node: JSONNode, model: Model.Type) throws -> Model {
    guard case .object = node.kind else { throw mismatch(node, model) }
    let mapping = try ModelMapping.of(model)
    var result = Model()
    try withMutableMemory(of: &result) { base, _ in
      for column in mapping.columns {
        guard let member = node.member(column.name) else { continue }
        try column.located { try column.store(member, in: base) }
      }
    }
    return result
  }
}

extension Column {
  /// Says in a failure which property it is of.
  fileprivate func located<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var failure as ColumnFailure {
      failure.message = "in \(property), \(failure.message)"
      throw failure
    }
  }

  fileprivate func appendJSON(
    in base: UnsafeRawPointer, to text: inout String, _ path: inout NestingPath
  ) throws {
    guard let access else { return text += "null" }
    if try access.codec?.appendJSON(at: base + access.offset, to: &text, &path) == true { return }
    switch try access.value(from: base) {
    case .null: text += "null"
    case .integer(let number):
      text += type.kind == .bool ? (number == 0 ? "false" : "true") : String(number)
    case .real(let number):
      guard !number.isNaN else { throw ColumnFailure.notStorable("NaN cannot be stored") }
      try text.appendJSON(number)
    case .text(let string):
      if type.isJSON { text += string } else { text.appendJSON(string) }
    case .blob(let data): text.appendJSON(data.base64EncodedString())
    }
  }

  fileprivate func store(_ node: JSONNode, in base: UnsafeMutableRawPointer) throws {
    guard let access else { return }
    if isReadBack, !node.isNull,
      try access.codec?.storeJSON(node, at: base + access.offset, assigning: true) == true
    {
      return
    }
    let value = try value(of: node)
    if isReadBack {
      try access.store(ValueInHand(value: value), in: base, assigning: true)
    } else {
      try compareWithConstant(value)
    }
  }

  /// What the column would hold for this JSON.
  private func value(of node: JSONNode) throws -> XTValue {
    if node.isNull, isOptional || !type.isJSON { return .null }
    if type.isJSON { return .text(node.text) }
    switch (type.storageClass, node.kind) {
    case (.integer, .bool(let flag)) where type.kind == .bool: return .integer(flag ? 1 : 0)
    case (.blob, .string(let text)):
      guard let data = Data(base64Encoded: text) else { break }
      return .blob(data)
    case (.real, .string("inf")): return .real(.infinity)
    case (.real, .string("-inf")): return .real(-.infinity)
    case (_, .string(let text)): return .text(text)
    case (_, .number):
      if let number = Int64(node.text) { return .integer(number) }
      if let number = Double(node.text) { return .real(number) }
    default: break
    }
    throw ModelJSON.mismatch(node, type.swiftType)
  }
}
