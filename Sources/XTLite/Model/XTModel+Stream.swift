extension XTModel {
  /// The rows that meet a condition, read as they are asked for; all of them where it is nil.
  ///
  /// ```swift
  /// for try await person in Person.xt_stream(where: \.age > 17, orderBy: .asc(\.name)) { … }
  /// ```
  ///
  /// The database is the one that is current when this is called. What is wrong is thrown when the
  /// first row is asked for.
  public static func xt_stream(
    where condition: XTCondition<Self>? = nil, orderBy orders: XTOrder<Self>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) -> XTStream<Self> {
    XTStream {
      try currentTable.source(condition, orders, limit: limit, offset: offset, scope)
    }
  }

  /// The rows in which a Bool property is true, read as they are asked for.
  public static func xt_stream(
    where flag: KeyPath<Self, Bool>, orderBy orders: XTOrder<Self>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) -> XTStream<Self> {
    XTStream {
      try currentTable.source(XTCondition(flag), orders, limit: limit, offset: offset, scope)
    }
  }
}
