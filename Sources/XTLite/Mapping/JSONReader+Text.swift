import Foundation

extension JSONReader {
  @inline(__always)
  mutating func text() throws(GaveUp) -> String {
    try take(UInt8(ascii: "\""))
    let start = position
    let plain = JSONPlainText(in: bytes, from: start)
    advance(to: plain.end)
    guard byte == UInt8(ascii: "\"") else { return try escapedText(from: start) }
    advance(to: plain.end + 1)
    let text = UnsafeBufferPointer(rebasing: bytes[start..<plain.end])
    return try Self.string(text, isASCII: plain.isASCII)
  }

  /// Decoding repairs what is no UTF-8; what was repaired must not be taken for what was stored.
  @inline(__always)
  private static func string(
    _ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool
  ) throws(GaveUp) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard isASCII || text.utf8.elementsEqual(bytes) else { throw GaveUp() }
    return text
  }

  /// A text whose first backslash is at the position.
  @inline(never)
  private mutating func escapedText(from start: Int) throws(GaveUp) -> String {
    var text = [UInt8](bytes[start..<position])
    while byte == UInt8(ascii: "\\") {
      advance(to: position + 1)
      try appendEscaped(to: &text)
      let plain = JSONPlainText(in: bytes, from: position)
      text.append(contentsOf: bytes[position..<plain.end])
      advance(to: plain.end)
    }
    try takeAtOnce(UInt8(ascii: "\""))
    guard let string = text.withUnsafeBufferPointer({ try? Self.string($0, isASCII: false) }) else {
      throw GaveUp()
    }
    return string
  }

  /// Appends what the rest of an escape stands for.
  private mutating func appendEscaped(to text: inout [UInt8]) throws(GaveUp) {
    let escape = byte
    guard escape != 0 else { throw GaveUp() }
    advance(to: position + 1)
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try scalar()).utf8)
    default: throw GaveUp()
    }
  }

  /// The character of `\u` and four digits, or of two of these that are one pair of surrogates.
  private mutating func scalar() throws(GaveUp) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit) else { throw GaveUp() }
    try takeAtOnce(UInt8(ascii: "\\"))
    try takeAtOnce(UInt8(ascii: "u"))
    let trail = try codeUnit()
    guard UTF16.isTrailSurrogate(trail) else { throw GaveUp() }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func codeUnit() throws(GaveUp) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 { unit = unit << 4 | UInt16(try hexDigit()) }
    return unit
  }

  private mutating func hexDigit() throws(GaveUp) -> UInt8 {
    let digit = byte
    let value: UInt8
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
    default: throw GaveUp()
    }
    advance(to: position + 1)
    return value
  }

  /// 8-4-4-4-12 digits.
  mutating func uuid() throws(GaveUp) -> UUID {
    try take(UInt8(ascii: "\""))
    var octets: (UInt64, UInt64) = (0, 0)
    for index in 0..<16 {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        try takeAtOnce(UInt8(ascii: "-"))
      }
      let octet = UInt64(try hexDigit() << 4 | hexDigit())
      if index < 8 { octets.0 = octets.0 << 8 | octet } else { octets.1 = octets.1 << 8 | octet }
    }
    try takeAtOnce(UInt8(ascii: "\""))
    let ordered = (octets.0.bigEndian, octets.1.bigEndian)
    return withUnsafeBytes(of: ordered) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
