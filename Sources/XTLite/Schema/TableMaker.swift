/// Makes tables, and brings those that are there up to their models.
enum TableMaker {
  /// What a write verb calls once for each table after opening: makes the table where it is
  /// missing, adds what it lacks, and gives rows a value that an earlier addition left NULL.
  ///
  /// Where there is nothing to do it only reads. Otherwise it writes in a transaction of its own,
  /// or in a savepoint of the one that is open.
  ///
  /// - Parameters:
  ///   - automaticColumns: `XTConfiguration.automaticColumns`.
  ///   - automaticAdditions: `XTConfiguration.automaticAdditions`.
  /// - Returns: What the table has then.
  static func prepareForWriting(
    table: String, mapping: ModelMapping, automaticColumns: Bool, automaticAdditions: Bool,
    on connection: Connection
  ) throws -> TableShape {
    try TableDefinition.checkName(table)
    let shape = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
    guard shape.exists else {
      guard automaticAdditions else {
        throw XTError(
          .schema, "there is no table `\(table)`, and automaticAdditions is off",
          hint: "make it with xt_createTable(), or in an upgrade", table: table)
      }
      try create(
        table: table, mapping: mapping, automaticColumns: automaticColumns, on: connection)
      return try SchemaReader.shape(of: table, mapping: mapping, on: connection)
    }
    if !shape.isOwn { try refuseView(table, on: connection) }
    try TableCompanions.refuse(table, on: connection)

    func additions(to shape: TableShape) throws -> TableAdditions? {
      guard shape.isOwn, automaticAdditions else { return nil }
      try checkKey(of: shape)
      let definition = try TableDefinition(
        table: table, mapping: mapping, automaticColumns: automaticColumns)
      // A table that was made without pkid stays without, unless the model declares it.
      let wanted = definition.columns.filter { !$0.isRowID || $0.column.access != nil }
      return try TableAdditions(
        of: wanted, to: shape, definition: definition, includesIndexes: true, on: connection)
    }
    // Another program's table gets nothing beside it that nobody asked for.
    let keepsCompanions = shape.isOwn && automaticAdditions
    if try additions(to: shape)?.isEmpty ?? true,
      try !TableFiller(shape: shape).isNeeded(on: connection),
      try !keepsCompanions || !TableCompanions.areMissing(shape, on: connection)
    {
      return shape
    }
    return try connection.inTransaction {
      // Another process may have come first; only what is read under the write lock counts.
      let shape = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
      try additions(to: shape)?.apply(automaticColumns: automaticColumns, on: connection)
      try TableFiller(shape: shape).fillAll(on: connection)
      let filled = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
      if keepsCompanions { try TableCompanions.prepare(filled, on: connection) }
      return filled
    }
  }

  /// Makes the table with its indexes, and the tables that it refers to where they are missing.
  ///
  /// - Returns: Whether it did; false where the table is there.
  @discardableResult
  static func create(
    table: String, mapping: ModelMapping, automaticColumns: Bool, on connection: Connection
  ) throws -> Bool {
    try TableDefinition.checkName(table)
    if try SchemaReader.tableExists(table, on: connection) {
      try TableCompanions.refuse(table, on: connection)
      return false
    }
    let definition = try TableDefinition(
      table: table, mapping: mapping, automaticColumns: automaticColumns)
    return try connection.inTransaction {
      if try SchemaReader.tableExists(table, on: connection) { return false }
      try connection.run(try definition.createTable())
      try SchemaRecord.addTable(table, mapping: mapping, on: connection)
      for index in try definition.indexes(mark: definition.deletionMark) {
        try createIndex(index, on: connection)
      }
      try createParents(of: definition, automaticColumns: automaticColumns, on: connection)
      if mapping.modelType.xt_search.isDeclared {
        try TableCompanions.prepare(
          try SchemaReader.shape(of: table, mapping: mapping, on: connection), on: connection)
      }
      return true
    }
  }

  /// Makes the tables that `definition` refers to where they are missing: without them SQLite
  /// refuses every row, also one that refers to nothing.
  static func createParents(
    of definition: TableDefinition, automaticColumns: Bool, on connection: Connection
  ) throws {
    for parent in definition.parents where parent != definition.mapping.modelType {
      let parent = try ModelMapping.of(parent)
      try create(
        table: parent.tableName, mapping: parent, automaticColumns: automaticColumns,
        on: connection)
    }
  }

