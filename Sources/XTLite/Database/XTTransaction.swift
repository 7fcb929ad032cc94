/// An open transaction that no block encloses; made by ``XTDatabase/begin()-75e2t``.
///
/// ```swift
/// let transaction = try database.begin()
/// let people = transaction.table(Person.self)
/// try people.insertList(newcomers)
/// try transaction.savepoint {
///   try people.delete(where: \.age < 0)
/// }
/// try transaction.commit()
/// ```
///
/// It may be passed between functions, threads and tasks. Its calls run one after the other; one
/// that another thread's call keeps waiting ends with `locked` at the busy limit. Calls of the
/// database itself are not part of it: reads see what is committed, writes wait until it has ended.
/// Only inside its own blocks and row callbacks do they run in it, as in any block.
///
/// Dropped without an end, together with its tables, it rolls back. After its end every call throws
/// `closed`. Where SQLite ended it by itself, as a full disk may make it do, every call throws that
/// reason; so does ``commit()``.
public final class XTTransaction: Sendable {
  /// All calls of this one are in the transaction.
  let database: XTDatabase
  private let begun: BegunTransaction

  init(_ begun: BegunTransaction) {
    database = XTDatabase(begun: begun)
    self.begun = begun
  }

  /// Whether it goes on: false after ``commit()`` and ``rollback()``.
  public var isOpen: Bool { database.isOpen }

  // MARK: Ending

  /// Writes what was done into the file, and ends the transaction.
  ///
  /// - Throws: ``XTError`` that says why it could not be committed: everything is then rolled back,
  ///   and the transaction has ended. `locked` inside one of its blocks or callbacks, and where a
  ///   call of another thread still ran at the busy limit: it is then still open. `closed` where it
  ///   had ended.
  public func commit() throws {
    try begun.end(.commit)
  }

  /// Undoes what was done, and ends the transaction.
  ///
  /// - Throws: ``XTError`` `locked` and `closed` as ``commit()``.
  public func rollback() throws {
    try begun.end(.rollback)
  }

  // MARK: Blocks

  /// Runs `body` in a savepoint, which rolls back on its own where `body` throws.
  ///
  /// The `xt_` verbs inside, and calls of the database on this thread, are part of the transaction.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` `locked`, `closed`.
  @discardableResult
  public func savepoint<T>(_ body: () throws -> T) throws -> T {
    try database.savepoint(body)
  }

  /// Runs `body` and refuses writes in it. It sees what the transaction has written so far.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` `readOnly` for a write inside, `locked`,
  ///   `closed`.
  @discardableResult
  public func read<T>(_ body: () throws -> T) throws -> T {
    try database.read(body)
  }

  /// Makes the `xt_` verbs inside `body` part of the transaction, on this thread; calls of its
  /// database too.
  ///
  /// ```swift
  /// try transaction.asCurrent {
  ///   try person.xt_insert()
  /// }
  /// ```
  ///
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` `closed`.
  @discardableResult
  public func asCurrent<T>(_ body: () throws -> T) throws -> T {
    try database.asCurrent(body)
  }

  // MARK: Hooks

  /// Runs `action` after ``commit()``, on the thread that calls that; see
  /// ``XTDatabase/afterCommit(_:)``. Inside a savepoint it is dropped where that rolls back.
  ///
  /// - Parameter action: Must not hold this transaction, which would then never be dropped.
  public func afterCommit(_ action: sending @escaping () -> Void) {
    begun.add(ScopeAction(moment: .afterCommit, run: action))
  }

  /// Runs `action` when the transaction was rolled back, or the savepoint that this is called in:
  /// on the thread that does that, which may be the one that drops it. See
  /// ``XTDatabase/afterRollback(_:)``.
  ///
  /// - Parameter action: Must not hold this transaction, which would then never be dropped.
  public func afterRollback(_ action: sending @escaping () -> Void) {
    begun.add(ScopeAction(moment: .afterRollback, run: action))
  }
}
