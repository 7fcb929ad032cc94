import Foundation
import XTLite

// Searches over real texts: the names of Unicode's characters by words, and Chinese by `.cjk`. The loop
// beside them has an index of the same tokenizer, for Chinese the library's own. Both texts are made of
// what the package `unicode-data` installs.

/// One text and its number.
protocol SearchedText: XTModel, Sendable {
  init(pkid: Int64?, text: String)
  var text: String { get }
  /// The same tokenizer in FTS5's language.
  static var tokenizer: String { get }
}

struct CharacterName: SearchedText {
  var pkid: Int64?
  var text = ""
  static let tokenizer = "unicode61 remove_diacritics 2"
  static var xt_search: XTSearch { XTSearch([\CharacterName.text], tokenizer: .words) }
}

struct ChineseLine: SearchedText {
  var pkid: Int64?
  var text = ""
  static let tokenizer = "xt_cjk2"
  static var xt_search: XTSearch { XTSearch([\ChineseLine.text], tokenizer: .cjk) }
}

/// What is typed, and the same in FTS5's language.
private struct Question {
  var typed: String
  var raw: String
  var lastWordIsPrefix = false
}

extension Workload {
  static let searchingTexts = [
    Workload(
      name: "S4", summary: "500 searches over the names of all characters, 20 hits",
      file: UnicodeTable.names
    ) { bench in
      let names = try UnicodeTable.characterNames()
      var random = SplitMix(state: 7)
      let questions = (0..<bench.count(500)).map { _ in
        // A word, and how another one of the same name begins.
        let words = names[random.next(below: names.count)].split { !$0.isLetter && !$0.isNumber }
        let first = String(words.first ?? "letter")
        let last = String((words.last ?? "letter").prefix(3))
        return Question(
          typed: "\(first) \(last)", raw: "\"\(first)\" \"\(last)\" *", lastWordIsPrefix: true)
      }
      return try sides("S4", CharacterName.self, names, questions, bench)
    },
    Workload(
      name: "S5", summary: "500 searches over 100,000 lines of Chinese, 20 hits",
      file: UnicodeTable.readings
    ) { bench in
      let lines = try UnicodeTable.chineseLines(bench.count(100_000))
      var random = SplitMix(state: 11)
      let questions = (0..<bench.count(500)).map { _ in
        // Two to four neighbours out of a line.
        let runs = lines[random.next(below: lines.count)].split { !UnicodeTable.isHan($0) }
        let run = runs.isEmpty ? "一" : runs[random.next(below: runs.count)]
        let start = random.next(below: run.count)
        let text = String(run.dropFirst(start).prefix(2 + random.next(below: 3)))
        return Question(typed: text, raw: "\"\(text)\"")
      }
      return try sides("S5", ChineseLine.self, lines, questions, bench)
    },
  ]

