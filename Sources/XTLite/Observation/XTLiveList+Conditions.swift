// The list with another kind of condition, and with an order that is made while the program runs.

extension XTLiveList {
  /// A list of the rows that meet a condition, sorted by an array of orders.
  public convenience init(
    where condition: XTCondition<Model>? = nil, orderBy orders: [XTOrder<Model>],
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) {
    self.init(
      Model.xt_observe(
        where: condition, orderBy: orders, limit: limit, offset: offset, scope: scope))
  }

  /// A list of the rows in which a Bool property is true.
  public convenience init(
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) {
    self.init(
      where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// A list of the rows in which a Bool property is true, sorted by an array of orders.
  public convenience init(
    where flag: KeyPath<Model, Bool>, orderBy orders: [XTOrder<Model>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) {
    self.init(
      where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// A list of the rows for which a predicate is true.
  @_disfavoredOverload
  public convenience init(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) {
    self.init(
      where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// A list of the rows for which a predicate is true, sorted by an array of orders.
  @_disfavoredOverload
  public convenience init(
    where predicate: some XTExpressible<Bool>, orderBy orders: [XTOrder<Model>],
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) {
    self.init(
      where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }
}
