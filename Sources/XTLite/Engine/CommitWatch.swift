/// Who wants to hear of commits to one file, and what the connections have to find out for that.
/// While nobody does, a call pays for the question alone.
final class CommitWatch: Sendable {
  struct Wanted: OptionSet, Sendable {
    let rawValue: UInt

    /// Which tables a commit touched.
    static let tables = Wanted(rawValue: 1)
    /// Each row too.
    static let rows = Wanted(rawValue: 2)
  }

  enum Event: Sendable {
    /// Told by the thread that committed, in the order of the commits, which still has the
    /// connection: who listens must not wait.
    case committed(Writes)
    /// Nobody knows what is in the file now.
    case unknown
    /// A database value was closed.
    case closed
  }

  private let word = AtomicWord()
  private let listener = Mutex<Listener?>(nil)

  // In a structure: a closure that goes in and out of generic code by itself is wrapped anew each
  // time, and its calls go through all of that.
  private struct Listener {
    let hear: @Sendable (Event) -> Void
  }

  @inline(__always)
  var wanted: Wanted { Wanted(rawValue: word.value) }

  func want(_ wanted: Wanted) { word.set(wanted.rawValue) }

  /// Calls `body` with each event from now on; the latest one counts, and nil is nobody.
  func listen(_ body: (@Sendable (Event) -> Void)?) {
    listener.withLock { $0 = body.map(Listener.init) }
  }

  func tell(_ event: Event) {
    listener.withLock { $0 }?.hear(event)
  }
}

/// What statements have written.
struct Writes: Sendable {
  /// The tables that were touched.
  private(set) var tables = TableSet()
  /// The names of those of the main file, as the schema has them.
  private(set) var names: Set<String> = []
  /// The rows, in order, as far as somebody wanted to hear of them.
  private(set) var rows: [RowChange] = []
  /// How many bytes these take.
  private(set) var size = 0
  /// The tables of which more has changed than `rows` says.
  private(set) var unrecorded: Set<String> = []
  /// Whether `rows` says nothing, because nobody wanted to hear of rows, or there were too many.
  private(set) var isUnrecorded = false
  // The rows of a transaction are as a rule many of the same statement's.
  private var last: TableUse?

  /// How many rows are kept for who wants to hear of them.
  static let rowLimit = 100_000
  /// How many bytes of them, with their old and new values.
  static let byteLimit = 64 << 20

  static let everything: Writes = {
    var writes = Writes()
    writes.add(TableUse.everything)
    writes.isUnrecorded = true
    return writes
  }()

  var isEmpty: Bool { tables.isEmpty }

  /// Whether some tables are to be read anew.
  var isIncomplete: Bool { isUnrecorded || !unrecorded.isEmpty }

  mutating func add(_ use: TableUse) {
    if last === use { return }
    last = use
    if use.isOfEverything { tables.isOfEverything = true }
    tables.names.formUnion(use.writes)
    names.formUnion(use.writtenNames)
  }

  mutating func add(_ new: RecordedRows, unrecorded more: [String] = []) {
    unrecorded.formUnion(more)
    if new.isOverfull || isUnrecorded || rows.count + new.rows.count > Self.rowLimit
      || size + new.size > Self.byteLimit
    {
      forgetRows()
    } else if rows.isEmpty {
      (rows, size) = (new.rows, new.size)
    } else {
      rows += new.rows
      size += new.size
    }
  }

  /// The same without its rows: its tables have to be read anew.
  mutating func forgetRows() {
    isUnrecorded = true
    (rows, size) = ([], 0)
  }

  mutating func add(_ other: Writes) {
    tables.add(other.tables)
    names.formUnion(other.names)
    last = nil
    add(
      RecordedRows(rows: other.rows, size: other.size, isOverfull: other.isUnrecorded),
      unrecorded: Array(other.unrecorded))
  }

  /// Says nothing of some tables, which are nobody's but the library's.
  mutating func leaveOut(_ hidden: Set<SQLiteName>) {
    names = names.filter { !hidden.contains(SQLiteName($0)) }
    unrecorded = unrecorded.filter { !hidden.contains(SQLiteName($0)) }
    var known: [ObjectIdentifier: Bool] = [:]
    rows.removeAll { row in
      let id = ObjectIdentifier(row.table)
      let isHidden = known[id] ?? hidden.contains(SQLiteName(row.table.name))
      known[id] = isHidden
      return isHidden
    }
  }

  /// The names of the tables of which more has changed than `rows` says.
  var namesOfUnrecorded: Set<String> { isUnrecorded ? names : unrecorded }

  // MARK: Going back

  /// What had been written at a moment, to which a savepoint may go back.
  struct Mark {
    fileprivate let writes: Writes
    fileprivate let rowCount: Int
  }

  var mark: Mark {
    // Kept with its rows, these would be copied at the next one.
    var writes = self
    writes.rows = []
    return Mark(writes: writes, rowCount: rows.count)
  }

  /// Forgets what was written after that.
  mutating func goBack(to mark: Mark) {
    var rows = rows
    let hasLostRows = rows.count < mark.rowCount
    self = mark.writes
    if hasLostRows {
      forgetRows()
    } else {
      rows.removeSubrange(mark.rowCount...)
      self.rows = rows
    }
  }
}

/// The rows of statements that have ended.
struct RecordedRows {
  var rows: [RowChange] = []
  /// How many bytes they take.
  var size = 0
  /// Whether there were too many to keep.
  var isOverfull = false
}
