/// The schema of a file in memory, without its rows: where steps are tried before they are taken.
struct SchemaClone {
  let connection: Connection
  /// Whether everything could be made there. What a set-up of the program's registers is missing.
  let isWhole: Bool

  init(of file: Connection) throws {
    var settings = ConnectionSettings()
    settings.foreignKeys = false
    settings.functions = file.settings.functions
    settings.collations = file.settings.collations
    settings.tokenizers = file.settings.tokenizers
    let connection = try Connection(settings)
    self.connection = connection
    connection.takeDoubleQuotedTexts(true)
    // A step's own SQL must not write to another file.
    connection.refuseAttaching()
    let objects = try file.rows(
      "SELECT `sql`, `type` FROM `sqlite_master` WHERE `sql` IS NOT NULL"
        + " AND `name` NOT LIKE 'sqlite!_%' ESCAPE '!'"
        // A virtual table makes the tables that it keeps its own data in.
        + " ORDER BY CASE WHEN `sql` LIKE 'CREATE VIRTUAL%' THEN 0 WHEN `type` = 'table' THEN 1"
        + " WHEN `type` = 'index' THEN 2 WHEN `type` = 'view' THEN 3 ELSE 4 END, `rowid`")
    var isWhole = true
    for object in objects {
      guard let sql = object[0].string else { continue }
      do { try connection.run(sql) } catch let error as XTError {
        if !error.message.contains("already exists") { isWhole = false }
      }
    }
    self.isWhole = isWhole
    try SchemaRecord.copy(from: file, to: connection)
    try XTFMDBVersion.copy(from: file, to: connection)
  }
}
