/// Which row a model is.
enum Identity {
  case rowID(Int64)
  /// Columns that are unique together, none of them NULL in the model.
  case columns([Column])
}

extension TablePlan {
  /// The row's number that a model carries; nil where it was in no table of this database.
  @inline(__always)
  func rowID(of memory: ModelMemory) throws -> Int64? {
    if let column = mapping.declared(.pkid), let access = column.access {
      guard case .integer(let number) = try value(of: column, in: memory) else { return nil }
      return number == 0 && !access.isOptional ? nil : number
    }
    guard let object = memory.object, let row = ObjectKeeper.shared.row(of: object),
      row.database == settings.database || row.database == 0
    else { return nil }
    return row.pkid
  }

  /// What says which row a model is: pkid, else the model's own key, else the first property that
  /// is unique by itself. A key that holds nil is none.
  func identity(of memory: ModelMemory, _ rows: RowPlan) throws -> Identity? {
    if rows.rowID != nil, let number = try rowID(of: memory) { return .rowID(number) }
    let key = mapping.primaryKey.filter { $0 !== mapping.rowIDColumn }
    if !key.isEmpty, try hasValues(key, in: memory) { return .columns(key) }
    for column in mapping.uniqueColumns where try hasValues([column], in: memory) {
      return .columns([column])
    }
    return nil
  }

  func hasValues(_ columns: [Column], in memory: ModelMemory) throws -> Bool {
    try columns.allSatisfy { try value(of: $0, in: memory) != .null }
  }

  func values(of columns: [Column], in memory: ModelMemory) throws -> [XTValue] {
    try columns.map { try value(of: $0, in: memory) }
  }

  @inline(__always)
  private func value(of column: Column, in memory: ModelMemory) throws -> XTValue {
    do {
      return try column.access?.value(from: memory.base) ?? .null
    } catch let failure as ColumnFailure {
      throw failure.error(table: table, column: column.name)
    }
  }

  func noIdentity(_ verb: String) -> XTError {
    XTError(
      .noIdentity, "\(verb) can't tell which row of \(table) the model is.",
      hint: "Declare var pkid: Int64? and use a model that was inserted or found, give the type a "
        + "key in xt_primaryKey or a .unique property, or name properties in by:.",
      table: table)
  }
}
