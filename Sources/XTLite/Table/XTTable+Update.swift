import Foundation

extension XTTable {
  /// Writes the model over the row that it is; soft-deleted rows too.
  ///
  /// The row is found by pkid, else by the model's own key, else by its first unique property.
  ///
  /// - Returns: 1.
  /// - Throws: `rowNotFound` where there is no such row, `noIdentity` where the model doesn't say
  ///   which row it is, `constraint` where the row would break one.
  @discardableResult
  public func update(_ model: Model) throws -> Int {
    let plan = try plan(for: model)
    let count = try updateOne(model, plan, only: nil)
    guard count > 0 else {
      throw XTError(
        .rowNotFound, "No row of \(plan.table) is this model.",
        hint: "It may have been deleted meanwhile; save() would insert it.", table: plan.table)
    }
    return count
  }

  /// Writes just these properties of the model to the row that it is.
  ///
  /// - Returns: how many rows there were: 0 or 1.
  @discardableResult
  public func update(_ model: Model, only properties: PartialKeyPath<Model>...) throws -> Int {
    try update(model, only: properties)
  }

  /// Writes the model over the rows that hold the same values in these properties.
  ///
  /// - Returns: how many rows there were.
  /// - Throws: `noIdentity` where the model holds nil in one of them.
  @discardableResult
  public func update(_ model: Model, by properties: PartialKeyPath<Model>...) throws -> Int {
    try updateList(CollectionOfOne(model), by: properties)
  }

  /// Writes each model over the row that it is, in one transaction.
  ///
  /// - Returns: how many rows there were; a model whose row is gone counts for none.
  @discardableResult
  public func updateList(_ models: some Sequence<Model>) throws -> Int {
    try updateAll(models)
  }

  /// Writes each model over the rows that hold the same values in these properties, in one
  /// transaction.
  ///
  /// - Returns: how many rows there were.
  @discardableResult
  public func updateList(
    _ models: some Sequence<Model>, by properties: PartialKeyPath<Model>...
  ) throws -> Int {
    try updateList(models, by: properties)
  }

  /// Changes columns of the rows that meet a condition, without a model.
  ///
  /// ```swift
  /// try people.update(where: \.age > 17, .set(\.nick, to: nil), .add(\.age, 1))
  /// ```
  ///
  /// - Returns: how many rows there were.
  /// - Throws: `valueOutOfRange` where `.add` would leave the property's range; no row is changed.
  @discardableResult
  public func update(
    where condition: XTCondition<Model>?, _ assignments: XTAssignment<Model>...,
    scope: XTScope = .live
  ) throws -> Int {
    try update(where: condition, assignments, scope)
  }

  /// Changes columns of the rows in which a Bool property is true.
  @discardableResult
  public func update(
    where flag: KeyPath<Model, Bool>, _ assignments: XTAssignment<Model>..., scope: XTScope = .live
  ) throws -> Int {
    try update(where: XTCondition(flag), assignments, scope)
  }

  /// Changes columns of all live rows, without a model.
  ///
  /// - Returns: how many rows there were.
  @discardableResult
  public func updateAll(_ assignments: XTAssignment<Model>..., scope: XTScope = .live) throws -> Int {
    try update(where: nil, assignments, scope)
  }
}

// MARK: -

extension XTTable {
  func update(_ model: Model, only properties: [PartialKeyPath<Model>]) throws -> Int {
    let plan = try plan(for: model)
    return try updateOne(model, plan, only: try plan.declaredColumns(properties))
  }

  private func updateOne(_ model: Model, _ plan: TablePlan, only: [Column]?) throws -> Int {
    let time = database.currentTime()
    return try withMemory(of: model) { memory in
      try writing(plan) { connection, rows in
        guard let identity = try plan.identity(of: memory, rows) else { throw plan.noIdentity("update") }
        let (change, rowID) = try rows.change(by: identity, only: only)
        let count = try connection.withStatement(change.statement()) { statement in
          try change.run(
            statement, memory.base, rowID: rowID, time: time, through: BindingBuffer(capacity: 1024),
            on: connection)
        }
        if count > 0 { try noteUpdate(memory, time, plan, rows, connection) }
        return count
      }
    }
  }

  func updateAll(_ models: some Sequence<Model>) throws -> Int {
    let time = database.currentTime()
    if Model.self is AnyClass { return try updateObjects(models, time) }
    let plan = try plan()
    return try transacting(plan) { connection, rows in
      let buffer = BindingBuffer()
      var count = 0
      // Models that have a pkid share one statement; the rare others look theirs up.
      guard let change = rows.change else { throw plan.noIdentity("updateList") }
      try connection.withStatement(change.statement()) { statement in
        for model in models {
          count += try withMemory(of: model) { memory in
            if let rowID = try plan.rowID(of: memory) {
              return try change.run(
                statement, memory.base, rowID: rowID, time: time, through: buffer, on: connection)
            }
            return try update(memory, time, buffer, plan, rows, connection)
          }
        }
      }
      return count
    }
  }

