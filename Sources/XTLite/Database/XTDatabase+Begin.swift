extension XTDatabase {
  /// Begins a transaction that no block encloses: an object that can be passed on, and that ends
  /// with ``XTTransaction/commit()`` or ``XTTransaction/rollback()``.
  ///
  /// Where a block will do, `transaction { }` is the shorter and safer way. The object has the
  /// writer until it ends: other writes wait for it, also those of this thread that don't go through
  /// it. It rolls back when it is dropped.
  ///
  /// ```swift
  /// let transaction = try database.begin()
  /// try transaction.table(Person.self).insert(&person)
  /// try transaction.commit()
  /// ```
  ///
  /// - Returns: The open transaction.
  /// - Throws: ``XTError`` `locked` where another had the writer until the busy limit, and inside a
  ///   block of the same database; `readOnly` inside `read { }`; `closed`.
  public func begin() throws -> XTTransaction {
    try noting {
      if !isOpen { throw closedError() }
      try refuseBegin()
    }
    return try begun(take(.begun, writers)) { try $0.openScope(immediate: true) }
  }

  /// Begins a transaction as the other form does, and waits for the writer without blocking a
  /// thread.
  ///
  /// ```swift
  /// let transaction = try await database.begin()
  /// ```
  ///
  /// - Returns: The open transaction.
  /// - Throws: ``XTError`` `locked`, `readOnly`, `closed`; `CancellationError` where the task was
  ///   cancelled before it was begun.
  public func begin() async throws -> XTTransaction {
    if let begun, isOpen { throw noted(begun.beginRefusal()) }
    return try await whenLent(.begun) { [self] call, visit in
      try begun(visit) { connection in
        try call.prepare(on: connection) { try connection.openScope(immediate: true) }
      }
    }
  }

  /// Makes a transaction object of a connection that was taken for it.
  private func begun(_ visit: Visit, _ open: (Connection) throws -> Void) throws -> XTTransaction {
    do {
      try refuseWrites(on: visit.connection)
      try open(visit.connection)
    } catch {
      throw leave(visit, throwing: error)
    }
    visit.connection.markBegun()
    let transaction = XTTransaction(BegunTransaction(self, visit.connection))
    // The call ends, and keeps what it took.
    var kept = visit
    kept.pool = nil
    _ = leave(kept)
    return transaction
  }

  /// A transaction beside the one of a block on this thread would wait for it for ever.
  private func refuseBegin() throws {
    if let begun { throw begun.beginRefusal() }
    let stack = AccessStack.current
    if let connection = stack.connection(of: core) {
      try refuseWrites(on: connection)
      // In the callback of a reading verb the writer is free, but where a write block is around it.
      if connection.isReader, stack.writer(of: core) == nil { return }
    } else if stack.begunDatabase(of: core) == nil {
      return
    }
    throw XTError(
      .locked, "begin() inside a block of the same database",
      hint: "use savepoint { }, or begin before the block", path: path)
  }

  /// Runs `body` with the connection of a transaction that ends with it, and gives that back.
  ///
  /// - Parameter asked: When the call came, by `Uptime.now`; 0 where nobody listened then.
  func endingVisit(
    of connection: Connection, _ kind: AccessKind, since asked: UInt64, _ body: () throws -> Void
  ) throws {
    // An interrupt that came while nothing ran is none of this call.
    if connection.isInterrupted.isSet { connection.isInterrupted.set(false) }
    AccessStack.current.push(self, connection)
    var visit = Visit(connection: connection, isPushed: true, pool: .passUnretained(writers))
    if core.signals.isWatched {
      visit = beginWatch(of: visit, kind, asked, asked == 0 ? 0 : Uptime.now - asked)
    }
    try visiting(visit) { _ in try body() }
  }
}
