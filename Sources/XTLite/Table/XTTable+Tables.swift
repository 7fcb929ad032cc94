extension XTTable {
  /// Makes the table, with its indexes.
  ///
  /// - Returns: whether it did: false where the table is there.
  @discardableResult
  public func create() throws -> Bool {
    let plan = try plan()
    return try database.writing { connection in
      try TableMaker.create(
        table: plan.table, mapping: plan.mapping,
        automaticColumns: plan.settings.automaticColumns, on: connection)
    }
  }

  /// Whether the table is in the file.
  public func exists() throws -> Bool {
    let plan = try plan()
    return try database.reading { try SchemaReader.tableExists(plan.table, on: $0) }
  }

  /// Makes the table where it is missing, as write verbs do by themselves.
  ///
  /// - Returns: whether it did.
  @discardableResult
  public func autoCreateIfNotExist() throws -> Bool {
    try create()
  }

  /// Removes the table with all its rows.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func drop() throws -> Bool {
    let plan = try plan()
    return try database.writing { try TableMaker.drop(table: plan.table, on: $0) }
  }

  /// Adds the property's column to the table. Upgrades are the usual way.
  ///
  /// - Returns: whether it did: false where the column is there.
  @discardableResult
  public func alterAddColumn(_ property: PartialKeyPath<Model>) throws -> Bool {
    let plan = try plan()
    let column = try column(property)
    return try database.writing {
      try TableMaker.add(
        [column], to: plan.table, mapping: plan.mapping,
        automaticColumns: plan.settings.automaticColumns, on: $0)
    }
  }

  /// Gives the table another name in the file.
  ///
  /// - Returns: whether there was a table.
  @discardableResult
  public func alterRename(to newName: String) throws -> Bool {
    let plan = try plan()
    return try database.writing { try TableMaker.rename(table: plan.table, to: newName, on: $0) }
  }
}
