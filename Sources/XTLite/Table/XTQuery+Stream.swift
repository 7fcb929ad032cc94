extension XTQuery {
  /// The rows, read as they are asked for.
  ///
  /// ```swift
  /// for try await (order, user) in Order.xt_join(User.self, on: …).stream() { … }
  /// ```
  ///
  /// What is wrong with the query is thrown when the first row is asked for; see ``XTStream`` for what
  /// an iteration keeps meanwhile.
  public func stream() -> XTStream<Row> {
    XTStream {
      let database = try self.database ?? XTDatabase.current()
      let query = XTQuery(parts, decoder, database, given: given)
      return StreamSource(
        database: database, asksReader: true,
        open: { try QueryRun(database, $0).begin(query) }, all: { try query.all() })
    }
  }
}

extension QueryRun {
  /// A statement that was begun, for who finishes it.
  fileprivate func begin<Base, Row>(_ query: XTQuery<Base, Row>) throws -> StreamRows<Row> {
    let written = try written(query.body, .all, mayLook: true)
    let statement = try connection.statement(written.sql)
    let filler: RowFiller
    do {
      try bind(written, query.given, statement)
      filler = try written.filler
    } catch {
      connection.finish(statement)
      throw error
    }
    return StreamRows(statement: statement) {
      guard try statement.step() else { return nil }
      return try filler.row(Row.self, from: statement)
    }
  }
}
