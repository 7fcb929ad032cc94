/// Looking for damage.
extension Connection {
  /// What SQLite finds wrong with the file; empty where it is sound.
  ///
  /// - Parameters:
  ///   - isQuick: Leaves out whether indexes agree with their tables.
  ///   - limit: Where to stop looking.
  ///   - progress: Told how far it is, an estimate from 0 to 1. The connection can't be used in it;
  ///     what it throws ends the check.
  func problems(
    isQuick: Bool, limit: Int, progress: (Double) throws -> Void
  ) throws -> [String] {
    try progress(0)
    let problems = try withProgress(
      work: workOfCheck(isQuick: isQuick), from: Self.shareOfPages, progress
    ) {
      try self.problems(isQuick ? "quick_check" : "integrity_check", limit: limit)
    }
    try progress(1)
    return problems
  }

  /// A check first walks over the pages, of which SQLite tells nothing.
  private static let shareOfPages = 0.2

  /// Runs statements in `body` and tells how far they are, an estimate.
  ///
  /// - Parameters:
  ///   - work: About how many steps of SQLite's machine they take.
  ///   - start: What was done by the first of them, from 0 to 1.
  ///   - progress: Told the share that is done. The connection can't be used in it; what it throws
  ///     ends the statement that runs, and is thrown.
  func withProgress<T>(
    work: Int, from start: Double, _ progress: (Double) throws -> Void, _ body: () throws -> T
  ) throws -> T {
    try withoutActuallyEscaping(progress) { progress in
      let meter = StepMeter(self, work: work, from: start, progress)
      defer { sqlite3_progress_handler(handle, 0, nil, nil) }
      return try withExtendedLifetime(meter) {
        sqlite3_progress_handler(
          handle, Int32(clamping: meter.interval),
          { context in
            guard let context else { return 0 }
            return Unmanaged<StepMeter>.fromOpaque(context).takeUnretainedValue().hasToEnd()
              ? 1 : 0
          }, Unmanaged.passUnretained(meter).toOpaque())
        do {
          return try body()
        } catch {
          throw meter.failure ?? error
        }
      }
    }
  }

  private func problems(_ pragma: String, limit: Int) throws -> [String] {
    let limit = min(max(limit, 1), Int(Int32.max))
    var problems: [String] = []
    do {
      let statement = try prepare("PRAGMA main.\(pragma)(\(limit))", kept: false)
      defer { statement.reset() }
      while try statement.step() {
        // A row of several lines has those of one database, under a heading.
        let text = statement.column(0).value.string ?? ""
        problems += text.split(separator: "\n").filter { !$0.hasPrefix("***") }.map(String.init)
      }
    } catch let error as XTError where error.kind == .corrupt {
      // Damage that stops even the look at it.
      problems.append(error.message)
    }
    return problems == ["ok"] ? [] : problems
  }

  /// About how many steps of SQLite's machine a check takes.
  func workOfCheck(isQuick: Bool) -> Int {
    let newer = SQLiteLibrary.checksEachRow
    if isQuick && !newer { return 0 }
    let pages = number("PRAGMA main.page_count") * number("PRAGMA main.page_size")
    let tables =
      (try? rows(
        """
        SELECT t.name, (SELECT count(*) FROM sqlite_master i
          WHERE i.type = 'index' AND i.tbl_name = t.name)
        FROM sqlite_master t WHERE t.type = 'table' AND t.rootpage > 0
        """)) ?? []
    return tables.reduce(0) { sum, row in
      guard let name = row.first?.string, let indexes = row.last?.int64 else { return sum }
      if isCancelled.isSet { return sum }
      // The highest rowid is found at once, and is the number of rows in most tables.
      let rows = number("SELECT max(rowid) FROM main.\(quoted(name))", kept: false)
      let perRow = newer ? (isQuick ? 5 : 5 + 4 * Int(indexes)) : 4 * Int(indexes)
      return sum + min(rows, pages / 8) * perRow
    }
  }

  private func number(_ sql: String, kept: Bool = true) -> Int {
    let statement = try? prepare(sql, kept: kept)
    defer { statement?.reset() }
    guard let statement, (try? statement.step()) == true else { return 0 }
    return Int(statement.column(0).int64)
  }
}

/// How far a long statement is.
private final class StepMeter {
  /// Steps of SQLite's machine from one question to the next.
  let interval: Int
  private(set) var failure: (any Error)?

  private unowned let connection: Connection
  private let work: Int
  private let start: Double
  private let progress: (Double) throws -> Void
  private var steps = 0
  private var told = 0.0

  init(
    _ connection: Connection, work: Int, from start: Double,
    _ progress: @escaping (Double) throws -> Void
  ) {
    self.connection = connection
    self.work = work
    self.start = start
    self.progress = progress
    interval = min(max(work / 200, 1_000), 100_000)
  }

  /// Whether the progress closure wants no more.
  func hasToEnd() -> Bool {
    steps += interval
    let share = min(Double(steps) / Double(max(work, 1)), 0.99)
    let fraction = start + (1 - start) * share
    guard fraction >= told + 0.005, failure == nil else { return failure != nil }
    told = fraction
    let held = connection.restrictions
    connection.restrictions.insert(.inCallback)
    defer { connection.restrictions = held }
    do {
      try progress(fraction)
    } catch {
      failure = error
    }
    return failure != nil
  }
}
