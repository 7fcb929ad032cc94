extension XTConnection {
  /// Runs SQL on this connection: one statement, or several in order.
  ///
  /// - Returns: How many rows were changed.
  /// - Throws: ``XTError``: what SQLite says of the SQL; `readOnly` for a write to the file where
  ///   ``isReader`` is true.
  @discardableResult
  public func execute(_ sql: XTSQL) throws -> Int {
    let fragment = try sql.resolved()
    return try connection.executeScript(fragment.text, fragment.values)
  }

  /// The first value of the first row of a statement that is run on this connection; nil where it
  /// gives no row.
  ///
  /// - Throws: As ``execute(_:)``.
  public func value(_ sql: XTSQL) throws -> XTValue? {
    let fragment = try sql.resolved()
    return try connection.firstValue(fragment.text, fragment.values)
  }

  /// All rows of any one statement that is run on this connection, with names and values.
  ///
  /// - Throws: As ``execute(_:)``.
  public func rows(_ sql: XTSQL) throws -> [XTRow] {
    try all(sql, .row)
  }

  /// All rows of any one statement as values of a `Decodable` type, by the names of the columns; see
  /// `rows(_:as:)`.
  ///
  /// - Throws: As ``execute(_:)``; `unknownColumn`, `decoding` and `valueOutOfRange` for a row that
  ///   is none of the type's.
  public func rows<Row: Decodable>(_ sql: XTSQL, as type: Row.Type) throws -> [Row] {
    try all(sql, .decoding(nil))
  }

  /// The columns of all rows of any one statement, each as the type at its place; see
  /// `select(_:as:)`.
  ///
  /// - Throws: As ``execute(_:)``; `decoding` and `valueOutOfRange`.
  public func select<each V>(
    _ sql: XTSQL, as types: repeat (each V).Type
  ) throws -> [(repeat each V)] {
    try all(sql, .columns(repeat each types))
  }

  private func all<Element>(_ sql: XTSQL, _ maker: RowMaker<Element>) throws -> [Element] {
    let fragment = try sql.resolved()
    var rows: [Element] = []
    var hasBegun = false
    try connection.withStatement(fragment.text) { statement in
      try connection.answer(statement, fragment.values, maker, &hasBegun) {
        rows = try $0.all()
      }
    }
    return rows
  }
}
