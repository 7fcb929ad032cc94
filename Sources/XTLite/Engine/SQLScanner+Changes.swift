extension SQLScanner {
  private static let functionsOfChanges = Set(
    ["changes", "total_changes", "last_insert_rowid"].map(SQLiteName.init))

  /// Whether the text names a table of the schema, which it may write by hand.
  static func namesSchema(_ sql: String) -> Bool {
    let scanner = SQLScanner(sql)
    return scanner.contains { token in
      scanner.name(of: token).map { TableUseNotes.schemaTables.contains(SQLiteName($0)) } ?? false
    }
  }

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
