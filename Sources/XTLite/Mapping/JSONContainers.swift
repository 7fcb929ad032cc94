import Foundation

/// Codable values, kept as JSON text.
enum JSONContainer {
  /// - Returns: nil where `type` is not Codable.
  static func codec(for type: Any.Type) -> (any FieldCodec)? {
    guard let codable = type as? any Codable.Type else { return nil }
    return codec(of: codable)
  }

  private static func codec<Value: Codable>(of type: Value.Type) -> any FieldCodec {
    if let direct = type as? any DirectContainer.Type { return codec(ofDirect: direct) }
    return ValueCodec(coder(of: type))
  }

  private static func codec<Value: DirectContainer>(ofDirect type: Value.Type) -> any FieldCodec {
    ValueCodec(DirectCoder(general: coder(of: type)))
  }

  private static func coder<Value: Codable>(of type: Value.Type) -> JSONCoder<Value> {
    JSONCoder(
      mayNest: NestingCheck.isNeeded(for: type), isUnordered: type is any UnorderedContainer.Type)
  }
}

/// Containers that need no general coder, but where they give up.
private struct DirectCoder<Value: DirectContainer>: ValueCoder {
  let general: JSONCoder<Value>

  var storageClass: XTStorageClass { general.storageClass }
  var isDirect: Bool { true }

  func encode(_ value: Value) throws -> XTValue { try general.encode(value) }
  func decode(_ value: XTValue) throws -> Value { try general.decode(value) }

  func write(_ value: Value, to writer: inout JSONWriter) -> Bool {
    do throws(GaveUp) {
      try value.writeInOrder(to: &writer)
      return true
    } catch {
      return false
    }
  }

  func read(_ text: UnsafeBufferPointer<UInt8>) -> Value? {
    do throws(GaveUp) {
      return try JSONReader.read(Value.self, from: text)
    } catch {
      return nil
    }
  }
}

private struct JSONCoder<Value: Codable>: ValueCoder {
  let mayNest: Bool
  let isUnordered: Bool

  var storageClass: XTStorageClass { .text }

  func encode(_ value: Value) throws -> XTValue {
    guard isUnordered, let unordered = value as? any UnorderedContainer else {
      return .text(try JSONText.encode(value, mayNest: mayNest))
    }
    guard mayNest else { return .text(try unordered.orderedJSON()) }
    return .text(
      try JSONText.explaining { try NestingCheck.within(value) { try unordered.orderedJSON() } })
  }

  func decode(_ value: XTValue) throws -> Value {
    guard case .text(let text) = value else {
      throw ColumnFailure.mismatch(value, TypeName.display(Value.self))
    }
    return try JSONText.decode(Value.self, from: text)
  }
}

/// A set or dictionary that is a property itself: equal values must give equal texts, so that they
/// can be compared and unique. Their elements are ordered by their encoded texts.
private protocol UnorderedContainer {
  func orderedJSON() throws -> String
}

/// The texts of a container's elements, each without the container around it.
private typealias ElementTexts = [Substring.UTF8View]

extension UnorderedContainer {
  fileprivate func joined(
    _ elements: [some Collection<UInt8>], _ open: Character, _ close: Character
  )
    -> String
  {
    // By bytes: a combining mark at an end would be one character with the bracket.
    let ordered = elements.sorted { $0.lexicographicallyPrecedes($1) }
    let inner = ordered.joined(separator: CollectionOfOne(UInt8(ascii: ",")))
    return String(decoding: "\(open)".utf8 + Array(inner) + "\(close)".utf8, as: UTF8.self)
  }

  /// The elements are encoded in one go and parted again: a coder's start costs more than an
  /// element does.
  fileprivate func texts<Element: Encodable>(of elements: [Element]) throws -> ElementTexts {
    JSONText.elements(of: try JSONText.encode(elements))
  }
}

extension Set: UnorderedContainer where Element: Encodable {
  fileprivate func orderedJSON() throws -> String {
    joined(try texts(of: Array(self)), "[", "]")
  }
}

extension Dictionary: UnorderedContainer where Key: Encodable, Value: Encodable {
  fileprivate func orderedJSON() throws -> String {
    if Key.self == String.self {
      let values = try texts(of: Array(values))
      let members = zip(try texts(of: Array(keys)), values).map { key, value in
        Array(key) + [UInt8(ascii: ":")] + Array(value)
      }
      return joined(members, "{", "}")
    }
    guard !isEmpty else { return try JSONText.encode(self) }
    // Other keys become names where JSON can have them; else an array of keys and values is
    // written.
    let parts = try map { try JSONText.encode([$0.key: $0.value]) }
    let isObject = parts.first?.utf8.first == UInt8(ascii: "{")
    return joined(
      parts.map { $0.utf8.dropFirst().dropLast() }, isObject ? "{" : "[", isObject ? "}" : "]")
  }
}
