// The three ways of a verb to the table. Where another program has changed the table since it was
// looked at, a single statement is tried once more with what is there now; a transaction compares
// first, since what it has taken from a sequence can't be taken again.
extension XTTable {
  @inline(__always)
  func reading<Result>(
    _ plan: TablePlan, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    try database.reading { connection in
      guard let rows = plan.knownRows(connection) else {
        return try plan.lookingAgain(connection, body)
      }
      do {
        return try body(connection, rows)
      } catch let error as XTError {
        guard plan.isStale(error, rows, connection) else {
          throw rows.shape.explainedName(error)
        }
        return try plan.lookingAgain(connection, body)
      }
    }
  }

  /// As `reading`, for a `body` that must not see a row twice: it runs again only where it has not
  /// begun.
  func streaming(
    _ plan: TablePlan, _ body: (Connection, RowPlan, _ hasBegun: inout Bool) throws -> Void
  ) throws {
    try database.streaming { connection in
      var hasBegun = false
      guard let rows = plan.knownRows(connection) else {
        return try plan.lookingAgain(connection) { try body($0, $1, &hasBegun) }
      }
      do {
        try body(connection, rows, &hasBegun)
      } catch let error as XTError {
        guard !hasBegun, plan.isStale(error, rows, connection) else {
          throw rows.shape.explainedName(error)
        }
        try plan.lookingAgain(connection) { try body($0, $1, &hasBegun) }
      }
    }
  }

  @inline(__always)
  func writing<Result>(
    _ plan: TablePlan, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    try database.writing { try plan.writing($0, body) }
  }

  /// All of what `body` writes, or nothing.
  @inline(__always)
  func transacting<Result>(
    _ plan: TablePlan, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    do {
      return try database.transacting { try plan.writingInTransaction($0, body) }
    } catch {
      // What was written may fail as late as when it is committed.
      throw plan.explained(error, nil)
    }
  }
}

// What is asked of a table that may be missing.
extension XTTable {
  func exists(_ query: WantedRows<Model>) throws -> Bool {
    let value = try value(query) { rows, condition in
      StatementBuilder.exists(in: rows.source, where: condition)
    }
    return value == .integer(1)
  }

  /// The first value of a statement about the rows; nil where the table is missing.
  func value(
    _ query: WantedRows<Model>, _ sql: (RowPlan, String?) throws -> String
  ) throws -> XTValue? {
    let plan = try plan()
    return try reading(plan) { connection, rows in
      let filter = try rows.filter(
        query.condition, query.scope, LiveTables(database, connection))
      guard try isThere(rows, plan, query, filter) else { return nil }
      let fragment = SQLFragment(try sql(rows, filter?.text), filter?.values ?? [])
      return try connection.withStatement(fragment.text) { statement in
        noteScan(of: statement, query, rows, fragment, connection)
        try statement.bind(fragment.values)
        guard try statement.step(), statement.columnCount > 0 else { return nil }
        return statement.column(0).value
      }
    }
  }

  /// Warns where a statement that was just prepared reads a large table whole to find some rows.
  @inline(__always)
  func noteScan(
    of statement: Statement, _ query: WantedRows<Model>, _ rows: RowPlan, _ fragment: SQLFragment,
    _ connection: Connection
  ) {
    if statement.isExplained { return }
    statement.isExplained = true
    FullScan(database: database, connection: connection)
      .check(query.condition?.node, rows, fragment)
  }

  /// Whether there is a table to ask; where there is none the condition is checked all the same.
  func isThere(
    _ rows: RowPlan, _ plan: TablePlan, _ query: WantedRows<Model>, _ filter: SQLFragment?
  ) throws -> Bool {
    if rows.shape.exists { return true }
    if let filter, query.condition?.hasRawText == true { try MissingTable.check(filter, plan) }
    return false
  }
}
