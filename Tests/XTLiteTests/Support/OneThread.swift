import Foundation

@testable import XTLite

/// An executor that has one thread of its own for everything.
final class OneThread: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let count = DispatchSemaphore(value: 0)
  private let isOver = Flag()

  init() {
    Thread { [jobs, count, isOver, weak self] in
      while true {
        count.wait()
        if isOver.isSet { return }
        let job = jobs.withLock { $0.removeFirst() }
        // A job is only there while an actor holds its executor.
        guard let executor = self?.asUnownedSerialExecutor() else { return }
        job.runSynchronously(on: executor)
      }
    }.start()
  }

  deinit {
    isOver.set(true)
    count.signal()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    count.signal()
  }
}

/// An actor on such an executor.
actor OneThreadActor {
  private let executor = OneThread()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Only this actor may touch it.
  private var notes: [String] = []

  func note(_ text: String) { notes.append(text) }
  func taken() -> [String] { notes }

  /// A row that the actor's own state says, by a transaction on its thread.
  func insertInPlace(_ database: XTDatabase, _ number: Int) async throws {
    try await database.inPlace {
      assertIsolated()
      notes.append("\(number)")
      try database.execute("INSERT INTO t VALUES (\(notes.count))")
    }
  }

  /// Runs `body` on the actor's thread.
  func run<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
    try await body()
  }
}
