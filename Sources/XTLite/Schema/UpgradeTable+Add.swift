// Steps that add.
extension UpgradeTable {
  func add(_ column: Column) throws {
    if try fileColumn(column.name) != nil { return }
    let definition = try fullDefinition()
    guard let wanted = definition.definition(of: column) else { return }
    let shape = try shape()
    try runner.keepingSchemaWhole("adding `\(column.name)`", name) {
      do {
        let additions = try TableAdditions(
          of: [wanted], to: shape, definition: definition, includesIndexes: false, on: connection)
        try connection.inTransaction {
          try additions.apply(
            automaticColumns: runner.automaticColumns, on: connection, advance: runner.advance)
        }
        for (sql, fillsRows) in additions.statements {
          runner.note(sql, rowsOf: fillsRows ? name : nil)
        }
      } catch let error as XTError where error.kind == .upgrade {
        // What all rows would share can't be unique, however the column is added.
        if wanted.isUnique, wanted.hasDefault,
          try TableAdditions.rowCount(of: name, on: connection) > 1
        {
          throw error
        }
        try addByRebuild(wanted, definition)
      }
    }
    runner.markFresh(column.name, of: name)
  }

  private func addByRebuild(_ wanted: ColumnDefinition, _ definition: TableDefinition) throws {
    try TableMaker.createParents(
      of: definition, automaticColumns: runner.automaticColumns, on: connection)
    try change([wanted.column], nil)
    try SchemaRecord.addColumn(wanted.name, isLenient: false, to: name, on: connection)
  }

  func add(_ column: String, _ declaration: String) throws {
    if try fileColumn(column) != nil { return }
    let tokens = DeclarationToken.tokens(of: declaration)
    if !tokens.isEmpty, let problem = tokens.problem(allowingCommas: false) {
      throw refusal("the declaration of `\(column)` \(problem): \(declaration)", column: column)
    }
    do {
      try runner.execute(
        "ALTER TABLE \(quoted(name)) ADD COLUMN \(quoted(column)) \(tokens.source)")
    } catch let error as XTError where error.code == 1 {
      let old = try text()
      var new = old
      let item = TableText.Item(
        DeclarationToken.tokens(of: "\(quoted(column)) \(tokens.source)"))
      let end = new.items.lastIndex { $0.column != nil } ?? new.items.count - 1
      new.items.insert(item, at: end + 1)
      try rebuild(
        old, new, sources: old.storedColumns.map { ($0, quoted($0)) }, "adding `\(column)`")
    }
    runner.markFresh(column, of: name)
    runner.forgetHealth()
  }

  func addAutomaticColumns() throws {
    let shape = try shape()
    let definition = try fullDefinition()
    let missing = definition.columns.filter {
      $0.column.role != .property && !$0.isRowID && !shape.has(column: $0.name)
    }
    for column in missing { try add(column.column) }
    let text = try text()
    let hasKey = text.items.contains { $0.isPrimaryKey || $0.kind == .primaryKey }
    guard !hasKey, !text.isWithoutRowID,
      let number = definition.columns.first(where: \.isRowID), !text.has(column: number.name)
    else { return }
    try change([number.column], nil)
  }

  // MARK: Indexes

  func addIndex(_ index: XTIndex) throws {
    let wanted = try IndexDefinition(
      index, table: name, mapping: mapping, mark: try shape().deletionMark)
    if try SchemaReader.indexes(of: name, on: connection).contains(where: { $0.satisfies(wanted) })
    {
      return
    }
    if wanted.isUnique {
      try refuseDuplicates(
        wanted.terms.map { quoted($0.column) }, of: wanted.terms.map(\.column), wanted.condition)
    }
    runner.note(wanted.sql(named: wanted.name), rowsOf: name)
    try TableMaker.createIndex(wanted, on: connection)
  }

  func dropIndex(_ index: String) throws {
    guard
      let found = try SchemaReader.indexes(of: name, on: connection).first(where: {
        SQLiteName($0.name) == SQLiteName(index)
      })
    else { return }
    guard found.origin == .createIndex else {
      throw refusal(
        "the index `\(index)` belongs to a constraint of `\(name)`",
        hint: "take the constraint out of the model, and write $0.change for its column")
    }
    try runner.execute("DROP INDEX \(quoted(found.name))")
  }

  func dropIndexes(over columns: [String]) throws {
    let wanted = columns.map(SQLiteName.init)
    for index in try SchemaReader.indexes(of: name, on: connection)
    where index.origin == .createIndex
      && index.terms.map({ $0.column.map(SQLiteName.init) }) == wanted.map(Optional.init)
    {
      try runner.execute("DROP INDEX \(quoted(index.name))")
    }
  }

  /// Names what rows share that are not to share it.
  func refuseDuplicates(
    _ expressions: [String], of columns: [String], _ condition: String? = nil
  ) throws {
    let list = expressions.joined(separator: ", ")
    let filled = expressions.map { "(\($0)) IS NOT NULL" } + (condition.map { ["(\($0))"] } ?? [])
    let rows = try connection.rows(
      "SELECT count(*), \(list) FROM \(quoted(name)) WHERE \(filled.joined(separator: " AND "))"
        + " GROUP BY \(list) HAVING count(*) > 1 LIMIT 6")
    if rows.isEmpty { return }
    let named = rows.prefix(5).map { row in
      let values = row.dropFirst().map { String($0.sqlLiteral.prefix(60)) }
      return "\(values.joined(separator: ", ")) in \(row[0]) rows"
    }
    let columns = columns.map { "`\($0)`" }.joined(separator: ", ")
    throw refusal(
      "\(columns) of `\(name)` cannot be unique: \(named.joined(separator: "; "))"
        + (rows.count > 5 ? "; and more" : ""),
      hint: "give the rows different values, or delete some, in a step before this one",
      column: columns.replacing("`", with: ""))
  }
}
