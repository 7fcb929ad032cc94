// Written out for one value to eight: with a parameter pack the compiler takes too long over a chain
// of calls, and doesn't follow the types into a closure behind it.

extension XTQuery {
  /// Values instead of models.
  ///
  /// ```swift
  /// let ages = Person.xt_query().columns(Person.xt.city, Person.xt.age.max())
  ///   .groupBy(Person.xt.city)
  /// try ages.all()                                    // [(String, Int?)]
  /// ```
  public func columns<A: XTExpressible>(
    _ a: A
  ) -> XTQuery<Base, A.Value> {
    giving([a.node], valuesDecoder(a))
  }

  /// Values instead of models.
  public func columns<A: XTExpressible, B: XTExpressible>(
    _ a: A, _ b: B
  ) -> XTQuery<Base, (A.Value, B.Value)> {
    giving([a.node, b.node], valuesDecoder(a, b))
  }

  /// Values instead of models.
  public func columns<A: XTExpressible, B: XTExpressible, C: XTExpressible>(
    _ a: A, _ b: B, _ c: C
  ) -> XTQuery<Base, (A.Value, B.Value, C.Value)> {
    giving([a.node, b.node, c.node], valuesDecoder(a, b, c))
  }

  /// Values instead of models.
  public func columns<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> XTQuery<Base, (A.Value, B.Value, C.Value, D.Value)> {
    giving([a.node, b.node, c.node, d.node], valuesDecoder(a, b, c, d))
  }

  /// Values instead of models.
  public func columns<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> XTQuery<Base, (A.Value, B.Value, C.Value, D.Value, E.Value)> {
    giving([a.node, b.node, c.node, d.node, e.node], valuesDecoder(a, b, c, d, e))
  }

  /// Values instead of models.
  public func columns<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> XTQuery<Base, (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value)> {
    giving([a.node, b.node, c.node, d.node, e.node, f.node], valuesDecoder(a, b, c, d, e, f))
  }

  /// Values instead of models.
  public func columns<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> XTQuery<Base, (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value)> {
    giving(
      [a.node, b.node, c.node, d.node, e.node, f.node, g.node],
      valuesDecoder(a, b, c, d, e, f, g))
  }

  /// Values instead of models.
  public func columns<
    A: XTExpressible, B: XTExpressible, C: XTExpressible, D: XTExpressible, E: XTExpressible,
    F: XTExpressible, G: XTExpressible, H: XTExpressible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> XTQuery<Base, (A.Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value)> {
    giving(
      [a.node, b.node, c.node, d.node, e.node, f.node, g.node, h.node],
      valuesDecoder(a, b, c, d, e, f, g, h))
  }
}
