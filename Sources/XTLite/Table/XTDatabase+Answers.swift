extension XTDatabase {
  /// What is made of each row of a statement, with the first of which `body` begins.
  typealias Answer<Element> = (_ next: () throws -> Element?) throws -> Void

  /// Runs one statement and hands its rows to `body`, one by one: on a reader where one knows the
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
    let isDone = try readingSQL(fragment.text, streams: streams, hasBegun: { hasBegun }) {
      try run($0, isWriter: false)
    }
    if isDone { return }
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
  func readingSQL<T>(
    _ sql: String, streams: Bool = false, hasBegun: () -> Bool = { false },
    _ body: (Connection) throws -> T
  ) throws -> T {
    if SQLScanner.asksForChanges(sql) { return try accessing(.writerVerb, body) }
    var isReader = false
    func visit(_ connection: Connection) throws -> T {
      isReader = connection.isReader
      return try body(connection)
    }
    let result = try attempting {
      streams ? try streaming(visit) : try reading(visit)
    } unless: { error in
      error.kind == .schema && error.code != 0 && isReader && !hasBegun() && canVisitWriter
    }
    return try result ?? accessing(.writerVerb, body)
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
      try body { try next() }
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
  var isQuestion: Bool { isReadOnly && (kind == .other || kind == .change) }
}

extension SQLScanner {
  private static let functionsOfChanges = Set(
    ["changes", "total_changes", "last_insert_rowid"].map(SQLiteName.init))

  /// Whether a function is called that tells of the connection's latest changes.
  static func asksForChanges(_ sql: String) -> Bool {
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
