extension RowPlan {
  /// What stands behind WHERE for a condition and a scope; nil for all rows.
  ///
  /// - Throws: what is wrong with the condition; `schema` where the scope asks for soft-deleted
  ///   rows of a table that has none.
  func filter<Model: XTModel>(
    _ condition: XTCondition<Model>?, _ scope: XTScope, _ catalog: any TableCatalog
  ) throws -> SQLFragment? {
    let mark = try mark(of: scope)
    // Its own words stand in parentheses also alone, or more than a condition would pass for one.
    guard var fragment = try condition?.resolvedBesideAnd(in: self.scope, catalog) else {
      return mark.map { SQLFragment($0) }
    }
    try checkDates(in: fragment)
    if let mark { fragment.text += " AND \(mark)" }
    return fragment
  }

  /// What stands behind WHERE of an UPDATE or a DELETE. Few libraries are built with an order and a
  /// limit for these, so the rows are then found by a subquery; and so they are by a condition on
  /// what the table lacks, which holds what `init()` gives as in a find.
  ///
  /// - Throws: `schema` where that needs a subquery and nothing tells the table's rows apart.
  func changedRows<Model: XTModel>(
    _ query: WantedRows<Model>, _ catalog: any TableCatalog
  ) throws -> SQLFragment? {
    let filter = try filter(query.condition, query.scope, catalog)
    let isPart = query.limit != nil || query.offset != nil
    guard isPart || filter.map(speaksOfAdditions) == true else { return filter }
    let key = try keyInStatement()
    let orders = try isPart ? query.orders(in: self.scope, catalog) : []
    let select = StatementBuilder.select(
      key, from: source, where: filter?.text, orderBy: orders.map(\.text), hasLimit: isPart,
      hasOffset: query.offset != nil)
    let names = key.joined(separator: ", ")
    return SQLFragment(
      "\(key.count == 1 ? names : "(\(names))") IN (\(select))",
      (filter?.values ?? []) + orders.flatMap(\.values) + (try query.limits()))
  }

  /// What tells the table's rows apart in its statements: their number, else the primary key, which
  /// is never NULL in a table without numbers.
  private func keyInStatement() throws -> [String] {
    if let number = shape.rowIDExpression { return [number] }
    let key = shape.fileColumns.filter { $0.keyPosition > 0 }
      .sorted { $0.keyPosition < $1.keyPosition }
    guard !key.isEmpty else { throw noRowNumbers() }
    return key.map { quoted($0.name) }
  }

  /// Whether a condition names something that ``source`` adds to the table.
  private func speaksOfAdditions(_ fragment: SQLFragment) -> Bool {
    let added = Set(shape.addedColumns.map { SQLiteName($0.name) })
    guard !added.isEmpty else { return false }
    let scanner = SQLScanner(fragment.text)
    return scanner.contains { token in
      token.kind != .text && scanner.name(of: token).map { added.contains(SQLiteName($0)) } == true
    }
  }

  /// The statement that finds a row by its number, which is its one parameter.
  ///
  /// - Throws: `schema` where the table numbers no rows, or has no soft deletion and the scope asks
  ///   for it.
  func finder(_ scope: XTScope) throws -> StatementKey {
    let key: StatementKey?
    switch scope {
    case .live: key = findLive
    case .all: key = findAny
    case .deleted:
      guard shape.has(.isDel) else { throw DeletionMark.isMissing(in: shape.table) }
      key = findDeleted
    }
    guard let key else { throw noRowNumbers() }
    return key
  }

  private func mark(of scope: XTScope) throws -> String? {
    guard shape.exists else { return nil }
    guard scope != .deleted || shape.deletionMark != nil else {
      throw DeletionMark.isMissing(in: shape.table)
    }
    return shape.deletionMark?.condition(of: scope)
  }

  func noRowNumbers() -> XTError {
    XTError(
      .schema, "\(shape.table) has no row numbers to find a row by",
      hint: "find it by a condition, and update it by: its key", table: shape.table)
  }
}
