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
}
