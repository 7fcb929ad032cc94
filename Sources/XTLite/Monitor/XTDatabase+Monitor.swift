extension XTDatabase {
  /// Runs `body` and tells what its calls on this database cost, whether anybody listens or not.
  ///
  /// ```swift
  /// let (people, cost) = try database.measured { try Person.xt_findAll() }
  /// print(cost)   // 2.31 ms, 1.98 ms of them inside SQLite, 1 statements, 0 prepared, 1000 rows …
  /// ```
  ///
  /// Counted is what runs on this thread, at any depth; also inside of a block, and of another
  /// `measured`. Looking at the clock takes time itself, about 0.1 µs for each row.
  ///
  /// - Parameter body: Synchronous, runs once.
  /// - Returns: What `body` returns, and the cost.
  /// - Throws: The error that `body` throws.
  public func measured<T>(_ body: () throws -> T) rethrows -> (result: T, cost: XTCost) {
    let (result, tally, nanoseconds) = try measuring(body)
    return (result, XTCost(tally, nanoseconds: nanoseconds))
  }

  /// What the database has done since it was opened, and how it stands at this moment. All values on
  /// the file have the same.
  ///
  /// ```swift
  /// print(database.statistics)
  /// ```
  public var statistics: XTStatistics { XTStatistics(core) }
}
