// The searches with another kind of condition, and with an order that is made at run time:
// each goes on to the call with a condition and an array.

extension XTModel {
  /// What a text finds, sorted by an array of orders.
  public static func xt_search(
    _ text: String, lastWordIsPrefix: Bool = false, where condition: XTCondition<Self>? = nil,
    orderBy orders: [XTOrder<Self>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try currentTable.hits(
      SearchQuery(
        request: .query(.words(text, lastWordIsPrefix: lastWordIsPrefix)),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// What a text finds where a Bool property is true.
  public static func xt_search(
    _ text: String, lastWordIsPrefix: Bool = false, where flag: KeyPath<Self, Bool>,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(flag), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a text finds where a predicate is true.
  @_disfavoredOverload
  public static func xt_search(
    _ text: String, lastWordIsPrefix: Bool = false, where predicate: some XTExpressible<Bool>,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(predicate), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a text finds where a Bool property is true, sorted by an array.
  public static func xt_search(
    _ text: String, lastWordIsPrefix: Bool = false, where flag: KeyPath<Self, Bool>,
    orderBy orders: [XTOrder<Self>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(flag), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a text finds where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public static func xt_search(
    _ text: String, lastWordIsPrefix: Bool = false, where predicate: some XTExpressible<Bool>,
    orderBy orders: [XTOrder<Self>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(predicate), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a query finds, sorted by an array of orders.
  public static func xt_searchWhere(
    _ query: XTSearchQuery, where condition: XTCondition<Self>? = nil,
    orderBy orders: [XTOrder<Self>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try currentTable.hits(
      SearchQuery(
        request: .query(query),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// What a query finds where a Bool property is true.
  public static func xt_searchWhere(
    _ query: XTSearchQuery, where flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>...,
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchWhere(
      query, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, after: hit,
      scope: scope)
  }

  /// What a query finds where a predicate is true.
  @_disfavoredOverload
  public static func xt_searchWhere(
    _ query: XTSearchQuery, where predicate: some XTExpressible<Bool>,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchWhere(
      query, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What a query finds where a Bool property is true, sorted by an array.
  public static func xt_searchWhere(
    _ query: XTSearchQuery, where flag: KeyPath<Self, Bool>, orderBy orders: [XTOrder<Self>],
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchWhere(
      query, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, after: hit,
      scope: scope)
  }

  /// What a query finds where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public static func xt_searchWhere(
    _ query: XTSearchQuery, where predicate: some XTExpressible<Bool>,
    orderBy orders: [XTOrder<Self>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchWhere(
      query, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds, sorted by an array of orders.
  public static func xt_searchRaw(
    _ expression: String, where condition: XTCondition<Self>? = nil,
    orderBy orders: [XTOrder<Self>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try currentTable.hits(
      SearchQuery(
        request: .raw(expression),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// What an expression of FTS5 finds where a Bool property is true.
  public static func xt_searchRaw(
    _ expression: String, where flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>...,
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchRaw(
      expression, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds where a predicate is true.
  @_disfavoredOverload
  public static func xt_searchRaw(
    _ expression: String, where predicate: some XTExpressible<Bool>,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchRaw(
      expression, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds where a Bool property is true, sorted by an array.
  public static func xt_searchRaw(
    _ expression: String, where flag: KeyPath<Self, Bool>, orderBy orders: [XTOrder<Self>],
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchRaw(
      expression, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public static func xt_searchRaw(
    _ expression: String, where predicate: some XTExpressible<Bool>,
    orderBy orders: [XTOrder<Self>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Self>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Self>] {
    try xt_searchRaw(
      expression, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// How many rows a text finds where a Bool property is true.
  public static func xt_searchCount(
    _ text: String, lastWordIsPrefix: Bool = false, where flag: KeyPath<Self, Bool>,
    scope: XTScope = .live
  ) throws -> Int {
    try xt_searchCount(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(flag), scope: scope)
  }

  /// How many rows a text finds where a predicate is true.
  @_disfavoredOverload
  public static func xt_searchCount(
    _ text: String, lastWordIsPrefix: Bool = false, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> Int {
    try xt_searchCount(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(predicate), scope: scope)
  }

  /// How many rows a query finds where a Bool property is true.
  public static func xt_searchCountWhere(
    _ query: XTSearchQuery, where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> Int {
    try xt_searchCountWhere(query, where: XTCondition(flag), scope: scope)
  }

  /// How many rows a query finds where a predicate is true.
  @_disfavoredOverload
  public static func xt_searchCountWhere(
    _ query: XTSearchQuery, where predicate: some XTExpressible<Bool>, scope: XTScope = .live
  ) throws -> Int {
    try xt_searchCountWhere(query, where: XTCondition(predicate), scope: scope)
  }
}
