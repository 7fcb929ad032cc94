/// What ``XTMonitor`` tells.
public enum XTEvent: Sendable {
  /// The database that an event comes from.
  public struct Source: Hashable, Sendable {
    /// `XTConfiguration.label`, or the file's name.
    public let label: String
    /// The file; ":memory:" for a database in memory.
    public let path: String
  }

  /// One statement: all its runs in one use of it, or each run by itself where values are told.
  public struct Statement: Sendable {
    /// As it was prepared.
    public let sql: String
    /// With the values in the place of its parameters; nil unless asked for with `withValues`.
    public let sqlWithValues: String?
    /// How often it ran: once for each model of a list.
    public let count: Int
    /// Rows that it gave; where it gives none, rows that it changed.
    public let rows: Int
    /// Nanoseconds inside SQLite.
    public let nanoseconds: UInt64
  }

  /// A call threw this error. It has the SQL and the path where there are any.
  case error(XTError, Source)
  /// A statement ran.
  case statement(Statement, Source)
  /// A statement took longer inside SQLite than `XTConfiguration.slowStatement`.
  case slowStatement(Statement, Source)
  /// A call or a transaction ended.
  case performance(XTPerformance, Source)
  /// A connection was opened, which took so many nanoseconds.
  case opened(isReader: Bool, nanoseconds: UInt64, Source)
  /// A statement waited so many nanoseconds for another connection's lock on the file.
  case busyWait(nanoseconds: UInt64, Source)
  /// Something should be looked at.
  case warning(XTWarning, Source)
  /// SQLite's own log: its code, extended, and what it says. See
  /// [its documentation](https://sqlite.org/errlog.html).
  case sqliteLog(code: Int32, message: String)
  /// The file is damaged or no database: told once for each open file.
  case damaged(XTError, Source)

  /// The database that it comes from; nil for SQLite's log.
  public var source: Source? {
    switch self {
    case .error(_, let source), .statement(_, let source), .slowStatement(_, let source),
      .performance(_, let source), .opened(_, _, let source), .busyWait(_, let source),
      .warning(_, let source), .damaged(_, let source):
      source
    case .sqliteLog: nil
    }
  }
}

extension XTEvent {
  init?(_ signal: Signal, _ source: SignalSource?, withValues: Bool) {
    if case .logged(let code, let message) = signal {
      self = .sqliteLog(code: code, message: message)
      return
    }
    guard let source = source.map(Source.init) else { return nil }
    switch signal {
    case .failed(let error): self = .error(error, source)
    case .ran(let use): self = .statement(Statement(use, withValues), source)
    case .slow(let use): self = .slowStatement(Statement(use, withValues), source)
    case .called(let report): self = .performance(XTPerformance(report), source)
    case .opened(let isReader, let nanoseconds):
      self = .opened(isReader: isReader, nanoseconds: nanoseconds, source)
    case .busy(let nanoseconds): self = .busyWait(nanoseconds: nanoseconds, source)
    case .warning(let warning): self = .warning(XTWarning(warning), source)
    case .damaged(let error): self = .damaged(error, source)
    case .logged: return nil
    }
  }
}

extension XTEvent.Source {
  init(_ source: SignalSource) {
    label = source.label
    path = source.path
  }
}

extension XTEvent.Statement {
  init(_ use: StatementUse, _ withValues: Bool) {
    sql = use.sql
    sqlWithValues = withValues ? use.sqlWithValues : nil
    count = use.runs
    rows = use.rows
    nanoseconds = use.nanoseconds
  }
}
