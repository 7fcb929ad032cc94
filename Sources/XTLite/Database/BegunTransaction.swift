/// What a transaction object has borrowed: the writer's connection, from begin to end.
///
/// Its calls take that from a pool of their own, one after the other, on whatever thread.
final class BegunTransaction: Sendable {
  /// The database that the connection goes back to.
  let database: XTDatabase
  let pool: ConnectionPool
  let connection: ObjectIdentifier
  let hasEnded = Flag()

  private struct Hooks {
    /// Those that came while another thread's call had the connection.
    var late: [ScopeAction] = []
    /// What became of the transaction.
    var outcome: ScopeAction.Moment?
  }

  private let hooks = Mutex(Hooks())

  /// For who has `connection`, with a transaction open on it.
  init(_ database: XTDatabase, _ connection: Connection) {
    self.database = database
    self.connection = ObjectIdentifier(connection)
    let error = Self.endedError(database)
    // Once the connection has gone back, whoever still stands in line is told so.
    pool = ConnectionPool(database.core.file, capacity: 1) { throw error }
    _ = pool.takeIfFree(.begun)
    pool.give(connection)
  }

  // MARK: Ending

  enum Ending {
    case commit, rollback

    var kind: AccessKind { self == .commit ? .commit : .rollback }
  }

  /// Waits for the call that runs on another thread, ends the transaction and gives the connection
  /// back.
  ///
  /// - Throws: `locked` where that call still ran at the busy limit, and inside a call of this
  ///   transaction: it is then still open. Otherwise why it could not be committed.
  func end(_ ending: Ending) throws {
    let asked = database.core.signals.isWatched ? Uptime.now : 0
    let taken = try database.noting {
      if hasEnded.isSet { throw endedError() }
      guard !AccessStack.current.uses(connection) else {
        throw XTError(
          .locked, "\(ending.kind.name) inside a block or call of the same transaction",
          hint: "call it after that has ended", path: database.path)
      }
      return try pool.take(ending.kind, limit: database.core.waitLimit)
    }
    try end(ending, taken, since: asked)
  }

  /// Rolls back. For when nobody can call it any more.
  func drop() {
    // Each running call would hold the transaction's database, so the connection is idle.
    guard let connection = pool.takeIfFree(.rollback)?.connection else { return }
    try? end(.rollback, connection, since: 0)
  }

  private func end(_ ending: Ending, _ connection: Connection, since asked: UInt64) throws {
    hasEnded.set(true)
    defer { pool.give(Loan(connection: nil)) }
    try database.endingVisit(of: connection, ending.kind, since: asked) {
      var outcome = ScopeAction.Moment.afterRollback
      defer { runLateHooks(outcome) }
      switch ending {
      case .rollback:
        connection.rollBackScope()
      case .commit:
        do {
          // It may have been open for long.
          try database.core.file.verify()
        } catch {
          connection.rollBackScope()
          throw error
        }
        try connection.closeScope()
        outcome = .afterCommit
      }
    }
  }

  // MARK: Hooks

  /// Keeps the hook with the innermost block of the transaction that runs on this thread, or with
  /// the transaction itself. Where that has ended, it runs at once or never.
  func add(_ hook: ScopeAction) {
    if !hasEnded.isSet {
      if let connection = AccessStack.current.connection(connection) {
        return connection.add(hook)
      }
      if let place = pool.takeIfFree(.begun) {
        place.connection?.add(hook)
        pool.give(place)
        if place.connection != nil { return }
      }
    }
    let outcome = hooks.withLock { hooks in
      if hooks.outcome == nil { hooks.late.append(hook) }
      return hooks.outcome
    }
    if outcome == hook.moment { hook.run() }
  }

  private func runLateHooks(_ outcome: ScopeAction.Moment) {
    let late = hooks.withLock { hooks in
      defer { hooks = Hooks(outcome: outcome) }
      return hooks.late
    }
    for hook in late where hook.moment == outcome { hook.run() }
  }

  // MARK: Errors

  func endedError() -> XTError { Self.endedError(database) }

  private static func endedError(_ database: XTDatabase) -> XTError {
    XTError(
      .closed, "the transaction has ended", hint: "begin another one with database.begin()",
      path: database.path)
  }

  func closeRefusal() -> XTError {
    XTError(
      .locked, "close() of a transaction", hint: "commit it or roll it back",
      path: database.path)
  }

  func beginRefusal() -> XTError {
    XTError(
      .locked, "begin() in a transaction", hint: "use savepoint { } for a part of it",
      path: database.path)
  }

  func sharingRefusal() -> XTError {
    XTError(
      .locked, "a transaction can't be the shared database",
      hint: "use transaction.asCurrent { } for the xt_ verbs", path: database.path)
  }
}
