import Foundation

// The write-ahead log: how long it grows, and how it gets into the file.
extension Connection {
  /// Tells the number of pages in the file's log after each commit here, instead of a checkpoint
  /// that SQLite would make the committing call wait for. Called with what runs here still running:
  /// must return at once, and not use the connection.
  ///
  /// `PRAGMA wal_autocheckpoint` ends it.
  func watchLog(_ told: @escaping @Sendable (_ pages: Int) -> Void) {
    logWatcher = told
    sqlite3_wal_autocheckpoint(handle, 0)
    sqlite3_wal_hook(
      handle,
      { context, handle, name, pages in
        guard let context else { return SQLITE_OK }
        if let name, strcmp(name, "main") != 0 {
          // An attached file, after which nobody else looks.
          if pages >= 1_000 { sqlite3_wal_checkpoint(handle, name) }
          return SQLITE_OK
        }
        Unmanaged<Connection>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.logWatcher?(Int(pages))
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func removeLogWatcher() {
    guard logWatcher != nil else { return }
    sqlite3_wal_hook(handle, nil, nil)
    logWatcher = nil
  }

  /// What a connection for checkpoints needs to know of the file: that it is one, and has a log. Not
  /// its schema, which may be large.
  func touchFile() throws {
    try prepare("PRAGMA user_version", kept: false).run()
  }

  /// Puts pages of the log into the file; `wait` is in seconds, for each lock that is waited for. Not
  /// inside of a transaction.
  ///
  /// - Throws: What SQLite reports; others that are in the way are no error.
  func checkpoint(_ mode: XTCheckpoint, wait: Double) throws -> XTCheckpointResult {
    let normalLimit = busyLimit
    busyLimit = wait
    defer { busyLimit = normalLimit }
    let deadline = Uptime.now + wait.nanoseconds
    while true {
      var (pages, checkpointed): (Int32, Int32) = (-1, -1)
      let code = sqlite3_wal_checkpoint_v2(handle, "main", mode.code, &pages, &checkpointed)
      var result = XTCheckpointResult()
      // Negative where the file has no log, and where another program's checkpoint runs.
      result.pages = Int(max(pages, 0))
      result.checkpointed = Int(max(checkpointed, 0))
      switch code & 0xFF {
      case SQLITE_OK:
        if result.checkpointed < result.pages { result.obstacle = .reader }
        return result
      case SQLITE_BUSY where pages >= 0:
        result.obstacle = try isWritten() ? .writer : .reader
        return result
      case SQLITE_BUSY:
        // SQLite itself never waits for this one.
        if Uptime.now >= deadline || isCancelled.isSet {
          result.obstacle = .checkpoint
          return result
        }
        Thread.sleep(forTimeInterval: 0.005)
      default:
        throw XTError.last(of: handle, code: code, path: path)
      }
    }
  }

  /// Puts all of the log into the file, and makes the log's file empty; `wait` is in seconds. Does
  /// nothing where the file has none.
  ///
  /// - Throws: `locked` where others were in the way for that long.
  func emptyLog(wait: Double) throws {
    guard hasLog, let obstacle = try checkpoint(.truncate, wait: wait).obstacle else { return }
    let other =
      switch obstacle {
      case .reader: "a reader"
      case .writer: "a writer"
      case .checkpoint: "a checkpoint"
      }
    throw XTError(
      .locked, "\(other) of another program keeps the log from being put into the file",
      hint: "try again when it has ended", path: path, code: SQLITE_BUSY)
  }

  /// Leaves the log as it is when this is closed, where the library can: SQLite 3.16 and later.
  func keepLogAtClose() {
    _ = xt_db_config_set(handle, Int32(XT_DBCONFIG_NO_CKPT_ON_CLOSE), 1)
  }

  /// Whether somebody else is writing just now.
  private func isWritten() throws -> Bool {
    busyLimit = 0
    do {
      try prepare("BEGIN IMMEDIATE", kept: false).run()
    } catch let error as XTError where error.kind == .locked {
      return true
    }
    try prepare("ROLLBACK", kept: false).run()
    return false
  }
}

extension XTCheckpoint {
  fileprivate var code: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}
