extension TableShape {
  /// Says of an error what the table has to do with it.
  @inline(never)
  func explained(_ error: any Error) -> any Error {
    let error = TableCompanions.explained(error, table, mapping, on: nil)
    guard var error = error as? XTError, error.hint == nil else { return error }
    switch error.kind {
    case .constraint(.primaryKey) where has(.isDel):
      error.hint = "the number is taken; leave it nil to have the next one, or use save or upsert"
    case .constraint(.unique) where has(.isDel):
      // UNIQUE spans soft-deleted rows too, which a caller cannot see.
      error.hint =
        "soft-deleted rows count too: a row that scope .live does not show may hold the "
        + "value; for a key among live rows only, declare "
        + "XTIndex(…, unique: true, scope: .live) in xt_indexes instead"
    case .constraint(.notNull):
      error.hint = hintForNull(error)
    default: break
    }
    return error
  }

  /// The same of a name that is no column: another program's table has no automatic columns.
  @inline(never)
  func explainedName(_ error: any Error) -> any Error {
    guard var error = error as? XTError, error.kind == .unknownColumn, exists,
      let name = error.column.map(SQLiteName.init),
      let role = ColumnRole.automatic.first(where: {
        $0.automaticName.map(SQLiteName.init) == name
      }), !has(role)
    else { return error }
    error.table = error.table ?? table
    error.hint =
      "the upgrade step $0.addAutomaticColumns() adds it and its like to this table, which another "
      + "program made"
    return error
  }

  /// A property that became optional while its column stayed as it was.
  private func hintForNull(_ error: XTError) -> String? {
    guard error.table.map(SQLiteName.init) == SQLiteName(table),
      let column = error.column.flatMap(mapping.column), column.isOptional, column.access != nil
    else { return nil }
    return "the property is optional, and its column takes no NULL: an upgrade step "
      + "$0.change(\\.\(column.property)) makes it as the model declares it"
  }
}
