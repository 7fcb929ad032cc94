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
  /// ```swift
  /// try logs.delete(where: nil, orderBy: .asc(\.time), limit: 1000)    // the oldest 1000
  /// ```
  ///
  /// - Parameters:
  ///   - condition: which rows; all of them where it is nil.
  ///   - orders: which rows come first where there is a limit.
  ///   - limit: the most rows to remove.
  ///   - offset: how many of the first rows stay.
  ///   - scope: which rows count by their soft deletion.
  /// - Returns: how many there were.
  @discardableResult
  public func delete(
    where condition: XTCondition<Model>?, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> Int {
    try delete(WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  func delete(
    _ query: WantedRows<Model>, returning results: [SQLNode] = [], _ take: RowTaker = { _, _ in }
  ) throws -> Int {
    let plan = try plan()
    func run(_ connection: Connection, _ rows: RowPlan) throws -> Int {
      let tables = LiveTables(database, connection)
      let filter = try rows.changedRows(query, tables)
      return try connection.run(
        SQLFragment(
          StatementBuilder.delete(from: plan.table, where: filter?.text), filter?.values ?? []),
        returning: results, rows, tables, take)
    }
    // A value that can't be read must not cost the rows.
    guard results.isEmpty else { return try transacting(plan, run) }
    return try writing(plan) { connection, rows in
      if rows.marksDeletion || query.scope == .all { return try run(connection, rows) }
      // Another program may make soft deletion possible, and use it, until the statement runs.
      return try connection.inTransaction {
        try run(connection, plan.rowsForTransaction(connection))
      }
    }
  }

  /// Removes the rows in which a Bool property is true.
  @discardableResult
  public func delete(
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> Int {
    try delete(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
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
      guard rows.shape.deletionMark != nil else {
        throw DeletionMark.isMissing(in: rows.shape.table)
      }
      let filter = try rows.changedRows(WantedRows(condition), LiveTables(database, connection))
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
