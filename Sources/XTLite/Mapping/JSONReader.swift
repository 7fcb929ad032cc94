/// JSON text that is taken apart from its beginning on, straight from the bytes in a column.
///
/// What is not quite as it is usually written is given up, for Foundation's decoder to judge: that
/// may well accept it.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  /// - Parameter bytes: stay where they are as long as the reader is used.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The value that the whole text stands for.
  @inline(__always)
  static func read<Value: DirectJSON>(
    _ type: Value.Type, from bytes: UnsafeBufferPointer<UInt8>
  ) throws(GaveUp) -> Value {
    var reader = JSONReader(bytes)
    let value = try Value.read(from: &reader)
    reader.skipBlanks()
    guard reader.position == bytes.count else { throw GaveUp() }
    return value
  }

  /// The byte at the position; 0, which no JSON has outside of texts, at the end.
  @inline(__always)
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  mutating func advance(to position: Int) {
    self.position = position
  }

  @inline(__always)
  mutating func skipBlanks() {
    while byte <= 0x20, Self.isBlank(byte) { position += 1 }
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Goes over `expected` and the blanks before it.
  @inline(__always)
  mutating func take(_ expected: UInt8) throws(GaveUp) {
    skipBlanks()
    try takeAtOnce(expected)
  }

  @inline(__always)
  mutating func takeAtOnce(_ expected: UInt8) throws(GaveUp) {
    guard byte == expected else { throw GaveUp() }
    position += 1
  }

  /// Begins an array or object.
  ///
  /// - Returns: false where it has ended at once.
  @inline(__always)
  mutating func begin(_ open: UInt8, _ close: UInt8) throws(GaveUp) -> Bool {
    try take(open)
    skipBlanks()
    guard byte == close else { return true }
    position += 1
    return false
  }

  /// Goes over what stands behind an element.
  ///
  /// - Returns: false where the container ends.
  @inline(__always)
  mutating func goesOn(_ close: UInt8) throws(GaveUp) -> Bool {
    skipBlanks()
    let byte = byte
    guard byte == UInt8(ascii: ",") || byte == close else { throw GaveUp() }
    position += 1
    return byte != close
  }

  /// How many elements are left in the container that has begun: what room has to be made for, so
  /// that nothing is moved while it grows, and no room is left over.
  func countElements() -> Int {
    var count = 1
    var depth = 0
    var index = position
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): index = endOfText(from: index + 1)
      case UInt8(ascii: ",") where depth == 0: count += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard depth > 0 else { return count }
        depth -= 1
      default: break
      }
      index += 1
    }
    // The text breaks off.
    return 0
  }

  /// Where the quote is that ends the text which begins at `start`.
  private func endOfText(from start: Int) -> Int {
    var end = JSONPlainText(in: bytes, from: start).end
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      // A backslash takes the next byte along. A control character ends the reading later.
      end = min(end + (bytes[end] == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
      end = JSONPlainText(in: bytes, from: end).end
    }
    return end
  }

  // MARK: Words

  /// Goes over `null` where that is next.
  mutating func isNull() throws(GaveUp) -> Bool {
    skipBlanks()
    guard byte == UInt8(ascii: "n") else { return false }
    try take(word: "null")
    return true
  }

  mutating func bool() throws(GaveUp) -> Bool {
    skipBlanks()
    let isTrue = byte == UInt8(ascii: "t")
    try take(word: isTrue ? "true" : "false")
    return isTrue
  }

  /// What stands behind a word is looked at by whoever goes on.
  private mutating func take(word: StaticString) throws(GaveUp) {
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[position...].starts(with: expected) else { throw GaveUp() }
    position += expected.count
  }
}
