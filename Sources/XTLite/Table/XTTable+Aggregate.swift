import Foundation

extension XTTable {
  /// How many rows there are.
  public func count(scope: XTScope = .live) throws -> Int {
    try count(WantedRows(scope: scope))
  }

  /// How many rows meet a condition.
  public func count(where condition: XTCondition<Model>?, scope: XTScope = .live) throws -> Int {
    try count(WantedRows(condition, scope: scope))
  }

  /// In how many rows a Bool property is true.
  public func count(where flag: KeyPath<Model, Bool>, scope: XTScope = .live) throws -> Int {
    try count(WantedRows(XTCondition(flag), scope: scope))
  }

  /// The largest value of a property; nil where no row has one.
  ///
  /// - Throws: `decoding` or `valueOutOfRange` for a value that the property can't hold.
  public func max<V>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("max", property, WantedRows(condition, scope: scope))
  }

  /// The largest value of an optional property; nil where no row has one.
  public func max<V>(
    of property: KeyPath<Model, V?>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("max", property, WantedRows(condition, scope: scope))
  }

  /// The largest value of a property in the rows in which a Bool property is true.
  public func max<V>(
    of property: KeyPath<Model, V>, where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try extreme("max", property, WantedRows(XTCondition(flag), scope: scope))
  }

  /// The largest value of an optional property in the rows in which a Bool property is true.
  public func max<V>(
    of property: KeyPath<Model, V?>, where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try extreme("max", property, WantedRows(XTCondition(flag), scope: scope))
  }

  /// The smallest value of a property; nil where no row has one.
  ///
  /// - Throws: `decoding` or `valueOutOfRange` for a value that the property can't hold.
  public func min<V>(
    of property: KeyPath<Model, V>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("min", property, WantedRows(condition, scope: scope))
  }

  /// The smallest value of an optional property; nil where no row has one.
  public func min<V>(
    of property: KeyPath<Model, V?>, where condition: XTCondition<Model>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try extreme("min", property, WantedRows(condition, scope: scope))
  }

  /// The smallest value of a property in the rows in which a Bool property is true.
  public func min<V>(
    of property: KeyPath<Model, V>, where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try extreme("min", property, WantedRows(XTCondition(flag), scope: scope))
  }

  /// The smallest value of an optional property in the rows in which a Bool property is true.
  public func min<V>(
    of property: KeyPath<Model, V?>, where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try extreme("min", property, WantedRows(XTCondition(flag), scope: scope))
  }
}

// MARK: -

extension XTTable {
  private func count(_ query: WantedRows<Model>) throws -> Int {
    let value = try value(query) { rows, condition in
      StatementBuilder.select(["count(*)"], from: rows.source, where: condition)
    }
    return Int(value?.int64 ?? 0)
  }

  private func extreme<V>(
    _ function: String, _ property: AnyKeyPath, _ query: WantedRows<Model>
  ) throws -> V? {
    let column = try column(property)
    let value = try value(query) { rows, condition in
      StatementBuilder.select(
        ["\(function)(\(ConditionColumn(column, of: Model.self).compared))"], from: rows.source,
        where: condition)
    }
    guard let value, value != .null else { return nil }
    return try decode(value, column)
  }

  func column(_ property: AnyKeyPath) throws -> Column {
    let plan = try plan()
    return try database.noting { try plan.mapping.column(for: property) }
  }

  func decode<V>(_ value: XTValue, _ column: Column) throws -> V {
    do {
      return try ValueCoding.decode(value)
    } catch let failure as ColumnFailure {
      throw database.noted(failure.error(table: try plan().table, column: column.name))
    }
  }
}
