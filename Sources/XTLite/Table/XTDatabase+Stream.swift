extension XTDatabase {
  /// The rows of any SELECT, read as they are asked for.
  ///
  /// ```swift
  /// for try await row in database.stream("SELECT name, age FROM Person WHERE age > \(17)") {
  ///   print(try row["name"] as String)
  /// }
  /// ```
  ///
  /// What is wrong with it is thrown when the first row is asked for. A statement that only the
  /// writer can answer, such as a PRAGMA, is run whole.
  public func stream(_ sql: XTSQL) -> XTStream<XTRow> {
    stream(sql, { _ in .row }) { try $0.rows(sql) }
  }

  /// The rows of any SELECT as values of a `Decodable` type, by the names of the columns, read as
  /// they are asked for; see `rows(_:as:)`.
  @_disfavoredOverload
  public func stream<Row: Decodable & SendableMetatype>(
    _ sql: XTSQL, as type: Row.Type
  ) -> XTStream<Row> {
    stream(sql, { .decoding($0) }) { try $0.rows(sql, as: Row.self) }
  }

  /// The rows of any SELECT as models, read as they are asked for.
  public func stream<Model: XTModel>(_ sql: XTSQL, as type: Model.Type) -> XTStream<Model> {
    stream(sql, { .model($0.table(Model.self)) }) { try $0.rows(sql, as: Model.self) }
  }

  private func stream<Element>(
    _ sql: XTSQL, _ maker: @escaping @Sendable (XTDatabase) -> RowMaker<Element>,
    _ all: @escaping @Sendable (XTDatabase) throws -> [Element]
  ) -> XTStream<Element> {
    XTStream {
      let fragment = try noting { try sql.resolved() }
      return StreamSource(
        database: self, asksReader: Self.asksReader(fragment.text),
        open: { connection in
          try connection.streamRows(fragment, maker(self))
        }, all: { try all(self) })
    }
  }
}

extension Connection {
  /// A statement that was begun, for who finishes it.
  fileprivate func streamRows<Element>(
    _ fragment: SQLFragment, _ maker: RowMaker<Element>
  ) throws -> StreamRows<Element> {
    let statement: Statement
    do {
      statement = try self.statement(fragment.text)
    } catch let error as XTError where error.kind == .schema && error.code != 0 {
      // It may be a table of the writer's own.
      throw StreamSource<Element>.NeedsWriter()
    }
    do {
      guard statement.isQuestion else { throw StreamSource<Element>.NeedsWriter() }
      try statement.bind(fragment.values)
    } catch {
      finish(statement)
      throw error
    }
    var run = RowRun(statement, on: self, maker)
    return StreamRows(statement: statement) { try run.next() }
  }
}
