extension XTDatabase {
  /// Runs `action` once what the innermost block of this database on this thread writes is in the
  /// file: after the commit of the outermost transaction.
  ///
  /// Dropped where that block or one around it rolls back. Outside of a transaction it runs at once.
  ///
  /// ```swift
  /// try database.transaction {
  ///   try order.xt_insert()
  ///   database.afterCommit { print("an order was placed") }
  /// }
  /// ```
  ///
  /// Hooks run in the order in which they were added, on the thread of the block, before the next
  /// writer's turn: so those of several transactions run in the order of their commits. A hook may
  /// use the database, and waits for nobody there; what it writes is a transaction of its own. It
  /// must not wait for another thread that uses the database. In a block of a transaction object it
  /// runs on the thread that commits that: capture only what may go there.
  ///
  /// - Parameter action: Throws nothing: the commit can't be undone any more.
  public func afterCommit(_ action: @escaping () -> Void) {
    add(ScopeAction(moment: .afterCommit, run: action))
  }

  /// Runs `action` when what the innermost block of this database on this thread wrote was rolled
  /// back: after that block, or after the one around it whose end it was.
  ///
  /// That may be because the block threw, because of ``rollback()``, of a cancelled task, of a
  /// commit that failed, or because SQLite rolled back by itself. Where all is committed, and
  /// outside of a transaction, it is dropped.
  ///
  /// ```swift
  /// try database.transaction {
  ///   cache[person.name] = person
  ///   database.afterRollback { cache[person.name] = nil }
  ///   try person.xt_insert()
  /// }
  /// ```
  ///
  /// Runs on the thread of the block, before the block's error comes out; the hook that was added
  /// last runs first. It may use the database: after a savepoint that is still in the transaction
  /// around it, after the outermost block a transaction of its own.
  ///
  /// - Parameter action: Throws nothing: the error of the block is the one that counts.
  public func afterRollback(_ action: @escaping () -> Void) {
    add(ScopeAction(moment: .afterRollback, run: action))
  }

  private func add(_ hook: ScopeAction) {
    if let begun { return begun.add(hook) }
    let stack = AccessStack.current
    if let begun = stack.begunDatabase(of: core)?.begun { return begun.add(hook) }
    let connection = stack.connection(of: core)
    // What a reading verb opens for itself is no block of the caller's.
    if let connection, !connection.isReader || connection.refusesWrites {
      connection.add(hook)
    } else if hook.moment == .afterCommit {
      hook.run()
    }
  }
}
