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

  /// The versions that write schema or rows, in the order in which they are applied. One that is
  /// only recorded is none of them; a table that is made has one for all its versions.
  public internal(set) var parts: [Part] = []
  /// What the upgraded tables and their models would still disagree on, as
  /// ``XTDatabase/differences(for:)`` says it; empty where the plan has an ``openEnd``.
  public internal(set) var differences: [XTDifference] = []
  /// Why the plan ends before the last step: SQL of a step's own that only the file itself can run.
  public internal(set) var openEnd: String?

  /// Whether nothing would be written but the record of versions.
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
