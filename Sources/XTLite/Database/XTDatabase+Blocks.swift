extension XTDatabase {
  /// Runs `body` on one snapshot of the database: what others commit meanwhile is not seen.
  ///
  /// Inside a transaction block of this database it sees what that has written so far.
  ///
  /// ```swift
  /// let (count, oldest) = try database.read {
  ///   (try Person.xt_count(), try Person.xt_maxOf(\.age))
  /// }
  /// ```
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` `readOnly` for a write inside, `locked`,
  ///   `closed`.
  @discardableResult
  public func read<T>(_ body: () throws -> T) throws -> T {
    try accessing(.read) { connection in
      try connection.inReadTransaction(body)
    }
  }

  /// Runs `body` as the one writer, without a transaction: for VACUUM, PRAGMA and the like.
  ///
  /// Each statement inside commits by itself.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` `readOnly` inside `read { }`, `locked`,
  ///   `closed`.
  @discardableResult
  public func write<T>(_ body: () throws -> T) throws -> T {
    try accessing(.write) { connection in
      try refuseWrites(on: connection)
      return try body()
    }
  }

  /// Runs `body` in a transaction: all of what it writes, or nothing.
  ///
  /// Commits when `body` returns and rolls back when it throws. Inside another transaction block of
  /// this database it is a savepoint, which rolls back on its own.
  ///
  /// ```swift
  /// try database.transaction {
  ///   try order.xt_insert()
  ///   try stock.xt_update()
  /// }
  /// ```
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` for a commit that failed and was rolled
  ///   back, `readOnly` inside `read { }`, `locked`, `closed`.
  @discardableResult
  public func transaction<T>(_ body: () throws -> T) throws -> T {
    try accessing(.transaction) { connection in
      try refuseWrites(on: connection)
      return try connection.inTransaction(body)
    }
  }

  /// Runs `body` in a savepoint of the open transaction, or in a transaction where none is open.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: As `transaction { }`.
  @discardableResult
  public func savepoint<T>(_ body: () throws -> T) throws -> T {
    try accessing(.savepoint) { connection in
      try refuseWrites(on: connection)
      return try connection.inTransaction(body)
    }
  }

  /// Makes the end of the innermost transaction or savepoint block a rollback, without an error:
  /// the block still returns its value.
  ///
  /// ```swift
  /// try database.transaction {
  ///   try draft.xt_insert()
  ///   if !confirmed { try database.rollback() }
  /// }
  /// ```
  ///
  /// - Throws: ``XTError`` where no transaction block of this database runs on this thread.
  public func rollback() throws {
    guard let connection = AccessStack.current.connection(of: core),
      connection.requestRollback()
    else {
      throw noted(
        XTError(
          .sqlite, "rollback() outside of a transaction block",
          hint: "call it inside database.transaction { }", path: path))
    }
  }

  /// Makes this the database of the `xt_` verbs inside `body`, on this thread.
  ///
  /// ```swift
  /// try archive.asCurrent {
  ///   try Person.xt_count()   // counts the archive's table
  /// }
  /// ```
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` `closed`.
  @discardableResult
  public func asCurrent<T>(_ body: () throws -> T) throws -> T {
    if !isOpen { throw noted(closedError()) }
    let stack = AccessStack.current
    stack.push(self, nil)
    defer { stack.pop() }
    return try body()
  }
}
