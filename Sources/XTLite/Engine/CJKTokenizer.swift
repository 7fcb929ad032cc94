import Foundation

/// Chinese, Japanese and Korean, which write no spaces between words: each character is a token, and
/// each pair of neighbours is one at the same place. Digits are taken the same way. The words of
/// other scripts are whole tokens, without case and without diacritics.
///
/// A question asks for the pairs alone, one behind the other, so that what it finds is what stands
/// in the text as one piece: 苹果 is one token then, and 苹果树 two, with no mere 果 to look through.
///
/// What it makes of a text is kept in files: it must not change. One that does gets another name; the
/// older one stays, so that an index of it can be written, and dropped for a new one.
struct CJKTokenizer: ByteTokenizer {
  static let name = "xt_cjk2"
  static let pinyinName = "xt_cjk2_pinyin"
  static let all = [
    NamedTokenizer(name, bytes: CJKTokenizer()),
    NamedTokenizer(pinyinName, bytes: CJKTokenizer(hasPinyin: true)),
    NamedTokenizer("xt_cjk", bytes: CJKTokenizer(keepsVowelSigns: false)),
    NamedTokenizer("xt_cjk_pinyin", bytes: CJKTokenizer(hasPinyin: true, keepsVowelSigns: false)),
  ]

  /// Whether the readings of Chinese characters are tokens at their places, too.
  var hasPinyin = false
  /// Whether a word of a script such as Devanagari keeps its signs, without which it is another one.
  var keepsVowelSigns = true

  /// How many tokens a row's text has, pairs aside.
  static func tokenCount(of text: [UInt8]) -> Int {
    var count = 0
    text.withUnsafeBufferPointer {
      CJKTokenizer().tokenize($0, isQuestion: false) { _, _, _, isSynonym in
        if !isSynonym { count += 1 }
        return true
      }
    }
    return count
  }

  func tokenize(
    _ text: UnsafeBufferPointer<UInt8>, isQuestion: Bool,
    _ give: (UnsafeBufferPointer<UInt8>, Int, Int, Bool) -> Bool
  ) {
    withoutActuallyEscaping(give) { give in
      var run = CJKRun(text: text, isQuestion: isQuestion, tokenizer: self, give: give)
      run.tokenize()
    }
  }
}

/// A character that is a token by itself.
private struct Unit {
  var bytes: [UInt8] = []
  var scalar: UInt32 = 0
  var start = 0
  var end = 0
}

private struct CJKRun {
  let text: UnsafeBufferPointer<UInt8>
  let isQuestion: Bool
  let hasPinyin: Bool
  let keepsVowelSigns: Bool
  let give: (UnsafeBufferPointer<UInt8>, Int, Int, Bool) -> Bool

  private var hasEnded = false
  /// The last character of a run, which may get a neighbour.
  private var last = Unit()
  private var current = Unit()
  private var hasLast = false
  /// How many characters the run has.
  private var count = 0
  private var joined: [UInt8] = []

  init(
    text: UnsafeBufferPointer<UInt8>, isQuestion: Bool, tokenizer: CJKTokenizer,
    give: @escaping (UnsafeBufferPointer<UInt8>, Int, Int, Bool) -> Bool
  ) {
    self.text = text
    self.isQuestion = isQuestion
    hasPinyin = tokenizer.hasPinyin
    keepsVowelSigns = tokenizer.keepsVowelSigns
    self.give = give
  }

  mutating func tokenize() {
    var index = 0
    while index < text.count, !hasEnded {
      let (scalar, next) = UTF8Scalar.decode(text, index)
      switch CharacterClass(scalar) {
      case .unit:
        let end = endOfUnit(after: next)
        addUnit(scalar, index, next, end)
        index = end
      case .letter:
        let (end, isPlain) = endOfWord(after: next, isPlain: scalar < 0x80)
        addWord(index, end, isPlain: isPlain)
        index = end
      case .mark, .other:
        index = next
        if isQuestion, hasPinyin, scalar == Pinyin.questionMark {
          let (end, _) = endOfWord(after: next, isPlain: true)
          addReading(next, end)
          index = end
        }
      }
    }
    endRun(isLast: true)
  }

