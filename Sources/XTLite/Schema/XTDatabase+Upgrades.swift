import Foundation

extension XTDatabase {
  /// Brings the tables of models to their newest versions.
  ///
  /// ```swift
  /// try database.upgrade {
  ///   XTUpgrade(Person.self, to: 2) { $0.add(\.email); $0.rename("nick", to: \.nickname) }
  ///   XTUpgrade(Order.self, to: 3) { $0.renameTable(from: "OldOrder"); $0.addIndex(\.createdAt) }
  /// }
  /// ```
  ///
  /// The file remembers which versions each table has had: those that it lacks run, in the order of
  /// their numbers, all of them in one transaction or none. Where there is none the call costs one
  /// SELECT. A table that is missing is made as its model is now, without running steps. Two programs
  /// that upgrade at once wait for each other, and one does it.
  ///
  /// List all versions of a model in one call: a table that has had a later one than any listed is
  /// taken for a newer program's.
  ///
  /// - Parameters:
  ///   - progress: Counts the rows that were copied and filled. Where it is cancelled the upgrade
  ///     rolls back and throws `CancellationError`.
  ///   - allowingNewer: Whether a file may have had versions that are not listed.
  ///   - upgrades: The upgrades, in any order.
  /// - Returns: Whether a version was applied.
  /// - Throws: `upgrade` for a step that can't be done, a file that is newer than the program, or
  ///   inside an open block; what a closure of a step throws; `readOnly`, `locked` and others as any
  ///   write. The file is then as it was.
  @discardableResult
  public func upgrade(
    progress: Progress? = nil, allowingNewer: Bool = false,
    @XTUpgradeBuilder _ upgrades: () throws -> [XTUpgrade]
  ) throws -> Bool {
    let upgrades = try upgrades()
    return try noting {
      let set = try UpgradeSet(upgrades, allowsNewer: allowingNewer)
      try refuseUpgradeInsideBlock()
      if try !reading(set.isDue) { return false }
      return try writing { connection in
        try connection.withoutForeignKeys {
          try connection.inTransaction { try run(set, progress, on: connection) }
        }
      }
    }
  }

  /// The async form of `upgrade { }`: runs on a thread of the database's own.
  ///
  /// Cancelling the task rolls back and throws `CancellationError`.
  ///
  /// - Returns: Whether a version was applied.
  /// - Throws: As `upgrade { }`; `CancellationError`.
  @discardableResult
  public func upgrade(
    progress: Progress? = nil, allowingNewer: Bool = false,
    @XTUpgradeBuilder _ upgrades: () throws -> [XTUpgrade]
  ) async throws -> Bool {
    let list = try upgrades()
    let set = try noting {
      try refuseUpgradeInsideBlock()
      return try UpgradeSet(list, allowsNewer: allowingNewer)
    }
    let isDue = try await read { try self.reading(set.isDue) }
    if !isDue { return false }
    return try await whenLent(.transaction) { [self] call, visit in
      try visiting(visit) { connection in
        try refuseWrites(on: connection)
        return try connection.withoutForeignKeys {
          try call.prepare(on: connection) { try connection.openScope(immediate: true) }
          return try connection.inOpenScope {
            try call.run(on: connection) { try run(set, progress, on: connection) }
          }
        }
      }
    }
  }

  /// Opens the file at `path`, upgrades it, and makes it the shared database.
  ///
  /// ```swift
  /// try XTDatabase.configure(path: "people.sqlite") {
  ///   XTUpgrade(Person.self, to: 2) { $0.add(\.email) }
  /// }
  /// ```
  ///
  /// The upgrades run before anything can be added to a table by itself.
  ///
  /// - Returns: The database, which is also ``shared``.
  /// - Throws: As ``configure(path:configuration:)`` and `upgrade { }`; the shared database is then
  ///   the one that it was.
  @discardableResult
  public static func configure(
    path: String, configuration: XTConfiguration = XTConfiguration(), progress: Progress? = nil,
    allowingNewer: Bool = false, @XTUpgradeBuilder upgrades: () throws -> [XTUpgrade]
  ) throws -> XTDatabase {
    try refuseInsideBlock()
    let database = try XTDatabase(path: path, configuration: configuration)
    try database.upgrade(progress: progress, allowingNewer: allowingNewer, upgrades)
    return try configure(database)
  }

