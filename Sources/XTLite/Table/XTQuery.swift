/// A query as a plain value: which rows of which tables, and what of them.
///
/// ```swift
/// let adults = Person.xt_query().where(\.age >= 18).orderBy(.asc(\.name))
/// try adults.limit(10).all()                       // [Person]
/// try adults.columns(Person.xt.name, Person.xt.age).first()   // (String, Int)?
/// try adults.sql                                   // SELECT … FROM `Person` WHERE `age` >= ? …
/// ```
///
/// Each call gives a new query and leaves the old one as it was; nothing runs before ``all()``,
/// ``first()``, ``count()``, ``exists()``, ``forEach(_:)`` or a `select`. A query of `xt_query()`
/// runs on the current database, one of ``XTTable/query()`` on that table's.
///
/// A query that is kept in a constant is written and prepared once; see ``XTParameter`` for values
/// that differ from run to run.
///
/// Soft-deleted rows are left out, of each table that has them, unless a scope says otherwise. A
/// table that is missing reads as empty.
public struct XTQuery<Base: XTModel, Row>: Sendable {
  /// Behind a reference: a query is copied for each value that it is given.
  let body: QueryBody
  let given: GivenValues

  var parts: SelectParts { body.parts }
  /// Nil for the current one.
  var database: XTDatabase? { body.database }
  var decoder: RowDecoder<Row> { RowDecoder(body.rows) }

  init(
    _ parts: SelectParts, _ decoder: RowDecoder<Row>, _ database: XTDatabase?,
    given: GivenValues = GivenValues()
  ) {
    body = QueryBody(parts, decoder.parts, database)
    self.given = given
  }

  private init(_ body: QueryBody, _ given: GivenValues) {
    self.body = body
    self.given = given
  }

  /// As a part of another statement.
  var node: SelectNode { SelectNode(parts, given: given, database: database?.identity) }

  /// - Parameter isOfWhole: whether the change is of all rows where others were added by UNION and its
  ///   like, not of the first query's alone.
  func changed(isOfWhole: Bool = false, _ change: (inout SelectParts) -> Void) -> XTQuery {
    var parts = parts
    change(&parts)
    if !isOfWhole { parts.noteLateChange() }
    return XTQuery(parts, decoder, database, given: given)
  }

  // MARK: Which rows

  /// Just the rows for which a condition is true; further ones are joined by AND.
  public func `where`(_ condition: some XTExpressible<Bool>) -> XTQuery {
    changed { $0.add(condition.node.condition) }
  }

  /// Just the rows that meet a condition on the base table; all where it is nil.
  public func `where`(_ condition: XTCondition<Base>?) -> XTQuery {
    guard let condition else { return self }
    return changed { $0.add(condition.node) }
  }

  /// Just the rows in which a Bool property of the base table is true.
  public func `where`(_ flag: KeyPath<Base, Bool>) -> XTQuery {
    self.where(XTCondition(flag))
  }

  /// One row for each group of rows in which these are the same. Of a model, the row is any one of
  /// the group, or that of the largest or smallest value where `max()` or `min()` is asked for.
  public func groupBy(_ terms: any XTExpressible...) -> XTQuery {
    changed { $0.groups += terms.map(\.node) }
  }

  /// Just the groups for which a condition is true; further ones are joined by AND.
  public func having(_ condition: some XTExpressible<Bool>) -> XTQuery {
    changed { parts in
      let condition = condition.node.condition
      parts.having = parts.having.map { .join($0, .and, condition) } ?? condition
    }
  }

  /// Each different row once.
  public func distinct() -> XTQuery {
    changed { $0.isDistinct = true }
  }

  /// Which rows of the base table count: `.live`, those that are not soft-deleted, unless it is
  /// said.
  public func scope(_ scope: XTScope) -> XTQuery {
    changed { $0.sources[0].scope = scope }
  }

  // MARK: In which order, how many

  /// What to sort by, the first one first; behind what was said before.
  public func orderBy(_ orders: XTOrder<Base>...) -> XTQuery {
    orderBy(orders)
  }

  /// What to sort by, the first one first; behind what was said before.
  public func orderBy(_ orders: [XTOrder<Base>]) -> XTQuery {
    changed(isOfWhole: true) { $0.orders += orders.map(\.node) }
  }

  /// The most rows to give.
  ///
  /// - Parameters:
  ///   - count: 0 or more.
  ///   - offset: how many rows to leave out at the beginning.
  public func limit(_ count: Int, offset: Int? = nil) -> XTQuery {
    changed(isOfWhole: true) { parts in
      parts.limit = .number(count)
      if let offset { parts.offset = .number(offset) }
    }
  }

