extension XTTable {
  /// The rows that meet a condition, read as they are asked for; all of them where it is nil.
  ///
  /// ```swift
  /// for try await person in people.stream(where: \.age > 17, orderBy: .asc(\.name)) { … }
  /// ```
  ///
  /// What is wrong with it is thrown when the first row is asked for.
  public func stream(
    where condition: XTCondition<Model>? = nil, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) -> XTStream<Model> {
    XTStream { source(condition, orders, limit: limit, offset: offset, scope) }
  }

  /// The rows in which a Bool property is true, read as they are asked for.
  public func stream(
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTStream<Model> {
    XTStream { source(XTCondition(flag), orders, limit: limit, offset: offset, scope) }
  }

  func source(
    _ condition: XTCondition<Model>?, _ orders: [XTOrder<Model>], limit: Int?, offset: Int?,
    _ scope: XTScope
  ) -> StreamSource<Model> {
    @Sendable func query() -> WantedRows<Model> {
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope)
    }
    return StreamSource(
      database: database, asksReader: true,
      open: { connection in
        let plan = try plan()
        let rows = try plan.rowsForReading(connection)
        do {
          return try streamRows(query(), plan, connection, rows)
        } catch let error as XTError {
          guard plan.isStale(error, rows, connection) else {
            throw rows.shape.explainedName(error)
          }
          return try streamRows(query(), plan, connection, plan.rowsForReading(connection))
        }
      },
      all: { try find(query()) })
  }
}
