/// What a stream reads, and how.
struct StreamSource<Element>: Sendable {
  let database: XTDatabase
  /// Whether a reader is the first to be asked.
  let asksReader: Bool
  /// The rows on a connection that has a snapshot; nil for none. The caller finishes the statement.
  ///
  /// - Throws: `NeedsWriter` where that connection doesn't know the answer.
  let open: @Sendable (Connection) throws -> StreamRows<Element>?
  /// All rows at once, on whatever connection knows them.
  let all: @Sendable () throws -> [Element]

  /// Only the writer's connection knows the answer.
  struct NeedsWriter: Error {}
}

/// A statement that runs, with what is made of its rows.
struct StreamRows<Element> {
  let statement: Statement
  let next: () throws -> Element?
}

/// Some rows of a stream.
struct StreamBatch<Element> {
  /// The last one first.
  var rows: [Element]
  /// What comes after them, if that is known to be an error.
  var failure: (any Error)?
}

/// The reading side of one iteration: it keeps a reader with its snapshot and its statement between
/// the batches, or has read all rows at once where it can't.
// @unchecked: `phase` and `reason` are touched under the lock alone, and what a phase holds by who
// has taken it out of there.
final class StreamCursor<Element>: ReaderKeeper, @unchecked Sendable {
  // @unchecked: whoever has taken it out of the phase is alone with it.
  private struct Kept: @unchecked Sendable {
    let connection: Connection
    let rows: StreamRows<Element>
  }

  private enum Phase {
    case new
    /// The reader waits.
    case idle(Kept)
    /// A batch is being read; with the connection, where that was kept before.
    case reading(Connection?)
    case ended
  }

  private let source: StreamSource<Element>
  private let lock = Lock()
  private var phase = Phase.new
  /// Why it was ended from outside, until that was told.
  private var reason: (any Error)?
  private let useCount = AtomicWord()
  private var batchSize = 16

  // No more than fits the processor's caches, about.
  private static var largestBatch: Int { 512 }
  private static var mostBytes: Int { 256 * 1024 }

  init(_ source: StreamSource<Element>) {
    self.source = source
  }

  /// Who iterates lets go of it at once, while the thread that has read its last batch may still be
  /// on its way out of there.
  final class Lease: Sendable {
    let cursor: StreamCursor

    init(_ cursor: StreamCursor) { self.cursor = cursor }

    deinit { cursor.end(CancellationError()) }
  }

  var uses: UInt? {
    lock.withLock { if case .reading = phase { nil } else { useCount.value } }
  }

  func noteUse() { useCount.advance() }

  func end(_ error: any Error) {
    let kept: Kept? = lock.withLock {
      switch phase {
      case .new:
        (phase, reason) = (.ended, error)
        return nil
      case .idle(let kept):
        (phase, reason) = (.ended, error)
        return kept
      case .reading(let connection):
        if reason == nil { reason = error }
        // Under the lock, so that the connection can't be another's meanwhile.
        connection?.interrupt()
        return nil
      case .ended: return nil
      }
    }
    if let kept { release(kept) }
  }

  /// The next rows; none at the end.
  func batch() async throws -> sending StreamBatch<Element> {
    switch try takePhase() {
    case .new: return try await first()
    case .idle(let kept): return try await more(kept)
    case .ended, .reading: return StreamBatch(rows: [])
    }
  }

  private func takePhase() throws -> Phase {
    try lock.withLock {
      let taken = phase
      switch taken {
      case .new: phase = .reading(nil)
      case .idle(let kept): phase = .reading(kept.connection)
      case .reading:
        throw XTError(
          .sqlite, "two tasks ask one iterator of a stream for its next row",
          hint: "let each task iterate over the stream by itself")
      case .ended:
        if let reason {
          self.reason = nil
          throw reason
        }
      }
      return taken
    }
  }

  /// A batch was read: the reader waits for the next one, or is given back.
  ///
  /// - Returns: why it was ended from outside meanwhile, where it was.
  private func settle(_ kept: Kept?, hasMore: Bool) -> (any Error)? {
    let told = lock.withLock {
      // First this: nobody may stop the connection once it is another's.
      if let kept, hasMore, reason == nil { phase = .idle(kept) } else { phase = .ended }
      defer { reason = nil }
      return reason
    }
    if hasMore, told == nil { return nil }
    if let kept { release(kept) }
    source.database.core.streams.remove(ObjectIdentifier(self))
    return told
  }

  // MARK: The first batch

