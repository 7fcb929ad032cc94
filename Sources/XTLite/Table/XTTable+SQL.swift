extension XTTable {
  /// Models of the rows of any SELECT, its columns matched by their names: columns that the model
  /// doesn't know are passed over, properties that have none keep what `init()` gives.
  ///
  /// ```swift
  /// try people.find(sql: "SELECT * FROM Person WHERE length(name) > \(5)")
  /// ```
  ///
  /// - Throws: `readOnly` for a statement that writes.
  public func find(sql: XTSQL) throws -> [Model] {
    try rows(of: sql) { statement, reader in
      try reader.models(Model.self, from: statement)
    } ?? []
  }

  /// The model of the first row of any SELECT; nil where it gives none.
  public func findFirst(sql: XTSQL) throws -> Model? {
    var place = ModelPlace<Model>()
    let isFound = try rows(of: sql) { try $1.next(&place, of: $0) }
    guard isFound == true else { return nil }
    return place.take()
  }

  /// The first value of the first row of any statement; nil where it gives no row.
  @discardableResult
  public func anyFunc(sql: XTSQL) throws -> XTValue? {
    try database.anyFunc(sql: sql)
  }

  private func rows<Result>(
    of sql: XTSQL, _ body: (Statement, RowReader) throws -> Result
  ) throws -> Result? {
    let plan = try plan()
    let fragment = try database.noting { try sql.resolved() }
    return try database.readingSQL { connection -> Result?? in
      let rows = try plan.rowsForReading(connection)
      do {
        return try connection.withStatement(fragment.text) { statement in
          guard statement.isReadOnly else {
            throw XTError(
              .readOnly, "a find with SQL that writes", hint: "use execute for it",
              sql: fragment.text, path: connection.path)
          }
          // Of changes that another connection made.
          if connection.isReader, statement.asksForChanges { return nil }
          try statement.bind(fragment.values)
          return try body(statement, rows.reader(for: statement))
        }
      } catch let error as XTError where error.kind == .schema && !rows.shape.exists {
        guard error.table.map(SQLiteName.init) == SQLiteName(plan.table) else { throw error }
        return .some(nil)
      }
    } ?? nil
  }
}

extension XTDatabase {
  /// Runs SQL: one statement, or several in order.
  ///
  /// ```swift
  /// try database.execute("UPDATE Person SET nick = \(nil as String?) WHERE age < \(18)")
  /// ```
  ///
  /// - Returns: how many rows were changed.
  /// - Throws: what SQLite says of the SQL. Statements before the one that failed stay done unless
  ///   a transaction is around them.
  @discardableResult
  public func execute(_ sql: XTSQL) throws -> Int {
    let fragment = try noting { try sql.resolved() }
    return try executeScript(fragment.text, fragment.values)
  }

  /// Runs SQL as ``execute(_:)-(XTSQL)``, without holding a thread while it waits.
  @discardableResult
  public func execute(_ sql: XTSQL) async throws -> Int {
    let fragment = try noting { try sql.resolved() }
    return try await write { try self.executeScript(fragment.text, fragment.values) }
  }

  /// The first value of the first row of any statement; nil where it gives no row.
  @discardableResult
  public func anyFunc(sql: XTSQL) throws -> XTValue? {
    var first: XTValue?
    try answer(sql, .firstColumn) { first = try $0.next() }
    return first
  }
}
