extension XTTable {
  /// The values of single properties, without making models.
  ///
  /// ```swift
  /// for (name, age) in try people.select(\.name, \.age, where: \.age > 17) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - properties: what each row of the result holds, in this order.
  ///   - distinct: whether rows that hold the same are given once.
  /// - Throws: `unknownColumn` where a key path leads to no column.
  public func select<each V>(
    _ properties: repeat KeyPath<Model, each V>, distinct: Bool = false,
    where condition: XTCondition<Model>? = nil, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try select(
      repeat each properties, distinct: distinct,
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The values of single properties in the rows in which a Bool property is true.
  public func select<each V>(
    _ properties: repeat KeyPath<Model, each V>, distinct: Bool = false,
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try select(
      repeat each properties, distinct: distinct,
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }

  func select<each V>(
    _ properties: repeat KeyPath<Model, each V>, distinct: Bool, _ query: WantedRows<Model>
  ) throws -> [(repeat each V)] {
    let plan = try plan()
    var columns: [Column] = []
    for property in repeat each properties {
      columns.append(try column(property))
    }
    let limits = try database.noting { try query.limits() }
    return try reading(plan) { connection, rows in
      let tables = LiveTables(database, connection)
      let filter = try rows.filter(query.condition, query.scope, tables)
      let orders = try query.orders(in: rows.scope, tables)
      guard try isThere(rows, plan, query, filter) else { return [] }
      let sql = StatementBuilder.select(
        columns.map { distinct ? ConditionColumn($0, of: Model.self).compared : $0.quotedName },
        distinct: distinct, from: rows.source, where: filter?.text,
        orderBy: orders.map(\.text), hasLimit: query.limit != nil, hasOffset: query.offset != nil)
      return try connection.withStatement(sql) { statement in
        try statement.bind((filter?.values ?? []) + orders.flatMap(\.values) + limits)
        var result: [(repeat each V)] = []
        while try statement.step() {
          var values = RowValues(statement: statement, columns: columns, rows: rows)
          result.append((repeat try values.next((each V).self)))
        }
        return result
      }
    }
  }
}

/// The values of the current row, one after the other.
private struct RowValues {
  let statement: Statement
  let columns: [Column]
  let rows: RowPlan
  private var index = 0

  init(statement: Statement, columns: [Column], rows: RowPlan) {
    self.statement = statement
    self.columns = columns
    self.rows = rows
  }

  mutating func next<V>(_ type: V.Type) throws -> V {
    defer { index += 1 }
    let value = statement.column(index)
    let column = columns[index]
    do {
      do {
        return try ValueCoding.decode(value)
      } catch {
        guard let meaning = rows.standIns.meaning(of: value, in: column, rows.mapping) else {
          throw error
        }
        return try ValueCoding.decode(meaning)
      }
    } catch let failure as ColumnFailure {
      throw failure.error(table: rows.shape.table, column: column.name, sql: statement.sql)
    }
  }
}
