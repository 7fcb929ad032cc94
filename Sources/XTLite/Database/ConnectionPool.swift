import Dispatch

/// Lends a bounded number of connections to one file: a line of waiters, first in, first out.
///
/// One that has waited for less than a millisecond may be passed by a thread that is running: the
/// connection would lie idle until the next one wakes, and two threads that write in turns would
/// wait for that each time.
///
/// The writer is a pool of one. A connection that is lent is used by whoever has it, on whatever
/// thread; a synchronous call takes it where it runs, which costs a lock and an unlock when nobody
/// else wants it. Who has to wait is a blocked thread, a job for a thread of the database's own, or
/// a suspended task; each wait ends at its deadline with `locked`.
// @unchecked: every stored property that changes is only touched with `lock` held; the waiters
// belong to the pool and are touched under the same lock.
final class ConnectionPool: @unchecked Sendable {
  private let lock = Lock()
  // How many may be lent at this moment: none while the pool is held back or closed. While fewer
  // than that are lent, the line is empty, or its first has been told so: once it has taken one, it
  // sees to those behind it.
  @exclusivity(unchecked) private var places: Int
  @exclusivity(unchecked) private var lent = 0
  // The one that was used last is on top: its pages are in the cache.
  @exclusivity(unchecked) private var idle: ContiguousArray<Connection> = []
  @exclusivity(unchecked) private var holder = AccessKind.write
  @exclusivity(unchecked) private var line = WaitingLine()
  @exclusivity(unchecked) private var capacity: Int
  /// All that are open, lent ones too.
  private var open: [Connection] = []
  private var isClosed = false
  /// Waits for the last one to come back.
  private var drain: DispatchSemaphore?
  /// A task that was lent one and has not come to run yet.
  private var reservation: Waiter?
  private var reservedAt: UInt64 = 0
  private var alarm: UInt64?

  let file: DatabaseFile
  private let makeConnection: @Sendable () throws -> Connection

  /// How long a connection is kept for a task that does not come, in nanoseconds. The executor that
  /// it needs may be blocked by the very thread that waits in line behind it.
  private static let grace: UInt64 = 10_000_000

  /// How far ahead an alarm is set: it holds the pool, with all that is open.
  private static let longestAlarm: UInt64 = 60_000_000_000

  /// A queue of its own always gets a thread; the shared ones may have all of theirs blocked by
  /// those who wait for the alarm.
  private static let alarms = DispatchQueue(label: "XTLite deadlines")

  /// How long a thread that is next in line waits without giving the processor up, in nanoseconds.
  private static let spin: UInt64 = 40_000

  /// - Parameters:
  ///   - capacity: How many connections there are at most.
  ///   - makeConnection: Opens one, in the thread of the call that needs it.
  init(
    _ file: DatabaseFile, capacity: Int,
    makeConnection: @escaping @Sendable () throws -> Connection
  ) {
    self.file = file
    self.capacity = max(capacity, 1)
    places = self.capacity
    self.makeConnection = makeConnection
  }

  // MARK: Threads

  /// Borrows a connection, blocking the thread for `limit` seconds at most; give it back with
  /// `give`. Opens one where none is idle.
  @inline(__always)
  func take(_ kind: AccessKind, limit: @autoclosure () -> Double) throws -> Connection {
    lock.lock()
    guard lent < places else { return try connection(for: wait(kind, limit: limit())) }
    lent += 1
    holder = kind
    guard let connection = idle.popLast() else {
      lock.unlock()
      return try connection(for: Loan(connection: nil))
    }
    lock.unlock()
    return connection
  }

  /// The same without opening one, where no one has to be waited for.
  func takeIfFree(_ kind: AccessKind) -> Loan? {
    lock.withLock {
      guard lent < places else { return nil }
      lent += 1
      holder = kind
      return Loan(connection: idle.popLast())
    }
  }

