import Foundation
import Testing

@testable import XTLite

@Suite struct AsyncTests {
  struct Failure: Error {}

  final class Person {
    var name = ""
  }

  let folder: TemporaryFolder
  let database: XTDatabase

  init() throws {
    folder = try TemporaryFolder()
    var configuration = XTConfiguration()
    configuration.busyTimeout = 600
    database = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
    try database.executeScript("CREATE TABLE t (a)")
  }

  func count() throws -> Int64? {
    try database.reading { try $0.firstValue("SELECT count(*) FROM t")?.int64 }
  }

  static let endless =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

  // MARK: Blocks

  @Test func blocks_eachForm_runAndReturn() async throws {
    let database = database
    try await database.transaction { try database.executeScript("INSERT INTO t VALUES (1)") }
    try await database.write { try database.executeScript("INSERT INTO t VALUES (2)") }
    try await database.savepoint { try database.executeScript("INSERT INTO t VALUES (3)") }
    let rows = try await database.read {
      try database.reading { try $0.rows("SELECT a FROM t") }
    }
    #expect(rows == [[1], [2], [3]])
    let current = try await database.read { try XTDatabase.current() === database }
    #expect(current)
  }

  @Test func transaction_throws_rollsBackAndGivesTheSameError() async throws {
    let database = database
    await #expect(throws: Failure.self) {
      try await database.transaction {
        try database.executeScript("INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    #expect(try count() == 0)
    try await database.transaction {
      try database.executeScript("INSERT INTO t VALUES (1)")
      try database.rollback()
    }
    #expect(try count() == 0)
  }

  @Test func read_writeInside_throwsReadOnly() async throws {
    let database = database
    let error = try await #require(throws: XTError.self) {
      try await database.read { try database.executeScript("INSERT INTO t VALUES (1)") }
    }
    #expect(error.kind == .readOnly)
  }

  @Test func transaction_objectThatIsNotSendable_goesInAndComesBack() async throws {
    let database = database
    let person = Person()
    person.name = "mamba"
    let renamed = try await database.transaction {
      person.name += "!"
      let copy = Person()
      copy.name = person.name
      return copy
    }
    #expect(renamed.name == "mamba!")
  }

  @Test func blocks_afterClose_throwClosed() async throws {
    try database.close()
    let database = database
    for attempt in 0..<3 {
      let error = try await #require(throws: XTError.self) {
        switch attempt {
        case 0: try await database.read {}
        case 1: try await database.transaction {}
        default: try await database.inPlace {}
        }
      }
      #expect(error.kind == .closed)
    }
  }

  @Test func transaction_manyTasks_loseNothing() async throws {
    let database = database
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        group.addTask {
          let insert = "INSERT INTO t VALUES (\(number))"
          switch number % 3 {
          case 0: try await database.transaction { try database.executeScript(insert) }
          case 1: try await database.inPlace { try database.executeScript(insert) }
          default: _ = try database.executeScript(insert)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try count() == 300)
  }

  @Test func transaction_tasksInLine_runInOrder() async throws {
    let database = database
    let order = Mutex<[Int]>([])
    let release = DispatchSemaphore(value: 0)
    let started = DispatchSemaphore(value: 0)
    Thread {
      try? database.write {
        started.signal()
        release.wait()
      }
    }.start()
    await Self.wait(for: started)
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(
        Task {
          try await database.transaction { order.withLock { $0.append(number) } }
        })
      while database.core.writers.waiting <= number { await Task.yield() }
    }
    release.signal()
    for task in tasks { try await task.value }
    #expect(order.withLock { $0 } == Array(0..<20))
  }

  // MARK: In place

  @MainActor final class Screen {
    let person = Person()

    func rename(_ database: XTDatabase) async throws -> Int {
      try await database.inPlace {
        person.name = "mamba"
        MainActor.assertIsolated()
        return try database.executeScript("INSERT INTO t VALUES (?)", [.text(person.name)])
      }
    }
  }

  actor Keeper {
    let person = Person()

    func rename(_ database: XTDatabase) async throws -> Person.Type {
      try await database.inPlace {
        person.name = "mamba"
        self.assertIsolated()
        try database.executeScript("INSERT INTO t VALUES (?)", [.text(person.name)])
        return Person.self
      }
    }
  }

  @Test func inPlace_objectsOfActors_areUsedOnTheirExecutor() async throws {
    #expect(try await Screen().rename(database) == 1)
    _ = try await Keeper().rename(database)
    let person = Person()
    try await database.inPlace { person.name = "x" }
    #expect(person.name == "x")
    #expect(try count() == 2)
  }

