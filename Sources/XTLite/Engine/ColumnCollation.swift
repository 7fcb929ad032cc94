extension Connection {
  /// The collation that a table's column was declared with, `BINARY` where with none; nil where
  /// there is no such column, and for a view's.
  func collation(ofColumn column: String, in table: String) -> String? {
    guard isOpen else { return nil }
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      handle, nil, table, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return nil }
    return String(cString: name)
  }
}
