import Dispatch

/// Threads for blocks that may sleep.
///
/// One serial queue for each block that runs: Dispatch makes a thread for a serial queue whenever it
/// needs one, but one a second at most, on some systems, for concurrent queues whose threads sleep.
final class WorkerQueues: Sendable {
  private let label: String
  private let idle = Mutex<[DispatchQueue]>([])

  init(label: String) {
    self.label = label
  }

  /// Runs `body` at once, on a thread that nothing else uses meanwhile.
  func async(_ body: @escaping @Sendable () -> Void) {
    let queue = idle.withLock { $0.popLast() } ?? DispatchQueue(label: label)
    queue.async { [self] in
      body()
      idle.withLock { $0.append(queue) }
    }
  }
}
