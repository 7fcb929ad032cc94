extension Connection {
  /// A statement that writes has failed. Where SQLite left a part of it in the open transaction, that
  /// must not be committed: the innermost scope ends with a rollback and this error, also where its
  /// block has caught it.
  func writeFailed(_ error: XTError) {
    // Constraints undo what they end in every version, and a full disk ends the transaction. What
    // is left are functions, and values that became too large. (The same code comes where a table
    // has changed and the statement no longer fits it, which has then done nothing.)
    guard [SQLITE_ERROR, SQLITE_TOOBIG].contains(error.code), !scopes.isEmpty, abortReason == nil,
      functionFailure?.message == error.message || error.kind == .valueOutOfRange,
      !SQLiteLibrary.undoesEndedStatements
    else { return }
    let last = scopes.count - 1
    if scopes[last].halfDone == nil { scopes[last].halfDone = explained(error) }
  }
}
