import Foundation

extension Connection {
  static func openHandle(_ settings: ConnectionSettings) throws -> OpaquePointer {
    try refuseKeyWithoutEncryption(settings)
    if let path = settings.path { try refuseForeignFile(path) }
    var flags = SQLITE_OPEN_NOMUTEX
    let onlyReads = settings.isReadOnly || settings.isReader
    flags |= onlyReads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    if !onlyReads, settings.mayCreate { flags |= SQLITE_OPEN_CREATE }
    EngineLog.install()
    var name = settings.path ?? ":memory:"
    if settings.isTakenAsItIs {
      flags |= SQLITE_OPEN_URI
      name = asItIsURI(name)
    }
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, flags, settings.vfs)
    guard code == SQLITE_OK, let handle else {
      var error = XTError.last(of: handle, code: code, path: settings.path)
      sqlite3_close_v2(handle)
      if let path = settings.path { error = diagnosed(error, path: path, settings) }
      throw error
    }
    return handle
  }

  /// What SQLite would wait for without end, or write over.
  private static func refuseForeignFile(_ path: String) throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    switch attributes?[.type] as? FileAttributeType {
    case .typeSocket?, .typeCharacterSpecial?, .typeBlockSpecial?, .typeUnknown?:
      throw XTError(
        .open, "there is something at the path that is no file", hint: "give the path of a file",
        path: path)
    case .typeRegular? where attributes?[.size] as? Int == 1:
      // SQLite takes a file of one byte for an empty database, because on some file systems it makes
      // one (an S) itself. Any other byte is somebody's file.
      guard let byte = FileManager.default.contents(atPath: path)?.first, byte != UInt8(ascii: "S")
      else { return }
      throw XTError(.notADatabase, "the file is no database", path: path)
    default:
      return
    }
  }

  /// Settings in the order that SQLite needs: the key before anything reads the file, a read that
  /// proves it is a database before anything writes to it.
  func setUp() throws {
    sqlite3_extended_result_codes(handle, 1)
    // Off also for CREATE: `"nope"` in an index or a CHECK would become a text for ever.
    if SQLiteLibrary.canDisableDoubleQuotedStrings {
      _ = xt_db_config_set(handle, Int32(XT_DBCONFIG_DQS_DML), 0)
      _ = xt_db_config_set(handle, Int32(XT_DBCONFIG_DQS_DDL), 0)
    }
    if settings.keepsLog { keepLogAtClose() }
    installBusyHandler()
    installHooks()
    try applyKey()
    if settings.isForCheckpoints { return try touchFile() }
    try verify()
    if !settings.isReadOnly, !isReader, settings.path != nil {
      if isReadOnly {
        throw Self.diagnosed(
          XTError(
            .readOnly, "the file can only be read", path: path, code: SQLITE_READONLY),
          path: path, settings)
      }
      if !settings.keepsJournalMode { try setJournalMode() }
      try keepSalt()
    }
    try setForeignKeys(settings.foreignKeys)
    try setSynchronous(settings.synchronous)
    if let cacheSize = settings.cacheSize { try setCacheSize(cacheSize) }
    if let mappedSize = settings.mappedSize { try setMappedSize(mappedSize) }
    try SQLFunctions.register(on: self)
  }

  /// SQLite's own waiting, but one that a cancelled task can end.
  private func installBusyHandler() {
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        guard let context else { return 0 }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        return connection.waitForLock(attempt: Int(attempt)) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func waitForLock(attempt: Int) -> Bool {
    let now = Uptime.now
    if attempt == 0 { busySince = now }
    let waited = Double(now - busySince) / 1e9
    let limit = busyLimit ?? settings.busyTimeout
    if !waitsForLocks { counters.count(.busyWaits) }
    if waited >= limit || isInterrupted.isSet || !waitsForLocks { return false }
    if isCancelled.isSet, !runsHooks { return false }
    let pause = Double(Self.pause(attempt)) / 1e9
    Thread.sleep(forTimeInterval: min(pause, max(limit - waited, 0)))
    if attempt == 0 { counters.count(.busyWaits) }
    meter?.paused(isFirst: attempt == 0, nanoseconds: Uptime.now - now)
    return true
  }

  /// Nanoseconds from one try for a lock to the next. Few at first: most locks are held for the time
  /// of one small commit.
  static func pause(_ attempt: Int) -> UInt64 {
    let milliseconds: [UInt64] = [1, 2, 5, 10, 15, 20, 25]
    return milliseconds[min(attempt, milliseconds.count - 1)] * 1_000_000
  }

  /// Runs a PRAGMA without keeping its statement.
  @discardableResult
  func pragma(_ text: String) throws -> XTValue? {
    let statement = try prepare("PRAGMA \(text)", kept: false)
    defer { statement.reset() }
    // Not stepped again where it gave no row: SQLite would run it a second time.
    guard try statement.step() else { return nil }
    let value = statement.column(0).value
    try statement.run()
    return value
  }

  /// Whether the file is in WAL mode.
  var hasLog: Bool { (try? pragma("journal_mode")?.string) == "wal" }

  private func verify() throws {
    do {
      try prepare("SELECT count(*) FROM sqlite_master", kept: false).run()
    } catch let error as XTError {
      throw verificationFailure(error)
    }
  }

  private func verificationFailure(_ error: XTError) -> XTError {
    // What an old library says of bytes that cannot be a header.
    let isForeign = error.message == "unsupported file format"
    guard error.kind == .notADatabase || isForeign else {
      guard let path = settings.path else { return error }
      return Self.diagnosed(error, path: path, settings)
    }
    return keyError(error)
  }

  private func setJournalMode() throws {
    let wanted = settings.journalMode
    if try pragma("journal_mode")?.string == wanted { return }
    // Going over to WAL needs the file alone, and SQLite does not always wait for that.
    let deadline = Uptime.now + settings.busyTimeout.nanoseconds
    while true {
      do {
        let got = try pragma("journal_mode = \(wanted)")?.string
        guard got == wanted else {
          throw XTError(
            .open, "the journal mode stayed \(got ?? "unknown") instead of \(wanted)", path: path)
        }
        // The log is there from now on, and known by its number.
        return try touchFile()
      } catch let error as XTError where error.kind == .locked && Uptime.now < deadline {
        Thread.sleep(forTimeInterval: 0.005)
      } catch let error as XTError where [.readOnly, .open].contains(error.kind) {
        throw Self.diagnosed(error, path: path, settings)
      }
    }
  }

  /// The same error with what the file system says about the path.
  private static func diagnosed(
    _ error: XTError, path: String, _ settings: ConnectionSettings
  ) -> XTError {
    var error = error
    var isDirectory: ObjCBool = false
    let files = FileManager.default
    let folder = (path as NSString).deletingLastPathComponent
    if files.fileExists(atPath: path, isDirectory: &isDirectory) {
      if isDirectory.boolValue {
        error.kind = .open
        error.message = "the path is a folder"
        error.hint = "give the path of a file in it"
      } else if !files.isReadableFile(atPath: path) {
        error.kind = .open
        error.message = "there is no permission to read the file"
      } else if !settings.isReadOnly, !files.isWritableFile(atPath: path) {
        error.kind = .readOnly
        error.message = "there is no permission to write the file"
        error.hint = "open it with readOnly = true, or change its permissions"
      } else if !settings.isReadOnly, !files.isWritableFile(atPath: folder) {
        error.kind = .open
        error.message = "there is no permission to write in the file's folder"
        error.hint = "SQLite keeps its journal beside the file"
      } else if [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code),
        let reason = reasonBeside(path)
      {
        error.kind = .open
        (error.message, error.hint) = reason
      }
    } else if !files.fileExists(atPath: folder) {
      error.message = "the file's folder can't be reached"
    } else if settings.isReadOnly {
      error.message = "there is no such file"
      error.hint = "a database that is opened read-only is not created"
    } else if settings.isReader || !settings.mayCreate {
      error.message = "the file is not there any more"
      error.hint = "put it back, or open another database"
    } else if !files.isWritableFile(atPath: folder) {
      error.message = "there is no permission to write in the file's folder"
    }
    return error
  }
}
