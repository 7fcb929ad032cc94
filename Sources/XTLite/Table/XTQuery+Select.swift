extension XTQuery {
  /// The values of expressions, without making models.
  ///
  /// ```swift
  /// try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid)
  ///   .select(User.xt.name, Order.xt.total.sum(), groupBy: User.xt.name)   // [(String, Double?)]
  /// ```
  public func select<A: XTExpressible>(
    _ a: A, distinct: Bool = false, where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [A.Value] {
    try columns(a)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }

  /// The values of expressions; see ``columns(_:)`` for what follows them.
  public func select<A: XTExpressible, B: XTExpressible>(
    _ a: A, _ b: B, distinct: Bool = false, where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [(A.Value, B.Value)] {
    try columns(a, b)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }

  /// The values of expressions; see ``columns(_:)`` for what follows them.
  public func select<A: XTExpressible, B: XTExpressible, C: XTExpressible>(
    _ a: A, _ b: B, _ c: C, distinct: Bool = false, where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [(A.Value, B.Value, C.Value)] {
    try columns(a, b, c)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }

  /// The values of expressions; see ``columns(_:)`` for what follows them.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, distinct: Bool = false, where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [(A.Value, B.Value, C.Value, D.Value)] {
    try columns(a, b, c, d)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }

  /// The values of expressions; see ``columns(_:)`` for what follows them.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, distinct: Bool = false,
    where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value)] {
    try columns(a, b, c, d, e)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }

  /// The values of expressions; see ``columns(_:)`` for what follows them.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, distinct: Bool = false,
    where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value)] {
    try columns(a, b, c, d, e, f)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }

  /// The values of expressions; see ``columns(_:)`` for what follows them.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, distinct: Bool = false,
    where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value)] {
    try columns(a, b, c, d, e, f, g)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }

  /// The values of expressions; see ``columns(_:)`` for what follows them.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible, H: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, distinct: Bool = false,
    where condition: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Base>..., limit: Int? = nil, offset: Int? = nil
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value)] {
    try columns(a, b, c, d, e, f, g, h)
      .narrowed(distinct, condition?.node.condition, groups, having, orders, limit, offset).all()
  }
}
