extension XTTable {
  /// The rows that meet a condition, now and after each commit that touched them; all of them where
  /// it is nil.
  ///
  /// ```swift
  /// for try await adults in people.observe(where: \.age > 17, orderBy: .asc(\.name)) { … }
  /// ```
  ///
  /// What is wrong with it is thrown by the first value; see ``XTObservation``.
  public func observe(
    where condition: XTCondition<Model>? = nil, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) -> XTObservation<[Model]> {
    XTObservation { live(condition, orders, limit: limit, offset: offset, scope) }
  }

  /// The row of this number, now and after each commit that touched its table; nil where there is
  /// none.
  public func observe(pkid: Int64, scope: XTScope = .live) -> XTObservation<Model?> {
    XTObservation { outside.live { try $0.find(pkid: pkid, scope: scope) } }
  }

  /// The row that the model is, now and after each commit that touched its table; nil where there
  /// is none. What the model holds is asked for its identity now, and never again.
  ///
  /// - Throws: by the first value, `noIdentity` where the model doesn't say which row it is.
  public func observe(_ model: Model, scope: XTScope = .live) -> XTObservation<Model?> {
    let identity = Result {
      let plan = try plan()
      return try withMemory(of: model) { try plan.storedIdentity(of: $0, "observe") }
    }
    return XTObservation { live(try identity.get(), scope) }
  }

  /// How many rows there are, now and after each commit that touched their table.
  ///
  /// ```swift
  /// for try await count in people.observeCount(where: \.age > 17) { … }
  /// ```
  public func observeCount(
    where condition: XTCondition<Model>? = nil, scope: XTScope = .live
  ) -> XTObservation<Int> {
    XTObservation { outside.live { try $0.count(where: condition, scope: scope) } }
  }

  /// In how many rows a Bool property is true, now and after each commit that touched them.
  public func observeCount(
    where flag: KeyPath<Model, Bool>, scope: XTScope = .live
  ) -> XTObservation<Int> {
    observeCount(where: XTCondition(flag), scope: scope)
  }
}

// MARK: -

extension XTTable {
  func live(
    _ condition: XTCondition<Model>?, _ orders: [XTOrder<Model>], limit: Int?, offset: Int?,
    _ scope: XTScope
  ) -> LiveSource<[Model]> {
    outside.live {
      try $0.find(WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
    }
  }

  /// The same table of the database, where this one is a transaction's.
  var outside: XTTable { database.outside.table(Model.self, named: customName) }

  func live<Value>(_ read: @escaping @Sendable (XTTable) throws -> Value) -> LiveSource<Value> {
    LiveSource(database) { try read(self) }
  }

  func live(_ identity: StoredIdentity, _ scope: XTScope) -> LiveSource<Model?> {
    switch identity {
    case .number(let pkid):
      return outside.live { try $0.find(pkid: pkid, scope: scope) }
    case .key(let values):
      let tests = values.map {
        XTCondition<Model>(ConditionNode(SQLFragment("\($0.column) = ?", [$0.value]), .comparison))
      }
      let condition = tests.dropFirst().reduce(tests.first) { all, test in all.map { $0 && test } }
      return outside.live { try $0.findFirst(where: condition, scope: scope) }
    }
  }
}
