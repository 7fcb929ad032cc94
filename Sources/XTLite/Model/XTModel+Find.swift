extension XTModel {
  /// All rows.
  ///
  /// ```swift
  /// let top = try Person.xt_findAll(orderBy: .desc(\.age), limit: 10)
  /// ```
  ///
  /// - Parameters:
  ///   - orders: what to sort by, the first one first.
  ///   - limit: the most rows to give.
  ///   - offset: how many rows to leave out at the beginning.
  ///   - scope: `.live` leaves soft-deleted rows out.
  /// - Throws: `XTError` of kind `decoding` or `valueOutOfRange` for a value that its property
  ///   can't hold.
  public static func xt_findAll(
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(WantedRows(orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// All rows, with only these properties read; the others keep what `init()` gives. Write such
  /// models back by `xt_update(only:)`: `xt_update()` would write what `init()` gave, too.
  public static func xt_findAll(
    only property: PartialKeyPath<Self>, _ more: PartialKeyPath<Self>...,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(
      WantedRows(
        orders: orders, limit: limit, offset: offset, scope: scope, only: [property] + more))
  }

  /// The rows that meet a condition; all of them where it is nil.
  ///
  /// ```swift
  /// try Person.xt_findWhere(\.name == who && \.age > 17)
  /// try Person.xt_findWhere("name = \(who) AND age > \(17)")
  /// ```
  public static func xt_findWhere(
    _ condition: XTCondition<Self>?, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The rows that meet a condition, sorted by an array of orders.
  public static func xt_findWhere(
    _ condition: XTCondition<Self>?, orderBy orders: [XTOrder<Self>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The rows in which a Bool property is true.
  public static func xt_findWhere(
    _ flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The rows in which a Bool property is true, sorted by an array of orders.
  public static func xt_findWhere(
    _ flag: KeyPath<Self, Bool>, orderBy orders: [XTOrder<Self>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Self] {
    try currentTable.find(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The row of this number; nil where there is none.
  public static func xt_find(pkid: Int64, scope: XTScope = .live) throws -> Self? {
    try currentTable.find(pkid: pkid, scope: scope)
  }

  /// The rows of these numbers, in their order; numbers without a row are passed over.
  public static func xt_find(pkids: [Int64], scope: XTScope = .live) throws -> [Self] {
    try currentTable.find(pkids: pkids, scope: scope)
  }

  /// The first row in this order, or any where there is none; nil for an empty table.
  public static func xt_findFirst(
    orderBy orders: XTOrder<Self>..., scope: XTScope = .live
  ) throws -> Self? {
    try currentTable.first(WantedRows(orders: orders, scope: scope))
  }

  /// The first row that meets a condition; nil where none does.
  public static func xt_findFirstWhere(
    _ condition: XTCondition<Self>?, orderBy orders: XTOrder<Self>..., scope: XTScope = .live
  ) throws -> Self? {
    try currentTable.first(WantedRows(condition, orders: orders, scope: scope))
  }

  /// The first row in which a Bool property is true.
  public static func xt_findFirstWhere(
    _ flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>..., scope: XTScope = .live
  ) throws -> Self? {
    try currentTable.first(WantedRows(XTCondition(flag), orders: orders, scope: scope))
  }

  /// Whether a row meets the condition.
  public static func xt_hasModelWhere(
    _ condition: XTCondition<Self>?, scope: XTScope = .live
  ) throws -> Bool {
    try currentTable.has(where: condition, scope: scope)
  }

  /// Whether there is a row in which a Bool property is true.
  public static func xt_hasModelWhere(
    _ flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> Bool {
    try currentTable.has(where: flag, scope: scope)
  }

  /// Whether the table has no row at all, soft-deleted ones included.
  public static func xt_isEmptyTable() throws -> Bool {
    try currentTable.isEmpty()
  }

  /// Calls `body` with one row after the other, without holding more than one in memory.
  ///
  /// An error that `body` throws ends the loop and comes out. Any verb may be used inside `body`;
  /// whether rows that it adds or changes come up later in the loop is not defined.
  public static func xt_forEachWhere(
    _ condition: XTCondition<Self>?, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live, _ body: (Self) throws -> Void
  ) throws {
    try currentTable.forEach(
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope), body)
  }

  /// Calls `body` with each row in which a Bool property is true.
  public static func xt_forEachWhere(
    _ flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live, _ body: (Self) throws -> Void
  ) throws {
    try currentTable.forEach(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope),
      body)
  }

  /// Models of the rows of any SELECT, its columns matched by their names.
  ///
  /// ```swift
  /// try Person.xt_findWithSql("SELECT * FROM Person WHERE length(name) > \(5)")
  /// ```
  public static func xt_findWithSql(_ sql: XTSQL) throws -> [Self] {
    try currentTable.find(sql: sql)
  }

  /// The model of the first row of any SELECT; nil where it gives none.
  public static func xt_findFirstWithSql(_ sql: XTSQL) throws -> Self? {
    try currentTable.findFirst(sql: sql)
  }

  /// The first value of the first row of any statement; nil where it gives no row.
  @discardableResult
  public static func xt_anyFuncWithSql(_ sql: XTSQL) throws -> XTValue? {
    try currentTable.anyFunc(sql: sql)
  }
}
