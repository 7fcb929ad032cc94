import Foundation
import Testing

@testable import XTLite

/// Tables that have the name of another one, and those that stand behind others.
@Suite struct OtherSchemasTests {
  /// Counts how often it reads, and gives the number of rows of a table.
  private func count(
    _ database: XTDatabase, _ query: String
  ) -> (runs: RunCount, watching: Watching<Int64>) {
    let runs = RunCount()
    return (
      runs,
      Watching(
        database.observe {
          runs.advance()
          return try database.anyFunc(sql: XTSQL(unsafe: query))?.int64 ?? -1
        })
    )
  }

  @Test(arguments: ["SELECT count(*) FROM t", "SELECT count(a) FROM t WHERE a > -1"])
  func tableOfTheSameName_inAnotherSchema_wakesNobody(_ query: String) async throws {
    let test = try TestDatabase(after: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let database = test.database
    let (runs, watching) = count(database, query)
    #expect(await watching.gets(1))
    try blocking {
      try database.write {
        try database.executeScript(
          """
          ATTACH ':memory:' AS aux; CREATE TABLE aux.t (a); CREATE TEMP TABLE t (a);
          INSERT INTO aux.t VALUES (1), (2); INSERT INTO temp.t VALUES (1); DELETE FROM aux.t;
          UPDATE t SET a = 4; DROP TABLE temp.t; DROP TABLE aux.t; DETACH aux
          """)
      }
    }
    try database.executeScript("INSERT INTO t VALUES (2)")
    #expect(await watching.gets(2))
    #expect(runs.count == 2)
  }

  /// Where there are no readers beside the writer, what is attached is there for who observes.
  @Test func tableOfAnAttachedFile_isObservedByItself() async throws {
    let database = try XTDatabase.inMemory()
    try blocking {
      try database.write {
        try database.executeScript(
          """
          ATTACH ':memory:' AS aux; CREATE TABLE aux.t (a); CREATE TABLE main.t (a);
          CREATE TABLE aux.u (a); CREATE TEMP TABLE v (a)
          """)
      }
    }
    let main = count(database, "SELECT count(*) FROM t")
    let mainRows = count(database, "SELECT max(a) FROM main.t")
    let named = count(database, "SELECT count(*) FROM aux.t")
    let rows = count(database, "SELECT coalesce(sum(a), 0) FROM aux.t")
    let bare = count(database, "SELECT count(*) FROM u")
    let temporary = count(database, "SELECT count(*) FROM v")
    for each in [main, mainRows, named, rows, bare, temporary] {
      #expect(await each.watching.has(1))
    }
    try database.executeScript("INSERT INTO aux.t VALUES (3)")
    #expect(await named.watching.gets(1))
    #expect(await rows.watching.gets(3))
    try database.executeScript("INSERT INTO u VALUES (1)")
    #expect(await bare.watching.gets(1))
    try database.executeScript("INSERT INTO v VALUES (1)")
    #expect(await temporary.watching.gets(1))
    #expect(main.runs.count == 1 && mainRows.runs.count == 1)
    try database.executeScript("INSERT INTO t VALUES (7)")
    #expect(await main.watching.gets(1))
    #expect(await mainRows.watching.gets(7))
    for each in [named, rows, bare, temporary] { #expect(each.runs.count == 2) }
  }

  // MARK: Virtual tables

  /// A full-text table that has its texts of another one, which changes without it.
  @Test(arguments: ["notes", "noteRows", "plain"])
  func textsOfAnotherTable_areFollowed(_ content: String) async throws {
    let module = SQLiteLibrary.hasFTS5 ? "fts5" : "fts4"
    let key = module == "fts5" ? ", content_rowid='id'" : ""
    let test = try TestDatabase(
      after: """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, body); INSERT INTO notes VALUES (1, 'an apple');
        CREATE VIEW noteRows AS SELECT id, id AS rowid, body FROM notes;
        CREATE TABLE plain (id INTEGER PRIMARY KEY, body);
        INSERT INTO plain VALUES (1, 'an apple');
        CREATE VIRTUAL TABLE docs USING \(module)(body, content='\(content)'\(key));
        INSERT INTO docs (docs) VALUES ('rebuild'); CREATE TABLE other (a);
        """)
    let database = test.database
    let runs = RunCount()
    let watching = Watching(
      database.observe {
        runs.advance()
        return try database.anyFunc(sql: "SELECT body FROM docs WHERE docs MATCH 'apple'")?.string
      })
    #expect(await watching.gets("an apple"))
    let table = content == "plain" ? "plain" : "notes"
    for step in 1...3 {
      try database.executeScript("UPDATE \(table) SET body = 'apple \(step)'")
      #expect(await watching.gets("apple \(step)"))
      try database.executeScript("INSERT INTO other VALUES (1)")
    }
    #expect(runs.count == 4)
  }

  @Test func wordsOfAFullTextTable_areFollowed() async throws {
    let isNew = SQLiteLibrary.hasFTS5
    let test = try TestDatabase(
      after: isNew
        ? """
        CREATE VIRTUAL TABLE docs USING fts5(body);
        CREATE VIRTUAL TABLE words USING fts5vocab('docs', 'row')
        """
        : """
        CREATE VIRTUAL TABLE docs USING fts4(body);
        CREATE VIRTUAL TABLE words USING fts4aux(docs)
        """)
    let (runs, watching) = count(
      test.database, "SELECT count(DISTINCT term) FROM words")
    #expect(await watching.gets(0))
    try test.database.executeScript("INSERT INTO docs VALUES ('an apple')")
    #expect(await watching.gets(2))
    try test.database.executeScript("INSERT INTO docs VALUES ('a pear')")
    #expect(await watching.gets(4))
    #expect(runs.count == 3)
  }

  /// One that is made, and made anew, while somebody observes.
  @Test func fullTextTable_thatChanges_isFollowed() async throws {
    let module = SQLiteLibrary.hasFTS5 ? "fts5" : "fts4"
    let test = try TestDatabase(
      after: "CREATE TABLE a (body); INSERT INTO a VALUES ('in a');"
        + "CREATE TABLE b (body); INSERT INTO b VALUES ('in b')")
    let database = test.database
    let watching = Watching(
      database.observe {
        let hasTable = try database.anyFunc(
          sql: "SELECT count(*) FROM sqlite_master WHERE name = 'docs'")
        guard hasTable != .integer(0) else { return "" }
        return try database.anyFunc(sql: "SELECT body FROM docs WHERE rowid = 1")?.string ?? ""
      })
    #expect(await watching.gets(""))
    for table in ["a", "b"] {
      try database.executeScript(
        "DROP TABLE IF EXISTS docs; CREATE VIRTUAL TABLE docs USING \(module)(body, content=\(table))"
      )
      #expect(await watching.gets("in \(table)"))
      try database.executeScript("UPDATE \(table) SET body = 'new in \(table)'")
      #expect(await watching.gets("new in \(table)"))
    }
  }

  @Test(arguments: [
    ("USING fts5(a, content=notes)", "notes"),
    ("USING FTS5 (a , CONTENT = 'my notes')", "my notes"),
    ("USING fts4(content=\"no\"\"tes\", a)", "no\"tes"), ("USING fts5(a, content='')", nil),
    ("USING fts5(a, content=`n` /* , content=x */)", "n"), ("USING fts5(a, b)", nil),
    ("USING fts5vocab(docs, row)", "docs"), ("USING fts5vocab(main, 'docs', row)", "docs"),
    ("USING fts4aux(main, docs)", "docs"), ("USING fts4aux", nil), ("USING fts5", nil),
    ("USING rtree(id, x0, x1)", nil), ("USING", nil), ("USING fts5((,", nil), ("", nil),
    ("USING fts5(content=)", nil), ("USING fts5vocab()", nil),
  ])
  func definition_namesWhatStandsBehindIt(_ text: String, _ source: String?) {
    #expect(VirtualTableDefinition("CREATE VIRTUAL TABLE `using` \(text)")?.source == source)
  }
}
