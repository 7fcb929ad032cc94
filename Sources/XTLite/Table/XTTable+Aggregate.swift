import Foundation

extension XTTable {
  /// How many rows there are.
  public func count(scope: XTScope = .live) throws -> Int {
    try count(Query(scope: scope))
  }

  /// How many rows meet a condition.
  public func count(where condition: XTCondition<Model>?, scope: XTScope = .live) throws -> Int {
    try count(Query(condition, scope: scope))
  }

  /// In how many rows a Bool property is true.
  public func count(where flag: KeyPath<Model, Bool>, scope: XTScope = .live) throws -> Int {
    try count(Query(XTCondition(flag), scope: scope))
  }

  /// The largest value of a property; nil where no row has one.
  public func max<V>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("max", property, Query(condition, scope: scope))
  }

  /// The largest value of an optional property; nil where no row has one.
  public func max<V>(
    of property: KeyPath<Model, V?>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("max", property, Query(condition, scope: scope))
  }

  /// The smallest value of a property; nil where no row has one.
  public func min<V>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("min", property, Query(condition, scope: scope))
  }

  /// The smallest value of an optional property; nil where no row has one.
  public func min<V>(
    of property: KeyPath<Model, V?>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("min", property, Query(condition, scope: scope))
  }

  /// The sum of an integer property; nil where no row has a value.
  ///
  /// - Throws: `valueOutOfRange` where the sum is beyond 64 bits.
  public func sum<V: BinaryInteger>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Int64? {
    try sum(property, Query(condition, scope: scope), as: Int64.self)
  }

  /// The sum of an optional integer property; nil where no row has a value.
  public func sum<V: BinaryInteger>(
    of property: KeyPath<Model, V?>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Int64? {
    try sum(property, Query(condition, scope: scope), as: Int64.self)
  }

  /// The sum of a floating-point property; nil where no row has a value.
  public func sum<V: BinaryFloatingPoint>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    try sum(property, Query(condition, scope: scope), as: Double.self)
  }

  /// The sum of an optional floating-point property; nil where no row has a value.
  public func sum<V: BinaryFloatingPoint>(
    of property: KeyPath<Model, V?>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    try sum(property, Query(condition, scope: scope), as: Double.self)
  }

  /// The exact sum of a decimal property; nil where no row has a value.
  ///
  /// - Throws: `valueOutOfRange` where the sum has more digits than `Decimal` holds.
  public func sum(
    of property: KeyPath<Model, Decimal>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Decimal? {
    try decimalSum(property, Query(condition, scope: scope))?.sum
  }

  /// The exact sum of an optional decimal property; nil where no row has a value.
  public func sum(
    of property: KeyPath<Model, Decimal?>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Decimal? {
    try decimalSum(property, Query(condition, scope: scope))?.sum
  }

  /// The average of a numeric property; nil where no row has a value.
  public func avg<V>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    let column = try plan().mapping.column(for: property)
    let query = Query(condition, scope: scope)
    if column.type.isDecimal {
      return try decimalSum(property, query).map {
        NSDecimalNumber(decimal: $0.sum / Decimal($0.count)).doubleValue
      }
    }
    guard column.type.storageClass == .integer || column.type.storageClass == .real else {
      throw notNumeric(column, "average")
    }
    return try value(query) { rows, condition in
      StatementBuilder.select(["avg(\(column.quotedName))"], from: rows.source, where: condition)
    }?.double
  }
}

// MARK: -

extension XTTable {
  private func count(_ query: Query<Model>) throws -> Int {
    let value = try value(query) { rows, condition in
      StatementBuilder.select(["count(*)"], from: rows.source, where: condition)
    }
    return Int(value?.int64 ?? 0)
  }

  private func extreme<V>(
    _ function: String, _ property: AnyKeyPath, _ query: Query<Model>
  ) throws -> V? {
    let column = try plan().mapping.column(for: property)
    let collation = column.collation.map { " COLLATE \($0)" } ?? ""
    let value = try value(query) { rows, condition in
      StatementBuilder.select(
        ["\(function)(\(column.quotedName)\(collation))"], from: rows.source, where: condition)
    }
    guard let value, value != .null else { return nil }
    return try decode(value, column)
  }

  private func sum<Sum>(_ property: AnyKeyPath, _ query: Query<Model>, as type: Sum.Type) throws -> Sum? {
    let column = try plan().mapping.column(for: property)
    let value = try value(query) { rows, condition in
      StatementBuilder.select(["sum(\(column.quotedName))"], from: rows.source, where: condition)
    }
    guard let value, value != .null else { return nil }
    return try decode(value, column)
  }

  private func decode<V>(_ value: XTValue, _ column: Column) throws -> V {
    do {
      return try ValueCoding.decode(value)
    } catch let failure as ColumnFailure {
      throw failure.error(table: try plan().table, column: column.name)
    }
  }

  private func decimalSum(
    _ property: AnyKeyPath, _ query: Query<Model>
  ) throws -> (sum: Decimal, count: Int)? {
    let plan = try plan()
    let column = try plan.mapping.column(for: property)
    return try reading(plan) { connection, rows in
      let filter = try rows.filter(query.condition, query.scope)
      guard try isThere(rows, plan, query, filter) else { return nil }
      let sql = StatementBuilder.select([column.quotedName], from: rows.source, where: filter?.text)
      return try connection.withStatement(sql) { statement in
        try statement.bind(filter?.values ?? [])
        var sum = Decimal()
        var count = 0
        while try statement.step() {
          let value = statement.column(0)
          if value.isNull { continue }
          var addend: Decimal = try decode(value.value, column)
          var result = Decimal()
          guard NSDecimalAdd(&result, &sum, &addend, .plain) == .noError else {
            throw XTError(
              .valueOutOfRange, "The sum of \(column.name) has more digits than Decimal holds.",
              table: plan.table, column: column.name)
          }
          sum = result
          count += 1
        }
        return count == 0 ? nil : (sum, count)
      }
    }
  }

  private func notNumeric(_ column: Column, _ what: String) -> XTError {
    XTError(
      .valueOutOfRange, "There is no \(what) of \(column.name), which holds no numbers.",
      hint: "Use a numeric property.", column: column.name)
  }
}
