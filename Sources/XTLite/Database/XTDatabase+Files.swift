import Foundation

extension XTDatabase {
  /// Runs `body` while nothing of the file is open, so that it can be copied or exchanged.
  ///
  /// Waits for what runs, holds everything else back, puts the log into the file, closes every
  /// connection, runs `body`, and opens the file that is at the path then. Calls of other threads
  /// wait meanwhile, up to their busy limit.
  ///
  /// ```swift
  /// try database.whileClosed { url in
  ///   try FileManager.default.copyItem(at: url, to: copy)
  /// }
  /// ```
  ///
  /// Opened read-only, the database leaves the log as it is: a `-wal` beside the file is a part of
  /// it then.
  ///
  /// - Parameter body: Takes the file's URL. It must leave a file there, and must not use this
  ///   database.
  /// - Returns: What `body` returns.
  /// - Throws: The error that `body` throws; ``XTError`` `locked` where a block still ran at the
  ///   busy limit, another program's kept the log from the file, or this is called inside one;
  ///   `open` where the file can't be opened afterwards (the next call tries it again), `closed`.
  @discardableResult
  public func whileClosed<T>(_ body: (URL) throws -> T) throws -> T {
    try havingAll(.whileClosed) { place in
      _ = try core.disconnectWhole(place)
      return try reconnecting(Result { try body(URL(fileURLWithPath: path)) })
    }
  }

  /// Deletes the file with its log and journal, and its repair hints. The database goes on with an empty file, which the
  /// next call makes.
  ///
  /// - Throws: ``XTError`` `locked` where a block still ran at the busy limit or this is called
  ///   inside one, `readOnly`, `open` where the files can't be deleted, `closed`.
  public func removeFiles() throws {
    try refuseReadOnlyFiles()
    try havingAll(.moving) { place in
      let place = core.disconnect(place)
      defer { core.letGo(place) }
      // The log goes first: without its file it is nothing, and beside another file a danger.
      for file in DatabaseFile.belongings(of: path) + [path] {
        try FilePath.remove(file)
      }
      core.file.wasClosed(mayCreate: true)
    }
  }

  /// Moves the file, with its repair hints; the database goes on with it in its new place.
  ///
  /// - Parameter path: The new path, or a folder in which it keeps its name. Missing folders are
  ///   made. No file may be there yet.
  /// - Throws: ``XTError`` `locked` where a block still ran at the busy limit, where this is called
  ///   inside one, or where another program has the file open; `readOnly`; `open` where a file is
  ///   at `path` or it can't be moved there; `closed`. The file is then where it was.
  public func moveFiles(to path: String) throws {
    try refuseReadOnlyFiles()
    let target = try FilePath.target(path, of: core.file.path)
    try havingAll(.moving) { place in
      let old = core.file.path
      _ = try core.disconnectAlone(place)
      let result = Result {
        try FilePath.makeFolder(of: target)
        // A log that some other file left there would be taken for this one's.
        for file in DatabaseFile.belongings(of: target) + [target] {
          try FilePath.refuseExisting(file)
        }
        try FilePath.move(old, to: target)
        core.file.wasClosed(movedTo: target)
        // What can be made anew is no reason to tell that the file was not moved.
        for (file, place) in zip(
          DatabaseFile.additions(to: old), DatabaseFile.additions(to: target))
        where FileIdentity(path: file) != nil { try? FilePath.move(file, to: place) }
      }
      try reconnecting(result)
    }
  }

  /// Whether the file can be opened as this database was: tried by opening it once more, for
  /// reading. False where it is gone, damaged at its beginning, or has another key now.
  public var canOpen: Bool {
    // A set-up may have used another database.
    defer { Signals.deliverKept() }
    return core.canOpen
  }

  /// Whether there is a file at `path` that can be opened with this configuration; nothing is made
  /// or changed.
  public static func canOpen(
    path: String, configuration: XTConfiguration = XTConfiguration()
  ) -> Bool {
    defer { Signals.deliverKept() }
    guard let resolved = try? FilePath.resolved(path) else { return false }
    return DatabaseCore.canOpen(path: resolved, configuration: configuration)
  }

  /// Runs `body` with nobody else on the file.
  func havingAll<T>(_ kind: AccessKind, _ body: (Loan) throws -> T) throws -> T {
    // The file may have been opened again.
    defer { Signals.deliverKept() }
    return try noting { try AccessStack.current.holding { try takingAll(kind, body) } }
  }

  private func takingAll<T>(_ kind: AccessKind, _ body: (Loan) throws -> T) throws -> T {
    if !isOpen { throw closedError() }
    try refuseInsideBlock(kind)
    guard !core.file.isInMemory else {
      throw XTError(.open, "a database in memory has no file", path: path)
    }
    let place = try core.holdBack(kind)
    guard isOpen else {
      core.letGo(place)
      throw closedError()
    }
    return try body(place)
  }

  /// Opens the file again. Of two errors the first is the one that counts.
  func reconnecting<T>(_ result: Result<T, any Error>) throws -> T {
    do {
      try core.reconnect()
    } catch {
      _ = try result.get()
      throw error
    }
    return try result.get()
  }

  private func refuseReadOnlyFiles() throws {
    guard configuration.readOnly else { return }
    throw noted(
      XTError(
        .readOnly, "the files of \(core.label), which was opened read-only, stay as they are",
        hint: "open it without readOnly", path: path))
  }
}
