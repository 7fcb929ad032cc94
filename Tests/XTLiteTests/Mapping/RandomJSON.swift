import Foundation

/// Values that a test draws by chance, awkward ones more often than chance would.
protocol RandomValue: Codable, Hashable {
  static func random(_ numbers: inout SplitMix) -> Self
}

extension Bool: RandomValue {
  static func random(_ numbers: inout SplitMix) -> Bool { .random(using: &numbers) }
}

extension String: RandomValue {
  private static let pieces: [String] = [
    "", "a", "key ", "\"", "\\", "/", "\u{0}", "\u{1}", "\u{8}", "\t", "\n", "\u{B}", "\u{C}", "\r",
    "\u{1F}", " ", "!", "#", "\u{7F}", "\u{80}", "é", "e\u{301}", "\u{301}", "\u{7FF}", "\u{800}",
    "\u{2028}", "\u{2029}", "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "😀",
    "\u{10FFFF}", "👨‍👩‍👧", "\\u0041", "\",\"", "\":", "inf", "null", "12345678", "abcdefghijklmnop",
    "ABC",
  ]

  static func random(_ numbers: inout SplitMix) -> String {
    (0..<Int.random(in: 0...6, using: &numbers))
      .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &numbers)] }.joined()
  }
}

/// All lengths of digits, and the ends of the range.
extension RandomValue where Self: FixedWidthInteger {
  static func random(_ numbers: inout SplitMix) -> Self {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: 0
    case 1: .min
    case 2: .max
    default:
      Self(truncatingIfNeeded: numbers.next())
        >> Self(truncatingIfNeeded: Int.random(in: 0..<bitWidth, using: &numbers))
    }
  }
}

extension Int: RandomValue {}
extension Int8: RandomValue {}
extension Int16: RandomValue {}
extension Int32: RandomValue {}
extension Int64: RandomValue {}
extension UInt: RandomValue {}
extension UInt8: RandomValue {}
extension UInt16: RandomValue {}
extension UInt32: RandomValue {}
extension UInt64: RandomValue {}

/// Any bit pattern but those of NaN, short decimals, whole numbers around the last exact one.
extension RandomValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
  fileprivate static func random(
    _ numbers: inout SplitMix, of pattern: (UInt64) -> Self
  ) -> Self {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0:
      let odd: [Self] = [0, -0.0, .infinity, -.infinity]
      return odd[Int.random(in: 0..<4, using: &numbers)]
    case 1:
      let edges: [Self] = [
        leastNonzeroMagnitude, leastNormalMagnitude, greatestFiniteMagnitude, ulpOfOne, 1e16, 1e-7,
        9_007_199_254_740_991, 9_007_199_254_740_993, 16_777_216, 16_777_217,
        18_014_398_509_481_984, 9_223_372_036_854_775_808,
      ]
      return edges[Int.random(in: 0..<12, using: &numbers)]
    case 2: return Self(Int.random(in: -1_000...1_000, using: &numbers))
    case 3: return Self(Int64.random(in: .min ... .max, using: &numbers) >> 5)
    case 4:
      let exponent = Int.random(in: -25...25, using: &numbers)
      return Self("\(Int.random(in: -99_999...99_999, using: &numbers))e\(exponent)") ?? 0
    default:
      let number = pattern(numbers.next())
      return number.isNaN ? 0.5 : number
    }
  }
}

extension Double: RandomValue {
  static func random(_ numbers: inout SplitMix) -> Double {
    random(&numbers) { Double(bitPattern: $0) }
  }
}

extension Float: RandomValue {
  static func random(_ numbers: inout SplitMix) -> Float {
    random(&numbers) { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
  }
}

extension Date: RandomValue {
  static func random(_ numbers: inout SplitMix) -> Date {
    let seconds = Double.random(&numbers)
    // No encoder takes an infinite date.
    return Date(timeIntervalSince1970: seconds.isFinite ? seconds : 1.5)
  }
}

extension UUID: RandomValue {
  static func random(_ numbers: inout SplitMix) -> UUID {
    let octets = (numbers.next(), numbers.next())
    return withUnsafeBytes(of: octets) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}

extension Data: RandomValue {
  static func random(_ numbers: inout SplitMix) -> Data {
    Data((0..<Int.random(in: 0...9, using: &numbers)).map { _ in .random(&numbers) })
  }
}

extension Optional: RandomValue where Wrapped: RandomValue {
  static func random(_ numbers: inout SplitMix) -> Wrapped? {
    Int.random(in: 0..<3, using: &numbers) == 0 ? nil : Wrapped.random(&numbers)
  }
}

extension Array: RandomValue where Element: RandomValue {
  static func random(_ numbers: inout SplitMix) -> [Element] {
    (0..<Int.random(in: 0...5, using: &numbers)).map { _ in .random(&numbers) }
  }
}

extension Set: RandomValue where Element: RandomValue {
  static func random(_ numbers: inout SplitMix) -> Set<Element> {
    Set([Element].random(&numbers))
  }
}

extension Dictionary: RandomValue where Key: RandomValue, Value: RandomValue {
  static func random(_ numbers: inout SplitMix) -> [Key: Value] {
    Dictionary(
      (0..<Int.random(in: 0...5, using: &numbers)).map { _ in
        (Key.random(&numbers), Value.random(&numbers))
      }, uniquingKeysWith: { first, _ in first })
  }
}

extension SplitMix {
  /// The text with some bytes more, fewer or others; it need not be UTF-8 any more.
  mutating func spoil(_ text: [UInt8]) -> [UInt8] {
    let pieces = [
      "[", "]", "{", "}", ",", ":", "\"", "\\", "/", "0", "1", "9", "-", "+", ".", "e", "E", "u",
      "n", "null", "true", "false", " ", " ", "\n", "\t", "\u{0}", "\u{1}", "\\u0000", "\\ud83d",
      "\\ude00", "\\n", "\\x", "é", "00", "1e2", "1e400", "1e-400", "18446744073709551616",
      "\"a\":1", "\u{FEFF}", "inf", "\"inf\"", "[]", "{}", "0.10000000000000000555",
    ]
    var text = text
    for _ in 0..<Int.random(in: 1...3, using: &self) {
      let place = Int.random(in: 0...text.count, using: &self)
      let length = Int.random(in: 0...3, using: &self)
      let end = min(text.count, place + length)
      switch Int.random(in: 0..<6, using: &self) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.removeSubrange(place...)
      case 2: text.insert(contentsOf: text[place..<end], at: place)
      case 3: text.insert(UInt8(truncatingIfNeeded: next()), at: place)
      default:
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &self)]
        text.replaceSubrange(place..<max(place, end - 1), with: piece.utf8)
      }
    }
    return text
  }
}
