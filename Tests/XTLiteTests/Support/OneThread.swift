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

/// An actor on such an executor. A block that runs in place for long keeps no thread of Swift's own
/// from the tasks that are to end it.
actor OneThreadActor {
  private let executor = OneThread()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Only this actor may touch it.
  private(set) var notes: [String] = []

  /// A row with what the actor's own state says, in a transaction on its thread.
  func insertInPlace(_ database: XTDatabase, _ number: Int) async throws {
    try await database.inPlace {
      assertIsolated()
      notes.append("\(number)")
      _ = try database.execute("INSERT INTO t VALUES (\(notes.count))")
    }
  }

  /// Runs `body` in a transaction on the actor's thread.
  func inPlace<T: Sendable>(
    _ database: XTDatabase, _ body: @Sendable () throws -> T
  ) async throws -> T {
    try await database.inPlace(body)
  }
}
