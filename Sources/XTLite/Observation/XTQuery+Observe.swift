extension XTQuery {
  /// All rows, now and after each commit that touched a table of the query.
  ///
  /// ```swift
  /// let orders = Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid)
  /// for try await rows in orders.observe() { … }     // [(Order, User)]
  /// ```
  ///
  /// The database is the one that is current when this is called, for a query that names none. What
  /// is wrong with the query is thrown by the first value; see ``XTObservation``.
  public func observe() -> XTObservation<[Row]> {
    XTObservation {
      let query = try live()
      return LiveSource(query.database) { try query.query.all() }
    }
  }

  /// The first row, now and after each commit that touched a table of the query; nil where there is
  /// none.
  public func observeFirst() -> XTObservation<Row?> {
    XTObservation {
      let query = try live()
      return LiveSource(query.database) { try query.query.first() }
    }
  }

  /// How many rows ``all()`` would give, now and after each commit that touched a table of the
  /// query.
  public func observeCount() -> XTObservation<Int> {
    XTObservation {
      let query = try live()
      return LiveSource(query.database) { try query.query.count() }
    }
  }

  private func live() throws -> (query: XTQuery, database: XTDatabase) {
    let outer = try (self.database ?? XTDatabase.current()).outside
    return (XTQuery(parts, decoder, outer, given: given), outer)
  }
}
