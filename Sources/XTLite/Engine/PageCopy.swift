/// A copy of a database, page by page, that others may write to meanwhile: SQLite's online backup.
///
/// Both connections are used by each step, and must not be used elsewhere meanwhile. The copy is
/// whole when `step` has said so, and is nothing before.
final class PageCopy {
  private var backup: OpaquePointer?
  private let source: Connection
  private let target: Connection
  /// Pages that are left, as of the latest step.
  private(set) var remaining = 0
  /// Pages of the source, as of the latest step.
  private(set) var total = 0
  /// How often it had to begin anew, since somebody else wrote to the file.
  private(set) var restarts = 0

  /// - Throws: What SQLite has against it.
  init(from source: Connection, to target: Connection) throws {
    self.source = source
    self.target = target
    backup = sqlite3_backup_init(target.handle, "main", source.handle, "main")
    if backup == nil {
      throw XTError.last(
        of: target.handle, code: sqlite3_errcode(target.handle), path: target.path)
    }
    source.pageCopy = self
  }

  /// Whether it was ended, also by the source's closing.
  var isFinished: Bool { backup == nil }

  deinit {
    finish()
  }

  /// Copies as many pages; all that are left where the number is negative. Returns whether it is
  /// done.
  ///
  /// - Throws: `locked` where the source or the target was locked: it can be tried again. Other
  ///   errors are for good.
  func step(pages: Int) throws -> Bool {
    guard let backup else { return false }
    let code = sqlite3_backup_step(backup, Int32(clamping: pages))
    let left = Int(sqlite3_backup_remaining(backup))
    if total > 0, left > remaining, code == SQLITE_OK || code == SQLITE_DONE { restarts += 1 }
    remaining = left
    total = Int(sqlite3_backup_pagecount(backup))
    switch code {
    case SQLITE_OK: return false
    case SQLITE_DONE: return true
    default: throw failure(code)
    }
  }

  /// Ends it. Before it is done, the target holds nothing that counts.
  ///
  /// - Returns: The error that a step met, where there was one.
  @discardableResult
  func finish() -> XTError? {
    guard let backup else { return nil }
    self.backup = nil
    let code = sqlite3_backup_finish(backup)
    return code == SQLITE_OK ? nil : failure(code)
  }

  private func failure(_ code: Int32) -> XTError {
    let error = XTError(
      sqliteCode: code, message: String(cString: sqlite3_errstr(code)), path: target.path)
    return source.settings.key == nil ? error : source.decryptionError(error)
  }
}
