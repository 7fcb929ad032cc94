/// What is not an error and should be looked at.
public enum XTWarning: Hashable, Sendable {
  /// A call had to wait so many nanoseconds for a reader: all of `XTConfiguration.maximumReaders`
  /// were in use.
  case readersExhausted(nanoseconds: UInt64)
  /// This process has more than twice as many connections open, of all databases, as the machine
  /// has cores, and more than twelve.
  case manyConnections(open: Int, cores: Int)
  /// A call kept its connection longer than `XTConfiguration.longHold`.
  case heldLong(call: XTPerformance.Call, nanoseconds: UInt64)
  /// A reader's old snapshot keeps the write-ahead log, of so many pages, from being emptied.
  case logNotEmptied(pages: Int)
  /// The open database's file was removed.
  case fileRemoved
  /// Another file was put in the place of the open database's.
  case fileReplaced
  /// A query, find, count or aggregate reads all rows of a table, of so many or more, though it has a
  /// condition on one of its columns, or joins it by one: an index would serve.
  case fullScan(table: String, rows: Int, sql: String)
  /// One call caused so many events more than are kept until its end.
  case eventsLeftOut(Int)
}

extension XTWarning {
  init(_ warning: Signal.Warning) {
    switch warning {
    case .readersExhausted(let nanoseconds): self = .readersExhausted(nanoseconds: nanoseconds)
    case .manyConnections(let open, let cores): self = .manyConnections(open: open, cores: cores)
    case .heldLong(let kind, let nanoseconds):
      self = .heldLong(call: XTPerformance.Call(kind), nanoseconds: nanoseconds)
    case .logNotEmptied(let pages): self = .logNotEmptied(pages: pages)
    case .fileGone(let isReplaced): self = isReplaced ? .fileReplaced : .fileRemoved
    case .fullScan(let table, let rows, let sql):
      self = .fullScan(table: table, rows: rows, sql: sql)
    case .signalsLeftOut(let count): self = .eventsLeftOut(count)
    }
  }
}

extension XTWarning: CustomStringConvertible {
  /// What it is, and what to do about it.
  public var description: String {
    switch self {
    case .readersExhausted(let nanoseconds):
      "a call waited \(Nanoseconds.text(nanoseconds)) for a reader: all were in use; make read "
        + "blocks shorter, or raise maximumReaders"
    case .manyConnections(let open, let cores):
      "\(open) connections are open on \(cores) cores: they hold each other up; close databases "
        + "that are not in use, or lower maximumReaders"
    case .heldLong(let call, let nanoseconds):
      "\(call.rawValue) kept its connection for \(Nanoseconds.text(nanoseconds)); make it shorter, "
        + "others wait behind it"
    case .logNotEmptied(let pages):
      "a reader's old snapshot keeps the write-ahead log of \(pages) pages from being emptied; "
        + "end read blocks soon"
    case .fileRemoved:
      "the open database's file was removed: what is written now is lost; close the database"
    case .fileReplaced:
      "another file was put in the place of the open database's: what is written now is lost; "
        + "close the database"
    case .fullScan(let table, let rows, let sql):
      FullScan.text(table: table, rows: rows, sql: sql)
    case .eventsLeftOut(let count):
      "one call caused \(count) events more than are kept until its end: they were left out"
    }
  }
}