  // MARK: Characters

  /// Marks that change the character before them belong to it.
  private func endOfUnit(after start: Int) -> Int {
    var index = start
    while index < text.count, text[index] >= 0x80 {
      let (scalar, next) = UTF8Scalar.decode(text, index)
      guard CharacterClass.extendsUnit(scalar) else { break }
      index = next
    }
    return index
  }

  private mutating func addUnit(_ scalar: UInt32, _ start: Int, _ scalarEnd: Int, _ end: Int) {
    if hasLast, last.end != start { endRun(isLast: false) }
    current.start = start
    current.end = end
    current.scalar = scalar
    current.bytes.removeAll(keepingCapacity: true)
    if end == scalarEnd, CharacterClass.isPlainUnit(scalar) {
      current.bytes.append(contentsOf: text[start..<end])
    } else {
      current.bytes.append(contentsOf: normalized(start, end))
    }
    if hasLast {
      if !isQuestion { emitLast() }
      joined.removeAll(keepingCapacity: true)
      joined.append(contentsOf: last.bytes)
      joined.append(contentsOf: current.bytes)
      emit(joined, last.start, current.end, isSynonym: !isQuestion)
    }
    swap(&last, &current)
    hasLast = true
    count += 1
  }

  /// - Parameter isLast: Whether nothing follows: a question's last pair says it all then.
  private mutating func endRun(isLast: Bool) {
    guard hasLast else { return }
    if !isQuestion || count == 1 || !isLast { emitLast() }
    hasLast = false
    count = 0
  }

  private mutating func emitLast() {
    emit(last.bytes, last.start, last.end)
    guard hasPinyin, !isQuestion else { return }
    var readings: [[UInt8]] = []
    Pinyin.forEachToken(of: last.scalar) { readings.append($0) }
    for reading in readings { emit(reading, last.start, last.end, isSynonym: true) }
  }

  private mutating func addReading(_ start: Int, _ end: Int) {
    endRun(isLast: false)
    joined.removeAll(keepingCapacity: true)
    joined.append(Pinyin.mark)
    for byte in text[start..<end] { joined.append(byte | 0x20) }
    if end > start { emit(joined, start, end) }
  }

  private func normalized(_ start: Int, _ end: Int) -> [UInt8] {
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: text[start..<end], as: UTF8.self).unicodeScalars
    where !CharacterClass.isVariationSelector(scalar.value) {
      scalars.append(scalar)
    }
    // Twice: Foundation on Linux leaves what the first one makes of half-width kana apart.
    return Array(
      String(scalars).precomposedStringWithCompatibilityMapping
        .precomposedStringWithCanonicalMapping.utf8)
  }

  // MARK: Words

  private func endOfWord(after start: Int, isPlain: Bool) -> (end: Int, isPlain: Bool) {
    var index = start
    var isPlain = isPlain
    while index < text.count {
      let (scalar, next) = UTF8Scalar.decode(text, index)
      let kind = CharacterClass(scalar)
      guard kind == .letter || kind == .mark else { break }
      if scalar >= 0x80 { isPlain = false }
      index = next
    }
    return (index, isPlain)
  }

  private mutating func addWord(_ start: Int, _ end: Int, isPlain: Bool) {
    endRun(isLast: false)
    joined.removeAll(keepingCapacity: true)
    if isPlain {
      for byte in text[start..<end] { joined.append(byte | 0x20) }
    } else {
      joined.append(contentsOf: folded(String(decoding: text[start..<end], as: UTF8.self)))
    }
    emit(joined, start, end)
  }

  private func folded(_ word: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in word.decomposedStringWithCompatibilityMapping.unicodeScalars {
      let category = scalar.properties.generalCategory
      if category == .nonspacingMark || category == .enclosingMark {
        guard keepsVowelSigns, !CharacterClass.isDiacritic(scalar.value) else { continue }
      }
      bytes += scalar.properties.uppercaseMapping.lowercased().utf8
    }
    return bytes
  }

  private mutating func emit(
    _ bytes: [UInt8], _ start: Int, _ end: Int, isSynonym: Bool = false
  ) {
    if hasEnded || bytes.isEmpty { return }
    let goesOn = bytes.withUnsafeBufferPointer { give($0, start, end, isSynonym) }
    if !goesOn { hasEnded = true }
  }
}

