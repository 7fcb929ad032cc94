import Foundation
import XTLite

/// What is searched: English of a thousand words, some more frequent than others.
struct SearchedNote: XTModel {
  var pkid: Int64?
  var title = ""
  var body = ""
  var age = 0
  static var xt_search: XTSearch { XTSearch([\SearchedNote.title, \SearchedNote.body]) }

  static func word(_ number: Int) -> String { "w\(String(number, radix: 26))" }

  static func make(_ count: Int) -> [SearchedNote] {
    var state: UInt64 = 1
    func word() -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Int(state >> 40) % 1_000
      return Self.word(number * number / 1_000)
    }
    return (0..<count).map { index in
      SearchedNote(
        title: (0..<4).map { _ in word() }.joined(separator: " "),
        body: (0..<25).map { _ in word() }.joined(separator: " "), age: index % 100)
    }
  }
}

extension Workload {
  static let searching = [
    search("S1", "500 searches for a word and a beginning, 20 hits", limit: 20) {
      (SearchedNote.word($0 % 900) + " w1", SearchedNote.word($0 % 900) + "\" \"w1\" *")
    },
    search("S2", "500 searches for two rare words, all hits", limit: 100_000) {
      let (first, second) = (SearchedNote.word(500 + $0 % 400), SearchedNote.word(900))
      return ("\(first) \(second)", "\(first)\" \"\(second)\"")
    },
    indexing,
  ]

  /// - Parameter words: What is typed, and the same in FTS5's language, without the outer quote.
  private static func search(
    _ name: String, _ summary: String, limit: Int,
    _ words: @escaping @Sendable (Int) -> (typed: String, raw: String)
  ) -> Workload {
    Workload(name: name, summary: summary) { bench in
      let (raw, table) = try sides(name, bench, rows: bench.count(100_000))
      let questions = (0..<bench.count(500)).map { words($0 &* 37) }
      let sql =
        "SELECT Note.pkid, Note.title, Note.body, Note.age, rank FROM Found JOIN Note ON Note.pkid ="
        + " Found.rowid WHERE Found MATCH ? AND Note.xt_isDel = 0 ORDER BY rank LIMIT ?"
      return Sides(
        raw: {
          var sum = 0
          let statement = try raw.statement(sql)
          for question in questions {
            let question = "\"\(question.raw)"
            var notes: [(SearchedNote, Double)] = []
            sqlite3_bind_text(
              statement, 1, question, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            sqlite3_bind_int64(statement, 2, Int64(limit))
            while sqlite3_step(statement) == SQLITE_ROW {
              let note = SearchedNote(
                pkid: try optional(statement, 0, SQLITE_INTEGER).map { sqlite3_value_int64($0) },
                title: text(try value(statement, 1, SQLITE_TEXT)),
                body: text(try value(statement, 2, SQLITE_TEXT)),
                age: Int(sqlite3_value_int64(try value(statement, 3, SQLITE_INTEGER))))
              notes.append((note, sqlite3_column_double(statement, 4)))
            }
            sqlite3_reset(statement)
            sum &+= notes.reduce(notes.count) { $0 &+ $1.0.body.utf8.count &+ $1.0.age }
          }
          return sum
        },
        xt: {
          var sum = 0
          for question in questions {
            let hits = try table.search(
              question.typed, lastWordIsPrefix: question.raw.hasSuffix("*"), limit: limit)
            sum &+= hits.reduce(hits.count) { $0 &+ $1.model.body.utf8.count &+ $1.model.age }
          }
          return sum
        })
    }
  }

  /// What the index costs a write: beside the three triggers of FTS5's documentation.
  private static let indexing = Workload(
    name: "S3", summary: "insert 20,000 models that are searched, one list call"
  ) { bench in
    let (raw, table) = try sides("S3", bench, rows: 0)
    let notes = SearchedNote.make(bench.count(20_000))
    return Sides(
      raw: {
        let statement = try raw.statement(
          "INSERT INTO Note (title, body, age, xt_createTime, xt_updateTime) VALUES (?, ?, ?, ?, ?)"
        )
        try raw.run("BEGIN IMMEDIATE")
        for note in notes {
          var (title, body) = (note.title, note.body)
          try title.withUTF8 { title in
            try body.withUTF8 { body in
              bind(statement, 1, title)
              bind(statement, 2, body)
              sqlite3_bind_int64(statement, 3, Int64(note.age))
              sqlite3_bind_double(statement, 4, 1_700_000_000)
              sqlite3_bind_double(statement, 5, 1_700_000_000)
              try raw.check(sqlite3_step(statement))
            }
          }
          sqlite3_reset(statement)
        }
        try raw.run("COMMIT")
        return notes.count
      },
      xt: {
        let count = try table.insertList(notes)
        try table.database.checkpoint()
        return count
      },
      setUp: {
        try raw.run("DELETE FROM Note; INSERT INTO Found (Found) VALUES ('delete-all')")
        try table.deleteAll()
        try table.rebuildSearch()
        try table.database.checkpoint()
      })
  }

  private static func sides(
    _ name: String, _ bench: Bench, rows: Int
  ) throws -> (RawDatabase, XTTable<SearchedNote>) {
    let notes = SearchedNote.make(rows)
    let raw = try RawDatabase(path: bench.folder.appendingPathComponent("\(name)-raw.sqlite").path)
    try raw.run(
      """
      CREATE TABLE Note (pkid INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT '',
        body TEXT NOT NULL DEFAULT '', age INTEGER NOT NULL DEFAULT 0, xt_createTime REAL,
        xt_updateTime REAL, xt_isDel BOOLEAN NOT NULL DEFAULT 0);
      CREATE VIRTUAL TABLE Found USING fts5 (title, body, content='Note', content_rowid='pkid',
        tokenize='unicode61 remove_diacritics 2');
      CREATE TRIGGER found_ai AFTER INSERT ON Note BEGIN
        INSERT INTO Found (rowid, title, body) VALUES (new.pkid, new.title, new.body); END;
      CREATE TRIGGER found_ad AFTER DELETE ON Note BEGIN
        INSERT INTO Found (Found, rowid, title, body) VALUES ('delete', old.pkid, old.title,
        old.body); END;
      CREATE TRIGGER found_au AFTER UPDATE ON Note BEGIN
        INSERT INTO Found (Found, rowid, title, body) VALUES ('delete', old.pkid, old.title,
        old.body);
        INSERT INTO Found (rowid, title, body) VALUES (new.pkid, new.title, new.body); END;
      """)
    let insert = try raw.statement("INSERT INTO Note (title, body, age) VALUES (?, ?, ?)")
    try raw.run("BEGIN")
    for note in notes {
      var (title, body) = (note.title, note.body)
      try title.withUTF8 { title in
        try body.withUTF8 { body in
          bind(insert, 1, title)
          bind(insert, 2, body)
          sqlite3_bind_int64(insert, 3, Int64(note.age))
          try raw.check(sqlite3_step(insert))
        }
      }
      sqlite3_reset(insert)
    }
    try raw.run("COMMIT")
    let database = try XTDatabase(
      path: bench.folder.appendingPathComponent("\(name)-xt.sqlite").path,
      configuration: options.configuration)
    let table = database.table(SearchedNote.self)
    try table.create()
    try table.insertList(notes)
    try database.checkpoint()
    return (raw, table)
  }
}
