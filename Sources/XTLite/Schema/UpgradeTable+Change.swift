// Steps that make the table anew.
extension UpgradeTable {
  func change(_ asked: [Column], _ conversion: UpgradeStep.Conversion?) throws {
    let old = try text()
    let shape = try shape()
    let columns =
      asked
      + shape.textsThatGo(with: asked.map(\.name)).filter { column in
        !asked.contains { $0 === column }
      }
    let new = try old.changed(columns, to: modelText(), mapping: mapping)
    let isSame =
      Set(old.items.map(\.tokens.normalizedText)) == Set(new.items.map(\.tokens.normalizedText))
    try refuseDuplicates(new, columns)
    let functions = ConversionFunctions(
      connection: connection, table: name, standIns: StandIns(texts: shape.textColumns))
    defer { functions.remove() }
    if conversion != nil, let number = asked.first(where: { isNumber($0, shape) }) {
      throw refusal(
        "`\(number.name)` is the number of the rows of `\(name)`, which no closure gives",
        hint: "write $0.run(\"UPDATE …\") instead", column: number.name)
    }
    if isSame, conversion == nil, try !holdsOthers(columns, old, functions) { return }
    try createParents(new)
    var sources: [(column: String, expression: String)] = []
    for column in new.storedColumns {
      let changed = columns.first { SQLiteName($0.name) == SQLiteName(column) }
      if old.has(column: column) {
        let expression =
          if let changed, !isNumber(changed, shape) {
            try functions.expression(
              converting: changed, mapping, asked.contains { $0 === changed } ? conversion : nil,
              old)
          } else { quoted(column) }
        sources.append((column, expression))
      } else if let expression = try expression(adding: column, new, old, functions) {
        sources.append((column, expression))
      }
    }
    let surplus = try surplusIndexes(new, columns)
    let names = columns.map { "`\($0.name)`" }.joined(separator: ", ")
    try functions.rethrowing {
      try rebuild(old, new, sources: sources, "changing \(names)") { object in
        object.type == "index" && surplus.contains(SQLiteName(object.name)) ? nil : object.sql
      }
    }
    try keepRecord(of: columns)
  }

  private func isNumber(_ column: Column, _ shape: TableShape) -> Bool {
    column.role == .pkid || SQLiteName(column.name) == shape.rowIDName.map(SQLiteName.init)
  }

  /// Whether a row holds what the property would store otherwise, or can't be.
  private func holdsOthers(
    _ columns: [Column], _ old: TableText, _ functions: ConversionFunctions
  ) throws -> Bool {
    for column in columns where column.role == .property && old.has(column: column.name) {
      let stored = try functions.expression(converting: column, mapping, nil, old)
      if try hasRow(where: "\(column.quotedName) IS NOT \(stored)") { return true }
    }
    return false
  }

  /// A foreign key to a missing table would refuse every row.
  private func createParents(_ new: TableText) throws {
    guard new.items.contains(where: { $0.tokens.contains { $0.word == "REFERENCES" } }) else {
      return
    }
    try TableMaker.createParents(
      of: fullDefinition(), automaticColumns: runner.automaticColumns, on: connection)
  }

  /// Gives XTFMDB's texts their meaning before the table can't be told to be XTFMDB's any more.
  func convertTexts(beforeLosing column: String) throws {
    let texts = try shape().textsThatGo(with: [column])
    if !texts.isEmpty { try change(texts, nil) }
  }

  /// What a column that is new gets in each row; nil for its own default.
  private func expression(
    adding column: String, _ new: TableText, _ old: TableText, _ functions: ConversionFunctions
  ) throws -> String? {
    if new.rowIDName.map(SQLiteName.init) == SQLiteName(column) {
      // The numbers that the rows have.
      return old.rowIDExpression
    }
    guard let modelColumn = mapping.column(named: column),
      let clauses = new.item(of: column)?.clauses, !clauses.has(.defaultValue),
      !modelColumn.isOptional
    else { return nil }
    return try functions.expression(freshValueOf: modelColumn, mapping)
  }

