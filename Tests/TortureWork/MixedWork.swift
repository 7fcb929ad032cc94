import Dispatch
import Foundation
import XTLite

/// Workers in threads of one process.
package enum MixedWork {
  /// Runs `threads` workers for some seconds, and calls `end` with what they did, or with the first
  /// error, when all have ended.
  ///
  /// - Parameters:
  ///   - name: Unique among the processes on the file.
  ///   - seed: Decides about all of their steps.
  package static func run(
    path: String, configuration: XTConfiguration, name: String, threads: Int, seconds: Double,
    seed: UInt64, end: @escaping @Sendable (Result<MixedWorker.Summary, any Error>) -> Void
  ) {
    let stop = Date(timeIntervalSinceNow: seconds)
    let group = DispatchGroup()
    let results = Results()
    for number in 0..<threads {
      group.enter()
      let thread = Thread {
        results.add(
          Result {
            let worker = try MixedWorker(
              path: path, configuration: configuration, name: "\(name).\(number)",
              seed: seed &+ UInt64(number) &* 1000)
            try worker.run(until: stop)
            return worker.summary
          })
        group.leave()
      }
      // Swift's tasks and the main thread have as much.
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.notify(queue: .global()) { end(results.all) }
  }
}

/// What the workers of a process gave.
// @unchecked: the list is only touched with the lock held.
private final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [Result<MixedWorker.Summary, any Error>] = []

  func add(_ result: Result<MixedWorker.Summary, any Error>) {
    lock.withLock { list.append(result) }
  }

  var all: Result<MixedWorker.Summary, any Error> {
    lock.withLock { Result { try list.map { try $0.get() }.reduce(.init(), +) } }
  }
}