  /// The same without opening one.
  func takePlace(_ kind: AccessKind, limit: Double) throws -> Loan {
    if let place = takeIfFree(kind) { return place }
    lock.lock()
    return try wait(kind, limit: limit)
  }

  /// The connection of a place that a waiter was given: opened where there is none yet. Where that
  /// fails the place goes to the next in line.
  func connection(for place: Loan) throws -> Connection {
    do {
      return try connectionKeepingPlace(place)
    } catch {
      lock.lock()
      handOn(nil)
      throw error
    }
  }

  /// The same for who keeps the place where it fails.
  func connectionKeepingPlace(_ place: Loan) throws -> Connection {
    if let connection = place.connection { return connection }
    let connection = try makeConnection()
    lock.withLock { open.append(connection) }
    return connection
  }

  /// Gives a connection back: to the next in line, where there is one.
  @inline(__always)
  func give(_ connection: Connection) {
    lock.lock()
    if lent <= places && line.isEmpty {
      lent -= 1
      idle.append(connection)
      lock.unlock()
    } else if lent <= places, let next = line.first, next.isPatient {
      leave(connection, to: next)
    } else {
      handOn(connection)
    }
  }

  /// Leaves a connection to the next in line, or to who is there first: as a rule the thread that
  /// gave it back and needs it again at once, while the next one has yet to wake. Called with the
  /// lock held; unlocks.
  @inline(never)
  private func leave(_ connection: Connection, to next: Waiter) {
    lent -= 1
    idle.append(connection)
    var sleeper: DispatchSemaphore?
    // One that was too late once would be again, for the price of being woken: it looks for itself
    // when it has waited long enough not to be passed.
    if !next.wasPassed {
      next.mayTry.set(true)
      if next.isAsleep { sleeper = next.semaphore }
      next.isAsleep = false
    }
    lock.unlock()
    sleeper?.signal()
  }

  /// Called with the lock held; unlocks.
  @inline(never)
  private func wait(_ kind: AccessKind, limit: Double) throws -> Loan {
    if isClosed {
      lock.unlock()
      throw file.closedError()
    }
    let isNext = line.isEmpty
    let waiter = Waiter(kind, limit: limit, wake: .thread)
    enqueue(waiter, atHead: false)
    lock.unlock()
    // Sleeping and waking cost more than a small commit: the next in line spins for one first.
    let spin = isNext ? min(Self.spin, limit.nanoseconds) : 0
    while true {
      if waiter.wasPassed || !waiter.spin(nanoseconds: spin) { sleep(waiter) }
      lock.lock()
      waiter.wasPassed = waiter.wasPassed || waiter.mayTry.isSet
      waiter.mayTry.set(false)
      waiter.isAsleep = false
      if waiter.outcome == nil, line.first === waiter, lent < places {
        line.remove(waiter)
        lent += 1
        grant(waiter, Loan(connection: idle.popLast(), hasWaited: true))
      } else if waiter.outcome == nil, waiter.isLate {
        line.remove(waiter)
        waiter.outcome = .failure(lockedError(waiter))
      }
      let outcome = waiter.outcome
      // What was left for it may have been more than one place.
      if outcome == nil { lock.unlock() } else { fillPlaces() }
      if let outcome { return try outcome.get() }
    }
  }