  private func refuseDuplicates(_ new: TableText, _ columns: [Column]) throws {
    let there = try SchemaReader.columns(of: name, on: connection).map(\.name)
    func collated(_ column: String) -> String {
      guard let clause = new.item(of: column)?.clauses.first(.collate) else {
        return "\(quoted(column)) COLLATE BINARY"
      }
      return "\(quoted(column)) \(clause.text)"
    }
    func isThere(_ column: String) -> Bool {
      there.contains { SQLiteName($0) == SQLiteName(column) }
    }
    for column in columns where isThere(column.name) {
      guard let clauses = new.item(of: column.name)?.clauses,
        clauses.has(.unique) || clauses.has(.primaryKey)
      else { continue }
      try refuseDuplicates([collated(column.name)], of: [column.name])
    }
    for item in new.items where item.kind == .unique || item.kind == .primaryKey {
      guard columns.contains(where: { item.names($0.name) }),
        item.keyColumns.allSatisfy(isThere)
      else { continue }
      try refuseDuplicates(item.keyColumns.map(collated), of: item.keyColumns)
    }
  }

  /// Unique indexes of XTLite's own that stood for a keyword: the new declaration says it itself, or
  /// doesn't want it any more.
  private func surplusIndexes(_ new: TableText, _ columns: [Column]) throws -> Set<SQLiteName> {
    let wanted = try definition().indexes(mark: try shape().deletionMark)
    var surplus: Set<SQLiteName> = []
    for column in columns {
      let made = IndexDefinition.unique([column.name], of: name)
      for index in try SchemaReader.indexes(of: name, on: connection)
      where index.origin == .createIndex && index.satisfies(made)
        && SQLiteName(index.name).hasPrefix(SQLiteName(made.name))
        && !wanted.contains(where: { index.satisfies($0) })
      {
        surplus.insert(SQLiteName(index.name))
      }
    }
    return surplus
  }

  private func keepRecord(of columns: [Column]) throws {
    let record = try SchemaRecord.entry(of: name, on: connection)
    for column in columns where record?.addedColumns.contains(SQLiteName(column.name)) == true {
      let isLenient =
        record?.lenientColumns.contains(SQLiteName(column.name)) == true
        && column.isRequiredWithoutDefault
      try SchemaRecord.addColumn(column.name, isLenient: isLenient, to: name, on: connection)
    }
  }

  // MARK: Making it

  func rebuild(
    _ old: TableText, _ new: TableText, sources: [(column: String, expression: String)],
    _ what: String, rewriting: @escaping (SchemaObject) -> String? = { $0.sql }
  ) throws {
    try runner.keepingSchemaWhole(what, name) {
      do {
        try TableRebuild(old: old, new: new, sources: sources, rewriting: rewriting).run(runner)
      } catch var error as XTError {
        if case .constraint(let constraint) = error.kind {
          let message = error.message.replacing("xtlite_new_\(name)", with: name)
          error.message =
            "\(what) of `\(name)`: a row breaks the new declaration (\(constraint)): \(message)"
          error.kind = .upgrade
          error.hint =
            "write a step before this one that sees to such rows: $0.fill(…) { … } or"
            + " $0.run(\"…\")"
          error.table = name
        }
        throw error
      }
    }
  }

  /// Gives other tables a new text around their rows.
  func rewriteTables(_ tables: [(table: String, sql: String)]) throws {
    for (table, sql) in tables {
      let old = try TableText.of(table, on: connection)
      guard let new = TableText(sql) else { continue }
      try TableRebuild(
        old: old, new: new, sources: old.storedColumns.map { ($0, quoted($0)) }
      ).run(runner)
    }
  }
}

extension TableShape {
  /// The columns of XTFMDB's texts, where the table is known as XTFMDB's by one of `columns`.
  fileprivate func textsThatGo(with columns: [String]) -> [Column] {
    let automatic = Set(ColumnRole.automatic.compactMap(\.automaticName).map(SQLiteName.init))
    return columns.contains { automatic.contains(SQLiteName($0)) } ? textColumns : []
  }
}
