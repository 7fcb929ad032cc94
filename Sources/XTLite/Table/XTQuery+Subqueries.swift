// Queries inside of other statements.

extension XTExpressible {
  /// Whether it is one of the values that a query gives.
  ///
  /// ```swift
  /// User.xt.pkid.in(Order.xt_query().columns(Order.xt.userID))
  /// ```
  public func `in`(_ query: XTQuery<some XTModel, Value>) -> XTPredicate {
    XTPredicate(.membership(of: node, [.select(query.node)], isNegated: false))
  }

  /// Whether it is none of the values that a query gives. Where NULL is one of them, this is never
  /// true: SQL's own rule.
  public func notIn(_ query: XTQuery<some XTModel, Value>) -> XTPredicate {
    XTPredicate(.membership(of: node, [.select(query.node)], isNegated: true))
  }
}

extension XTExpressible where Value: XTOptional {
  /// Whether it is one of the values that a query gives.
  public func `in`(_ query: XTQuery<some XTModel, Value.Wrapped>) -> XTPredicate {
    XTPredicate(.membership(of: node, [.select(query.node)], isNegated: false))
  }

  /// Whether it is none of the values that a query gives.
  public func notIn(_ query: XTQuery<some XTModel, Value.Wrapped>) -> XTPredicate {
    XTPredicate(.membership(of: node, [.select(query.node)], isNegated: true))
  }
}

extension XTExpression where Value == Bool {
  /// Whether a query, which may be about columns of the statement around it, gives a row: EXISTS.
  ///
  /// ```swift
  /// let orders = Order.xt_query().where(Order.xt.userID == User.xt.pkid)
  /// try User.xt_findWhere(XTPredicate.exists(orders))
  /// ```
  public static func exists<Base, Row>(_ query: XTQuery<Base, Row>) -> XTPredicate {
    var parts = query.parts
    if parts.countsRows { parts.results = [SQLNode("1")] }
    return XTPredicate(
      SQLNode([
        .text("EXISTS ("),
        .select(
          SelectNode(parts, given: query.given, database: query.database?.identity)), .text(")"),
      ]))
  }

  /// Whether a query gives no row: NOT EXISTS.
  public static func notExists<Base, Row>(_ query: XTQuery<Base, Row>) -> XTPredicate {
    XTPredicate(
      SQLNode([.text("NOT "), .node(exists(query).node, atLeast: .atom)], .not))
  }
}

extension XTQuery {
  /// The first value that the query gives, as an expression; nil where it gives no row.
  ///
  /// ```swift
  /// let largest = Person.xt_query().columns(Person.xt.age.max()).scalar
  /// try Person.xt_findWhere(Person.xt.age == largest)
  /// ```
  @_disfavoredOverload
  public var scalar: XTExpression<Row?> { XTExpression<Row?>(scalarNode) }

  fileprivate var scalarNode: SQLNode {
    SQLNode(
      [.text("("), .select(node), .text(")")],
      collation: parts.results.first?.collation)
  }
}

extension XTQuery where Row: XTOptional {
  /// The first value that the query gives, as an expression; nil where it gives no row.
  public var scalar: XTExpression<Row> { XTExpression<Row>(scalarNode) }
}

// MARK: Several queries as one

extension XTQuery {
  /// The rows of both, each different one once. Orders and limits that are said behind it are those
  /// of the whole.
  public func union(_ other: XTQuery<some XTModel, Row>) -> XTQuery {
    compound("UNION", other)
  }

  /// The rows of both.
  public func unionAll(_ other: XTQuery<some XTModel, Row>) -> XTQuery {
    compound("UNION ALL", other)
  }

  /// The different rows that are in both.
  public func intersect(_ other: XTQuery<some XTModel, Row>) -> XTQuery {
    compound("INTERSECT", other)
  }

  /// The different rows that are not in the other.
  public func except(_ other: XTQuery<some XTModel, Row>) -> XTQuery {
    compound("EXCEPT", other)
  }

  private func compound<Other>(_ word: String, _ other: XTQuery<Other, Row>) -> XTQuery {
    changed(isOfWhole: true) { parts in
      // What has an order or a limit already becomes a part of its own.
      if !parts.orders.isEmpty || parts.limit != nil || parts.offset != nil {
        parts = parts.asPart
      }
      parts.compounds.append((word, other.node))
    }
  }
}

/// A table of WITH: a query under a name.
///
/// ```swift
/// let tree = XTTableName("tree")
/// let id = tree.column("id", as: Int64.self), level = tree.column("level", as: Int.self)
/// let reports = XTCommonTable(
///   tree, columns: "id", "level",
///   as: Employee.xt_query().where(Employee.xt.bossID == nil)
///     .columns(Employee.xt.pkid, XTExpression(0)),
///   unionAll: Employee.xt_query().join(tree, on: Employee.xt.bossID == id)
///     .columns(Employee.xt.pkid, level + 1))
/// try tree.query().with(reports).columns(id, level).all()
/// ```
public struct XTCommonTable: Sendable {
  let table: CommonTable

  /// - Parameters:
  ///   - table: its name, by which the statement reads from it.
  ///   - columns: the names of its columns, in the query's order.
  ///   - query: what is in it.
  public init<Base, Row>(
    _ table: XTTableName, columns: String..., as query: XTQuery<Base, Row>
  ) {
    self.table = CommonTable(name: table.name, columns: columns, select: query.node)
  }

