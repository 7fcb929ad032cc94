import Foundation

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
  ///   - word: Letters, with or without tones, and with apostrophes or blanks between syllables where
  ///     somebody writes them: `xi'an`, `xī’ān`, `xi1an1`.
  ///   - isPrefix: Whether the last syllable may be the beginning of one.
  static func readings(of word: String, isPrefix: Bool) -> [[String]] {
    guard let spelling = Spelling(word) else { return [] }
    let letters = spelling.letters
    let mayGoOn = isPrefix && !spelling.bounds.contains(letters.count)
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
      where found.count < 8 && !(start + 1..<end).contains(where: spelling.bounds.contains) {
        let part = Spelling.syllable(letters[start..<end])
        let isWhole = syllables.contains(part)
        let isBeginning =
          !isWhole && mayGoOn && end == letters.count
          && syllables.contains { $0.hasPrefix(part) }
        if isWhole || isBeginning, read(end, before + [part]) { leads = true }
      }
      if !leads, found.count < 8 { isDeadEnd[start] = true }
      return leads
    }
    _ = read(0, [])
    return found
  }

  /// A word's letters as the table has them.
  private struct Spelling {
    var letters: [UInt8] = []
    /// Before which letters a syllable has to begin.
    var bounds: Set<Int> = []

    private static let longest = 60

    /// - Returns: nil for what is no spelling of sounds.
    init?(_ word: String) {
      if word.utf8.count > Self.longest * 6 { return nil }
      let plain = word.lowercased().decomposedStringWithCompatibilityMapping
      var isBehindLetter = false
      var hasNumber = false
      for scalar in plain.unicodeScalars {
        let wasBehindLetter = isBehindLetter
        isBehindLetter = false
        switch scalar {
        case "a"..."z":
          guard letters.count < Self.longest else { return nil }
          add(UInt8(truncatingIfNeeded: scalar.value))
          isBehindLetter = true
        // The four tones, as marks; what is often taken for the third; and what makes ê of e.
        case "\u{304}", "\u{301}", "\u{30C}", "\u{300}", "\u{306}", "\u{302}":
          guard wasBehindLetter else { return nil }
          isBehindLetter = true
        case "\u{308}", ":":
          guard wasBehindLetter, letters.last == UInt8(ascii: "u") else { return nil }
          letters.removeLast()
          add(UInt8(ascii: "v"))
          isBehindLetter = true
        // The tones' numbers.
        case "0"..."5":
          guard wasBehindLetter else { return nil }
          bounds.insert(letters.count)
          hasNumber = true
        case "'", "’", " ": bounds.insert(letters.count)
        default: return nil
        }
      }
      // A4 is no sound of Chinese.
      if letters.isEmpty || (hasNumber && letters.count == 1) { return nil }
    }

    /// Behind j, q, x and y there is no other u than ü, and it is written without its dots.
    private mutating func add(_ letter: UInt8) {
      let isPlainU = letter == UInt8(ascii: "v") && letters.last.map("jqxy".utf8.contains) == true
      letters.append(isPlainU ? UInt8(ascii: "u") : letter)
    }

    /// lüe and nüe are written without dots, too, since nothing else is written so.
    static func syllable(_ letters: ArraySlice<UInt8>) -> String {
      switch String(decoding: letters, as: UTF8.self) {
      case "lue": "lve"
      case "nue": "nve"
      case let other: other
      }
    }
  }
}