  /// Adds those of `columns` that the table lacks, whoever made it, with a value for each row there
  /// is. The table must be there.
  ///
  /// - Parameter automaticColumns: As in `create`, for tables that a new column refers to.
  /// - Returns: Whether one was added.
  @discardableResult
  static func add(
    _ columns: [Column], to table: String, mapping: ModelMapping, automaticColumns: Bool,
    on connection: Connection
  ) throws -> Bool {
    try connection.inTransaction {
      let shape = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
      guard shape.exists else {
        throw XTError(
          .schema, "there is no table `\(table)`", hint: "make it with xt_createTable()",
          table: table)
      }
      try refuseView(table, on: connection)
      try TableCompanions.refuse(table, on: connection)
      // Whoever asks for an automatic column by name gets it.
      let definition = try TableDefinition(table: table, mapping: mapping, automaticColumns: true)
      let additions = try TableAdditions(
        of: columns.compactMap(definition.definition), to: shape, definition: definition,
        includesIndexes: false, on: connection)
      try additions.apply(automaticColumns: automaticColumns, on: connection)
      return !additions.isEmpty
    }
  }

  /// Drops the table, and what is recorded about it.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  static func drop(table: String, on connection: Connection) throws -> Bool {
    guard try SchemaReader.tableExists(table, on: connection) else {
      // Another program may have dropped it alone.
      try TableCompanions.remove(from: table, on: connection)
      return false
    }
    return try connection.inTransaction {
      try refuseView(table, on: connection)
      try TableCompanions.refuse(table, on: connection)
      try TableCompanions.remove(from: table, on: connection)
      try connection.run("DROP TABLE IF EXISTS \(quoted(table))")
      try SchemaRecord.forget(table, on: connection)
      return true
    }
  }

  /// Renames the table, and what is recorded about it.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  static func rename(table: String, to newName: String, on connection: Connection) throws -> Bool {
    guard try SchemaReader.tableExists(table, on: connection) else { return false }
    try TableDefinition.checkName(newName)
    return try connection.inTransaction {
      try TableCompanions.refuse(table, on: connection)
      try TableCompanions.refuse(newName, on: connection)
      try TableCompanions.removeOrphans(on: connection)
      try TableCompanions.remove(from: table, on: connection)
      try connection.run("ALTER TABLE \(quoted(table)) RENAME TO \(quoted(newName))")
      try SchemaRecord.rename(table, to: newName, on: connection)
      return true
    }
  }

  /// Creates the index under a name that is free: an index's name belongs to the whole file.
  static func createIndex(_ index: IndexDefinition, on connection: Connection) throws {
    var name = index.name
    var number = 2
    while let owner = try SchemaReader.owner(ofName: name, on: connection) {
      if index.isNameGiven, SQLiteName(owner) == SQLiteName(index.table) {
        throw XTError(
          .upgrade, "the index `\(name)` of `\(index.table)` is another one than the model's",
          hint: "drop it in an upgrade step, $0.dropIndex(\"\(name)\"), or give the model's index a"
            + " new name",
          table: index.table)
      }
      name = "\(index.name)_\(number)"
      number += 1
    }
    do {
      try connection.run(index.sql(named: name))
    } catch let error as XTError where error.kind == .constraint(.unique) {
      let columns = index.terms.map(\.column).joined(separator: ", ")
      throw XTError(
        .upgrade, "\(columns) of `\(index.table)` cannot be unique: rows there are hold the same",
        hint: "give the rows different values in an upgrade step first, $0.run(\"…\") or $0.fill",
        table: index.table,
        column: columns, sql: error.sql)
    }
  }

  /// A view gives rows and takes none.
  static func refuseView(_ table: String, on connection: Connection) throws {
    guard try SchemaReader.kind(of: table, on: connection) == .view else { return }
    throw XTError(
      .schema, "`\(table)` is a view: its rows can be read, and not written",
      hint: "write to the tables that the view is made of", table: table)
  }

  /// The key of a table cannot be changed by itself.
  private static func checkKey(of shape: TableShape) throws {
    let mapping = shape.mapping
    let fileKey = shape.rowIDName
    if let key = mapping.rowIDColumn {
      guard fileKey.map(SQLiteName.init) != SQLiteName(key.name) else { return }
      let other = fileKey.map { "`\($0)`" } ?? "none"
      throw keyError(
        "the key of `\(shape.table)` is \(other), and the model's is `\(key.name)`", key.name,
        shape)
    }
    if let fileKey,
      let column = mapping.columns.first(where: { SQLiteName($0.name) == SQLiteName(fileKey) }),
      column.role == .property
    {
      throw keyError(
        "`\(column.name)` is the key of `\(shape.table)`, and not the model's", column.name, shape)
    }
  }

  private static func keyError(
    _ message: String, _ column: String, _ shape: TableShape
  ) -> XTError {
    XTError(
      .upgrade, message,
      hint:
        "name the file's key in xt_primaryKey, or write an upgrade step: $0.change(\\.\(column))",
      table: shape.table, column: column)
  }
}
