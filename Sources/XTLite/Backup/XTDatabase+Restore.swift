import Foundation

extension XTDatabase {
  /// Puts what a backup holds in the place of all that the database holds.
  ///
  /// ```swift
  /// try database.restore(from: "backups/people.sqlite")
  /// ```
  ///
  /// The backup is copied into a new file beside the database, with the database's key, and looked
  /// through for damage; only then does the copy take the database's place, in one step. At any
  /// moment there is one whole file at the path, the old one or the new one, also where the program
  /// is killed. The old one is kept beside it until the new one was opened and read; then it is
  /// removed. Where anything fails, it is in its place again.
  ///
  /// The backup stays as it is. Others go on while it is copied; for the exchange this waits for what
  /// runs, and holds all other calls back.
  ///
  /// - Parameters:
  ///   - path: The backup: any database file, which must not be this one.
  ///   - key: The backup's own key; nil for the database's. A plain backup needs none, also for an
  ///     encrypted database.
  ///   - cipher: How the backup is encrypted; nil for the way that the database is.
  ///   - progress: Counts in thousandths of the whole. Where it is cancelled, nothing changes.
  /// - Throws: `CancellationError`; ``XTError``: `corrupt` and `notADatabase` where the backup is
  ///   damaged or none; `encryption` where its key is wrong; `open` where there is none; `locked`
  ///   where another program has the database open, where a block still ran at the busy limit, and
  ///   inside of one; `readOnly`, `diskFull`, `closed`. The database is then as it was.
  public func restore(
    from path: String, key: XTKey? = nil, cipher: XTCipher? = nil, progress: Progress? = nil
  ) throws {
    defer { Signals.deliverKept() }
    try noting {
      if !isOpen { throw closedError() }
      try refuseRestore(from: path)
      try refuseInsideBlock(.restoring)
      let work = LongWork(progress)
      let spare = SpareFile(beside: core.file.path, for: .restoring)
      try spare.create(like: core.file.path, for: core.file.path)
      try spare.naming(core.file.path) {
        try copyBackup(FilePath.resolved(path), key, cipher, to: spare, work)
      }
      try work.part(0.95, 1)(0)
      try exchange(for: spare)
      work.finish()
    }
  }

  /// The async form: runs on a thread of its own. Cancelling the task ends it, up to the exchange.
  ///
  /// - Throws: As the other form.
  public func restore(
    from path: String, key: XTKey? = nil, cipher: XTCipher? = nil, progress: Progress? = nil
  ) async throws {
    try await onOwnThread(progress) { progress in
      try self.restore(from: path, key: key, cipher: cipher, progress: progress)
    }
  }

  private func refuseRestore(from path: String) throws {
    guard !core.file.isInMemory else {
      throw XTError(
        .open, "a database in memory has no file to restore", hint: "open the backup itself",
        path: self.path)
    }
    guard !configuration.readOnly else {
      throw XTError(
        .readOnly, "the file of \(core.label), which was opened read-only, stays as it is",
        hint: "open it without readOnly", path: self.path)
    }
    let backup = try FilePath.resolved(path)
    guard let identity = FileIdentity(path: backup) else {
      throw XTError(.open, "there is no such backup", path: backup)
    }
    try FilePath.refuseWhatIsNoFile(backup)
    // To SQLite it is a database without tables. To whoever made the backup it is a copy that failed.
    // So is a file of one byte to it.
    if FileStamp.size(of: backup) <= 1, FileStamp.size(of: backup + "-wal") == 0 {
      throw XTError(
        .notADatabase, "the backup is an empty file",
        hint: "give the path of another one", path: backup)
    }
    guard identity != FileIdentity(path: core.file.path) else {
      throw XTError(
        .open, "a database restored from itself", hint: "give the path of a backup", path: backup)
    }
  }

