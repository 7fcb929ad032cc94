import Foundation
import Testing

@testable import XTLite

/// What is heard of a transaction object.
@Suite struct TransactionMonitorTests {
  let test: TestDatabase
  let ears: Ears

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 0.1 }
    try test.table(Monitored.self).insertList([Monitored(name: "a")])
    ears = Ears(test, [.errors, .statements, .performance])
  }

  @Test func beginToCommit_isHeardCallByCall() throws {
    let transaction = try test.database.begin()
    try transaction.savepoint { _ = try transaction.execute("DELETE FROM Monitored") }
    try transaction.commit()
    let events = ears.take()
    #expect(
      events.statements.map(\.sql) == [
        "BEGIN IMMEDIATE", "SAVEPOINT xt_scope", "DELETE FROM Monitored", "RELEASE xt_scope",
        "COMMIT",
      ])
    #expect(
      events.performances.filter { !$0.isNested }.map(\.call)
        == [.transaction, .transaction, .transaction])
    #expect(events.performances.allSatisfy { !$0.hasFailed })
    #expect(events.errors.isEmpty)
    #expect(test.database.statistics.committedTransactions == 2)
    expectClean(test.database)
  }

  @Test func failures_areHeardOnce() throws {
    let transaction = try test.database.begin()
    #expect(throws: XTError.self) { try test.database.write {} }
    #expect(throws: XTError.self) {
      try transaction.savepoint { _ = try transaction.execute("INSERT INTO nowhere VALUES (1)") }
    }
    #expect(throws: XTError.self) {
      try transaction.savepoint { try transaction.commit() }
    }
    try transaction.rollback()
    #expect(throws: XTError.self) { try transaction.commit() }
    #expect(throws: XTError.self) { try transaction.table(Monitored.self).count() }
    let kinds = ears.take().errors.map(\.kind)
    #expect(kinds == [.locked, .schema, .locked, .closed, .closed])
    expectClean(test.database)
  }

  @Test func commitThatFails_isHeardWithItsReason() throws {
    try test.database.executeScript(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED);
      """)
    _ = ears.take()
    let transaction = try test.database.begin()
    try transaction.execute("INSERT INTO c VALUES (9)")
    #expect(throws: XTError.self) { try transaction.commit() }
    let events = ears.take()
    #expect(events.errors.map(\.kind) == [.constraint(.foreignKey)])
    #expect(events.performances.map(\.hasFailed) == [false, false, true])
    #expect(events.statements.map(\.sql).last == "ROLLBACK")
    expectClean(test.database)
  }

  @Test func listener_mayUseTheDatabaseWhileATransactionIsOpen() throws {
    let test = test
    let counts = Mutex<[Int]>([])
    let listening = XTMonitor.listen(to: test.database, for: .statements) { _ in
      let count = (try? test.table(Monitored.self).count()) ?? -1
      counts.withLock { $0.append(count) }
    }
    let transaction = try test.database.begin()
    try transaction.execute("DELETE FROM Monitored")
    try transaction.commit()
    listening.cancel()
    // The last is told when the commit has been made.
    #expect(counts.withLock { $0 } == [1, 1, 0])
    expectClean(test.database)
  }

  @Test func measured_countsItsCalls() throws {
    let (_, cost) = try test.database.measured {
      let transaction = try test.database.begin()
      try transaction.execute("DELETE FROM Monitored")
      try transaction.commit()
    }
    #expect(cost.statements.map(\.sql) == ["BEGIN IMMEDIATE", "DELETE FROM Monitored", "COMMIT"])
  }
}
