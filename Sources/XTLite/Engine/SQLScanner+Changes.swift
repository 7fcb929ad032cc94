extension SQLScanner {
  private static let functionsOfChanges = Set(
    ["changes", "total_changes", "last_insert_rowid"].map(SQLiteName.init))

  /// Whether a function is called that tells of the connection's latest changes.
  static func asksForChanges(_ sql: String) -> Bool {
    var scanner = SQLScanner(sql)
    var last: Token?
    while let token = scanner.next() {
      if token.kind == .openParenthesis, let last, let name = scanner.name(of: last),
        functionsOfChanges.contains(SQLiteName(name))
      {
        return true
      }
      if !token.isComment { last = token }
    }
    return false
  }
}
