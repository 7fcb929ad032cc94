import Foundation

extension XTDatabase {
  /// Runs `body` in a transaction as `transaction(_:)`, and once more where the file was locked.
  ///
  /// Where another program, or another block, held the database for longer than the busy limit, the
  /// transaction fails with `locked`. Here it is rolled back and begun anew, up to `retries` times,
  /// after a pause that grows. `body` then runs again from its beginning, so all that it does must be
  /// repeatable: it may write to this database as it likes, for that was rolled back, but must not
  /// count, send or append anything outside of it.
  ///
  /// ```swift
  /// try database.transaction(retries: 3) {
  ///   var account = try Account.xt_find(pkid: 1) ?? Account()
  ///   account.balance += 10
  ///   try account.xt_save()
  /// }
  /// ```
  ///
  /// Inside of another transaction block it is one attempt: only that one can begin anew.
  ///
  /// - Parameters:
  ///   - retries: How often it is tried again at most.
  ///   - body: What is done in the transaction.
  /// - Returns: What `body` returns.
  /// - Throws: Every other error at once, also that which `body` throws; `locked` where the last
  ///   attempt failed with it; otherwise as `transaction(_:)`.
  @discardableResult
  public func transaction<T>(retries: Int, _ body: () throws -> T) throws -> T {
    var attempt = 0
    while true {
      var hasBegun = false
      do {
        return try transaction {
          hasBegun = true
          return try body()
        }
      } catch  where attempt < retries && mayRetry(error, hasBegun: hasBegun) {
        attempt += 1
        Thread.sleep(forTimeInterval: Self.pause(before: attempt))
      }
    }
  }

  /// The async form: runs `body` on a thread of the database's own, and once more where the file was
  /// locked. No thread is held between the attempts.
  ///
  /// `body` must be repeatable; see the other form.
  ///
  /// - Parameters:
  ///   - retries: How often it is tried again at most.
  ///   - body: What is done in the transaction.
  /// - Returns: What `body` returns.
  /// - Throws: Every other error at once, also that which `body` throws; `CancellationError`;
  ///   `locked` where the last attempt failed with it.
  @discardableResult
  public func transaction<T>(
    retries: Int, _ body: sending @escaping () throws -> sending T
  ) async throws -> sending T {
    let work = Repeatable(body)
    var attempt = 0
    while true {
      let hasBegun = Flag()
      do {
        return try await transaction {
          hasBegun.set(true)
          return try work.run()
        }
      } catch  where attempt < retries && mayRetry(error, hasBegun: hasBegun.isSet) {
        attempt += 1
        try await Task.sleep(nanoseconds: Self.pause(before: attempt).nanoseconds)
      }
    }
  }

  /// Whether a transaction of this database failed because somebody else had it, and was undone.
  private func mayRetry(_ error: any Error, hasBegun: Bool) -> Bool {
    guard let error = error as? XTError, error.kind == .locked, error.path == path else {
      return false
    }
    // A transaction that has begun has what it could wait for in line: what is refused inside of it,
    // such as close(), will be so again. Only another program's lock may be gone next time.
    guard !hasBegun || error.isOfAnothersLock else { return false }
    // Where one goes on around it, this was a savepoint of that.
    return AccessStack.current.writer(of: core)?.isInTransaction != true
  }

  /// Seconds; not the same for two that fail at the same time.
  private static func pause(before attempt: Int) -> Double {
    Double.random(in: 0.5...1) * min(0.01 * Double(1 << min(attempt, 10)), 1)
  }
}

/// A block that runs more than once, each time on another thread.
// @unchecked: made from a `sending` value, which its maker does not touch again; the attempts follow
// one another, each begun when the one before has ended.
private struct Repeatable<Result>: @unchecked Sendable {
  private let body: () throws -> sending Result

  init(_ body: sending @escaping () throws -> sending Result) {
    self.body = body
  }

  func run() throws -> sending Result { try body() }
}
