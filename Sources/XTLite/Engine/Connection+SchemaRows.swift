// What is in the schema and can't be dropped: SQLite makes a virtual table before it drops it, which
// fails where its module or its own tables are missing.
extension Connection {
  /// Takes a virtual table out of the schema, without asking what it is. What it kept in the file is
  /// left as ordinary tables. Only inside of a transaction.
  func forgetVirtualTable(_ name: String) throws {
    try withWritableSchema {
      try run(
        "DELETE FROM `sqlite_master` WHERE `type` = 'table' AND `rootpage` = 0"
          + " AND `name` = ? COLLATE NOCASE AND `sql` LIKE 'CREATE VIRTUAL%'", [.text(name)])
      // Other connections see by the number that there is another schema.
      let version = try pragma("schema_version")?.int64 ?? 0
      let next = version >= Int64(Int32.max) ? 1 : version + 1
      try pragma("schema_version = \(next)")
    }
    try readSchemaAgain()
    schemaChanged()
  }

  private func withWritableSchema(_ body: () throws -> Void) throws {
    // Some platforms protect the schema of every connection.
    var isDefensive: Int32 = 0
    if xt_db_config_get(handle, Int32(XT_DBCONFIG_DEFENSIVE), &isDefensive) != SQLITE_OK {
      isDefensive = 0
    }
    if isDefensive != 0 { _ = xt_db_config_set(handle, Int32(XT_DBCONFIG_DEFENSIVE), 0) }
    defer {
      if isDefensive != 0 { _ = xt_db_config_set(handle, Int32(XT_DBCONFIG_DEFENSIVE), 1) }
    }
    let before = try pragma("writable_schema")?.int64 ?? 0
    try pragma("writable_schema = 1")
    defer { _ = try? pragma("writable_schema = \(before)") }
    try body()
  }

  private struct Undo: Error {}

  /// What is rolled back in the schema makes SQLite read all of it from the file: every version of it
  /// does, also inside of a transaction.
  private func readSchemaAgain() throws {
    var name = "xtlite_nothing"
    while try firstValue(
      "SELECT 1 FROM `sqlite_master` WHERE `name` = ? COLLATE NOCASE", [.text(name)]) != nil
    {
      name += "_"
    }
    do {
      try inTransaction {
        try run("CREATE TABLE `\(name)` (`a`)")
        throw Undo()
      }
    } catch is Undo {
    }
  }
}
