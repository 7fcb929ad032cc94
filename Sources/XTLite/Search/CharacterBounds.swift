/// Where a text's characters begin and end, for places in it that are known in bytes.
///
/// A token may end inside of what a reader sees as one character: behind the digit of 1️⃣, say. Only
/// the neighbourhood of a place is looked at: from the last boundary that its two code points prove,
/// or that is known from the place before.
struct CharacterBounds {
  private let text: String
  /// Of the text.
  private let bytes: [UInt8]
  /// The character that was found last.
  private var known = 0..<0

  init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Ranges that cut no character, each with all of those that it touches.
  ///
  /// - Parameter ranges: Bytes of the text; in order, apart from each other.
  static func outward(_ ranges: [Range<Int>], in text: String) -> [Range<Int>] {
    if ranges.isEmpty { return [] }
    var bounds = CharacterBounds(text)
    var result: [Range<Int>] = []
    for range in ranges {
      let start = bounds.down(range.lowerBound)
      let end = bounds.up(range.upperBound)
      if let last = result.last, start < last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else if start < end {
        result.append(start..<end)
      }
    }
    return result
  }

  /// Where the character begins in which a place is. Places have to be asked for in their order.
  mutating func down(_ place: Int) -> Int { character(at: place)?.lowerBound ?? place }

  /// Where the character ends in which a place is; the place itself where it is between two.
  mutating func up(_ place: Int) -> Int {
    guard let character = character(at: place), character.lowerBound < place else { return place }
    return character.upperBound
  }

  /// - Returns: nil for the text's beginning and end, and for what is outside.
  private mutating func character(at place: Int) -> Range<Int>? {
    guard place > 0, place < bytes.count else { return nil }
    if isBoundary(place) { return place..<bytes.count }
    if known.contains(place) { return known }
    let floor = place < known.upperBound ? 0 : known.upperBound
    var start = place
    while start > floor, !isBoundary(start) { start -= 1 }
    let utf8 = text.utf8
    var index = utf8.index(utf8.startIndex, offsetBy: start)
    while true {
      // A part's first character is looked at from there on, and never back.
      let rest = text[index...]
      if rest.isEmpty { return nil }
      let next = rest.index(after: rest.startIndex)
      let end = start + utf8.distance(from: index, to: next)
      if place < end {
        known = start..<end
        return known
      }
      (index, start) = (next, end)
    }
  }

  /// Whether the code points beside a place prove that a character begins there.
  private func isBoundary(_ place: Int) -> Bool {
    let next = bytes[place]
    if next & 0xC0 == 0x80 { return false }
    let before = scalar(endingAt: place)
    if next < 0x80 {
      return next != UInt8(ascii: "\n") && !Self.isPrepended(before)
    }
    return Self.isPlain(before) && Self.isPlain(scalar(at: place))
  }

  private func scalar(endingAt place: Int) -> UInt32 {
    var start = place - 1
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return scalar(at: start)
  }

  private func scalar(at place: Int) -> UInt32 {
    bytes.withUnsafeBufferPointer { UTF8Scalar.decode($0, place).0 }
  }

  /// Latin, Greek and Cyrillic letters, kana and Chinese characters, which join none of their kind.
  private static func isPlain(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20...0x7E, 0xC0...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x3001...0x3029,
      0x3041...0x3096, 0x30A1...0x30FE, 0x3400...0x4DBF, 0x4E00...0x9FFF:
      true
    default: false
    }
  }

  /// Whether it may belong to the character behind it, as signs before numbers do.
  private static func isPrepended(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0xD4E, 0x11000...0x11FFF: true
    default: false
    }
  }
}
