/// A table, index, view or trigger, as the schema keeps it.
struct SchemaObject: Sendable {
  let type: String
  let name: String
  /// The table that it belongs to; a table's or view's own name.
  let table: String
  let sql: String
  /// Whether it is this connection's alone.
  let isTemporary: Bool

  /// What was made by SQL, oldest first: those of the file, then this connection's own.
  ///
  /// - Parameters:
  ///   - types: which sorts: "table", "index", "view", "trigger".
  ///   - includingTemporary: whether this connection's own count.
  static func all(
    _ types: Set<String>, includingTemporary: Bool = true, on connection: Connection
  ) throws -> [SchemaObject] {
    let schemas = includingTemporary ? ["sqlite_master", "sqlite_temp_master"] : ["sqlite_master"]
    return try schemas.flatMap { schema in
      try connection.rows(
        "SELECT `type`, `name`, `tbl_name`, `sql` FROM `\(schema)` WHERE `sql` IS NOT NULL"
          + " ORDER BY `rowid`"
      ).compactMap { row in
        guard let type = row[0].string, types.contains(type), let name = row[1].string,
          let table = row[2].string, let sql = row[3].string
        else { return nil }
        return SchemaObject(
          type: type, name: name, table: table, sql: sql,
          isTemporary: schema == "sqlite_temp_master")
      }
    }
  }

  /// Whether it is an index or trigger of that table, or the table itself.
  func belongs(to table: String) -> Bool {
    SQLiteName(self.table) == SQLiteName(table)
  }

  /// Whether its text has the name anywhere.
  func speaks(of name: String) -> Bool {
    DeclarationToken.tokens(of: sql).contains {
      $0.anyName.map(SQLiteName.init) == SQLiteName(name)
    }
  }
}
