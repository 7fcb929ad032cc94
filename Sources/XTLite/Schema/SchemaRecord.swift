/// The file's own memory of what XTLite made in it, in three small tables that are created when
/// there is something to remember.
///
/// - `xtlite_tables`: the tables that XTLite made, each with the model's own table name, by which
///   the `named:` tables of a model are found.
/// - `xtlite_columns`: the columns that XTLite added to tables later, and whether rows may hold
///   NULL there because the column could be given no DEFAULT.
/// - `xtlite_versions`: the upgrade versions that were applied to each table. It is a set: a
///   version that failed is found missing also after a later one.
enum SchemaRecord {
  private static let tables = "xtlite_tables"
  private static let columns = "xtlite_columns"
  private static let versions = "xtlite_versions"

  /// The names that no model's table may have.
  static let tableNames = Set([tables, columns, versions].map(SQLiteName.init))

  /// What is recorded about one table.
  struct Entry: Sendable {
    /// Whether XTLite made the table.
    var isMade = false
    var addedColumns: Set<SQLiteName> = []
    /// Those among them whose rows may hold NULL.
    var lenientColumns: Set<SQLiteName> = []
  }

  // MARK: Reading

  /// What is recorded about `table`; nil where the file has no record.
  static func entry(of table: String, on connection: Connection) throws -> Entry? {
    let rows = try ifRecorded(on: connection) {
      try connection.rows(
        "SELECT NULL, 0 FROM `xtlite_tables` WHERE `name` = ?1 UNION ALL"
          + " SELECT `column_name`, `is_lenient` FROM `xtlite_columns` WHERE `table_name` = ?1",
        [.text(table)])
    }
    guard let rows else { return nil }
    var entry = Entry()
    for row in rows {
      guard let name = row[0].string.map(SQLiteName.init) else {
        entry.isMade = true
        continue
      }
      entry.addedColumns.insert(name)
      if row[1].int64 == 1 { entry.lenientColumns.insert(name) }
    }
    return entry
  }

  /// The tables of the model that XTLite made: its own, then each `named:` one.
  static func tables(of mapping: ModelMapping, on connection: Connection) throws -> [String] {
    let rows = try ifRecorded(on: connection) {
      try connection.rows(
        "SELECT `name` FROM `xtlite_tables` WHERE `model` = ?1 COLLATE NOCASE"
          + " ORDER BY `name` <> ?1, `name`", [.text(mapping.tableName)])
    }
    return rows?.compactMap { $0[0].string } ?? []
  }

  /// Everything that is recorded about tables and their versions. One SELECT.
  static func history(on connection: Connection) throws -> UpgradeHistory {
    let rows = try ifRecorded(on: connection) {
      try connection.rows(
        "SELECT `name`, `model`, NULL FROM `xtlite_tables` UNION ALL"
          + " SELECT `table_name`, NULL, `version` FROM `xtlite_versions`")
    }
    var history = UpgradeHistory()
    for row in rows ?? [] {
      guard let name = row[0].string else { continue }
      if let model = row[1].string { history.tables.append((name, SQLiteName(model))) }
      if let version = row[2].int64 { history.addVersion(Int(version), of: name) }
    }
    return history
  }

  /// Runs `body`, or gives nil where the file has no record.
  ///
  /// It is tried first and looked into when it fails: where all is well nothing but `body` runs.
  private static func ifRecorded<T>(
    on connection: Connection, _ body: () throws -> T
  ) throws -> T? {
    do {
      return try body()
    } catch let error as XTError {
      guard error.code == 1,
        try connection.rows("PRAGMA table_info(\(quoted(versions)))").isEmpty
      else { throw error }
      return nil
    }
  }

  // MARK: Writing, inside the caller's transaction

  /// Remembers that XTLite made `table`, and forgets what was known of an earlier one.
  ///
  /// It is made as the model is now: the versions that the model's own table has had are no news to
  /// a `named:` one, and each table keeps those that it had before it was dropped.
  static func addTable(
    _ table: String, mapping: ModelMapping, on connection: Connection
  ) throws {
    try makeTables(on: connection)
    try forget(table, on: connection)
    try connection.run(
      "INSERT INTO `xtlite_tables` (`name`, `model`) VALUES (?, ?)",
      [.text(table), .text(mapping.tableName)])
    guard SQLiteName(table) != SQLiteName(mapping.tableName) else { return }
    try connection.run(
      "INSERT OR IGNORE INTO `xtlite_versions` (`table_name`, `version`)"
        + " SELECT ?, `version` FROM `xtlite_versions` WHERE `table_name` = ?",
      [.text(table), .text(mapping.tableName)])
  }