  private func sleep(_ waiter: Waiter) {
    lock.lock()
    let isOver = waiter.outcome != nil || waiter.mayTry.isSet
    // Made once: who ends the wait reads it without the lock.
    let semaphore = waiter.semaphore ?? DispatchSemaphore(value: 0)
    if !isOver {
      waiter.semaphore = semaphore
      waiter.isAsleep = true
    }
    let end = waiter.nextLook
    lock.unlock()
    if !isOver { _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: end)) }
  }

  // MARK: Jobs

  /// Wakes the waiter when it has a place, or with the error for which it did not get one. It is
  /// woken once, on a thread that it must leave at once. `atHead` is for a task that lost its
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

  /// A task that was woken takes the place that is kept for it. Nil where it came too late: it then
  /// waits again, at the head of the line.
  func claim(_ waiter: Waiter) -> Loan? {
    lock.withLock {
      guard reservation === waiter, case .success(let place) = waiter.outcome else { return nil }
      reservation = nil
      return place
    }
  }

  // MARK: Holding back

  /// Lends nothing more until `letGo`, and waits for what is lent.
  ///
  /// - Throws: `locked` where that did not all come back in `limit` seconds; the pool then goes on
  ///   as before. One at a time: the caller sees to that.
  func holdBack(_ kind: AccessKind, limit: Double) throws {
    lock.lock()
    if isClosed {
      lock.unlock()
      throw file.closedError()
    }
    places = 0
    let last = DispatchSemaphore(value: 0)
    let waiter = Waiter(kind, limit: limit, wake: .thread)
    if lent > 0 {
      drain = last
      lock.unlock()
      _ = last.wait(timeout: DispatchTime(uptimeNanoseconds: waiter.deadline))
      lock.lock()
      drain = nil
    }
    let error = lent > 0 ? lockedError(waiter) : nil
    if error == nil { holder = kind }
    lock.unlock()
    guard let error else { return }
    letGo()
    throw error
  }

  /// Ends what `holdBack` began.
  func letGo() {
    lock.lock()
    places = isClosed ? 0 : capacity
    let surplus = takeSurplus()
    fillPlaces()
    for connection in surplus { connection.close() }
  }

  /// Changes how many connections there are at most. More than that are closed as they come back.
  func setCapacity(_ number: Int) {
    lock.lock()
    capacity = max(number, 1)
    // Held back: letGo sees to it.
    guard places > 0 else { return lock.unlock() }
    places = capacity
    let surplus = takeSurplus()
    fillPlaces()
    for connection in surplus { connection.close() }
  }

  /// Closes the connections that nobody uses. Returns how many.
  @discardableResult
  func closeIdle() -> Int {
    lock.lock()
    let connections = idle
    idle = []
    open.removeAll { connection in connections.contains { $0 === connection } }
    lock.unlock()
    for connection in connections { connection.close() }
    return connections.count
  }

  /// Closes what is idle, fails everyone in line and everyone who comes later. For who has all of
  /// the pool: its only connection, or a pool held back.
  func close() {
    lock.lock()
    isClosed = true
    places = 0
    let waiting = line.removeAll()
    for waiter in waiting { waiter.outcome = .failure(file.closedError()) }
    lock.unlock()
    for waiter in waiting { waiter.finish(.failure(file.closedError())) }
    closeIdle()
  }

  /// Closes the connection of a borrower, who keeps its place.
  func discard(_ place: Loan) {
    guard let connection = place.connection else { return }
    lock.withLock { open.removeAll { $0 === connection } }
    connection.close()
  }

  /// Gives a place back, with its connection or without.
  func give(_ place: Loan) {
    lock.lock()
    handOn(place.connection)
  }

  // MARK: Looking

  /// Calls `body` with each open connection, under the lock, so that none is closed meanwhile. The
  /// connection may be in use elsewhere: only what any thread may do with it.
  func forEachOpen(_ body: (Connection) -> Void) {
    lock.withLock { for connection in open { body(connection) } }
  }

  /// Calls `body` with each idle connection, which nobody can borrow meanwhile.
  func forEachIdle(_ body: (Connection) -> Void) {
    lock.withLock { for connection in idle { body(connection) } }
  }

  /// How many stand in line.
  var waiting: Int { lock.withLock { line.count } }

  /// Whether somebody waits for what is lent.
  var isWanted: Bool { lock.withLock { lent > places || !line.isEmpty } }

  /// The connections at this moment.
  var counts: (open: Int, lent: Int, idle: Int, capacity: Int) {
    lock.withLock { (open.count, lent, idle.count, capacity) }
  }

  // MARK: Handing on, with the lock held

  private func enqueue(_ waiter: Waiter, atHead: Bool) {
    if isClosed {
      waiter.outcome = .failure(file.closedError())
    } else if lent < places {
      lent += 1
      grant(waiter, Loan(connection: idle.popLast()))
    } else {
      if atHead { line.prepend(waiter) } else { line.append(waiter) }
      // A thread looks at the clock itself.
      setAlarm(waiter.isThread ? .max : waiter.deadline)
    }
  }

  private func grant(_ waiter: Waiter, _ place: Loan) {
    holder = waiter.kind
    waiter.outcome = .success(place)
    if case .task = waiter.wake {
      reservation = waiter
      reservedAt = Uptime.now
      setAlarm()
    }
  }

  /// Takes a borrower's place back, with its connection where it still has one, for the next in
  /// line. Unlocks.
  @inline(never)
  private func handOn(_ connection: Connection?) {
    var surplus: Connection?
    lent -= 1
    if let connection {
      // Never fewer than one place means that the capacity was lowered while this one was lent.
      if isClosed || places > 0 && lent >= places {
        surplus = connection
        open.removeAll { $0 === connection }
      } else {
        idle.append(connection)
      }
    }
    if lent == 0 { drain?.signal() }
    fillPlaces()
    surplus?.close()
  }

  /// Lends to those in line as long as there are places. Unlocks.
  private func fillPlaces() {
    while lent < places, let next = line.popFirst() {
      lent += 1
      grant(next, Loan(connection: idle.popLast(), hasWaited: true))
      let isLast = lent == places || line.isEmpty
      lock.unlock()
      if let outcome = next.outcome { next.finish(outcome) }
      if isLast { return }
      lock.lock()
    }
    lock.unlock()
  }

  private func takeSurplus() -> [Connection] {
    var surplus: [Connection] = []
    while open.count > capacity, !idle.isEmpty {
      let connection = idle.removeFirst()
      open.removeAll { $0 === connection }
      surplus.append(connection)
    }
    return surplus
  }

  // MARK: Deadlines of those who have no thread to wait with

  /// Sees to it that `ring` is called at `deadline`, or when a reservation that others wait behind
  /// has lasted too long. Called with the lock held.
  private func setAlarm(_ deadline: UInt64 = .max) {
    let isWaitedFor = reservation != nil && !line.isEmpty
    let latest = isWaitedFor ? min(deadline, reservedAt + Self.grace) : deadline
    guard latest < alarm ?? .max else { return }
    let due = min(latest, Uptime.now + Self.longestAlarm)
    guard due < alarm ?? .max else { return }
    alarm = due
    Self.alarms.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: due)) { self.ring(due) }
  }

  private func ring(_ due: UInt64) {
    lock.lock()
    // An earlier one was set after it and has done its work.
    guard alarm == due else { return lock.unlock() }
    alarm = nil
    let now = Uptime.now
    let late = line.removeExpired(now)
    for waiter in late { waiter.outcome = .failure(lockedError(waiter)) }
    let isStuck = reservation != nil && !line.isEmpty && now >= reservedAt + Self.grace
    if isStuck, case .success(let place)? = reservation?.outcome {
      reservation = nil
      handOn(place.connection)
      lock.lock()
    }
    setAlarm(line.nextDeadline ?? .max)
    lock.unlock()
    for waiter in late { if let outcome = waiter.outcome { waiter.finish(outcome) } }
  }

  private func lockedError(_ waiter: Waiter) -> XTError {
    file.lockedError(waiter, holder: holder)
  }
}

/// What a waiter is lent: an idle connection, or the right to open one.
// @unchecked: made by the pool for one waiter, and used by that one alone.
struct Loan: @unchecked Sendable {
  let connection: Connection?
  /// Whether somebody else had to give it back first.
  var hasWaited = false
}
