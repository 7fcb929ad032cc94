// Written out for one value to eight: with a parameter pack the compiler takes too long over a chain
// of calls, and doesn't follow the types into a closure behind it.

extension XTTable {
  /// The values of expressions, without making models.
  ///
  /// ```swift
  /// try people.select(
  ///   Person.xt.city, Person.xt.pkid.count(), groupBy: Person.xt.city,
  ///   having: Person.xt.pkid.count() > 3, orderBy: .desc(Person.xt.pkid.count()))
  /// ```
  ///
  /// - Parameters:
  ///   - a: what each row of the result holds; up to eight expressions.
  ///   - distinct: whether rows that hold the same are given once.
  ///   - predicate: which rows count.
  ///   - groups: one row for each group of rows in which these are the same.
  ///   - having: which of the groups.
  ///   - orders: what to sort by, the first one first.
  ///   - limit: the most rows to give.
  ///   - offset: how many rows to leave out at the beginning.
  ///   - scope: `.live` leaves soft-deleted rows out.
  /// - Throws: `decoding` where NULL is read without `optional`.
  public func select<A: XTExpressible>(
    _ a: A, distinct: Bool = false, where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [A.Value] {
    try query().scope(scope).columns(a)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions.
  public func select<A: XTExpressible, B: XTExpressible>(
    _ a: A, _ b: B, distinct: Bool = false, where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value)] {
    try query().scope(scope).columns(a, b)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions.
  public func select<A: XTExpressible, B: XTExpressible, C: XTExpressible>(
    _ a: A, _ b: B, _ c: C, distinct: Bool = false, where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value)] {
    try query().scope(scope).columns(a, b, c)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, distinct: Bool = false, where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value)] {
    try query().scope(scope).columns(a, b, c, d)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, distinct: Bool = false,
    where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value)] {
    try query().scope(scope).columns(a, b, c, d, e)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, distinct: Bool = false,
    where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value)] {
    try query().scope(scope).columns(a, b, c, d, e, f)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, distinct: Bool = false,
    where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value)] {
    try query().scope(scope).columns(a, b, c, d, e, f, g)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }

  /// The values of expressions.
  public func select<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible, H: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H, distinct: Bool = false,
    where predicate: XTPredicate? = nil,
    groupBy groups: any XTExpressible..., having: XTPredicate? = nil,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil,
    scope: XTScope = .live
  ) throws -> [(A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value)] {
    try query().scope(scope).columns(a, b, c, d, e, f, g, h)
      .narrowed(distinct, predicate?.node.condition, groups, having, orders, limit, offset)
      .all()
  }
}
