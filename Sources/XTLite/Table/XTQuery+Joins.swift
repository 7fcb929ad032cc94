// Joins. A row of the result is the models of all tables, in the order in which they were joined.

extension XTQuery {
  /// A join: rows of both tables that belong together.
  ///
  /// ```swift
  /// try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).all()   // [(Order, User)]
  /// ```
  ///
  /// - Parameters:
  ///   - other: the model, or its columns by another name: `User.xt.as("buyer")`.
  ///   - condition: which rows belong together.
  ///   - scope: which rows of the other table count.
  public func join<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Row, Other)> {
    join(Other.xt, on: condition, scope: scope)
  }

  /// A join: rows of both tables that belong together.
  public func join<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Row, Other)> {
    joined(
      "JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }

  /// A left join: rows that have no partner in the other table stay, with nil in its place.
  public func leftJoin<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Row, Other?)> {
    leftJoin(Other.xt, on: condition, scope: scope)
  }

  /// A left join: rows that have no partner in the other table stay, with nil in its place.
  public func leftJoin<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (Row, Other?)> {
    joined(
      "LEFT JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.optional))
  }

  /// A cross join: each row with each row of the other table.
  public func crossJoin<Other: XTModel>(
    _ other: Other.Type, scope: XTScope = .live
  ) -> XTQuery<Base, (Row, Other)> {
    crossJoin(Other.xt, scope: scope)
  }

  /// A cross join: each row with each row of the other table.
  public func crossJoin<Other: XTModel>(
    _ other: XTColumns<Other>, scope: XTScope = .live
  ) -> XTQuery<Base, (Row, Other)> {
    joined(
      "CROSS JOIN", other.source, nil, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }

  /// As above, with one more table.
  public func join<A, B, Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, Other)>
  where Row == (A, B) {
    join(Other.xt, on: condition, scope: scope)
  }

  /// As above, with one more table.
  public func join<A, B, Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, Other)>
  where Row == (A, B) {
    joined(
      "JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }

  /// As above, with one more table.
  public func leftJoin<A, B, Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, Other?)>
  where Row == (A, B) {
    leftJoin(Other.xt, on: condition, scope: scope)
  }

  /// As above, with one more table.
  public func leftJoin<A, B, Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, Other?)>
  where Row == (A, B) {
    joined(
      "LEFT JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.optional))
  }

  /// As above, with one more table.
  public func crossJoin<A, B, Other: XTModel>(
    _ other: Other.Type, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, Other)>
  where Row == (A, B) {
    crossJoin(Other.xt, scope: scope)
  }

  /// As above, with one more table.
  public func crossJoin<A, B, Other: XTModel>(
    _ other: XTColumns<Other>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, Other)>
  where Row == (A, B) {
    joined(
      "CROSS JOIN", other.source, nil, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }

  /// As above, with one more table.
  public func join<A, B, C, Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, Other)>
  where Row == (A, B, C) {
    join(Other.xt, on: condition, scope: scope)
  }

  /// As above, with one more table.
  public func join<A, B, C, Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, Other)>
  where Row == (A, B, C) {
    joined(
      "JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }

  /// As above, with one more table.
  public func leftJoin<A, B, C, Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, Other?)>
  where Row == (A, B, C) {
    leftJoin(Other.xt, on: condition, scope: scope)
  }

  /// As above, with one more table.
  public func leftJoin<A, B, C, Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, Other?)>
  where Row == (A, B, C) {
    joined(
      "LEFT JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.optional))
  }

  /// As above, with one more table.
  public func crossJoin<A, B, C, Other: XTModel>(
    _ other: Other.Type, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, Other)>
  where Row == (A, B, C) {
    crossJoin(Other.xt, scope: scope)
  }

  /// As above, with one more table.
  public func crossJoin<A, B, C, Other: XTModel>(
    _ other: XTColumns<Other>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, Other)>
  where Row == (A, B, C) {
    joined(
      "CROSS JOIN", other.source, nil, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }

  /// As above, with one more table.
  public func join<A, B, C, D, Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, D, Other)>
  where Row == (A, B, C, D) {
    join(Other.xt, on: condition, scope: scope)
  }

  /// As above, with one more table.
  public func join<A, B, C, D, Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, D, Other)>
  where Row == (A, B, C, D) {
    joined(
      "JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }

  /// As above, with one more table.
  public func leftJoin<A, B, C, D, Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, D, Other?)>
  where Row == (A, B, C, D) {
    leftJoin(Other.xt, on: condition, scope: scope)
  }

  /// As above, with one more table.
  public func leftJoin<A, B, C, D, Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, D, Other?)>
  where Row == (A, B, C, D) {
    joined(
      "LEFT JOIN", other.source, condition.node, scope,
      decoder.followed(by: RowDecoder<Other>.optional))
  }

  /// As above, with one more table.
  public func crossJoin<A, B, C, D, Other: XTModel>(
    _ other: Other.Type, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, D, Other)>
  where Row == (A, B, C, D) {
    crossJoin(Other.xt, scope: scope)
  }

  /// As above, with one more table.
  public func crossJoin<A, B, C, D, Other: XTModel>(
    _ other: XTColumns<Other>, scope: XTScope = .live
  ) -> XTQuery<Base, (A, B, C, D, Other)>
  where Row == (A, B, C, D) {
    joined(
      "CROSS JOIN", other.source, nil, scope,
      decoder.followed(by: RowDecoder<Other>.model))
  }
}
