// The verbs for rows that a predicate of the longer language says: as with a condition on key paths.

extension XTTable {
  /// The rows for which a predicate is true.
  ///
  /// ```swift
  /// try people.find(where: Person.xt.age * 2 > 36 && Person.xt.name.lower().in(["a", "b"]))
  /// ```
  @_disfavoredOverload
  public func find(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }

  /// The rows for which a predicate is true, sorted by an array of orders.
  @_disfavoredOverload
  public func find(
    where predicate: some XTExpressible<Bool>, orderBy orders: [XTOrder<Model>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }

  /// The first row for which a predicate is true; nil where there is none.
  @_disfavoredOverload
  public func findFirst(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>...,
    scope: XTScope = .live
  ) throws -> Model? {
    try first(WantedRows(XTCondition(predicate), orders: orders, scope: scope))
  }

  /// Whether there is a row for which a predicate is true.
  @_disfavoredOverload
  public func has(
    where predicate: some XTExpressible<Bool>, scope: XTScope = .live
  ) throws -> Bool {
    try has(where: XTCondition(predicate), scope: scope)
  }

  /// Calls `body` with each row for which a predicate is true.
  @_disfavoredOverload
  public func forEach(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live, _ body: (Model) throws -> Void
  ) throws {
    try forEach(
      WantedRows(
        XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope),
      body)
  }

  /// The rows for which a predicate is true, read as they are asked for.
  @_disfavoredOverload
  public func stream(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) -> XTStream<Model> {
    let condition = XTCondition<Model>(predicate)
    return XTStream { source(condition, orders, limit: limit, offset: offset, scope) }
  }

  /// For how many rows a predicate is true.
  @_disfavoredOverload
  public func count(
    where predicate: some XTExpressible<Bool>, scope: XTScope = .live
  ) throws -> Int {
    try count(where: XTCondition(predicate), scope: scope)
  }

  /// The largest value of a property in the rows for which a predicate is true.
  @_disfavoredOverload
  public func max<V>(
    of property: KeyPath<Model, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try max(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The largest value of an optional property in the rows for which a predicate is true.
  @_disfavoredOverload
  public func max<V>(
    of property: KeyPath<Model, V?>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try max(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The smallest value of a property in the rows for which a predicate is true.
  @_disfavoredOverload
  public func min<V>(
    of property: KeyPath<Model, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try min(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The smallest value of an optional property in the rows for which a predicate is true.
  @_disfavoredOverload
  public func min<V>(
    of property: KeyPath<Model, V?>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V? {
    try min(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The sum of a numeric property in the rows for which a predicate is true.
  @_disfavoredOverload
  public func sum<V: XTSummable>(
    of property: KeyPath<Model, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> V.XTSum? {
    try sum(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// The average of a numeric property in the rows for which a predicate is true.
  @_disfavoredOverload
  public func avg<V>(
    of property: KeyPath<Model, V>, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> Double? {
    try avg(of: property, where: XTCondition(predicate), scope: scope)
  }

  /// Changes columns of the rows for which a predicate is true.
  @discardableResult
  @_disfavoredOverload
  public func update(
    where predicate: some XTExpressible<Bool>, _ assignments: XTAssignment<Model>...,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try update(
      WantedRows(
        XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope),
      assignments)
  }

  /// Removes the rows for which a predicate is true.
  @discardableResult
  @_disfavoredOverload
  public func delete(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> Int {
    try delete(
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }

  /// Marks the rows for which a predicate is true as deleted.
  @discardableResult
  @_disfavoredOverload
  public func softDelete(where predicate: some XTExpressible<Bool>) throws -> Int {
    try softDelete(where: XTCondition(predicate))
  }

  /// The values of single properties in the rows for which a predicate is true.
  @_disfavoredOverload
  public func select<each V>(
    _ properties: repeat KeyPath<Model, each V>, distinct: Bool = false,
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try select(
      repeat each properties, distinct: distinct,
      WantedRows(XTCondition(predicate), orders: orders, limit: limit, offset: offset, scope: scope)
    )
  }
}
