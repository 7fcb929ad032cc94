/// What is done when the fate of a scope is decided.
struct ScopeAction {
  enum Moment {
    /// The library's own bookkeeping: at once, while nothing else may run.
    case onRollback
    /// The user's: when the connection can be used again.
    case afterCommit, afterRollback
  }

  let moment: Moment
  let run: () -> Void
}

/// What waits for the fate of a scope, and where plain SQL has put savepoints in between.
struct ActionList {
  private(set) var all: [ScopeAction] = []
  /// What was written, as far as somebody wants to know.
  var writes = Writes()
  private var savepoints: [(name: SQLiteName, position: Int, written: Writes.Mark)] = []

  var isEmpty: Bool { all.isEmpty && savepoints.isEmpty && writes.isEmpty }

  mutating func add(_ actions: [ScopeAction]) {
    all += actions
  }

  /// Adds what waited for the fate of a scope inside, which has become that of this one.
  mutating func add(contentsOf inner: ActionList) {
    all += inner.all
    writes.add(inner.writes)
  }

  mutating func addSavepoint(_ name: SQLiteName) {
    savepoints.append((name, all.count, writes.mark))
  }

  mutating func release(_ name: SQLiteName) {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return }
    savepoints.removeSubrange(index...)
  }

  /// Takes the library's own actions from the savepoint on. The user's hooks are those of a block,
  /// which goes on.
  mutating func takeOwn(from name: SQLiteName) -> [ScopeAction] {
    guard let index = savepoints.lastIndex(where: { $0.name == name }) else { return [] }
    savepoints.removeSubrange((index + 1)...)
    let position = savepoints[index].position
    writes.goBack(to: savepoints[index].written)
    let later = all[position...]
    all.removeSubrange(position...)
    all += later.filter { !$0.isOwn }
    return later.filter(\.isOwn)
  }
}

extension ScopeAction {
  fileprivate var isOwn: Bool { moment == .onRollback }
}

extension Connection {
  /// Runs `action` when the innermost open scope, or one around it, rolls back. With no transaction
  /// open it is dropped.
  func onRollback(_ action: @escaping () -> Void) {
    add(ScopeAction(moment: .onRollback, run: action))
  }

  func add(_ action: ScopeAction) {
    guard !scopes.isEmpty || isInTransaction else {
      if action.moment == .afterCommit { action.run() }
      return
    }
    changeActions { $0.add([action]) }
  }

  /// The list of the innermost scope, or of the transaction that plain SQL began.
  func changeActions(_ change: (inout ActionList) -> Void) {
    if scopes.isEmpty {
      change(&plainActions)
    } else {
      change(&scopes[scopes.count - 1].actions)
    }
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
  func run(_ actions: [ScopeAction], committed: Bool) {
    // The last first: each finds what it found when it was added.
    let actions = committed ? actions : actions.reversed()
    if !committed { for action in actions where action.isOwn { action.run() } }
    let hooks = actions.filter { $0.moment == (committed ? .afterCommit : .afterRollback) }
    if hooks.isEmpty { return }
    if restrictions.contains(.aborted), !scopes.isEmpty || isInTransaction {
      // SQLite has ended the transaction, and nothing runs until the scopes around have ended too.
      changeActions { $0.add(hooks.reversed()) }
      return
    }
    let ranHooks = runsHooks
    runsHooks = true
    defer { runsHooks = ranHooks }
    for hook in hooks { hook.run() }
  }

  // MARK: Plain SQL

  /// Takes what waits for the end of a transaction that plain SQL began, where that has ended.
  func endPlainActions() -> ActionList {
    guard !plainActions.isEmpty, scopes.isEmpty, !isInTransaction else { return ActionList() }
    defer { plainActions = ActionList() }
    return plainActions
  }

  func settlePlainActions(committed: Bool) {
    let actions = endPlainActions()
    if committed, !actions.writes.isEmpty { publish(actions.writes) }
    if !actions.all.isEmpty { run(actions.all, committed: committed) }
  }

  /// Sees to what a statement of whatever kind left when it ended.
  @inline(never)
  func seeToAftermath(of statement: Statement) {
    let aftermath = statement.aftermath
    statement.aftermath = statement.effects
    if aftermath.contains(.schema) { schemaChanged() }
    let hasFailed = aftermath.contains(.failure)
    if aftermath.contains(.writes) { noteWrites(of: statement, hasFailed: hasFailed) }
    if aftermath.contains(.transaction), !hasFailed, isInTransaction { follow(statement) }
    settlePlainActions(committed: !hasFailed && statement.kind != .rollback)
  }

  /// Does what a statement did to SQLite's savepoints to what waits for them.
  private func follow(_ statement: Statement) {
    guard let name = SQLScanner.lastName(of: statement.sql) else { return }
    switch statement.kind {
    case .savepoint:
      changeActions { $0.addSavepoint(name) }
    case .release:
      changeActions { $0.release(name) }
    case .rollbackTo:
      var undone: [ScopeAction] = []
      changeActions { undone = $0.takeOwn(from: name) }
      if !undone.isEmpty { run(undone, committed: false) }
    default:
      break
    }
  }
}

extension SQLScanner {
  /// The name of the savepoint that a statement is about.
  fileprivate static func lastName(of sql: String) -> SQLiteName? {
    var scanner = SQLScanner(sql)
    var name: SQLiteName?
    while let token = scanner.next() {
      if let found = scanner.name(of: token) { name = SQLiteName(found) }
    }
    return name
  }
}
