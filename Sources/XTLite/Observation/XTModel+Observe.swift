extension XTModel {
  /// The rows that meet a condition, now and after each commit that touched them; all of them where
  /// it is nil.
  ///
  /// ```swift
  /// for try await adults in Person.xt_observe(where: \.age > 17, orderBy: .asc(\.name)) {
  ///   show(adults)
  /// }
  /// ```
  ///
  /// The database is the one that is current when this is called. What is wrong is thrown by the
  /// first value; see ``XTObservation``.
  public static func xt_observe(
    where condition: XTCondition<Self>? = nil, orderBy orders: XTOrder<Self>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Self]> {
    XTObservation {
      try currentTable.live(condition, orders, limit: limit, offset: offset, scope)
    }
  }

  /// The row of this number, now and after each commit that touched its table; nil where there is
  /// none.
  ///
  /// ```swift
  /// for try await person in Person.xt_observe(pkid: 7) { … }    // Person?
  /// ```
  public static func xt_observe(pkid: Int64, scope: XTScope = .live) -> XTObservation<Self?> {
    XTObservation { try currentTable.outside.live { try $0.find(pkid: pkid, scope: scope) } }
  }

  /// The row that this model is, now and after each commit that touched its table; nil where there
  /// is none. What the model holds is asked for its identity now, and never again, also where there is
  /// no shared database yet.
  ///
  /// - Throws: by the first value, `noIdentity` where the model doesn't say which row it is.
  public func xt_observe(scope: XTScope = .live) -> XTObservation<Self?> {
    let identity = Result {
      let plan = try (try? Self.currentTable)?.plan() ?? TablePlan.withoutDatabase(Self.self)
      return try withMemory(of: self) { try plan.storedIdentity(of: $0, "observe") }
    }
    return XTObservation { try Self.currentTable.live(try identity.get(), scope) }
  }

  /// How many rows meet a condition, now and after each commit that touched them.
  ///
  /// ```swift
  /// for try await count in Person.xt_observeCount(where: \.age > 17) { … }
  /// ```
  public static func xt_observeCount(
    where condition: XTCondition<Self>? = nil, scope: XTScope = .live
  ) -> XTObservation<Int> {
    XTObservation {
      try currentTable.outside.live { try $0.count(where: condition, scope: scope) }
    }
  }

  /// In how many rows a Bool property is true, now and after each commit that touched them.
  public static func xt_observeCount(
    where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) -> XTObservation<Int> {
    xt_observeCount(where: XTCondition(flag), scope: scope)
  }
}
