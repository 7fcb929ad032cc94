import Foundation

/// The five storage classes of SQLite, with SQLite's own numbers.
public enum XTStorageClass: Int32, Sendable {
  /// A signed integer of up to 64 bits.
  case integer = 1
  /// A 64-bit floating-point number.
  case real = 2
  /// Text, UTF-8.
  case text = 3
  /// Bytes.
  case blob = 4
  /// SQL NULL.
  case null = 5
}

/// A value as SQLite keeps it.
///
/// ```swift
/// let value: XTValue = "mamba"
/// value.string   // Optional("mamba")
/// value.int64    // nil
/// ```
public enum XTValue: Hashable, Sendable {
  /// SQL NULL.
  case null
  /// A signed 64-bit integer.
  case integer(Int64)
  /// A 64-bit floating-point number. NaN cannot be stored: binding it throws.
  case real(Double)
  /// Text.
  case text(String)
  /// Bytes; an empty blob is not NULL.
  case blob(Data)

  /// How SQLite keeps this value.
  public var storageClass: XTStorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  /// Whether this is SQL NULL.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The integer, or nil where the value is of another storage class.
  public var int64: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number: a real, or an integer converted; nil where the value is neither.
  public var double: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// The text, or nil where the value is of another storage class.
  public var string: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The bytes, or nil where the value is of another storage class.
  public var data: Data? {
    if case .blob(let value) = self { value } else { nil }
  }
}

extension XTValue: ExpressibleByNilLiteral {
  /// SQL NULL.
  public init(nilLiteral: ()) { self = .null }
}

extension XTValue: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension XTValue: ExpressibleByFloatLiteral {
  /// A real.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension XTValue: ExpressibleByStringLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension XTValue: ExpressibleByBooleanLiteral {
  /// 1 or 0.
  public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension XTValue: CustomStringConvertible {
  /// The value for people: a text as it is, bytes by their count, NULL as "NULL".
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    case .blob(let value): "\(value.count) bytes"
    }
  }
}

extension XTValue {
  /// The value as SQL text, fit for a DEFAULT clause as well as for an expression.
  var sqlLiteral: String {
    switch self {
    case .null:
      "NULL"
    case .integer(let value):
      String(value)
    case .real(let value):
      if value.isNaN {
        "NULL"
      } else if value.isInfinite {
        value < 0 ? "-9e999" : "9e999"
      } else {
        String(value)
      }
    case .text(let value):
      // SQL text cannot hold a NUL; the bytes can.
      if value.utf8.contains(0) {
        "(CAST(X'\(hexadecimal(value.utf8))' AS TEXT))"
      } else {
        value.quotedText
      }
    case .blob(let value):
      "X'\(hexadecimal(value))'"
    }
  }
}

extension String {
  /// The text as an SQL literal: in quotes, with a quote inside doubled.
  ///
  /// By scalars, not by characters: a quote and a combining mark behind it are one `Character`,
  /// which is no quote to Swift but is one to SQLite.
  fileprivate var quotedText: String {
    var result = "'"
    result.reserveCapacity(utf8.count + 2)
    for scalar in unicodeScalars {
      if scalar == "'" { result.unicodeScalars.append("'") }
      result.unicodeScalars.append(scalar)
    }
    result.append("'")
    return result
  }
}

/// Bytes as upper-case hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
