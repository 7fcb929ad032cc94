extension XTDatabase {
  /// Changes settings while the database is open. Every connection has the change before its next
  /// use; blocks that run go on as they began.
  ///
  /// ```swift
  /// try database.reconfigure {
  ///   $0.busyTimeout = 2
  ///   $0.add(XTFunction("twice", arguments: 1) { .integer(($0[0].int64 ?? 0) * 2) })
  ///   $0.removeSetUp("memory")
  /// }
  /// ```
  ///
  /// It concerns all values on the file. What can't be changed: `label`, `readOnly`, `journalMode`,
  /// `automaticColumns` and `automaticAdditions`; `key` and `cipher` are by `changeKey(to:)`.
  ///
  /// Where a function of the program's that had replaced one of SQLite's is taken away, connections
  /// are closed and opened anew: temporary tables and attached databases are gone then. A database
  /// in memory can't do that, and throws.
  ///
  /// - Parameter change: Gets the configuration as it is. One change at a time; it may not call
  ///   this.
  /// - Throws: What `change` throws; ``XTError`` that names the setting which can't be changed or
  ///   the value that can't be; `closed`. Nothing is changed then.
  public func reconfigure(_ change: (inout XTConfiguration) throws -> Void) throws {
    defer { Signals.deliverKept() }
    try noting {
      if !isOpen { throw closedError() }
      try core.reconfigure(change)
    }
  }

  /// Makes a connection that was taken what the settings are now: another one where it must be
  /// opened anew, or where its file changed that was taken as it is. Gives its place back where it throws.
  @inline(never)
  func upToDate(_ connection: Connection) throws -> Connection {
    let pool = connection.isReader ? readers : writers
    let wanted = core.current.settings
    guard connection.canApply(wanted), !connection.isOutdated else {
      pool.discard(Loan(connection: connection))
      return try pool.connection(for: Loan(connection: nil))
    }
    if connection.settings.generation != wanted.generation {
      do {
        try connection.apply(wanted)
      } catch {
        pool.give(connection)
        throw error
      }
    }
    return connection
  }
}
