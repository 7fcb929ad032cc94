/// How an open database stands, and what it has done since it was opened: see
/// ``XTDatabase/statistics``.
///
/// Counted all the time, whether anybody listens or not. Taken while others work, the numbers may be
/// of slightly different moments.
public struct XTStatistics: Hashable, Sendable {
  /// Connections that are open at this moment: the writer's, where it was needed, and readers.
  public let openConnections: Int
  /// Readers that nobody uses just now; 0 where reads use the writer's connection.
  public let idleReaders: Int
  /// Readers in use.
  public let busyReaders: Int
  /// `XTConfiguration.maximumReaders`; 0 where reads use the writer's connection.
  public let maximumReaders: Int
  /// Whether somebody writes, or has the writer's connection.
  public let isWriterBusy: Bool
  /// Calls that stand in line for the writer's connection.
  public let waitingWriters: Int
  /// Calls that stand in line for a reader.
  public let waitingReaders: Int

  /// Connections that were opened.
  public let openedConnections: Int
  /// Statements that were prepared.
  public let preparedStatements: Int
  /// Statements that were used again without preparing them.
  public let reusedStatements: Int
  /// Transactions of blocks and verbs that were committed. A statement by itself is not counted.
  public let committedTransactions: Int
  /// Transactions of blocks and verbs that were rolled back.
  public let rolledBackTransactions: Int
  /// Waits for another connection's lock on the file.
  public let busyWaits: Int
  /// Calls that threw an ``XTError``, also where the caller caught it inside a block.
  public let errors: Int

  /// Bytes of the database file; 0 in memory.
  public let fileSize: Int
  /// Bytes of the write-ahead log; 0 where there is none.
  public let logSize: Int

  /// The share of statements that had not to be prepared, 0 … 1.
  public var reuse: Double {
    let all = preparedStatements + reusedStatements
    return all == 0 ? 0 : Double(reusedStatements) / Double(all)
  }
}

extension XTStatistics {
  init(_ core: DatabaseCore) {
    let writer = core.writers.counts
    let hasReaders = core.readsBeside
    let readers = core.readers.counts
    openConnections = writer.open + (hasReaders ? readers.open : 0)
    idleReaders = hasReaders ? readers.idle : 0
    busyReaders = hasReaders ? readers.lent : 0
    maximumReaders = hasReaders ? readers.capacity : 0
    isWriterBusy = writer.lent > 0
    waitingWriters = core.writers.waiting
    waitingReaders = hasReaders ? core.readers.waiting : 0
    let ledger = core.ledger
    (openedConnections, errors) = ledger.counts
    preparedStatements = ledger[.prepared]
    reusedStatements = ledger[.used] - ledger[.kept]
    committedTransactions = ledger[.committed]
    rolledBackTransactions = ledger[.rolledBack]
    busyWaits = ledger[.busyWaits]
    let sizes = core.file.sizes
    fileSize = sizes.database
    logSize = sizes.wal
  }
}

extension XTStatistics: CustomStringConvertible {
  /// A few lines to read.
  public var description: String {
    """
    connections: \(openConnections) open, \(openedConnections) opened; readers: \(busyReaders) in \
    use, \(idleReaders) idle, \(maximumReaders) at most; waiting: \(waitingWriters) to write, \
    \(waitingReaders) to read
    statements: \(preparedStatements) prepared, \(reusedStatements) reused
    transactions: \(committedTransactions) committed, \(rolledBackTransactions) rolled back
    waits for locks: \(busyWaits), errors: \(errors)
    file: \(fileSize) bytes, log: \(logSize) bytes
    """
  }
}
