extension Checkpointer {
  /// Puts into the file what can be without waiting for anybody. On the queue.
  func run(_ generation: Int) {
    guard let outcome = step(generation, { try $0.checkpoint(.passive, wait: 0) }) else { return }
    switch outcome {
    case .failure(let error):
      failed(error, generation)
    case .success(let result):
      let limits = state.withLock { $0.limits }
      let isLong = logLength > limits.bytes
      let isAppended = pages > result.pages
      if result.obstacle == .checkpoint {
        tryLater(generation)
      } else if result.isComplete, !isLong, !isAppended {
        succeeded(generation)
      } else if result.obstacle == .reader, isKnownToBeStuck(result) {
        stuck(result, generation)
      } else {
        takeTurn(generation)
      }
    }
  }

  /// Does the rest with no writer in the way.
  private func takeTurn(_ generation: Int) {
    guard let writers = state.withLock({ $0.writers }) else { return tryLater(generation) }
    // No limit of its own: it is in nobody's way there.
    let waiter = Waiter(
      .checkpoint, limit: .infinity, deadline: .max,
      wake: .job { [self] outcome in
        guard case .success(let place) = outcome else {
          return queue.async { [self] in tryLater(generation) }
        }
        let isWanted = state.withLock { state in
          guard state.isRunning, state.generation == generation else { return false }
          state.turn = place
          return true
        }
        if isWanted {
          queue.async { [self] in runWithTurn(generation, writers) }
        } else {
          writers.give(place)
        }
      })
    writers.submit(waiter)
  }

  private func runWithTurn(_ generation: Int, _ writers: ConnectionPool) {
    let limits = state.withLock { $0.limits }
    let mode: XTCheckpoint = logLength > limits.bytes ? .truncate : .restart
    let outcome = step(generation) { [self] connection in
      let result = try connection.checkpoint(mode, wait: limits.wait)
      if mode == .truncate, result.obstacle == nil { setPages(0) }
      return result
    }
    // Not within the step: who gets it may let the database go, which stops all this and waits for
    // the step. Where that was faster, it has given the turn back.
    if let turn = takeBackTurn() { writers.give(turn) }
    switch outcome {
    case nil:
      break
    case .failure(let error)?:
      failed(error, generation)
    case .success(let result)?:
      switch result.obstacle {
      case nil:
        if mode == .truncate { state.withLock { $0.report.truncations += 1 } }
        succeeded(generation)
      case .reader?:
        stuck(result, generation)
      case .writer?, .checkpoint?:
        tryLater(generation)
      }
    }
  }

  private func takeBackTurn() -> Loan? {
    state.withLock { state in
      defer { state.turn = nil }
      return state.turn
    }
  }

  /// Runs `body` with the connection, opened where it is not. Nil where all this was stopped.
  func step<T>(
    _ generation: Int, _ body: (Connection) throws -> T
  ) -> Result<T, any Error>? {
    stepLock.withLock {
      guard isCurrent(generation) else { return nil }
      return Result {
        let connection = try connection ?? open()
        self.connection = connection
        let isWanted = state.withLock { state in
          guard state.isRunning, state.generation == generation else { return false }
          state.current = connection
          state.lastUse = Uptime.now
          return true
        }
        guard isWanted else { throw CancellationError() }
        defer { state.withLock { $0.current = nil } }
        do {
          return try body(connection)
        } catch {
          // Another one may have no such trouble.
          state.withLock { $0.current = nil }
          close()
          throw error
        }
      }
    }
  }

  /// With `stepLock` held.
  func close() {
    connection?.close()
    connection = nil
  }

  private func isCurrent(_ generation: Int) -> Bool {
    state.withLock { $0.isRunning && $0.generation == generation }
  }

  /// How long the log's file is, in bytes.
  private var logLength: Int {
    guard let path = stepLock.withLock({ connection?.path }) else { return 0 }
    return FileStamp.size(of: path + "-wal")
  }

  // MARK: How it ended

  private func succeeded(_ generation: Int) {
    let idle = state.withLock { state -> Double? in
      guard state.isRunning, state.generation == generation else { return nil }
      state.cycle = nil
      state.pause = 0
      state.report.completions += 1
      state.report.stuckSince = nil
      state.report.stuckPages = 0
      state.report.failure = nil
      setMark(state.limits.pages)
      return state.limits.idle
    }
    guard let idle else { return }
    plan(idle) { $0.closeWhereIdle(idle) }
  }

  private func closeWhereIdle(_ idle: Double) {
    stepLock.withLock {
      let lastUse = state.withLock { $0.lastUse }
      // A timer may be early by a little.
      let now = Uptime.now
      if now + 1_000_000 >= lastUse + idle.nanoseconds { close() }
    }
  }

  private func isKnownToBeStuck(_ result: XTCheckpointResult) -> Bool {
    state.withLock { state in
      state.report.stuckSince != nil
        && result.pages - result.checkpointed >= state.report.stuckPages
    }
  }

  private func stuck(_ result: XTCheckpointResult, _ generation: Int) {
    let now = Uptime.now
    let pages = result.pages - result.checkpointed
    let told = state.withLock { state -> (Listener, UInt64)? in
      guard state.isRunning, state.generation == generation else { return nil }
      state.report.stuckPages = pages
      guard let since = state.report.stuckSince else {
        // It may be about to end: nobody is told before the second look.
        state.report.stuckSince = now
        return nil
      }
      return (state.listener, since)
    }
    tryLater(generation)
    if let (listener, since) = told { listener.stuckReader(pages, now - since) }
  }

  private func failed(_ error: any Error, _ generation: Int) {
    // Stopped in the middle.
    guard isCurrent(generation), !(error is CancellationError) else { return }
    let error =
      error as? XTError
      ?? XTError(.sqlite, "the log could not be put into the file: \(error)")
    let listener = state.withLock { state in
      state.report.failure = error
      return state.listener
    }
    tryLater(generation)
    listener.failure(error)
  }

  private func tryLater(_ generation: Int) {
    let pause: Double? = state.withLock { state in
      guard state.isRunning, state.generation == generation else { return nil }
      state.pause = min(max(state.pause * 2, state.limits.pause), state.limits.longestPause)
      // Until then nobody need tell of anything.
      setMark(.max)
      return state.pause
    }
    guard let pause else { return }
    plan(pause) { checkpointer in
      if checkpointer.isCurrent(generation) { checkpointer.run(generation) }
    }
  }
}
