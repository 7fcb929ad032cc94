extension XTTransaction {
  /// The table of a model, with every verb; its calls are part of the transaction.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - name: the table's name where it is not the model's own.
  public func table<Model: XTModel>(_ type: Model.Type, named name: String? = nil) -> XTTable<Model>
  {
    database.table(type, named: name)
  }

  /// Runs SQL in the transaction: one statement, or several in order.
  ///
  /// ```swift
  /// try transaction.execute("UPDATE Person SET age = age + 1 WHERE pkid = \(pkid)")
  /// ```
  ///
  /// - Returns: how many rows were changed.
  /// - Throws: what SQLite says of the SQL. Statements before the one that failed stay done.
  @discardableResult
  public func execute(_ sql: XTSQL) throws -> Int {
    try database.execute(sql)
  }

  /// The first value of the first row of any statement; nil where it gives no row.
  @discardableResult
  public func anyFunc(sql: XTSQL) throws -> XTValue? {
    try database.anyFunc(sql: sql)
  }

  /// All rows of any one statement, with names and values; see `rows(_:)`.
  public func rows(_ sql: XTSQL) throws -> [XTRow] {
    try database.rows(sql)
  }

  /// All rows of any one statement as values of a `Decodable` type, by the names of the columns; see
  /// `rows(_:as:)`.
  @_disfavoredOverload
  public func rows<Row: Decodable>(_ sql: XTSQL, as type: Row.Type) throws -> [Row] {
    try database.rows(sql, as: type)
  }

  /// All rows of any one statement as models.
  public func rows<Model: XTModel>(_ sql: XTSQL, as type: Model.Type) throws -> [Model] {
    try database.rows(sql, as: type)
  }

  /// The columns of all rows of any one statement, each as the type at its place; see
  /// `select(_:as:)`.
  public func select<each V>(
    _ sql: XTSQL, as types: repeat (each V).Type
  ) throws -> [(repeat each V)] {
    try database.select(sql, as: repeat each types)
  }
}
