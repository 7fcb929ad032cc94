import Dispatch

/// The turn to use the writing connection: a line of waiters, first in, first out.
///
/// The turn is not a thread. A synchronous call takes it where it runs, which costs a lock and an
/// unlock when nobody else wants it. Who has to wait is a blocked thread, a job for the database's
/// own thread, or a suspended task; each wait ends at its deadline with `locked`.
// @unchecked: every stored property that changes is only touched with `lock` held; the waiters
// belong to the queue and are touched under the same lock.
final class WriterQueue: @unchecked Sendable {
  private let lock = Lock()
  // While the turn is free, the line is empty: giving it back hands it on.
  @exclusivity(unchecked) private var isTaken = false
  @exclusivity(unchecked) private var isClosed = false
  @exclusivity(unchecked) private var holder = AccessKind.write
  @exclusivity(unchecked) private var line = WaitingLine()
  /// A task that was given the turn and has not come to run yet.
  private var reservation: Waiter?
  private var reservedAt: UInt64 = 0
  private var alarm: UInt64?

  let label: String
  let path: String

  /// How long the turn is kept for a task that does not come, in nanoseconds. The executor that it
  /// needs may be blocked by the very thread that waits in line behind it.
  private static let grace: UInt64 = 10_000_000

  /// How long a thread that is next in line waits without giving the processor up, in nanoseconds.
  private static let spin: UInt64 = 40_000

  init(label: String, path: String) {
    self.label = label
    self.path = path
  }

  // MARK: Threads

  /// Takes the turn, blocking the thread for `limit` seconds at most.
  @inline(__always)
  func take(_ kind: AccessKind, limit: Double) throws {
    lock.lock()
    if isTaken || isClosed { return try wait(kind, limit: limit) }
    isTaken = true
    holder = kind
    lock.unlock()
  }

  /// Takes the turn if it is free.
  func takeIfFree(_ kind: AccessKind) -> Bool {
    lock.withLock {
      guard !isTaken, !isClosed else { return false }
      isTaken = true
      holder = kind
      return true
    }
  }

  /// Gives the turn to the next in line.
  @inline(__always)
  func give() {
    lock.lock()
    if line.isEmpty {
      isTaken = false
      lock.unlock()
    } else {
      handOn()
    }
  }

  /// Called with the lock held; unlocks.
  @inline(never)
  private func wait(_ kind: AccessKind, limit: Double) throws {
    if isClosed {
      lock.unlock()
      throw closedError()
    }
    let isNext = line.isEmpty
    let waiter = Waiter(kind, limit: limit, wake: .thread)
    enqueue(waiter, atHead: false)
    lock.unlock()
    // Sleeping and waking cost more than a small commit: the next in line spins for one first.
    if !(isNext && waiter.isOver.spin(nanoseconds: min(Self.spin, UInt64(limit * 1e9)))) {
      sleep(waiter)
    }
    lock.lock()
    if waiter.outcome == nil {
      line.remove(waiter)
      waiter.outcome = .failure(lockedError(waiter))
    }
    let outcome = waiter.outcome
    lock.unlock()
    try outcome?.get()
  }

  /// How many stand in line.
  var waiting: Int { lock.withLock { line.count } }

