// Joins that keep the rows of the other table. A query's base is the table behind FROM, so that they
// are the first join of a query.

extension XTQuery where Row == Base {
  /// A right join: rows of the other table that have no partner in this one stay, with nil in its
  /// place. SQLite 3.39; before that, a left join from the other model gives the same.
  public func rightJoin<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Base?, Other)> {
    rightJoin(Other.xt, on: condition, scope: scope)
  }

  /// A right join: rows of the other table that have no partner in this one stay, with nil in its
  /// place. SQLite 3.39.
  public func rightJoin<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Base?, Other)> {
    joined(
      "RIGHT JOIN", other.source, condition.node, scope,
      RowDecoder<Base>.optional.followed(by: RowDecoder<Other>.model))
  }

  /// A full join: rows of both tables stay that have no partner in the other one, with nil in its
  /// place. SQLite 3.39.
  ///
  /// ```swift
  /// try User.xt_query().fullJoin(Order.self, on: Order.xt.userID == User.xt.pkid).all()
  /// // [(User?, Order?)]
  /// ```
  public func fullJoin<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Base?, Other?)> {
    fullJoin(Other.xt, on: condition, scope: scope)
  }

  /// A full join: rows of both tables stay that have no partner in the other one, with nil in its
  /// place. SQLite 3.39.
  public func fullJoin<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Base?, Other?)> {
    joined(
      "FULL JOIN", other.source, condition.node, scope,
      RowDecoder<Base>.optional.followed(by: RowDecoder<Other>.optional))
  }
}
