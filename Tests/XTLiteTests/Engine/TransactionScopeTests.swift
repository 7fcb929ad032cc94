import Foundation
import Testing

@testable import XTLite

@Suite struct TransactionScopeTests {
  struct Failure: Error {}

  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(ConnectionSettings(path: folder.path("x.sqlite")))
    try connection.run("CREATE TABLE t (a UNIQUE)")
  }

  var rows: [XTValue] {
    get throws { try connection.rows("SELECT a FROM t ORDER BY a").map { $0[0] } }
  }

  func insert(_ value: XTValue) throws {
    try connection.run("INSERT INTO t VALUES (?)", [value])
  }

  @Test func inTransaction_bodyThrows_rollsBackAndThrowsTheSame() throws {
    #expect(throws: Failure.self) {
      try connection.inTransaction {
        try insert(1)
        throw Failure()
      }
    }
    #expect(try rows == [])
    #expect(!connection.isInTransaction)
  }

  @Test func inTransaction_insideAnother_rollsBackOnItsOwn() throws {
    try connection.inTransaction {
      try insert(1)
      #expect(throws: Failure.self) {
        try connection.inTransaction {
          try insert(2)
          try connection.inTransaction { try insert(3) }
          throw Failure()
        }
      }
      try connection.inTransaction { try insert(4) }
    }
    #expect(try rows == [1, 4])
  }

  @Test func inTransaction_commitFails_rollsBackAndThrowsTheReason() throws {
    try connection.executeScript(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED);
      """)
    let error = try #require(throws: XTError.self) {
      try connection.inTransaction {
        try insert(1)
        try connection.run("INSERT INTO c VALUES (9)")
      }
    }
    #expect(error.kind == .constraint(.foreignKey))
    #expect(try rows == [])
    #expect(!connection.isInTransaction)
    try connection.inTransaction { try insert(2) }
  }

  @Test func inTransaction_SQLiteRolledBack_keepsTheFirstErrorAndRunsNothingMore() throws {
    let error = try #require(throws: XTError.self) {
      try connection.inTransaction {
        try insert(1)
        try connection.inTransaction {
          #expect(throws: XTError.self) {
            try connection.run("INSERT OR ROLLBACK INTO t VALUES (1)")
          }
          #expect(!connection.isInTransaction)
        }
      }
    }
    #expect(error.kind == .constraint(.unique))
    #expect(try rows == [])
    try connection.inTransaction { try insert(2) }
    #expect(try rows == [2])
  }

  @Test func inTransaction_diskFull_isToldAndLeavesTheConnectionClean() throws {
    try connection.run("PRAGMA max_page_count = 10")
    let error = try #require(throws: XTError.self) {
      try connection.inTransaction {
        try insert(1)
        try insert(.blob(Data(count: 1_000_000)))
      }
    }
    #expect(error.kind == .diskFull)
    #expect(!connection.isInTransaction)
    #expect(try rows == [])
    try connection.inTransaction { try insert(2) }
  }

  @Test func transactionControl_asTextInsideAScope_isRefused() throws {
    try connection.inTransaction {
      try insert(1)
      for sql in ["COMMIT", "END", "ROLLBACK", "BEGIN", "/* x */ commit"] {
        #expect(throws: XTError.self) { try connection.run(sql) }
        #expect(throws: XTError.self) { try connection.executeScript(sql) }
      }
      try connection.executeScript(
        "SAVEPOINT a; INSERT INTO t VALUES (2); ROLLBACK TO a; RELEASE a")
    }
    #expect(try rows == [1])
    try connection.executeScript("BEGIN; INSERT INTO t VALUES (3); COMMIT")
    #expect(try rows == [1, 3])
  }

  @Test func requestRollback_innermostScope_undoesItWithoutAnError() throws {
    #expect(!connection.requestRollback())
    let result = try connection.inTransaction {
      try insert(1)
      try connection.inTransaction {
        try insert(2)
        #expect(connection.requestRollback())
      }
      return 7
    }
    #expect(result == 7)
    #expect(try rows == [1])
  }

  @Test func inReadTransaction_writes_areRefused() throws {
    try connection.inReadTransaction {
      for body in [
        { try insert(1) }, { try connection.inTransaction {} },
        { try connection.run("PRAGMA user_version = 3") },
        { try connection.executeScript("CREATE TABLE u (a)") },
      ] as [() throws -> Void] {
        let error = try #require(throws: XTError.self) { try body() }
        #expect(error.kind == .readOnly)
        #expect(error.hint?.contains("transaction { }") == true)
      }
      #expect(try rows == [])
    }
    try insert(2)
  }

  @Test func inReadTransaction_anotherWrites_seesOneSnapshot() throws {
    let other = try Connection(ConnectionSettings(path: connection.path))
    try connection.inReadTransaction {
      #expect(try rows == [])
      try other.run("INSERT INTO t VALUES (1)")
      #expect(try rows == [])
      let inner = try connection.inReadTransaction { try rows }
      #expect(inner == [])
    }
    #expect(try rows == [1])
  }

  @Test func inReadTransaction_insideATransaction_readsItsWritesAndRefusesOthers() throws {
    try connection.inTransaction {
      try insert(1)
      try connection.inReadTransaction {
        let seen = try rows
        #expect(seen == [1])
        #expect(throws: XTError.self) { try insert(2) }
      }
      try insert(3)
    }
    #expect(try rows == [1, 3])
  }

  @Test func actions_ofEachScope_runWhenTheirFateIsDecided() throws {
    var log: [String] = []
    func afterCommit(_ run: @escaping () -> Void) {
      connection.add(ScopeAction(moment: .afterCommit, run: run))
    }
    afterCommit { log.append("now") }
    connection.onRollback { log.append("never") }
    #expect(log == ["now"])
    try connection.inTransaction {
      afterCommit { log.append("outer commit") }
      try? connection.inTransaction {
        afterCommit { log.append("never") }
        connection.onRollback { log.append("inner rollback 1") }
        connection.onRollback { log.append("inner rollback 2") }
        throw Failure()
      }
      #expect(log == ["now", "inner rollback 2", "inner rollback 1"])
      try connection.inTransaction {
        afterCommit { log.append("inner commit") }
        connection.onRollback { log.append("never") }
      }
      #expect(log.count == 3)
    }
    #expect(log.dropFirst(3) == ["outer commit", "inner commit"])
    log = []
    try? connection.inTransaction {
      try connection.inTransaction { connection.onRollback { log.append("merged") } }
      throw Failure()
    }
    #expect(log == ["merged"])
  }

  @Test func schemaGeneration_changeAndRollback_moves() throws {
    var last = connection.schemaGeneration
    func moved() -> Bool {
      defer { last = connection.schemaGeneration }
      return connection.schemaGeneration != last
    }
    try insert(1)
    _ = try connection.rows("PRAGMA table_info(t)")
    #expect(!moved())
    try connection.run("CREATE TABLE u (a)")
    #expect(moved())
    try connection.executeScript("ALTER TABLE u ADD COLUMN b")
    #expect(moved())
    try? connection.inTransaction {
      try connection.run("DROP TABLE u")
      #expect(moved())
      throw Failure()
    }
    #expect(moved())
    try? connection.inTransaction {
      try insert(5)
      throw Failure()
    }
    #expect(!moved())
    try connection.executeScript("SAVEPOINT a; CREATE TABLE v (a)")
    _ = moved()
    try connection.executeScript("ROLLBACK TO a; RELEASE a")
    #expect(moved())
  }

  @Test func rollBackLeftover_plainBEGIN_endsIt() throws {
    try connection.executeScript("BEGIN; INSERT INTO t VALUES (1)")
    #expect(connection.rollBackLeftover() != nil)
    #expect(connection.rollBackLeftover() == nil)
    #expect(try rows == [])
  }

  @Test func cancel_statementAndTheNext_areInterrupted() throws {
    connection.cancel()
    let error = try #require(throws: XTError.self) { try insert(1) }
    #expect(error.kind == .interrupted)
    connection.resume()
    try insert(1)
    #expect(try rows == [1])
  }
}