  /// Why the file does not open without a key; nil where it does.
  private func failureWithoutKey(_ path: String) throws -> XTError? {
    var settings = ConnectionSettings(path: path, isReadOnly: true)
    settings.key = nil
    do {
      try Connection.open(settings).close()
      return nil
    } catch let error as XTError {
      return error
    }
  }

  private func open(_ settings: ConnectionSettings, orThrow failure: XTError?) throws -> Connection
  {
    do {
      return try Connection.open(settings)
    } catch let error as XTError where error.message == Connection.plainFileMessage {
      // It begins as a plain one, and nobody said that it has a key.
      throw failure ?? error
    }
  }

  /// Makes the new file of the backup, and sees that it is sound.
  private func copyBackup(
    _ path: String, _ key: XTKey?, _ cipher: XTCipher?, to spare: SpareFile, _ work: LongWork
  ) throws {
    let current = core.current.settings
    var source = current
    source.path = path
    source.isReadOnly = true
    source.mayCreate = false
    source.statementLog = nil
    source.key = key ?? current.key
    source.cipher = cipher ?? current.cipher
    source.derivedKey = nil
    var failure: XTError?
    if key == nil, source.key != nil {
      failure = try failureWithoutKey(path)
      if failure == nil { source.key = nil }
    }
    let copy = DatabaseCopy(of: source, to: spare.path, key: current.key, cipher: current.cipher)
    // What is encrypted otherwise is written anew by a connection that may write: the new file.
    source.isReadOnly = copy.isByPages
    source.keepsJournalMode = true
    let backup = try open(source, orThrow: failure)
    defer { backup.close() }
    let copying = work.part(0, 0.6)
    var facts: DatabaseFacts?
    if copy.isByPages {
      try backup.inSnapshot { try copy.copyPages(from: backup, copying) }
    } else {
      facts = try copy.export(from: backup, copying)
    }
    try copy.verify(holding: facts, work.part(0.6, 0.95))
  }

  /// Puts the new file in the place of the one that is there, and sees that the database opens.
  private func exchange(for spare: SpareFile) throws {
    try havingAll(.restoring) { place in
      _ = core.disconnect(place)
      let old = SpareFile(beside: path, for: .replaced)
      var isExchanged = false
      let result = Result {
        try keepingOthersOut { isDamaged in
          try keep(as: old)
          if isDamaged { try DamagedFile.removeBelongings(of: path) }
          try core.file.removeAdditions()
          try spare.replace(path)
          isExchanged = true
        }
        try openAnew()
      }
      if isExchanged, case .failure = result {
        for file in DatabaseFile.companions(of: path) { try? FilePath.remove(file) }
        try? old.replace(path)
      }
      // Until the new one is open.
      try withExtendedLifetime(old) { try reconnecting(result) }
      core.fileWasExchanged()
    }
  }

  /// Runs `body` while no other program can use the file. One that can't be read any more keeps
  /// nobody out, and stays beside the new one for good, with its log.
  private func keepingOthersOut(_ body: (_ isDamaged: Bool) throws -> Void) throws {
    var settings = core.current.settings
    settings.path = path
    settings.mayCreate = false
    let connection: Connection
    do {
      connection = try Connection.open(settings)
    } catch let error as XTError where error.isOfDamage || error.kind == .encryption {
      _ = try DamagedFile.setAside(path, keepingName: true)
      return try body(true)
    } catch let error as XTError where FileIdentity(path: path) == nil {
      // It was removed, which is no reason to leave it so.
      _ = error
      return try body(false)
    }
    defer { connection.close() }
    try connection.holdFileAlone()
    try body(false)
  }

  private func keep(as old: SpareFile) throws {
    guard FileIdentity(path: path) != nil else { return }
    if FilePath.link(path, as: old.path) { return }
    try FilePath.copy(path, to: old.path)
  }

  private func openAnew() throws {
    var settings = core.current.settings
    settings.path = path
    settings.mayCreate = false
    let connection = try Connection.open(settings)
    defer { connection.close() }
    _ = try DatabaseFacts(of: connection)
  }
}
