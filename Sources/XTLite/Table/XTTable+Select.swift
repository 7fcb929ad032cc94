extension XTTable {
  /// The values of single properties, without making models.
  ///
  /// ```swift
  /// for (name, age) in try people.select(\.name, \.age, where: \.age > 17) { … }
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
  /// - Throws: `unknownColumn` where a key path leads to no column.
  public func select<each V>(
    _ properties: repeat KeyPath<Model, each V>, distinct: Bool = false,
    where condition: XTCondition<Model>? = nil, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try select(
      repeat each properties, distinct: distinct,
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The values of single properties in the rows in which a Bool property is true.
  public func select<each V>(
    _ properties: repeat KeyPath<Model, each V>, distinct: Bool = false,
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [(repeat each V)] {
    try select(
      repeat each properties, distinct: distinct,
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }

  func select<each V>(
    _ properties: repeat KeyPath<Model, each V>, distinct: Bool, _ query: WantedRows<Model>
  ) throws -> [(repeat each V)] {
    var results: [SQLNode] = []
    for property in repeat each properties {
      results.append(QueryColumn(try column(property), of: TableReference(Model.self)).node)
    }
    let decoder = rowDecoder(of: repeat (each V).self, nullHint: .property)
    return try self.query().rows(results, decoder, distinct: distinct, query).all()
  }
}

extension XTQuery where Row == Base {
  /// Other results, of the rows that a verb asks for.
  fileprivate func rows<Other>(
    _ results: [SQLNode], _ decoder: RowDecoder<Other>, distinct: Bool, _ wanted: WantedRows<Base>
  ) -> XTQuery<Base, Other> {
    var parts = parts
    parts.results = results
    parts.isDistinct = distinct
    parts.condition = wanted.condition?.node
    parts.sources[0].scope = wanted.scope
    parts.orders = wanted.orders.map(\.node)
    parts.limit = wanted.limit.map(SQLNode.number)
    parts.offset = wanted.offset.map(SQLNode.number)
    return XTQuery<Base, Other>(parts, decoder, database)
  }
}
