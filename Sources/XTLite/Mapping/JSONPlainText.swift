/// A part of a text that stands in JSON as it is: no quote, no backslash, no control character.
struct JSONPlainText {
  /// Where it ends.
  let end: Int
  let isASCII: Bool

  /// The longest such part that begins at `start`.
  @inline(__always)
  init(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = start
    var seen: UInt64 = 0
    // Eight bytes at a time as long as all of them are plain.
    while raw.count - index >= 8 {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard Self.isPlain(word) else { break }
      seen |= word
      index += 8
    }
    while index < raw.count, Self.isPlain(raw[index]) {
      seen |= UInt64(raw[index])
      index += 1
    }
    end = index
    isASCII = seen & Self.everywhere(0x80) == 0
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  @inline(__always)
  private static func isPlain(_ word: UInt64) -> Bool {
    let control = (word &- everywhere(0x20)) & ~word
    let quote = word ^ everywhere(UInt8(ascii: "\""))
    let backslash = word ^ everywhere(UInt8(ascii: "\\"))
    // Subtracting one borrows from a byte's highest bit only where the byte is zero.
    let marks =
      control | ((quote &- everywhere(1)) & ~quote) | ((backslash &- everywhere(1)) & ~backslash)
    return marks & everywhere(0x80) == 0
  }

  @inline(__always)
  private static func everywhere(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
