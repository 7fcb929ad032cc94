import Foundation

/// What a property is decoded from: a column of the current row, or a value in hand. Both are known
/// where the decoding is compiled, so nothing here is called through a table.
protocol StoredValue {
  var storageClass: XTStorageClass { get }
  /// The integer, where `storageClass` is `.integer`.
  var int64: Int64 { get }
  /// The number, where `storageClass` is `.integer` or `.real`.
  var double: Double { get }
  /// The text, where `storageClass` is `.text`; nil where its bytes are no UTF-8.
  func text() -> String?
  /// The bytes of a text, where `storageClass` is `.text`.
  func withText<T>(_ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T
  /// The bytes of a blob, where `storageClass` is `.blob`.
  func blob() -> Data
  var value: XTValue { get }
}

extension ColumnValue: StoredValue {
  @inline(__always)
  func text() -> String? {
    let bytes = utf8
    guard let start = bytes.baseAddress else { return "" }
    // SQLite ends every text with a NUL. Read by that, the standard library checks the bytes and
    // copies them once; decoded by their count, they would be repaired, and have to be compared.
    let text = start.withMemoryRebound(to: CChar.self, capacity: bytes.count + 1) {
      String(validatingCString: $0)
    }
    if let text, text.utf8.count == bytes.count { return text }
    return unusualText(bytes)
  }

  /// A text with a NUL in it, or what is no text.
  @inline(never)
  private func unusualText(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding repairs what is no UTF-8; what was repaired must not be taken for what was stored.
    return text.utf8.elementsEqual(bytes) ? text : nil
  }

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

  func text() -> String? {
    if case .text(let text) = value { text } else { nil }
  }

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

// The scalars. Each takes the storage class that was asked for once; what is wrong with a value is
// said out of line, since these are inlined into the loop over rows.
extension StoredValue {
  @inline(__always)
  func bool(_ stored: XTStorageClass) throws -> Bool {
    guard stored == .integer else { throw mismatch("Bool") }
    let number = int64
    guard number & ~1 == 0 else { throw mismatch("Bool") }
    return number != 0
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
      throw mismatch("\(Number.self)")
    default: throw mismatch("\(Number.self)")
    }
  }

  @inline(__always)
  func floatingPoint(_ stored: XTStorageClass) throws -> Double {
    guard stored == .real || stored == .integer else { throw mismatch("Double") }
    return double
  }

  @inline(never)
  func float(_ stored: XTStorageClass) throws -> Float {
    let number = try floatingPoint(stored)
    let float = Float(number)
    guard float.isFinite || !number.isFinite else { throw ColumnFailure.outOfRange(value, "Float") }
    return float
  }

  /// The text, byte for byte.
  @inline(__always)
  func string(_ stored: XTStorageClass) throws -> String {
    guard stored == .text else { throw mismatch("String") }
    guard let text = text() else { throw ColumnFailure.notUTF8 }
    return text
  }

  /// The value as it is, for a codec: a text that is not UTF-8 must not be repaired on the way.
  @inline(never)
  func exactValue(_ stored: XTStorageClass) throws -> XTValue {
    stored == .text ? .text(try string(stored)) : value
  }

  @inline(__always)
  func data(_ stored: XTStorageClass) throws -> Data {
    guard stored == .blob else { throw mismatch("Data") }
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
      throw mismatch("Date")
    }
    return date
  }

  @inline(never)
  private func mismatch(_ type: String) -> ColumnFailure {
    ColumnFailure.mismatch(value, type)
  }
}

// Those that take longer than a call.
extension StoredValue {
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
      // Its shortest text, which is what a person would take it for: 3.133, not
      // 3.132999999999999488.
      if let decimal = DecimalText.parse(double.description) { return decimal }
    default: break
    }
    throw ColumnFailure.mismatch(value, "Decimal")
  }
}
