import Foundation

extension XTTable {
  /// The sum of a numeric property; nil where no row has a value. Of integers and decimals it is
  /// exact.
  ///
  /// ```swift
  /// let seconds = try tracks.sum(of: \.seconds, where: \.album == "Ys")   // Double?
  /// ```
  ///
  /// - Throws: `valueOutOfRange` where the sum is beyond 64 bits, has more digits than `Decimal`
  ///   holds, or is of both infinities and no number.
  public func sum<V: XTSummable>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V.XTSum? {
    try sum(property, WantedRows(condition, scope: scope))
  }

  /// The sum of a numeric property in the rows in which a Bool property is true.
  public func sum<V: XTSummable>(
    of property: KeyPath<Model, V>, where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) throws -> V.XTSum? {
    try sum(property, WantedRows(XTCondition(flag), scope: scope))
  }

  /// The average of a numeric property; nil where no row has a value.
  ///
  /// - Throws: `valueOutOfRange` for a property that holds no numbers, and as
  ///   ``sum(of:where:scope:)-(_,XTCondition<Model>?,_)``.
  public func avg<V>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    try average(property, WantedRows(condition, scope: scope))
  }

  /// The average of a numeric property in the rows in which a Bool property is true.
  public func avg<V>(
    of property: KeyPath<Model, V>, where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) throws -> Double? {
    try average(property, WantedRows(XTCondition(flag), scope: scope))
  }
}

// MARK: -

extension XTTable {
  private func sum<Sum>(_ property: AnyKeyPath, _ query: WantedRows<Model>) throws -> Sum? {
    let column = try column(property)
    if column.type.isDecimal { return try decimalSum(column, query)?.sum as? Sum }
    let sum = try database.attempting {
      try total("sum", column, query)
    } unless: { error in
      error.kind == .valueOutOfRange && error.code != 0
    }
    // SQLite gives up at the first step beyond 64 bits, though later rows may lead back.
    guard let sum else { return try decode(.integer(integerSum(column, query)), column) }
    return try sum.map { try decode($0, column) }
  }

  private func average(_ property: AnyKeyPath, _ query: WantedRows<Model>) throws -> Double? {
    let column = try column(property)
    if column.type.isDecimal {
      return try decimalSum(column, query).map {
        NSDecimalNumber(decimal: $0.sum / Decimal($0.count)).doubleValue
      }
    }
    guard column.type.storageClass == .integer || column.type.storageClass == .real else {
      throw database.noted(
        XTError(
          .valueOutOfRange, "there is no average of \(column.name), which holds no numbers",
          hint: "use a numeric property", table: try plan().table, column: column.name))
    }
    return try total("avg", column, query)?.double
  }

  /// What an aggregate function of SQL gives; nil where no row has a value.
  private func total(
    _ function: String, _ column: Column, _ query: WantedRows<Model>
  ) throws -> XTValue? {
    let total = try value(query) { rows, condition in
      StatementBuilder.select(
        ["\(function)(\(column.quotedName))"], from: rows.source, where: condition)
    }
    guard let total, total == .null else { return total }
    // NULL is also what SQLite makes of a result that is no number.
    if column.type.storageClass == .real {
      var valued = query
      let isValued = XTCondition<Model> {
        ConditionColumn(column, of: Model.self).node.followed(by: "IS NOT NULL")
      }
      valued.condition = query.condition.map { $0 && isValued } ?? isValued
      if try exists(valued) {
        throw outOfRange(column, "is no number: it is of both infinities", hint: nil)
      }
    }
    return nil
  }

  private func integerSum(_ column: Column, _ query: WantedRows<Model>) throws -> Int64 {
    var sum: Int64 = 0
    // How often the sum went around, upward; it is exact where that is never on the whole.
    var rounds = 0
    try forEachValue(of: column, query) { value in
      let addend: Int64 = try decode(value, column)
      let (next, isBeyond) = sum.addingReportingOverflow(addend)
      if isBeyond { rounds += addend > 0 ? 1 : -1 }
      sum = next
    }
    guard rounds == 0 else {
      throw outOfRange(
        column, "is beyond 64 bits", hint: "sum up parts of the rows, or keep it as a Double")
    }
    return sum
  }

  private func decimalSum(
    _ column: Column, _ query: WantedRows<Model>
  ) throws -> (sum: Decimal, count: Int)? {
    var sum = Decimal()
    var count = 0
    try forEachValue(of: column, query) { value in
      var addend: Decimal = try decode(value, column)
      var result = Decimal()
      guard NSDecimalAdd(&result, &sum, &addend, .plain) == .noError else {
        throw outOfRange(column, "has more digits than Decimal holds", hint: nil)
      }
      sum = result
      count += 1
    }
    return count == 0 ? nil : (sum, count)
  }

  /// Calls `body` with each value of the column but NULL.
  private func forEachValue(
    of column: Column, _ query: WantedRows<Model>, _ body: (XTValue) throws -> Void
  ) throws {
    let plan = try plan()
    try streaming(plan) { connection, rows, hasBegun in
      let filter = try rows.filter(
        query.condition, query.scope, LiveTables(database, connection))
      guard try isThere(rows, plan, query, filter) else { return }
      let sql = StatementBuilder.select([column.quotedName], from: rows.source, where: filter?.text)
      try connection.withStatement(sql) { statement in
        try statement.bind(filter?.values ?? [])
        while try statement.step() {
          hasBegun = true
          let value = statement.column(0)
          if !value.isNull { try body(value.value) }
        }
      }
    }
  }

  private func outOfRange(_ column: Column, _ what: String, hint: String?) -> any Error {
    database.noted(
      XTError(
        .valueOutOfRange, "the sum of \(column.name) \(what)", hint: hint,
        table: try? plan().table, column: column.name))
  }
}
