/// What one SQL text did and what it cost.
struct StatementTally: Sendable, Hashable {
  let sql: String
  /// How often it ran.
  var runs = 0
  /// Rows that it gave; where it gives none, rows that it changed.
  var rows = 0
  /// Inside SQLite: preparing it, running it, and waiting there for other connections' locks.
  var nanoseconds: UInt64 = 0
}

/// What a call did with its connection.
struct Tally: Sendable {
  /// In the order of their first use.
  private(set) var statements: [StatementTally] = []
  /// Statements that were prepared, and those that were there already.
  var prepared = 0
  var reused = 0
  /// How often another connection's lock was waited for, and how long altogether.
  var busyWaits = 0
  var busyNanoseconds: UInt64 = 0
  private var places: [ExactText: Int] = [:]

  mutating func add(sql: String, runs: Int = 0, rows: Int = 0, nanoseconds: UInt64) {
    let text = ExactText(sql)
    let place = places[text] ?? statements.count
    if place == statements.count {
      statements.append(StatementTally(sql: sql))
      places[text] = place
    }
    statements[place].runs += runs
    statements[place].rows += rows
    statements[place].nanoseconds += nanoseconds
  }

  mutating func add(_ other: Tally) {
    for statement in other.statements {
      add(
        sql: statement.sql, runs: statement.runs, rows: statement.rows,
        nanoseconds: statement.nanoseconds)
    }
    prepared += other.prepared
    reused += other.reused
    busyWaits += other.busyWaits
    busyNanoseconds += other.busyNanoseconds
  }
}

/// One use of a statement, from when the connection handed it out until it came back; or one run of
/// it, where its values are wanted.
struct StatementUse: Sendable {
  let sql: String
  /// With the values in the place of its parameters; nil where they were not asked for.
  var sqlWithValues: String?
  var runs = 0
  var rows = 0
  /// Inside SQLite.
  var nanoseconds: UInt64 = 0
}

/// What a meter tells at once, in the order in which it happens.
enum MeterEvent: Sendable {
  case ran(StatementUse)
  /// One run that took longer inside SQLite than the meter's limit.
  case slow(StatementUse)
  /// A wait for another connection's lock is over.
  case busy(nanoseconds: UInt64)
}

/// Counts and times what runs on a connection while it is the connection's `meter`.
///
/// Belongs to one call and is touched by that call's thread only. A meter that is put in the place
/// of another hands its sums on to that one, by `Connection.removeMeter`.
final class Meter {
  struct Options: Sendable {
    /// Whether `hear` is told of each use of a statement.
    var tellsUses = false
    /// Whether it is told of each run by itself, with the bound values in the SQL.
    var wantsValues = false
    /// The nanoseconds inside SQLite from which on it is told of a run as slow.
    var slowLimit = UInt64.max
  }

  let options: Options
  let hear: ((MeterEvent) -> Void)?
  private(set) var tally = Tally()
  // Looked at after each step; nobody else touches a meter meanwhile.
  @exclusivity(unchecked) private var openWait: UInt64?

  init(_ options: Options = Options(), hear: ((MeterEvent) -> Void)? = nil) {
    self.options = options
    self.hear = hear
  }

  func add(_ tally: Tally) {
    self.tally.add(tally)
  }

  // MARK: What the connection tells

  func prepared(_ sql: String, nanoseconds: UInt64) {
    tally.prepared += 1
    tally.add(sql: sql, nanoseconds: nanoseconds)
    endWait()
  }

  func reused() {
    tally.reused += 1
  }

  /// A pause of a wait for another connection's lock; SQLite does not tell which one is the last.
  func paused(isFirst: Bool, nanoseconds: UInt64) {
    if isFirst { endWait() }
    openWait = (openWait ?? 0) + nanoseconds
  }

  /// SQLite came back to the caller, so that a wait inside is over.
  func endWait() {
    guard let wait = openWait else { return }
    openWait = nil
    tally.busyWaits += 1
    tally.busyNanoseconds += wait
    hear?(.busy(nanoseconds: wait))
  }

  func used(_ use: StatementUse) {
    tally.add(sql: use.sql, runs: use.runs, rows: use.rows, nanoseconds: use.nanoseconds)
  }
}
