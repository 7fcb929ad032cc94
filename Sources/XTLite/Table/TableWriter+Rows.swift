// What each verb does with one model's row, alone or in a list.
extension TableWriter {
  /// Adds a row.
  ///
  /// - Returns: nil where `conflict` let something be in its way.
  @inline(__always)
  func insert(
    _ memory: ModelMemory, _ conflict: StatementBuilder.Conflict = .fail
  ) throws -> WrittenRow? {
    let insertion = try insertion()
    let given = try plan.number(of: memory)
    if !rows.numbersRows, insertion.bindsNumber, given == nil { throw numberNeeded() }
    try insertion.run(
      try statement(insertion.statement(conflict)), memory.base, rowID: given, time: time,
      through: buffer)
    if connection.changes == 0 {
      if conflict == .ignore { return nil }
      throw refusedByTrigger()
    }
    // A number that the table has no place for is not the row's.
    let own = insertion.bindsNumber ? given ?? 0 : 0
    let number = rows.numbersRows ? connection.lastInsertRowID : own
    try plan.checkFit(number)
    let row = WrittenRow(result: .inserted(pkid: number), createTime: time)
    note(row, of: memory)
    return row
  }

  /// Writes the model over the row that it is, or over those that `by:` finds.
  ///
  /// - Returns: how many rows there were.
  @inline(__always)
  func update(_ memory: ModelMemory) throws -> Int {
    if only != nil || !rows.homeless.isEmpty { try rows.checkPlaces(of: only) }
    if only != nil { try rows.checkWritable(only) }
    let identity = try identity(of: memory)
    let change = identity.key.change(only: only)
    let count = try change.run(
      try statement(change.statement()), memory.base, rowID: identity.number, time: time,
      through: buffer, on: connection)
    // What `by:` finds need not be the object's own row.
    if count > 0, key == nil || identity.number != nil {
      note(WrittenRow(result: .updated(pkids: [])), of: memory)
    }
    return count
  }

  /// Writes the model over the rows that are it, which are live then, or adds one.
  func upsert(_ memory: ModelMemory) throws -> WrittenRow {
    try change(identity(of: memory), memory, restores: true) ?? add(memory)
  }

  /// Writes the model over the row that it is, or adds one.
  func save(_ memory: ModelMemory) throws -> WrittenRow {
    try plan.identity(of: memory, rows).flatMap { try change($0, memory) } ?? add(memory)
  }

  /// The same, and rows that are in the way of a unique key go.
  func replace(_ memory: ModelMemory) throws -> WrittenRow {
    try plan.identity(of: memory, rows).flatMap { try change($0, memory, .replace) }
      ?? add(memory, .replace)
  }

  /// - Returns: whether there was a row.
  func delete(_ memory: ModelMemory) throws -> Bool {
    let identity = try identity(of: memory)
    return try run(identity.key.deletion, identity, memory)
  }

  /// Marks the row as deleted, or takes the mark away.
  ///
  /// - Returns: whether the row changed.
  func mark(_ memory: ModelMemory, isDeleted: Bool) throws -> Bool {
    guard rows.telling.hasIsDel else { throw DeletionMark.isMissing(in: rows.shape.table) }
    let identity = try identity(of: memory)
    let key = isDeleted ? identity.key.softDeletion : identity.key.restoration
    let isChanged = try run(key, identity, memory) {
      try rows.updateTime.bind(time, to: $0, at: 1)
    }
    if isChanged {
      note(WrittenRow(result: .updated(pkids: []), isDeleted: isDeleted), of: memory)
    }
    return isChanged
  }
}

extension TableWriter {
  @inline(__always)
  private func identity(of memory: ModelMemory) throws -> Identity {
    if let key { return try plan.identity(by: key, of: memory, verb) }
    guard let identity = try plan.identity(of: memory, rows) else { throw plan.noIdentity(verb) }
    return identity
  }

  /// Adds a row where nothing but an error can be in the way.
  private func add(
    _ memory: ModelMemory, _ conflict: StatementBuilder.Conflict = .fail
  ) throws -> WrittenRow {
    guard let row = try insert(memory, conflict) else { throw refusedByTrigger() }
    return row
  }

  /// - Returns: nil where there is no such row.
  private func change(
    _ identity: Identity, _ memory: ModelMemory, _ conflict: StatementBuilder.Conflict = .fail,
    restores: Bool = false
  ) throws -> WrittenRow? {
    try rows.checkPlaces(of: nil)
    let found = try numbers(of: identity, memory)
    guard !found.isEmpty else { return nil }
    // By number, so that the columns which found the rows are written too.
    let key = rows.byNumber ?? identity.key
    let change = restores ? key.restoringChange : key.change
    let statement = try statement(change.statement(conflict))
    for row in rows.byNumber == nil ? found.prefix(1) : found[...] {
      _ = try change.run(
        statement, memory.base, rowID: row.number, time: time, through: buffer, on: connection)
    }
    let row = WrittenRow(
      result: .updated(pkids: found.compactMap(\.number)), createTime: found[0].createTime,
      isDeleted: restores ? false : nil)
    note(row, of: memory)
    return row
  }

  private func numbers(
    of identity: Identity, _ memory: ModelMemory
  ) throws -> [(number: Int64?, createTime: Double?)] {
    let statement = try statement(identity.key.lookup)
    defer {
      statement.reset()
      buffer.reuse()
    }
    try identity.bind(memory, to: statement, at: 1, through: buffer)
    var found: [(number: Int64?, createTime: Double?)] = []
    while try statement.step() {
      found.append((statement.column(0).value.int64, statement.column(1).value.double))
    }
    return found
  }

  /// Runs a statement that finds the row last.
  ///
  /// - Parameter bind: binds what stands before that, and gives the parameter after it.
  private func run(
    _ key: StatementKey, _ identity: Identity, _ memory: ModelMemory,
    bindingFirst bind: (Statement) throws -> Int = { _ in 1 }
  ) throws -> Bool {
    let statement = try statement(key)
    try identity.bind(memory, to: statement, at: try bind(statement), through: buffer)
    defer {
      statement.reset()
      buffer.reuse()
    }
    try statement.run()
    return connection.changes > 0
  }

  @inline(never)
  private func refusedByTrigger() -> XTError {
    XTError(
      .constraint(.trigger), "a trigger of \(plan.table) left the row out",
      hint: "insertOrIgnore() says whether a row was added", table: plan.table)
  }

  @inline(never)
  private func numberNeeded() -> XTError {
    let name = plan.mapping.rowID.name
    return XTError(
      .noIdentity, "\(plan.table) gives no numbers, and \(name) is not set",
      hint: "\(name) is not the table's INTEGER PRIMARY KEY: set it before the insert",
      table: plan.table, column: name)
  }
}
