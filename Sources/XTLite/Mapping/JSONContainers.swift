import Foundation

/// Codable values, kept as JSON text.
enum JSONContainer {
  /// - Returns: nil where `type` is not Codable.
  static func codec(for type: Any.Type) -> (any FieldCodec)? {
    guard let codable = type as? any Codable.Type else { return nil }
    return codec(of: codable)
  }

  private static func codec<Value: Codable>(of type: Value.Type) -> any FieldCodec {
    ValueCodec(
      JSONCoder<Value>(
        mayNest: NestingCheck.isNeeded(for: type),
        isUnordered: type is any UnorderedContainer.Type))
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

extension UnorderedContainer {
  /// Each of `parts` is the JSON of a container of one element.
  fileprivate func joined(_ parts: [String], empty: String) -> String {
    guard let first = parts.first?.utf8, let open = first.first, let close = first.last else {
      return empty
    }
    // By bytes: a combining mark at an end would be one character with the bracket.
    let inner = parts.map { $0.utf8.dropFirst().dropLast() }
      .sorted { $0.lexicographicallyPrecedes($1) }
    return String(
      decoding: [open] + inner.joined(separator: CollectionOfOne(UInt8(ascii: ","))) + [close],
      as: UTF8.self)
  }
}

extension Set: UnorderedContainer where Element: Encodable {
  fileprivate func orderedJSON() throws -> String {
    joined(try map { try JSONText.encode([$0]) }, empty: "[]")
  }
}

extension Dictionary: UnorderedContainer where Key: Encodable, Value: Encodable {
  fileprivate func orderedJSON() throws -> String {
    // Keys that JSON cannot have as names are written as an array of keys and values.
    let parts = try map { try JSONText.encode([$0.key: $0.value]) }
    return joined(parts, empty: try JSONText.encode([Key: Value]()))
  }
}
