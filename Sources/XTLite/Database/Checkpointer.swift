import Dispatch
import Foundation

/// Keeps the write-ahead log of one file from growing without end, behind everybody's back.
///
/// The writer's connection tells it of each commit. Once the log is long, it waits for a quiet
/// moment and puts the log into the file, on a thread and a connection of its own. Where writers go
/// on meanwhile, so that the log never becomes empty, it takes the writer's turn for the rest. It
/// never throws at anybody: what failed is kept, told, and tried again later.
///
/// It holds no core: `stop` ends what it does, and gives back what it has.
// @unchecked: `connection` is only touched with `stepLock` held; all else is behind a lock of its own.
final class Checkpointer: @unchecked Sendable {
  /// What it goes by. Times are in seconds.
  struct Limits: Sendable {
    /// The length of the log, in pages, from which it is put into the file.
    var pages = 500
    /// The length from which that is not put off for a quiet moment. Each page is looked for in the
    /// log by way of all its older versions there: single inserts became a quarter slower at 4,000.
    var urgentPages = 1_000
    /// The length of the log's file, in bytes, from which it is made empty.
    var bytes = 64 << 20
    /// How long a quiet moment is.
    var quiet = 0.25
    /// How long one is waited for.
    var patience = 2.0
    /// How long writers are kept waiting for readers to end.
    var wait = 0.1
    /// When what did not succeed is tried again: each time twice as late, up to `longestPause`.
    var pause = 1.0
    var longestPause = 60.0
    /// After how long without work the connection is closed.
    var idle = 10.0
  }

  /// Who hears of what nobody can be thrown at. Called with no lock held.
  struct Listener: Sendable {
    /// A reader has kept the log from becoming empty for so many nanoseconds: so many of its pages
    /// are not in the file yet.
    var stuckReader: @Sendable (_ pages: Int, _ nanoseconds: UInt64) -> Void = { _, _ in }
    var failure: @Sendable (XTError) -> Void = { _ in }
  }

  /// How it stands.
  struct Report: Sendable {
    /// Pages in the log after the latest commit or checkpoint of this process.
    var pages = 0
    /// Since when a reader has been in the way, in nanoseconds of uptime; nil while none is.
    var stuckSince: UInt64?
    /// How many pages it keeps from the file.
    var stuckPages = 0
    /// Why the latest attempt failed; nil where it did not.
    var failure: XTError?
    /// How often the log was put into the file, and how often its file was made empty.
    var completions = 0
    var truncations = 0
  }

  struct State {
    var isRunning = false
    /// Moves with each start and stop: what was planned before is not done after it.
    var generation = 0
    var limits: Limits
    var listener = Listener()
    var writers: ConnectionPool?
    /// Nil while there is nothing to do.
    var cycle: Cycle?
    /// The writer's turn, on its way to the queue.
    var turn: Loan?
    /// The connection of the step that runs, to be cancelled by `stop`.
    var current: Connection?
    var pause = 0.0
    var lastUse: UInt64 = 0
    var report = Report()
  }

  /// From the moment at which the log is too long to that at which it is in the file.
  struct Cycle {
    let began: UInt64
    /// At the latest look.
    var pages: Int
    /// A step runs, or is waited for.
    var isBusy = false
  }

  // What `told` looks at: the pages in the log, and the number from which it wakes the queue.
  private let pageCount = AtomicWord()
  private let mark = AtomicWord(.max)
  let state: Mutex<State>
  /// Held while the connection is used.
  let stepLock = Lock()
  var connection: Connection?
  let queue: DispatchQueue
  let open: @Sendable () throws -> Connection

  /// - Parameter open: Opens a connection for checkpoints.
  init(
    label: String, limits: Limits = Limits(), open: @escaping @Sendable () throws -> Connection
  ) {
    state = Mutex(State(limits: limits))
    queue = DispatchQueue(label: "XTLite checkpoints of \(label)", qos: .utility)
    self.open = open
  }

  // MARK: From outside

  /// The log has so many pages after a commit. Called by the connection that writes.
  @inline(__always)
  func told(_ pages: Int) {
    setPages(pages)
    if UInt(bitPattern: pages) >= mark.value { wake(pages) }
  }

