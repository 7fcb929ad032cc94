import Foundation
import Testing

@testable import XTLite

@Suite struct HookTests {
  struct Failure: Error {}

  let test: TestDatabase
  let log = Log()
  var database: XTDatabase { test.database }

  /// What happened, in order.
  final class Log: Sendable {
    private let list = Mutex<[String]>([])

    func add(_ entry: String) { list.withLock { $0.append(entry) } }
    var entries: [String] { list.withLock { $0 } }
  }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 600 }
    try database.executeScript(
      """
      CREATE TABLE t (a UNIQUE);
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED);
      """)
  }

  var rows: [String] {
    get throws { try test.seen("SELECT a FROM t ORDER BY a") }
  }

  /// Hooks that use the database, and say what they find in the file.
  func addHooks(_ name: String = "") {
    let (test, log) = (test, log)
    func note(_ entry: String) {
      do {
        let before = try test.seen("SELECT a FROM t WHERE a < 100 ORDER BY a")
        try test.database.transaction {
          try test.database.executeScript("INSERT INTO t VALUES (100 + abs(random() % 1000000))")
        }
        log.add("\(name)\(entry) \(before)")
      } catch {
        log.add("\(error)")
      }
    }
    database.afterCommit { note("committed") }
    database.afterRollback { note("rolled back") }
  }

  // MARK: Each way to end

  @Test(arguments: TransactionForm.allCases)
  func commit_runsAfterCommitAlone(_ form: TransactionForm) async throws {
    let database = database
    try await form.run(database) {
      try database.executeScript("INSERT INTO t VALUES (1)")
      addHooks()
    }
    #expect(log.entries == ["committed [\"1\"]"])
    #expect(try rows.count == 2)
    expectClean(database)
  }

  enum End: String, CaseIterable { case error, request, commitFails, ownRollback, swallowed }

  @Test(arguments: TransactionForm.allCases, End.allCases)
  func rollback_runsAfterRollbackAlone(_ form: TransactionForm, _ end: End) async throws {
    let database = database
    if end == .request && !form.isBlock { return }
    let result = await Result.of {
      try await form.run(database) {
        try database.executeScript("INSERT INTO t VALUES (1)")
        addHooks()
        switch end {
        case .error: throw Failure()
        case .request: try database.rollback()
        case .commitFails: try database.executeScript("INSERT INTO c VALUES (9)")
        case .ownRollback: try database.executeScript("INSERT OR ROLLBACK INTO t VALUES (1)")
        case .swallowed: _ = try? database.executeScript("INSERT OR ROLLBACK INTO t VALUES (1)")
        }
      }
    }
    switch (end, result) {
    case (.request, .success): break
    case (.error, .failure(let error)): #expect(error is Failure)
    case (.commitFails, .failure(let error)):
      #expect((error as? XTError)?.kind == .constraint(.foreignKey))
    case (.ownRollback, .failure(let error)), (.swallowed, .failure(let error)):
      #expect((error as? XTError)?.kind == .constraint(.unique))
    default: Issue.record("\(result)")
    }
    #expect(log.entries == ["rolled back []"])
    #expect(try rows.count == 1)
    expectClean(database)
  }

  @Test(arguments: TransactionForm.cancellable)
  func cancelledTask_runsAfterRollbackAlone(_ form: TransactionForm) async throws {
    let database = database
    let started = Flag()
    let task = Task {
      try await form.run(database) {
        try database.executeScript("INSERT INTO t VALUES (1)")
        addHooks()
        // One of a block that rolled back before the task's own.
        try? database.transaction {
          addHooks("inner ")
          started.set(true)
          try database.executeScript(AsyncTests.endless)
        }
      }
    }
    while !started.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.entries == ["inner rolled back []", "rolled back []"])
    #expect(try rows.count == 1)
    expectClean(database)
  }

  @Test func cancelledWriteBlock_hookOfATransactionInside_usesTheDatabase() async throws {
    let database = database
    let started = Flag()
    let task = Task {
      try await database.write {
        try database.transaction {
          addHooks()
          started.set(true)
          try database.executeScript(AsyncTests.endless)
        }
      }
    }
    while !started.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.entries == ["rolled back []"])
    #expect(try rows.count == 1)
    expectClean(database)
  }

  // MARK: Blocks in blocks

  @Test(arguments: TransactionForm.allCases)
  func innerBlock_itsHooksShareItsFate(_ form: TransactionForm) async throws {
    let (database, log) = (database, log)
    @Sendable func add(_ name: String) {
      database.afterCommit { log.add("\(name) committed") }
      database.afterRollback { log.add("\(name) rolled back") }
    }
    let body: @Sendable (Bool) throws -> Void = { fails in
      add("outer")
      try? database.transaction {
        add("failing")
        try database.savepoint { add("kept in failing") }
        throw Failure()
      }
      log.add("after failing")
      try database.transaction {
        add("asking")
        try database.rollback()
      }
      try database.savepoint { add("inner") }
      add("last")
      log.add("end")
      if fails { throw Failure() }
    }
    try await form.run(database) { try body(false) }
    let start = [
      "kept in failing rolled back", "failing rolled back", "after failing",
      "asking rolled back", "end",
    ]
    #expect(log.entries == start + ["outer committed", "inner committed", "last committed"])
    await #expect(throws: Failure.self) { try await form.run(database) { try body(true) } }
    let end = ["last rolled back", "inner rolled back", "outer rolled back"]
    #expect(Array(log.entries.dropFirst(8)) == start + end)
    expectClean(database)
  }

  @Test func innerBlock_whereSQLiteEndedAll_hooksWaitUntilTheDatabaseIsUsable() throws {
    #expect(throws: Failure.self) {
      try database.transaction {
        addHooks("outer ")
        try? database.transaction {
          addHooks("inner ")
          try database.executeScript(
            "INSERT INTO t VALUES (1); INSERT OR ROLLBACK INTO t VALUES (1)")
        }
        #expect(log.entries == [])
        throw Failure()
      }
    }
    #expect(log.entries == ["inner rolled back []", "outer rolled back []"])
    #expect(try rows.count == 2)
    expectClean(database)
  }

  @Test func objects_haveForgottenWhatWasRolledBack_whenHooksRun() throws {
    final class Ship: XTModel {
      var name = ""
    }
    let ship = Ship()
    let ships = test.table(Ship.self)
    var pkid: Int64? = 0
    try database.transaction {
      try ships.insert(ship)
      database.afterRollback { pkid = ship.pkid }
      #expect(ship.pkid == 1)
      try database.rollback()
    }
    #expect(pkid == nil)
  }

  // MARK: Outside of transactions

  @Test func outsideOfATransaction_afterCommitRunsAtOnce() throws {
    addHooks()
    #expect(log.entries == ["committed []"])
    try database.write { addHooks() }
    try database.asCurrent { addHooks() }
    #expect(log.entries.count == 3)
    try database.executeScript("DELETE FROM t; INSERT INTO t VALUES (1)")
    for _ in 0..<2 {
      try database.table(Row.self).forEach(where: "a > 0") { _ in
        addHooks()
        log.add("row")
      }
    }
    let row = ["committed [\"1\"]", "row"]
    #expect(Array(log.entries.dropFirst(3)) == row + row + row)
    expectClean(database)
  }

  private struct Row: XTModel {
    var a = 0
    static var xt_tableName: String { "t" }
  }

  @Test func readBlock_afterCommitRunsAtItsEnd() throws {
    try database.read {
      addHooks()
      #expect(log.entries == [])
    }
    #expect(log.entries == ["committed []"])
    #expect(throws: Failure.self) {
      try database.read {
        addHooks()
        throw Failure()
      }
    }
    #expect(log.entries.last == "rolled back []")
    #expect(try rows.count == 2)
    expectClean(database)
  }

  @Test func otherDatabase_itsBlocksHaveHooksOfTheirOwn() throws {
    let other = try XTDatabase.inMemory()
    let log = log
    try database.transaction {
      try other.transaction {
        database.afterCommit { log.add("first") }
        other.afterCommit { log.add("other") }
      }
      log.add("end")
    }
    #expect(log.entries == ["other", "end", "first"])
  }

  @Test func hooksInHooks_runAtOnce() throws {
    let (database, log) = (database, log)
    try database.transaction {
      database.afterCommit {
        database.afterCommit { log.add("at once") }
        log.add("then")
        try? database.transaction {
          database.afterCommit { log.add("of its own") }
          try database.executeScript("INSERT INTO t VALUES (1)")
        }
      }
    }
    #expect(log.entries == ["at once", "then", "of its own"])
    #expect(try rows == ["1"])
  }

  // MARK: Where and when

  @Test func hooks_runOnTheThreadOfTheBlock_withItsDatabaseAsTheCurrentOne() async throws {
    let database = database
    let thread = Mutex<Thread?>(nil)
    let isRight = Flag()
    @Sendable func note() {
      thread.withLock { $0 = Thread.current }
      database.afterCommit {
        let isSame = thread.withLock { $0 } == Thread.current
        let isCurrent = (try? XTDatabase.current()) === database
        isRight.set(isSame && isCurrent)
      }
    }
    for form in TransactionForm.allCases where form.isBlock {
      isRight.set(false)
      try await form.run(database) { note() }
      #expect(isRight.isSet, "\(form)")
    }
  }

  @Test func hooks_ofManyThreads_runInTheOrderOfTheCommits() throws {
    let (database, log) = (database, log)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<25 {
        try? database.transaction {
          try database.executeScript("INSERT INTO t SELECT count(*) FROM t")
          let number = try database.anyFunc(sql: "SELECT max(a) FROM t")?.int64 ?? -1
          database.afterCommit { log.add("\(number)") }
        }
      }
    }
    #expect(log.entries == (0..<200).map(String.init))
  }

  // MARK: Transactions of begin()

  @Test func begun_hooksOfTheObjectAndOfItsBlocks_runInOrderWhereItEnds() throws {
    let (database, log) = (database, log)
    for ending in 0..<3 {
      var transaction: XTTransaction? = try database.begin()
      for name in ["a", "c"] {
        transaction?.afterCommit { log.add("\(name) committed") }
        transaction?.afterRollback { log.add("\(name) rolled back") }
        if name == "c" { break }
        try transaction?.savepoint { [transaction] in
          database.afterCommit { log.add("b committed") }
          transaction?.afterRollback { log.add("b rolled back") }
        }
        try? transaction?.savepoint { [transaction] in
          transaction?.afterCommit { log.add("never") }
          throw Failure()
        }
      }
      switch ending {
      case 0: try transaction?.commit()
      case 1: try transaction?.rollback()
      default: transaction = nil
      }
    }
    let rolledBack = ["c rolled back", "b rolled back", "a rolled back"]
    #expect(
      log.entries == ["a committed", "b committed", "c committed"] + rolledBack + rolledBack)
    expectClean(database)
  }

  @Test func begun_hooks_useTheDatabaseWithoutWaiting() throws {
    for ending in 0..<3 {
      var transaction: XTTransaction? = try database.begin()
      try transaction?.execute("INSERT INTO t VALUES (\(ending))")
      try transaction?.asCurrent { addHooks() }
      switch ending {
      case 0: try transaction?.commit()
      case 1: try transaction?.rollback()
      default: transaction = nil
      }
      expectClean(database)
    }
    let end = "rolled back [\"0\"]"
    #expect(log.entries == ["committed [\"0\"]", end, end])
    #expect(try rows.count == 4)
  }

  @Test func begun_hooksAfterItsEnd_runAtOnceOrNever() throws {
    let (database, log) = (database, log)
    for commits in [true, false] {
      let transaction = try database.begin()
      if commits { try transaction.commit() } else { try transaction.rollback() }
      transaction.afterCommit { log.add("committed") }
      transaction.afterRollback { log.add("rolled back") }
    }
    #expect(log.entries == ["committed", "rolled back"])
    let transaction = try database.begin()
    try transaction.execute("INSERT INTO c VALUES (9)")
    #expect(throws: XTError.self) { try transaction.commit() }
    transaction.afterCommit { log.add("never") }
    transaction.afterRollback { log.add("rolled back") }
    #expect(log.entries.count == 3)
    expectClean(database)
  }

  @Test func begun_hooksWhileAnotherThreadsCallRuns_waitForNobody() throws {
    let (database, log) = (database, log)
    let transaction = try database.begin()
    let (inside, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    Thread {
      try? transaction.savepoint {
        inside.signal()
        release.wait()
      }
      done.signal()
    }.start()
    inside.wait()
    transaction.afterCommit { log.add("committed") }
    transaction.afterRollback { log.add("never") }
    release.signal()
    done.wait()
    try transaction.commit()
    #expect(log.entries == ["committed"])
  }
}

extension Result where Failure == any Error, Success: Sendable {
  /// What `body` came to.
  static func of(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
