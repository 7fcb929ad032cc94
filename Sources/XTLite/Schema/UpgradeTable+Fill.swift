// The step that gives rows values from code.
extension UpgradeTable {
  private static var batch: Int { 500 }

  func fill(_ column: Column, everyRow: Bool, _ value: UpgradeStep.Filling) throws {
    let columns = try SchemaReader.columns(of: name, on: connection)
    guard let found = columns.first(where: { SQLiteName($0.name) == SQLiteName(column.name) })
    else {
      throw refusal(
        "`\(name)` has no column `\(column.name)` to fill",
        hint: "write $0.add(\\.\(column.property)) before it", column: column.name)
    }
    let shape = try shape()
    guard let key = shape.rowIDExpression else {
      throw refusal(
        "`\(column.name)` of `\(name)` cannot be filled: its rows have no rowid to tell them apart",
        hint: "write $0.run(\"UPDATE …\") instead", column: column.name)
    }
    guard SQLiteName(found.name) != shape.rowIDName.map(SQLiteName.init) else {
      throw refusal(
        "`\(found.name)` is the number of the rows of `\(name)`, by which they are filled",
        hint: "write $0.run(\"UPDATE …\") instead", column: column.name)
    }
    let table = quoted(name)
    let target = quoted(found.name)
    var condition = "1"
    if !everyRow, !runner.isFresh(found.name, of: name) {
      condition = "(\(target) IS NULL"
      if let text = found.defaultText { condition += " OR \(target) IS (\(text))" }
      condition += ")"
    }
    let list = ([key] + columns.map { quoted($0.name) }).joined(separator: ", ")
    func select(_ comparison: String) -> String {
      "SELECT \(list) FROM \(table) WHERE \(condition) AND \(key) \(comparison) ?"
        + " ORDER BY \(key) LIMIT \(Self.batch)"
    }
    let names = Dictionary(
      // The number stands before them.
      columns.enumerated().map { (SQLiteName($1.name), $0 + 1) },
      uniquingKeysWith: { first, _ in first }
    )
    let texts = shape.textColumns.compactMap { column in
      names[SQLiteName(column.name)].map { ($0, column) }
    }
    let written = shape.writtenValues[column.quotedName] ?? "?"
    let update = "UPDATE OR ABORT \(table) SET \(target) = \(written) WHERE \(key) = ?"
    runner.note(update, rowsOf: name, where: condition)
    var rows = try connection.rows(select(">="), [.integer(.min)])
    while let last = rows.last {
      try connection.withStatement(update) { statement in
        for row in rows {
          let row = meaning(of: row, texts)
          try statement.bind(try filling(row, names, column, value), at: 1)
          try statement.bind(row[0], at: 2)
          try statement.run()
          statement.reset()
        }
      }
      try runner.advance(by: Int64(rows.count))
      rows = rows.count < Self.batch ? [] : try connection.rows(select(">"), [last[0]])
    }
    runner.forgetFresh(column.name, of: name)
  }

  /// XTFMDB's texts by what they stand for.
  private func meaning(of row: [XTValue], _ texts: [(index: Int, column: Column)]) -> [XTValue] {
    if texts.isEmpty { return row }
    let standIns = StandIns(texts: texts.map(\.column))
    var row = row
    for (index, column) in texts {
      let stored = ValueInHand(value: row[index])
      row[index] = standIns.meaning(of: stored, in: column, mapping) ?? row[index]
    }
    return row
  }

  private func filling(
    _ row: [XTValue], _ names: [SQLiteName: Int], _ column: Column, _ value: UpgradeStep.Filling
  ) throws -> XTValue {
    let content = XTUpgradeRow(table: name, columns: names, values: row)
    let result = try value(content)
    try content.check()
    if result.isNull, !column.isOptional {
      throw refusal(
        "the value for `\(column.name)` in row \(row[0]) of `\(name)` is NULL, and the property is"
          + " not optional", column: column.name)
    }
    return result
  }
}
