import Foundation
import Testing

@testable import XTLite

/// Nothing of an earlier call is left: on no connection a transaction, a restriction or a running
/// statement, nobody has one, and no call is on this thread.
func expectClean(
  _ database: XTDatabase, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(AccessStack.current.isEmpty, sourceLocation: sourceLocation)
  database.core.forEachPool { pool in
    // The checkpointer may have one for a moment.
    #expect(eventually { pool.counts.lent == 0 }, sourceLocation: sourceLocation)
    #expect(pool.waiting == 0, sourceLocation: sourceLocation)
    pool.forEachIdle { connection in
      #expect(!connection.isInTransaction, sourceLocation: sourceLocation)
      #expect(connection.scopes.isEmpty, sourceLocation: sourceLocation)
      #expect(connection.restrictions.isEmpty, sourceLocation: sourceLocation)
      #expect(connection.abortReason == nil, sourceLocation: sourceLocation)
      #expect(!connection.isCancelled.isSet, sourceLocation: sourceLocation)
      #expect(connection.statements.running == 0, sourceLocation: sourceLocation)
    }
  }
}

/// Runs `body` on another thread and waits for it.
@discardableResult
func elsewhere<T: Sendable>(_ body: @escaping @Sendable () throws -> T) throws -> T {
  let result = Mutex<Result<T, any Error>?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  Thread {
    let outcome = Result { try body() }
    result.withLock { $0 = outcome }
    isDone.signal()
  }.start()
  isDone.wait()
  return try #require(result.withLock { $0 }).get()
}
