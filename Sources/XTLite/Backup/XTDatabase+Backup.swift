import Foundation

extension XTDatabase {
  /// Copies the database to another file while others go on to read and write.
  ///
  /// ```swift
  /// try database.backup(to: "backups/people.sqlite", keep: 3)
  /// ```
  ///
  /// The copy is the database as it was at one moment: in WAL, at the beginning; in other journal
  /// modes, at the end, and where others keep writing to the file, they wait for the last part of
  /// it. It is looked through for damage before it counts, and takes its name when it is whole: an
  /// earlier backup is there until then, also where the program is killed. It is one file, without a
  /// log beside it.
  ///
  /// In WAL, the log is not made empty while a backup runs.
  ///
  /// - Parameters:
  ///   - path: Where the backup goes, or a folder in which it has the database's name. Missing
  ///     folders are made.
  ///   - keep: How many backups there are afterwards at most. The one before becomes `path.1`, that
  ///     before it `path.2`, and so on; the oldest are removed. With 1 the new one takes the place of
  ///     the one before, and others with a number stay as they are.
  ///   - key: The backup's own key; nil for the database's. A backup of an encrypted database is
  ///     always encrypted. Where a plain one gets a key, and where `cipher` differs, everything is
  ///     written anew instead of copied by pages, which takes a database that may be written.
  ///   - cipher: How the backup is encrypted; nil for the way that the database is.
  ///   - progress: Counts in thousandths of the whole. Where it is cancelled, nothing changes.
  /// - Throws: `CancellationError`; ``XTError``: `corrupt` where the database is damaged, `locked`
  ///   where a connection could not be had, inside of a transaction, for a second backup to the same
  ///   file meanwhile, and where an earlier backup is open as a database; `open` where the file can't
  ///   be made, or what is to be replaced is no file; `encryption`, `diskFull`, `closed`.
  ///   Earlier backups are then as they were.
  public func backup(
    to path: String, keep: Int = 1, key: XTKey? = nil, cipher: XTCipher? = nil,
    progress: Progress? = nil
  ) throws {
    defer { Signals.deliverKept() }
    try noting {
      if !isOpen { throw closedError() }
      try key?.validate()
      try cipher?.validate()
      if key != nil, !Connection.canExport {
        throw XTError(
          .encryption, "a key was given, but this build of XTLite has no encryption",
          hint: Connection.encryptionHint, path: self.path)
      }
      let target = try backupTarget(path)
      guard BackupPlaces.enter(target) else {
        throw XTError(
          .locked, "a backup to the same file is being made", hint: "wait for that one",
          path: target)
      }
      defer { BackupPlaces.leave(target) }
      try backup(
        to: target, keep: keep, key: key ?? configuration.key,
        cipher: cipher ?? configuration.cipher,
        LongWork(progress))
    }
  }

  /// The async form: runs on a thread of its own. Cancelling the task ends the backup.
  ///
  /// - Throws: As the other form.
  public func backup(
    to path: String, keep: Int = 1, key: XTKey? = nil, cipher: XTCipher? = nil,
    progress: Progress? = nil
  ) async throws {
    try await onOwnThread(progress) { progress in
      try self.backup(to: path, keep: keep, key: key, cipher: cipher, progress: progress)
    }
  }

  private func backupTarget(_ path: String) throws -> String {
    let file = core.file.isInMemory ? "backup.sqlite" : core.file.path
    let target = try FilePath.target(path, of: file)
    let own =
      core.file.isInMemory ? [] : [core.file.path] + DatabaseFile.belongings(of: core.file.path)
    guard !own.contains(target),
      FileIdentity(path: target).map({ $0 != core.file.identity }) ?? true
    else {
      throw XTError(
        .open, "a backup of the database over itself", hint: "give another path", path: target)
    }
    try FilePath.makeFolder(of: target)
    try FilePath.refuseWhatIsNoFile(target)
    return target
  }

  private func backup(
    to target: String, keep: Int, key: XTKey?, cipher: XTCipher, _ work: LongWork
  ) throws {
    var settings = core.current.settings
    settings.path = core.file.isInMemory ? nil : core.file.path
    if core.file.isInMemory { (settings.key, settings.derivedKey) = (nil, nil) }
    let places = BackupPlaces(target, keep: keep, of: core.file)
    try places.settle(settings, keys: [key, settings.key], cipher: cipher)
    let spare = SpareFile(beside: target, for: .backup)
    try spare.create(like: core.file.path, for: target)
    try spare.naming(target) { try fill(spare, settings, key, cipher, work) }
    // Somebody may have come meanwhile.
    try places.settle(settings, keys: [key, settings.key], cipher: cipher)
    try places.rotate()
    try spare.replace(target)
    work.finish()
  }

  private func fill(
    _ spare: SpareFile, _ settings: ConnectionSettings, _ key: XTKey?, _ cipher: XTCipher,
    _ work: LongWork
  ) throws {
    let copy = DatabaseCopy(of: settings, to: spare.path, key: key, cipher: cipher)
    let copying = work.part(0, 0.7)
    let facts: DatabaseFacts?
    if !copy.isByPages {
      facts = try exporting(to: copy, copying)
    } else {
      facts = nil
      try copyPages(to: copy, copying)
    }
    try copy.verify(holding: facts, work.part(0.7, 1))
  }

  private func copyPages(
    to copy: DatabaseCopy, _ progress: (Double) throws -> Void
  ) throws {
    // A reader of its own beside the writer: others write on, and it does not see that.
    if core.readsBeside {
      return try reading { connection in
        try refuseTransaction(on: connection)
        try connection.inSnapshot { try copy.copyPages(from: connection, progress) }
      }
    }
    // Every step waits for its turn, and in between others have theirs.
    try copy.copyPages(
      lending: { step in
        try reading { connection in
          try refuseTransaction(on: connection)
          return try step(connection)
        }
      }, progress)
  }

  /// On a connection of its own, since that writes the new file; the reader is only held so that
  /// nobody closes or exchanges the file meanwhile.
  private func exporting(
    to copy: DatabaseCopy, _ progress: (Double) throws -> Void
  ) throws -> DatabaseFacts {
    if core.file.isInMemory {
      return try reading { connection in
        try refuseTransaction(on: connection)
        return try copy.export(from: connection, progress)
      }
    }
    guard !configuration.readOnly else {
      throw XTError(
        .readOnly, "a backup that is encrypted otherwise takes a database that may be written",
        hint: "back it up as it is, and change the backup's key", path: path)
    }
    return try reading { connection in
      try refuseTransaction(on: connection)
      var settings = core.current.settings
      settings.path = core.file.path
      settings.mayCreate = false
      settings.statementLog = nil
      let own = try Connection.open(settings)
      defer { own.close() }
      return try copy.export(from: own, progress)
    }
  }

  private func refuseTransaction(on connection: Connection) throws {
    guard !connection.isReader, connection.isInTransaction else { return }
    throw XTError(
      .locked, "backup() inside of a transaction", hint: "call it after the block has ended",
      path: path)
  }
}