  @Test func inPlace_throws_rollsBack() async throws {
    await #expect(throws: Failure.self) {
      try await database.inPlace {
        try database.executeScript("INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    #expect(try count() == 0)
  }

  @MainActor @Test func inPlace_executorBlockedByASyncCall_letsThatCallGoFirst() async throws {
    let database = database
    let started = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    Thread {
      try? database.write {
        started.signal()
        release.wait()
      }
    }.start()
    await Self.wait(for: started)
    let task = Task { @MainActor in
      try await database.inPlace { try database.executeScript("INSERT INTO t VALUES (1)") }
    }
    while database.core.writers.waiting == 0 { await Task.yield() }
    // From here on the main actor is blocked, and the task's turn comes meanwhile.
    release.signal()
    usleep(50_000)
    try database.executeScript("INSERT INTO t VALUES (2)")
    _ = try await task.value
    let rows = try database.reading { try $0.rows("SELECT a FROM t") }
    #expect(rows == [[2], [1]])
  }

  // MARK: Cancelling

  @Test(arguments: [true, false])
  func transaction_cancelledInAStatement_rollsBack(_ isInPlace: Bool) async throws {
    let database = database
    let started = Flag()
    let task = Task {
      let body: @Sendable () throws -> Void = {
        try database.executeScript("INSERT INTO t VALUES (1)")
        started.set(true)
        try database.transaction { try database.executeScript(Self.endless) }
      }
      if isInPlace {
        try await OneThreadActor().inPlace(database, body)
      } else {
        try await database.transaction { try body() }
      }
    }
    while !started.isSet { try await Task.sleep(nanoseconds: 1_000_000) }
    try await Task.sleep(nanoseconds: 20_000_000)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try count() == 0)
    try await database.transaction { try database.executeScript("INSERT INTO t VALUES (2)") }
    #expect(try count() == 1)
  }

  @Test func transaction_cancelledBetweenStatements_stopsAtTheNext() async throws {
    let database = database
    let started = DispatchSemaphore(value: 0)
    let resume = DispatchSemaphore(value: 0)
    let reached = Flag()
    let task = Task {
      try await database.transaction {
        try database.executeScript("INSERT INTO t VALUES (1)")
        started.signal()
        resume.wait()
        try database.executeScript("INSERT INTO t VALUES (2)")
        reached.set(true)
      }
    }
    await Self.wait(for: started)
    task.cancel()
    resume.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!reached.isSet)
    #expect(try count() == 0)
  }

  @Test func transaction_cancelledInLine_leavesIt() async throws {
    let database = database
    let started = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    Thread {
      try? database.write {
        started.signal()
        release.wait()
      }
    }.start()
    await Self.wait(for: started)
    let ran = Flag()
    let tasks = [
      Task { try await database.transaction { ran.set(true) } },
      Task { try await database.inPlace { ran.set(true) } },
    ]
    while database.core.writers.waiting < 2 { await Task.yield() }
    for task in tasks {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(database.core.writers.waiting == 0)
    release.signal()
    try await database.transaction {}
    #expect(!ran.isSet)
  }

  @Test func transaction_cancelledBeforeItBegan_doesNotRun() async throws {
    let database = database
    let ran = Flag()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await database.transaction { ran.set(true) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!ran.isSet)
  }

  @Test func transaction_lockOfAnotherConnection_canBeCancelled() async throws {
    let database = database
    let other = try Connection(ConnectionSettings(path: database.path))
    try other.run("BEGIN IMMEDIATE")
    let task = Task { try await database.write { try database.executeScript("DELETE FROM t") } }
    try await Task.sleep(nanoseconds: 50_000_000)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try other.run("ROLLBACK")
  }

  @Test func cancelling_manyAtRandom_leavesTheDatabaseUsable() async throws {
    let database = database
    for round in 0..<60 {
      let task = Task {
        try await database.transaction {
          for number in 0..<200 { try database.executeScript("INSERT INTO t VALUES (\(number))") }
        }
      }
      try await Task.sleep(nanoseconds: UInt64(round * 20_000))
      task.cancel()
      let outcome = await task.result
      if case .failure(let error) = outcome { #expect(error is CancellationError) }
      let rows = try #require(try count())
      #expect(rows % 200 == 0)
    }
    try await database.inPlace { try database.executeScript("INSERT INTO t VALUES (1)") }
  }

  // MARK: Limits

  @Test func wait_pastTheBusyLimit_throwsLockedForTasksToo() async throws {
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.1
    let database = try XTDatabase.inMemory(configuration: configuration)
    let started = DispatchSemaphore(value: 0)
    let release = DispatchSemaphore(value: 0)
    Thread {
      try? database.write {
        started.signal()
        release.wait()
      }
    }.start()
    await Self.wait(for: started)
    for isInPlace in [true, false] {
      let error = try await #require(throws: XTError.self) {
        if isInPlace { try await database.inPlace {} } else { try await database.read {} }
      }
      #expect(error.kind == .locked)
      #expect(error.message.contains("a write { } block"))
    }
    release.signal()
    try await database.transaction {}
  }

  @Test func wait_insideABlockForAnotherCall_endsWithLocked() async throws {
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.1
    let database = try XTDatabase.inMemory(configuration: configuration)
    let kinds = try await database.transaction {
      let ended = DispatchSemaphore(value: 0)
      let kinds = Mutex<[XTError.Kind]>([])
      for isInPlace in [true, false] {
        Task {
          do {
            if isInPlace { try await database.inPlace {} } else { try await database.read {} }
          } catch let error as XTError {
            kinds.withLock { $0.append(error.kind) }
          }
          ended.signal()
        }
        ended.wait()
      }
      return kinds.withLock { $0 }
    }
    #expect(kinds == [.locked, .locked])
  }

  @Test func values_afterAsyncCalls_areReleased() async throws {
    let path = folder.path("y.sqlite")
    weak var core: DatabaseCore?
    do {
      let database = try XTDatabase(path: path)
      core = database.core
      try await database.transaction { try database.executeScript("CREATE TABLE t (a)") }
      try await database.inPlace {}
    }
    #expect(await until { core == nil })
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  /// Waits without blocking a thread of Swift's pool.
  static func wait(for semaphore: DispatchSemaphore) async {
    await withUnsafeContinuation { continuation in
      Thread {
        semaphore.wait()
        continuation.resume()
      }.start()
    }
  }
}
