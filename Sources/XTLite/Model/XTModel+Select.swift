extension XTModel {
  /// The values of single properties, without making models.
  ///
  /// ```swift
  /// for (name, age) in try Person.xt_select(\.name, \.age, where: \.age > 17) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - properties: what each row of the result holds, in this order.
  ///   - distinct: whether rows that hold the same are given once.
  ///   - condition: which rows; all where it is nil.
  ///   - orders: what to sort by, the first one first.
  ///   - limit: the most rows to give.
  ///   - offset: how many rows to leave out at the beginning.
  ///   - scope: which rows count by their soft deletion.
  @_disfavoredOverload
  public static func xt_select<each V>(
    _ properties: repeat KeyPath<Self, each V>, distinct: Bool = false,
    where condition: XTCondition<Self>? = nil, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try currentTable.select(
      repeat each properties, distinct: distinct,
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The values of single properties in the rows in which a Bool property is true.
  @_disfavoredOverload
  public static func xt_select<each V>(
    _ properties: repeat KeyPath<Self, each V>, distinct: Bool = false,
    where flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try currentTable.select(
      repeat each properties, distinct: distinct,
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }
}
