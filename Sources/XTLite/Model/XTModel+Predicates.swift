// The verbs for rows that a predicate of the longer language says: as with a condition on key paths.

extension XTModel {
  /// The rows for which a predicate is true.
  ///
  /// ```swift
  /// try Person.xt_findWhere(Person.xt.age * 2 > 36 && Person.xt.name.lower().in(["a", "b"]))
  /// ```
  @_disfavoredOverload
  public static func xt_findWhere(
    _ predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }

  /// The rows for which a predicate is true, sorted by an array of orders.
  @_disfavoredOverload
  public static func xt_findWhere(
    _ predicate: some XTExpressible<Bool>, orderBy orders: [XTOrder<Self>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }

  /// The first row for which a predicate is true; nil where there is none.
  @_disfavoredOverload
  public static func xt_findFirstWhere(
    _ predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Self>...,
    scope: XTScope = .live
  ) throws -> Self? {
    try currentTable.first(WantedRows(XTCondition(predicate), orders: orders, scope: scope))
  }

  /// Whether there is a row for which a predicate is true.
  @_disfavoredOverload
  public static func xt_hasModelWhere(
    _ predicate: some XTExpressible<Bool>, scope: XTScope = .live
  ) throws -> Bool {
    try currentTable.has(where: XTCondition(predicate), scope: scope)
  }

  /// Calls `body` with each row for which a predicate is true.
  @_disfavoredOverload
  public static func xt_forEachWhere(
    _ predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live, _ body: (Self) throws -> Void
  ) throws {
    try currentTable.forEach(
      WantedRows(
        XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope),
      body)
  }

  /// The rows for which a predicate is true, read as they are asked for.
  @_disfavoredOverload
  public static func xt_stream(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Self>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) -> XTStream<Self> {
    let condition = XTCondition<Self>(predicate)
    return XTStream {
      try currentTable.source(condition, orders, limit: limit, offset: offset, scope)
    }
  }

  /// For how many rows a predicate is true.
  @_disfavoredOverload
  public static func xt_countWhere(
    _ predicate: some XTExpressible<Bool>, scope: XTScope = .live
  ) throws -> Int {
    try currentTable.count(where: XTCondition(predicate), scope: scope)
  }

  /// The largest value of a property in the rows for which a predicate is true.
  @_disfavoredOverload
  public static func xt_maxOf<V>(
    _ property: KeyPath<Self, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.max(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The largest value of an optional property in the rows for which a predicate is true.
  @_disfavoredOverload
  public static func xt_maxOf<V>(
    _ property: KeyPath<Self, V?>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.max(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The smallest value of a property in the rows for which a predicate is true.
  @_disfavoredOverload
  public static func xt_minOf<V>(
    _ property: KeyPath<Self, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.min(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The smallest value of an optional property in the rows for which a predicate is true.
  @_disfavoredOverload
  public static func xt_minOf<V>(
    _ property: KeyPath<Self, V?>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.min(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The sum of a numeric property in the rows for which a predicate is true.
  @_disfavoredOverload
  public static func xt_sumOf<V: XTSummable>(
    _ property: KeyPath<Self, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V.XTSum? {
    try currentTable.sum(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The average of a numeric property in the rows for which a predicate is true.
  @_disfavoredOverload
  public static func xt_avgOf<V>(
    _ property: KeyPath<Self, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> Double? {
    try currentTable.avg(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// Changes columns of the rows for which a predicate is true.
  @discardableResult
  @_disfavoredOverload
  public static func xt_updateWhere(
    _ predicate: some XTExpressible<Bool>, _ assignments: XTAssignment<Self>...,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try currentTable.update(
      WantedRows(
        XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope),
      assignments)
  }

  /// Removes the rows for which a predicate is true.
  @discardableResult
  @_disfavoredOverload
  public static func xt_deleteModelWhere(
    _ predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> Int {
    try currentTable.delete(
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }

  /// Marks the rows for which a predicate is true as deleted.
  @discardableResult
  @_disfavoredOverload
  public static func xt_softDeleteWhere(_ predicate: some XTExpressible<Bool>) throws -> Int {
    try currentTable.softDelete(where: XTCondition(predicate))
  }

  /// The values of single properties in the rows for which a predicate is true.
  @_disfavoredOverload
  public static func xt_select<each V>(
    _ properties: repeat KeyPath<Self, each V>, distinct: Bool = false,
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Self>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try currentTable.select(
      repeat each properties, distinct: distinct,
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }
}
