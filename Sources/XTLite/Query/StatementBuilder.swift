/// The text of the statements of verbs: their columns, and where their condition and their order
/// stand. What those say, and every query of the typed language, is written by ``SQLWriter``.
enum StatementBuilder {
  enum Conflict: String {
    case fail = ""
    case ignore = " OR IGNORE"
    case replace = " OR REPLACE"
  }

  /// - Parameters:
  ///   - table: the table's name, not quoted yet.
  ///   - columns: quoted names, each with a parameter of its own.
  ///   - values: what stands in VALUES for each column that is not just its parameter.
  static func insert(
    into table: String, columns: [String], values: [String: String] = [:],
    conflict: Conflict = .fail
  ) -> String {
    guard !columns.isEmpty else {
      return "INSERT\(conflict.rawValue) INTO \(quoted(table)) DEFAULT VALUES"
    }
    let parameters = columns.map { values[$0] ?? "?" }.joined(separator: ", ")
    return "INSERT\(conflict.rawValue) INTO \(quoted(table)) (\(columns.joined(separator: ", ")))"
      + " VALUES (\(parameters))"
  }

  /// - Parameter assignments: as they stand in SET: "`age` = ?".
  static func update(
    _ table: String, set assignments: [String], where condition: String?, conflict: Conflict = .fail
  ) -> String {
    "UPDATE\(conflict.rawValue) \(quoted(table)) SET \(assignments.joined(separator: ", "))"
      + clause("WHERE", condition)
  }

  static func delete(from table: String, where condition: String?) -> String {
    "DELETE FROM \(quoted(table))" + clause("WHERE", condition)
  }

  /// - Parameters:
  ///   - columns: what stands behind SELECT; without any, rows of nothing.
  ///   - source: a quoted table name, or a subquery in parentheses.
  ///   - isSingle: whether one row is enough; goes without the other two.
  static func select(
    _ columns: [String], distinct: Bool = false, from source: String, where condition: String?,
    orderBy: [String] = [], hasLimit: Bool = false, hasOffset: Bool = false, isSingle: Bool = false
  ) -> String {
    let columns = columns.isEmpty ? ["NULL"] : columns
    var sql =
      "SELECT \(distinct ? "DISTINCT " : "")\(columns.joined(separator: ", ")) FROM \(source)"
    sql += clause("WHERE", condition)
    sql += clause("ORDER BY", orderBy.isEmpty ? nil : orderBy.joined(separator: ", "))
    if hasLimit || hasOffset { sql += " LIMIT ?" }
    if hasOffset { sql += " OFFSET ?" }
    if isSingle { sql += " LIMIT 1" }
    return sql
  }

  static func exists(in source: String, where condition: String?) -> String {
    "SELECT EXISTS (SELECT 1 FROM \(source)" + clause("WHERE", condition) + ")"
  }

  /// What stands behind FROM for a table, or for the SELECT that goes by its name.
  static func source(_ table: String, _ subquery: String?, as alias: String?) -> String {
    if let subquery { return "(\(subquery)) AS \(quoted(alias ?? table))" }
    return alias.map { "\(quoted(table)) AS \(quoted($0))" } ?? quoted(table)
  }

  /// Each of `columns`, which are quoted, equal to its parameter, or to what `values` has for it.
  static func equal(_ columns: [String], values: [String: String] = [:]) -> [String] {
    columns.map { "\($0) = \(values[$0] ?? "?")" }
  }

  private static func clause(_ word: String, _ text: String?) -> String {
    text.map { " \(word) \($0)" } ?? ""
  }
}
