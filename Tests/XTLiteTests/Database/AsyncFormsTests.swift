import Foundation
import Testing

@testable import XTLite

/// Every async form, from every kind of executor, and in line.
@Suite struct AsyncFormsTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try .ofAsyncForms()
  }

  var count: [String] {
    get throws { try test.seen("SELECT count(*) FROM t") }
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
    for form in AsyncForm.writing {
      try await form.run(database, isolation: actor, "INSERT INTO t VALUES (1)")
      try await form.run(database, isolation: actor) {
        if form == .inPlace { actor?.assertIsolated() }
      }
    }
    try await AsyncForm.read.run(database, isolation: actor, "SELECT count(*) FROM t")
    #expect(try count == ["6"])
    expectClean(database)
  }

  @Test func manyTasks_onExecutorsOfOneThread_loseNothing() async throws {
    let database = database
    let actors = (0..<2).map { _ in OneThreadActor() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<120 {
        let actor = actors[number % 2]
        let form = AsyncForm.writing[number % AsyncForm.writing.count]
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
        let form = AsyncForm.allCases[number % AsyncForm.allCases.count]
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
    let holder = WriterHolder(database)
    let before = Self.threads()
    let writers = (0..<1000).map { number in
      Task {
        try await AsyncForm.writing[number % AsyncForm.writing.count]
          .run(database, "INSERT INTO t VALUES (1)")
      }
    }
    while database.core.writers.waiting < 1000 { try await Task.sleep(nanoseconds: 1_000_000) }
    // Other tests run beside this one; a thousand threads would be seen all the same.
    #expect(Self.threads() < before + 500)
    holder.release()
    for task in writers { try await task.value }
    #expect(try count == ["1000"])
    expectClean(database)
  }

  @Test func waitingReads_holdNoThreads() async throws {
    let database = database
    let release = Flag()
    let inside = Mutex(0)
    let before = Self.threads()
    let readers = (0..<1000).map { _ in
      Task {
        try await database.read {
          inside.withLock { $0 += 1 }
          while !release.isSet { usleep(1000) }
        }
      }
    }
    while database.core.readers.waiting < 998 { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(inside.withLock { $0 } <= 2)
    #expect(Self.threads() < before + 500)
    release.set(true)
    for task in readers { try await task.value }
    #expect(inside.withLock { $0 } == 1000)
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
    let holder = WriterHolder(database)
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
      let holder = WriterHolder(database)
      let tasks = AsyncForm.writing.map { form in
        Task { try await form.run(database, "CREATE TABLE IF NOT EXISTS t (a)") }
      }
      while database.core.writers.waiting < tasks.count {
        try await Task.sleep(nanoseconds: 1_000_000)
      }
      holder.release()
      for task in tasks { try await task.value }
    }
    #expect(await until { core == nil })
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }
}
