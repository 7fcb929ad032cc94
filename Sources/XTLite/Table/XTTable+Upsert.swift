import Foundation

extension XTTable {
  /// Updates the rows that hold the same values in these properties, or adds a row where none does.
  ///
  /// pkid, createTime and columns that the model doesn't know are kept; a soft-deleted row is live
  /// again. Without properties the model's identity decides: pkid, else its own key, else its first
  /// unique property.
  ///
  /// ```swift
  /// try people.upsert(&person, by: \.name)
  /// ```
  ///
  /// - Returns: whether a row was added, or which were changed.
  /// - Throws: `noIdentity` where the model has none, or holds nil in one of `properties`.
  @discardableResult
  public func upsert(_ model: inout Model, by properties: PartialKeyPath<Model>...) throws -> XTUpserted {
    try upsert(&model, by: properties)
  }

  /// Upserts all models, in their order and in one transaction, and tells each its pkid and times.
  ///
  /// - Returns: for each model what was done.
  /// - Throws: as ``upsert(_:by:)``; the table is then as it was, and no model was touched.
  @discardableResult
  public func upsertList(
    _ models: inout [Model], by properties: PartialKeyPath<Model>...
  ) throws -> [XTUpserted] {
    try upsertAll(&models, by: properties)
  }

  /// The same for any sequence; values are not written back to, objects are.
  @discardableResult
  public func upsertList(
    _ models: some Sequence<Model>, by properties: PartialKeyPath<Model>...
  ) throws -> [XTUpserted] {
    var models = Array(models)
    return try upsertAll(&models, by: properties)
  }

  /// Updates the row that the model is, where that is in the table; else adds one.
  ///
  /// - Returns: whether a row was added, or which was changed.
  @discardableResult
  public func save(_ model: inout Model) throws -> XTUpserted {
    try saveOne(&model)
  }

  /// Writes the model over the row that it is, or adds a row; rows that stand in the way of one of
  /// its unique properties go.
  ///
  /// The row that the model is keeps its pkid, its createTime and the columns that this program
  /// doesn't know.
  ///
  /// - Returns: the row's pkid.
  @discardableResult
  public func insertOrReplace(_ model: inout Model) throws -> Int64 {
    try replaceOne(&model)
  }

  /// The same for all models, in one transaction.
  ///
  /// - Returns: how many models were written.
  @discardableResult
  public func insertOrReplaceList(_ models: inout [Model]) throws -> Int {
    try inOneTransaction(&models) { try replace($0, $1, $2, $3, $4) }.count
  }

  /// The same for any sequence; values are not written back to, objects are.
  @discardableResult
  public func insertOrReplaceList(_ models: some Sequence<Model>) throws -> Int {
    var models = Array(models)
    return try insertOrReplaceList(&models)
  }
}

extension XTTable where Model: AnyObject {
  /// Updates the rows that hold the same values in these properties, or adds a row where none does.
  @discardableResult
  public func upsert(_ object: Model, by properties: PartialKeyPath<Model>...) throws -> XTUpserted {
    var object = object
    return try upsert(&object, by: properties)
  }

  /// Updates the row that the object is, where that is in the table; else adds one.
  @discardableResult
  public func save(_ object: Model) throws -> XTUpserted {
    var object = object
    return try save(&object)
  }

  /// Writes the object over the row that it is, or adds a row.
  @discardableResult
  public func insertOrReplace(_ object: Model) throws -> Int64 {
    var object = object
    return try insertOrReplace(&object)
  }
}

// MARK: -

/// What happened to one model's row, to be told to the model once all of it is there.
struct WrittenRow {
  var result: XTUpserted
  var createTime: Double?
  var updateTime: Double
  var isRestored = false
}

extension XTTable {
  func upsert(_ model: inout Model, by properties: [PartialKeyPath<Model>]) throws -> XTUpserted {
    try inTransaction(&model) { try upsert($0, by: properties, $1, $2, $3, $4) }
  }

  func saveOne(_ model: inout Model) throws -> XTUpserted {
    try inTransaction(&model) { try save($0, $1, $2, $3, $4) }
  }

  func replaceOne(_ model: inout Model) throws -> Int64 {
    try inTransaction(&model) { try replace($0, $1, $2, $3, $4) }.pkids.first ?? 0
  }

  func upsertAll(
    _ models: inout [Model], by properties: [PartialKeyPath<Model>]
  ) throws -> [XTUpserted] {
    try inOneTransaction(&models) { try upsert($0, by: properties, $1, $2, $3, $4) }
  }

  // MARK: One row

  private func upsert(
    _ memory: ModelMemory, by properties: [PartialKeyPath<Model>], _ time: Double,
    _ plan: TablePlan, _ rows: RowPlan, _ connection: Connection
  ) throws -> WrittenRow {
    let identity: Identity
    if properties.isEmpty {
      guard let own = try plan.identity(of: memory, rows) else { throw plan.noIdentity("upsert") }
      identity = own
    } else {
      let columns = try plan.declaredColumns(properties)
      guard try plan.hasValues(columns, in: memory) else {
        var error = plan.noIdentity("upsert")
        error.message = "upsert can't find a row of \(plan.table) by nil."
        error.hint = "Give \(columns.map(\.property).joined(separator: ", ")) a value first."
        error.column = columns.map(\.name).joined(separator: ", ")
        throw error
      }
      identity = .columns(columns)
    }
    return try update(identity, memory, restores: true, time, plan, rows, connection)
      ?? insert(memory, .fail, time, plan, rows, connection)
  }

  private func save(
    _ memory: ModelMemory, _ time: Double, _ plan: TablePlan, _ rows: RowPlan,
    _ connection: Connection
  ) throws -> WrittenRow {
    if let identity = try plan.identity(of: memory, rows),
      let written = try update(identity, memory, restores: false, time, plan, rows, connection)
    {
      return written
    }
    return try insert(memory, .fail, time, plan, rows, connection)
  }

