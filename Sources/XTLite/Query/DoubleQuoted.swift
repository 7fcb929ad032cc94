/// Refuses a double-quoted token that names no column, for libraries that take it for a text: there
/// `DELETE … WHERE "agee" != 'x'` empties the table.
///
/// A token beside a dot, or after FROM, JOIN, AS or COLLATE, is a name and nothing else to SQLite
/// and is left to it.
///
/// - Parameter columns: whether the table has a column of this name; SQLite compares names without
///   regard to the case of ASCII letters.
/// - Throws: `unknownColumn`.
func checkDoubleQuoted(_ text: String, columns: (String) -> Bool) throws {
  // Nearly every statement ends here.
  guard text.utf8.contains(UInt8(ascii: "\"")) else { return }
  let scanner = SQLScanner(text)
  let tokens = scanner.filter { !$0.isComment }
  for (index, token) in tokens.enumerated() where token.kind == .doubleQuoted {
    if index + 1 < tokens.count, tokens[index + 1].kind == .dot { continue }
    if index > 0 {
      let previous = tokens[index - 1]
      if previous.kind == .dot { continue }
      if previous.kind == .word,
        ["FROM", "JOIN", "AS", "COLLATE"].contains(scanner.text(of: previous).uppercased())
      {
        continue
      }
    }
    let name = scanner.unquoted(token)
    guard !columns(name) else { continue }
    throw XTError(
      .unknownColumn, "no column is named \"\(name)\"",
      hint: "a text is written as \\(value), or in single quotes; a column in backticks",
      column: name, sql: text)
  }
}