  /// Remembers that XTLite added `column` to `table`.
  static func addColumn(
    _ column: String, isLenient: Bool, to table: String, on connection: Connection
  ) throws {
    try makeTables(on: connection)
    try connection.run(
      "INSERT OR REPLACE INTO `xtlite_columns` (`table_name`, `column_name`, `is_lenient`)"
        + " VALUES (?, ?, ?)",
      [.text(table), .text(column), .integer(isLenient ? 1 : 0)])
  }

  /// Remembers that `version` was applied to `table`.
  static func addVersion(
    _ version: Int, to table: String, on connection: Connection
  ) throws {
    try makeTables(on: connection)
    try connection.run(
      "INSERT OR IGNORE INTO `xtlite_versions` (`table_name`, `version`) VALUES (?, ?)",
      [.text(table), .integer(Int64(version))])
  }

  /// Forgets everything about a table that is dropped, but the versions: the model that it is made
  /// by next has them behind it.
  static func forget(_ table: String, on connection: Connection) throws {
    _ = try ifRecorded(on: connection) {
      try connection.run("DELETE FROM `xtlite_tables` WHERE `name` = ?", [.text(table)])
      try connection.run("DELETE FROM `xtlite_columns` WHERE `table_name` = ?", [.text(table)])
    }
  }

  /// Takes everything that is known about a table to its new name.
  static func rename(_ table: String, to newName: String, on connection: Connection) throws {
    let values: [XTValue] = [.text(newName), .text(table)]
    _ = try ifRecorded(on: connection) {
      // What is left of a table that once had the new name.
      if SQLiteName(table) != SQLiteName(newName) {
        try forget(newName, on: connection)
        try connection.run("DELETE FROM `xtlite_versions` WHERE `table_name` = ?", [values[0]])
      }
      try connection.run("UPDATE `xtlite_tables` SET `name` = ? WHERE `name` = ?", values)
      try connection.run(
        "UPDATE `xtlite_columns` SET `table_name` = ? WHERE `table_name` = ?", values)
      try connection.run(
        "UPDATE `xtlite_versions` SET `table_name` = ? WHERE `table_name` = ?", values)
    }
  }

  /// Makes a copy of the file's schema remember what the file does.
  static func copy(from file: Connection, to copy: Connection) throws {
    for table in [tables, columns, versions] {
      guard try !file.rows("PRAGMA table_info(\(quoted(table)))").isEmpty else { continue }
      for row in try file.rows("SELECT * FROM \(quoted(table))") {
        let places = row.map { _ in "?" }.joined(separator: ", ")
        try copy.run("INSERT INTO \(quoted(table)) VALUES (\(places))", row)
      }
    }
  }

  /// Takes what is known of an added column to its new name.
  static func renameColumn(
    _ column: String, to newName: String, of table: String, on connection: Connection
  ) throws {
    _ = try ifRecorded(on: connection) {
      try connection.run(
        "UPDATE OR REPLACE `xtlite_columns` SET `column_name` = ? WHERE `table_name` = ?"
          + " AND `column_name` = ?", [.text(newName), .text(table), .text(column)])
    }
  }

  /// Forgets that a column was added: it is gone, or declared anew.
  static func forgetColumn(
    _ column: String, of table: String, on connection: Connection
  ) throws {
    _ = try ifRecorded(on: connection) {
      try connection.run(
        "DELETE FROM `xtlite_columns` WHERE `table_name` = ? AND `column_name` = ?",
        [.text(table), .text(column)])
    }
  }

  /// Takes the tables of a model to the model's new name.
  static func renameModel(
    _ model: String, to newName: String, on connection: Connection
  ) throws {
    _ = try ifRecorded(on: connection) {
      try connection.run(
        "UPDATE `xtlite_tables` SET `model` = ? WHERE `model` = ? COLLATE NOCASE",
        [.text(newName), .text(model)])
    }
  }

  private static func makeTables(on connection: Connection) throws {
    if try !connection.rows("PRAGMA table_info(\(quoted(versions)))").isEmpty { return }
    try connection.run(
      "CREATE TABLE IF NOT EXISTS `xtlite_tables` ("
        + "`name` TEXT NOT NULL COLLATE NOCASE PRIMARY KEY, `model` TEXT NOT NULL) WITHOUT ROWID")
    try connection.run(
      "CREATE TABLE IF NOT EXISTS `xtlite_columns` (`table_name` TEXT NOT NULL COLLATE NOCASE,"
        + " `column_name` TEXT NOT NULL COLLATE NOCASE, `is_lenient` INTEGER NOT NULL,"
        + " PRIMARY KEY (`table_name`, `column_name`)) WITHOUT ROWID")
    try connection.run(
      "CREATE TABLE IF NOT EXISTS `xtlite_versions` (`table_name` TEXT NOT NULL COLLATE NOCASE,"
        + " `version` INTEGER NOT NULL, PRIMARY KEY (`table_name`, `version`)) WITHOUT ROWID")
  }
}
