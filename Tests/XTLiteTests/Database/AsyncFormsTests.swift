import Foundation
import Testing

@testable import XTLite

/// Every async form, from every kind of executor, in line and cancelled.
@Suite struct AsyncFormsTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase {
      $0.busyTimeout = 120
      $0.maximumReaders = 2
    }
    try database.executeScript("CREATE TABLE t (a)")
  }

  var count: [String] {
    get throws { try test.seen("SELECT count(*) FROM t") }
  }

  /// The forms of a call that can be awaited.
  enum Form: Int, CaseIterable, Sendable {
    case read, write, transaction, savepoint, inPlace, begin, execute

    static let writing = allCases.filter { $0 != .read }
    /// Those whose task can be cancelled while their block runs.
    static let cancellable: [Form] = [.read, .write, .transaction, .savepoint, .inPlace]

    func run(
      _ database: XTDatabase, isolation: isolated (any Actor)? = #isolation, _ sql: XTSQL
    ) async throws {
      if self == .execute {
        try await database.execute(sql)
      } else {
        try await run(database) { _ = try database.anyFunc(sql: sql) }
      }
    }

    /// Runs `body` in it; in place on `isolation`.
    func run(
      _ database: XTDatabase, isolation: isolated (any Actor)? = #isolation,
      _ body: @escaping @Sendable () throws -> Void
    ) async throws {
      switch self {
      case .read: try await database.read { try body() }
      case .write: try await database.write { try body() }
      case .transaction: try await database.transaction { try body() }
      case .savepoint: try await database.savepoint { try body() }
      case .inPlace: try await database.inPlace(body)
      case .begin, .execute:
        let transaction = try await database.begin()
        try transaction.asCurrent(body)
        try transaction.commit()
      }
    }
  }

  /// Holds the writer in a thread of its own until `release`.
  final class Holder: Sendable {
    private let end = DispatchSemaphore(value: 0)

    init(_ database: XTDatabase) {
      let isHeld = DispatchSemaphore(value: 0)
      Thread { [end] in
        try? database.write {
          isHeld.signal()
          end.wait()
        }
      }.start()
      isHeld.wait()
    }

    func release() { end.signal() }
  }

  // MARK: Executors

  enum Place: CaseIterable, Sendable {
    case anywhere, mainActor, plainActor, oneThread

    var actor: (any Actor)? {
      switch self {
      case .anywhere: nil
      case .mainActor: MainActor.shared
      case .plainActor: Plain()
      case .oneThread: OneThreadActor()
      }
    }
  }

  actor Plain {}

  @Test(arguments: Place.allCases)
  func eachForm_fromEachExecutor_runsThereOrBesideIt(_ place: Place) async throws {
    let database = database
    let actor = place.actor
    for form in Form.writing {
      try await form.run(database, isolation: actor, "INSERT INTO t VALUES (1)")
      try await form.run(database, isolation: actor) {
        if form == .inPlace { actor?.assertIsolated() }
      }
    }
    try await Form.read.run(database, isolation: actor, "SELECT count(*) FROM t")
    #expect(try count == ["6"])
    expectClean(database)
  }

  @Test func manyTasks_onExecutorsOfOneThread_loseNothing() async throws {
    let database = database
    let actors = (0..<2).map { _ in OneThreadActor() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<120 {
        let actor = actors[number % 2]
        let form = Form.writing[number % Form.writing.count]
        group.addTask {
          try await form.run(database, isolation: actor, "INSERT INTO t VALUES (1)")
          try await actor.insertInPlace(database, number)
        }
      }
      try await group.waitForAll()
    }
    #expect(try count == ["240"])
    for actor in actors { #expect(await actor.notes.count == 60) }
    expectClean(database)
  }

  @Test func detachedTasksByTheHundred_loseNothing() async throws {
    let database = database
    let tasks = (0..<400).map { number in
      Task.detached {
        let form = Form.allCases[number % Form.allCases.count]
        try await form.run(
          database, form == .read ? "SELECT count(*) FROM t" : "INSERT INTO t VALUES (1)")
        return form == .read ? 0 : 1
      }
    }
    var rows = 0
    for task in tasks { rows += try await task.value }
    #expect(try count == ["\(rows)"])
    expectClean(database)
  }

  // MARK: Waiting

  @Test func waitingTasks_holdNoThreads() async throws {
    let database = database
    let holder = Holder(database)
    let before = Self.threads()
    let writers = (0..<200).map { number in
      Task {
        try await Form.writing[number % Form.writing.count]
          .run(database, "INSERT INTO t VALUES (1)")
      }
    }
    while database.core.writers.waiting < 200 { try await Task.sleep(nanoseconds: 1_000_000) }
    // Other tests run beside this one; two hundred threads would be seen all the same.
    #expect(Self.threads() < before + 100)
    holder.release()
    for task in writers { try await task.value }
    #expect(try count == ["200"])
    expectClean(database)
  }

  @Test func waitingReads_holdNoThreads() async throws {
    let database = database
    let release = Flag()
    let inside = Mutex(0)
    let before = Self.threads()
    let readers = (0..<200).map { _ in
      Task {
        try await database.read {
          inside.withLock { $0 += 1 }
          while !release.isSet { usleep(1000) }
        }
      }
    }
    while database.core.readers.waiting < 198 { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(inside.withLock { $0 } <= 2)
    #expect(Self.threads() < before + 100)
    release.set(true)
    for task in readers { try await task.value }
    #expect(inside.withLock { $0 } == 200)
    expectClean(database)
  }

  /// The threads of this process: the fewest of several counts, since other tests come and go.
  private static func threads() -> Int {
    #if os(Linux)
      (0..<20).map { _ in
        usleep(5000)
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
      }.min() ?? 0
    #else
      0
    #endif
  }

  @Test func writersOfAllForms_haveTheirTurnInOrder() async throws {
    let database = database
    let order = Mutex<[Int]>([])
    let holder = Holder(database)
    var tasks: [Task<Void, any Error>] = []
    let isDone = DispatchSemaphore(value: 0)
    for number in 0..<30 {
      @Sendable func note() { order.withLock { $0.append(number) } }
      switch number % 5 {
      case 0: tasks.append(Task { try await database.transaction { note() } })
      case 1: tasks.append(Task { try await database.write { note() } })
      case 2:
        tasks.append(
          Task {
            let transaction = try await database.begin()
            note()
            try transaction.commit()
          })
      case 3: tasks.append(Task { try await database.savepoint { note() } })
      default:
        Thread {
          try? database.transaction { note() }
          isDone.signal()
        }.start()
      }
      while database.core.writers.waiting <= number { try await Task.sleep(nanoseconds: 500_000) }
    }
    holder.release()
    for task in tasks { try await task.value }
    for _ in 0..<6 { await AsyncTests.wait(for: isDone) }
    #expect(order.withLock { $0 } == Array(0..<30))
  }

  @Test func values_afterCallsThatWaited_areReleased() async throws {
    let path = test.path + "2"
    weak var core: DatabaseCore?
    do {
      let database = try XTDatabase(path: path, configuration: test.database.configuration)
      core = database.core
      let holder = Holder(database)
      let tasks = Form.writing.map { form in
        Task { try await form.run(database, "CREATE TABLE IF NOT EXISTS t (a)") }
      }
      while database.core.writers.waiting < tasks.count {
        try await Task.sleep(nanoseconds: 1_000_000)
      }
      holder.release()
      for task in tasks { try await task.value }
    }
    for _ in 0..<400 where core != nil { try await Task.sleep(nanoseconds: 5_000_000) }
    #expect(core == nil)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  // MARK: Cancelling

  @Test(arguments: Form.cancellable)
  func cancelledStatement_endsItsBlockAndLeavesTheConnectionClean(_ form: Form) async throws {
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

  @Test(arguments: [Form.transaction, .savepoint, .inPlace, .begin])
  func cancelledWhileAnotherProcessHasTheLock_stopsWaiting(_ form: Form) async throws {
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

  @Test(arguments: Form.allCases)
  func cancelledInLineOrBefore_doesNotRun(_ form: Form) async throws {
    let database = database
    let holder = Holder(database)
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
          let form = Form.allCases[number % Form.allCases.count]
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