  /// What `upgrade { }` would do, without touching the file.
  ///
  /// ```swift
  /// print(try database.upgradePlan { XTUpgrade(Person.self, to: 2) { $0.add(\.email) } })
  /// ```
  ///
  /// The steps run on a copy of the schema in memory that has no rows; those that they would touch are
  /// counted in the file.
  ///
  /// - Throws: As `upgrade { }`, as far as the schema can tell.
  public func upgradePlan(
    allowingNewer: Bool = false, @XTUpgradeBuilder _ upgrades: () throws -> [XTUpgrade]
  ) throws -> XTUpgradePlan {
    let upgrades = try upgrades()
    return try noting {
      let set = try UpgradeSet(upgrades, allowsNewer: allowingNewer)
      return try reading { connection in
        try connection.inSnapshot {
          try set.plan(on: connection, automaticColumns: configuration.automaticColumns)
        }
      }
    }
  }

  private func refuseUpgradeInsideBlock() throws {
    // A block around it could roll the upgrade back after the program went on as if it were done.
    guard isInsideBlock else { return }
    throw XTError(
      .upgrade, "an upgrade inside an open block of the same database",
      hint: "call upgrade before or after the block; it is a transaction by itself", path: path)
  }

  private func run(
    _ set: UpgradeSet, _ progress: Progress?, on connection: Connection
  ) throws -> Bool {
    // What can be refused is refused before anything is written.
    let plan = try set.plan(
      on: connection, automaticColumns: configuration.automaticColumns,
      countsRows: progress != nil)
    if let progress { progress.totalUnitCount = Int64(plan.rows) }
    let before = connection.danglingReferences()
    let runner = UpgradeRunner(
      connection: connection, automaticColumns: configuration.automaticColumns,
      progress: progress)
    let isDone = try set.run(runner)
    if isDone { try connection.refuseDangling(since: before) }
    if let progress { progress.completedUnitCount = progress.totalUnitCount }
    return isDone
  }
}

extension Connection {
  /// Runs `body` with foreign keys off, which has to be said before a transaction begins: inside one
  /// it does nothing, and dropping a table would delete the rows that refer to it.
  ///
  /// They are on again on every way out.
  func withoutForeignKeys<T>(_ body: () throws -> T) throws -> T {
    let areEnforced = settings.foreignKeys
    // Nil where the library has no such switch.
    let legacyAlter = try pragma("legacy_alter_table")?.int64
    try setForeignKeys(false)
    defer {
      // A step that was cancelled could not see to it.
      if let legacyAlter { _ = try? pragma("legacy_alter_table = \(legacyAlter)") }
      if areEnforced {
        do { try setForeignKeys(true) } catch {
          // They are set before the connection's next use.
          settings.foreignKeys = false
          generation = -1
        }
      }
    }
    guard try pragma("foreign_keys")?.int64 == 0 else {
      throw XTError(
        .upgrade, "foreign keys could not be turned off, so that no table can be made anew",
        path: path)
    }
    return try body()
  }

  /// How many rows refer to what is not there; nil where SQLite can't tell.
  func danglingReferences() -> Int? {
    try? rows("PRAGMA foreign_key_check").count
  }

  /// - Throws: `upgrade` where more rows refer to what is not there than did before.
  func refuseDangling(since before: Int?) throws {
    guard let before else { return }
    let rows = try rows("PRAGMA foreign_key_check")
    guard rows.count > before, let row = rows.last else { return }
    throw XTError(
      .upgrade,
      "the upgrade would leave \(rows.count - before) rows that refer to what is not there, such as"
        + " row \(row[1]) of `\(row[0])`, which refers to `\(row[2])`",
      hint: "write a step that sees to them: $0.run(\"…\")", table: row[0].string, path: path)
  }
}