  /// Whose turn is taken where writers leave no pause; nil for none.
  func setWriters(_ writers: ConnectionPool?) {
    state.withLock { $0.writers = writers }
  }

  func setListener(_ listener: Listener) {
    state.withLock { $0.listener = listener }
  }

  /// The length of the log's file from which it is made empty, in bytes.
  func setByteLimit(_ bytes: Int) {
    state.withLock { $0.limits.bytes = bytes }
  }

  var report: Report {
    state.withLock { state in
      var report = state.report
      report.pages = pages
      return report
    }
  }

  /// Whether it has a connection open. Waits for the step that runs.
  var isConnected: Bool { stepLock.withLock { connection != nil } }

  /// Begins to look after the log. Does nothing where it does so already.
  func start() {
    state.withLock { state in
      guard !state.isRunning else { return }
      state.isRunning = true
      state.generation += 1
      setMark(state.limits.pages)
    }
  }

  /// Ends what runs, waits for that, and closes the connection: the file is not touched any more
  /// until `start`.
  func stop() {
    state.withLock { state in
      state.isRunning = false
      state.generation += 1
      state.cycle = nil
      state.pause = 0
      state.report.stuckSince = nil
      state.report.stuckPages = 0
      setMark(.max)
      // Ends a wait for readers. Under the lock, so that it is not closed meanwhile.
      state.current?.cancel()
    }
    let (turn, writers) = stepLock.withLock {
      close()
      return state.withLock { state in
        defer { state.turn = nil }
        return (state.turn, state.writers)
      }
    }
    if let turn { writers?.give(turn) }
  }

  /// Closes the connection, which is opened again when it is needed.
  func closeIdle() {
    stepLock.withLock { close() }
  }

  /// A checkpoint that somebody asked for, in the caller's thread; who wants more than a passive one
  /// has the writer's turn. `wait` is in seconds.
  ///
  /// - Returns: nil where it is stopped.
  func checkpoint(_ mode: XTCheckpoint, wait: Double) throws -> XTCheckpointResult? {
    let generation = state.withLock { $0.generation }
    let result = step(generation) { try $0.checkpoint(mode, wait: wait) }
    guard let result = try result?.get() else { return nil }
    if mode == .truncate, result.obstacle == nil { setPages(0) }
    return result
  }

  // MARK: Waiting for a quiet moment

  var pages: Int { Int(bitPattern: pageCount.value) }

  func setPages(_ pages: Int) {
    pageCount.set(UInt(bitPattern: pages))
  }

  func setMark(_ pages: Int) {
    mark.set(UInt(bitPattern: pages))
  }

  @inline(never)
  private func wake(_ pages: Int) {
    let generation = state.withLock { state in
      guard state.isRunning else { return Int?.none }
      // Told once more where it gets urgent.
      setMark(pages >= state.limits.urgentPages ? .max : state.limits.urgentPages)
      return state.generation
    }
    if let generation { queue.async { self.look(generation, wasTold: true) } }
  }

  /// Sees whether it is time. On the queue.
  private func look(_ generation: Int, wasTold: Bool = false) {
    let now = Uptime.now
    let pages = pages
    let isTime = state.withLock { state in
      guard state.isRunning, state.generation == generation else { return Bool?.none }
      var cycle: Cycle
      if let known = state.cycle {
        cycle = known
        if cycle.isBusy { return nil }
        let isQuiet = !wasTold && pages == cycle.pages
        cycle.isBusy =
          isQuiet || pages >= state.limits.urgentPages
          || now >= cycle.began + state.limits.patience.nanoseconds
      } else {
        cycle = Cycle(began: now, pages: pages)
        cycle.isBusy = pages >= state.limits.urgentPages
      }
      cycle.pages = pages
      // One that is told of the second mark has a look planned already.
      let isPlanned = wasTold && state.cycle != nil
      state.cycle = cycle
      return cycle.isBusy ? true : isPlanned ? nil : false
    }
    guard let isTime else { return }
    if isTime {
      run(generation)
    } else {
      plan(state.withLock { $0.limits.quiet }) { $0.look(generation) }
    }
  }

  func plan(_ seconds: Double, _ body: @escaping @Sendable (Checkpointer) -> Void) {
    queue.asyncAfter(deadline: .now() + seconds) { body(self) }
  }
}
