import Foundation

extension XTTable {
  // MARK: RETURNING

  /// Changes columns of the rows that meet a condition, and gives values of the rows as they are
  /// then. SQLite 3.35.
  ///
  /// ```swift
  /// let ages = try people.update(where: \.age > 17, .add(\.age, 1), returning: Person.xt.age)
  /// ```
  @discardableResult
  public func update<First: XTExpressible, each E: XTExpressible>(
    where condition: XTCondition<Model>?, _ assignments: XTAssignment<Model>...,
    returning first: First, _ more: repeat each E, scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try update(
      WantedRows(condition, scope: scope), assignments, returning: first, repeat each more)
  }

  /// Changes columns of the rows in which a Bool property is true, and gives values of the rows as
  /// they are then. SQLite 3.35.
  @discardableResult
  public func update<First: XTExpressible, each E: XTExpressible>(
    where flag: KeyPath<Model, Bool>, _ assignments: XTAssignment<Model>...,
    returning first: First, _ more: repeat each E, scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try update(
      WantedRows(XTCondition(flag), scope: scope), assignments, returning: first,
      repeat each more)
  }

  /// Changes columns of the rows for which a predicate is true, and gives values of the rows as
  /// they are then. SQLite 3.35.
  @discardableResult
  public func update<First: XTExpressible, each E: XTExpressible>(
    where predicate: some XTExpressible<Bool>, _ assignments: XTAssignment<Model>...,
    returning first: First, _ more: repeat each E, scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try update(
      WantedRows(XTCondition(predicate), scope: scope), assignments, returning: first,
      repeat each more)
  }

  func update<First: XTExpressible, each E: XTExpressible>(
    _ query: WantedRows<Model>, _ assignments: [XTAssignment<Model>], returning first: First,
    _ more: repeat each E
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try LibraryNeed.returning.check()
    var results = [first.node]
    for expression in repeat each more { results.append(expression.node) }
    var rows = ReturnedRows(valuesDecoder(first, repeat each more))
    _ = try update(query, assignments, returning: results) { try rows.take($0, $1) }
    return rows.all
  }

  /// Removes the rows that meet a condition, and gives values of them. SQLite 3.35.
  @discardableResult
  public func delete<First: XTExpressible, each E: XTExpressible>(
    where condition: XTCondition<Model>?, returning first: First, _ more: repeat each E,
    scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try LibraryNeed.returning.check()
    var results = [first.node]
    for expression in repeat each more { results.append(expression.node) }
    var rows = ReturnedRows(valuesDecoder(first, repeat each more))
    _ = try delete(WantedRows(condition, scope: scope), returning: results) {
      try rows.take($0, $1)
    }
    return rows.all
  }

  /// Removes the rows in which a Bool property is true, and gives values of them. SQLite 3.35.
  @discardableResult
  public func delete<First: XTExpressible, each E: XTExpressible>(
    where flag: KeyPath<Model, Bool>, returning first: First, _ more: repeat each E,
    scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try delete(
      where: XTCondition(flag), returning: first, repeat each more, scope: scope)
  }

  /// Removes the rows for which a predicate is true, and gives values of them. SQLite 3.35.
  @discardableResult
  public func delete<First: XTExpressible, each E: XTExpressible>(
    where predicate: some XTExpressible<Bool>, returning first: First, _ more: repeat each E,
    scope: XTScope = .live
  ) throws -> [(First.Value, repeat (each E).Value)] {
    try delete(
      where: XTCondition(predicate), returning: first, repeat each more, scope: scope)
  }
}

/// The rows that a statement with RETURNING gave so far.
private struct ReturnedRows<Row> {
  private let decoder: RowDecoder<Row>
  private var filler: RowFiller?
  private(set) var all: [Row] = []

  init(_ decoder: RowDecoder<Row>) {
    self.decoder = decoder
  }

  mutating func take(_ statement: Statement, _ places: [ResultPlace]) throws {
    let filler = try self.filler ?? decoder.parts.filler(places, sql: statement.sql)
    self.filler = filler
    all.append(try filler.row(Row.self, from: statement))
  }
}

/// What becomes of the rows that a statement with RETURNING gives.
typealias RowTaker = (Statement, [ResultPlace]) throws -> Void

extension Connection {
  /// Runs a statement that writes.
  ///
  /// - Parameters:
  ///   - results: what stands behind RETURNING; none for a statement without it.
  ///   - take: called with each row.
  /// - Returns: how many rows were changed.
  func run(
    _ fragment: SQLFragment, returning results: [SQLNode], _ rows: RowPlan,
    _ catalog: any TableCatalog, _ take: RowTaker
  ) throws -> Int {
    guard !results.isEmpty else { return try run(fragment.text, fragment.values) }
    guard !results.contains(where: { $0.model != nil }) else {
      throw XTError(
        .schema, "a statement that writes gives values of its rows, and no models",
        hint: "name the columns, or find the rows in the same transaction", table: rows.shape.table)
    }
    var writer = SQLWriter(rows.scope, catalog: catalog)
    writer.write(fragment)
    writer.write(" RETURNING ")
    try writer.write(list: results)
    let whole = try writer.complete()
    let places = results.enumerated().map { index, node in
      ResultPlace(
        index: index, column: node.column?.column, table: rows.shape.table, mapping: rows.mapping,
        standIns: rows.standIns)
    }
    return try withStatement(whole.text) { statement in
      try statement.bind(whole.values)
      var count = 0
      while try statement.step() {
        count += 1
        try take(statement, places)
      }
      return count
    }
  }
}
