import Foundation
import Testing

@testable import XTLite

/// What a transaction that failed says, and what it leaves behind: in each form of one, for each way
/// to fail.
@Suite struct TransactionTruthTests {
  struct Failure: Error {}

  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 600 }
    try Self.fill(database)
  }

  static func fill(_ database: XTDatabase) throws {
    try database.executeScript(
      """
      CREATE TABLE t (a UNIQUE);
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TABLE big (a);
      CREATE TRIGGER refuses BEFORE INSERT ON t WHEN NEW.a = 66 BEGIN
        SELECT RAISE(ROLLBACK, 'sixty-six');
      END;
      """)
  }

  var rows: [String] {
    get throws { try test.seen("SELECT a FROM t ORDER BY a") }
  }

  /// A statement whose failure ends the transaction: SQLite's doing.
  enum Abort: CaseIterable {
    case trigger, conflict, full, interrupt

    var kind: XTError.Kind {
      switch self {
      case .trigger: .constraint(.trigger)
      case .conflict: .constraint(.unique)
      case .full: .diskFull
      case .interrupt: .interrupted
      }
    }

    func run(_ database: XTDatabase) throws {
      switch self {
      case .trigger: try database.executeScript("INSERT INTO t VALUES (66)")
      case .conflict: try database.executeScript("INSERT OR ROLLBACK INTO t VALUES (1)")
      case .full:
        defer { _ = try? database.executeScript("PRAGMA max_page_count = 1000000") }
        try database.executeScript("PRAGMA max_page_count = 20")
        try database.executeScript("INSERT INTO big VALUES (zeroblob(1000000))")
      case .interrupt:
        // One that comes while the statement is prepared ends that alone.
        while true {
          do { try interrupted(database) } catch {
            if (try? database.anyFunc(sql: "SELECT 1")) == nil { throw error }
          }
        }
      }
    }

    private func interrupted(_ database: XTDatabase) throws {
      let isDone = Flag()
      let hasEnded = DispatchSemaphore(value: 0)
      defer {
        isDone.set(true)
        hasEnded.wait()
      }
      Thread {
        while !isDone.isSet {
          usleep(5000)
          database.interrupt()
        }
        hasEnded.signal()
      }.start()
      try database.executeScript(
        "INSERT INTO big WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
          + " SELECT x FROM n WHERE x < 0")
    }
  }

  /// The error that comes out of a transaction whose block inserts a row and then does `rest`; no
  /// row is left, and the next transaction works.
  func error(
    in form: TransactionForm, sourceLocation: SourceLocation = #_sourceLocation,
    _ rest: @escaping @Sendable () throws -> Void
  ) async throws -> (any Error)? {
    let database = database
    let result = await Result.of {
      try await form.run(database) {
        try database.executeScript("INSERT INTO t VALUES (1)")
        try rest()
      }
    }
    expectClean(database, sourceLocation: sourceLocation)
    #expect(try rows == [], sourceLocation: sourceLocation)
    try await form.run(database) { _ = try database.executeScript("INSERT INTO t VALUES (2)") }
    #expect(try rows == ["2"], sourceLocation: sourceLocation)
    guard case .failure(let error) = result else { return nil }
    return error
  }

  // MARK: Errors of the caller

  @Test(arguments: TransactionForm.allCases)
  func ownError_comesOut(_ form: TransactionForm) async throws {
    let error = try await error(in: form) { throw Failure() }
    #expect(error is Failure)
  }

  @Test(arguments: TransactionForm.allCases, Abort.allCases)
  func ownError_afterAnErrorThatWasSwallowed_comesOut(
    _ form: TransactionForm, _ abort: Abort
  ) async throws {
    let database = database
    let error = try await error(in: form) {
      try? abort.run(database)
      throw Failure()
    }
    #expect(error is Failure)
  }

  // MARK: SQLite rolled back by itself

  @Test(arguments: TransactionForm.allCases, Abort.allCases)
  func abort_itsErrorComesOut(_ form: TransactionForm, _ abort: Abort) async throws {
    let database = database
    let error = try await error(in: form) { try abort.run(database) }
    #expect((error as? XTError)?.kind == abort.kind)
  }

  @Test(arguments: TransactionForm.allCases, [Abort.trigger, .conflict, .interrupt])
  func abort_swallowed_nothingMoreRunsAndTheFirstErrorComesOut(
    _ form: TransactionForm, _ abort: Abort
  ) async throws {
    let database = database
    let error = try await error(in: form) {
      try? abort.run(database)
      let calls: [() throws -> Void] = [
        { try database.executeScript("INSERT INTO t VALUES (3)") },
        { try database.transaction { _ = try database.execute("INSERT INTO t VALUES (3)") } },
        { try database.transaction {} }, { try database.savepoint { try database.rollback() } },
        { _ = try database.anyFunc(sql: "SELECT count(*) FROM t") },
        { try database.executeScript("INSERT INTO nowhere VALUES (3)") },
      ]
      for call in calls {
        let error = #expect(throws: XTError.self) { try call() }
        #expect(error?.kind == abort.kind)
      }
    }
    #expect((error as? XTError)?.kind == abort.kind)
  }

  @Test(arguments: TransactionForm.allCases, [Abort.trigger, .conflict, .interrupt])
  func abort_inBlocksThatSwallowIt_undoesAllOfThem(
    _ form: TransactionForm, _ abort: Abort
  ) async throws {
    let database = database
    let error = try await error(in: form) {
      try? database.transaction {
        try database.executeScript("INSERT INTO t VALUES (3)")
        try? database.savepoint { try abort.run(database) }
      }
      try? database.transaction { _ = try database.executeScript("INSERT INTO t VALUES (4)") }
    }
    #expect((error as? XTError)?.kind == abort.kind)
  }

  @Test(arguments: TransactionForm.allCases.filter(\.isBlock), Abort.allCases)
  func abort_thenRollbackRequested_isNoError(
    _ form: TransactionForm, _ abort: Abort
  ) async throws {
    let database = database
    let error = try await error(in: form) {
      do { try abort.run(database) } catch { try database.rollback() }
    }
    #expect(error == nil)
  }

  @Test(arguments: TransactionForm.allCases.filter(\.isBlock), [Abort.trigger, .interrupt])
  func abort_innerBlockRequestedRollback_theOuterStillTellsOfIt(
    _ form: TransactionForm, _ abort: Abort
  ) async throws {
    let database = database
    let error = try await error(in: form) {
      try database.transaction {
        do { try abort.run(database) } catch { try database.rollback() }
      }
    }
    #expect((error as? XTError)?.kind == abort.kind)
  }

  @Test(arguments: TransactionForm.allCases)
  func abort_inALoopOverRows_itsErrorComesOut(_ form: TransactionForm) async throws {
    let database = database
    let error = try await error(in: form) {
      try database.table(Number.self).forEach(where: "a > 0") { _ in
        try? Abort.conflict.run(database)
      }
    }
    #expect((error as? XTError)?.kind == .constraint(.unique))
  }

  private struct Number: XTModel {
    var a = 0
    static var xt_tableName: String { "t" }
  }

  // MARK: A statement that fails alone

  @Test(arguments: TransactionForm.allCases)
  func failedStatement_swallowed_leavesTheRest(_ form: TransactionForm) async throws {
    let database = database
    let result = await Result.of {
      try await form.run(database) {
        try database.executeScript("INSERT INTO t VALUES (1)")
        _ = try? database.executeScript("INSERT INTO t VALUES (1)")
        _ = try? database.executeScript("INSERT INTO nowhere VALUES (1)")
        // With room for an own journal of the statement, a full disk ends that alone.
        try database.executeScript("PRAGMA max_page_count = 20")
        let full = #expect(throws: XTError.self) {
          try database.executeScript(
            "INSERT INTO big WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
              + " SELECT zeroblob(3000) FROM n LIMIT 100; ")
        }
        #expect(full?.kind == .diskFull)
        _ = try? database.executeScript("PRAGMA max_page_count = 1000000")
        _ = try? database.executeScript("INSERT INTO t VALUES (3)")
      }
    }
    expectClean(database)
    switch result {
    case .success:
      #expect(try rows == ["1", "3"])
    case .failure(let error):
      // An older library ends the whole transaction, and that is what comes out.
      #expect(SQLiteLibrary.versionNumber < 3_040_000)
      #expect((error as? XTError)?.kind == .diskFull)
      #expect(try rows == [])
    }
  }

  // MARK: The commit fails

  @Test(arguments: TransactionForm.allCases)
  func commitRefused_rollsBackAndThrowsTheReason(_ form: TransactionForm) async throws {
    let database = database
    let error = try await error(in: form) {
      try database.transaction { _ = try database.executeScript("INSERT INTO c VALUES (9)") }
    }
    #expect((error as? XTError)?.kind == .constraint(.foreignKey))
    #expect((error as? XTError)?.sql == "COMMIT")
    #expect(try test.seen("SELECT count(*) FROM c") == ["0"])
  }

  /// With a rollback journal a commit waits for readers.
  @Test(arguments: TransactionForm.allCases, [true, false])
  func commitWaits_pastItsLimitOrInterrupted_rollsBackAndSaysWhich(
    _ form: TransactionForm, _ isInterrupted: Bool
  ) async throws {
    let test = try TestDatabase {
      $0.journalMode = .delete
      $0.busyTimeout = isInterrupted ? 600 : 0.05
    }
    let database = test.database
    try Self.fill(database)
    // Used by one thread after the other.
    nonisolated(unsafe) let reader = try test.reader()
    let isDone = Flag()
    let isOver = DispatchSemaphore(value: 0)
    let result = await Result.of {
      try await form.run(database) {
        try database.executeScript("INSERT INTO t VALUES (1)")
        try reader.executeScript("BEGIN; SELECT count(*) FROM t")
        guard isInterrupted else {
          isOver.signal()
          return
        }
        Thread {
          while !isDone.isSet {
            usleep(20_000)
            database.interrupt()
          }
          isOver.signal()
        }.start()
      }
    }
    isDone.set(true)
    // What comes next is not to be interrupted.
    await AsyncTests.wait(for: isOver)
    guard case .failure(let error as XTError) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.kind == (isInterrupted ? .interrupted : .locked))
    #expect(error.sql == "COMMIT")
    expectClean(database)
    try reader.run("COMMIT")
    #expect(try reader.rows("SELECT * FROM t") == [])
    try await form.run(database) { _ = try database.executeScript("INSERT INTO t VALUES (2)") }
    #expect(try reader.rows("SELECT * FROM t") == [[2]])
  }

  // MARK: Blocks in blocks

  @Test(arguments: TransactionForm.allCases)
  func innerBlock_throwsOrRequestsRollback_undoesItsOwnWorkAlone(
    _ form: TransactionForm
  ) async throws {
    let database = database
    try await form.run(database) {
      try database.execute("INSERT INTO t VALUES (1)")
      try? database.transaction {
        try database.execute("INSERT INTO t VALUES (2)")
        try database.savepoint { _ = try database.execute("INSERT INTO t VALUES (3)") }
        throw Failure()
      }
      try database.savepoint {
        try database.execute("INSERT INTO t VALUES (4)")
        try? database.transaction {
          try database.execute("INSERT INTO t VALUES (5)")
          throw Failure()
        }
        try database.execute("INSERT INTO t VALUES (6)")
      }
      try database.transaction {
        try database.execute("INSERT INTO t VALUES (7)")
        try database.rollback()
        try database.execute("INSERT INTO t VALUES (8)")
      }
      let failed = #expect(throws: XTError.self) {
        try database.transaction {
          try database.execute("INSERT INTO t VALUES (9)")
          try database.execute("INSERT INTO t VALUES (1)")
        }
      }
      #expect(failed?.kind == .constraint(.unique))
    }
    expectClean(database)
    #expect(try rows == ["1", "4", "6"])
  }

  // MARK: Plain SQL

  @Test func rollbackThatCouldNotRun_nothingMoreRunsAndItIsRolledBackAtTheEnd() throws {
    let database = database
    // A running SELECT keeps an interrupt in force, also for the ROLLBACK inside its loop.
    try database.executeScript("INSERT INTO t VALUES (1), (2), (3)")
    let result = Result {
      try database.write {
        try database.core.writersConnection { connection in
          try connection.withStatement("SELECT a FROM t") { statement in
            _ = try statement.step()
            try? database.transaction {
              try database.executeScript("INSERT INTO t VALUES (4)")
              connection.interrupt()
              throw Failure()
            }
            // Not committed as a statement of its own.
            _ = try? database.executeScript("INSERT INTO t VALUES (5)")
          }
          let late = #expect(throws: XTError.self) {
            try database.executeScript("INSERT INTO t VALUES (6)")
          }
          #expect(late?.kind == .interrupted)
        }
      }
    }
    let error = #expect(throws: XTError.self) { try result.get() }
    #expect(error?.kind == .interrupted)
    expectClean(database)
    #expect(try rows == ["1", "2", "3"])
  }
}

extension DatabaseCore {
  /// The connection of the write block on this thread.
  fileprivate func writersConnection(_ body: (Connection) throws -> Void) throws {
    try body(try #require(AccessStack.current.connection(of: self)))
  }
}