  private static func sides<Model: SearchedText>(
    _ name: String, _ type: Model.Type, _ texts: [String], _ questions: [Question], _ bench: Bench
  ) throws -> Sides {
    let raw = try RawDatabase(path: bench.folder.appendingPathComponent("\(name)-raw.sqlite").path)
    try SearchTokenizers.register(on: raw.handle)
    try raw.run(
      """
      CREATE TABLE Line (pkid INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL DEFAULT '',
        xt_createTime REAL, xt_updateTime REAL, xt_isDel BOOLEAN NOT NULL DEFAULT 0);
      CREATE VIRTUAL TABLE Found USING fts5 (text, content='Line', content_rowid='pkid',
        tokenize='\(Model.tokenizer)');
      BEGIN
      """)
    let insert = try raw.statement("INSERT INTO Line (text) VALUES (?)")
    for var text in texts {
      try text.withUTF8 {
        bind(insert, 1, $0)
        try raw.check(sqlite3_step(insert))
      }
      sqlite3_reset(insert)
    }
    try raw.run("INSERT INTO Found (Found) VALUES ('rebuild'); COMMIT")
    let database = try XTDatabase(
      path: bench.folder.appendingPathComponent("\(name)-xt.sqlite").path,
      configuration: options.configuration)
    let table = database.table(type)
    try table.insertList(texts.map { Model(pkid: nil, text: $0) })
    try database.checkpoint()
    // In one piece, as that of the other side, which was made at once.
    try table.rebuildSearch()
    let limit = 20
    return Sides(
      raw: {
        let statement = try raw.statement(
          "SELECT Line.pkid, Line.text, rank FROM Found JOIN Line ON Line.pkid = Found.rowid"
            + " WHERE Found MATCH ? AND Line.xt_isDel = 0 ORDER BY rank LIMIT ?")
        var sum = 0
        for question in questions {
          var lines: [(Model, Double)] = []
          sqlite3_bind_text(
            statement, 1, question.raw, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
          sqlite3_bind_int64(statement, 2, Int64(limit))
          while sqlite3_step(statement) == SQLITE_ROW {
            let line = Model(
              pkid: try optional(statement, 0, SQLITE_INTEGER).map { sqlite3_value_int64($0) },
              text: text(try value(statement, 1, SQLITE_TEXT)))
            lines.append((line, sqlite3_column_double(statement, 2)))
          }
          sqlite3_reset(statement)
          sum &+= lines.reduce(lines.count) { $0 &+ $1.0.text.utf8.count }
        }
        return sum
      },
      xt: {
        var sum = 0
        for question in questions {
          let hits = try table.search(
            question.typed, lastWordIsPrefix: question.lastWordIsPrefix, limit: limit)
          sum &+= hits.reduce(hits.count) { $0 &+ $1.model.text.utf8.count }
        }
        return sum
      })
  }
}

/// Numbers that are the same each time.
struct SplitMix {
  var state: UInt64

  mutating func next(below limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((number ^ (number >> 31)) >> 33) % max(limit, 1)
  }
}

/// Texts made of Unicode's own tables.
enum UnicodeTable {
  static let names = "/usr/share/unicode/UnicodeData.txt"
  static let readings = "/usr/share/unicode/Unihan_Readings.txt.bz2"

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  static func isHan(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { (0x4E00...0x9FFF).contains($0.value) }
  }

  /// The names of all characters, old ones too.
  static func characterNames() throws -> [String] {
    try String(contentsOfFile: names, encoding: .utf8).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ";", maxSplits: 11, omittingEmptySubsequences: false)
      return fields.count > 10 ? "\(fields[1]) \(fields[10])".lowercased() : nil
    }
  }

  /// Lines of Chinese: the characters that Unihan gives one meaning, in groups of random lengths,
  /// with some punctuation, digits and Latin words between.
  static func chineseLines(_ count: Int) throws -> [String] {
    let byMeaning = try charactersByMeaning()
    let meanings = byMeaning.keys.sorted()
    var random = SplitMix(state: 3)
    return (0..<count).map { _ in
      var line = ""
      for _ in 0...random.next(below: 5) {
        let meaning = meanings[random.next(below: meanings.count)]
        for character in (byMeaning[meaning] ?? []).prefix(1 + random.next(below: 12)) {
          line.append(character)
        }
        switch random.next(below: 6) {
        case 0: line += "，"
        case 1: line += "\(random.next(below: 1_000))"
        case 2: line += " \(meaning) "
        default: break
        }
      }
      return line
    }
  }

  private static func charactersByMeaning() throws -> [String: [Character]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bzip2", "-dc", readings]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var byMeaning: [String: [Character]] = [:]
    for line in text.split(separator: "\n") where line.contains("\tkDefinition\t") {
      let fields = line.split(separator: "\t")
      guard fields.count == 3, let value = UInt32(fields[0].dropFirst(2), radix: 16),
        (0x4E00...0x9FFF).contains(value), let scalar = Unicode.Scalar(value)
      else { continue }
      for meaning in fields[2].split(whereSeparator: { !$0.isLetter }) {
        byMeaning[String(meaning), default: []].append(Character(scalar))
      }
    }
    guard !byMeaning.isEmpty else { throw Failure(description: "there is no bzip2") }
    return byMeaning
  }
}