  private func sleep(_ waiter: Waiter) {
    let semaphore = DispatchSemaphore(value: 0)
    lock.lock()
    let isOver = waiter.outcome != nil
    if !isOver { waiter.semaphore = semaphore }
    lock.unlock()
    if isOver { return }
    _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: waiter.deadline))
  }

  // MARK: Jobs

  /// Calls `job` when the turn is its own, or with the error for which it did not get it. The job
  /// is called once, on a thread that it must leave at once. `atHead` is for a task that lost its
  /// reservation.
  func submit(_ waiter: Waiter, atHead: Bool = false) {
    lock.lock()
    enqueue(waiter, atHead: atHead)
    let outcome = waiter.outcome
    lock.unlock()
    if let outcome { waiter.finish(outcome) }
  }

  /// Takes a waiter out of the line. Does nothing where it is not there any more.
  func cancel(_ waiter: Waiter) {
    lock.lock()
    guard waiter.outcome == nil, line.remove(waiter) else { return lock.unlock() }
    waiter.outcome = .failure(CancellationError())
    lock.unlock()
    waiter.finish(.failure(CancellationError()))
  }

  // MARK: Tasks

  /// A task that was woken takes the turn that is kept for it. False where it came too late: it
  /// then waits again, at the head of the line.
  func claim(_ waiter: Waiter) -> Bool {
    lock.withLock {
      guard reservation === waiter else { return false }
      reservation = nil
      return true
    }
  }

  // MARK: Closing

  /// Fails everyone in line and everyone who comes later. Called by who has the turn.
  func close() {
    lock.lock()
    isClosed = true
    let waiting = line.removeAll()
    for waiter in waiting { waiter.outcome = .failure(closedError()) }
    lock.unlock()
    for waiter in waiting { waiter.finish(.failure(closedError())) }
  }

  // MARK: Handing on, with the lock held

  private func enqueue(_ waiter: Waiter, atHead: Bool) {
    if isClosed {
      waiter.outcome = .failure(closedError())
    } else if !isTaken {
      isTaken = true
      grant(waiter)
    } else {
      if atHead { line.prepend(waiter) } else { line.append(waiter) }
      // A thread looks at the clock itself.
      setAlarm(waiter.isThread ? .max : waiter.deadline)
    }
  }

  private func grant(_ waiter: Waiter) {
    holder = waiter.kind
    waiter.outcome = .success(())
    if case .task = waiter.wake {
      reservation = waiter
      reservedAt = DispatchTime.now().uptimeNanoseconds
      setAlarm()
    }
  }

  /// Gives the turn to the next in line. Unlocks.
  @inline(never)
  private func handOn() {
    guard let next = line.popFirst() else {
      isTaken = false
      return lock.unlock()
    }
    grant(next)
    lock.unlock()
    next.finish(.success(()))
  }

  // MARK: Deadlines of those who have no thread to wait with

  /// Sees to it that `ring` is called at `deadline`, or when a reservation that others wait behind
  /// has lasted too long. Called with the lock held.
  private func setAlarm(_ deadline: UInt64 = .max) {
    let isWaitedFor = reservation != nil && !line.isEmpty
    let due = isWaitedFor ? min(deadline, reservedAt + Self.grace) : deadline
    guard due < alarm ?? .max else { return }
    alarm = due
    DispatchQueue.global().asyncAfter(deadline: DispatchTime(uptimeNanoseconds: due)) {
      self.ring(due)
    }
  }

  private func ring(_ due: UInt64) {
    lock.lock()
    // An earlier one was set after it and has done its work.
    guard alarm == due else { return lock.unlock() }
    alarm = nil
    let now = DispatchTime.now().uptimeNanoseconds
    let late = line.removeExpired(now)
    for waiter in late { waiter.outcome = .failure(lockedError(waiter)) }
    let isStuck = reservation != nil && !line.isEmpty && now >= reservedAt + Self.grace
    if isStuck {
      reservation = nil
      handOn()
      lock.lock()
    }
    setAlarm(line.nextDeadline ?? .max)
    lock.unlock()
    for waiter in late { if let outcome = waiter.outcome { waiter.finish(outcome) } }
  }

  // MARK: Errors

  private func lockedError(_ waiter: Waiter) -> XTError {
    let seconds = String(Double(Int(waiter.limit * 1000)) / 1000)
    return XTError(
      .locked,
      "\(waiter.kind.name) waited \(seconds) s for \(label), which \(holder.name) holds",
      hint: "make that block shorter, or raise busyTimeout; a block must not wait for another "
        + "thread that uses the same database",
      path: path)
  }

  private func closedError() -> XTError {
    XTError(.closed, "the database \(label) was closed", path: path)
  }
}
