/// One async call that its task may cancel: while it waits in line, or while its block runs.
final class CancellableCall: Sendable {
  private struct State {
    var isCancelled = false
    var pool: ConnectionPool?
    /// The place in line; held by the pool while it counts.
    weak var waiter: Waiter?
    /// The connection whose statements the block runs; nil before and after.
    var connection: Connection?
  }

  private let state = Mutex(State())

  /// Tells where the call waits now.
  func setWaiting(_ pool: ConnectionPool, _ waiter: Waiter) {
    let isCancelled = state.withLock { state in
      state.pool = pool
      state.waiter = waiter
      return state.isCancelled
    }
    if isCancelled { pool.cancel(waiter) }
  }

  /// Called by the task's cancellation, on any thread.
  func cancel() {
    let (pool, waiter) = state.withLock { state in
      state.isCancelled = true
      // Under the lock, so that the block cannot end meanwhile: an interrupt that came late would
      // hit the next caller's statement.
      state.connection?.cancel()
      return (state.pool, state.waiter)
    }
    if let waiter { pool?.cancel(waiter) }
  }

  /// Runs the block. Throws `CancellationError` where it was cancelled before it returned.
  func run<T>(on connection: Connection, _ body: () throws -> T) throws -> T {
    let (result, isCancelled) = try attend(connection, body)
    if isCancelled { throw CancellationError() }
    return result
  }

  /// Runs what comes before the block. Where that is cancelled and yet succeeds, `run` throws.
  func prepare(on connection: Connection, _ body: () throws -> Void) throws {
    _ = try attend(connection, body)
  }

  /// Passes on what the call made: called by the thread that made it, then by the task that gets it.
  ///
  /// Their continuation orders the two as well, but in a way that the thread sanitizer cannot see.
  func handOver() {
    state.withLock { _ in }
  }

  private func attend<T>(
    _ connection: Connection, _ body: () throws -> T
  ) throws -> (T, isCancelled: Bool) {
    try begin(connection)
    let result: T
    do {
      result = try body()
    } catch let error as XTError where [.interrupted, .locked].contains(error.kind) {
      // A wait for another process's lock ends with `locked` where the task was cancelled.
      throw end(connection) ? CancellationError() : error
    } catch {
      _ = end(connection)
      throw error
    }
    return (result, end(connection))
  }

  private func begin(_ connection: Connection) throws {
    try state.withLock { state in
      if state.isCancelled { throw CancellationError() }
      state.connection = connection
    }
  }

  /// Returns whether the call was cancelled.
  private func end(_ connection: Connection) -> Bool {
    state.withLock { state in
      state.connection = nil
      connection.resume()
      return state.isCancelled
    }
  }
}
