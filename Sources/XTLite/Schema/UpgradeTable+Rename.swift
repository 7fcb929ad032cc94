// Steps that give columns other names, and that take columns away.
extension UpgradeTable {
  func rename(_ old: String, to new: String) throws {
    if SQLiteName(old) == SQLiteName(new) { return }
    let target = try fileColumn(new)
    guard try fileColumn(old) != nil else {
      // Also where a later step gives it the name that is there.
      var (name, steps) = (new, 0)
      while try fileColumn(name) == nil, let later = laterNames[SQLiteName(name)], steps < 1_000 {
        (name, steps) = (later, steps + 1)
      }
      if try fileColumn(name) != nil { return }
      throw refusal(
        "`\(self.name)` has neither the column `\(old)` nor `\(new)`",
        hint: "name the column as the file has it at this step; add it in a step before, where old"
          + " files never had it", column: old)
    }
    if let target { try dropAddition(target, inTheWayOf: old) }
    try convertTexts(beforeLosing: old)
    try renameColumns([(old, new)])
  }

  /// The target was added by itself: by a verb that ran before the upgrade.
  private func dropAddition(
    _ target: SchemaReader.FileColumn, inTheWayOf old: String
  ) throws {
    let record = try SchemaRecord.entry(of: name, on: connection)
    let isAddition = record?.addedColumns.contains(SQLiteName(target.name)) ?? false
    let isUntouched = try !hasRow(
      where: "\(quoted(target.name)) IS NOT (\(target.defaultText ?? "NULL"))")
    guard isAddition, isUntouched else {
      throw refusal(
        "`\(old)` of `\(name)` cannot be renamed: there is a column `\(target.name)` too"
          + (isAddition ? ", and rows hold values of their own in it" : ""),
        hint: "write what becomes of both before this step: $0.run(\"…\") and $0.drop(\"…\")",
        column: target.name)
    }
    try drop(target.name)
  }

  func swap(_ first: String, _ second: String) throws {
    for column in [first, second] where try fileColumn(column) == nil {
      throw refusal("`\(name)` has no column `\(column)` to swap", column: column)
    }
    if SQLiteName(first) == SQLiteName(second) { return }
    for column in [first, second] { try convertTexts(beforeLosing: column) }
    guard runner.abilities.renamesColumns else {
      return try renameColumns([(first, second), (second, first)])
    }
    var between = "xtlite_swap"
    while try fileColumn(between) != nil { between += "_" }
    try renameColumns([(first, between)])
    try renameColumns([(second, first)])
    try renameColumns([(between, second)])
  }

  /// All at once where SQLite can't do it.
  private func renameColumns(_ names: [(old: String, new: String)]) throws {
    if runner.abilities.renamesColumns {
      for (old, new) in names { try renameByAlter(old, new) }
    } else {
      try renameByRebuild(ColumnRenaming(table: name, names: names))
    }
    if names.count > 1 {
      // The record of two that change places.
      let record = try SchemaRecord.entry(of: name, on: connection)
      for (old, _) in names { try SchemaRecord.forgetColumn(old, of: name, on: connection) }
      for (old, new) in names where record?.addedColumns.contains(SQLiteName(old)) == true {
        try SchemaRecord.addColumn(
          new, isLenient: record?.lenientColumns.contains(SQLiteName(old)) ?? false, to: name,
          on: connection)
      }
    } else {
      for (old, new) in names {
        try SchemaRecord.renameColumn(old, to: new, of: name, on: connection)
      }
    }
    runner.forgetFresh(of: name)
    runner.forgetHealth()
  }

  private func renameByAlter(_ old: String, _ new: String) throws {
    do {
      try runner.withLegacyAlter(false) {
        try runner.execute(
          "ALTER TABLE \(quoted(name)) RENAME COLUMN \(quoted(old)) TO \(quoted(new))")
      }
    } catch let error as XTError where error.code == 1 {
      throw refusal(
        "`\(old)` of `\(name)` cannot be renamed: \(error.message)",
        hint: "drop what is named there before this step, and make it again afterwards:"
          + " $0.run(\"…\")", column: old)
    }
  }

  private func renameByRebuild(_ renaming: ColumnRenaming) throws {
    if let object = try renaming.unsure(on: connection) {
      throw refusal(
        "renaming \(renaming.text) of `\(name)`: the \(object.type) `\(object.name)` names such a"
          + " column, and this SQLite can't rewrite it",
        hint: "drop it before this step and make it again afterwards: $0.run(\"…\")")
    }
    let old = try text()
    var new = old
    new.items = old.items.map(renaming.applied)
    let sources = old.storedColumns.map { (renaming.newName(of: $0), quoted($0)) }
    let others = try renaming.referring(on: connection)
    try rebuild(old, new, sources: sources, "renaming \(renaming.text)") { renaming.applied($0) }
    try rewriteTables(others)
  }

