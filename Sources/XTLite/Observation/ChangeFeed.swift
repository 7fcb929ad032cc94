/// What waits for one iteration over the changes of a database.
final class ChangeFeed: Sendable {
  typealias Waker = UnsafeContinuation<Void, Never>

  private struct State {
    var commits: [WaitingCommit] = []
    /// How many rows wait.
    var count = 0
    /// How many bytes they take.
    var size = 0
    /// Who waits: more than one where an iterator was copied.
    var wakers: [Waker] = []
    var hasEnded = false

    mutating func takeWakers() -> [Waker] {
      defer { wakers = [] }
      return wakers
    }
  }

  let database: XTDatabase
  private let hub: LiveHub
  private let state = Mutex(State())

  /// Begins at once.
  init(_ database: XTDatabase) {
    self.database = database
    hub = LiveHub.of(database)
    hub.add(self)
  }

  /// Who iterates lets go of it: nothing is kept any more.
  final class Lease: Sendable {
    let feed: ChangeFeed

    init(_ feed: ChangeFeed) { self.feed = feed }

    deinit { feed.end() }
  }

  /// A commit came. Returns who is to be resumed.
  func add(_ writes: Writes, commit: Int) -> [Waker] {
    state.withLock { state in
      guard !state.hasEnded else { return [] }
      state.commits.append(WaitingCommit(writes: writes, number: commit))
      state.count += writes.rows.count
      state.size += writes.size
      // A slow reader must not fill the memory: it is told which tables to read anew.
      if state.count > Writes.rowLimit || state.commits.count > Writes.rowLimit
        || state.size > Writes.byteLimit
      {
        state.commits = [Self.joined(state.commits, commit)]
        (state.count, state.size) = (0, 0)
      }
      return state.takeWakers()
    }
  }

  private static func joined(_ commits: [WaitingCommit], _ number: Int) -> WaitingCommit {
    var writes = Writes()
    for commit in commits { writes.add(commit.writes) }
    writes.forgetRows()
    return WaitingCommit(writes: writes, number: number)
  }

  /// Nobody wants them any more.
  func end() {
    let wakers = state.withLock { state in
      defer { state = State(hasEnded: true) }
      return state.wakers
    }
    hub.remove(self)
    for waker in wakers { waker.resume() }
  }

  /// No others come: the database is closed. Those that wait are still to be had.
  func close() {
    let wakers = state.withLock { state in
      state.hasEnded = true
      return state.takeWakers()
    }
    hub.remove(self)
    for waker in wakers { waker.resume() }
  }

  /// The next commits, one at least; nil at the end.
  func next() async -> [WaitingCommit]? {
    while true {
      if Task.isCancelled { end() }
      let (commits, hasEnded) = state.withLock { state in
        defer { (state.commits, state.count, state.size) = ([], 0, 0) }
        return (state.commits, state.hasEnded)
      }
      if !commits.isEmpty { return commits }
      if hasEnded { return nil }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { (waker: Waker) in
          let isParked = state.withLock { state in
            guard !state.hasEnded, state.commits.isEmpty else { return false }
            state.wakers.append(waker)
            return true
          }
          if !isParked { waker.resume() }
        }
      } onCancel: {
        end()
      }
    }
  }
}
