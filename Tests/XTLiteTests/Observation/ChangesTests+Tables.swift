import Foundation
import Testing

@testable import XTLite

struct LiveNote: XTModel {
  var pkid: Int64?
  var title = ""
  static var xt_search: XTSearch { XTSearch([\LiveNote.title]) }
}

extension LiveNote {
  init(_ title: String) {
    self.init()
    self.title = title
  }
}

/// Of whose rows is told, and of whose not.
extension ChangesTests {
  @Test func tablesOfOtherSchemas_areNotTold() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("aux.sqlite")
    let found = try await changes {
      _ = try database.write {
        try database.executeScript(
          """
          ATTACH '\(path)' AS aux; CREATE TABLE aux.t (x, y, z); CREATE TABLE aux.u (a);
          CREATE TEMP TABLE t (p); CREATE TEMP TABLE v (a);
          INSERT INTO aux.t VALUES (1, 2, 3); INSERT INTO u VALUES (1); INSERT INTO v VALUES (1);
          INSERT INTO temp.t VALUES (4); INSERT INTO main.t VALUES (3, 'z');
          UPDATE aux.t SET x = 5; UPDATE t SET p = 6; DELETE FROM aux.t; DELETE FROM temp.t;
          REPLACE INTO u VALUES (3); ALTER TABLE aux.u ADD COLUMN b; DROP TABLE aux.u;
          BEGIN; INSERT INTO aux.t VALUES (7, 8, 9); DELETE FROM main.t WHERE a = 3; COMMIT;
          DROP TABLE temp.t; DROP TABLE temp.v; DROP TABLE aux.t; DETACH aux;
          """)
      }
    }
    expect(found, [["insert t 3 -(3,'z')"], ["delete t 3 (3,'z')-"]])
  }

  /// The loop over one table that the documentation shows.
  @Test func loopOverOneTable_alsoGetsWhatMayBeAny() async throws {
    let people = database.table(LivePerson.self)
    try people.insertList([LivePerson("a")])
    let copy = test.path + ".copy"
    try blocking { try database.backup(to: copy) }
    let loop = Task { [database] in
      var kinds: [XTChange.Kind] = []
      for await change in database.changes where [nil, "LivePerson"].contains(change.table) {
        kinds.append(change.kind)
      }
      return kinds
    }
    #expect(await until { LiveHub.of(database).counts.feeds == 1 })
    try people.insertList([LivePerson("b")])
    try database.executeScript("INSERT INTO other VALUES (98)")
    try blocking { try database.restore(from: copy) }
    try blocking { try database.close() }
    #expect(await loop.value == [.insert, .unspecified])
  }

  /// A trigger of the temporary schema writes to the main file's table.
  @Test func temporaryTriggers_areTold() async throws {
    let found = try await changes {
      _ = try database.write {
        try database.executeScript(
          """
          CREATE TEMP TABLE queue (a);
          CREATE TEMP TRIGGER moves AFTER INSERT ON queue BEGIN
            INSERT INTO t VALUES (new.a, 'moved');
          END;
          INSERT INTO queue VALUES (5);
          """)
      }
    }
    expect(found, [["insert t 5 -(5,'moved')"]])
  }

  @Test func tablesOfTheLibrarys_areNotTold() async throws {
    let (notes, people) = (database.table(LiveNote.self), database.table(LivePerson.self))
    let found = try await changes {
      try notes.insertList([LiveNote("apple"), LiveNote("pear")])
      try notes.updateAll(.set(\.title, to: "plum"))
      try notes.deleteAll()
      try people.insertList([LivePerson("a")])
      try database.upgrade(LivePerson.self, add: [\LivePerson.age], version: 2)
      try notes.rebuildSearch()
      try notes.drop()
    }
    let tables = Set(found.joined().map { $0.split(separator: " ")[1] })
    #expect(tables == ["LiveNote", "LivePerson"])
    let rows = found.joined().filter { !$0.hasPrefix("unspecified") }.map {
      $0.split(separator: " ").prefix(3).joined(separator: " ")
    }
    #expect(
      rows == [
        "insert LiveNote 1", "insert LiveNote 2", "update LiveNote 1", "update LiveNote 2",
        "delete LiveNote 1", "delete LiveNote 2", "insert LivePerson 1",
      ])
  }

  /// Too many to be told one by one: the tables are named, and the library's are not.
  @Test func tablesOfTheLibrarys_areNotTold_whereRowsAreTooMany() async throws {
    let notes = database.table(LiveNote.self)
    try notes.insertList([LiveNote("apple")])
    let found = try await changes {
      try database.executeScript(
        """
        WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n
          LIMIT \(Writes.rowLimit + 10))
        INSERT INTO LiveNote (title) SELECT 'n' FROM n
        """)
    }
    #expect(found == [["unspecified LiveNote"]])
  }

  @Test func virtualTable_isToldAsUnspecified() async throws {
    let module = SQLiteLibrary.hasFTS5 ? "fts5" : "fts4"
    let found = try await changes {
      try database.executeScript("CREATE VIRTUAL TABLE docs USING \(module)(body)")
      try database.executeScript("INSERT INTO docs VALUES ('an apple')")
      try database.executeScript("DELETE FROM docs")
      try database.executeScript("DROP TABLE docs")
    }
    #expect(found == Array(repeating: ["unspecified docs"], count: 4))
  }

  /// SQLite connects to the virtual table while it prepares the statement.
  @Test func firstWrite_toATableWithASearch_isToldAlone() async throws {
    let note = "INSERT INTO LiveNote (title) VALUES ('pear')"
    try database.table(LiveNote.self).insertList([LiveNote("apple")])
    let runs = RunCount()
    let path = test.path + ".copy"
    try blocking { try database.backup(to: path) }
    let fresh = try XTDatabase(path: path)
    let watching = Watching(
      fresh.observe {
        runs.advance()
        return try fresh.anyFunc(sql: "SELECT count(*) FROM t")?.int64
      })
    #expect(await watching.gets(2))
    var iterator = fresh.changes.makeAsyncIterator()
    try fresh.executeScript(note)
    try fresh.executeScript("INSERT INTO t VALUES (3, 'z')")
    #expect(await iterator.next()?.table == "LiveNote")
    #expect(await iterator.next()?.table == "t")
    #expect(await watching.gets(3))
    #expect(runs.count == 2)
  }

  // MARK: Going back

  @Test func rollbackToASavepoint_leavesNothingOfWhatItUndid() async throws {
    let rows = """
      WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n
        LIMIT \(Writes.rowLimit + 10)) INSERT INTO parent SELECT i FROM n
      """
    let found = try await changes {
      try database.executeScript("BEGIN; SAVEPOINT s; \(rows); ROLLBACK TO s; COMMIT")
      try database.executeScript(
        """
        BEGIN; INSERT INTO t VALUES (3, 'z'); SAVEPOINT s; CREATE TABLE made (a);
        ALTER TABLE other ADD COLUMN b; \(rows); SAVEPOINT r; DELETE FROM t; ROLLBACK TO s;
        DELETE FROM t WHERE a = 1; COMMIT
        """)
      // Those before it are forgotten with the others: their tables are told, and no other.
      try database.transaction {
        try database.executeScript("INSERT INTO t VALUES (4, 'w'); SAVEPOINT s; \(rows)")
        try database.executeScript("ROLLBACK TO s; RELEASE s")
      }
    }
    #expect(found.count == 2)
    #expect(found.last == ["unspecified t"])
    guard XTChange.tellsValues else { return }
    // Of a table that has lost its rows to the bound, it is said that it is to be read anew.
    #expect(
      found.first == ["delete t 1 (1,'x')-", "unspecified t"] || found.first == ["unspecified t"])
  }

  @Test func rollbackToASavepoint_wakesNobodyByWhatItUndid() async throws {
    let runs = RunCount()
    let database = database
    let watching = Watching(
      database.observe {
        runs.advance()
        return try database.anyFunc(sql: "SELECT count(*) FROM parent")?.int64 ?? -1
      })
    #expect(await watching.gets(2))
    try database.executeScript(
      "BEGIN; SAVEPOINT s; DELETE FROM parent; ROLLBACK TO s; DELETE FROM t; COMMIT")
    try blocking {
      try database.transaction {
        try database.executeScript(
          """
          SAVEPOINT s; SAVEPOINT r; INSERT INTO parent VALUES (7); RELEASE r; ROLLBACK TO s;
          ALTER TABLE other ADD COLUMN c; ROLLBACK TO s; INSERT INTO t VALUES (9, 9)
          """)
      }
    }
    try database.executeScript("INSERT INTO parent VALUES (8)")
    #expect(await watching.gets(3))
    #expect(runs.count == 2)
  }

  // MARK: Bytes

  @Test func moreBytesThanAreKept_areToldAsUnspecified() async throws {
    let half = Writes.byteLimit / 2 + 1
    let found = try await changes {
      try database.executeScript("INSERT INTO t VALUES (3, zeroblob(\(Writes.byteLimit)))")
      try database.transaction {
        try database.executeScript("INSERT INTO bare VALUES (zeroblob(\(half)), 1)")
        try database.executeScript("INSERT INTO t VALUES (4, zeroblob(\(half)))")
      }
    }
    guard XTChange.tellsValues else { return }
    #expect(found == [["unspecified t"], ["unspecified bare", "unspecified t"]])
  }

  @Test func manyBytesOfOneStatement_areToldAsUnspecified() async throws {
    guard XTChange.tellsValues else { return }
    var iterator = database.changes.makeAsyncIterator()
    let third = Writes.byteLimit / 3
    try database.executeScript("INSERT INTO t VALUES (3, zeroblob(\(third)))")
    #expect(await iterator.next()?.kind == .insert)
    // Old and new ones.
    try database.executeScript("UPDATE t SET b = zeroblob(\(third * 2 + 9)) WHERE a = 3")
    #expect(await iterator.next()?.kind == .unspecified)
    try database.executeScript("UPDATE t SET b = NULL WHERE a = 3")
    let last = await iterator.next()
    #expect(last?.kind == .update && last?.pkid == 3)
  }

  @Test func bytesThatWaitForASlowReader_areBounded() async throws {
    guard XTChange.tellsValues else { return }
    try database.executeScript("CREATE TABLE large (id, body)")
    var iterator = database.changes.makeAsyncIterator()
    for step in 3...40 {
      try database.executeScript("INSERT INTO large VALUES (\(step), zeroblob(\(4 << 20)))")
    }
    try database.executeScript("INSERT INTO other VALUES (7)")
    var kinds: [XTChange.Kind] = []
    var size = 0
    while let change = await iterator.next() {
      kinds.append(change.kind)
      size += change.new.map { $0.values.count > 1 ? 4 << 20 : 0 } ?? 0
      if change.table == "other" { break }
    }
    #expect(kinds.first == .unspecified && kinds.last == .insert)
    #expect(size <= Writes.byteLimit)
  }

  // MARK: Beginnings and ends

  @Test func changesThatWait_areGivenAfterTheDatabaseIsClosed() async throws {
    var unasked = database.changes.makeAsyncIterator()
    var asked = database.changes.makeAsyncIterator()
    try database.executeScript("INSERT INTO t VALUES (3, 'z')")
    #expect(await asked.next()?.pkid == 3)
    try database.executeScript("INSERT INTO t VALUES (4, 'w'), (5, 'v')")
    try database.close()
    for number in [3, 4, 5] { #expect(await unasked.next()?.pkid == Int64(number)) }
    for number in [4, 5] { #expect(await asked.next()?.pkid == Int64(number)) }
    #expect(await unasked.next() == nil)
    #expect(await asked.next() == nil)
    #expect(await unasked.next() == nil)
    var late = database.changes.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test(arguments: TransactionForm.allCases)
  func iteratorOfAnOpenTransaction_isToldOfItOnce(_ form: TransactionForm) async throws {
    let (database, made) = (database, Mutex<XTChanges.AsyncIterator?>(nil))
    try await form.run(database) {
      try database.executeScript("INSERT INTO t VALUES (3, 'z')")
      made.withLock { $0 = database.changes.makeAsyncIterator() }
      try database.executeScript("INSERT INTO t VALUES (4, 'w')")
    }
    try database.executeScript("INSERT INTO other VALUES (7)")
    var iterator = try #require(made.withLock { $0 })
    made.withLock { $0 = nil }
    let first = await iterator.next()
    #expect(first?.kind == .unspecified && first?.table == nil)
    #expect(await iterator.next()?.table == "other")
  }

  /// Somebody who observes has had its tables noted.
  @Test func iteratorOfAnOpenTransaction_isToldItsTablesWhereTheyAreKnown() async throws {
    let (database, made) = (database, Mutex<XTChanges.AsyncIterator?>(nil))
    let watching = Watching(database.table(LivePerson.self).observeCount())
    #expect(await watching.gets(0))
    try blocking {
      try database.transaction {
        try database.table(LiveNote.self).insertList([LiveNote("apple")])
        made.withLock { $0 = database.changes.makeAsyncIterator() }
        try database.executeScript("INSERT INTO t VALUES (4, 'w')")
      }
    }
    try database.executeScript("INSERT INTO other VALUES (7)")
    var iterator = try #require(made.withLock { $0 })
    made.withLock { $0 = nil }
    var found: [String] = []
    while let change = await iterator.next(), change.table != "other" {
      found.append(text(of: change))
    }
    #expect(found == ["unspecified LiveNote", "unspecified t"])
  }

  /// SQLite sees by itself that the schema is another one, while it prepares or runs a statement.
  @Test(.enabled(if: XTChange.tellsValues))
  func columnsThatAnotherProgramRenames_areToldByNoWrongName() async throws {
    let test = try TestDatabase()
    let database = test.database
    let (insert, update) = ("INSERT INTO r (id) VALUES (NULL)", "UPDATE r SET id = 1 WHERE id = 1")
    try database.executeScript("CREATE TABLE r (id INTEGER PRIMARY KEY, a, b)")
    var iterator = database.changes.makeAsyncIterator()
    func next(_ sql: String) async throws -> [String]? {
      try blocking { _ = try database.anyFunc(sql: XTSQL(unsafe: sql)) }
      let change = try #require(await iterator.next())
      #expect(change.table == "r")
      return change.new?.names
    }
    #expect(try await next(insert) == ["id", "a", "b"])
    #expect(try await next(update) == ["id", "a", "b"])
    // Names that were there, and stand for other columns now.
    try test.outside("ALTER TABLE r RENAME COLUMN b TO c; ALTER TABLE r RENAME COLUMN a TO b")
    // By a statement that was kept: SQLite tells of its rows before anybody can look.
    #expect(try await next(insert) == nil)
    #expect(try await next(update) == ["id", "b", "c"])
    #expect(try await next(insert) == ["id", "b", "c"])
    try test.outside("DELETE FROM r WHERE id > 1; ALTER TABLE r RENAME COLUMN c TO a")
    // By a new one, which names what is new.
    #expect(try await next("UPDATE r SET a = 5 WHERE id = 1") == ["id", "b", "a"])
  }
}