  // MARK: Dropping

  func drop(_ column: String) throws {
    guard let found = try fileColumn(column)?.name else { return }
    try convertTexts(beforeLosing: found)
    try refuseHiddenUses(of: found)
    for index in try SchemaReader.indexes(of: name, on: connection)
    where index.origin == .createIndex && index.isOver(found) {
      guard index.terms.count == 1, index.terms[0].column != nil else {
        throw refusal(
          "`\(found)` of `\(name)` cannot be dropped: the index `\(index.name)` is over it and"
            + " other columns", hint: "write $0.dropIndex(\"\(index.name)\") before this step",
          column: found)
      }
      try runner.execute("DROP INDEX \(quoted(index.name))")
    }
    try runner.keepingSchemaWhole("dropping `\(found)`", name) {
      if !(try dropByAlter(found)) { try dropByRebuild(found) }
    }
    try SchemaRecord.forgetColumn(found, of: name, on: connection)
    runner.forgetFresh(found, of: name)
  }

  /// What SQLite would let pass: a trigger on the column alone, which never fires again, and a name in
  /// double quotes, which would be a text from then on.
  private func refuseHiddenUses(of column: String) throws {
    for object in try SchemaReader.objects(naming: name, on: connection) {
      let tokens = DeclarationToken.tokens(of: object.sql)
      let isOfThisTable = object.belongs(to: name)
      let isUsed =
        tokens.contains { $0.isDoubleQuoted(column) }
        || isOfThisTable && object.type == "trigger"
          && ColumnRenaming.updatedColumns(of: tokens).contains(SQLiteName(column))
      guard isUsed, !isIndexOver(column, object) else { continue }
      throw refusal(
        "`\(column)` of `\(name)` cannot be dropped: the \(object.type) `\(object.name)` names it",
        hint:
          "drop it before this step: $0.run(\"DROP \(object.type.uppercased()) \(object.name)\")",
        column: column)
    }
    for item in try text().items where item.column.map(SQLiteName.init) != SQLiteName(column) {
      guard item.keyColumns.isEmpty || item.kind == .check else { continue }
      guard item.tokens.dropFirst().contains(where: { $0.isDoubleQuoted(column) }) else { continue }
      throw refusal(
        "`\(column)` of `\(name)` cannot be dropped: a declaration names it: \(item.tokens.source)",
        hint: "write $0.change for the other column before this step", column: column)
    }
  }

  /// An index over the column alone goes with it.
  private func isIndexOver(_ column: String, _ object: SchemaObject) -> Bool {
    guard object.type == "index",
      let index = try? SchemaReader.indexes(of: name, on: connection).first(where: {
        SQLiteName($0.name) == SQLiteName(object.name)
      })
    else { return false }
    return index.isOver(column) && index.condition == nil
  }

  private func dropByAlter(_ column: String) throws -> Bool {
    guard runner.abilities.dropsColumns else { return false }
    let sql = "ALTER TABLE \(quoted(name)) DROP COLUMN \(quoted(column))"
    do {
      try connection.run(sql)
      runner.note(sql, rowsOf: name)
      return true
    } catch let error as XTError where error.code == 1 {
      return false
    }
  }

  private func dropByRebuild(_ column: String) throws {
    let old = try text()
    var new = old
    guard let position = new.index(of: column) else { return }
    new.items.remove(at: position)
    guard !new.columns.isEmpty else {
      throw refusal("`\(column)` is the only column of `\(name)`", column: column)
    }
    for item in new.items where item.column == nil && item.names(column) {
      let isOfThisAlone =
        item.kind != .check
        && item.keyColumns.allSatisfy { SQLiteName($0) == SQLiteName(column) }
      guard isOfThisAlone else {
        throw refusal(
          "`\(column)` of `\(name)` cannot be dropped: a constraint names it and other columns:"
            + " \(item.tokens.source)",
          hint: "take the constraint out of the model, and write $0.change for the other column"
            + " before this step", column: column)
      }
    }
    new.items.removeAll { $0.column == nil && $0.names(column) }
    try rebuild(
      old, new, sources: new.storedColumns.map { ($0, quoted($0)) }, "dropping `\(column)`")
  }
}

extension SchemaReader.FileIndex {
  /// Whether a column is one of its terms.
  func isOver(_ column: String) -> Bool {
    terms.contains { $0.column.map(SQLiteName.init) == SQLiteName(column) }
  }
}
