import Foundation

/// What a property is decoded from: a column of the current row, or a value in hand. Both are known
/// where the decoding is compiled, so nothing here is called through a table.
protocol StoredValue {
  var storageClass: XTStorageClass { get }
  /// The integer, where `storageClass` is `.integer`.
  var int64: Int64 { get }
  /// The number, where `storageClass` is `.integer` or `.real`.
  var double: Double { get }
  /// The bytes of a text, where `storageClass` is `.text`.
  func withText<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T
  /// The bytes of a blob, where `storageClass` is `.blob`.
  func blob() -> Data
  var value: XTValue { get }
}

extension ColumnValue: StoredValue {
  @inline(__always)
  func withText<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    try body(utf8)
  }

  @inline(__always)
  func blob() -> Data {
    Data(bytes)
  }
}

/// An `XTValue` as something to decode from.
struct ValueInHand: StoredValue {
  let value: XTValue

  var storageClass: XTStorageClass { value.storageClass }

  var int64: Int64 {
    if case .integer(let number) = value { number } else { 0 }
  }

  var double: Double {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: 0
    }
  }

  func withText<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    guard case .text(var text) = value else {
      return try body(UnsafeBufferPointer(start: nil, count: 0))
    }
    return try text.withUTF8(body)
  }

  func blob() -> Data {
    if case .blob(let data) = value { data } else { Data() }
  }
}

// The scalars. Each takes the storage class that was asked for once.
extension StoredValue {
  @inline(__always)
  func bool(_ stored: XTStorageClass) throws -> Bool {
    guard stored == .integer, int64 == 0 || int64 == 1 else {
      throw ColumnFailure.mismatch(value, "Bool")
    }
    return int64 == 1
  }

  @inline(__always)
  func integer<Number: FixedWidthInteger>(_ stored: XTStorageClass, as type: Number.Type) throws
    -> Number
  {
    if stored == .integer, let number = Number(exactly: int64) { return number }
    return try unusualInteger(stored, as: type)
  }

  @inline(never)
  private func unusualInteger<Number: FixedWidthInteger>(
    _ stored: XTStorageClass, as type: Number.Type
  ) throws -> Number {
    switch stored {
    case .integer: throw ColumnFailure.outOfRange(value, "\(Number.self)")
    case .real:
      if let number = Number(exactly: double) { return number }
      throw ColumnFailure.mismatch(value, "\(Number.self)")
    default: throw ColumnFailure.mismatch(value, "\(Number.self)")
    }
  }

  @inline(__always)
  func floatingPoint(_ stored: XTStorageClass) throws -> Double {
    guard stored == .real || stored == .integer else {
      throw ColumnFailure.mismatch(value, "Double")
    }
    return double
  }

  @inline(__always)
  func float(_ stored: XTStorageClass) throws -> Float {
    let number = try floatingPoint(stored)
    let float = Float(number)
    guard float.isFinite || !number.isFinite else { throw ColumnFailure.outOfRange(value, "Float") }
    return float
  }

  /// The text, byte for byte.
  @inline(__always)
  func string(_ stored: XTStorageClass) throws -> String {
    guard stored == .text else { throw ColumnFailure.mismatch(value, "String") }
    return try withText { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      // Decoding repairs what is no UTF-8; what was repaired must not be taken for what was stored.
      guard text.utf8.count == bytes.count, hasSameBytes(text, bytes) else {
        throw ColumnFailure(
          kind: .decoding, message: "the text is not UTF-8",
          hint: "Declare the property as Data to read its bytes.")
      }
      return text
    }
  }

  /// The value as it is, for a codec: a text that is not UTF-8 must not be repaired on the way.
  @inline(never)
  func exactValue(_ stored: XTStorageClass) throws -> XTValue {
    stored == .text ? .text(try string(stored)) : value
  }

  @inline(__always)
  func data(_ stored: XTStorageClass) throws -> Data {
    guard stored == .blob else { throw ColumnFailure.mismatch(value, "Data") }
    return blob()
  }

  @inline(__always)
  func date(_ stored: XTStorageClass) throws -> Date {
    if stored == .real || stored == .integer { return Date(timeIntervalSince1970: double) }
    return try dateFromText(stored)
  }

  @inline(never)
  private func dateFromText(_ stored: XTStorageClass) throws -> Date {
    guard stored == .text, let date = withText({ DateText.parse($0) }) else {
      throw ColumnFailure.mismatch(value, "Date")
    }
    return date
  }

  func uuid(_ stored: XTStorageClass) throws -> UUID {
    // Foundation stops at a NUL, whatever stands behind it.
    guard stored == .text, case let text = try string(stored), text.utf8.count == 36,
      let uuid = UUID(uuidString: text)
    else {
      throw ColumnFailure.mismatch(value, "UUID")
    }
    return uuid
  }

  func url(_ stored: XTStorageClass) throws -> URL {
    guard stored == .text, let url = URL(string: try string(stored)) else {
      throw ColumnFailure.mismatch(value, "URL")
    }
    return url
  }

  func decimal(_ stored: XTStorageClass) throws -> Decimal {
    switch stored {
    case .integer: return Decimal(int64)
    case .text:
      if let decimal = DecimalText.parse(try string(stored)) { return decimal }
    case .real:
      // Its shortest text, which is what a person would take it for: 3.133, not 3.132999999999999488.
      if let decimal = DecimalText.parse(double.description) { return decimal }
    default: break
    }
    throw ColumnFailure.mismatch(value, "Decimal")
  }
}

/// Whether a text has the bytes that it was decoded from: a repaired one can have as many others.
@inline(__always)
private func hasSameBytes(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  text.utf8.withContiguousStorageIfAvailable { decoded in
    guard let left = decoded.baseAddress, let right = bytes.baseAddress else { return true }
    return memcmp(left, right, bytes.count) == 0
  } ?? text.utf8.elementsEqual(bytes)
}
