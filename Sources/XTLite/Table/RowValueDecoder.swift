import Foundation

/// Rows as values of any `Decodable` type, by the names of their columns.
enum DecodableRow {
  static func decode<Value: Decodable>(_ type: Value.Type, from row: XTRow) throws -> Value {
    do {
      return try Value(from: RowValueDecoder(row: row, type: type))
    } catch let error as DecodingError {
      // The type's own words, or those of a decoder that it used.
      throw XTError(
        .decoding, "the row is no \(TypeName.display(type)): \(JSONText.explain(error))",
        sql: row.sql)
    }
  }

  /// Whether the type is a single value, which a column holds, and not one that has parts.
  static func isSingleValue(_ type: Any.Type) -> Bool {
    if type == XTValue.self || type == XTValue?.self { return true }
    guard let column = try? ColumnType.of(type) else { return false }
    return !column.isJSON
  }
}

/// A row as what Codable decodes from.
struct RowValueDecoder: Decoder {
  let row: XTRow
  /// What is made of it.
  let type: Any.Type
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(row: row, type: self.type, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try json().unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    RowValueContainer(row: row, codingPath: codingPath)
  }

  /// The decoder of the JSON in the row's one column.
  private func json() throws -> any Decoder {
    guard row.count == 1 else {
      throw XTError(
        .decoding, "a row of \(row.count) columns is no array",
        hint: "read it as a type that has the columns' names", sql: row.sql)
    }
    return try row.jsonDecoder(at: 0, for: TypeName.display(type))
  }
}

extension XTRow {
  /// What a column holds, as a type that may be storable or only decodable.
  @inline(__always)
  fileprivate func decoded<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> Value {
    try reading(at: place) { stored in
      let reader: ValueReader<Value>
      do {
        reader = try ValueReader<Value>()
      } catch let error as XTError where error.kind == .unsupportedProperty {
        // Only decodable: JSON, as a Codable type would be.
        guard case .text(let text) = stored.value else {
          if stored.value.isNull { throw ValueReading.null(as: type) }
          throw ColumnFailure.mismatch(stored.value, TypeName.display(type))
        }
        return try JSONText.decode(type, from: text)
      }
      return try reader.read(stored)
    }
  }

  /// The decoder of the JSON that a column holds.
  ///
  /// - Parameter name: what an error says that the column's value is none of.
  fileprivate func jsonDecoder(at place: Int, for name: String = "JSON") throws -> any Decoder {
    try reading(at: place) { stored in
      guard case .text(let text) = stored.value else {
        throw ColumnFailure.mismatch(stored.value, name)
      }
      return try JSONText.decode(CaughtDecoder.self, from: text, as: name).decoder
    }
  }
}

/// Takes the decoder that it is made from.
private struct CaughtDecoder: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: XTRow
  let type: Any.Type
  let codingPath: [any CodingKey]

  var allKeys: [Key] { row.names.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { row.placeIfAny(of: key.stringValue) != nil }

  @inline(__always)
  private func place(_ key: Key) throws -> Int { try row.place(of: key.stringValue) }

  /// - Throws: `decoding`, in place of what the plain values say of NULL.
  @inline(__always)
  private func plain<Value>(
    _ key: Key, _ read: (ValueInHand, XTStorageClass) throws -> Value
  ) throws -> Value {
    try row.reading(at: try place(key)) { stored in
      let storageClass = stored.storageClass
      if storageClass == .null { throw ValueReading.null(as: Value.self) }
      return try read(stored, storageClass)
    }
  }

  func decodeNil(forKey key: Key) throws -> Bool { row.values[try place(key)].isNull }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try plain(key) { try $0.bool($1) }
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try plain(key) { try $0.string($1) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try plain(key) { try $0.floatingPoint($1) }
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try plain(key) { try $0.float($1) }
  }
  private func integer<Number: FixedWidthInteger>(_ key: Key) throws -> Number {
    try plain(key) { try $0.integer($1, as: Number.self) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.decoded(type, at: try place(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try row.jsonDecoder(at: try place(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try row.jsonDecoder(at: try place(key)).unkeyedContainer()
  }

  /// A superclass has its columns in the same row.
  func superDecoder() -> any Decoder {
    RowValueDecoder(row: row, type: type, codingPath: codingPath)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try row.jsonDecoder(at: try place(key))
  }
}

/// The row for a type that is decoded from one value: a wrapper of another that has the columns, or
/// of the one column.
private struct RowValueContainer: SingleValueDecodingContainer {
  let row: XTRow
  let codingPath: [any CodingKey]

  /// Of a row in which a left join found nothing.
  func decodeNil() -> Bool { row.values.allSatisfy(\.isNull) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard DecodableRow.isSingleValue(type) else {
      return try Value(from: RowValueDecoder(row: row, type: type, codingPath: codingPath))
    }
    guard row.count == 1 else {
      throw XTError(
        .decoding, "a row of \(row.count) columns is no \(TypeName.display(type))",
        hint: "select one column, or read the rows as a type that has the columns' names",
        sql: row.sql)
    }
    return try row.decoded(type, at: 0)
  }
}
