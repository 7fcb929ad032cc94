extension XTModel {
  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<A: XTExpressible>(
    _ a: A, distinct: Bool = false, where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [A.Value] {
    try xt_query().scope(scope).columns(a)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<A: XTExpressible, B: XTExpressible>(
    _ a: A, _ b: B, distinct: Bool = false, where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value)] {
    try xt_query().scope(scope).columns(a, b)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<A: XTExpressible, B: XTExpressible, C: XTExpressible>(
    _ a: A, _ b: B, _ c: C, distinct: Bool = false, where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value)] {
    try xt_query().scope(scope).columns(a, b, c)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, distinct: Bool = false, where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value)] {
    try xt_query().scope(scope).columns(a, b, c, d)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, distinct: Bool = false,
    where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value)] {
    try xt_query().scope(scope).columns(a, b, c, d, e)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, distinct: Bool = false,
    where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value)] {
    try xt_query().scope(scope).columns(a, b, c, d, e, f)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, distinct: Bool = false,
    where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value)] {
    try xt_query().scope(scope).columns(a, b, c, d, e, f, g)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions in the rows that meet a condition on key paths.
  @_disfavoredOverload
  public static func xt_select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible, H: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, distinct: Bool = false,
    where condition: XTCondition<Self>?,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Self>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value)] {
    try xt_query().scope(scope).columns(a, b, c, d, e, f, g, h)
      .narrowed(distinct, condition?.node, groups, having, orders, limit, offset)
      .all()
  }
}
