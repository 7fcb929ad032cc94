import Foundation

extension XTTable {
  /// Removes the row that the model is, soft-deleted or not.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `noIdentity` where the model doesn't say which row it is; `constraint` where other
  ///   rows refer to it.
  @discardableResult
  public func delete(_ model: Model) throws -> Bool {
    try write(model, verb("delete")) { try $0.delete($1) }
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
      guard rows.shape.deletionMark != nil else { throw rows.noSoftDelete() }
      let filter = try rows.filter(condition, .live)
      let set = rows.updateTime.assignments(["\(RowPlan.isDel) = 1"])
      return try connection.run(
        StatementBuilder.update(plan.table, set: set, where: filter?.text),
        rows.updateTime.values(time) + (filter?.values ?? []))
    }
  }

  /// Marks the rows in which a Bool property is true as deleted.
  @discardableResult
  public func softDelete(where flag: KeyPath<Model, Bool>) throws -> Int {
    try softDelete(where: XTCondition(flag))
  }

  private func mark(_ model: Model, isDeleted: Bool) throws -> Bool {
    try write(model, verb(isDeleted ? "softDelete" : "restore")) {
      try $0.mark($1, isDeleted: isDeleted)
    }
  }
}