enum UTF8Scalar {
  /// The code point at `index` and where the next one begins; 0xFFFFFFFF for a byte that belongs to
  /// none.
  @inline(__always)
  static func decode(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> (UInt32, next: Int) {
    let first = text[index]
    if first < 0x80 { return (UInt32(first), index + 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, index + length <= text.count else {
      return (.max, index + 1)
    }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = text[index + offset]
      guard byte & 0xC0 == 0x80 else { return (.max, index + 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard Unicode.Scalar(value) != nil else { return (.max, index + 1) }
    return (value, index + length)
  }
}

private enum CharacterClass {
  /// A token by itself.
  case unit
  case letter
  /// Belongs to the letter before it.
  case mark
  case other

  @inline(__always)
  init(_ scalar: UInt32) {
    if scalar < 0x80 {
      let byte = UInt8(truncatingIfNeeded: scalar)
      if byte &- 0x30 < 10 {
        self = .unit
      } else {
        self = (byte | 0x20) &- 0x61 < 26 ? .letter : .other
      }
      return
    }
    self = Self.isUnit(scalar) ? .unit : Self.ofOther(scalar)
  }

  private static func ofOther(_ value: UInt32) -> CharacterClass {
    guard let scalar = Unicode.Scalar(value) else { return .other }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber, .otherNumber, .privateUse:
      return .letter
    case .decimalNumber: return .unit
    case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
    default: return .other
    }
  }

  /// Han, kana, hangul, bopomofo and Yi, in their ranges: one look at the tables of Unicode would
  /// take longer than the rest.
  private static func isUnit(_ value: UInt32) -> Bool {
    switch value {
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA,
      0x30FC...0x30FF, 0x3400...0x4DBF, 0x1100...0x115F, 0x2E80...0x2FDF, 0x3005...0x3007,
      0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303C, 0x3105...0x312F, 0x3131...0x318E,
      0x31A0...0x31BF, 0x31F0...0x31FF, 0xA000...0xA48C, 0xA960...0xA97C, 0xF900...0xFAFF,
      0xFF10...0xFF19, 0xFF66...0xFF9D, 0xFFA0...0xFFDC, 0x1AFF0...0x1B16F, 0x20000...0x3347F:
      true
    default: false
    }
  }

  /// Whether it stands for itself, however texts are normalized.
  @inline(__always)
  static func isPlainUnit(_ value: UInt32) -> Bool {
    switch value {
    case 0x30...0x39, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x3041...0x3096, 0x30A1...0x30FA,
      0x30FC...0x30FE, 0x3400...0x4DBF, 0x20000...0x2F7FF:
      true
    default: false
    }
  }

  static func extendsUnit(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x1160...0x11FF, 0x302A...0x302F, 0x3099...0x309A, 0xD7B0...0xD7FB,
      0xFF9E...0xFF9F:
      true
    default: isVariationSelector(value)
    }
  }

  /// Whether a word without the mark is the same word: accents, and the points of scripts that are
  /// mostly written without them.
  static func isDiacritic(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05C7, 0x0610...0x061A, 0x064B...0x065F,
      0x0670, 0x06D6...0x06ED, 0x0711, 0x0730...0x074A, 0x0897...0x089F, 0x08CA...0x08FF,
      0x180B...0x180F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x2DE0...0x2DFF,
      0x302A...0x302F, 0x3099...0x309A, 0xA66F...0xA672, 0xA674...0xA67D, 0xA69E...0xA69F,
      0xFB1E, 0xFE20...0xFE2F:
      true
    default: isVariationSelector(value)
    }
  }

  static func isVariationSelector(_ value: UInt32) -> Bool {
    (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value)
  }
}