  /// A table that grows by its own rows.
  ///
  /// - Parameters:
  ///   - table: its name, by which the statement, and `more`, read from it.
  ///   - columns: the names of its columns, in the queries' order.
  ///   - query: what is in it at first.
  ///   - more: what each of its rows brings in besides. A row may come more than once; where rows
  ///     lead in a circle, this has no end, and ``init(_:columns:as:union:orderBy:)`` has one.
  ///   - orders: which row's turn it is next, by the table's columns: `.desc(level)` follows each
  ///     branch down to its end first. The one that is there longest, where nothing is said.
  public init<Base, Other, Row>(
    _ table: XTTableName, columns: String..., as query: XTQuery<Base, Row>,
    unionAll more: XTQuery<Other, Row>, orderBy orders: XTOrder<XTNoModel>...
  ) {
    self.init(table, columns, query.unionAll(more.asStep), orders)
  }

  /// A table that grows by its own rows, each different one once.
  ///
  /// - Parameters:
  ///   - table: its name, by which the statement, and `more`, read from it.
  ///   - columns: the names of its columns, in the queries' order.
  ///   - query: what is in it at first.
  ///   - more: what each of its rows brings in besides, until there is nothing new.
  ///   - orders: which row's turn it is next, by the table's columns.
  public init<Base, Other, Row>(
    _ table: XTTableName, columns: String..., as query: XTQuery<Base, Row>,
    union more: XTQuery<Other, Row>, orderBy orders: XTOrder<XTNoModel>...
  ) {
    self.init(table, columns, query.union(more.asStep), orders)
  }

  private init<Base, Row>(
    _ table: XTTableName, _ columns: [String], _ whole: XTQuery<Base, Row>,
    _ orders: [XTOrder<XTNoModel>]
  ) {
    // ORDER BY of such a table knows its columns by their places alone.
    let terms = orders.map { order -> OrderNode in
      let name = order.node.node.column.map { SQLiteName($0.name) }
      let place = columns.firstIndex { SQLiteName($0) == name }
      return order.node.of(place.map { SQLNode("\($0 + 1)") } ?? Self.noColumn(of: table))
    }
    let select = whole.changed(isOfWhole: true) { $0.orders += terms }.node
    self.table = CommonTable(
      name: table.name, columns: columns, select: select, isRecursive: true)
  }

  private static func noColumn(of table: XTTableName) -> SQLNode {
    SQLNode(
      XTError(
        .schema, "\(table.name) is sorted by something else than its columns",
        hint: "name one of them in columns:, and sort by it", table: table.name))
  }
}

extension XTQuery {
  /// What adds to a table that is made from itself can't have an order of its own: written as a
  /// subquery it could not read from the table.
  fileprivate var asStep: XTQuery {
    guard !parts.orders.isEmpty || parts.limit != nil || parts.offset != nil else { return self }
    return changed(isOfWhole: true) { parts in
      parts.error =
        parts.error
        ?? XTError(
          .schema, "what a table of WITH adds to itself has an order or a limit",
          hint: "give the order to XTCommonTable as orderBy:, and the limit to the whole query")
    }
  }
}

extension XTQuery {
  /// The same query with tables of WITH before it.
  public func with(_ tables: XTCommonTable...) -> XTQuery {
    changed(isOfWhole: true) { $0.commonTables += tables.map(\.table) }
  }

  /// A join with a table that has no model, or one of WITH; its columns are asked for by
  /// ``columns(_:)``.
  public func join(_ table: XTTableName, on condition: some XTExpressible<Bool>) -> XTQuery {
    changed { $0.join("JOIN", table.source, condition.node, .all) }
  }

  /// A left join with a table that has no model, or one of WITH.
  public func leftJoin(_ table: XTTableName, on condition: some XTExpressible<Bool>) -> XTQuery {
    changed { $0.join("LEFT JOIN", table.source, condition.node, .all) }
  }

  /// Each row with each of a table that has no model, or of one of WITH.
  public func crossJoin(_ table: XTTableName) -> XTQuery {
    changed { $0.join("CROSS JOIN", table.source, nil, .all) }
  }
}

extension XTTableName {
  /// A query over the table, on the database that is the current one when it runs. What it gives is
  /// said by ``XTQuery/columns(_:)``.
  public func query() -> XTQuery<XTNoModel, Void> {
    XTQuery(SelectParts(source), .nothing, nil)
  }

  /// A query over the rows of another one, which goes by this name in it: a subquery in the place of
  /// a table.
  ///
  /// ```swift
  /// let sums = XTTableName("sums")
  /// let total = sums.column("total", as: Double.self)
  /// let perUser = Order.xt_query().groupBy(Order.xt.userID)
  ///   .columns(Order.xt.userID, Order.xt.total.sum().named("total"))
  /// try sums.query(over: perUser).where(total > 100).columns(total.avg()).first()
  /// // SELECT avg(`total`) FROM (SELECT `userID`, sum(`total`) AS `total` FROM …) AS `sums` …
  /// ```
  ///
  /// - Parameter query: its results' names are those of their columns, or what
  ///   ``XTExpressible/named(_:)`` says.
  public func query<Base, Row>(over query: XTQuery<Base, Row>) -> XTQuery<XTNoModel, Void> {
    var source = Source(table: .query(query.node), reference: reference)
    source.scope = .all
    return XTQuery(SelectParts(source), .nothing, query.database)
  }
}
