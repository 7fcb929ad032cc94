extension XTModel {
  /// Removes the row that the model is, soft-deleted or not.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func xt_deleteModel() throws -> Bool {
    try Self.currentTable.delete(self)
  }

  /// Removes the rows that meet a condition; with a limit, the first of them in an order.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public static func xt_deleteModelWhere(
    _ condition: XTCondition<Self>?, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> Int {
    try currentTable.delete(
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// Removes the rows in which a Bool property is true.
  @discardableResult
  public static func xt_deleteModelWhere(
    _ flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> Int {
    try currentTable.delete(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// Removes all rows, soft-deleted ones included.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public static func xt_deleteAll() throws -> Int {
    try currentTable.deleteAll()
  }

  /// Marks the row that the model is as deleted; ``xt_restore()`` takes the mark away.
  ///
  /// - Returns: whether the row changed: false where there is none, and where it was marked.
  @discardableResult
  public func xt_softDelete() throws -> Bool {
    try Self.currentTable.softDelete(self)
  }

  /// Takes the mark of soft deletion from the row that the model is.
  ///
  /// - Returns: whether the row changed.
  @discardableResult
  public func xt_restore() throws -> Bool {
    try Self.currentTable.restore(self)
  }

  /// Marks the rows that meet a condition as deleted.
  ///
  /// - Returns: how many rows changed.
  @discardableResult
  public static func xt_softDeleteWhere(_ condition: XTCondition<Self>?) throws -> Int {
    try currentTable.softDelete(where: condition)
  }

  /// Marks the rows in which a Bool property is true as deleted.
  @discardableResult
  public static func xt_softDeleteWhere(_ flag: KeyPath<Self, Bool>) throws -> Int {
    try currentTable.softDelete(where: flag)
  }
}
