extension XTDatabase {
  /// Puts what is in the write-ahead log into the database file.
  ///
  /// That also happens by itself, in quiet moments and off the callers' threads; see
  /// ``XTConfiguration/walLimit``. Call it before the file is copied by other means, or to give the
  /// log's room on the disk back at once:
  ///
  /// ```swift
  /// let result = try database.checkpoint(.truncate)
  /// if let obstacle = result.obstacle { print("in the way: \(obstacle)") }
  /// ```
  ///
  /// - Parameter mode: How far it goes. All but `.passive` wait for the writer's turn, and for
  ///   readers of an older state, at most the busy limit each.
  /// - Returns: How many pages the log has and how many of them are in the file; all zeros where
  ///   the database has no log. Somebody who was still in the way at the limit is no error: see
  ///   ``XTCheckpointResult/obstacle``.
  /// - Throws: ``XTError``: `locked` where the writer's turn did not come, and for all but
  ///   `.passive` inside of a block that reads or has a transaction open; `readOnly`; `diskFull` and
  ///   what else SQLite reports; `closed`.
  @discardableResult
  public func checkpoint(_ mode: XTCheckpoint = .passive) throws -> XTCheckpointResult {
    try noting {
      if !isOpen { throw closedError() }
      guard !configuration.readOnly else { throw readOnlyRefusal("a checkpoint of") }
      guard let checkpointer = core.checkpointer else { return XTCheckpointResult() }
      let wait = mode == .passive ? 0 : core.waitLimit
      if mode == .passive, let result = try checkpointer.checkpoint(mode, wait: wait) {
        return result
      }
      if let connection = AccessStack.current.connection(of: core) {
        guard mode == .passive || !(connection.isReader || connection.isInTransaction) else {
          throw XTError(
            .locked, "a checkpoint inside of a block that reads or has a transaction open",
            hint: "call checkpoint() after the block; .passive waits for nobody and may be inside",
            path: path)
        }
        // Nothing has been written yet. Nobody closes the file while this thread uses it.
        checkpointer.start()
        return try checkpointer.checkpoint(mode, wait: wait) ?? XTCheckpointResult()
      }
      // The connection that writes is not used, but opened by this where it was not yet.
      return try accessing(.checkpoint) { _ in
        try checkpointer.checkpoint(mode, wait: wait) ?? XTCheckpointResult()
      }
    }
  }

  /// Rewrites the file without the room that deleted rows left in it.
  ///
  /// Takes as much room again on the disk while it runs, and about as long as writing all of it.
  ///
  /// - Throws: ``XTError``: `locked` inside of a transaction, and where the writer's turn did not
  ///   come; `readOnly`, `diskFull`, `closed`.
  public func vacuum() throws {
    try accessing(.write) { connection in
      try refuseWrites(on: connection)
      guard !connection.isInTransaction else {
        throw XTError(
          .locked, "vacuum() inside of a transaction", hint: "call it after the block has ended",
          path: path)
      }
      try connection.run("VACUUM")
    }
  }

  /// How much room the database takes on the disk at this moment; all zeros in memory.
  public var fileSizes: XTFileSizes {
    core.file.sizes
  }
}

/// The files of one database, in bytes; 0 for one that is not there.
public struct XTFileSizes: Sendable, Hashable {
  /// The database file.
  public var database: Int = 0
  /// The write-ahead log, `-wal`.
  public var wal: Int = 0
  /// The log's index, `-shm`.
  public var shm: Int = 0
  /// The rollback journal of the other journal modes, `-journal`.
  public var journal: Int = 0

  /// All of them.
  public var total: Int { database + wal + shm + journal }

  init() {}

  init(path: String) {
    database = FileStamp.size(of: path)
    wal = FileStamp.size(of: path + "-wal")
    shm = FileStamp.size(of: path + "-shm")
    journal = FileStamp.size(of: path + "-journal")
  }
}
