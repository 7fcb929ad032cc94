extension XTModel {
  /// Changes columns of the rows that meet a condition, and gives values of the rows as they are
  /// then. SQLite 3.35.
  @discardableResult
  public static func xt_updateWhere<First: XTExpressible, each E: XTExpressible>(
    _ condition: XTCondition<Self>?, _ assignments: XTAssignment<Self>...,
    returning first: First, _ more: repeat each E, scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try currentTable.update(
      WantedRows(condition, scope: scope), assignments, returning: first, repeat each more)
  }

  /// Changes columns of the rows in which a Bool property is true, and gives values of the rows as
  /// they are then. SQLite 3.35.
  @discardableResult
  public static func xt_updateWhere<First: XTExpressible, each E: XTExpressible>(
    _ flag: KeyPath<Self, Bool>, _ assignments: XTAssignment<Self>...,
    returning first: First, _ more: repeat each E, scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try currentTable.update(
      WantedRows(XTCondition(flag), scope: scope), assignments, returning: first,
      repeat each more)
  }

  /// Changes columns of the rows for which a predicate is true, and gives values of the rows as
  /// they are then. SQLite 3.35.
  @discardableResult
  public static func xt_updateWhere<First: XTExpressible, each E: XTExpressible>(
    _ predicate: some XTExpressible<Bool>, _ assignments: XTAssignment<Self>...,
    returning first: First, _ more: repeat each E, scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try currentTable.update(
      WantedRows(XTCondition(predicate), scope: scope), assignments, returning: first,
      repeat each more)
  }

  /// Removes the rows that meet a condition, and gives values of them. SQLite 3.35.
  @discardableResult
  public static func xt_deleteModelWhere<First: XTExpressible, each E: XTExpressible>(
    _ condition: XTCondition<Self>?, returning first: First, _ more: repeat each E,
    scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try currentTable.delete(where: condition, returning: first, repeat each more, scope: scope)
  }

  /// Removes the rows in which a Bool property is true, and gives values of them. SQLite 3.35.
  @discardableResult
  public static func xt_deleteModelWhere<First: XTExpressible, each E: XTExpressible>(
    _ flag: KeyPath<Self, Bool>, returning first: First, _ more: repeat each E,
    scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try currentTable.delete(
      where: XTCondition(flag), returning: first, repeat each more, scope: scope)
  }

  /// Removes the rows for which a predicate is true, and gives values of them. SQLite 3.35.
  @discardableResult
  public static func xt_deleteModelWhere<First: XTExpressible, each E: XTExpressible>(
    _ predicate: some XTExpressible<Bool>, returning first: First, _ more: repeat each E,
    scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try currentTable.delete(where: predicate, returning: first, repeat each more, scope: scope)
  }
}
