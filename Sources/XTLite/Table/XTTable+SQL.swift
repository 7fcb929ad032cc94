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
    return try database.readingSQL(fragment.text) { connection in
      let rows = try plan.rowsForReading(connection)
      do {
        return try connection.withStatement(fragment.text) { statement in
          guard statement.isReadOnly else {
            throw XTError(
              .readOnly, "a find with SQL that writes", hint: "use execute for it",
              sql: fragment.text, path: connection.path)
          }
          try statement.bind(fragment.values)
          return try body(statement, rows.reader(for: statement))
        }
      } catch let error as XTError where error.kind == .schema && !rows.shape.exists {
        guard error.table.map(SQLiteName.init) == SQLiteName(plan.table) else { throw error }
        return nil
      }
    }
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
    let fragment = try noting { try sql.resolved() }
    var mayWrite = false
    func run(_ connection: Connection, isWriter: Bool) throws -> (isDone: Bool, XTValue?) {
      try connection.withStatement(fragment.text) { statement in
        mayWrite = !statement.isReadOnly
        guard isWriter || statement.isQuestion else { return (false, nil) }
        try statement.bind(fragment.values)
        var first: XTValue?
        var isFirst = true
        while try statement.step() {
          if isFirst, statement.columnCount > 0 { first = statement.column(0).value }
          isFirst = false
          // A statement that writes has done so only at its end.
          if statement.isReadOnly { break }
        }
        if statement.kind == .savepoint { try connection.lockSavepoint() }
        return (true, first)
      }
    }
    let (isDone, value) = try readingSQL(fragment.text) { try run($0, isWriter: false) }
    if isDone { return value }
    // A PRAGMA that only asks does so, too, where nothing can be written.
    if mayWrite { return try writing { try run($0, isWriter: true).1 } }
    return try accessing(.writerVerb) { try run($0, isWriter: true).1 }
  }
}

extension XTDatabase {
  /// For a statement in the user's own words: on a reader where one knows the answer. The writer's
  /// connection alone has what belongs to one: temporary tables, attached databases, and the counts
  /// of its latest changes.
  fileprivate func readingSQL<T>(_ sql: String, _ body: (Connection) throws -> T) throws -> T {
    if SQLScanner.asksForChanges(sql) { return try accessing(.writerVerb, body) }
    var isReader = false
    let result = try attempting {
      try reading { connection in
        isReader = connection.isReader
        return try body(connection)
      }
    } unless: { error in
      error.kind == .schema && error.code != 0 && isReader && canVisitWriter
    }
    return try result ?? accessing(.writerVerb, body)
  }
}

extension Statement {
  /// Whether any connection gives the same answer, and is left as it was.
  fileprivate var isQuestion: Bool { isReadOnly && (kind == .other || kind == .change) }
}

extension SQLScanner {
  private static let functionsOfChanges = Set(
    ["changes", "total_changes", "last_insert_rowid"].map(SQLiteName.init))

  /// Whether a function is called that tells of the connection's latest changes.
  fileprivate static func asksForChanges(_ sql: String) -> Bool {
    var scanner = SQLScanner(sql)
    var last: Token?
    while let token = scanner.next() {
      if token.kind == .openParenthesis, let last, let name = scanner.name(of: last),
        functionsOfChanges.contains(SQLiteName(name))
      {
        return true
      }
      if !token.isComment { last = token }
    }
    return false
  }
}
