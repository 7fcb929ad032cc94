// The observations with another kind of condition, and with an order that is made at run time:
// each goes on to the call with a condition and an array.

extension XTModel {
  /// The rows, as they change, sorted by an array of orders.
  public static func xt_observe(
    where condition: XTCondition<Self>? = nil, orderBy orders: [XTOrder<Self>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Self]> {
    XTObservation { try currentTable.live(condition, orders, limit: limit, offset: offset, scope) }
  }

  /// The rows, as they change, where a Bool property is true.
  public static func xt_observe(
    where flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Self]> {
    xt_observe(
      where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// The rows, as they change, where a predicate is true.
  @_disfavoredOverload
  public static func xt_observe(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Self]> {
    xt_observe(
      where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// The rows, as they change, where a Bool property is true, sorted by an array.
  public static func xt_observe(
    where flag: KeyPath<Self, Bool>, orderBy orders: [XTOrder<Self>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Self]> {
    xt_observe(
      where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// The rows, as they change, where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public static func xt_observe(
    where predicate: some XTExpressible<Bool>, orderBy orders: [XTOrder<Self>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Self]> {
    xt_observe(
      where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// How many rows there are, as that changes, where a predicate is true.
  @_disfavoredOverload
  public static func xt_observeCount(
    where predicate: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTObservation<Int> {
    xt_observeCount(where: XTCondition(predicate), scope: scope)
  }
}

extension XTTable {
  /// The rows, as they change, sorted by an array of orders.
  public func observe(
    where condition: XTCondition<Model>? = nil, orderBy orders: [XTOrder<Model>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Model]> {
    XTObservation { live(condition, orders, limit: limit, offset: offset, scope) }
  }

  /// The rows, as they change, where a Bool property is true.
  public func observe(
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Model]> {
    observe(where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// The rows, as they change, where a predicate is true.
  @_disfavoredOverload
  public func observe(
    where predicate: some XTExpressible<Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Model]> {
    observe(
      where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// The rows, as they change, where a Bool property is true, sorted by an array.
  public func observe(
    where flag: KeyPath<Model, Bool>, orderBy orders: [XTOrder<Model>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Model]> {
    observe(where: XTCondition(flag), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// The rows, as they change, where a predicate is true, sorted by an array.
  @_disfavoredOverload
  public func observe(
    where predicate: some XTExpressible<Bool>, orderBy orders: [XTOrder<Model>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Model]> {
    observe(
      where: XTCondition(predicate), orderBy: orders, limit: limit, offset: offset, scope: scope)
  }

  /// How many rows there are, as that changes, where a predicate is true.
  @_disfavoredOverload
  public func observeCount(where predicate: some XTExpressible<Bool>, scope: XTScope = .live)
    -> XTObservation<Int>
  {
    observeCount(where: XTCondition(predicate), scope: scope)
  }
}
