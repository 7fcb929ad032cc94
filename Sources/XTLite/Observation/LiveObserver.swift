/// One iteration over an observation.
// @unchecked: all that changes is touched with the hub's lock held alone.
final class LiveObserver: @unchecked Sendable {
  typealias Waker = UnsafeContinuation<Void, Never>

  let database: XTDatabase
  let hub: LiveHub
  /// How often to look for other programs' writes, in seconds; nil for not at all.
  let pollInterval: Double?

  /// Whether there is something to read.
  var isDirty = true
  var isReading = false
  /// Whether it waits for others to have read, or has been told that they have.
  var place: Place?
  var hasEnded = false
  /// What it has read.
  var tables = TableSet.everything
  /// What was committed while it read.
  var missed = TableSet()
  /// Who waits: more than one where an iterator was copied.
  private var wakers: [Waker] = []

  init(_ database: XTDatabase, pollInterval: Double?) {
    self.database = database
    self.pollInterval = pollInterval
    hub = LiveHub.of(database)
  }

  /// Who iterates lets go of it: nobody waits then.
  final class Lease: Sendable {
    let observer: LiveObserver

    init(_ observer: LiveObserver) { self.observer = observer }

    deinit { observer.hub.end(observer) }
  }

  /// With the hub's lock held: there is something to read. Returns who is to be resumed then.
  func wake() -> [Waker] {
    // One that reads compares what was committed meanwhile with what it has read.
    guard !isReading else { return [] }
    // One in line knows already.
    if place == .inLine { return [] }
    isDirty = true
    return takeWakers()
  }

  /// With the hub's lock held.
  func keep(_ waker: Waker) { wakers.append(waker) }

  /// With the hub's lock held: who waits, to be resumed.
  func takeWakers() -> [Waker] {
    defer { wakers = [] }
    return wakers
  }

  enum Place { case inLine, called }

  /// How many of those who observe may read at one time: one reader is left for other calls.
  var mostReading: Int { max(database.readers.counts.capacity - 1, 1) }

  // MARK: Reading

  /// The next value, read when there is a reason to; nil at the end.
  func next<Value>(_ source: LiveSource<Value>) async throws -> sending Value? {
    while true {
      if Task.isCancelled { hub.end(self) }
      switch hub.turn(of: self) {
      case .end: return nil
      case .wait: await wait()
      case .read:
        if let value = try await read(source) { return value.value }
      }
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { (waker: Waker) in
        if !hub.park(self, waker) { waker.resume() }
      }
    } onCancel: {
      hub.end(self)
    }
  }

  /// - Returns: nil where it has to be tried again, or has ended.
  private func read<Value>(_ source: LiveSource<Value>) async throws -> Handover<Value>? {
    let hasBegun = Flag()
    do {
      let (value, tables) = try await source.readNoting(hasBegun)
      hub.settle(self, tables)
      return value
    } catch let error where isPassing(error, hasBegun.isSet) {
      // The value is still wanted.
      hub.settle(self, nil)
      if !(error is ReadingWasInterrupted) { try? await Task.sleep(nanoseconds: 20_000_000) }
      return nil
    } catch {
      let isOver = Task.isCancelled || !database.isOpen
      hub.end(self)
      if isOver { return nil }
      throw error
    }
  }
}

extension LiveObserver {
  /// Whether reading may go well another time, though nobody wrote: the database was suspended, all
  /// its readers were in use for long, or somebody interrupted what ran on it.
  private func isPassing(_ error: any Error, _ hasBegun: Bool) -> Bool {
    if Task.isCancelled { return false }
    if error is ReadingWasInterrupted { return true }
    guard !hasBegun, let error = error as? XTError else { return false }
    return error.kind == .locked || error.kind == .interrupted
  }
}

/// `interrupt()` came while a value was read: it may be none, or a wrong one.
private struct ReadingWasInterrupted: Error {}

/// What an observation reads.
struct LiveSource<Value>: Sendable {
  /// Not a transaction object's.
  let database: XTDatabase
  /// Called in a read block of the database.
  let read: @Sendable () throws -> Value

  init(_ database: XTDatabase, _ read: @escaping @Sendable () throws -> Value) {
    self.database = database
    self.read = read
  }

  /// Reads on one snapshot, and says which tables.
  fileprivate func readNoting(_ hasBegun: Flag) async throws -> (Handover<Value>, TableSet) {
    try await database.onWorker(.read) { [self] in
      hasBegun.set(true)
      guard let connection = AccessStack.current.connection(of: database.core) else {
        return (Handover(try read()), .everything)
      }
      let (value, tables) = connection.collectingReads {
        Result { Handover(try read()) }
      }
      // Which was meant for what the program waits for.
      if connection.isInterrupted.isSet { throw ReadingWasInterrupted() }
      return (try value.get(), tables)
    }
  }
}
