/// Another name for a table, put into statements of the schema: for a SQLite that renames the table
/// alone.
///
/// Only what is sure is rewritten. Whether the rest still works is looked at afterwards.
struct TableRenaming {
  let old: String
  let new: String

  /// The views, and the triggers of whatever table, that speak of it, as they are to be.
  func objects(on connection: Connection) throws -> [SchemaObject] {
    try SchemaObject.all(
      ["view", "trigger"], includingTemporary: false, on: connection
    ).compactMap { object in
      let text = rewritten(object.sql)
      guard text != object.sql else { return nil }
      return SchemaObject(
        type: object.type, name: object.name, table: object.table, sql: text, isTemporary: false)
    }
  }

  private func rewritten(_ sql: String) -> String {
    var tokens = DeclarationToken.tokens(of: sql)
    let before: Set = ["FROM", "JOIN", "INTO", "UPDATE", "ON", "TABLE", "REPLACE", "IGNORE"]
    var isChanged = false
    for index in tokens.indices where index > 2 && isOld(tokens[index]) {
      let isTable =
        tokens[index - 1].word.map(before.contains) ?? false
        || (index + 1 < tokens.count && tokens[index + 1].isSymbol("."))
        || (tokens[index - 1].isSymbol("(") && index > 1 && tokens[index - 2].word == "FROM")
      guard isTable else { continue }
      tokens[index] = named(tokens[index])
      isChanged = true
    }
    return isChanged ? tokens.source : sql
  }

  /// The tables whose REFERENCES name it, as they are to be.
  func referring(on connection: Connection) throws -> [(table: String, sql: String)] {
    try ForeignReferences.tables(on: connection).compactMap { table, sql in
      var tokens = DeclarationToken.tokens(of: sql)
      var isChanged = false
      for index in tokens.indices
      where index > 0 && tokens[index - 1].word == "REFERENCES" && isOld(tokens[index]) {
        tokens[index] = named(tokens[index])
        isChanged = true
      }
      return isChanged ? (table, tokens.source) : nil
    }
  }

  private func isOld(_ token: DeclarationToken) -> Bool {
    token.name.map(SQLiteName.init) == SQLiteName(old)
  }

  private func named(_ token: DeclarationToken) -> DeclarationToken {
    DeclarationToken(kind: .quotedName, text: quoted(new), gap: token.gap)
  }
}
