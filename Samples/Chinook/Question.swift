/// A question, with the SQL that a person would ask it by, and XTLite's answer.
struct Question: Sendable {
  let title: String
  /// For the `sqlite3` tool, see check.sh.
  let sql: String
  /// One text for each row, as the tool prints it.
  let answer: @Sendable () throws -> [String]

  func ask(number: Int) throws {
    print("\n\(number). \(title)")
    for line in sql.split(separator: "\n") { print("   sql  \(line)") }
    for row in try answer() { print("   =    \(row)") }
  }
}

/// Values as the `sqlite3` tool prints a row; NULL is nothing.
func line(_ values: Any?...) -> String {
  values.map { $0.map { "\($0)" } ?? "" }.joined(separator: "|")
}
