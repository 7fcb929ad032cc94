extension XTDatabase {
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
  /// upgrade at once wait for each other, and one does it. In a file of XTFMDB's, the version that
  /// its table `XTDBVersion` holds, and those before it, count as applied to a table that has the
  /// properties.
  ///
  /// - Parameters:
  ///   - type: The model.
  ///   - properties: Its properties that are new in this version.
  ///   - version: The version's number, 1 or more. Tables have their versions each for themselves.
  ///   - name: One table of the model; by default its own and every `named:` one that XTLite made.
  /// - Returns: Whether there was a table that this version had not been applied to.
  /// - Throws: `upgrade` where a property cannot be added without making the table anew, or inside
  ///   an open block; `unknownColumn` for a key path that is no column; `readOnly`, `locked` and
  ///   others as any write.
  @discardableResult
  public func upgrade<Model: XTModel>(
    _ type: Model.Type, add properties: XTKeyPaths, version: Int, named name: String? = nil
  ) throws -> Bool {
    try noting { try apply(type, properties, version, name) }
  }

  private func apply<Model: XTModel>(
    _ type: Model.Type, _ properties: XTKeyPaths, _ version: Int, _ name: String?
  ) throws -> Bool {
    let mapping = try ModelMapping.of(type)
    let columns = try properties.keyPaths.map { try mapping.column(for: $0) }
    guard version > 0 else {
      throw XTError(
        .upgrade, "the version of an upgrade is 1 or more, not \(version)",
        table: name ?? mapping.tableName)
    }
    let upgrade = TableUpgrade(
      mapping: mapping, columns: columns, version: version, table: name,
      automaticColumns: configuration.automaticColumns)
    // A block around it could roll the upgrade back after the program went on as if it were done.
    guard !isInsideBlock else {
      throw XTError(
        .upgrade, "an upgrade inside an open block of the same database",
        hint: "call upgrade before or after the block; it is a transaction by itself",
        table: upgrade.tableName, path: path)
    }
    if try reading(upgrade.tablesDue).isEmpty { return false }
    return try writing(upgrade.run)
  }
}

/// One version of one model, for one table or all tables of it.
struct TableUpgrade {
  let mapping: ModelMapping
  let columns: [Column]
  let version: Int
  let table: String?
  let automaticColumns: Bool

  var tableName: String { table ?? mapping.tableName }

  /// Applies the version to each table that lacks it, in one transaction.
  ///
  /// - Returns: Whether there was one.
  func run(on connection: Connection) throws -> Bool {
    try connection.inTransaction {
      // Another process may have come first; only what is read under the write lock counts.
      let tables = try tablesDue(on: connection)
      var isApplied = false
      for table in tables {
        if try isDoneByXTFMDB(table, on: connection) {
          try SchemaRecord.addVersion(version, to: table, on: connection)
        } else {
          try apply(to: table, on: connection)
          isApplied = true
        }
      }
      return isApplied
    }
  }

  /// The tables that the version has not been applied to. One SELECT.
  func tablesDue(on connection: Connection) throws -> [String] {
    guard let table else {
      return try SchemaRecord.tablesDue(version, mapping: mapping, on: connection)
    }
    return try SchemaRecord.isApplied(version, to: table, on: connection) ? [] : [table]
  }

  private func isDoneByXTFMDB(_ table: String, on connection: Connection) throws -> Bool {
    try XTFMDBVersion.covers(version, columns, of: table, mapping: mapping, on: connection)
  }

  private func apply(to table: String, on connection: Connection) throws {
    let isNew = try TableMaker.create(
      table: table, mapping: mapping, automaticColumns: automaticColumns, on: connection)
    if !isNew {
      try TableMaker.add(
        columns, to: table, mapping: mapping, automaticColumns: automaticColumns, on: connection)
    }
    try SchemaRecord.addVersion(version, to: table, on: connection)
  }
}
