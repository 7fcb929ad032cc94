extension XTModel {
  /// Adds a row for the model and writes its pkid and both times back.
  ///
  /// ```swift
  /// var kobe = Person(name: "mamba", age: 24)
  /// try kobe.xt_insert()             // kobe.pkid is set
  /// ```
  ///
  /// - Returns: the row's pkid: the model's own where it is set, else the next one.
  /// - Throws: `XTError` of kind `constraint` where the row would break one, also for a pkid that
  ///   is taken; `valueOutOfRange` for a value that can't be stored.
  @discardableResult
  public mutating func xt_insert() throws -> Int64 {
    try Self.currentTable.insert(&self)
  }

  /// Adds a row with just these properties; the file's defaults fill the other columns.
  ///
  /// A property for which the file has no default, and that is never NULL (a UUID, a Date that is
  /// not optional), is written too.
  ///
  /// - Returns: the row's pkid.
  @discardableResult
  public mutating func xt_insert(only properties: PartialKeyPath<Self>...) throws -> Int64 {
    try Self.currentTable.insertRow(&self, only: properties) ?? 0
  }

  /// Adds a row for the model unless a constraint is in the way.
  ///
  /// - Returns: whether a row was added.
  @discardableResult
  public mutating func xt_insertOrIgnore() throws -> Bool {
    try Self.currentTable.insertOrIgnore(&self)
  }

  /// Writes the model over the row that it is, which keeps its pkid, createTime and the columns
  /// that this program doesn't know; or adds a row. Rows in the way of a unique property go.
  ///
  /// - Returns: the row's pkid.
  @discardableResult
  public mutating func xt_insertOrReplace() throws -> Int64 {
    try Self.currentTable.insertOrReplace(&self)
  }

  /// Adds rows for all models in one transaction, and writes pkids and times back.
  ///
  /// - Returns: how many rows were added.
  /// - Throws: as `xt_insert()`; the table is then as it was, and no model was touched.
  @discardableResult
  public static func xt_insertList(_ models: inout [Self]) throws -> Int {
    try currentTable.insertList(&models)
  }

  /// Adds rows for all models in one transaction. Values are not written back to, objects are.
  ///
  /// - Returns: how many rows were added.
  @discardableResult
  public static func xt_insertList(_ models: some Sequence<Self>) throws -> Int {
    try currentTable.insertList(models)
  }

  /// Adds rows for all models with just these properties.
  @discardableResult
  public static func xt_insertList(
    _ models: some Sequence<Self>, only properties: PartialKeyPath<Self>...
  ) throws -> Int {
    try currentTable.insertRows(models, only: properties)
  }

  /// Adds rows for those models that no constraint is in the way of.
  ///
  /// - Returns: how many rows were added.
  @discardableResult
  public static func xt_insertOrIgnoreList(_ models: inout [Self]) throws -> Int {
    try currentTable.insertOrIgnoreList(&models)
  }

  /// The same for any sequence; values are not written back to.
  @discardableResult
  public static func xt_insertOrIgnoreList(_ models: some Sequence<Self>) throws -> Int {
    try currentTable.insertOrIgnoreList(models)
  }

  /// Writes each model over the row that it is, or adds a row, in one transaction.
  ///
  /// - Returns: how many models were written.
  @discardableResult
  public static func xt_insertOrReplaceList(_ models: inout [Self]) throws -> Int {
    try currentTable.insertOrReplaceList(&models)
  }

  /// The same for any sequence; values are not written back to.
  @discardableResult
  public static func xt_insertOrReplaceList(_ models: some Sequence<Self>) throws -> Int {
    try currentTable.insertOrReplaceList(models)
  }
}

extension XTModel where Self: AnyObject {
  /// Adds a row for the object, which knows its pkid and times from then on.
  ///
  /// - Returns: the row's pkid.
  @discardableResult
  public func xt_insert() throws -> Int64 {
    try Self.currentTable.insert(self)
  }

  /// Adds a row with just these properties; the file's defaults fill the other columns.
  @discardableResult
  public func xt_insert(only properties: PartialKeyPath<Self>...) throws -> Int64 {
    var object = self
    return try Self.currentTable.insertRow(&object, only: properties) ?? 0
  }

  /// Adds a row for the object unless a constraint is in the way.
  @discardableResult
  public func xt_insertOrIgnore() throws -> Bool {
    try Self.currentTable.insertOrIgnore(self)
  }

  /// Writes the object over the row that it is, or adds a row.
  @discardableResult
  public func xt_insertOrReplace() throws -> Int64 {
    try Self.currentTable.insertOrReplace(self)
  }
}
