// A transaction that reads first and writes then, in a file that others write to, fails in the middle
// without any wait: between the two somebody else may have written, and its own view is out of date
// for ever. So a transaction that may write takes the lock for writing when it begins.
extension Connection {
  /// Whether a transaction that is open here may come to write.
  private var mayWrite: Bool { !isReader && !settings.isReadOnly }

  /// A user's BEGIN, made one that takes the lock at once. The library's own means what it says.
  func lockingBegin(_ statement: Statement) throws -> Statement {
    guard mayWrite, !restrictions.contains(.libraryOnly),
      StatementKind.isDeferred(begin: statement.sql)
    else { return statement }
    return try prepare("BEGIN IMMEDIATE", kept: false)
  }

  /// Takes the lock for a user's SAVEPOINT that has just run, and begun a transaction where there was
  /// none. Where it does not come in time the transaction is rolled back.
  func lockSavepoint() throws {
    guard mayWrite, scopes.isEmpty, isInTransaction else { return }
    do {
      // Changes nothing, but begins to write: there is no statement that only does the latter. (A
      // file with incremental vacuum is made shorter by a page, if it has a free one.)
      try prepare("PRAGMA incremental_vacuum(1)", kept: false).run()
    } catch {
      _ = rollBackLeftover()
      throw error
    }
  }

  /// Proves that no other connection has the file open, as far as locks show that, and keeps all
  /// others out until this one is closed. The log is in the file then, and nothing beside it.
  ///
  /// - Throws: `locked` where there is another one.
  func holdFileAlone() throws {
    cache.removeIdle()
    do {
      // Leaving the log takes the whole file.
      let mode = try pragma("main.journal_mode = DELETE")?.string
      guard mode == "delete" else {
        throw XTError(.locked, "the journal mode stayed \(mode ?? "unknown")", path: path)
      }
      try pragma("main.locking_mode = EXCLUSIVE")
      try prepare("BEGIN EXCLUSIVE", kept: false).run()
      try prepare("COMMIT", kept: false).run()
    } catch var error as XTError where error.kind == .locked {
      error.message = "another connection or another program has the file open"
      error.hint = "close it there first"
      error.sql = nil
      throw error
    }
  }

  /// What to write instead, where a lock was refused that no wait could have got: `failed` is the
  /// statement that wanted it, and still counts as running.
  func lockHint(_ error: XTError, _ failed: Statement) -> String? {
    guard error.kind == .locked, isOpen else { return nil }
    let isOutdated = error.extendedCode == SQLITE_BUSY | 2 << 8
    guard isOutdated || (error.code == SQLITE_BUSY && hasRunningStatement(beside: failed)) else {
      return nil
    }
    return
      "a loop over rows on the same connection, or a transaction that began by reading, sees an"
      + " older state of the file, and nothing can be written on that: put the reading and the writing"
      + " into transaction { }, which takes the lock at its beginning"
  }

  /// Whether a statement has given a row and was not reset yet.
  private func hasRunningStatement(beside other: Statement) -> Bool {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      if statement != other.pointer, sqlite3_stmt_busy(statement) != 0 { return true }
      next = sqlite3_next_stmt(handle, statement)
    }
    return false
  }
}
