/// Which row a model is.
struct Identity {
  let key: RowKey
  /// The row's number, where that is the key.
  var number: Int64?

  /// Binds what finds the row to the parameters from `first` on.
  func bind(
    _ memory: ModelMemory, to statement: Statement, at first: Int, through buffer: BindingBuffer
  ) throws {
    if let number {
      try statement.bind(int64: number, at: first)
    } else {
      try key.bind(from: memory.base, to: statement, at: first, through: buffer)
    }
  }
}

extension TablePlan {
  /// The row's number that a model carries; nil where it was in no table of this database.
  @inline(__always)
  func number(of memory: ModelMemory) throws -> Int64? {
    guard let column = numberColumn, let access = column.access else { return keptNumber(memory) }
    do {
      guard case .integer(let number) = try access.value(from: memory.base) else { return nil }
      return number == 0 && !access.isOptional ? nil : number
    } catch {
      throw located(error, column)
    }
  }

  @inline(__always)
  private func keptNumber(_ memory: ModelMemory) -> Int64? {
    guard let object = memory.object, let row = ObjectKeeper.shared.row(of: object),
      row.database == settings.database || row.database == 0
    else { return nil }
    return row.pkid
  }

  /// What says which row a model is: pkid, else the model's own key, else the first property that
  /// is unique by itself. A key that holds nil is none.
  @inline(__always)
  func identity(of memory: ModelMemory, _ rows: RowPlan) throws -> Identity? {
    if let key = rows.byNumber, let number = try number(of: memory) {
      return Identity(key: key, number: number)
    }
    for key in rows.ownKeys where try hasValues(key, in: memory) { return Identity(key: key) }
    return nil
  }

  /// The rows that a verb's `by:` names.
  ///
  /// - Throws: `noIdentity` where the model holds nil there, which is equal to nothing.
  func identity(by key: RowKey, of memory: ModelMemory, _ verb: String) throws -> Identity {
    if key.columns.isEmpty {
      if let number = try number(of: memory) { return Identity(key: key, number: number) }
    } else if try hasValues(key, in: memory) {
      return Identity(key: key)
    }
    let columns = key.columns.isEmpty ? [mapping.rowID] : key.columns
    throw XTError(
      .noIdentity, "\(verb) can't find a row of \(table) by nil",
      hint: "give \(columns.map(\.property).joined(separator: ", ")) a value first",
      table: table, column: columns.map(\.name).joined(separator: ", "))
  }

  private func hasValues(_ key: RowKey, in memory: ModelMemory) throws -> Bool {
    try key.columns.allSatisfy { column in
      guard let access = column.access else { return false }
      // What can't be nil needs no look; a type of the user's own may well be NULL in the file.
      if !access.isOptional, access.kind != .coded { return true }
      do {
        return try access.value(from: memory.base) != .null
      } catch {
        throw located(error, column)
      }
    }
  }

  private func located(_ error: any Error, _ column: Column) -> any Error {
    (error as? ColumnFailure)?.error(table: table, column: column.name) ?? error
  }

  func noIdentity(_ verb: String) -> XTError {
    XTError(
      .noIdentity, "\(verb) can't tell which row of \(table) the model is",
      hint: "declare var pkid: Int64? and use a model that was inserted or found, give the type a "
        + "key in xt_primaryKey or a .unique property, or name properties in by:; a key counts "
        + "where it is unique in the file too: one that was declared later needs an upgrade",
      table: table)
  }
}
