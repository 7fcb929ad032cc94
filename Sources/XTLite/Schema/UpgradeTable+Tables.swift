// Steps between tables.
extension UpgradeTable {
  mutating func renameTable(from old: String, to new: String) throws {
    guard isOwn else {
      return try SchemaRecord.renameModel(old, to: new, on: connection)
    }
    // Done already.
    guard SQLiteName(name) == SQLiteName(old), SQLiteName(old) != SQLiteName(new) else { return }
    try TableDefinition.checkName(new)
    if try SchemaReader.tableExists(new, on: connection) { try dropMadeTable(new) }
    if runner.abilities.hasLegacyAlter {
      try renameByAlter(to: new)
    } else {
      try renameWithoutHelp(to: new)
    }
    try SchemaRecord.rename(old, to: new, on: connection)
    try SchemaRecord.renameModel(old, to: new, on: connection)
    runner.tableWasRenamed(old, to: new)
    runner.forgetFresh(of: old)
    runner.forgetHealth()
    name = new
  }

  /// The new name's table was made by itself: by a verb that ran before the upgrade.
  private func dropMadeTable(_ new: String) throws {
    let isMade = try SchemaRecord.entry(of: new, on: connection)?.isMade ?? false
    let isEmpty = try connection.firstValue("SELECT 1 FROM \(quoted(new)) LIMIT 1") == nil
    guard isMade, isEmpty else {
      throw refusal(
        "`\(name)` cannot be renamed: there is a table `\(new)` too"
          + (isEmpty ? "" : ", and it has rows"),
        hint: "write $0.merge(from: \"\(name)\") instead of renameTable, or drop one of them")
    }
    runner.note("DROP TABLE \(quoted(new))")
    try TableMaker.drop(table: new, on: connection)
  }

  private func renameByAlter(to new: String) throws {
    do {
      try runner.withLegacyAlter(false) {
        try runner.execute("ALTER TABLE \(quoted(name)) RENAME TO \(quoted(new))")
      }
    } catch let error as XTError where error.code == 1 {
      throw refusal(
        "`\(name)` cannot be renamed: \(error.message)",
        hint: "drop what is named there before this step, and make it again afterwards:"
          + " $0.run(\"…\")")
    }
  }

  /// Where SQLite renames the table and nothing that speaks of it.
  private func renameWithoutHelp(to new: String) throws {
    let renaming = TableRenaming(old: name, new: new)
    try runner.keepingSchemaWhole("renaming `\(name)` to `\(new)`", name) {
      let objects = try renaming.objects(on: connection)
      for object in objects {
        try runner.execute("DROP \(object.type.uppercased()) \(quoted(object.name))")
      }
      try runner.execute("ALTER TABLE \(quoted(name)) RENAME TO \(quoted(new))")
      try rewriteTables(try renaming.referring(on: connection))
      for object in objects { try runner.execute(object.sql) }
    }
  }

  // MARK: Merging

  func merge(_ other: String, _ conflict: XTConstraint.Conflict?, keepsTable: Bool) throws {
    guard try SchemaReader.tableExists(other, on: connection) else { return }
    guard SQLiteName(other) != SQLiteName(name) else {
      throw refusal("`\(name)` cannot be merged with itself")
    }
    let there = try SchemaReader.columns(of: other, on: connection)
    let shape = try shape()
    // Rows get new numbers, unless those are the model's own key.
    let number = mapping.rowIDColumn == nil ? shape.rowIDName.map(SQLiteName.init) : nil
    // A generated column makes its own values.
    let writable = Set(shape.fileColumns.filter(\.isWritable).map { SQLiteName($0.name) })
    let common = there.filter {
      shape.has(column: $0.name) && writable.contains(SQLiteName($0.name))
        && SQLiteName($0.name) != number
    }
    if !keepsTable { try refuseLoss(of: there, shape, other) }
    let names = common.map(\.name)
    if conflict == nil { try refuseCollisions(with: other, names) }
    if !names.isEmpty {
      try copyRows(of: other, names, shape, conflict)
      runner.hasMoved = true
    }
    for column in shape.columns where column.isRequiredWithoutDefault {
      if names.contains(where: { SQLiteName($0) == SQLiteName(column.name) }) { continue }
      let filler = TableFiller(shape: shape)
      if let sql = filler.statement(filling: column) { runner.note(sql, rowsOf: other) }
      try filler.fill(column, on: connection, advance: runner.advance)
    }
    if !keepsTable {
      runner.note("DROP TABLE \(quoted(other))", rowsOf: nil)
      try runner.keepingSchemaWhole("merging `\(other)` into the rows", name) {
        _ = try TableMaker.drop(table: other, on: connection)
      }
    }
    runner.forgetFresh(of: name)
  }

