import Foundation
import Testing

@testable import XTLite

/// A cancelled task, in each async form: what it gets, and what it leaves to the others.
@Suite struct AsyncCancellingTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try .ofAsyncForms()
  }

  var count: [String] {
    get throws { try test.seen("SELECT count(*) FROM t") }
  }

  @Test(arguments: AsyncForm.cancellable)
  func cancelledStatement_endsItsBlockAndLeavesTheConnectionClean(_ form: AsyncForm) async throws {
    let test = try TestDatabase { $0.maximumReaders = 1 }
    let database = test.database
    try database.executeScript("CREATE TABLE t (a)")
    let endless = XTSQL(unsafe: AsyncTests.endless)
    let started = Flag()
    for _ in 0..<3 {
      started.set(false)
      let task = Task {
        try await form.run(database, isolation: OneThreadActor()) {
          if form != .read { try database.execute("INSERT INTO t VALUES (1)") }
          started.set(true)
          _ = try database.anyFunc(sql: endless)
        }
      }
      while !started.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
      try await Task.sleep(nanoseconds: 5_000_000)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      expectClean(database)
      // The same connections.
      #expect(try await database.read { try database.anyFunc(sql: "SELECT 7") } == 7)
      try await database.transaction { _ = try database.execute("DELETE FROM t WHERE a = 2") }
    }
    // What a write block did stands, statement by statement.
    #expect(try test.seen("SELECT count(*) FROM t") == [form == .write ? "3" : "0"])
    #expect(database.core.readers.counts.open == 1)
  }

  @Test func cancelledRead_disturbsNobodyElseOnItsConnection() async throws {
    let test = try TestDatabase { $0.maximumReaders = 1 }
    let database = test.database
    let count = XTSQL(
      unsafe: "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000)"
        + " SELECT count(*) FROM n")
    var wasCancelled = 0
    for round in 0..<150 {
      let victim = Task {
        try await database.read { try database.anyFunc(sql: count) }
      }
      let others = (0..<2).map { _ in
        Task { try await database.read { try database.anyFunc(sql: count) } }
      }
      try await Task.sleep(nanoseconds: UInt64(round * 40_000))
      victim.cancel()
      for other in others { #expect(try await other.value == 20000) }
      #expect(try database.anyFunc(sql: count) == 20000)
      switch await victim.result {
      case .success(let value): #expect(value == 20000)
      case .failure(let error):
        #expect(error is CancellationError)
        wasCancelled += 1
      }
    }
    #expect(wasCancelled > 0)
    expectClean(database)
  }

  @Test(arguments: [AsyncForm.transaction, .savepoint, .inPlace, .begin])
  func cancelledWhileAnotherProcessHasTheLock_stopsWaiting(_ form: AsyncForm) async throws {
    let database = database
    let other = try Connection(ConnectionSettings(path: test.path))
    try other.run("BEGIN IMMEDIATE")
    let before = try Self.busyWaits(of: database)
    let task = Task { try await form.run(database, "DELETE FROM t") }
    while try Self.busyWaits(of: database) == before {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    expectClean(database)
    try other.run("ROLLBACK")
    try await form.run(database, "INSERT INTO t VALUES (1)")
    #expect(try count == ["1"])
  }

  private static func busyWaits(of database: XTDatabase) throws -> Int {
    database.core.ledger[.busyWaits]
  }

  @MainActor @Test func inPlace_whileAnotherProcessHasTheLock_leavesItsExecutorFree() async throws {
    let database = database
    nonisolated(unsafe) let other = try Connection(ConnectionSettings(path: test.path))
    try other.run("BEGIN IMMEDIATE")
    let task = Task { @MainActor in
      try await database.inPlace { _ = try database.execute("INSERT INTO t VALUES (1)") }
    }
    while try Self.busyWaits(of: database) == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
    // This could not be done while the main actor waits.
    try other.run("ROLLBACK")
    try await task.value
    #expect(try count == ["1"])
    expectClean(database)
  }

  @Test func inPlace_whileAnotherProcessHasTheLockForTooLong_throwsLocked() async throws {
    let test = try TestDatabase { $0.busyTimeout = 0.1 }
    try test.database.executeScript("CREATE TABLE t (a)")
    let other = try Connection(ConnectionSettings(path: test.path))
    try other.run("BEGIN IMMEDIATE")
    let ran = Flag()
    let error = try await #require(throws: XTError.self) {
      try await test.database.inPlace { ran.set(true) }
    }
    #expect(error.kind == .locked)
    #expect(error.sql == "BEGIN IMMEDIATE")
    #expect(!ran.isSet)
    expectClean(test.database)
  }

  @Test(arguments: [true, false])
  func inPlace_thatWaitsForAnotherProcess_isReportedOnce(getsLock: Bool) async throws {
    let test = try TestDatabase { $0.busyTimeout = getsLock ? 900 : 0.1 }
    try test.database.executeScript("CREATE TABLE t (a)")
    let database = test.database
    nonisolated(unsafe) let other = try Connection(ConnectionSettings(path: test.path))
    try other.run("BEGIN IMMEDIATE")
    let ears = Ears(test, [.performance, .errors])
    let task = Task {
      try await database.inPlace { _ = try database.execute("INSERT INTO t VALUES (1)") }
    }
    if getsLock {
      while try Self.busyWaits(of: database) < 4 { try await Task.sleep(nanoseconds: 1_000_000) }
      try other.run("ROLLBACK")
      try await task.value
    } else {
      await #expect(throws: XTError.self) { try await task.value }
    }
    let heard = ears.take()
    let outermost = heard.performances.filter { !$0.isNested }
    #expect(outermost.map(\.hasFailed) == [!getsLock])
    #expect(heard.errors.map(\.kind) == (getsLock ? [] : [.locked]))
    #expect(database.statistics.errors == (getsLock ? 0 : 1))
    expectClean(database)
  }

  @Test(arguments: AsyncForm.allCases)
  func cancelledInLineOrBefore_doesNotRun(_ form: AsyncForm) async throws {
    let database = database
    let holder = WriterHolder(database)
    let release = Flag()
    let readers = (0..<(form == .read ? 2 : 0)).map { _ in
      Task { try await database.read { while !release.isSet { usleep(1000) } } }
    }
    while database.core.readers.counts.lent < readers.count {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    let sql: XTSQL = form == .read ? "SELECT 1" : "INSERT INTO t VALUES (1)"
    let tasks = (0..<3).map { number in
      Task {
        // One of them is cancelled before it asks.
        if number == 0 { try? await Task.sleep(nanoseconds: 600_000_000_000) }
        try await form.run(database, sql)
      }
    }
    let pool = form == .read ? database.core.readers : database.core.writers
    while pool.waiting < 2 { try await Task.sleep(nanoseconds: 1_000_000) }
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(pool.waiting == 0)
    release.set(true)
    holder.release()
    for reader in readers { try await reader.value }
    try await form.run(database, sql)
    #expect(try count == [form == .read ? "0" : "1"])
    expectClean(database)
  }

  @Test func cancelledAfterItsEnd_changesNothing() async throws {
    let database = database
    let isDone = Flag()
    let task = Task {
      let transaction = try await database.begin()
      try transaction.execute("INSERT INTO t VALUES (1)")
      isDone.set(true)
      try? await Task.sleep(nanoseconds: 600_000_000_000)
      // The object is no block: its calls are the task's own, and go on.
      try transaction.execute("INSERT INTO t VALUES (2)")
      try transaction.commit()
    }
    while !isDone.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    task.cancel()
    try await task.value
    #expect(try count == ["2"])
  }

  @Test func ownErrorOfACancelledBlock_comesOut() async throws {
    struct Failure: Error {}
    let database = database
    let started = Flag()
    let task = Task {
      try await database.transaction {
        try database.execute("INSERT INTO t VALUES (1)")
        started.set(true)
        do { try database.executeScript(AsyncTests.endless) } catch { throw Failure() }
      }
    }
    while !started.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    task.cancel()
    await #expect(throws: Failure.self) { try await task.value }
    #expect(try count == ["0"])
    expectClean(database)
  }

  @Test func cancelling_manyOfAllFormsAtRandom_leavesTheDatabaseUsable() async throws {
    let database = database
    for round in 0..<40 {
      let tasks = (0..<12).map { number in
        Task {
          let form = AsyncForm.allCases[number % AsyncForm.allCases.count]
          if form == .read {
            try await form.run(database, "SELECT count(*) FROM t")
          } else {
            try await form.run(
              database,
              """
              INSERT INTO t WITH RECURSIVE n(x) AS
              (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 100) SELECT x FROM n
              """)
          }
        }
      }
      try await Task.sleep(nanoseconds: UInt64(round * 100_000))
      for task in tasks { task.cancel() }
      for task in tasks {
        if case .failure(let error) = await task.result { #expect(error is CancellationError) }
      }
      expectClean(database)
      let rows = try #require(try database.anyFunc(sql: "SELECT count(*) FROM t")?.int64)
      #expect(rows % 100 == 0)
    }
    try await database.inPlace { _ = try database.execute("INSERT INTO t VALUES (1)") }
  }
}