  private func updateObjects(_ objects: some Sequence<Model>, _ time: Double) throws -> Int {
    try database.transacting { connection in
      let buffer = BindingBuffer()
      var count = 0
      for object in objects {
        let plan = try plan(for: object)
        let rows = try plan.rowsForTransaction(connection)
        let memory = ModelMemory(base: objectMemory(object as AnyObject), object: object as AnyObject)
        let changed = try update(memory, time, buffer, plan, rows, connection)
        if changed > 0 { try noteUpdate(memory, time, plan, rows, connection) }
        count += changed
      }
      return count
    }
  }

  private func update(
    _ memory: ModelMemory, _ time: Double, _ buffer: BindingBuffer, _ plan: TablePlan,
    _ rows: RowPlan, _ connection: Connection
  ) throws -> Int {
    guard let identity = try plan.identity(of: memory, rows) else { throw plan.noIdentity("updateList") }
    let (change, rowID) = try rows.change(by: identity)
    return try connection.withStatement(change.statement()) { statement in
      try change.run(statement, memory.base, rowID: rowID, time: time, through: buffer, on: connection)
    }
  }

  /// An object knows when its row was last written; a value is not written back to by update.
  private func noteUpdate(
    _ memory: ModelMemory, _ time: Double, _ plan: TablePlan, _ rows: RowPlan, _ connection: Connection
  ) throws {
    guard memory.object != nil else { return }
    if connection.isInTransaction, let undo = memory.restoring(plan.mapping) {
      connection.onRollback(undo)
    }
    try memory.writeBack(updateTime: time, plan, rows)
  }

  func updateList(_ models: some Sequence<Model>, by properties: [PartialKeyPath<Model>]) throws -> Int {
    let time = database.currentTime()
    return try database.transacting { connection in
      let buffer = BindingBuffer()
      var count = 0
      var last: (plan: TablePlan, columns: [Column], change: Change)?
      for model in models {
        let plan = try plan(for: model)
        if last?.plan !== plan {
          let columns = try plan.declaredColumns(properties)
          let rows = try plan.rowsForTransaction(connection)
          guard !columns.isEmpty else { throw plan.noIdentity("update(by:)") }
          last = (plan, columns, try rows.change(keys: columns))
        }
        guard let (plan, columns, change) = last else { continue }
        count += try withMemory(of: model) { memory in
          guard try plan.hasValues(columns, in: memory) else {
            var error = plan.noIdentity("update(by:)")
            error.message = "update can't find rows of \(plan.table) by nil."
            throw error
          }
          return try connection.withStatement(change.statement()) { statement in
            try change.run(
              statement, memory.base, rowID: nil, time: time, through: buffer, on: connection)
          }
        }
      }
      return count
    }
  }

  func update(
    where condition: XTCondition<Model>?, _ assignments: [XTAssignment<Model>], _ scope: XTScope
  ) throws -> Int {
    let plan = try plan()
    let assignments = try assignments.map { try $0.resolved() }
    guard !assignments.isEmpty else { return 0 }
    let time = database.currentTime()
    return try transacting(plan) { connection, rows in
      let filter = try rows.filter(condition, scope)
      try checkRanges(assignments, filter, rows, connection)
      var set = assignments.map(\.fragment.text)
      var values = assignments.flatMap(\.fragment.values)
      let isTimeGiven = assignments.contains { $0.column.role == .updateTime }
      if rows.shape.has(.updateTime), !isTimeGiven {
        set.append("\(quoted("xt_updateTime")) = ?")
        values.append(.real(time))
      }
      do {
        return try connection.run(
          StatementBuilder.update(plan.table, set: set, where: filter?.text),
          values + (filter?.values ?? []))
      } catch {
        throw rows.shape.explained(error)
      }
    }
  }

  /// - Throws: `valueOutOfRange` where a sum would be one that its property can't hold.
  private func checkRanges(
    _ assignments: [XTAssignment<Model>.Resolved], _ filter: SQLFragment?, _ rows: RowPlan,
    _ connection: Connection
  ) throws {
    for assignment in assignments {
      guard let leaves = assignment.leavesRange else { continue }
      let test = [filter, leaves].compactMap { $0 }
      let isLeft = try connection.firstValue(
        StatementBuilder.exists(
          in: quoted(rows.shape.table),
          where: test.map { "(\($0.text))" }.joined(separator: " AND ")),
        test.flatMap(\.values))
      guard isLeft == .integer(1) else { continue }
      throw XTError(
        .valueOutOfRange,
        "Adding to \(assignment.column.name) would leave what "
          + "\(TypeName.display(assignment.column.type.swiftType)) can hold in at least one row.",
        hint: "No row was changed.", table: rows.shape.table, column: assignment.column.name)
    }
  }
}
