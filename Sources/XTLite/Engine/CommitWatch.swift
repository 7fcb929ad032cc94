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
  /// The tables that were touched, as the schema has their names.
  private(set) var names: [SQLiteName: String] = [:]
  /// Whether nobody knows what else was.
  private(set) var isOfEverything = false
  /// The rows, in order, as far as somebody wanted to hear of them.
  private(set) var rows: [RowChange] = []
  /// The tables of which more has changed than `rows` says.
  private(set) var unrecorded: Set<String> = []
  /// Whether `rows` says nothing, because nobody wanted to hear of rows, or there were too many.
  private(set) var isUnrecorded = false
  // The rows of a transaction are as a rule many of the same statement's.
  private var last: TableUse?

  /// How many rows are kept for who wants to hear of them.
  static let rowLimit = 100_000

  static let everything: Writes = {
    var writes = Writes()
    writes.add(TableUse.everything)
    writes.isUnrecorded = true
    return writes
  }()

  var isEmpty: Bool { names.isEmpty && !isOfEverything }

  mutating func add(_ use: TableUse) {
    if last === use { return }
    last = use
    if use.isOfEverything { isOfEverything = true }
    for (name, text) in zip(use.writes, use.writtenNames) { names[name] = text }
  }

  mutating func add(_ new: [RowChange], isOverfull: Bool, unrecorded more: [String] = []) {
    unrecorded.formUnion(more)
    if isOverfull || isUnrecorded || rows.count + new.count > Self.rowLimit {
      forgetRows()
    } else if rows.isEmpty {
      rows = new
    } else {
      rows += new
    }
  }

  /// The same without its rows: its tables have to be read anew.
  mutating func forgetRows() {
    isUnrecorded = true
    rows = []
  }

  /// Forgets rows that were undone.
  mutating func removeRows(from place: Int) {
    if place < rows.count { rows.removeSubrange(place...) }
  }

  mutating func add(_ other: Writes) {
    if other.isOfEverything { isOfEverything = true }
    names.merge(other.names) { $1 }
    last = nil
    add(other.rows, isOverfull: other.isUnrecorded, unrecorded: Array(other.unrecorded))
  }

  /// The tables that were touched.
  var tables: TableSet { TableSet(names: Set(names.keys), isOfEverything: isOfEverything) }

  /// The names of the tables of which more has changed than `rows` says.
  var namesOfUnrecorded: Set<String> { isUnrecorded ? Set(names.values) : unrecorded }
}
