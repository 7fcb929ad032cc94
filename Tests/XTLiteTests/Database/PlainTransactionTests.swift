import Foundation
import Testing

@testable import XTLite

/// Transactions that SQL in the program's own words begins and ends.
@Suite struct PlainTransactionTests {
  let test: TestDatabase
  let log = HookTests.Log()
  var database: XTDatabase { test.database }
  var vessels: XTTable<Vessel> { test.table(Vessel.self) }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 600 }
    try test.table(Vessel.self).create()
    try database.execute(
      """
      CREATE TABLE t (a UNIQUE);
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED);
      """)
  }

  private func addHooks(_ name: String) {
    let log = log
    database.afterCommit { log.add("\(name) committed") }
    database.afterRollback { log.add("\(name) rolled back") }
  }

  /// A block and a verb by itself, each with an object.
  private func write(_ first: Vessel, _ second: Vessel) throws {
    try database.transaction {
      addHooks("block")
      try vessels.insert(first)
    }
    addHooks("plain")
    try vessels.insert(second)
    #expect(log.entries.isEmpty)
    #expect(first.pkid == 1 && second.pkid == 2)
  }

  @Test(arguments: ["COMMIT", "END TRANSACTION", "/* done */ commit;"])
  func commit_runsWhatWaitsForIt(sql: String) throws {
    let (first, second) = (Vessel("a"), Vessel("b"))
    try database.write {
      try database.execute("BEGIN")
      try write(first, second)
      try database.execute(XTSQL(unsafe: sql))
      #expect(log.entries == ["block committed", "plain committed"])
    }
    #expect(log.entries.count == 2)
    #expect(first.pkid == 1 && second.pkid == 2)
    #expect(database.statistics.committedTransactions == 1)
  }

  @Test(arguments: ["ROLLBACK", "rollback transaction"])
  func rollback_undoesWhatObjectsKnow(sql: String) throws {
    let (first, second) = (Vessel("a"), Vessel("b"))
    let before = database.statistics
    try database.write {
      try database.execute("BEGIN")
      try write(first, second)
      try database.execute(XTSQL(unsafe: sql))
      #expect(log.entries == ["plain rolled back", "block rolled back"])
    }
    #expect(log.entries.count == 2)
    #expect(first.pkid == nil && second.pkid == nil)
    #expect(database.statistics.committedTransactions == before.committedTransactions)
    #expect(try vessels.count() == 0)
  }

  @Test func transactionLeftOpen_isRolledBackWithItsHooks() throws {
    let (first, second) = (Vessel("a"), Vessel("b"))
    #expect(throws: XTError.self) {
      try database.write {
        try database.execute("BEGIN")
        try write(first, second)
      }
    }
    #expect(log.entries == ["plain rolled back", "block rolled back"])
    #expect(first.pkid == nil && second.pkid == nil)
  }

  @Test func statementThatEndsTheTransaction_runsTheHooksOnce() throws {
    let (first, second) = (Vessel("a"), Vessel("b"))
    try database.execute("INSERT INTO t VALUES (1)")
    try database.write {
      try database.execute("BEGIN")
      try write(first, second)
      #expect(throws: XTError.self) { try database.execute("INSERT OR ROLLBACK INTO t VALUES (1)") }
      #expect(log.entries == ["plain rolled back", "block rolled back"])
      #expect(first.pkid == nil && second.pkid == nil)
      try database.execute("BEGIN")
      addHooks("next")
      try vessels.insert(first)
      try database.execute("COMMIT")
    }
    #expect(log.entries.dropFirst(2) == ["next committed"])
    #expect(first.pkid == 1)
  }

  @Test func statementOfABlockThatEndsTheTransaction_runsAllHooks() throws {
    let (first, second) = (Vessel("a"), Vessel("b"))
    try database.execute("INSERT INTO t VALUES (1)")
    try database.write {
      try database.execute("BEGIN")
      try write(first, second)
      #expect(throws: XTError.self) {
        try database.transaction {
          addHooks("inner")
          try database.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        }
      }
      #expect(
        log.entries == ["inner rolled back", "plain rolled back", "block rolled back"])
      #expect(first.pkid == nil && second.pkid == nil)
    }
  }

  @Test func commitThatFails_leavesHooksWhereTheTransactionIs() throws {
    try database.write {
      try database.execute("BEGIN")
      addHooks("plain")
      try database.execute("INSERT INTO c VALUES (1)")
      #expect(throws: XTError.self) { try database.execute("COMMIT") }
      #expect(log.entries.isEmpty)
      try database.execute("INSERT INTO p VALUES (1)")
      try database.execute("COMMIT")
    }
    #expect(log.entries == ["plain committed"])
  }

  @Test func innerBlockThatRollsBack_runsItsOwnHooksAtOnce() throws {
    let (first, second, third) = (Vessel("a"), Vessel("b"), Vessel("c"))
    try database.write {
      try database.execute("BEGIN")
      try write(first, second)
      try database.transaction {
        addHooks("inner")
        try vessels.insert(third)
        try database.rollback()
      }
      #expect(log.entries == ["inner rolled back"])
      #expect(third.pkid == nil)
      try database.execute("COMMIT")
    }
    #expect(log.entries.dropFirst() == ["block committed", "plain committed"])
    #expect(first.pkid == 1 && second.pkid == 2)
  }

  @Test func hooks_mayUseTheDatabase_betweenTheStatementsOfAScript() throws {
    let (database, log) = (database, log)
    try database.write {
      try database.execute("BEGIN")
      database.afterCommit {
        do {
          try database.transaction { try database.execute("INSERT INTO t VALUES ('hook')") }
        } catch {
          log.add("\(error)")
        }
      }
      try database.execute("COMMIT; BEGIN; INSERT INTO t VALUES ('script'); COMMIT")
    }
    #expect(log.entries.isEmpty)
    #expect(try test.seen("SELECT a FROM t ORDER BY rowid") == ["hook", "script"])
  }

  // MARK: Savepoints

  @Test func outermostSavepoint_isATransaction() throws {
    let (first, second, third) = (Vessel("a"), Vessel("b"), Vessel("c"))
    try database.write {
      try database.execute("SAVEPOINT one")
      try write(first, second)
      try database.execute("SAVEPOINT two")
      try vessels.insert(third)
      try database.execute("ROLLBACK TO two")
      #expect(third.pkid == nil)
      try database.execute("RELEASE two")
      #expect(log.entries.isEmpty)
      try database.execute("RELEASE one")
      #expect(log.entries == ["block committed", "plain committed"])
    }
    #expect(first.pkid == 1 && second.pkid == 2)
  }

  @Test(arguments: TransactionForm.allCases)
  func rollbackToASavepoint_inABlock_undoesWhatObjectsKnow(_ form: TransactionForm) async throws {
    let (database, vessels) = (database, vessels)
    try await form.run(database) {
      let objects = (0..<5).map { Vessel("\($0)") }
      func known() -> [Int64?] { objects.map(\.pkid) }
      try vessels.insert(objects[0])
      try database.execute("SAVEPOINT `A b`")
      try vessels.insert(objects[1])
      try database.execute("SAVEPOINT inner")
      try database.transaction { try vessels.insert(objects[2]) }
      try database.execute("RELEASE SAVEPOINT inner")
      #expect(known() == [1, 2, 3, nil, nil])
      try database.execute("ROLLBACK TRANSACTION TO SAVEPOINT \"a B\" -- twice")
      #expect(known() == [1, nil, nil, nil, nil])
      try vessels.insert(objects[3])
      #expect(known() == [1, nil, nil, 2, nil])
      try database.execute("ROLLBACK TO 'a b'; RELEASE [A B]")
      #expect(known() == [1, nil, nil, nil, nil])
      try vessels.insert(objects[4])
      #expect(known() == [1, nil, nil, nil, 2])
    }
    #expect(try vessels.count() == 2)
  }

  @Test func rollbackToASavepoint_leavesTheHooksOfTheBlock() throws {
    try database.transaction {
      try database.execute("SAVEPOINT s")
      addHooks("block")
      try database.execute("ROLLBACK TO s")
    }
    #expect(log.entries == ["block committed"])
  }

  @Test func savepoints_thatNothingWaitsFor_areForgottenWithTheirTransaction() throws {
    try database.write {
      try database.execute("SAVEPOINT s")
      try database.execute("RELEASE s; BEGIN; SAVEPOINT s; COMMIT")
      try database.reading { connection in #expect(connection.plainActions.isEmpty) }
      try database.execute("SAVEPOINT s; ROLLBACK")
      try database.reading { connection in #expect(connection.plainActions.isEmpty) }
    }
  }
}