  private func replace(
    _ memory: ModelMemory, _ time: Double, _ plan: TablePlan, _ rows: RowPlan,
    _ connection: Connection
  ) throws -> WrittenRow {
    if let identity = try plan.identity(of: memory, rows),
      let written = try update(
        identity, memory, restores: false, conflict: .replace, time, plan, rows, connection)
    {
      return written
    }
    return try insert(memory, .replace, time, plan, rows, connection)
  }

  private func insert(
    _ memory: ModelMemory, _ conflict: StatementBuilder.Conflict, _ time: Double,
    _ plan: TablePlan, _ rows: RowPlan, _ connection: Connection
  ) throws -> WrittenRow {
    let insertion = rows.insertion
    return try connection.withStatement(insertion.statement(conflict)) { statement in
      try insertion.run(
        statement, memory.base, rowID: try plan.rowID(of: memory), time: time,
        through: BindingBuffer())
      let pkid = connection.lastInsertRowID
      try plan.checkRange(pkid)
      return WrittenRow(result: .inserted(pkid: pkid), createTime: time, updateTime: time)
    }
  }

  /// - Returns: nil where no row has this identity.
  private func update(
    _ identity: Identity, _ memory: ModelMemory, restores: Bool,
    conflict: StatementBuilder.Conflict = .fail, _ time: Double, _ plan: TablePlan,
    _ rows: RowPlan, _ connection: Connection
  ) throws -> WrittenRow? {
    let found = try rowsFound(by: identity, memory, plan, rows, connection)
    guard !found.isEmpty else { return nil }
    let change = try rows.change(restores: restores)
    let buffer = BindingBuffer()
    for row in found {
      try connection.withStatement(change.statement(conflict)) { statement in
        _ = try change.run(
          statement, memory.base, rowID: row.pkid, time: time, through: buffer, on: connection)
      }
    }
    return WrittenRow(
      result: .updated(pkids: found.map(\.pkid)), createTime: found.first?.createTime,
      updateTime: time, isRestored: restores)
  }

  private func rowsFound(
    by identity: Identity, _ memory: ModelMemory, _ plan: TablePlan, _ rows: RowPlan,
    _ connection: Connection
  ) throws -> [(pkid: Int64, createTime: Double?)] {
    guard let rowID = rows.rowID else {
      throw XTError(
        .schema, "\(plan.table) has no row numbers, which upsert, save and replace need.",
        hint: "Use insert and update(by:).", table: plan.table)
    }
    let keys: [String]
    let values: [XTValue]
    switch identity {
    case .rowID(let number):
      keys = [rowID]
      values = [.integer(number)]
    case .columns(let columns):
      keys = columns.map(\.quotedName)
      values = try plan.values(of: columns, in: memory)
    }
    let createTime = rows.shape.has(.createTime) ? quoted("xt_createTime") : "NULL"
    return try connection.rows(
      StatementBuilder.select(
        [rowID, createTime], from: quoted(plan.table),
        where: StatementBuilder.equal(keys).joined(separator: " AND ")), values
    ).compactMap { row in
      row[0].int64.map { (pkid: $0, createTime: row[1].double) }
    }
  }

  // MARK: The transaction around it

  private typealias RowWork = (ModelMemory, Double, TablePlan, RowPlan, Connection) throws -> WrittenRow

  private func inTransaction(_ model: inout Model, _ work: RowWork) throws -> XTUpserted {
    let plan = try plan(for: model)
    let time = database.currentTime()
    return try withMemory(&model) { memory in
      try database.writing { connection in
        let (written, rows) = try connection.inTransaction {
          let rows = try plan.rowsForTransaction(connection)
          return (try work(memory, time, plan, rows, connection), rows)
        }
        try tell(memory, written, plan, rows, connection)
        return written.result
      }
    }
  }

  private func inOneTransaction(_ models: inout [Model], _ work: RowWork) throws -> [XTUpserted] {
    let time = database.currentTime()
    return try database.writing { connection in
      var written: [(WrittenRow, TablePlan, RowPlan)] = []
      written.reserveCapacity(models.count)
      try connection.inTransaction {
        for model in models {
          let plan = try plan(for: model)
          let rows = try plan.rowsForTransaction(connection)
          written.append(
            try withMemory(of: model) { (try work($0, time, plan, rows, connection), plan, rows) })
        }
      }
      for (index, (row, plan, rows)) in written.enumerated() {
        try withMemory(&models[index]) { try tell($0, row, plan, rows, connection) }
      }
      return written.map(\.0.result)
    }
  }

  /// Tells the model what its row holds; an object forgets it again where an open transaction rolls
  /// back.
  private func tell(
    _ memory: ModelMemory, _ row: WrittenRow, _ plan: TablePlan, _ rows: RowPlan,
    _ connection: Connection
  ) throws {
    if connection.isInTransaction, let undo = memory.restoring(plan.mapping) {
      connection.onRollback(undo)
    }
    try memory.writeBack(
      pkid: row.result.pkids.first, createTime: row.createTime, updateTime: row.updateTime,
      isDeleted: row.isRestored ? false : nil, plan, rows)
  }
}

extension TablePlan {
  /// - Throws: `valueOutOfRange` where the model's own property could not hold the number.
  func checkRange(_ pkid: Int64) throws {
    let column = mapping.rowID
    guard column.access != nil, let range = column.type.integerRange, !range.contains(pkid) else { return }
    throw ColumnFailure.outOfRange(.integer(pkid), TypeName.display(column.type.swiftType))
      .error(table: table, column: column.name)
  }
}
