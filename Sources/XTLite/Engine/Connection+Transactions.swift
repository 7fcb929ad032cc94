/// One open transaction or savepoint of a connection.
struct TransactionScope {
  /// Whether this scope began SQLite's transaction.
  let isOutermost: Bool
  /// Whether it may write.
  let isWriting: Bool
  /// The connection's own, at the beginning.
  let schemaGeneration: Int
  /// Whether it belongs to a transaction object, and no block ends it.
  var isBegun = false
  var wantsRollback = false
  /// Why a statement in it ended midway, where SQLite has left what that did until then.
  var halfDone: XTError?
  var actions = ActionList()
}

/// Another connection has the lock that a transaction begins with.
struct LockIsTaken: Error {
  /// What SQLite says of it.
  let error: XTError
}

extension Connection {
  private enum Control {
    static let beginImmediate = StatementKey("BEGIN IMMEDIATE")
    static let beginDeferred = StatementKey("BEGIN DEFERRED")
    static let schemaVersion = StatementKey("PRAGMA schema_version")
    static let commit = StatementKey("COMMIT")
    static let rollback = StatementKey("ROLLBACK")
    // One name serves all levels: SQLite takes the innermost savepoint of that name.
    static let savepoint = StatementKey("SAVEPOINT xt_scope")
    static let release = StatementKey("RELEASE xt_scope")
    static let rollbackTo = StatementKey("ROLLBACK TO xt_scope")
  }

  /// SQLite's count of the schema's changes in the main file, by whatever program.
  func schemaVersion() throws -> XTValue? {
    try withStatement(Control.schemaVersion) { try $0.step() ? $0.column(0).value : nil }
  }

  // MARK: Blocks

  /// Runs `body` in a transaction, or in a savepoint where a transaction is open already.
  ///
  /// Commits when `body` returns. Rolls back when it throws, and throws the same error; a commit
  /// that fails rolls back too and throws its reason.
  @discardableResult @inline(__always)
  func inTransaction<T>(_ body: () throws -> T) throws -> T {
    try openScope(immediate: true)
    return try inOpenScope(body)
  }

  /// Runs `body` in the scope that was just opened, and ends that.
  @discardableResult @inline(__always)
  func inOpenScope<T>(_ body: () throws -> T) throws -> T {
    let result: T
    do {
      result = try body()
    } catch {
      rollBackScope()
      throw error
    }
    try closeScope()
    return result
  }

  /// Runs `body` on one snapshot, refusing writes. Inside a transaction it reads what that sees.
  @discardableResult @inline(__always)
  func inReadTransaction<T>(_ body: () throws -> T) throws -> T {
    try inSnapshot { try refusingWrites(body) }
  }

  @discardableResult @inline(__always)
  func refusingWrites<T>(_ body: () throws -> T) throws -> T {
    let refusedWrites = refusesWrites
    refusesWrites = true
    defer { refusesWrites = refusedWrites }
    return try body()
  }

  /// Runs `body` on one snapshot, which begins now. Inside a transaction it reads what that sees.
  @discardableResult @inline(__always)
  func inSnapshot<T>(_ body: () throws -> T) throws -> T {
    if isInTransaction { return try body() }
    try openSnapshot()
    return try inOpenScope(body)
  }

  func openSnapshot() throws {
    try openScope(immediate: false)
    do {
      // BEGIN alone leaves it to the first statement that reads.
      try control(Control.schemaVersion)
    } catch {
      rollBackScope()
      throw error
    }
  }

  // MARK: Opening and closing

  func openScope(immediate: Bool) throws {
    if immediate, refusesWrites { throw Self.writeInRead(path: path) }
    // A new transaction in the place of one that SQLite has ended would know nothing of its work.
    if let abortReason { throw abortReason }
    let isOutermost = !isInTransaction
    if isOutermost {
      try control(immediate ? Control.beginImmediate : Control.beginDeferred)
    } else {
      do {
        try control(Control.savepoint)
      } catch {
        settlePlainActions(committed: false)
        throw error
      }
    }
    scopes.append(
      TransactionScope(
        isOutermost: isOutermost, isWriting: immediate, schemaGeneration: ownGeneration))
    restrictions.insert(.transactionControl)
  }

  /// Opens a scope that may write, unless another connection has the lock for that: the caller waits
  /// in its own way then.
  ///
  /// - Throws: `LockIsTaken`, or why it can't be opened.
  func openScopeWithoutWaiting() throws {
    waitsForLocks = false
    defer { waitsForLocks = true }
    do {
      try openScope(immediate: true)
    } catch let error as XTError where error.code & 0xFF == SQLITE_BUSY {
      throw LockIsTaken(error: error)
    }
  }

