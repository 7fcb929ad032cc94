import Foundation

extension XTTable {
  /// Removes the row that the model is, soft-deleted or not.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `noIdentity` where the model doesn't say which row it is; `constraint` where other
  ///   rows refer to it.
  @discardableResult
  public func delete(_ model: Model) throws -> Bool {
    let plan = try plan(for: model)
    return try withMemory(of: model) { memory in
      try writing(plan) { connection, rows in
        let (condition, values) = try rows.row(of: memory, plan, "delete")
        return try connection.run(
          StatementBuilder.delete(from: plan.table, where: condition), values) > 0
      }
    }
  }

  /// Removes the rows that meet a condition.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func delete(where condition: XTCondition<Model>?, scope: XTScope = .live) throws -> Int {
    let plan = try plan()
    return try writing(plan) { connection, rows in
      let filter = try rows.filter(condition, scope)
      return try connection.run(
        StatementBuilder.delete(from: plan.table, where: filter?.text), filter?.values ?? [])
    }
  }

  /// Removes the rows in which a Bool property is true.
  @discardableResult
  public func delete(where flag: KeyPath<Model, Bool>, scope: XTScope = .live) throws -> Int {
    try delete(where: XTCondition(flag), scope: scope)
  }

  /// Removes all rows, soft-deleted ones included.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func deleteAll() throws -> Int {
    try delete(where: nil, scope: .all)
  }

  // MARK: Soft deletion

  /// Marks the row that the model is as deleted; it stays in the file and comes back by
  /// ``restore(_:)``.
  ///
  /// - Returns: whether the row changed: false where there is none, and where it was marked.
  @discardableResult
  public func softDelete(_ model: Model) throws -> Bool {
    try mark(model, isDeleted: true)
  }

  /// Takes the mark of soft deletion from the row that the model is.
  ///
  /// - Returns: whether the row changed.
  @discardableResult
  public func restore(_ model: Model) throws -> Bool {
    try mark(model, isDeleted: false)
  }

  /// Marks the rows that meet a condition as deleted.
  ///
  /// - Returns: how many rows changed.
  @discardableResult
  public func softDelete(where condition: XTCondition<Model>?) throws -> Int {
    let plan = try plan()
    let time = database.currentTime()
    return try writing(plan) { connection, rows in
      guard rows.shape.has(.isDel) else { throw rows.noSoftDelete() }
      let filter = try rows.filter(condition, .live)
      let (set, values) = rows.marking(isDeleted: true, time)
      return try connection.run(
        StatementBuilder.update(plan.table, set: set, where: filter?.text),
        values + (filter?.values ?? []))
    }
  }

  /// Marks the rows in which a Bool property is true as deleted.
  @discardableResult
  public func softDelete(where flag: KeyPath<Model, Bool>) throws -> Int {
    try softDelete(where: XTCondition(flag))
  }

  private func mark(_ model: Model, isDeleted: Bool) throws -> Bool {
    let plan = try plan(for: model)
    let time = database.currentTime()
    return try withMemory(of: model) { memory in
      try writing(plan) { connection, rows in
        guard rows.shape.has(.isDel) else { throw rows.noSoftDelete() }
        let (condition, key) = try rows.row(of: memory, plan, isDeleted ? "softDelete" : "restore")
        let (set, values) = rows.marking(isDeleted: isDeleted, time)
        let isChanged = try connection.run(
          StatementBuilder.update(
            plan.table, set: set,
            where: "\(condition) AND \(RowPlan.isDel) = \(isDeleted ? 0 : 1)"),
          values + key) > 0
        if isChanged, memory.object != nil {
          if connection.isInTransaction, let undo = memory.restoring(plan.mapping) {
            connection.onRollback(undo)
          }
          try memory.writeBack(updateTime: time, isDeleted: isDeleted, plan, rows)
        }
        return isChanged
      }
    }
  }
}

extension RowPlan {
  /// What finds the row that a model is.
  fileprivate func row(
    of memory: ModelMemory, _ plan: TablePlan, _ verb: String
  ) throws -> (condition: String, values: [XTValue]) {
    switch try plan.identity(of: memory, self) {
    case .rowID(let number): return ("\(rowID ?? "rowid") = ?", [.integer(number)])
    case .columns(let columns):
      let condition = StatementBuilder.equal(columns.map(\.quotedName)).joined(separator: " AND ")
      return (condition, try plan.values(of: columns, in: memory))
    case nil: throw plan.noIdentity(verb)
    }
  }

  fileprivate func marking(isDeleted: Bool, _ time: Double) -> (set: [String], values: [XTValue]) {
    let mark = "\(Self.isDel) = \(isDeleted ? 1 : 0)"
    guard shape.has(.updateTime) else { return ([mark], []) }
    return ([mark, "\(quoted("xt_updateTime")) = ?"], [.real(time)])
  }
}
