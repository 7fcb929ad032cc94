// The same without holding a thread while they wait. Cancelling the task stops the statement and
// throws `CancellationError`.
extension XTDatabase {
  /// All rows of any one statement, with names and values, without holding a thread while it waits.
  ///
  /// ```swift
  /// let rows = try await database.rows("SELECT name, age FROM Person")
  /// ```
  ///
  /// - Throws: As the other form; `CancellationError` where the task was cancelled.
  public func rows(_ sql: XTSQL) async throws -> [XTRow] {
    try await asking(sql) { try self.rows(sql) }
  }

  /// All rows of any one statement as values of a `Decodable` type, without holding a thread while
  /// it waits.
  @_disfavoredOverload
  public func rows<Row: Decodable & SendableMetatype>(
    _ sql: XTSQL, as type: Row.Type
  ) async throws -> sending [Row] {
    try await asking(sql) { try self.rows(sql, as: Row.self) }
  }

  /// All rows of any one statement as models, without holding a thread while it waits.
  public func rows<Model: XTModel>(
    _ sql: XTSQL, as type: Model.Type
  ) async throws -> sending [Model] {
    try await asking(sql) { try self.rows(sql, as: Model.self) }
  }

  /// The first row of any one statement, without holding a thread while it waits.
  public func firstRow(_ sql: XTSQL) async throws -> XTRow? {
    try await asking(sql) { try self.firstRow(sql) }
  }

  /// The first row of any one statement as a value of a `Decodable` type, without holding a thread
  /// while it waits.
  @_disfavoredOverload
  public func firstRow<Row: Decodable & SendableMetatype>(
    _ sql: XTSQL, as type: Row.Type
  ) async throws -> sending Row? {
    try await asking(sql) { try self.firstRow(sql, as: Row.self) }
  }

  /// The first row of any one statement as a model, without holding a thread while it waits.
  public func firstRow<Model: XTModel>(
    _ sql: XTSQL, as type: Model.Type
  ) async throws -> sending Model? {
    try await asking(sql) { try self.firstRow(sql, as: Model.self) }
  }

  /// The columns of all rows of any one statement, each as the type at its place, without holding a
  /// thread while it waits.
  public func select<each V: SendableMetatype>(
    _ sql: XTSQL, as types: repeat (each V).Type
  ) async throws -> sending [(repeat each V)] {
    try await asking(sql) { try self.select(sql, as: repeat (each V).self) }
  }

  /// The columns of the first row of any one statement, without holding a thread while it waits.
  public func selectFirst<each V: SendableMetatype>(
    _ sql: XTSQL, as types: repeat (each V).Type
  ) async throws -> sending (repeat each V)? {
    try await asking(sql) { try self.selectFirst(sql, as: repeat (each V).self) }
  }

  /// Runs `body`, which asks for the rows of `sql`, with the connection that it begins with.
  private func asking<T>(
    _ sql: XTSQL, _ body: sending @escaping () throws -> sending T
  ) async throws -> sending T {
    try await onWorker(Self.asksReader(sql.sql) ? .readVerb : .writerVerb, body)
  }
}
