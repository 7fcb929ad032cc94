import Foundation

// Written out for one property to eight, as the values of a query are.

extension XTTable {
  /// Puts the rows of a query into the table.
  ///
  /// ```swift
  /// try archive.insert(
  ///   into: \.name, \.total,
  ///   from: Order.xt_query().where(\.isDone == true).columns(Order.xt.name, Order.xt.total))
  /// ```
  ///
  /// - Parameters:
  ///   - a: where the query's values go, in its order; up to eight properties. The file's DEFAULTs
  ///     fill the others.
  ///   - query: what to insert.
  /// - Returns: how many rows.
  /// - Throws: `schema` where a property has no default and is not among them; what is wrong with
  ///   the query, or breaks a constraint.
  @discardableResult
  public func insert<A, Base: XTModel>(
    into a: KeyPath<Model, A>, from query: XTQuery<Base, A>
  ) throws -> Int {
    try insert([a], query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public func insert<A, B, Base: XTModel>(
    into a: KeyPath<Model, A>, _ b: KeyPath<Model, B>, from query: XTQuery<Base, (A, B)>
  ) throws -> Int {
    try insert([a, b], query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public func insert<A, B, C, Base: XTModel>(
    into a: KeyPath<Model, A>, _ b: KeyPath<Model, B>, _ c: KeyPath<Model, C>,
    from query: XTQuery<Base, (A, B, C)>
  ) throws -> Int {
    try insert([a, b, c], query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public func insert<A, B, C, D, Base: XTModel>(
    into a: KeyPath<Model, A>, _ b: KeyPath<Model, B>, _ c: KeyPath<Model, C>,
    _ d: KeyPath<Model, D>, from query: XTQuery<Base, (A, B, C, D)>
  ) throws -> Int {
    try insert([a, b, c, d], query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public func insert<A, B, C, D, E, Base: XTModel>(
    into a: KeyPath<Model, A>, _ b: KeyPath<Model, B>, _ c: KeyPath<Model, C>,
    _ d: KeyPath<Model, D>, _ e: KeyPath<Model, E>, from query: XTQuery<Base, (A, B, C, D, E)>
  ) throws -> Int {
    try insert([a, b, c, d, e], query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public func insert<A, B, C, D, E, F, Base: XTModel>(
    into a: KeyPath<Model, A>, _ b: KeyPath<Model, B>, _ c: KeyPath<Model, C>,
    _ d: KeyPath<Model, D>, _ e: KeyPath<Model, E>, _ f: KeyPath<Model, F>,
    from query: XTQuery<Base, (A, B, C, D, E, F)>
  ) throws -> Int {
    try insert([a, b, c, d, e, f], query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public func insert<A, B, C, D, E, F, G, Base: XTModel>(
    into a: KeyPath<Model, A>, _ b: KeyPath<Model, B>, _ c: KeyPath<Model, C>,
    _ d: KeyPath<Model, D>, _ e: KeyPath<Model, E>, _ f: KeyPath<Model, F>,
    _ g: KeyPath<Model, G>, from query: XTQuery<Base, (A, B, C, D, E, F, G)>
  ) throws -> Int {
    try insert([a, b, c, d, e, f, g], query)
  }

  /// Puts the rows of a query into the table.
  @discardableResult
  public func insert<A, B, C, D, E, F, G, H, Base: XTModel>(
    into a: KeyPath<Model, A>, _ b: KeyPath<Model, B>, _ c: KeyPath<Model, C>,
    _ d: KeyPath<Model, D>, _ e: KeyPath<Model, E>, _ f: KeyPath<Model, F>,
    _ g: KeyPath<Model, G>, _ h: KeyPath<Model, H>,
    from query: XTQuery<Base, (A, B, C, D, E, F, G, H)>
  ) throws -> Int {
    try insert([a, b, c, d, e, f, g, h], query)
  }
}

// MARK: -

extension XTTable {
  fileprivate func insert<Base: XTModel, Row>(
    _ properties: [AnyKeyPath], _ query: XTQuery<Base, Row>
  ) throws -> Int {
    let plan = try plan()
    let columns = try properties.map { try column($0) }
    let time = XTValue.real(database.currentTime())
    try checkOnce(columns, plan)
    return try transacting(plan) { connection, rows in
      try rows.checkWritable(columns)
      let missing = rows.shape.columns.first { column in
        column.isRequiredWithoutDefault && column.role == .property
          && !columns.contains { $0 === column }
      }
      if let missing {
        throw XTError(
          .schema, "\(missing.name) has no default, and the query gives no value for it",
          hint: "give the query a value for it, as XTExpression(value)", table: plan.table,
          column: missing.name)
      }
      var names = columns.map(\.quotedName)
      var values: [XTValue] = []
      for role in [ColumnRole.createTime, .updateTime]
      where rows.shape.has(role) && !columns.contains(where: { $0.role == role }) {
        names.append(role.quotedName)
        values.append(time)
      }
      for filler in rows.shape.fillers {
        names.append(quoted(filler.name))
        values.append(filler.value)
      }
      var parts = query.parts
      if !values.isEmpty, !parts.isPlain {
        parts = parts.asPart
      }
      parts.results += values.map { SQLNode([.value($0)]) }
      let tables = LiveTables(database, connection)
      try checkRanges(of: columns, in: query, plan, connection, tables)
      var writer = SQLWriter(catalog: tables)
      writer.write("INSERT INTO \(quoted(plan.table)) (\(names.joined(separator: ", "))) ")
      try writer.write(
        SelectNode(parts, given: query.given, database: query.database?.identity))
      let fragment = try writer.complete()
      do {
        return try connection.run(fragment.text, fragment.values)
      } catch {
        throw rows.shape.explained(error)
      }
    }
  }

  /// - Throws: `valueOutOfRange` where a value is none that its property can hold.
  private func checkRanges<Base: XTModel, Row>(
    of columns: [Column], in query: XTQuery<Base, Row>, _ plan: TablePlan, _ connection: Connection,
    _ tables: LiveTables
  ) throws {
    let isPlain = query.parts.compounds.isEmpty
    let names = columns.indices.map { "c\($0)" }
    for (index, (column, result)) in zip(columns, query.parts.results).enumerated()
    where !isPlain || result.column == nil {
      guard let leaves = column.leavesRange(SQLNode(quoted(names[index]))) else { continue }
      var writer = SQLWriter(catalog: tables)
      writer.write("WITH `xt_given` (\(names.quotedList)) AS (")
      try writer.write(query.node)
      writer.write(") SELECT 1 FROM `xt_given` WHERE ")
      try writer.write(leaves)
      writer.write(" LIMIT 1")
      let test = try writer.complete()
      guard try connection.firstValue(test.text, test.values) != nil else { continue }
      throw XTError(
        .valueOutOfRange,
        "the query gives \(column.name) what \(TypeName.display(column.type.swiftType)) can't hold",
        hint: "no row was inserted", table: plan.table, column: column.name)
    }
  }
}
