/// Whole calls: a statement from its text to its result.
extension Connection {
  /// Runs one statement to its end. Returns the rows that it changed; 0 for one that changes none.
  @discardableResult
  func run(_ sql: String, _ values: [XTValue] = []) throws -> Int {
    try withStatement(sql) { try run($0, values) }
  }

  /// As `run` with text, without hashing it.
  @discardableResult
  func run(_ key: StatementKey, _ values: [XTValue] = []) throws -> Int {
    try withStatement(key) { try run($0, values) }
  }

  private func run(_ statement: Statement, _ values: [XTValue]) throws -> Int {
    try statement.bind(values)
    try statement.run()
    if statement.kind == .savepoint { try lockSavepoint() }
    return rowsChanged(by: statement)
  }

  /// The first column of the first row; nil where there is no row.
  func firstValue(_ sql: String, _ values: [XTValue] = []) throws -> XTValue? {
    try withStatement(sql) { statement in
      try statement.bind(values)
      guard try statement.step(), statement.columnCount > 0 else { return nil }
      return statement.column(0).value
    }
  }

  /// All rows; for small results such as a PRAGMA's.
  func rows(_ sql: String, _ values: [XTValue] = []) throws -> [[XTValue]] {
    try withStatement(sql) { statement in
      try statement.bind(values)
      var rows: [[XTValue]] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map { statement.column($0).value })
      }
      return rows
    }
  }

  /// Whether there are tables that other connections to the file don't see: temporary ones, and
  /// attached files.
  var hasTablesOfItsOwn: Bool {
    let count = try? firstValue("SELECT count(*) FROM sqlite_temp_master")?.int64
    let files = try? rows("PRAGMA database_list")
    return count != 0 || files?.contains { !["main", "temp"].contains($0[1].string) } != false
  }

  /// Runs the statements of a text in order. Returns the sum of the rows that they changed.
  ///
  /// `values` go to the parameters in the order of the text. What ran before a statement that
  /// fails stays done: wrap the call in a transaction where it must not.
  @discardableResult
  func executeScript(_ sql: String, _ values: [XTValue] = []) throws -> Int {
    try refuseNUL(sql)
    var values = values[...]
    let changed = try sql.withCString { start in
      var changed = 0
      var position = start
      while position.pointee != 0 {
        let (statement, tail) = try prepareNext(at: position)
        if let statement {
          defer { finish(statement) }
          changed += try run(statement, takingFrom: &values)
        }
        position = tail
      }
      return changed
    }
    guard values.isEmpty else {
      throw XTError(
        .sqlite, "\(values.count) values were given for which the script has no parameter",
        sql: sql, path: path)
    }
    return changed
  }

  /// The next statement of a script.
  private func prepareNext(
    at position: UnsafePointer<CChar>
  ) throws -> (statement: Statement?, tail: UnsafePointer<CChar>) {
    do {
      return try prepare(at: position, kept: false)
    } catch let error as XTError where error.isOfManyParameters {
      // SQLite gave up inside of it, so that nobody knows where it ends but where it is the last.
      let rest = String(cString: position)
      guard let statement = try? prepare(rest, kept: false) else { throw error }
      return (statement, position + rest.utf8.count)
    }
  }

  private func run(
    _ statement: Statement, takingFrom values: inout ArraySlice<XTValue>
  ) throws -> Int {
    guard values.count >= statement.parameterCount else {
      throw XTError(
        .sqlite, "the script has a parameter without a value",
        hint: "give one value for each parameter", sql: statement.sql, path: path)
    }
    defer { values = values.dropFirst(statement.parameterCount) }
    return try run(statement, Array(values.prefix(statement.parameterCount)))
  }

  private func rowsChanged(by statement: Statement) -> Int {
    // sqlite3_changes keeps an older statement's count over one that changes no rows.
    statement.kind == .change && !statement.isReadOnly ? changes : 0
  }
}
