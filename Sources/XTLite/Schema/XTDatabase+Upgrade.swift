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
  /// that upgrade at once wait for each other, and one does it. In a file of XTFMDB's, a version that
  /// its table `XTDBVersion` covers counts for a table that is as the version's steps leave its
  /// columns.
  ///
  /// List all versions of a model in one call: a table that has had a later one than any listed is
  /// taken for a newer program's.
  ///
  /// - Parameters:
  ///   - progress: Counts the rows that were copied and filled, and those of which an index of words
  ///     was made. Where it is cancelled the upgrade rolls back and throws `CancellationError`.
  ///   - allowingNewer: Whether a file may have had versions that are not listed.
  ///   - upgrades: The upgrades, in any order.
  /// - Returns: Whether a version was applied, other than those that XTFMDB had applied.
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
      try apply(UpgradeSet(upgrades, allowsNewer: allowingNewer), progress: progress)
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
            try call.run(on: connection) {
              try set.apply(
                on: connection, automaticColumns: configuration.automaticColumns,
                progress: progress)
            }
          }
        }
      }
    }
  }

  /// Brings a model's table to `version`, which adds `properties`.
  ///
  /// ```swift
  /// try database.upgrade(Person.self, add: [\Person.nick, \Person.email], version: 2)
  /// ```
  ///
  /// Each row there is gets the property's default, or a value of its own where `init()` gives a
  /// new one each time (dates, UUIDs). A table that is missing is made as the model is now. What
  /// the table has already is left alone, so that an automatic addition may have come first.
  ///
  /// The file remembers which versions were applied to which table: calling this at every launch
  /// costs one SELECT. A version that failed is tried again by the next call for it, also where a
  /// later one was applied in between; everything in one call is done or nothing. Two programs that
  /// upgrade at once wait for each other, and one does it.
  ///
  /// It is an ``XTUpgrade`` of `add` steps by itself, and doesn't look whether the file is newer than
  /// the program.
  ///
  /// - Parameters:
  ///   - type: The model.
  ///   - properties: Its properties that are new in this version.
  ///   - version: The version's number, 1 or more. Tables have their versions each for themselves.
  ///   - name: One table of the model; by default its own and every `named:` one that XTLite made.
  /// - Returns: Whether there was a table that this version had not been applied to, by XTLite or by
  ///   XTFMDB.
  /// - Throws: `upgrade` where rows would have to share a value that is to be unique, or inside an
  ///   open block; `unknownColumn` for a key path that is no column; `readOnly`, `locked` and
  ///   others as any write.
  @discardableResult
  public func upgrade<Model: XTModel>(
    _ type: Model.Type, add properties: XTKeyPaths, version: Int, named name: String? = nil
  ) throws -> Bool {
    let upgrade = XTUpgrade(type, adding: properties, to: version, named: name)
    return try noting {
      // Told also where nothing is due.
      let mapping = try ModelMapping.of(type)
      for property in properties.keyPaths { _ = try mapping.column(for: property) }
      return try apply(UpgradeSet([upgrade], allowsNewer: true), progress: nil)
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
  /// - Parameters:
  ///   - path: The file; it and its folders are made where they are missing.
  ///   - configuration: The settings.
  ///   - progress: As in `upgrade { }`.
  ///   - allowingNewer: As in `upgrade { }`.
  ///   - upgrades: The upgrades, in any order.
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
  /// - Parameters:
  ///   - allowingNewer: Whether a file may have had versions that are not listed.
  ///   - upgrades: The upgrades, in any order.
  /// - Returns: The statements, and what the models and the file would still disagree on.
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

  private func apply(_ set: UpgradeSet, progress: Progress?) throws -> Bool {
    try refuseUpgradeInsideBlock()
    if try !reading(set.isDue) { return false }
    return try writing { connection in
      try connection.withoutForeignKeys {
        try connection.inTransaction {
          try set.apply(
            on: connection, automaticColumns: configuration.automaticColumns, progress: progress)
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
}
