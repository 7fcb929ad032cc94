extension XTDatabase {
  /// What a closure reads, now and after each commit that touched a table which it read the last
  /// time.
  ///
  /// ```swift
  /// let totals = database.observe {
  ///   (open: try Order.xt_countWhere(\.isOpen), sum: try Order.xt_sumOf(\.total))
  /// }
  /// for try await (open, sum) in totals { … }
  /// ```
  ///
  /// All that it reads is of one snapshot, and the `xt_` verbs in it are of this database. Which
  /// tables that are may differ from time to time; one of a model that is missing counts, too. What
  /// it reads of other databases is not observed.
  ///
  /// - Parameter body: Synchronous, called each time, on a thread of the database's own. What it
  ///   writes is refused. What it throws ends the sequence.
  public func observe<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) -> XTObservation<Value> {
    XTObservation { [outside] in LiveSource(outside, body) }
  }

  /// The database that a transaction object is of: what that has not committed is not observed.
  var outside: XTDatabase { begun?.database ?? self }
}
