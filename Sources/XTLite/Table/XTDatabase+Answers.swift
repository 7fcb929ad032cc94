extension XTDatabase {
  /// What is done with the rows of a statement that runs.
  typealias Answer<Element> = (inout RowRun<Element>) throws -> Void

  /// Runs one statement and hands its rows to `body`: on a reader where one knows the
  /// answer, else on the writer.
  ///
  /// - Parameter streams: whether `body` calls the program between the rows.
  func answer<Element>(
    _ sql: XTSQL, _ maker: RowMaker<Element>, streams: Bool = false, _ body: Answer<Element>
  ) throws {
    let fragment = try noting { try sql.resolved() }
    var mayWrite = false
    var hasBegun = false
    func run(_ connection: Connection, isWriter: Bool) throws -> Bool {
      try connection.withStatement(fragment.text) { statement in
        mayWrite = !statement.isReadOnly
        guard isWriter || statement.isQuestion else { return false }
        try connection.answer(statement, fragment.values, maker, &hasBegun, body)
        return true
      }
    }
    let isDone = try attemptingSQL(streams: streams, hasBegun: { hasBegun }) {
      try run($0, isWriter: false)
    }
    if isDone == true { return }
    // A PRAGMA that only asks does so, too, where nothing can be written.
    if mayWrite {
      _ = try writing { try run($0, isWriter: true) }
    } else {
      _ = try accessing(.writerVerb) { try run($0, isWriter: true) }
    }
  }

  /// For a statement in the user's own words: on a reader where one knows the answer. The writer's
  /// connection alone has what belongs to one: temporary tables, attached databases, and the counts
  /// of its latest changes.
  ///
  /// - Parameter body: gives nil where the connection is not the one to be asked.
  func readingSQL<T>(_ body: (Connection) throws -> T?) throws -> T? {
    try attemptingSQL(body) ?? accessing(.writerVerb, body)
  }

  /// - Returns: nil where the writer is to be asked.
  private func attemptingSQL<T>(
    streams: Bool = false, hasBegun: () -> Bool = { false }, _ body: (Connection) throws -> T?
  ) throws -> T? {
    var isReader = false
    func visit(_ connection: Connection) throws -> T? {
      isReader = connection.isReader
      return try body(connection)
    }
    let result = try attempting {
      streams ? try streaming(visit) : try reading(visit)
    } unless: { error in
      error.kind == .schema && error.code != 0 && isReader && !hasBegun() && canVisitWriter
    }
    return result ?? nil
  }

  /// Whether a reader is the first to be asked for the rows of a statement.
  static func asksReader(_ sql: String) -> Bool {
    if SQLScanner.asksForChanges(sql) { return false }
    var words = Words(sql.utf8[...])
    return ["SELECT", "VALUES", "WITH", "EXPLAIN", ""].contains(words.next())
  }
}

extension Connection {
  /// Runs `statement` and hands its rows to `body`.
  func answer<Element>(
    _ statement: Statement, _ values: [XTValue], _ maker: RowMaker<Element>,
    _ hasBegun: inout Bool, _ body: XTDatabase.Answer<Element>
  ) throws {
    try statement.bind(values)
    var run = RowRun(statement, on: self, maker)
    defer { hasBegun = run.hasBegun }
    if statement.changesAndTells, !isReader {
      // A row that can't be read must not cost what it was.
      try inTransaction { try run.complete(body) }
    } else {
      try run.complete(body)
    }
    if statement.kind == .savepoint { try lockSavepoint() }
  }
}

extension RowRun {
  /// Hands the rows to `body`, and ends the statement, whatever comes.
  fileprivate mutating func complete(_ body: XTDatabase.Answer<Element>) throws {
    do {
      try body(&self)
      try finish()
    } catch {
      statement.reset()
      throw error
    }
  }
}

extension Statement {
  /// Whether it changes rows and gives what RETURNING says of them.
  fileprivate var changesAndTells: Bool { !isReadOnly && kind == .change && columnCount > 0 }

  /// Whether any connection gives the same answer, and is left as it was.
  var isQuestion: Bool {
    isReadOnly && (kind == .other || kind == .change) && !asksForChanges
  }
}
