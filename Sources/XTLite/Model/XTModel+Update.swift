extension XTModel {
  /// Writes the model over the row that it is.
  ///
  /// - Returns: 1.
  /// - Throws: `XTError` of kind `rowNotFound` where there is no such row, `noIdentity` where the
  ///   model doesn't say which row it is, `constraint` where the row would break one.
  @discardableResult
  public func xt_update() throws -> Int {
    try Self.currentTable.update(self)
  }

  /// Writes just these properties to the row that the model is.
  ///
  /// - Returns: how many rows there were: 0 or 1.
  @discardableResult
  public func xt_update(only properties: PartialKeyPath<Self>...) throws -> Int {
    try Self.currentTable.update(self, only: properties)
  }

  /// Writes the model over the rows that hold the same values in these properties.
  ///
  /// - Returns: how many rows there were.
  @discardableResult
  public func xt_update(by properties: PartialKeyPath<Self>...) throws -> Int {
    try Self.currentTable.update(self, by: properties)
  }

  /// Writes each model over the row that it is, in one transaction.
  ///
  /// - Returns: how many rows there were; a model whose row is gone counts for none.
  @discardableResult
  public static func xt_updateList(_ models: some Sequence<Self>) throws -> Int {
    try currentTable.updateList(models)
  }

  /// Writes each model over the rows that hold the same values in these properties, in one
  /// transaction.
  @discardableResult
  public static func xt_updateList(
    _ models: some Sequence<Self>, by properties: PartialKeyPath<Self>...
  ) throws -> Int {
    try currentTable.updateList(models, by: properties)
  }

  /// Changes columns of the rows that meet a condition, without a model.
  ///
  /// ```swift
  /// try Person.xt_updateWhere(\.age > 17, .set(\.nick, to: nil), .add(\.age, 1))
  /// ```
  ///
  /// - Returns: how many rows there were.
  /// - Throws: `XTError` of kind `valueOutOfRange` where `.add` would leave the property's range;
  ///   no row is changed.
  @discardableResult
  public static func xt_updateWhere(
    _ condition: XTCondition<Self>?, _ assignments: XTAssignment<Self>...,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try currentTable.update(
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope), assignments
    )
  }

  /// Changes columns of the rows in which a Bool property is true.
  @discardableResult
  public static func xt_updateWhere(
    _ flag: KeyPath<Self, Bool>, _ assignments: XTAssignment<Self>...,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> Int {
    try currentTable.update(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope),
      assignments)
  }

  /// Changes columns of all live rows, without a model.
  @discardableResult
  public static func xt_updateAll(
    _ assignments: XTAssignment<Self>..., scope: XTScope = .live
  ) throws -> Int {
    try currentTable.update(WantedRows(scope: scope), assignments)
  }
}
