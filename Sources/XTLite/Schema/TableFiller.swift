/// Gives rows that hold NULL in a column without DEFAULT a value each.
struct TableFiller {
  let shape: TableShape

  private static let batch = 500

  /// Whether some row holds NULL in a column that XTLite added without DEFAULT.
  func isNeeded(on connection: Connection) throws -> Bool {
    guard !shape.lenientColumns.isEmpty else { return false }
    let test = shape.lenientColumns.map { "\($0.quotedName) IS NULL" }
    return try connection.firstValue(
      "SELECT 1 FROM \(quoted(shape.table)) WHERE \(test.joined(separator: " OR ")) LIMIT 1") != nil
  }

  /// Fills every column that XTLite added without DEFAULT.
  func fillAll(on connection: Connection) throws {
    for column in shape.lenientColumns { try fill(column, on: connection) }
  }

  /// What `fill` runs for each row.
  func statement(filling column: Column) -> String? {
    shape.rowIDExpression.map { updateStatement(of: column, $0) }
  }

  private func updateStatement(of column: Column, _ rowID: String) -> String {
    "UPDATE OR ABORT \(quoted(shape.table)) SET \(quoted(column.name)) = ? WHERE \(rowID) = ?"
  }

  /// Writes the value of a fresh `init()` into each row that holds NULL in `column`.
  ///
  /// - Parameter advance: Told how many rows were written since it was last.
  func fill(
    _ column: Column, on connection: Connection, advance: (Int64) throws -> Void = { _ in }
  ) throws {
    guard let rowID = shape.rowIDExpression else {
      throw TableAdditions.noRowIDRefusal(of: column.name, table: shape.table)
    }
    let table = quoted(shape.table)
    let name = quoted(column.name)
    let select = "SELECT \(rowID) FROM \(table) WHERE \(name) IS NULL"
    let next = "\(select) AND \(rowID) > ? ORDER BY \(rowID) LIMIT \(Self.batch)"
    let update = updateStatement(of: column, rowID)
    // In batches of row numbers: a row that is changed may come up in a running SELECT again.
    var rows = try connection.rows("\(select) ORDER BY \(rowID) LIMIT \(Self.batch)")
    while let last = rows.last {
      try connection.withStatement(update) { statement in
        for row in rows {
          try statement.bind(try shape.mapping.freshValue(of: column), at: 1)
          try statement.bind(row[0], at: 2)
          try statement.run()
          statement.reset()
        }
      }
      try advance(Int64(rows.count))
      rows = rows.count < Self.batch ? [] : try connection.rows(next, [last[0]])
    }
  }
}
