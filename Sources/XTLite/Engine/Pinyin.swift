/// Chinese by its sounds: what a character is read, and which characters a typed word may mean.
enum Pinyin {
  /// What stands before a reading's letters as a token, so that it is no word of another script.
  static let mark = UInt8(ascii: "'")
  /// What stands before each syllable in a question.
  static let questionMark = UInt8(1)

  private struct Table: Sendable {
    /// Each with its mark.
    var tokens: [[UInt8]] = []
    var syllables: Set<String> = []
    /// By the character's place: the number of its first reading, from 1.
    var first: [UInt16] = []
    var more: [Int: [UInt16]] = [:]
  }

  private static let table: Table = {
    var table = Table()
    for syllable in "\(PinyinTable.syllables)".split(separator: " ") {
      table.tokens.append([mark] + syllable.utf8)
      // Sounds without a vowel, as of 嗯, are found by themselves alone.
      if syllable.contains(where: "aeiouv".contains) { table.syllables.insert(String(syllable)) }
    }
    // The digits are the printable characters from 0 on, without a quote, a backslash and `#`.
    let digits = (UInt8(0x30)..<0x7F).filter { $0 != 0x22 && $0 != 0x5C && $0 != 0x23 }
    var values = [Int](repeating: 0, count: 128)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = value }
    let base = digits.count
    func numbers(_ text: StaticString) -> [Int] {
      text.withUTF8Buffer { $0.map { values[Int($0 & 0x7F)] } }
    }
    let first = numbers(PinyinTable.first)
    table.first = stride(from: 0, to: first.count - 1, by: 2).map {
      UInt16(truncatingIfNeeded: first[$0] * base + first[$0 + 1])
    }
    let more = numbers(PinyinTable.more)
    for start in stride(from: 0, to: more.count - 4, by: 5) {
      let place = (more[start] * base + more[start + 1]) * base + more[start + 2]
      table.more[place, default: []].append(
        UInt16(truncatingIfNeeded: more[start + 3] * base + more[start + 4]))
    }
    return table
  }()

  /// The tokens of a character's readings; none where it has none that is known.
  static func forEachToken(of scalar: UInt32, _ body: ([UInt8]) -> Void) {
    let place: Int
    switch scalar {
    case 0x4E00...0x9FFF: place = Int(scalar) - 0x4E00
    case 0x3400...0x4DBF: place = Int(scalar) - 0x3400 + 0x5200
    default: return
    }
    let table = table
    guard table.first.indices.contains(place) else { return }
    func give(_ number: UInt16) {
      let index = Int(number) - 1
      if table.tokens.indices.contains(index) { body(table.tokens[index]) }
    }
    give(table.first[place])
    if let more = table.more[place] { more.forEach(give) }
  }

  /// The ways in which a word can be read as syllables; none for one that can't.
  ///
  /// - Parameters:
  ///   - word: Letters, with apostrophes between syllables where somebody writes them: `xi'an`.
  ///   - isPrefix: Whether the last syllable may be the beginning of one.
  static func readings(of word: String, isPrefix: Bool) -> [[String]] {
    var letters: [UInt8] = []
    /// Where an apostrophe stands.
    var bounds: Set<Int> = []
    for byte in word.lowercased().replacing("’", with: "'").utf8 {
      if byte == UInt8(ascii: "'") { bounds.insert(letters.count) } else { letters.append(byte) }
    }
    guard !letters.isEmpty, letters.count <= 60, letters.allSatisfy({ $0 &- 0x61 < 26 }) else {
      return []
    }
    let syllables = table.syllables
    var found: [[String]] = []
    // No syllable is longer than six letters. From where nothing leads to the end, nothing is tried
    // again.
    var isDeadEnd = [Bool](repeating: false, count: letters.count + 1)
    func read(_ start: Int, _ before: [String]) -> Bool {
      if start == letters.count {
        found.append(before)
        return true
      }
      if isDeadEnd[start] { return false }
      var leads = false
      for end in stride(from: min(start + 6, letters.count), to: start, by: -1)
      where found.count < 8 && !(start + 1..<end).contains(where: bounds.contains) {
        let part = String(decoding: letters[start..<end], as: UTF8.self)
        let isWhole = syllables.contains(part)
        let isBeginning =
          !isWhole && isPrefix && end == letters.count
          && syllables.contains { $0.hasPrefix(part) }
        if isWhole || isBeginning, read(end, before + [part]) { leads = true }
      }
      if !leads, found.count < 8 { isDeadEnd[start] = true }
      return leads
    }
    _ = read(0, [])
    return found
  }
}
