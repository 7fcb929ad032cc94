import Foundation

/// The scalars that are written and read as JSON directly.

extension String: DirectJSON {
  func write(to writer: inout JSONWriter) { writer.append(text: self) }
  static func read(from reader: inout JSONReader) throws(GaveUp) -> String { try reader.text() }
}

extension Bool: DirectJSON {
  func write(to writer: inout JSONWriter) { writer.append(word: self ? "true" : "false") }
  static func read(from reader: inout JSONReader) throws(GaveUp) -> Bool { try reader.bool() }
}

/// Digits, and a sign where it is negative.
protocol DirectInteger: DirectJSON, FixedWidthInteger {}

extension DirectInteger {
  func write(to writer: inout JSONWriter) { writer.append(integer: self) }
  static func read(from reader: inout JSONReader) throws(GaveUp) -> Self {
    try reader.integer(Self.self)
  }
}

extension Int: DirectInteger {}
extension Int8: DirectInteger {}
extension Int16: DirectInteger {}
extension Int32: DirectInteger {}
extension Int64: DirectInteger {}
extension UInt: DirectInteger {}
extension UInt8: DirectInteger {}
extension UInt16: DirectInteger {}
extension UInt32: DirectInteger {}
extension UInt64: DirectInteger {}

extension Double: DirectJSON {
  func write(to writer: inout JSONWriter) throws(GaveUp) { try writer.append(number: self) }
  static func read(from reader: inout JSONReader) throws(GaveUp) -> Double {
    try reader.double()
  }
}

extension Float: DirectJSON {
  func write(to writer: inout JSONWriter) throws(GaveUp) { try writer.append(number: self) }
  static func read(from reader: inout JSONReader) throws(GaveUp) -> Float { try reader.float() }
}

/// Seconds since 1970.
extension Date: DirectJSON {
  func write(to writer: inout JSONWriter) throws(GaveUp) {
    let seconds = timeIntervalSince1970
    // Foundation writes no infinite date, not even with a text for infinite numbers.
    guard seconds.isFinite else { throw GaveUp() }
    try writer.append(number: seconds)
  }

  static func read(from reader: inout JSONReader) throws(GaveUp) -> Date {
    Date(timeIntervalSince1970: try reader.double())
  }
}

extension UUID: DirectJSON {
  func write(to writer: inout JSONWriter) { writer.append(uuid: self) }
  static func read(from reader: inout JSONReader) throws(GaveUp) -> UUID { try reader.uuid() }
}

/// Base64.
extension Data: DirectJSON {
  func write(to writer: inout JSONWriter) { writer.append(text: base64EncodedString()) }

  static func read(from reader: inout JSONReader) throws(GaveUp) -> Data {
    guard let data = Data(base64Encoded: try reader.text()) else { throw GaveUp() }
    return data
  }
}
