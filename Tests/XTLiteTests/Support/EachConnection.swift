import Foundation

@testable import XTLite

extension XTDatabase {
  /// Runs `body` with the writer and with each of several readers, all in use at one time.
  func withEachConnection<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) throws -> [Result<T, any Error>] {
    let results = Mutex<[Result<T, any Error>]>([])
    let count = 3
    let arrived = DispatchSemaphore(value: 0)
    let go = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    for index in 0..<count {
      Thread.detachNewThread(in: group) {
        let kind = index == 0 ? AccessKind.writeVerb : .readVerb
        let result = Result {
          try self.accessing(kind) { connection in
            arrived.signal()
            go.wait()
            return try body(connection)
          }
        }
        // One that never got a connection has told nobody.
        if case .failure = result { arrived.signal() }
        results.withLock { $0.append(result) }
      }
    }
    for _ in 0..<count { arrived.wait() }
    for _ in 0..<count { go.signal() }
    group.wait()
    return results.withLock { $0 }
  }
}

extension Thread {
  fileprivate static func detachNewThread(
    in group: DispatchGroup, _ body: @escaping @Sendable () -> Void
  ) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}
