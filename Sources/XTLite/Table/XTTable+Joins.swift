extension XTTable {
  /// The rows of this table and another that belong together.
  public func join<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Model, (Model, Other)> {
    query().join(other, on: condition, scope: scope)
  }

  /// The rows of this table and another that belong together.
  public func join<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Model, (Model, Other)> {
    query().join(other, on: condition, scope: scope)
  }

  /// The rows of this table, each with its partner in another, or nil.
  public func leftJoin<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Model, (Model, Other?)> {
    query().leftJoin(other, on: condition, scope: scope)
  }

  /// The rows of this table, each with its partner in another, or nil.
  public func leftJoin<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Model, (Model, Other?)> {
    query().leftJoin(other, on: condition, scope: scope)
  }

  /// Each row with each row of another table.
  public func crossJoin<Other: XTModel>(
    _ other: Other.Type, scope: XTScope = .live
  ) -> XTQuery<Model, (Model, Other)> {
    query().crossJoin(other, scope: scope)
  }

  /// Each row with each row of another table.
  public func crossJoin<Other: XTModel>(
    _ other: XTColumns<Other>, scope: XTScope = .live
  ) -> XTQuery<Model, (Model, Other)> {
    query().crossJoin(other, scope: scope)
  }
}
