import Foundation
import Testing

@testable import XTLite

/// Searches over real texts, against a look at each row.
///
/// The texts are Unicode's own tables, which the package `unicode-data` installs. Where they are
/// missing, the tests are skipped.
@Suite struct SearchDataTortureTests {
  @Test(
    .enabled(if: UnicodeTables.path("UnicodeData.txt") != nil, "UnicodeData.txt is not there"))
  func names_ofAllCharacters_areFoundAsByAScan() throws {
    let lines = try UnicodeTables.lines("UnicodeData.txt")
    let names = lines.compactMap { line -> String? in
      let fields = line.split(separator: ";", maxSplits: 11, omittingEmptySubsequences: false)
      return fields.count > 10 ? "\(fields[1]) \(fields[10])".lowercased() : nil
    }
    // Those of Unicode 15; a later one only adds some.
    #expect(names.count == lines.count && names.count >= 34_924)
    let test = try TestDatabase()
    let table = test.table(SearchPlain.self)
    try table.insertList(names.map { SearchPlain(text: $0) })
    let tokens = names.map { Set($0.split { !$0.isLetter && !$0.isNumber }.map(String.init)) }
    var random = SeededNumbers(7)
    let words = Array(Set(tokens.joined())).sorted()
    for _ in 0..<Torture.part(of: 1_000) {
      let some = (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in
        words.randomElement(using: &random)
      }
      let text = some.joined(separator: " ")
      let expected = Self.rows(of: tokens) { tokens in some.allSatisfy { tokens.contains($0) } }
      #expect(try Self.found(table.search(text), \.pkid) == expected, "\(some)")
      #expect(try table.searchCount(text) == expected.count, "\(some)")
      let beginning = String((some.last ?? "").prefix(Int.random(in: 1...4, using: &random)))
      let begins = Self.rows(of: tokens) { $0.contains { $0.hasPrefix(beginning) } }
      #expect(
        try table.searchCount(beginning, lastWordIsPrefix: true) == begins.count, "\(beginning)*")
      // One letter begins a word of most rows: those of a part are read.
      let part = Int64.random(in: 0..<15, using: &random) * 2_500
      let hits = try table.search(
        beginning, lastWordIsPrefix: true, where: \.pkid > part && \.pkid <= part + 2_500)
      #expect(
        Self.found(hits, \.pkid) == begins.filter { (part + 1...part + 2_500).contains($0) },
        "\(beginning)*")
    }
    #expect(try table.checkSearch() == names.count)
  }

  /// The numbers of the rows of which something is true.
  private static func rows<Text>(of texts: [Text], where condition: (Text) -> Bool) -> Set<Int64> {
    Set(texts.indices.filter { condition(texts[$0]) }.map { Int64($0 + 1) })
  }

  private static func found<Model>(
    _ hits: [XTHit<Model>], _ number: KeyPath<Model, Int64?>
  ) -> Set<Int64> {
    let numbers = Set(hits.compactMap { $0.model[keyPath: number] })
    #expect(numbers.count == hits.count)
    return numbers
  }

  @Test(
    .enabled(
      if: UnicodeTables.path("Unihan_Readings.txt.bz2") != nil && UnicodeTables.hasBzip2,
      "Unihan_Readings.txt.bz2, or bzip2 to read it, is not there"))
  func chineseText_isFoundAsByAScan() throws {
    let lines = try UnicodeTables.chineseLines(Torture.part(of: 100_000))
    let test = try TestDatabase()
    let table = test.table(SearchCJK.self)
    try table.insertList(lines.map { SearchCJK(text: $0) })
    let bytes = lines.map { Array($0.utf8) }
    var random = SeededNumbers(11)
    for _ in 0..<Torture.part(of: 1_000) {
      let line = try #require(lines.randomElement(using: &random))
      let run = line.unicodeScalars.split { !(0x4E00...0x9FFF).contains($0.value) }
        .randomElement(using: &random)
      guard let run, !run.isEmpty else { continue }
      let scalars = Array(run)
      let start = Int.random(in: 0..<scalars.count, using: &random)
      let end = min(start + Int.random(in: 1...5, using: &random), scalars.count)
      var part = String.UnicodeScalarView()
      part.append(contentsOf: scalars[start..<end])
      let text = String(part)
      let needle = Array(text.utf8)
      let expected = Self.rows(of: bytes) { Self.contains($0, needle) }
      #expect(try Self.found(table.search(text), \.pkid) == expected, "\(text)")
      #expect(try table.searchCount(text) == expected.count, "\(text)")
      if let hit = try table.search(text, limit: 1).first {
        let marked = hit.highlight(\.text, from: "\u{1}", to: "\u{2}")
        #expect(
          marked.contains("\u{1}")
            && marked.replacing("\u{1}", with: "").replacing("\u{2}", with: "") == hit.model.text)
      }
    }
    #expect(try table.checkSearch() == lines.count)
  }

  private static func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
    guard bytes.count >= needle.count, let first = needle.first else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      for start in 0...(bytes.count - needle.count) where bytes[start] == first {
        var index = 1
        while index < needle.count, bytes[start + index] == needle[index] { index += 1 }
        if index == needle.count { return true }
      }
      return false
    }
  }
}

enum UnicodeTables {
  private static let folders = ["/usr/share/unicode/", "/usr/local/share/unicode/"]

  static let hasBzip2 = ["/usr/bin/bzip2", "/bin/bzip2", "/usr/local/bin/bzip2"]
    .contains(where: FileManager.default.isExecutableFile)

  /// nil where it is not there.
  static func path(_ name: String) -> String? {
    folders.map { $0 + name }.first(where: FileManager.default.fileExists)
  }

  static func lines(_ name: String) throws -> [Substring] {
    let file = try #require(Self.path(name))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  /// Lines of Chinese: the characters that Unihan gives one meaning, in groups of random lengths,
  /// with some punctuation, digits and Latin words between.
  static func chineseLines(_ count: Int) throws -> [String] {
    let file = try #require(Self.path("Unihan_Readings.txt.bz2"))
    // Not Foundation's Process: it leaks, which a leak check would show as ours.
    var data: [UInt8] = []
    if let pipe = popen("bzip2 -dc \(file)", "r") {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = fread(&buffer, 1, buffer.count, pipe)
        if count == 0 { break }
        data += buffer[..<count]
      }
      pclose(pipe)
    }
    try #require(!data.isEmpty)
    var byMeaning: [Substring: [Unicode.Scalar]] = [:]
    let text = String(decoding: data, as: UTF8.self)
    for line in text.split(separator: "\n") where line.contains("\tkDefinition\t") {
      let fields = line.split(separator: "\t")
      guard fields.count == 3, let value = UInt32(fields[0].dropFirst(2), radix: 16),
        (0x4E00...0x9FFF).contains(value), let scalar = Unicode.Scalar(value)
      else { continue }
      for meaning in fields[2].split(whereSeparator: { !$0.isLetter }) {
        byMeaning[meaning, default: []].append(scalar)
      }
    }
    let meanings = byMeaning.keys.sorted()
    var random = SeededNumbers(3)
    return (0..<count).map { _ in
      var line = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let meaning = meanings.randomElement(using: &random) ?? ""
        let scalars = byMeaning[meaning] ?? []
        line.append(contentsOf: scalars.prefix(Int.random(in: 1...12, using: &random)))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: line.append(contentsOf: "，".unicodeScalars)
        case 1: line.append(contentsOf: "\(Int.random(in: 0...999, using: &random))".unicodeScalars)
        case 2: line.append(contentsOf: " \(meaning) ".unicodeScalars)
        default: break
        }
      }
      return String(line)
    }
  }
}
