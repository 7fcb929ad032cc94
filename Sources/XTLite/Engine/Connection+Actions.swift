/// What is done when the fate of a scope is decided.
struct ScopeAction {
  enum Moment {
    /// The library's own bookkeeping: at once, while nothing else may run.
    case onCommit, onRollback
    /// The user's: when the connection can be used again.
    case afterCommit, afterRollback
  }

  let moment: Moment
  let run: () -> Void
}

extension Connection {
  /// Runs `action` when the innermost open scope, or one around it, rolls back. With no scope open
  /// it is dropped.
  func onRollback(_ action: @escaping () -> Void) {
    add(ScopeAction(moment: .onRollback, run: action))
  }

  /// Runs `action` after the outermost commit; at once when no scope is open. Dropped where a scope
  /// around it rolls back.
  func onCommit(_ action: @escaping () -> Void) {
    add(ScopeAction(moment: .onCommit, run: action))
  }

  func add(_ action: ScopeAction) {
    guard !scopes.isEmpty else {
      if action.moment == .onCommit || action.moment == .afterCommit { action.run() }
      return
    }
    scopes[scopes.count - 1].actions.append(action)
  }

  /// Makes the end of the innermost block's scope a rollback without an error. False where there is
  /// none.
  func requestRollback() -> Bool {
    guard let scope = scopes.last, !scope.isBegun else { return false }
    scopes[scopes.count - 1].wantsRollback = true
    return true
  }

  /// For a scope that has ended: the outermost where it was committed.
  @inline(never)
  func runActions(of scope: TransactionScope, committed: Bool) {
    let (own, users): (ScopeAction.Moment, ScopeAction.Moment) =
      committed ? (.onCommit, .afterCommit) : (.onRollback, .afterRollback)
    // The last first: each finds what it found when it was added.
    let actions = committed ? scope.actions : scope.actions.reversed()
    for action in actions where action.moment == own { action.run() }
    let hooks = actions.filter { $0.moment == users }
    if hooks.isEmpty { return }
    if restrictions.contains(.aborted), !scopes.isEmpty {
      // SQLite has ended the transaction, and nothing runs until the scopes around have ended too.
      scopes[scopes.count - 1].actions += hooks.reversed()
      return
    }
    let ranHooks = runsHooks
    runsHooks = true
    defer { runsHooks = ranHooks }
    for hook in hooks { hook.run() }
  }
}
