// Written out for one property to eight, as the values of a query are.

extension XTModel {
  /// Puts the rows of a query into the table.
  ///
  /// ```swift
  /// try Archive.xt_insert(
  ///   into: \.name, \.total,
  ///   from: Order.xt_query().where(\.isDone == true).columns(Order.xt.name, Order.xt.total))
  /// ```
  ///
  /// - Parameters:
  ///   - a: where the query's values go, in its order; up to eight properties. The file's DEFAULTs
  ///     fill the others.
  ///   - query: what to insert.
  /// - Returns: how many rows.
  /// - Throws: `schema` where a property has no default and is not among them; what is wrong with
  ///   the query, or breaks a constraint.
  @discardableResult
  public static func xt_insert<A, Base: XTModel>(
    into a: KeyPath<Self, A>, from query: XTQuery<Base, A>
  ) throws -> Int {
    try currentTable.insert(into: a, from: query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public static func xt_insert<A, B, Base: XTModel>(
    into a: KeyPath<Self, A>, _ b: KeyPath<Self, B>, from query: XTQuery<Base, (A, B)>
  ) throws -> Int {
    try currentTable.insert(into: a, b, from: query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public static func xt_insert<A, B, C, Base: XTModel>(
    into a: KeyPath<Self, A>, _ b: KeyPath<Self, B>, _ c: KeyPath<Self, C>,
    from query: XTQuery<Base, (A, B, C)>
  ) throws -> Int {
    try currentTable.insert(into: a, b, c, from: query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public static func xt_insert<A, B, C, D, Base: XTModel>(
    into a: KeyPath<Self, A>, _ b: KeyPath<Self, B>, _ c: KeyPath<Self, C>, _ d: KeyPath<Self, D>,
    from query: XTQuery<Base, (A, B, C, D)>
  ) throws -> Int {
    try currentTable.insert(into: a, b, c, d, from: query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public static func xt_insert<A, B, C, D, E, Base: XTModel>(
    into a: KeyPath<Self, A>, _ b: KeyPath<Self, B>, _ c: KeyPath<Self, C>, _ d: KeyPath<Self, D>,
    _ e: KeyPath<Self, E>, from query: XTQuery<Base, (A, B, C, D, E)>
  ) throws -> Int {
    try currentTable.insert(into: a, b, c, d, e, from: query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public static func xt_insert<A, B, C, D, E, F, Base: XTModel>(
    into a: KeyPath<Self, A>, _ b: KeyPath<Self, B>, _ c: KeyPath<Self, C>, _ d: KeyPath<Self, D>,
    _ e: KeyPath<Self, E>, _ f: KeyPath<Self, F>, from query: XTQuery<Base, (A, B, C, D, E, F)>
  ) throws -> Int {
    try currentTable.insert(into: a, b, c, d, e, f, from: query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public static func xt_insert<A, B, C, D, E, F, G, Base: XTModel>(
    into a: KeyPath<Self, A>, _ b: KeyPath<Self, B>, _ c: KeyPath<Self, C>, _ d: KeyPath<Self, D>,
    _ e: KeyPath<Self, E>, _ f: KeyPath<Self, F>, _ g: KeyPath<Self, G>,
    from query: XTQuery<Base, (A, B, C, D, E, F, G)>
  ) throws -> Int {
    try currentTable.insert(into: a, b, c, d, e, f, g, from: query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public static func xt_insert<A, B, C, D, E, F, G, H, Base: XTModel>(
    into a: KeyPath<Self, A>, _ b: KeyPath<Self, B>, _ c: KeyPath<Self, C>, _ d: KeyPath<Self, D>,
    _ e: KeyPath<Self, E>, _ f: KeyPath<Self, F>, _ g: KeyPath<Self, G>, _ h: KeyPath<Self, H>,
    from query: XTQuery<Base, (A, B, C, D, E, F, G, H)>
  ) throws -> Int {
    try currentTable.insert(into: a, b, c, d, e, f, g, h, from: query)
  }
}
