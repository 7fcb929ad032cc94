extension XTQuery {
  /// All rows.
  ///
  /// - Throws: what is wrong with the query; `decoding` where a value does not fit its type, as NULL
  ///   doesn't that was read without `optional`.
  public func all() throws -> [Row] {
    try run(.all) { statement, written in
      if let rows = try wholeModels(statement, written) { return rows }
      return try written.filler.rows(Row.self, from: statement)
    }
  }

  /// All rows as values of a `Decodable` type, by the names of the columns: a property's column, or
  /// the name that ``XTExpressible/named(_:)`` gives.
  ///
  /// ```swift
  /// struct Total: Decodable { var name: String; var sum: Double }
  /// try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid)
  ///   .groupBy(User.xt.name).columns(User.xt.name, Order.xt.total.sum().named("sum"))
  ///   .all(as: Total.self)
  /// ```
  ///
  /// - Throws: what is wrong with the query; `decoding`, naming the column, where a value does not fit.
  public func all<Value: Decodable>(as type: Value.Type) throws -> [Value] {
    let database = try self.database ?? XTDatabase.current()
    return try database.reading { connection in
      try QueryRun(database, connection).run(body, given, .named, isOver: { false }) {
        statement, _ in
        var run = RowRun(statement, on: connection, RowMaker<Value>.decoding(nil))
        return try run.all()
      }
    }
  }

  /// The first row; nil where there is none.
  public func first() throws -> Row? {
    var place = ModelPlace<Row>()
    let isFound = try run(.first) { statement, written in
      try written.filler.next(&place, of: statement)
    }
    return isFound ? place.take() : nil
  }

  /// How many rows ``all()`` would give.
  public func count() throws -> Int {
    try run(.count) { statement, _ in
      try statement.step() ? Int(statement.column(0).int64) : 0
    }
  }

  /// Whether there is a row.
  public func exists() throws -> Bool {
    try run(.exists) { statement, _ in
      try statement.step() && statement.column(0).int64 == 1
    }
  }

  /// Calls `body` with one row after the other, without holding more than one in memory.
  ///
  /// An error that `body` throws ends the loop and comes out. Any verb may be used inside `body`;
  /// whether rows that it adds or changes come up later in the loop is not defined.
  public func forEach(_ body: (Row) throws -> Void) throws {
    let database = try self.database ?? XTDatabase.current()
    try database.streaming { connection in
      var hasBegun = false
      try QueryRun(database, connection).run(self.body, given, .all, isOver: { hasBegun }) {
        statement, written in
        let filler = try written.filler
        while try statement.step() {
          hasBegun = true
          try body(try filler.row(Row.self, from: statement))
        }
      }
    }
  }

  func narrowed(
    _ distinct: Bool, _ condition: ConditionNode?, _ groups: [any XTExpressible],
    _ having: XTPredicate?, _ orders: [XTOrder<Base>], _ limit: Int?, _ offset: Int?
  ) -> XTQuery {
    var query = changed { parts in
      if distinct { parts.isDistinct = true }
      if let condition { parts.add(condition) }
      parts.groups += groups.map(\.node)
      parts.orders += orders.map(\.node)
    }
    if let having { query = query.having(having) }
    if let limit { query = query.limit(limit) }
    if let offset { query = query.offset(offset) }
    return query
  }

  // MARK: To look at

  /// The SQL text, with `?` for each value, as it is for tables that are as the models declare
  /// them.
  ///
  /// - Throws: what is wrong with the query, such as a column of a table that it doesn't have.
  public var sql: String { get throws { try shown().text } }

  /// The values that are bound, in the order of their placeholders; NULL for a parameter that has
  /// none yet.
  ///
  /// - Throws: what is wrong with the query.
  public var values: [XTValue] { get throws { try shown().values } }

  private func shown() throws -> SQLFragment {
    var writer = SQLWriter()
    try writer.write(parts)
    var fragment = writer.fragment
    for parameter in writer.parameters {
      guard let value = given[parameter.key] else { continue }
      fragment.values[parameter.place] = value
    }
    return fragment
  }

  /// How SQLite would go about it: the lines of EXPLAIN QUERY PLAN.
  ///
  /// ```swift
  /// try Person.xt_query().where(\.age > 17).explain()   // ["SCAN Person"]
  /// ```
  public func explain() throws -> [String] {
    try run(.explain) { statement, _ in
      var lines: [String] = []
      while try statement.step() { lines.append(statement.column(3).value.string ?? "") }
      return lines
    }
  }

  // MARK: -

  @inline(__always)
  private func run<Result>(
    _ purpose: QueryPurpose, _ body: (Statement, WrittenQuery) throws -> Result
  ) throws -> Result {
    let database = try self.database ?? XTDatabase.current()
    return try database.reading { connection in
      try QueryRun(database, connection).run(self.body, given, purpose, isOver: { false }, body)
    }
  }

  /// The rows where they are models of one table, by the shortest way.
  private func wholeModels(_ statement: Statement, _ written: WrittenQuery) throws -> [Row]? {
    guard body.rows.isModel, let reader = written.reader else { return nil }
    return try reader.models(Base.self, from: statement) as? [Row]
  }
}
