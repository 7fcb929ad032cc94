import Foundation

/// JSON text in the making, piece by piece as Foundation's encoder writes it.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// Parts that are yet to be brought into order, one after the other, and where each ends.
  private var parts: [UInt8] = []
  private var ends: [Int] = []

  /// Begins again, in the memory that there is.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  @inline(__always)
  mutating func append(word: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// A comma, but not before the first.
  @inline(__always)
  mutating func separate(_ isFirst: inout Bool) {
    if isFirst { isFirst = false } else { append(UInt8(ascii: ",")) }
  }
}

// Elements in the order of their texts.
extension JSONWriter {
  /// What is appended from here on are parts that `appendParts` brings into order.
  mutating func beginParts() {
    ends.removeAll(keepingCapacity: true)
    swap(&bytes, &parts)
  }

  @inline(__always)
  mutating func endPart() {
    ends.append(bytes.count)
  }

  mutating func appendParts() {
    swap(&bytes, &parts)
    parts.withUnsafeBufferPointer { parts in
      var ranges: [Range<Int>] = []
      ranges.reserveCapacity(ends.count)
      for end in ends { ranges.append((ranges.last?.upperBound ?? 0)..<end) }
      ranges.sort { Self.precedes(parts[$0], parts[$1]) }
      var isFirst = true
      for range in ranges {
        separate(&isFirst)
        bytes.append(contentsOf: parts[range])
      }
    }
    parts.removeAll(keepingCapacity: true)
  }

  private static func precedes(
    _ first: Slice<UnsafeBufferPointer<UInt8>>, _ second: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Bool {
    for (one, other) in zip(first, second) where one != other { return one < other }
    return first.count < second.count
  }
}

// Scalars.
extension JSONWriter {
  @inline(__always)
  mutating func append(text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      let plain = JSONPlainText(in: text, from: 0)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[..<plain.end]))
      if plain.end < text.count { appendEscaped(text, from: plain.end) }
    }
    append(UInt8(ascii: "\""))
  }

  @inline(never)
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, from start: Int) {
    var index = start
    while index < text.count {
      appendEscape(of: text[index])
      let plain = JSONPlainText(in: text, from: index + 1)
      bytes.append(contentsOf: text[(index + 1)..<plain.end])
      index = plain.end
    }
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case ..<0x20:
      append(word: "u00")
      append(UInt8(ascii: "0") + byte >> 4)
      append(Self.digit(byte & 0xF, ten: UInt8(ascii: "a")))
    default: append(byte)
    }
  }

  private static func digit(_ digit: UInt8, ten: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : ten + digit - 10
  }

  @inline(__always)
  mutating func append<Number: FixedWidthInteger>(integer: Number) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    append(magnitude: UInt64(truncatingIfNeeded: integer.magnitude))
  }

  private mutating func append(magnitude: UInt64) {
    let start = bytes.count
    var rest = magnitude
    repeat {
      let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = tens
    } while rest > 0
    bytes[start...].reverse()
  }

  /// The shortest text that gives the number back, without ".0" behind a whole one.
  mutating func append<Number: BinaryFloatingPoint & CustomStringConvertible>(
    number: Number
  ) throws(GaveUp) {
    guard !number.isNaN else { throw GaveUp() }
    guard number.isFinite else { return append(word: number < 0 ? "\"-inf\"" : "\"inf\"") }
    // Whole numbers are written with their digits as far as each of them is one of the type.
    if number.exponent <= Number.significandBitCount, let integer = Int64(exactly: number),
      integer != 0 || number.sign == .plus
    {
      return append(integer: integer)
    }
    let text = number.description
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
  }

  /// 8-4-4-4-12 digits, upper case.
  mutating func append(uuid: UUID) {
    append(UInt8(ascii: "\""))
    withUnsafeBytes(of: uuid.uuid) { octets in
      for (index, octet) in octets.enumerated() {
        if [4, 6, 8, 10].contains(index) { append(UInt8(ascii: "-")) }
        append(Self.digit(octet >> 4, ten: UInt8(ascii: "A")))
        append(Self.digit(octet & 0xF, ten: UInt8(ascii: "A")))
      }
    }
    append(UInt8(ascii: "\""))
  }
}
