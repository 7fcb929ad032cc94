import Foundation

extension XTDatabase {
  /// Encrypts the file with another key: a plain file too, and with nil an encrypted one becomes
  /// plain.
  ///
  /// ```swift
  /// try database.changeKey(to: .passphrase(secret))
  /// try database.changeKey(to: nil)                    // plain again
  /// ```
  ///
  /// All is written into a new file beside the old one, which takes its place when it is verified:
  /// it opens with the new key and not with the old one, holds the same and is sound. At any moment
  /// there is one whole file at the path, with the old key or with the new one, also where the
  /// program is killed; what a killed one left beside it is removed by the next change. It takes as
  /// much room on the disk again.
  ///
  /// Waits for what runs, and holds all other calls back until it is done. All values on the file go
  /// on with the new key. Repair hints of the old file are saved anew where this process has saved
  /// them, else removed. With the key and the cipher that the file has, nothing is done.
  ///
  /// What it can't see: in journal modes other than WAL, another program that has the file open and
  /// does not use it just now. That one would go on with the old file, which has no name any more.
  ///
  /// - Parameters:
  ///   - key: The new key; nil for a plain file.
  ///   - cipher: How the file is to be encrypted; nil for what the configuration says.
  ///   - progress: Counts in thousandths of the whole, an estimate. Where it is cancelled, the file
  ///     stays as it was.
  /// - Throws: `CancellationError`; ``XTError``: `locked` where another connection or program has the
  ///   file open, where a block still ran at the busy limit, and inside of one; `readOnly`,
  ///   `encryption` where the key can't be one or this build has no encryption, `corrupt` where the
  ///   file can't be read to its end, `diskFull`, `open` for a database in memory, `closed`. The file
  ///   and the key are then as they were.
  public func changeKey(
    to key: XTKey?, cipher: XTCipher? = nil, progress: Progress? = nil
  ) throws {
    try noting {
      if !isOpen { throw closedError() }
      try refuseKeyChange(to: key, cipher)
    }
    try havingAll(.keyChange) { place in
      // As it is now, and not as it was before the wait.
      let (oldKey, oldCipher) = (configuration.key, configuration.cipher)
      let cipher = cipher ?? oldCipher
      if key == oldKey, key == nil || cipher == oldCipher { return core.letGo(place) }
      do {
        try core.file.verify()
      } catch {
        core.letGo(place)
        throw error
      }
      _ = core.disconnect(place)
      try reconnecting(
        Result {
          try core.current.changeKey(to: key, cipher) {
            try exchange(key: key, cipher: cipher, LongWork(progress))
          }
        })
      core.fileWasExchanged()
    }
  }

  /// The async form: runs on a thread of its own. Cancelling the task leaves the file as it was.
  ///
  /// - Throws: As the other form.
  public func changeKey(
    to key: XTKey?, cipher: XTCipher? = nil, progress: Progress? = nil
  ) async throws {
    try await onOwnThread(progress) { progress in
      try self.changeKey(to: key, cipher: cipher, progress: progress)
    }
  }

  private func refuseKeyChange(to key: XTKey?, _ cipher: XTCipher?) throws {
    try key?.validate()
    try cipher?.validate()
    guard !core.file.isInMemory else {
      throw XTError(.open, "a database in memory has no file to encrypt", path: path)
    }
    guard !configuration.readOnly else {
      throw XTError(
        .readOnly, "the key of \(core.label), which was opened read-only, stays as it is",
        hint: "open it without readOnly", path: path)
    }
    if key != nil, !Connection.canExport {
      throw XTError(
        .encryption, "a key was given, but this build of XTLite has no encryption",
        hint: Connection.encryptionHint, path: path)
    }
  }

  /// Puts a file with the other key in the place of the one that is there. For who has everything,
  /// with nothing open.
  private func exchange(key: XTKey?, cipher: XTCipher, _ work: LongWork) throws {
    var settings = core.current.settings
    settings.path = core.file.path
    settings.mayCreate = false
    let old = try Connection.open(settings)
    // Its lock keeps others out until the new file is in its place.
    defer { old.close() }
    try old.holdFileAlone()
    let spare = SpareFile(beside: core.file.path, for: .newKey)
    try spare.create(like: core.file.path, for: core.file.path)
    try spare.naming(core.file.path) { try fill(spare, from: old, key, cipher, settings, work) }
    try work.part(0.99, 1)(0)
    // They are encrypted as the old file is, or not at all.
    try core.file.removeAdditions()
    try spare.replace(core.file.path)
    work.finish()
  }

  private func fill(
    _ spare: SpareFile, from old: Connection, _ key: XTKey?, _ cipher: XTCipher,
    _ settings: ConnectionSettings, _ work: LongWork
  ) throws {
    let copy = DatabaseCopy(of: settings, to: spare.path, key: key, cipher: cipher)
    let copying = work.part(0, 0.6)
    let facts: DatabaseFacts
    if copy.isByPages {
      facts = try DatabaseFacts(of: old)
      try copy.copyPages(from: old, copying)
    } else {
      facts = try copy.export(from: old, copying)
    }
    try copy.verify(holding: facts, work.part(0.6, 0.99))
    try copy.refuseOldKey()
  }
}
