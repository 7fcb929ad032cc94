import Foundation
import Testing

@testable import XTLite

@Suite struct RetryTests {
  struct Failure: Error {}

  let test: TestDatabase
  let other: Connection
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 0 }
    try test.database.execute("CREATE TABLE t (a)")
    other = try Connection(ConnectionSettings(path: test.path))
  }

  func insert(_ value: Int) throws {
    try database.execute("INSERT INTO t VALUES (\(value))")
  }

  @Test func transaction_lockedOnce_runsAgain() throws {
    let log = try test.statements {
      try other.run("BEGIN IMMEDIATE")
      nonisolated(unsafe) let other = other
      Thread {
        Thread.sleep(forTimeInterval: 0.03)
        _ = try? other.executeScript("INSERT INTO t VALUES (1); COMMIT")
      }.start()
      let value = try database.transaction(retries: 100) {
        try insert(2)
        return 5
      }
      #expect(value == 5)
    }
    #expect(log.count { $0 == "BEGIN IMMEDIATE" } > 1)
    #expect(try test.seen("SELECT a FROM t") == ["1", "2"])
  }

  @Test func transaction_commitIsLocked_undoesTheFirstAttempt() throws {
    let plain = try TestDatabase {
      $0.journalMode = .delete
      $0.busyTimeout = 0
    }
    try plain.database.execute("CREATE TABLE t (a)")
    let reader = try plain.reader()
    try reader.executeScript("BEGIN; SELECT * FROM sqlite_master")
    var runs = 0
    try plain.database.transaction(retries: 2) {
      runs += 1
      try plain.database.execute("INSERT INTO t VALUES (\(runs))")
      // It keeps the first commit from its end, and is gone at the second.
      if runs == 2 { try reader.run("COMMIT") }
    }
    #expect(runs == 2)
    #expect(try plain.seen("SELECT a FROM t") == ["2"])
  }

  @Test(arguments: [0, 2, -1])
  func transaction_staysLocked_throwsLockedAfterThatManyRetries(_ retries: Int) throws {
    try other.run("BEGIN IMMEDIATE")
    let log = try test.statements {
      let error = try #require(throws: XTError.self) {
        try database.transaction(retries: retries) { try insert(1) }
      }
      #expect(error.kind == .locked)
    }
    #expect(log == Array(repeating: "BEGIN IMMEDIATE", count: max(retries, 0) + 1))
    try other.run("COMMIT")
    try database.transaction(retries: retries) { try insert(1) }
    #expect(try test.seen("SELECT a FROM t") == ["1"])
  }

  @Test func transaction_turnOfAnotherThread_isTriedAgainToo() throws {
    let (isInside, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread { [database] in
      try? database.write {
        isInside.signal()
        mayEnd.wait()
      }
    }.start()
    isInside.wait()
    let error = try #require(throws: XTError.self) { try database.transaction { try insert(1) } }
    #expect(error.kind == .locked)
    Thread {
      Thread.sleep(forTimeInterval: 0.03)
      mayEnd.signal()
    }.start()
    try database.transaction(retries: 100) { try insert(1) }
    #expect(try test.seen("SELECT a FROM t") == ["1"])
  }

  @Test func transaction_ownErrors_comeOutAtOnce() throws {
    var runs = 0
    #expect(throws: Failure.self) {
      try database.transaction(retries: 5) {
        runs += 1
        try insert(1)
        throw Failure()
      }
    }
    let error = try #require(throws: XTError.self) {
      try database.transaction(retries: 5) {
        runs += 1
        try database.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(error.kind == .schema)
    // The lock of another database is not this one's.
    let another = try TestDatabase { $0.busyTimeout = 0 }
    let its = try Connection(ConnectionSettings(path: another.path))
    try its.run("BEGIN IMMEDIATE")
    let locked = try #require(throws: XTError.self) {
      try database.transaction(retries: 5) {
        runs += 1
        try another.database.transaction {}
      }
    }
    #expect(locked.kind == .locked)
    #expect(runs == 3)
    #expect(try test.seen("SELECT a FROM t") == [])
  }

  /// What no wait can make possible.
  static let misuses: [@Sendable (XTDatabase) throws -> Void] = [
    { try $0.vacuum() }, { _ = try $0.begin() }, { try $0.close() }, { try $0.suspend() },
    { try $0.checkpoint(.full) }, { try $0.whileClosed { _ in } },
    { database in
      // A table can't go while its rows are read.
      try database.reading { connection in
        try connection.run("INSERT INTO t VALUES (1), (2)")
        try connection.withStatement("SELECT a FROM t") { statement in
          _ = try statement.step()
          try connection.run("DROP TABLE t")
        }
      }
    },
  ]

  @Test(arguments: misuses.indices)
  func transaction_refusalInside_comesOutAtOnce(index: Int) async throws {
    let (database, runs) = (database, Mutex(0))
    let sync = #expect(throws: XTError.self) {
      try database.transaction(retries: 3) {
        runs.withLock { $0 += 1 }
        try Self.misuses[index](database)
      }
    }
    let async = await #expect(throws: XTError.self) {
      try await database.transaction(retries: 3) {
        runs.withLock { $0 += 1 }
        try Self.misuses[index](database)
      }
    }
    #expect(sync?.kind == .locked && async?.kind == .locked)
    #expect(runs.withLock { $0 } == 2)
  }

  @Test func transaction_insideAnother_isOneAttempt() throws {
    var runs = 0
    let error = try #require(throws: XTError.self) {
      try database.transaction {
        try database.transaction(retries: 5) {
          runs += 1
          throw XTError(.locked, "as if", path: database.path, code: SQLITE_BUSY)
        }
      }
    }
    #expect(error.kind == .locked && runs == 1)
    #expect(throws: XTError.self) {
      try database.write {
        try database.transaction(retries: 2) {
          runs += 1
          throw XTError(.locked, "as if", path: database.path, code: SQLITE_BUSY)
        }
      }
    }
    #expect(runs == 4)
  }

  @Test func asyncTransaction_lockedOnce_runsAgainAndGivesTheValue() async throws {
    try other.run("BEGIN IMMEDIATE")
    nonisolated(unsafe) let other = other
    Thread {
      Thread.sleep(forTimeInterval: 0.03)
      _ = try? other.executeScript("COMMIT")
    }.start()
    let database = database
    let value = try await database.transaction(retries: 100) {
      try database.execute("INSERT INTO t VALUES (1)")
      return [7]
    }
    #expect(value == [7])
    #expect(try test.seen("SELECT a FROM t") == ["1"])
  }

  @Test func asyncTransaction_ownErrorOrCancellation_comesOutAtOnce() async throws {
    let database = database
    let runs = Mutex(0)
    await #expect(throws: Failure.self) {
      try await database.transaction(retries: 5) {
        runs.withLock { $0 += 1 }
        throw Failure()
      }
    }
    #expect(runs.withLock { $0 } == 1)
    try other.run("BEGIN IMMEDIATE")
    let task = Task {
      try await database.transaction(retries: .max) { runs.withLock { $0 += 1 } }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(runs.withLock { $0 } == 1)
  }
}
