/// Writes down what a runner would do.
final class PlanRecorder {
  private(set) var plan = XTUpgradePlan()
  /// The file whose rows are counted; nil where nobody asks for that.
  private let file: Connection?
  private let comparesModels: Bool
  private var made: Set<SQLiteName> = []

  init(file: Connection?, comparesModels: Bool) {
    self.file = file
    self.comparesModels = comparesModels
  }

  func begin(_ table: String, version: Int) {
    plan.parts.append(XTUpgradePlan.Part(table: table, version: version, statements: []))
  }

  /// - Parameter table: What the table is called in the file.
  func note(_ sql: String, rowsOf table: String?, where condition: String?) {
    guard !plan.parts.isEmpty else { return }
    let rows = table.flatMap { count($0, condition) }
    plan.parts[plan.parts.count - 1].statements.append(
      XTUpgradePlan.Statement(sql: sql, rows: rows))
  }

  /// How many rows the things beside tables are made of that the upgrade makes in the end.
  private(set) var companionRows = 0

  /// - Parameter table: What the table is called in the file.
  func companionIsMade(of table: String) { companionRows += count(table, nil) ?? 0 }

  func tableWasMade(_ table: String) { made.insert(SQLiteName(table)) }

  func end(because reason: String) { plan.openEnd = reason }

  /// Finds what the tables and their models disagree on in the end.
  func compare(
    _ tables: [UpgradeTable], on connection: Connection, automaticColumns: Bool
  ) throws {
    guard comparesModels else { return }
    let comparison = SchemaDifference(automaticColumns: automaticColumns)
    plan.differences = try tables.flatMap {
      try comparison.differences(of: $0.name, mapping: $0.mapping, on: connection)
    }
  }

  private func count(_ table: String, _ condition: String?) -> Int? {
    guard let file else { return nil }
    if made.contains(SQLiteName(table)) { return 0 }
    let select = "SELECT count(*) FROM \(quoted(table))"
    func count(_ sql: String) -> Int? {
      (try? file.firstValue(sql))?.flatMap { $0.int64 }.map { Int($0) }
    }
    // A condition may speak of columns that earlier steps make: it then holds in every row.
    return condition.flatMap { count("\(select) WHERE \($0)") } ?? count(select)
  }
}