  /// The most rows to give, as a parameter.
  public func limit(_ count: XTParameter<Int>, offset: XTParameter<Int>? = nil) -> XTQuery {
    changed(isOfWhole: true) { parts in
      parts.limit = .number(count)
      if let offset { parts.offset = .number(offset) }
    }
  }

  /// How many rows to leave out at the beginning.
  public func offset(_ count: Int) -> XTQuery {
    changed(isOfWhole: true) { $0.offset = .number(count) }
  }

  func giving<Other>(
    _ results: [SQLNode], _ decoder: RowDecoder<Other>
  ) -> XTQuery<Base, Other> {
    var parts = parts
    parts.results = results
    parts.noteLateChange()
    return XTQuery<Base, Other>(parts, decoder, database, given: given)
  }

  func joined<Other>(
    _ word: String, _ source: Source, _ condition: SQLNode?, _ scope: XTScope,
    _ decoder: RowDecoder<Other>
  ) -> XTQuery<Base, Other> {
    let query = giving(parts.results + [SQLNode([.model(source.reference)])], decoder)
    return query.changed { $0.join(word, source, condition, scope) }
  }

  // MARK: Values that are given later

  /// The same query with a parameter's value.
  public func with<V>(_ parameter: XTParameter<V>, _ value: V) throws -> XTQuery {
    let key = parameter.key
    return XTQuery(body, given.giving(try key.bound(value), to: key))
  }
}

/// What a query says and gives, and what was written of it for a database.
final class QueryBody: Sendable {
  let parts: SelectParts
  let rows: RowParts
  /// Nil for the current one.
  let database: XTDatabase?
  let cache = QueryCache()

  init(_ parts: SelectParts, _ rows: RowParts, _ database: XTDatabase?) {
    self.parts = parts
    self.rows = rows
    self.database = database
  }
}

extension SelectParts {
  /// Behind UNION and its like there is no place for it: it would be of the first query alone.
  fileprivate mutating func noteLateChange() {
    guard !compounds.isEmpty, error == nil else { return }
    error = XTError(
      .schema, "behind union, intersect and except a query takes an order and a limit alone",
      hint: "say the rest before, of each query")
  }

  mutating func join(
    _ word: String, _ source: Source, _ condition: SQLNode?, _ scope: XTScope
  ) {
    var source = source
    source.join = word
    source.on = condition?.condition
    source.scope = scope
    sources.append(source)
  }
}

extension SQLNode {
  /// The value of LIMIT or OFFSET.
  static func number(_ count: Int) -> SQLNode {
    if count >= 0 { return .value(count) }
    return SQLNode(
      XTError(
        .valueOutOfRange, "\(count) is no number of rows: limit and offset are 0 or more",
        hint: "leave limit out to have all rows"))
  }

  fileprivate static func number(_ count: XTParameter<Int>) -> SQLNode {
    SQLNode([.parameter(count.key, isCount: true)])
  }
}

// MARK: - Where queries begin

extension XTModel {
  static func query(
    in database: XTDatabase?, from columns: XTColumns<Self> = Self.xt
  ) -> XTQuery<Self, Self> {
    let source = columns.source
    return XTQuery(
      SelectParts(source, results: [SQLNode([.model(source.reference)])]), .model,
      database)
  }
}

extension XTTable {
  /// A query over the table's rows.
  ///
  /// ```swift
  /// try people.query().where(\.age > 17).orderBy(.desc(\.age)).limit(10).all()
  /// ```
  public func query() -> XTQuery<Model, Model> {
    Model.query(in: database, from: XTColumns(TableReference(Model.self), tableName: customName))
  }

  /// A query over the table's rows by another name, for one that stands in a query over the same
  /// model; see `Model.xt_query(as:)`.
  ///
  /// - Parameter columns: the model's columns by that name.
  public func query(as columns: XTColumns<Model>) -> XTQuery<Model, Model> {
    Model.query(
      in: database, from: XTColumns(columns.table, tableName: columns.tableName ?? customName))
  }
}

/// Stands for a model in queries over tables that have none.
public struct XTNoModel: XTModel {
  /// Called by nobody.
  public init() {}
}

extension XTDatabase {
  /// A query over a table that has no model, a view, or a table of WITH. What it gives is said by
  /// ``XTQuery/columns(_:)``.
  ///
  /// ```swift
  /// let stock = XTTableName("stock")
  /// try database.query(stock).columns(stock.column("name", as: String.self)).all()
  /// ```
  public func query(_ table: XTTableName) -> XTQuery<XTNoModel, Void> {
    XTQuery(SelectParts(table.source), .nothing, self)
  }
}
