/// Makes a table anew around its rows, by SQLite's own procedure for what ALTER TABLE can't do: a
/// new table, the rows copied, the old one dropped, the new one renamed, and indexes and triggers
/// made again.
///
/// Runs inside a transaction that began with foreign keys off, or the DROP would delete what refers
/// to the rows.
struct TableRebuild {
  let old: TableText
  let new: TableText
  /// Each column that is copied, with the expression over the old row that it gets.
  let sources: [(column: String, expression: String)]
  /// Makes a statement of the schema that speaks of the old columns speak of the new ones; gives nil
  /// for one that goes.
  var rewriting: (SchemaObject) -> String? = { $0.sql }

  private static let batch = 5_000

  func run(_ runner: UpgradeRunner) throws {
    let connection = runner.connection
    let table = old.name
    try TableCompanions.remove(from: table, on: connection)
    let objects = try SchemaObject.all(["index", "trigger"], on: connection)
      .filter { $0.belongs(to: table) }
    let counter = try counter(on: connection)
    let name = try freeName(on: connection)
    try runner.execute(new.sql(named: name))
    try copy(to: name, runner)
    try refuseLoss(to: name, on: connection)
    try runner.execute("DROP TABLE \(quoted(table))")
    try runner.renameAsIs(name, to: table)
    let kept = try temporaryNames(on: connection)
    for object in objects {
      // One that belongs to an attached database's table of the same name.
      if object.isTemporary, kept.contains(SQLiteName(object.name)) { continue }
      guard let sql = rewriting(object) else { continue }
      try make(object, sql, runner)
    }
    if let counter, new.isAutoincrement { try setCounter(counter, runner) }
  }

  private func make(_ object: SchemaObject, _ sql: String, _ runner: UpgradeRunner) throws {
    do {
      try runner.execute(object.isTemporary ? Self.temporary(sql) : sql)
    } catch let error as XTError where error.code == 1 {
      throw XTError(
        .upgrade,
        "the \(object.type) `\(object.name)` of `\(old.name)` can't be made again: \(error.message)",
        hint: "drop it in a step before, and make it again afterwards: $0.run(\"…\")",
        table: old.name, sql: sql)
    }
  }

  /// Before the old rows go.
  private func refuseLoss(to name: String, on connection: Connection) throws {
    guard !sources.isEmpty || new.storedColumns.isEmpty else { return }
    func count(_ table: String) throws -> Int64 {
      try connection.firstValue("SELECT count(*) FROM \(quoted(table))")?.int64 ?? 0
    }
    let (before, after) = (try count(old.name), try count(name))
    guard before == after else {
      throw XTError(
        .upgrade, "of \(before) rows of `\(old.name)` \(after) were copied", table: old.name)
    }
  }

  // MARK: Rows

  private func copy(to name: String, _ runner: UpgradeRunner) throws {
    let connection = runner.connection
    var columns = sources.map { quoted($0.column) }
    var expressions = sources.map(\.expression)
    let key = old.rowIDExpression
    // The rows keep their numbers, also those that no column shows.
    if new.rowIDName == nil, !new.isWithoutRowID, let key, old.rowIDName == nil,
      let hidden = Self.hiddenName(in: [old, new])
    {
      columns.append(hidden)
      expressions.append(key)
    }
    guard !columns.isEmpty else { return }
    let insert =
      // Whatever the new table's constraints say of rows in their way.
      "INSERT OR ABORT INTO \(quoted(name)) (\(columns.joined(separator: ", ")))"
      + " SELECT \(expressions.joined(separator: ", ")) FROM \(quoted(old.name))"
    guard let key else {
      try runner.execute(insert, rowsOf: old.name)
      return
    }
    runner.note(insert, rowsOf: old.name)
    try connection.copyInParts(insert, from: old.name, by: key, count: Self.batch) {
      try runner.advance(by: $0)
    }
  }

  private static func hiddenName(in texts: [TableText]) -> String? {
    ["rowid", "_rowid_", "oid"].first { name in !texts.contains { $0.has(column: name) } }
  }

  private func freeName(on connection: Connection) throws -> String {
    var name = "xtlite_new_\(old.name)"
    while try SchemaReader.owner(ofName: name, on: connection) != nil { name += "_" }
    return name
  }

  // MARK: What hangs on the table

  private func temporaryNames(on connection: Connection) throws -> Set<SQLiteName> {
    let rows = try connection.rows("SELECT `name` FROM `sqlite_temp_master`")
    return Set(rows.compactMap { $0[0].string.map(SQLiteName.init) })
  }

  private static func temporary(_ sql: String) -> String {
    sql.uppercased().hasPrefix("CREATE TRIGGER") ? "CREATE TEMP" + sql.dropFirst(6) : sql
  }

  // MARK: The counter of AUTOINCREMENT

  private func counter(on connection: Connection) throws -> Int64? {
    guard old.isAutoincrement else { return nil }
    return try connection.firstValue(
      "SELECT `seq` FROM `sqlite_sequence` WHERE `name` = ? COLLATE NOCASE", [.text(old.name)]
    )?.int64
  }

  private func setCounter(_ counter: Int64, _ runner: UpgradeRunner) throws {
    let name = XTValue.text(old.name)
    let changed = try runner.connection.run(
      "UPDATE `sqlite_sequence` SET `seq` = max(`seq`, ?) WHERE `name` = ? COLLATE NOCASE",
      [.integer(counter), name])
    if changed == 0 {
      try runner.connection.run(
        "INSERT INTO `sqlite_sequence` (`name`, `seq`) VALUES (?, ?)", [name, .integer(counter)])
    }
  }
}