  /// Makes the scope that was just opened one that no block ends.
  func markBegun() {
    guard !scopes.isEmpty else { return }
    scopes[scopes.count - 1].isBegun = true
  }

  /// Ends the innermost scope as its block returned: commits, or rolls back where that was asked.
  func closeScope() throws {
    guard let scope = scopes.last else { return }
    if scope.wantsRollback { return rollBackScope() }
    if let abortReason {
      // The block swallowed the error by which SQLite undid its work.
      rollBackScope()
      throw abortReason
    }
    if let halfDone = scope.halfDone {
      rollBackScope()
      throw halfDone
    }
    do {
      try control(scope.isOutermost ? Control.commit : Control.release)
    } catch {
      rollBackScope()
      throw error
    }
    scopes.removeLast()
    if scopes.isEmpty { restrictions.remove(.transactionControl) }
    if scope.isOutermost {
      if scope.isWriting { counters.count(.committed) }
      if ownGeneration != scope.schemaGeneration { schemaClock.changed() }
      if scope.isWriting { publishUnwatched() }
      if !scope.actions.writes.isEmpty { publish(scope.actions.writes) }
      if !scope.actions.all.isEmpty { run(scope.actions.all, committed: true) }
    } else if !scope.actions.isEmpty {
      changeActions { $0.add(contentsOf: scope.actions) }
    }
  }

  /// Undoes the innermost scope. Throws nothing: the reason for it is the error that counts.
  func rollBackScope() {
    guard let scope = scopes.popLast() else { return }
    if scope.isOutermost, scope.isWriting { counters.count(.rolledBack) }
    do {
      // After a full disk SQLite may have rolled back already: a second ROLLBACK would only fail.
      if isInTransaction {
        if scope.isOutermost {
          try control(Control.rollback)
        } else if !restrictions.contains(.aborted) {
          try control(Control.rollbackTo)
          try control(Control.release)
        }
      }
    } catch {
      // What could not be undone by itself must not be committed with what comes after it.
      if abortReason == nil { abortReason = error as? XTError }
      restrictions.insert(.aborted)
    }
    if ownGeneration != scope.schemaGeneration { schemaChanged() }
    if scopes.isEmpty {
      restrictions.remove(.transactionControl)
      if !isInTransaction { forgetAbort() }
    }
    let actions = endPlainActions().all + scope.actions.all
    if !actions.isEmpty { run(actions, committed: false) }
  }

  private func forgetAbort() {
    abortReason = nil
    restrictions.remove(.aborted)
  }

  /// Rolls back a transaction that is open though no scope is: one that plain SQL opened, or whose
  /// own rollback could not run then. Returns why it was open; nil where none was.
  func rollBackLeftover() -> XTError? {
    guard isInTransaction, scopes.isEmpty else { return nil }
    let reason = abortReason
    try? control(Control.rollback)
    forgetAbort()
    schemaChanged()
    settlePlainActions(committed: false)
    return reason
      ?? XTError(
        .sqlite, "a transaction was still open at the end of the call and was rolled back",
        hint: "use transaction { } instead of BEGIN", path: path)
  }

  /// Looks at an error on its way out: where SQLite ended the open transaction by itself, nothing
  /// more may run in it.
  func noticed(_ error: XTError) -> XTError {
    var error = settings.key == nil ? error : decryptionError(error)
    // A page that came wrong from the disk once would be found in memory for ever.
    if [.corrupt, .notADatabase].contains(error.kind), isOpen { sqlite3_db_release_memory(handle) }
    if let abortReason { return abortReason }
    if functionFailure != nil {
      error = explained(error)
      functionFailure = nil
    }
    if error.code & 0xFF == SQLITE_BUSY, isInterrupted.isSet {
      error.kind = .interrupted
      error.message = "the wait for another connection's lock was interrupted"
      error.hint = nil
    }
    if !scopes.isEmpty, !isInTransaction, isOpen {
      abortReason = error
      restrictions.insert(.aborted)
    }
    return error
  }

  /// Runs one of the library's own transaction statements, which only `closed` and `inCallback` stop.
  private func control(_ key: StatementKey) throws {
    let held = restrictions
    restrictions = held.intersection([.closed, .inCallback, .metered]).union(.libraryOnly)
    defer { restrictions = restrictions.subtracting(.libraryOnly).union(held) }
    let statement = try statement(key)
    defer { finishControl(statement) }
    try statement.run()
  }

  private func finishControl(_ statement: Statement) {
    if statement.isMetered { statement.endUse() }
    statement.reset()
    statement.isBusy = false
  }
}
