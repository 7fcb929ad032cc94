import Foundation
import Testing

@testable import XTLite

@Suite struct ChangesTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase()
    try database.executeScript(TouchedTablesTests.schema)
  }

  /// What the changes of `body` look like, commit by commit.
  func changes(_ body: () throws -> Void) async throws -> [[String]] {
    var iterator = database.changes.makeAsyncIterator()
    try body()
    try database.executeScript("INSERT INTO other VALUES (99)")
    var commits: [[String]] = []
    var last: Int?
    while let change = await iterator.next() {
      if change.table == "other", change.kind == .insert, change.pkid == 3 { break }
      if change.commit != last { commits.append([]) }
      last = change.commit
      commits[commits.count - 1].append(text(of: change))
    }
    return commits
  }

  func text(of change: XTChange) -> String {
    func values(_ row: XTRow?) -> String {
      row.map { "(" + $0.values.map(\.sqlLiteral).joined(separator: ",") + ")" } ?? "-"
    }
    let number = change.pkid.map { " \($0)" } ?? ""
    let old = change.oldPkid != change.pkid ? change.oldPkid.map { " was \($0)" } ?? "" : ""
    let head = "\(change.kind) \(change.table ?? "?")\(number)\(change.kind == .update ? old : "")"
    guard XTChange.tellsValues, change.kind != .unspecified else { return head }
    return "\(head) \(values(change.old))\(values(change.new))"
  }

  /// Where the library tells no values, the rows alone.
  func expect(
    _ found: [[String]], _ expected: [[String]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected =
      XTChange.tellsValues
      ? expected
      : expected.map { $0.map { String($0.prefix { $0 != "(" && $0 != "-" }).trimmed } }
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  // MARK: What is told

  @Test func failingStatement_thatFiredATrigger_tellsNoRows() async throws {
    try database.executeScript(
      """
      CREATE TABLE keyed (id INTEGER PRIMARY KEY, k UNIQUE); CREATE TABLE log (m);
      INSERT INTO keyed VALUES (1, 'x');
      CREATE TRIGGER logs AFTER INSERT ON keyed BEGIN INSERT INTO log VALUES (new.k); END
      """)
    let found = try await changes {
      #expect(throws: XTError.self) {
        try database.execute("INSERT INTO keyed VALUES (5, 'n'), (6, 'x')")
      }
    }
    // At most that the tables are to be read anew.
    #expect(found.joined().allSatisfy { $0.hasPrefix("unspecified") })
    #expect(try test.seen("SELECT count(*) FROM log") == ["0"])
  }

  @Test func insertUpdateAndDelete_areToldWithOldAndNewValues() async throws {
    let found = try await changes {
      try database.executeScript(
        """
        INSERT INTO t VALUES (3, 'z'); UPDATE t SET b = 'w' WHERE a = 3;
        UPDATE t SET a = 4 WHERE a = 3; DELETE FROM t WHERE a = 4
        """)
    }
    expect(
      found,
      [
        ["insert t 3 -(3,'z')"], ["update t 3 (3,'z')(3,'w')"],
        ["update t 4 was 3 (3,'w')(4,'w')"], ["delete t 4 (4,'w')-"],
      ].map {
        XTChange.tellsValues ? $0 : $0.map { $0.replacingOccurrences(of: " was 3", with: "") }
      })
  }

  @Test func names_areThoseOfTheColumns() async throws {
    var iterator = database.changes.makeAsyncIterator()
    try database.table(LivePerson.self).insertList([LivePerson("a", 3)])
    var change = await iterator.next()
    while change?.kind == .unspecified || change?.table != "LivePerson" {
      change = await iterator.next()
    }
    #expect(change?.kind == .insert)
    #expect(change?.pkid == 1)
    guard XTChange.tellsValues else { return }
    #expect(try change?.new?["name"] as String? == "a")
    #expect(try change?.new?.decode(as: Named.self).age == 3)
  }

  struct Named: Decodable { let age: Int }

  @Test func transaction_isOneCommit() async throws {
    let found = try await changes {
      try database.transaction {
        try database.executeScript("INSERT INTO t VALUES (3, 'z')")
        try database.savepoint { try database.executeScript("DELETE FROM t WHERE a = 1") }
        try database.executeScript("UPDATE t SET b = NULL WHERE a = 2")
      }
    }
    expect(
      found, [["insert t 3 -(3,'z')", "delete t 1 (1,'x')-", "update t 2 (2,'y')(2,NULL)"]])
  }

  @Test func whatIsRolledBack_isNotTold() async throws {
    struct Failure: Error {}
    let found = try await changes {
      try? database.transaction {
        try database.executeScript("INSERT INTO t VALUES (3, 'z')")
        throw Failure()
      }
      try database.executeScript("BEGIN; DELETE FROM t WHERE a = 1; ROLLBACK")
      try database.transaction {
        try database.executeScript("INSERT INTO t VALUES (4, 'kept')")
        try? database.savepoint {
          try database.executeScript("INSERT INTO t VALUES (5, 'lost')")
          try database.savepoint { try database.executeScript("DELETE FROM t WHERE a = 1") }
          throw Failure()
        }
        try database.executeScript(
          """
          SAVEPOINT s; DELETE FROM t WHERE a = 1; SAVEPOINT r; DELETE FROM t WHERE a = 2;
          RELEASE r; ROLLBACK TO s; RELEASE s; INSERT INTO t VALUES (6, 'too')
          """)
      }
    }
    expect(found, [["insert t 4 -(4,'kept')", "insert t 6 -(6,'too')"]])
  }

  /// Its first rows were there before the last one failed: which of them stay, SQLite tells nobody.
  @Test func statementThatFails_tellsNothingButWhatItLeaves() async throws {
    let found = try await changes {
      #expect(throws: XTError.self) {
        try database.executeScript("INSERT INTO t VALUES (7, 'p'), (8, 'q'), (9, 'x')")
      }
      try database.transaction {
        try database.executeScript("INSERT INTO t VALUES (4, 'kept')")
        #expect(throws: XTError.self) {
          try database.executeScript("INSERT INTO t VALUES (7, 'p'), (8, 'q'), (9, 'x')")
        }
        #expect(throws: XTError.self) {
          try database.executeScript("INSERT OR FAIL INTO t VALUES (7, 'left'), (9, 'x')")
        }
      }
    }
    expect(found, [["insert t 4 -(4,'kept')", "unspecified t"]])
  }

  @Test func emptiedTable_isToldRowByRow() async throws {
    let found = try await changes {
      try database.executeScript("DELETE FROM child")
      try database.executeScript("DELETE FROM firing")
    }
    if XTChange.tellsValues {
      #expect(found.first == ["delete child 1 (1,1)-", "delete child 2 (2,2)-"])
    } else {
      #expect(found.first == ["delete child 1", "delete child 2"])
    }
    #expect(found.last?.filter { $0.hasPrefix("delete t") }.count == 2)
    #expect(try database.table(LivePerson.self).drop() == false)
  }

  @Test func cascadesTriggersAndReplace_areTold() async throws {
    let found = try await changes {
      try database.executeScript("DELETE FROM parent WHERE id = 1")
      try database.executeScript("REPLACE INTO t VALUES (7, 'x')")
    }
    guard XTChange.tellsValues else {
      #expect(Set(found[0]) == ["delete child 1", "delete parent 1"])
      #expect(found[1].contains("insert t 7") && found[1].contains("unspecified t"))
      return
    }
    #expect(Set(found[0]) == ["delete child 1 (1,1)-", "delete parent 1 (1)-"])
    #expect(found[1] == ["delete t 1 (1,'x')-", "insert t 7 -(7,'x')"])
  }

  @Test func tableWithoutRowID_isToldWithoutNumber() async throws {
    let found = try await changes {
      try database.executeScript("INSERT INTO bare VALUES ('c', 3)")
      try database.executeScript("UPDATE bare SET v = 4 WHERE k = 'c'")
      try database.executeScript("DELETE FROM bare")
    }
    guard XTChange.tellsValues else {
      #expect(found == [["unspecified bare"], ["unspecified bare"], ["unspecified bare"]])
      return
    }
    #expect(
      found == [
        ["insert bare -('c',3)"], ["update bare ('c',3)('c',4)"],
        ["delete bare ('a',1)-", "delete bare ('b',2)-", "delete bare ('c',4)-"],
      ])
  }

  @Test func schemaChanges_areToldAsUnspecified() async throws {
    let found = try await changes {
      try database.executeScript("CREATE TABLE made AS SELECT 1 AS a")
      try database.executeScript("INSERT INTO made VALUES (2)")
      try database.executeScript("ALTER TABLE made ADD COLUMN b")
      try database.executeScript("INSERT INTO made VALUES (3, 4)")
      try database.executeScript("DROP TABLE made")
    }
    expect(
      found,
      [
        ["unspecified made"], ["insert made 2 -(2)"], ["unspecified ?"], ["insert made 3 -(3,4)"],
        ["unspecified made"],
      ])
  }

  @Test func wholeNumbersInRealColumns_areReal() async throws {
    guard XTChange.tellsValues else { return }
    try database.executeScript("CREATE TABLE r (a REAL, b INTEGER, c DOUBLE, d)")
    let found = try await changes {
      try database.executeScript("INSERT INTO r VALUES (1, 1, 2, 2)")
      try database.executeScript("UPDATE r SET a = 5")
      try database.executeScript("DELETE FROM r")
    }
    #expect(
      found == [
        ["insert r 1 -(1.0,1,2.0,2)"], ["update r 1 (1.0,1,2.0,2)(5.0,1,2.0,2)"],
        ["delete r 1 (5.0,1,2.0,2)-"],
      ])
  }

  @Test func generatedColumns_leaveTheValuesOut() async throws {
    guard XTChange.tellsValues, SQLiteLibrary.showsGeneratedColumns else { return }
    try database.executeScript(
      """
      CREATE TABLE kept (a, b AS (a + 1) STORED); CREATE TABLE made (a, b AS (a + 1), c);
      """)
    let found = try await changes {
      try database.executeScript("INSERT INTO kept VALUES (1)")
      try database.executeScript("INSERT INTO made VALUES (1, 2)")
      try database.executeScript("ALTER TABLE t ADD COLUMN c DEFAULT 'd'")
      try database.executeScript("DELETE FROM t WHERE a = 1")
      try database.executeScript("INSERT INTO t (a) VALUES (3)")
    }
    #expect(
      found.map { $0.last ?? "" } == [
        "insert kept 1 -(1,2)", "insert made 1 --", "unspecified ?", "delete t 1 (1,'x',NULL)-",
        "insert t 3 -(3,NULL,'d')",
      ])
  }

  // MARK: Bounds and ends

  @Test func moreThanIsKept_isToldAsUnspecified() async throws {
    let count = Writes.rowLimit + 10
    let found = try await changes {
      try database.executeScript(
        """
        WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
        INSERT INTO t SELECT i, i FROM n
        """)
    }
    #expect(found.count == 1)
    #expect(found.first == ["unspecified t"])
  }

  @Test func slowReader_isToldWhichTablesToRead() async throws {
    var iterator = database.changes.makeAsyncIterator()
    let half = Writes.rowLimit / 2 + 1
    for start in [100, 1_000_000] {
      try database.executeScript(
        """
        WITH RECURSIVE n (i) AS (SELECT \(start) UNION ALL SELECT i + 1 FROM n LIMIT \(half))
        INSERT INTO t SELECT i, i FROM n
        """)
    }
    try database.executeScript("INSERT INTO other VALUES (7)")
    var found: [XTChange] = []
    while let change = await iterator.next() {
      found.append(change)
      if change.table == "other" { break }
    }
    #expect(found.map(\.kind) == [.unspecified, .insert])
    #expect(found.first?.table == "t")
  }

  @Test func commitsOfManyThreads_areToldInTheirOrder() async throws {
    var iterator = database.changes.makeAsyncIterator()
    let database = database
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for step in 0..<25 {
            try await database.transaction {
              try database.executeScript("INSERT INTO parent VALUES (\(100 + task * 1000 + step))")
              try database.executeScript("INSERT INTO other VALUES (\(task * 1000 + step))")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    var rows: [Int64] = []
    var commits: [Int] = []
    while rows.count < 100, let change = await iterator.next() {
      guard change.table == "other" else { continue }
      rows.append(try #require(change.pkid))
      commits.append(change.commit)
    }
    // The numbers of the rows are given in the order of the commits.
    #expect(rows == rows.sorted())
    #expect(commits == commits.sorted() && Set(commits).count == 100)
  }

  @Test func iterationThatEnds_leavesNothing() async throws {
    let database = database
    do {
      var iterator = database.changes.makeAsyncIterator()
      try database.executeScript("INSERT INTO t VALUES (3, 'z')")
      #expect(database.core.commits.wanted == [.tables, .rows])
      #expect(await iterator.next() != nil)
    }
    database.expectNobodyObserves()
    let hasBegun = Flag()
    let task = Task {
      var iterator = database.changes.makeAsyncIterator()
      hasBegun.set(true)
      return await iterator.next() == nil
    }
    #expect(await until { hasBegun.isSet })
    task.cancel()
    #expect(await task.value)
    database.expectNobodyObserves()
    let closing = Task { [changes = database.changes] in
      var count = 0
      for await _ in changes { count += 1 }
      return count
    }
    #expect(await until { LiveHub.of(database).counts.feeds == 1 })
    try database.close()
    #expect(await closing.value == 0)
  }

  @Test func changesBesideObservers_disturbNobody() async throws {
    let watching = Watching(
      database.observe { [database] in
        try database.anyFunc(sql: "SELECT count(*) FROM t")?.int64 ?? -1
      })
    #expect(await watching.gets(2))
    let found = try await changes { try database.executeScript("DELETE FROM t WHERE a = 1") }
    #expect(found.count == 1)
    #expect(await watching.gets(1))
    try database.executeScript("DELETE FROM t")
    #expect(await watching.gets(0))
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
