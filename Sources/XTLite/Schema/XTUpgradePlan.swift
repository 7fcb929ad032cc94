/// What an upgrade would do, found without touching the file.
///
/// ```swift
/// print(try database.upgradePlan { XTUpgrade(Person.self, to: 2) { $0.add(\.email) } })
/// ```
public struct XTUpgradePlan: Sendable {
  /// A statement that writes.
  public struct Statement: Sendable {
    /// The text; what the program's own code gives is a `?`.
    public let sql: String
    /// The rows that it touches; nil where only running it would tell.
    public let rows: Int?
  }

  /// One version of one table.
  public struct Part: Sendable {
    /// What the table is called before.
    public let table: String
    /// The version that it is brought to.
    public let version: Int
    /// What is run, in order.
    public internal(set) var statements: [Statement]
  }

  /// The versions that tables lack, in the order in which they are applied.
  public internal(set) var parts: [Part] = []
  /// What the upgraded tables and their models would still disagree on, as
  /// ``XTDatabase/differences(for:)`` says it; empty where the plan has an ``openEnd``.
  public internal(set) var differences: [XTDifference] = []
  /// Why the plan ends before the last step: SQL of a step's own that only the file itself can run.
  public internal(set) var openEnd: String?

  /// Whether nothing is due.
  public var isEmpty: Bool { parts.isEmpty }

  /// How many rows are copied or changed, each as often as that happens.
  public var rows: Int { parts.reduce(0) { $0 + $1.statements.reduce(0) { $0 + ($1.rows ?? 0) } } }
}

extension XTUpgradePlan: CustomStringConvertible {
  /// One line for each version, each statement, and each difference that stays.
  public var description: String {
    var lines = isEmpty ? ["nothing to upgrade"] : []
    for part in parts {
      lines.append("\(part.table) to \(part.version)")
      for statement in part.statements {
        let rows = statement.rows.map { "  -- \($0) row\($0 == 1 ? "" : "s")" } ?? ""
        let text = statement.sql.split(whereSeparator: \.isNewline)
          .map { $0.drop { $0 == " " } }.joined(separator: " ")
        lines.append("  \(text)\(rows)")
      }
    }
    if !differences.isEmpty { lines.append("then still different:") }
    lines += differences.map { "  \($0)" }
    if let openEnd { lines.append("what follows depends on the file: \(openEnd)") }
    return lines.joined(separator: "\n")
  }
}

/// Writes down what a runner would do.
final class PlanRecorder {
  private(set) var plan = XTUpgradePlan()
  /// The file whose rows are counted; nil where nobody asks for that.
  private let file: Connection?
  private let comparesModels: Bool
  /// What tables that steps renamed are called in the file.
  private var origins: [SQLiteName: String] = [:]
  private var made: Set<SQLiteName> = []

  init(file: Connection?, comparesModels: Bool) {
    self.file = file
    self.comparesModels = comparesModels
  }

  func begin(_ table: String, version: Int) {
    plan.parts.append(XTUpgradePlan.Part(table: table, version: version, statements: []))
  }

  func note(_ sql: String, rowsOf table: String?, where condition: String?) {
    guard !plan.parts.isEmpty else { return }
    let rows = table.flatMap { count($0, condition) }
    plan.parts[plan.parts.count - 1].statements.append(
      XTUpgradePlan.Statement(sql: sql, rows: rows))
  }

  func tableWasMade(_ table: String) { made.insert(SQLiteName(table)) }

  func tableWasRenamed(_ old: String, to new: String) {
    origins[SQLiteName(new)] = origins[SQLiteName(old)] ?? old
    if made.remove(SQLiteName(old)) != nil { made.insert(SQLiteName(new)) }
  }

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
    let select = "SELECT count(*) FROM \(quoted(origins[SQLiteName(table)] ?? table))"
    func count(_ sql: String) -> Int? {
      (try? file.firstValue(sql))?.flatMap { $0.int64 }.map { Int($0) }
    }
    // A condition may speak of columns that earlier steps make: it then holds in every row.
    return condition.flatMap { count("\(select) WHERE \($0)") } ?? count(select)
  }
}
