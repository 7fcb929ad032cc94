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
    let count = try write(model, verb("update")) { try $0.update($1) }
    guard count > 0 else {
      let table = try withMemory(of: model) { try plan(for: $0).table }
      throw database.noted(
        XTError(
          .rowNotFound, "no row of \(table) is this model",
          hint: "it may have been deleted meanwhile; save() would insert it", table: table))
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
    try update(model, by: properties)
  }

  /// Writes each model over the row that it is, in one transaction.
  ///
  /// - Returns: how many rows there were; a model whose row is gone counts for none.
  @discardableResult
  public func updateList(_ models: some Sequence<Model>) throws -> Int {
    try updateList(models, by: [])
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
  /// - Parameters:
  ///   - condition: which rows; all of them where it is nil.
  ///   - assignments: the new values.
  ///   - orders: which rows come first where there is a limit.
  ///   - limit: the most rows to change.
  ///   - offset: how many of the first rows stay as they are.
  ///   - scope: which rows count by their soft deletion.
  /// - Returns: how many rows there were.
  /// - Throws: `valueOutOfRange` where `.add` would leave the property's range; no row is changed.
  @discardableResult
  public func update(
    where condition: XTCondition<Model>?, _ assignments: XTAssignment<Model>...,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try update(
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope), assignments
    )
  }

  /// Changes columns of the rows in which a Bool property is true.
  @discardableResult
  public func update(
    where flag: KeyPath<Model, Bool>, _ assignments: XTAssignment<Model>...,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try update(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope),
      assignments)
  }

  /// Changes columns of all live rows, without a model.
  ///
  /// - Returns: how many rows there were.
  @discardableResult
  public func updateAll(_ assignments: XTAssignment<Model>..., scope: XTScope = .live) throws -> Int
  {
    try update(WantedRows(scope: scope), assignments)
  }
}

// MARK: -

extension XTTable {
  func update(_ model: Model, only properties: [AnyKeyPath]) throws -> Int {
    try write(model, verb("update", only: properties)) { try $0.update($1) }
  }

  func update(_ model: Model, by properties: [AnyKeyPath]) throws -> Int {
    try write(model, verb("update", by: properties)) { try $0.update($1) }
  }

  /// - Parameter properties: none for each model's identity.
  func updateList(_ models: some Sequence<Model>, by properties: [AnyKeyPath]) throws -> Int {
    var count = 0
    try writeEach(models, verb("updateList", by: properties)) { writer, memory in
      count += try writer.update(memory)
    }
    return count
  }

  func update(
    _ query: WantedRows<Model>, _ assignments: [XTAssignment<Model>],
    returning results: [SQLNode] = [],
    _ take: RowTaker = { _, _ in }
  ) throws -> Int {
    let plan = try plan()
    let assignments = try database.noting {
      let assignments = try assignments.map { try $0.resolved() }
      try checkOnce(assignments.map(\.column), plan)
      return assignments
    }
    guard !assignments.isEmpty else { return 0 }
    let time = database.currentTime()
    return try transacting(plan) { connection, rows in
      try rows.checkWritable(assignments.map(\.column))
      try rows.checkPlaces(of: assignments.map(\.column))
      let tables = LiveTables(database, connection)
      let filter = try rows.changedRows(query, tables)
      try checkRanges(assignments, filter, rows, connection, tables)
      let fragments = try assignments.map { try $0.fragment(in: rows.scope, tables) }
      var set = fragments.map(\.text)
      var values = fragments.flatMap(\.values)
      let isTimeGiven = assignments.contains { $0.column.role == .updateTime }
      if !isTimeGiven {
        set = rows.updateTime.assignments(set)
        values += rows.updateTime.values(time)
      }
      do {
        return try connection.run(
          SQLFragment(
            StatementBuilder.update(plan.table, set: set, where: filter?.text),
            values + (filter?.values ?? [])),
          returning: results, rows, tables, take)
      } catch {
        throw rows.shape.explained(error)
      }
    }
  }

  /// Of two assignments to one column SQLite makes the last, without a word.
  func checkOnce(_ columns: [Column], _ plan: TablePlan) throws {
    var seen: Set<ObjectIdentifier> = []
    for column in columns where !seen.insert(ObjectIdentifier(column)).inserted {
      throw XTError(
        .schema, "\(column.name) is given two values", hint: "assign to a column once",
        table: plan.table, column: column.name)
    }
  }

  /// - Throws: `valueOutOfRange` where a sum would be one that its property can't hold.
  private func checkRanges(
    _ assignments: [XTAssignment<Model>.Resolved], _ filter: SQLFragment?, _ rows: RowPlan,
    _ connection: Connection, _ tables: LiveTables
  ) throws {
    for assignment in assignments {
      guard let leaves = try assignment.leavesRange(in: rows.scope, tables) else { continue }
      let test = [filter, leaves].compactMap { $0 }
      let isLeft = try connection.firstValue(
        StatementBuilder.exists(
          in: quoted(rows.shape.table),
          where: test.map { "(\($0.text))" }.joined(separator: " AND ")),
        test.flatMap(\.values))
      guard isLeft == .integer(1) else { continue }
      throw XTError(
        .valueOutOfRange,
        "\(assignment.expression == nil ? "adding to" : "setting") \(assignment.column.name) would "
          + "leave what "
          + "\(TypeName.display(assignment.column.type.swiftType)) can hold in at least one row",
        hint: "no row was changed", table: rows.shape.table, column: assignment.column.name)
    }
  }
}
