/// The tables with foreign keys.
enum ForeignReferences {
  static func tables(on connection: Connection) throws -> [(table: String, sql: String)] {
    try connection.rows(
      "SELECT `name`, `sql` FROM `sqlite_master` WHERE `type` = 'table'"
        + " AND `sql` LIKE '%REFERENCES%'"
    ).compactMap { row in
      guard let name = row[0].string, let sql = row[1].string else { return nil }
      return (name, sql)
    }
  }
}
