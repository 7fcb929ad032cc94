extension XTModel {
  /// The model's table in the current database: that of the block which runs on this thread, else
  /// `XTDatabase.shared`.
  @inline(__always)
  static var currentTable: XTTable<Self> {
    get throws { XTTable(database: try XTDatabase.current(), name: nil) }
  }
}

extension XTModel {
  /// Makes the model's table, with its indexes.
  ///
  /// - Returns: whether it did: false where the table is there.
  @discardableResult
  public static func xt_createTable() throws -> Bool {
    try currentTable.create()
  }

  /// Whether the model's table is in the file.
  public static func xt_tableIsExist() throws -> Bool {
    try currentTable.exists()
  }

  /// Makes the model's table where it is missing, as write verbs do by themselves.
  ///
  /// - Returns: whether it did.
  @discardableResult
  public static func xt_autoCreateIfNotExist() throws -> Bool {
    try currentTable.autoCreateIfNotExist()
  }

  /// Removes the model's table with all its rows.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public static func xt_dropTable() throws -> Bool {
    try currentTable.drop()
  }

  /// Adds a property's column to the table. `XTDatabase.upgrade` is the usual way.
  ///
  /// - Returns: whether it did: false where the column is there.
  @discardableResult
  public static func xt_alterAddColumn(_ property: PartialKeyPath<Self>) throws -> Bool {
    try currentTable.alterAddColumn(property)
  }

  /// Gives the table another name in the file. The model still goes by its own: state
  /// `xt_tableName` to use the new one.
  ///
  /// - Returns: whether there was a table.
  @discardableResult
  public static func xt_alterRenameToNewTableName(_ name: String) throws -> Bool {
    try currentTable.alterRename(to: name)
  }
}
