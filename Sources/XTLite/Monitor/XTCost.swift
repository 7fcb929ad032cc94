/// What some calls cost: see ``XTDatabase/measured(_:)`` and ``XTPerformance``.
public struct XTCost: Sendable {
  /// One SQL text's part of it.
  public struct Statement: Hashable, Sendable {
    /// As it was prepared.
    public let sql: String
    /// How often it ran.
    public let count: Int
    /// Rows that it gave; where it gives none, rows that it changed.
    public let rows: Int
    /// Nanoseconds inside SQLite: preparing it, running it, and waiting there for other
    /// connections' locks.
    public let nanoseconds: UInt64
  }

  /// Each SQL text, in the order of their first use.
  public let statements: [Statement]
  /// Nanoseconds of all of it, from beginning to end.
  public let nanoseconds: UInt64
  /// Statements that had to be prepared.
  public let prepared: Int
  /// Statements that were there already.
  public let reused: Int
  /// How often another connection's lock on the file was waited for.
  public let busyWaits: Int
  /// Nanoseconds of these waits; they are in `sqliteNanoseconds` too.
  public let busyNanoseconds: UInt64

  /// How many statements ran.
  public var count: Int { statements.reduce(0) { $0 + $1.count } }

  /// The sum of the statements' rows.
  public var rows: Int { statements.reduce(0) { $0 + $1.rows } }

  /// Nanoseconds inside SQLite; the rest of `nanoseconds` is the library's and the caller's own.
  public var sqliteNanoseconds: UInt64 { statements.reduce(0) { $0 + $1.nanoseconds } }
}

extension XTCost {
  init(_ tally: Tally, nanoseconds: UInt64) {
    statements = tally.statements.map { statement in
      Statement(
        sql: statement.sql, count: statement.runs, rows: statement.rows,
        nanoseconds: statement.nanoseconds)
    }
    self.nanoseconds = nanoseconds
    prepared = tally.prepared
    reused = tally.reused
    busyWaits = tally.busyWaits
    busyNanoseconds = tally.busyNanoseconds
  }
}

extension XTCost: CustomStringConvertible {
  /// One line with the sums, and one for each SQL text.
  public var description: String {
    var parts = [
      "\(Nanoseconds.text(nanoseconds)), \(Nanoseconds.text(sqliteNanoseconds)) of them inside SQLite",
      "\(count) statements", "\(prepared) prepared", "\(rows) rows",
    ]
    if busyWaits > 0 {
      parts.append("waited \(busyWaits) times for a lock, \(Nanoseconds.text(busyNanoseconds))")
    }
    let lines = statements.map { statement in
      "\n  \(statement.count) × \(statement.sql.shortened): \(statement.rows) rows, "
        + Nanoseconds.text(statement.nanoseconds)
    }
    return parts.joined(separator: ", ") + lines.joined()
  }
}

/// What one call cost, or one transaction with all that ran in it.
public struct XTPerformance: Sendable {
  /// What the call was.
  public enum Call: String, Sendable {
    /// One verb that reads.
    case readingVerb = "a reading call"
    /// One verb that writes; with several statements it is a transaction of its own.
    case writingVerb = "a writing call"
    /// `read { }`.
    case read = "read"
    /// `write { }`.
    case write = "write"
    /// `transaction { }`, `savepoint { }`, `inPlace { }`, or one that `begin()` gave.
    case transaction = "transaction"
    /// Anything else, such as closing.
    case other = "another call"
  }

  /// What it was.
  public let call: Call
  /// Whether it ran inside another call of the same database, whose own cost includes it.
  public let isNested: Bool
  /// Whether it threw.
  public let hasFailed: Bool
  /// Nanoseconds that it waited for a connection.
  public let waitedNanoseconds: UInt64
  /// What it cost, the wait included.
  public let cost: XTCost
}

extension XTPerformance {
  init(_ report: CallReport) {
    call = Call(report.kind)
    isNested = report.isNested
    hasFailed = report.hasFailed
    waitedNanoseconds = report.waited
    cost = XTCost(report.tally, nanoseconds: report.nanoseconds)
  }
}

extension XTPerformance.Call {
  init(_ kind: AccessKind) {
    switch kind {
    case .readVerb, .writerVerb: self = .readingVerb
    case .writeVerb: self = .writingVerb
    case .read: self = .read
    case .write: self = .write
    case .transaction, .savepoint, .inPlace, .begun, .commit, .rollback: self = .transaction
    default: self = .other
    }
  }
}

extension XTPerformance: CustomStringConvertible {
  /// What it was and its cost.
  public var description: String {
    var text = call.rawValue
    if hasFailed { text += " that failed" }
    text += ": \(cost)"
    if waitedNanoseconds > 0 {
      text += "\n  waited \(Nanoseconds.text(waitedNanoseconds)) for its connection"
    }
    return text
  }
}
