extension XTDatabase {
  /// The async form of `read { }`: runs `body` on a thread of the database's own.
  ///
  /// `body` is synchronous. What it captures is handed over to it: use it no more outside.
  ///
  /// ```swift
  /// let adults = try await database.read { try Person.xt_findWhere(\.age >= 18) }
  /// ```
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; `CancellationError` where the task was cancelled;
  ///   ``XTError`` `readOnly` for a write inside, `locked`, `closed`.
  @discardableResult
  public func read<T>(
    _ body: sending @escaping () throws -> sending T
  ) async throws -> sending T {
    try await onWorker(.read, body)
  }

  /// The async form of `write { }`: runs `body` on a thread of the database's own.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; `CancellationError` where the task was cancelled, with
  ///   what was written before left in place; ``XTError`` `locked`, `closed`.
  @discardableResult
  public func write<T>(
    _ body: sending @escaping () throws -> sending T
  ) async throws -> sending T {
    try await onWorker(.write, body)
  }

  /// The async form of `transaction { }`: runs `body` on a thread of the database's own.
  ///
  /// Cancelling the task interrupts the statement that runs, rolls back and throws
  /// `CancellationError`.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; `CancellationError`; ``XTError`` for a commit that
  ///   failed and was rolled back, `locked`, `closed`.
  @discardableResult
  public func transaction<T>(
    _ body: sending @escaping () throws -> sending T
  ) async throws -> sending T {
    try await onWorker(.transaction, body)
  }

  /// The async form of `savepoint { }`. Outside of any block it is a transaction.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: As the async form of `transaction { }`.
  @discardableResult
  public func savepoint<T>(
    _ body: sending @escaping () throws -> sending T
  ) async throws -> sending T {
    try await onWorker(.savepoint, body)
  }

  /// Runs `body` in a transaction on the caller's own executor, after waiting for the writer
  /// without blocking a thread.
  ///
  /// For objects that an actor, the main actor or a parameter holds, which the other async forms
  /// cannot take.
  ///
  /// ```swift
  /// @MainActor func rename(_ person: PersonObject) async throws {
  ///   try await database.inPlace {
  ///     person.name = "mamba"
  ///     try person.xt_update()
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor; leave it out.
  ///   - body: Synchronous, runs once.
  /// - Returns: What `body` returns.
  /// - Throws: As the async form of `transaction { }`.
  @discardableResult
  public func inPlace<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: () throws -> T
  ) async throws -> T {
    if !isOpen { throw noted(closedError()) }
    let call = CancellableCall()
    let asked = core.signals.isWatched ? Uptime.now : 0
    return try await withTaskCancellationHandler(
      operation: {
        var deadline: UInt64?
        var attempt = 0
        while true {
          let place = try await takeTurn(call, deadline, isolation: isolation)
          do {
            return try visiting(begin(.inPlace, place, of: writers, since: asked)) { connection in
              do {
                return try run(.inPlace, connection, call, body)
              } catch let taken as LockIsTaken {
                let end = deadline ?? Uptime.now + core.waitLimit.nanoseconds
                deadline = end
                throw Uptime.now < end ? taken : taken.error
              }
            }
          } catch is LockIsTaken {
            // Others go on until the lock may be gone. A thread that waited for it would be the
            // caller's, perhaps the main one.
            try await Task.sleep(nanoseconds: Connection.pause(attempt))
            attempt += 1
          }
        }
      },
      onCancel: { call.cancel() },
      isolation: isolation)
  }

  /// Waits for the writer without a thread. Returns on the caller's executor.
  ///
  /// - Parameter deadline: Of one who has had its turn, and stands at the head of the line now.
  private func takeTurn(
    _ call: CancellableCall, _ deadline: UInt64?, isolation: isolated (any Actor)?
  ) async throws -> Loan {
    try Task.checkCancellation()
    var deadline = deadline
    if let place = writers.takeIfFree(.inPlace) { return place }
    let pool = writers
    while true {
      var waiter: Waiter?
      _ = try await withUnsafeThrowingContinuation(isolation: isolation) {
        (continuation: UnsafeContinuation<Loan, any Error>) in
        let next = Waiter(
          .inPlace, limit: core.waitLimit, deadline: deadline,
          wake: .task { [self] in continuation.resume(with: $0.mapError { noted($0) }) })
        waiter = next
        pool.submit(next, atHead: deadline != nil)
        call.setWaiting(pool, next)
      }
      if let waiter, let place = pool.claim(waiter) { return place }
      deadline = waiter?.deadline
    }
  }

  /// Runs `body` on the core's own thread, in what its kind asks for.
  func onWorker<T>(
    _ kind: AccessKind, _ body: sending @escaping () throws -> sending T
  ) async throws -> sending T {
    let work = Handover(body)
    return try await whenLent(kind) { [self] call, visit in
      try visiting(visit) { try run(kind, $0, call, work.value) }
    }
  }

  /// Waits for a connection without a thread, and runs `work` with it on the core's own.
  func whenLent<T>(
    _ kind: AccessKind,
    _ work: sending @escaping (CancellableCall, sending Visit) throws -> sending T
  ) async throws -> sending T {
    if !isOpen { throw noted(closedError()) }
    try Task.checkCancellation()
    let call = CancellableCall()
    let asked = core.signals.isWatched ? Uptime.now : 0
    let work = Handover(work)
    let pool = kind.isReading ? readers : writers
    let result = try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation {
        (continuation: UnsafeContinuation<Handover<T>, any Error>) in
        let waiter = Waiter(
          kind, limit: core.waitLimit,
          wake: .job { [self] outcome in
            switch outcome {
            case .failure(let error):
              // Not by way of the queue, which may be what this call has waited for in vain.
              continuation.resume(throwing: noted(error))
            case .success(let place):
              core.runOnWorker(kind) { [self] in
                do {
                  let visit = try begin(kind, place, of: pool, since: asked)
                  let result = Handover(try work.value(call, visit))
                  call.handOver()
                  continuation.resume(returning: result)
                } catch {
                  continuation.resume(throwing: error)
                }
              }
            }
          })
        pool.submit(waiter)
        call.setWaiting(pool, waiter)
      }
    } onCancel: {
      call.cancel()
    }
    call.handOver()
    return result.value
  }

  /// Runs the block of an async form in what its kind asks for. Only the block and the wait for its
  /// beginning can be cancelled: the commit or rollback around it runs to its end.
  private func run<T>(
    _ kind: AccessKind, _ connection: Connection, _ call: CancellableCall,
    _ body: () throws -> T
  ) throws -> T {
    if kind == .read {
      func block() throws -> T {
        try connection.refusingWrites { try call.run(on: connection, body) }
      }
      if connection.isInTransaction { return try block() }
      try call.prepare(on: connection, connection.openSnapshot)
      return try connection.inOpenScope(block)
    }
    // A call, and no block: what it writes is refused, or goes to the writer, by itself.
    if kind == .readVerb || kind == .writerVerb { return try call.run(on: connection, body) }
    try refuseWrites(on: connection)
    if kind == .write { return try call.run(on: connection, body) }
    try call.prepare(on: connection) {
      if kind == .inPlace {
        try connection.openScopeWithoutWaiting()
      } else {
        try connection.openScope(immediate: true)
      }
    }
    return try connection.inOpenScope { try call.run(on: connection, body) }
  }
}

/// A value on its way from one thread to another.
// @unchecked: made from a `sending` value, which its maker does not touch again, and opened once by
// the one who gets it.
struct Handover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: sending Value) {
    self.value = value
  }
}
