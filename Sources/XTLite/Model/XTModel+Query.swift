// Queries: values that say which rows, and run when they are asked for them.

extension XTModel {
  /// A query over the model's rows, on the database that is the current one when it runs.
  ///
  /// ```swift
  /// try Person.xt_query().where(\.age > 17).orderBy(.desc(\.age)).limit(10).all()
  /// ```
  public static func xt_query() -> XTQuery<Self, Self> {
    query(in: nil)
  }

  /// A query over the model's rows by another name, for one that stands in a query over the same
  /// model.
  ///
  /// ```swift
  /// let other = Person.xt.as("other")                // the oldest of each town
  /// let oldest = Person.xt_query(as: other).where(other.town == Person.xt.town)
  /// try Person.xt_findWhere(Person.xt.age == oldest.columns(other.age.max()).scalar)
  /// ```
  ///
  /// - Parameter columns: the model's columns by that name. Key paths mean the model's own name: write
  ///   `other.age`.
  public static func xt_query(as columns: XTColumns<Self>) -> XTQuery<Self, Self> {
    query(in: nil, from: columns)
  }

  /// The rows of this table and another that belong together.
  ///
  /// ```swift
  /// try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid).all()
  /// ```
  public static func xt_join<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Self, (Self, Other)> {
    xt_query().join(other, on: condition, scope: scope)
  }

  /// The rows of this table and another that belong together.
  public static func xt_join<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Self, (Self, Other)> {
    xt_query().join(other, on: condition, scope: scope)
  }

  /// The rows of this table, each with its partner in another, or nil.
  ///
  /// ```swift
  /// try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid).all()
  /// ```
  public static func xt_leftJoin<Other: XTModel>(
    _ other: Other.Type, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Self, (Self, Other?)> {
    xt_query().leftJoin(other, on: condition, scope: scope)
  }

  /// The rows of this table, each with its partner in another, or nil.
  public static func xt_leftJoin<Other: XTModel>(
    _ other: XTColumns<Other>, on condition: some XTExpressible<Bool>, scope: XTScope = .live
  ) -> XTQuery<Self, (Self, Other?)> {
    xt_query().leftJoin(other, on: condition, scope: scope)
  }

  /// Each row with each row of another table.
  public static func xt_crossJoin<Other: XTModel>(
    _ other: Other.Type, scope: XTScope = .live
  ) -> XTQuery<Self, (Self, Other)> {
    xt_query().crossJoin(other, scope: scope)
  }

  /// Each row with each row of another table.
  public static func xt_crossJoin<Other: XTModel>(
    _ other: XTColumns<Other>, scope: XTScope = .live
  ) -> XTQuery<Self, (Self, Other)> {
    xt_query().crossJoin(other, scope: scope)
  }
}
