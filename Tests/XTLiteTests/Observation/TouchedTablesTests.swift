import Foundation
import Testing

@testable import XTLite

/// Whatever changes rows is noticed by those who read them, and by nobody else.
@Suite struct TouchedTablesTests {
  /// What is done to a database that has two rows in `t` and in each other table.
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    var sql: [String]
    /// What is observed, and what it gives before and after.
    var query = "SELECT group_concat(a) FROM (SELECT a FROM t ORDER BY a)"
    var after: String?
    var testDescription: String { name }
  }

  static let schema = """
    CREATE TABLE t (a INTEGER PRIMARY KEY, b UNIQUE);
    INSERT INTO t VALUES (1, 'x'), (2, 'y');
    CREATE TABLE other (a); INSERT INTO other VALUES (1), (2);
    CREATE TABLE firing (a); INSERT INTO firing VALUES (1), (2);
    CREATE TRIGGER fire AFTER DELETE ON firing BEGIN DELETE FROM t WHERE a = old.a; END;
    CREATE TRIGGER far AFTER INSERT ON firing BEGIN INSERT INTO firing2 VALUES (new.a); END;
    CREATE TABLE firing2 (a);
    CREATE TRIGGER far2 AFTER INSERT ON firing2 BEGIN UPDATE t SET a = a + new.a; END;
    CREATE TABLE parent (id INTEGER PRIMARY KEY); INSERT INTO parent VALUES (1), (2);
    CREATE TABLE child (id INTEGER PRIMARY KEY, p REFERENCES parent (id) ON DELETE CASCADE
      ON UPDATE SET NULL);
    INSERT INTO child VALUES (1, 1), (2, 2);
    CREATE TABLE bare (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO bare VALUES ('a', 1), ('b', 2);
    CREATE VIEW seen AS SELECT a FROM t WHERE a < 10;
    CREATE VIEW door AS SELECT a FROM t;
    CREATE TRIGGER through INSTEAD OF INSERT ON door BEGIN INSERT INTO t (a) VALUES (new.a); END;
    """

  static let bareQuery = "SELECT group_concat(v) FROM (SELECT v FROM bare ORDER BY k)"
  static let childQuery = "SELECT group_concat(coalesce(p, 'none')) FROM child"

  static let ways: [Way] = [
    Way(name: "insert", sql: ["INSERT INTO t VALUES (3, 'z')"], after: "1,2,3"),
    Way(name: "update", sql: ["UPDATE t SET a = 9 WHERE a = 1"], after: "2,9"),
    Way(name: "delete", sql: ["DELETE FROM t WHERE a = 1"], after: "2"),
    Way(name: "delete all", sql: ["DELETE FROM t WHERE 1"], after: nil),
    Way(name: "truncation", sql: ["DELETE FROM t"], after: nil),
    Way(name: "replace", sql: ["REPLACE INTO t VALUES (7, 'x')"], after: "2,7"),
    Way(
      name: "update or replace", sql: ["UPDATE OR REPLACE t SET b = 'y' WHERE a = 1"], after: "1"),
    Way(
      name: "insert or fail", sql: ["INSERT OR FAIL INTO t VALUES (5, 'v'), (6, 'x')"],
      after: "1,2,5"),
    Way(name: "trigger", sql: ["DELETE FROM firing WHERE a = 2"], after: "1"),
    Way(name: "trigger of a trigger", sql: ["INSERT INTO firing VALUES (10)"], after: "11,12"),
    Way(name: "trigger of a truncation", sql: ["DELETE FROM firing"], after: nil),
    Way(name: "trigger of a view", sql: ["INSERT INTO door VALUES (5)"], after: "1,2,5"),
    Way(name: "cascade", sql: ["DELETE FROM parent WHERE id = 1"], query: childQuery, after: "2"),
    Way(
      name: "set null", sql: ["UPDATE parent SET id = 5 WHERE id = 2"], query: childQuery,
      after: "1,none"),
    Way(
      name: "cascade of a replace", sql: ["DELETE FROM parent"], query: childQuery, after: nil),
    Way(
      name: "without rowid", sql: ["UPDATE bare SET v = 7 WHERE k = 'a'"], query: bareQuery,
      after: "7,2"),
    Way(name: "without rowid, emptied", sql: ["DELETE FROM bare"], query: bareQuery, after: nil),
    Way(
      name: "without rowid, replaced", sql: ["REPLACE INTO bare VALUES ('a', 3)"], query: bareQuery,
      after: "3,2"),
    Way(
      name: "a view's table", sql: ["INSERT INTO t VALUES (5, 'z'), (50, 'w')"],
      query: "SELECT group_concat(a) FROM seen", after: "1,2,5"),
    Way(
      name: "another view by the name",
      sql: ["DROP VIEW seen", "CREATE VIEW seen AS SELECT a + 100 AS a FROM t"],
      query: "SELECT group_concat(a) FROM seen", after: "101,102"),
    Way(
      name: "a count", sql: ["INSERT INTO t VALUES (5, 'z')"], query: "SELECT count(*) FROM t",
      after: "3"),
    Way(
      name: "a subquery's table", sql: ["INSERT INTO t VALUES (5, 'z')"],
      query: "SELECT count(*) FROM other WHERE a < (SELECT max(a) FROM t)", after: "2"),
    Way(
      name: "transaction",
      sql: ["BEGIN", "DELETE FROM t WHERE a = 1", "DELETE FROM other", "COMMIT"],
      after: "2"),
    Way(
      name: "savepoint", sql: ["SAVEPOINT s", "DELETE FROM t WHERE a = 1", "RELEASE s"],
      after: "2"),
    Way(
      name: "savepoint rolled back",
      sql: [
        "BEGIN", "SAVEPOINT s", "DELETE FROM t", "ROLLBACK TO s", "RELEASE s",
        "DELETE FROM t WHERE a = 2", "COMMIT",
      ], after: "1"),
    Way(
      name: "a trigger that comes later",
      sql: [
        "DELETE FROM other WHERE a = 1",
        "CREATE TRIGGER later AFTER DELETE ON other BEGIN DELETE FROM t; END",
        "DELETE FROM other WHERE a = 2",
      ], after: nil),
    Way(
      name: "another table by the name",
      sql: ["ALTER TABLE t RENAME TO u", "CREATE TABLE t (a)", "INSERT INTO t VALUES (8)"],
      after: "8"),
    Way(
      name: "a table of a query", sql: ["DROP TABLE t", "CREATE TABLE t AS SELECT 4 AS a"],
      after: "4"),
    Way(
      name: "a column", sql: ["ALTER TABLE t ADD COLUMN c DEFAULT 5"],
      query: "SELECT * FROM t LIMIT 1", after: nil),
  ]

  private func seen(_ query: String, _ test: TestDatabase) throws -> String? {
    try test.database.anyFunc(sql: XTSQL(unsafe: query))?.string
  }

  @Test(arguments: ways, [false, true])
  func wayToWrite_isNoticed(_ way: Way, isInMemory: Bool) async throws {
    let test = try TestDatabase()
    let database = isInMemory ? try XTDatabase.inMemory() : test.database
    try database.executeScript(Self.schema)
    let (runs, others) = (RunCount(), RunCount())
    let observed = Watching(
      database.observe {
        runs.advance()
        return try database.rows(XTSQL(unsafe: way.query)).map(\.description)
      })
    let bystander = Watching(
      database.observe {
        others.advance()
        return try database.anyFunc(sql: "SELECT count(*) FROM firing2 WHERE a < 0")
      })
    #expect(await observed.has(1))
    #expect(await bystander.has(1))
    try blocking {
      try database.write {
        for sql in way.sql {
          do {
            try database.executeScript(sql)
          } catch let error as XTError where error.kind == .constraint(.unique) {}
        }
      }
    }
    let expected = try blocking { try database.rows(XTSQL(unsafe: way.query)) }.map(\.description)
    #expect(expected != observed.values[0])
    if way.query.hasPrefix("SELECT group"), let after = way.after {
      #expect(expected[0].contains("'\(after)'"), "\(expected)")
    }
    #expect(
      await observed.gets(expected), "\(observed.values) \(String(describing: observed.error))")
    if way.name != "trigger of a trigger", !way.sql.contains(where: { $0.contains("ALTER") }) {
      #expect(others.count == 1)
    }
  }

  // MARK: Tables that come and go

  @Test func missingTable_readsAsEmptyUntilItIsMade() async throws {
    let test = try TestDatabase()
    let people = test.table(LivePerson.self)
    let (runs, database) = (RunCount(), test.database)
    let watching = Watching(people.observe(orderBy: .asc(\.name)))
    let count = Watching(people.observeCount())
    let closure = Watching(
      database.observe {
        runs.advance()
        return try LivePerson.xt_count() + LivePet.xt_count()
      })
    #expect(await watching.gets([]))
    #expect(await count.gets(0))
    #expect(await closure.gets(0))
    try database.executeScript("CREATE TABLE unknown (a); INSERT INTO unknown VALUES (1)")
    try people.insertList([LivePerson("a")])
    #expect(await watching.gets { $0.map(\.name) == ["a"] })
    #expect(await count.gets(1))
    #expect(await closure.gets(1))
    try test.table(LivePet.self).insertList([LivePet("p")])
    #expect(await closure.gets(2))
    try people.drop()
    #expect(await watching.gets([]))
    #expect(await closure.gets(1))
    try people.insertList([LivePerson("b")])
    #expect(await watching.gets { $0.map(\.name) == ["b"] })
    #expect(await count.gets(1))
    #expect(watching.error == nil)
  }

  @Test func renamedTable_isGoneAndTheOtherThere() async throws {
    let test = try TestDatabase()
    let people = test.table(LivePerson.self)
    let moved = test.table(LivePerson.self, named: "Moved")
    try people.insertList([LivePerson("a")])
    let (here, there) = (Watching(people.observeCount()), Watching(moved.observeCount()))
    #expect(await here.gets(1))
    #expect(await there.gets(0))
    try people.alterRename(to: "Moved")
    #expect(await here.gets(0))
    #expect(await there.gets(1))
  }

  @Test func tableOfSQLThatIsDropped_endsTheSequence() async throws {
    let test = try TestDatabase(after: "CREATE TABLE t (a)")
    let database = test.database
    let watching = Watching(
      database.observe { try database.anyFunc(sql: "SELECT count(*) FROM t") })
    #expect(await watching.has(1))
    try database.executeScript("DROP TABLE t")
    #expect(await until { watching.isOver })
    #expect((watching.error as? XTError)?.kind == .schema)
  }

  @Test func upgradedTable_isReadAnew() async throws {
    let test = try TestDatabase(
      after: "CREATE TABLE LivePerson (pkid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);"
        + "INSERT INTO LivePerson (name) VALUES ('a')")
    let people = test.table(LivePerson.self)
    let watching = Watching(people.observe())
    #expect(await watching.gets { $0.map(\.age) == [0] })
    try test.database.upgrade(LivePerson.self, add: [\LivePerson.age], version: 2)
    try people.updateAll(.set(\.age, to: 9))
    #expect(await watching.gets { $0.map(\.age) == [9] })
    #expect(watching.error == nil)
  }

  // MARK: Journals

  @Test(arguments: ["delete", "memory"])
  func databaseWithoutReaders_isObservedToo(_ kind: String) async throws {
    let test = try TestDatabase { $0.journalMode = .delete }
    let database = kind == "memory" ? try XTDatabase.inMemory() : test.database
    let watching = Watching(database.table(LivePerson.self).observeCount())
    #expect(await watching.gets(0))
    for count in 1...5 {
      try database.table(LivePerson.self).insertList([LivePerson("\(count)")])
      #expect(await watching.gets(count))
    }
    watching.cancel()
    #expect(await until { watching.isOver })
    database.expectNobodyObserves()
  }

  @Test(arguments: TransactionForm.allCases)
  func eachFormOfATransaction_isNoticed(_ form: TransactionForm) async throws {
    let test = try TestDatabase()
    let database = test.database
    try test.table(LivePerson.self).create()
    let watching = Watching(test.table(LivePerson.self).observeCount())
    #expect(await watching.gets(0))
    for count in 1...3 {
      try await form.run(database) { _ = try LivePerson.xt_insertList([LivePerson("\(count)")]) }
      #expect(await watching.gets(count))
    }
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await form.run(database) {
        try LivePerson.xt_deleteAll()
        throw Failure()
      }
    }
    #expect(watching.values == [0, 1, 2, 3])
  }
}
