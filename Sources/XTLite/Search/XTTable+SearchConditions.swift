// The searches with another kind of condition, and with an order that is made at run time:
// each goes on to the call with a condition and an array.

extension XTTable {
  /// What a text finds, sorted by an array of orders.
  public func search(
    _ text: String, lastWordIsPrefix: Bool = false, where condition: XTCondition<Model>? = nil,
    orderBy orders: [XTOrder<Model>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try hits(
      SearchQuery(
        request: .query(.words(text, lastWordIsPrefix: lastWordIsPrefix)),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// What a text finds where a Bool property is true.
  public func search(
    _ text: String, lastWordIsPrefix: Bool = false, where flag: KeyPath<Model, Bool>,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(flag), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a text finds where a predicate is true.
  @_disfavoredOverload
  public func search(
    _ text: String, lastWordIsPrefix: Bool = false, where predicate: some XTExpressible<Bool>,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(predicate), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a text finds where a Bool property is true, sorted by an array.
  public func search(
    _ text: String, lastWordIsPrefix: Bool = false, where flag: KeyPath<Model, Bool>,
    orderBy orders: [XTOrder<Model>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(flag), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a text finds where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public func search(
    _ text: String, lastWordIsPrefix: Bool = false, where predicate: some XTExpressible<Bool>,
    orderBy orders: [XTOrder<Model>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(predicate), orderBy: orders,
      limit: limit, offset: offset, after: hit, scope: scope)
  }

  /// What a query finds, sorted by an array of orders.
  public func search(
    query: XTSearchQuery, where condition: XTCondition<Model>? = nil,
    orderBy orders: [XTOrder<Model>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try hits(
      SearchQuery(
        request: .query(query),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// What a query finds where a Bool property is true.
  public func search(
    query: XTSearchQuery, where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      query: query, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What a query finds where a predicate is true.
  @_disfavoredOverload
  public func search(
    query: XTSearchQuery, where predicate: some XTExpressible<Bool>,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      query: query, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What a query finds where a Bool property is true, sorted by an array.
  public func search(
    query: XTSearchQuery, where flag: KeyPath<Model, Bool>, orderBy orders: [XTOrder<Model>],
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      query: query, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What a query finds where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public func search(
    query: XTSearchQuery, where predicate: some XTExpressible<Bool>,
    orderBy orders: [XTOrder<Model>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      query: query, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds, sorted by an array of orders.
  public func search(
    raw expression: String, where condition: XTCondition<Model>? = nil,
    orderBy orders: [XTOrder<Model>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try hits(
      SearchQuery(
        request: .raw(expression),
        rows: WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope),
        after: hit))
  }

  /// What an expression of FTS5 finds where a Bool property is true.
  public func search(
    raw expression: String, where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      raw: expression, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds where a predicate is true.
  @_disfavoredOverload
  public func search(
    raw expression: String, where predicate: some XTExpressible<Bool>,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      raw: expression, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds where a Bool property is true, sorted by an array.
  public func search(
    raw expression: String, where flag: KeyPath<Model, Bool>, orderBy orders: [XTOrder<Model>],
    limit: Int? = nil, offset: Int? = nil, after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      raw: expression, where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// What an expression of FTS5 finds where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public func search(
    raw expression: String, where predicate: some XTExpressible<Bool>,
    orderBy orders: [XTOrder<Model>], limit: Int? = nil, offset: Int? = nil,
    after hit: XTHit<Model>? = nil, scope: XTScope = .live
  ) throws -> [XTHit<Model>] {
    try search(
      raw: expression, where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset,
      after: hit, scope: scope)
  }

  /// How many rows a text finds where a Bool property is true.
  public func searchCount(
    _ text: String, lastWordIsPrefix: Bool = false, where flag: KeyPath<Model, Bool>,
    scope: XTScope = .live
  ) throws -> Int {
    try searchCount(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(flag), scope: scope)
  }

  /// How many rows a text finds where a predicate is true.
  @_disfavoredOverload
  public func searchCount(
    _ text: String, lastWordIsPrefix: Bool = false, where predicate: some XTExpressible<Bool>,
    scope: XTScope = .live
  ) throws -> Int {
    try searchCount(
      text, lastWordIsPrefix: lastWordIsPrefix, where: XTCondition(predicate), scope: scope)
  }

  /// How many rows a query finds where a Bool property is true.
  public func searchCount(
    query: XTSearchQuery, where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) throws -> Int {
    try searchCount(query: query, where: XTCondition(flag), scope: scope)
  }

  /// How many rows a query finds where a predicate is true.
  @_disfavoredOverload
  public func searchCount(
    query: XTSearchQuery, where predicate: some XTExpressible<Bool>, scope: XTScope = .live
  ) throws -> Int {
    try searchCount(query: query, where: XTCondition(predicate), scope: scope)
  }
}
