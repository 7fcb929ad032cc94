import Dispatch

/// One that waits for a connection. Touched under its pool's lock, but for `finish`, which is called
/// once per wait by who set the outcome.
// @unchecked: see above; constants do not change.
final class Waiter: @unchecked Sendable {
  enum Wake {
    /// A blocked thread, which looks at the clock itself.
    case thread
    /// Gets a place, or the reason why not; must return at once.
    case job(@Sendable (Result<Loan, any Error>) -> Void)
    /// As a job, but one that needs its own executor before it can use its place.
    case task(@Sendable (Result<Loan, any Error>) -> Void)
    /// It was woken.
    case over
  }

  let kind: AccessKind
  /// Seconds.
  let limit: Double
  /// Nanoseconds of uptime.
  let deadline: UInt64
  /// Let go by `finish`: what a closure holds may go with it, up to the database that is waited for,
  /// and that must not happen under the pool's lock.
  private(set) var wake: Wake
  /// Whether a thread waits, rather than a job or a task.
  let isThread: Bool
  /// How the wait ended; nil while it goes on.
  var outcome: Result<Loan, any Error>?
  /// Set after `outcome`, for a thread that spins.
  let isOver = Flag()
  /// Set where a connection was left for it, if it is the first to take it.
  let mayTry = Flag()
  /// Whether another one took what was left for it.
  var wasPassed = false
  /// Whether its thread waits for the semaphore, and has not been woken.
  var isAsleep = false
  /// Made by a thread that stopped spinning, while `outcome` was still nil.
  var semaphore: DispatchSemaphore?

  /// When the wait began, in nanoseconds of uptime.
  private let since = Uptime.now

  /// For how long it may be passed, in nanoseconds.
  private static let patience: UInt64 = 1_000_000

  /// `limit` is in seconds from now, unless an earlier wait has set the deadline.
  init(_ kind: AccessKind, limit: Double, deadline: UInt64? = nil, wake: Wake) {
    self.kind = kind
    self.limit = limit
    self.wake = wake
    isThread = if case .thread = wake { true } else { false }
    self.deadline = deadline ?? since + limit.nanoseconds
  }

  /// Whether it may still be passed: a thread, which looks for itself, and has just come.
  var isPatient: Bool {
    isThread && Uptime.now < since + Self.patience
  }

  /// Until when its thread sleeps, where nobody wakes it.
  var nextLook: UInt64 {
    wasPassed && isPatient ? min(deadline, since + Self.patience) : deadline
  }

  var isLate: Bool { Uptime.now >= deadline }

  /// Waits without giving the processor up. Returns whether there is something to do.
  func spin(nanoseconds: UInt64) -> Bool {
    let end = Uptime.now + nanoseconds
    repeat {
      for _ in 0..<64 {
        if isOver.isSet || mayTry.isSet { return true }
        xt_spin_pause()
      }
    } while Uptime.now < end
    return isOver.isSet || mayTry.isSet
  }

  func finish(_ outcome: Result<Loan, any Error>) {
    let wake = wake
    self.wake = .over
    switch wake {
    case .over:
      break
    case .thread:
      isOver.set(true)
      semaphore?.signal()
    case .job(let job): job(outcome)
    case .task(let task): task(outcome)
    }
  }
}

/// Waiters in order.
struct WaitingLine {
  // Taken from the front by index, and packed now and then, so that no end costs a shift.
  private var waiters: ContiguousArray<Waiter> = []
  private var head = 0

  @inline(__always)
  var isEmpty: Bool { head == waiters.count }

  var count: Int { waiters.count - head }

  var first: Waiter? { head < waiters.count ? waiters[head] : nil }

  mutating func append(_ waiter: Waiter) {
    waiters.append(waiter)
  }

  mutating func prepend(_ waiter: Waiter) {
    pack()
    waiters.insert(waiter, at: 0)
  }

  mutating func popFirst() -> Waiter? {
    guard head < waiters.count else { return nil }
    let first = waiters[head]
    head += 1
    if head >= 32, head * 2 >= waiters.count { pack() }
    return first
  }

  @discardableResult
  mutating func remove(_ waiter: Waiter) -> Bool {
    pack()
    guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
    waiters.remove(at: index)
    return true
  }

  mutating func removeAll() -> [Waiter] {
    pack()
    defer { waiters = [] }
    return Array(waiters)
  }

  /// Those whose time is over and who have no thread that looks at the clock itself.
  mutating func removeExpired(_ now: UInt64) -> [Waiter] {
    pack()
    let late = waiters.filter { !$0.isThread && $0.deadline <= now }
    if !late.isEmpty { waiters.removeAll { !$0.isThread && $0.deadline <= now } }
    return Array(late)
  }

  /// The earliest deadline of those who have no thread.
  var nextDeadline: UInt64? {
    waiters[head...].lazy.filter { !$0.isThread }.map(\.deadline).min()
  }

  private mutating func pack() {
    guard head > 0 else { return }
    waiters.removeFirst(head)
    head = 0
  }
}
