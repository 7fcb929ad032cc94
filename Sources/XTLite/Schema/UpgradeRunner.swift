import Foundation

/// Runs upgrades on a connection: on the file's writer, or on a copy of the file's schema in memory
/// for a plan.
final class UpgradeRunner {
  let connection: Connection
  let automaticColumns: Bool
  private let progress: Progress?
  /// Told of each statement that writes; nil where steps run on the file itself.
  let recorder: PlanRecorder?
  /// What the library can do; tests take something away.
  var abilities = UpgradeAbilities()
  /// Columns that were added here and that nothing has written to since, by table.
  private var fresh: Set<[SQLiteName]> = []
  private var health: SchemaHealth?

  init(
    connection: Connection, automaticColumns: Bool, progress: Progress? = nil,
    recorder: PlanRecorder? = nil
  ) {
    self.connection = connection
    self.automaticColumns = automaticColumns
    self.progress = progress
    self.recorder = recorder
  }

  // MARK: Writing

  /// Runs a statement that writes.
  ///
  /// - Parameter table: The table whose rows it touches, one after another.
  /// - Returns: How many rows it changed.
  @discardableResult
  func execute(_ sql: String, _ values: [XTValue] = [], rowsOf table: String? = nil) throws -> Int {
    let changed = try connection.run(sql, values)
    note(sql, rowsOf: table)
    if table != nil { try advance(by: Int64(changed)) } else { try checkCancelled() }
    return changed
  }

  /// - Parameter condition: What is true of the rows that are touched; nil for all of the table's.
  func note(_ sql: String, rowsOf table: String? = nil, where condition: String? = nil) {
    recorder?.note(sql, rowsOf: table.map(originalName), where: condition)
  }

  /// Renames a table and nothing that speaks of it.
  func renameAsIs(_ table: String, to name: String) throws {
    try withLegacyAlter(true) {
      try execute("ALTER TABLE \(quoted(table)) RENAME TO \(quoted(name))")
    }
  }

  /// Runs `body` with SQLite's older ALTER TABLE, which looks at nothing but the table itself, or
  /// with the newer one, which takes all along that speaks of it.
  @discardableResult
  func withLegacyAlter<T>(_ isOn: Bool, _ body: () throws -> T) throws -> T {
    guard abilities.hasLegacyAlter else { return try body() }
    let before = try connection.pragma("legacy_alter_table")
    try connection.pragma("legacy_alter_table = \(isOn ? 1 : 0)")
    defer { _ = try? connection.pragma("legacy_alter_table = \(before?.int64 ?? 0)") }
    return try body()
  }

  // MARK: Tables that move

  /// Whether rows went into another table.
  var hasMoved = false
  private var originalNames: [SQLiteName: String] = [:]

  func tableWasRenamed(_ old: String, to new: String) {
    originalNames[SQLiteName(new)] = originalName(of: old)
  }

  /// What a table was called before the upgrade.
  func originalName(of table: String) -> String { originalNames[SQLiteName(table)] ?? table }

  // MARK: Progress

  /// Makes room for rows that are about to be done: a plan can't foresee all of them.
  func expect(rows: Int64) {
    guard let progress else { return }
    let done = progress.completedUnitCount
    progress.totalUnitCount = max(progress.totalUnitCount, done + rows)
  }

  func advance(by rows: Int64) throws {
    progress?.completedUnitCount += rows
    try checkCancelled()
  }

  func checkCancelled() throws {
    if progress?.isCancelled == true { throw CancellationError() }
  }

  // MARK: Columns added here

  func markFresh(_ column: String, of table: String) {
    fresh.insert([SQLiteName(table), SQLiteName(column)])
  }

  /// Whether a column was added here, and nobody can have written to it since.
  func isFresh(_ column: String, of table: String) -> Bool {
    fresh.contains([SQLiteName(table), SQLiteName(column)])
  }

  func forgetFresh(_ column: String? = nil, of table: String) {
    let table = SQLiteName(table)
    fresh = fresh.filter { key in
      key[0] != table || (column.map { key[1] != SQLiteName($0) } ?? false)
    }
  }

  func forgetAllFresh() { fresh = [] }

  // MARK: Views and triggers

  /// Runs `body` and looks whether a view or trigger that worked before it still does.
  func keepingSchemaWhole<T>(_ what: String, _ table: String, _ body: () throws -> T) throws -> T {
    let before = try health ?? SchemaHealth(on: connection)
    let result = try body()
    let after = try SchemaHealth(on: connection)
    if let fault = after.newFault(since: before) {
      throw XTError(
        .upgrade,
        "\(what) of `\(table)` breaks the \(fault.object.type) `\(fault.object.name)`: \(fault.reason)",
        hint: "drop it before this step and make it again afterwards: $0.run(\"…\")",
        table: table)
    }
    health = after
    return result
  }

  /// What is known of views and triggers is out of date.
  func forgetHealth() { health = nil }
}

/// What the SQLite that the program runs on can do for upgrades.
struct UpgradeAbilities: Sendable {
  var renamesColumns = SQLiteLibrary.versionNumber >= 3_025_000
  var dropsColumns = SQLiteLibrary.versionNumber >= 3_035_000
  /// Whether renaming a table takes REFERENCES, triggers and views along, and can be told not to.
  var hasLegacyAlter = SQLiteLibrary.versionNumber >= 3_026_000
}