  private func copyRows(
    of other: String, _ names: [String], _ shape: TableShape, _ conflict: XTConstraint.Conflict?
  ) throws {
    let functions = ConversionFunctions(connection: connection, table: other)
    defer { functions.remove() }
    let sources = try sources(of: names, in: other, shape, functions)
    // Said by the statement, it goes before what the table's constraints say.
    let sql =
      "INSERT OR \(conflict?.rawValue ?? "ABORT") INTO \(quoted(name)) (\(names.quotedList))"
      + " SELECT \(sources.joined(separator: ", ")) FROM \(quoted(other))"
    let changed = try functions.rethrowing { try runner.execute(sql, rowsOf: other) }
    guard conflict == nil, runner.recorder == nil else { return }
    let count = try connection.firstValue("SELECT count(*) FROM \(quoted(other))")?.int64 ?? 0
    guard changed == count else {
      throw refusal(
        "merging `\(other)` into `\(name)` would lose \(count - Int64(changed)) rows: a trigger"
          + " keeps them out", hint: "drop the trigger before this step: $0.run(\"…\")")
    }
  }

  /// What the columns get from the other table's rows, by what a read of the property would take.
  private func sources(
    of names: [String], in other: String, _ shape: TableShape, _ functions: ConversionFunctions
  ) throws -> [String] {
    let others = try SchemaReader.shape(of: other, mapping: mapping, on: connection)
    functions.standIns = StandIns(texts: others.textColumns)
    let text = try? TableText.of(other, on: connection)
    return try names.map { name in
      guard let column = shape.columns.first(where: { SQLiteName($0.name) == SQLiteName(name) }),
        column.role == .property, column !== mapping.rowIDColumn,
        // XTFMDB's texts mean the same here.
        !shape.textColumns.contains(where: { $0 === column })
      else { return quoted(name) }
      return try functions.expression(converting: column, mapping, nil, text)
    }
  }

  private func refuseLoss(
    of columns: [SchemaReader.FileColumn], _ shape: TableShape, _ other: String
  ) throws {
    let others = try SchemaReader.shape(of: other, mapping: mapping, on: connection)
    let number = others.rowIDName.map(SQLiteName.init)
    for column in columns where !shape.has(column: column.name) {
      // Its rows get new numbers.
      if SQLiteName(column.name) == number { continue }
      let isFull =
        try connection.firstValue(
          "SELECT 1 FROM \(quoted(other)) WHERE \(quoted(column.name)) IS NOT"
            + " (\(column.defaultText ?? "NULL")) LIMIT 1") != nil
      guard isFull else { continue }
      throw refusal(
        "merging `\(other)` into `\(name)` would lose what rows hold in `\(column.name)`",
        hint: "add the column to `\(name)` before this step, or merge with keepsTable: true",
        column: column.name)
    }
  }

  private func refuseCollisions(with other: String, _ names: [String]) throws {
    var keys = try SchemaReader.uniqueKeys(of: name, on: connection).map { key in
      names.filter { key.contains(SQLiteName($0)) }.count == key.count
        ? names.filter { key.contains(SQLiteName($0)) } : []
    }
    if let key = mapping.rowIDColumn,
      names.contains(where: { SQLiteName($0) == SQLiteName(key.name) })
    {
      keys.append([key.name])
    }
    for key in keys where !key.isEmpty {
      let list = key.quotedList
      let filled = key.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
      let rows = try connection.rows(
        "SELECT count(*), \(list) FROM (SELECT \(list) FROM \(quoted(name)) UNION ALL"
          + " SELECT \(list) FROM \(quoted(other))) WHERE \(filled) GROUP BY \(list)"
          + " HAVING count(*) > 1 LIMIT 5")
      if rows.isEmpty { continue }
      let values = rows.map { $0.dropFirst().map(\.sqlLiteral).joined(separator: ", ") }
      throw refusal(
        "rows of `\(name)` and `\(other)` hold the same in \(key.joined(separator: ", ")):"
          + " \(values.joined(separator: "; "))",
        hint: "say what becomes of them: $0.merge(from: \"\(other)\", onConflict: .ignore)",
        column: key.joined(separator: ", "))
    }
  }
}