  private func first() async throws -> sending StreamBatch<Element> {
    let database = source.database
    let limit = database.readers.counts.capacity - 1
    let mayKeep =
      source.asksReader && database.begun == nil && database.core.readsBeside
      && database.core.streams.admit(self, limit: limit)
    do {
      if mayKeep {
        do {
          return try await database.whenLent(.readVerb) { [self] call, visit in
            try open(visit, call)
          }
        } catch is StreamSource<Element>.NeedsWriter {
          // Another stream may have the place while all rows are read.
          database.core.streams.remove(ObjectIdentifier(self))
        }
      }
      let kind = source.asksReader && !mayKeep ? AccessKind.readVerb : .writerVerb
      let rows = try await database.onWorker(kind) { [source] in
        StreamBatch(rows: try source.all().reversed())
      }
      _ = settle(nil, hasMore: false)
      return rows
    } catch {
      throw settle(nil, hasMore: false) ?? error
    }
  }

  /// Begins the snapshot and the statement on a reader that was lent for it, which is then kept.
  private func open(_ visit: Visit, _ call: CancellableCall) throws -> StreamBatch<Element> {
    let database = source.database
    let connection = visit.connection
    var opened: StreamRows<Element>?
    var hasSnapshot = false
    func close() {
      if let opened { connection.finish(opened.statement) }
      if hasSnapshot { connection.rollBackScope() }
    }
    let result: (batch: StreamBatch<Element>, hasMore: Bool)
    do {
      result = try call.run(on: connection) {
        try connection.openSnapshot()
        hasSnapshot = true
        opened = try source.open(connection)
        return try opened.map(fill) ?? (StreamBatch(rows: []), false)
      }
    } catch {
      close()
      throw database.leave(visit, throwing: error)
    }
    var visit = visit
    guard result.hasMore, let opened else {
      close()
      _ = database.leave(visit)
      _ = settle(nil, hasMore: false)
      return result.batch
    }
    // The call ends, and keeps what it took.
    visit.pool = nil
    _ = database.leave(visit)
    let kept = Kept(connection: connection, rows: opened)
    if let reason = settle(kept, hasMore: true) { throw reason }
    return result.batch
  }

  // MARK: The others

  private func more(_ kept: Kept) async throws -> sending StreamBatch<Element> {
    let call = CancellableCall()
    let batch = try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation {
        (continuation: UnsafeContinuation<Handover<StreamBatch<Element>>, any Error>) in
        source.database.core.runOnWorker(.readVerb) { [self] in
          do {
            let batch = Handover(try read(kept, call))
            call.handOver()
            continuation.resume(returning: batch)
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    } onCancel: {
      call.cancel()
    }
    call.handOver()
    return batch.value
  }

  private func read(_ kept: Kept, _ call: CancellableCall) throws -> StreamBatch<Element> {
    let result: (batch: StreamBatch<Element>, hasMore: Bool)
    do {
      result = try source.database.continuing(with: kept.connection) {
        try call.run(on: kept.connection) { try fill(kept.rows) }
      }
    } catch {
      throw settle(kept, hasMore: false) ?? error
    }
    if let reason = settle(kept, hasMore: result.hasMore), result.hasMore { throw reason }
    return result.batch
  }

  private func fill(
    _ rows: StreamRows<Element>
  ) throws -> (batch: StreamBatch<Element>, hasMore: Bool) {
    var batch: [Element] = []
    batch.reserveCapacity(batchSize)
    var bytes = 0
    do {
      while batch.count < batchSize, bytes < Self.mostBytes {
        guard let row = try rows.next() else {
          return (StreamBatch(rows: batch.reversed()), false)
        }
        batch.append(row)
        bytes += rows.statement.rowSize
      }
    } catch {
      // What came before the error comes before it.
      guard !batch.isEmpty, !(error is CancellationError) else { throw error }
      return (
        StreamBatch(rows: batch.reversed(), failure: source.database.noted(error)), false
      )
    }
    batchSize = min(batchSize * 2, Self.largestBatch)
    return (StreamBatch(rows: batch.reversed()), true)
  }

  /// Ends the statement and the snapshot, and gives the reader back.
  private func release(_ kept: Kept) {
    let database = source.database
    try? database.continuing(with: kept.connection) {
      kept.connection.finish(kept.rows.statement)
      kept.connection.rollBackScope()
    }
    database.readers.give(kept.connection)
    database.core.streams.remove(ObjectIdentifier(self))
  }
}

extension XTDatabase {
  /// Runs `body` in a call that uses a connection which is kept between calls.
  fileprivate func continuing<T>(
    with connection: Connection, _ body: () throws -> T
  ) throws -> T {
    // An interrupt that came while nothing ran is none of this call.
    if connection.isInterrupted.isSet { connection.isInterrupted.set(false) }
    AccessStack.current.push(self, connection)
    var visit = Visit(connection: connection, isPushed: true, pool: nil)
    if core.signals.isWatched { visit = beginWatch(of: visit, .readVerb, 0, 0) }
    return try visiting(visit) { _ in try body() }
  }
}
