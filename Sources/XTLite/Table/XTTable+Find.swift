extension XTTable {
  /// All rows.
  ///
  /// - Parameters:
  ///   - orders: what to sort by, the first one first.
  ///   - limit: the most rows to give.
  ///   - offset: how many rows to leave out at the beginning.
  ///   - scope: `.live` leaves soft-deleted rows out.
  /// - Throws: `decoding` or `valueOutOfRange` for a value that its property can't hold.
  public func findAll(
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(WantedRows(orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// All rows, with only these properties read; the others keep what `init()` gives.
  public func findAll(
    only property: PartialKeyPath<Model>, _ more: PartialKeyPath<Model>...,
    orderBy orders: XTOrder<Model>..., limit: Int? = nil, offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(
      WantedRows(
        orders: orders, limit: limit, offset: offset, scope: scope, only: [property] + more))
  }

  /// The rows that meet a condition; all of them where it is nil.
  ///
  /// ```swift
  /// try people.find(where: \.age > 17, orderBy: .desc(\.age), limit: 10)
  /// try people.find(where: "name = \(who)")
  /// ```
  public func find(
    where condition: XTCondition<Model>?, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The rows that meet a condition, sorted by an array of orders.
  public func find(
    where condition: XTCondition<Model>?, orderBy orders: [XTOrder<Model>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The rows in which a Bool property is true.
  public func find(
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The rows in which a Bool property is true, sorted by an array of orders.
  public func find(
    where flag: KeyPath<Model, Bool>, orderBy orders: [XTOrder<Model>], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live
  ) throws -> [Model] {
    try find(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope))
  }

  /// The row of this number; nil where there is none.
  public func find(pkid: Int64, scope: XTScope = .live) throws -> Model? {
    let plan = try plan()
    var place = ModelPlace<Model>()
    let isFound = try reading(plan) { connection, rows in
      guard rows.shape.exists else { return false }
      return try connection.withStatement(try rows.finder(scope)) { statement in
        try statement.bind(int64: pkid, at: 1)
        return try rows.reader.next(&place, of: statement)
      }
    }
    guard isFound else { return nil }
    return place.take()
  }

  /// The rows of these numbers, in the order of the numbers; numbers without a row are passed over,
  /// and one that is there twice gives its row twice.
  public func find(pkids: [Int64], scope: XTScope = .live) throws -> [Model] {
    guard !pkids.isEmpty else { return [] }
    let plan = try plan()
    return try database.read {
      try reading(plan) { connection, rows in
        guard rows.shape.exists else { return [] }
        return try connection.withStatement(try rows.finder(scope)) { statement in
          var found: [Model] = []
          var place = ModelPlace<Model>()
          for pkid in pkids {
            statement.reset()
            try statement.bind(int64: pkid, at: 1)
            if try rows.reader.next(&place, of: statement) { found.append(place.take()) }
          }
          return found
        }
      }
    }
  }

  /// The first row in this order, or any where there is none; nil for an empty table.
  public func findFirst(orderBy orders: XTOrder<Model>..., scope: XTScope = .live) throws -> Model?
  {
    try first(WantedRows(orders: orders, scope: scope))
  }

  /// The first row that meets a condition; nil where none does.
  public func findFirst(
    where condition: XTCondition<Model>?, orderBy orders: XTOrder<Model>..., scope: XTScope = .live
  ) throws -> Model? {
    try first(WantedRows(condition, orders: orders, scope: scope))
  }

  /// The first row in which a Bool property is true.
  public func findFirst(
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., scope: XTScope = .live
  ) throws -> Model? {
    try first(WantedRows(XTCondition(flag), orders: orders, scope: scope))
  }

  /// Whether a row meets the condition.
  public func has(where condition: XTCondition<Model>?, scope: XTScope = .live) throws -> Bool {
    try exists(WantedRows(condition, scope: scope))
  }

  /// Whether there is a row in which a Bool property is true.
  public func has(where flag: KeyPath<Model, Bool>, scope: XTScope = .live) throws -> Bool {
    try exists(WantedRows(XTCondition(flag), scope: scope))
  }

  /// Whether the table has no row at all, soft-deleted ones included.
  public func isEmpty() throws -> Bool {
    try !exists(WantedRows(scope: .all))
  }

  /// Calls `body` with one row after the other, without holding more than one in memory.
  ///
  /// An error that `body` throws ends the loop and comes out. Any verb may be used inside `body`;
  /// whether rows that it adds or changes come up later in the loop is not defined.
  ///
  /// ```swift
  /// try people.forEach(where: \.age > 17) { person in … }
  /// ```
  public func forEach(
    where condition: XTCondition<Model>? = nil, orderBy orders: XTOrder<Model>...,
    limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live, _ body: (Model) throws -> Void
  ) throws {
    try forEach(
      WantedRows(condition, orders: orders, limit: limit, offset: offset, scope: scope), body)
  }

  /// Calls `body` with each row in which a Bool property is true.
  public func forEach(
    where flag: KeyPath<Model, Bool>, orderBy orders: XTOrder<Model>..., limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live, _ body: (Model) throws -> Void
  ) throws {
    try forEach(
      WantedRows(XTCondition(flag), orders: orders, limit: limit, offset: offset, scope: scope),
      body)
  }
}

// MARK: -

extension XTTable {
  func find(_ query: WantedRows<Model>) throws -> [Model] {
    let plan = try plan()
    return try reading(plan) { connection, rows in
      try run(query, plan, connection, rows) { statement, reader in
        try reader.models(Model.self, from: statement)
      } ?? []
    }
  }

  func first(_ query: WantedRows<Model>) throws -> Model? {
    var query = query
    query.isSingle = true
    let plan = try plan()
    var place = ModelPlace<Model>()
    let isFound = try reading(plan) { connection, rows in
      try run(query, plan, connection, rows) { statement, reader in
        try reader.next(&place, of: statement)
      }
    }
    guard isFound == true else { return nil }
    return place.take()
  }

  func forEach(_ query: WantedRows<Model>, _ body: (Model) throws -> Void) throws {
    let plan = try plan()
    try streaming(plan) { connection, rows, hasBegun in
      try run(query, plan, connection, rows) { statement, reader in
        var place = ModelPlace<Model>()
        while try reader.next(&place, of: statement) {
          hasBegun = true
          try body(place.take())
        }
      }
    }
  }

  /// - Returns: nil where the table is missing.
  @discardableResult
  private func run<Result>(
    _ query: WantedRows<Model>, _ plan: TablePlan, _ connection: Connection, _ rows: RowPlan,
    _ body: (Statement, RowReader) throws -> Result
  ) throws -> Result? {
    guard let ready = try prepare(query, plan, connection, rows) else { return nil }
    return try connection.withStatement(ready.sql.text) { statement in
      noteScan(of: statement, query, rows, ready.sql, connection)
      try statement.bind(ready.sql.values)
      return try body(statement, ready.reader)
    }
  }

  /// The SELECT of a query, and what makes models of its rows; nil where the table is missing.
  private func prepare(
    _ query: WantedRows<Model>, _ plan: TablePlan, _ connection: Connection, _ rows: RowPlan
  ) throws -> (sql: SQLFragment, reader: RowReader)? {
    let tables = LiveTables(database, connection)
    let filter = try rows.filter(query.condition, query.scope, tables)
    let orders = try query.orders(in: rows.scope, tables)
    let (selection, reader) =
      try query.only.map { rows.selection(of: try plan.readColumns($0)) }
      ?? (rows.selection, rows.reader)
    let limits = try query.limits()
    guard try isThere(rows, plan, query, filter) else { return nil }
    let sql = StatementBuilder.select(
      selection, from: rows.source, where: filter?.text,
      orderBy: orders.map(\.text),
      hasLimit: query.limit != nil, hasOffset: query.offset != nil, isSingle: query.isSingle)
    return (SQLFragment(sql, (filter?.values ?? []) + orders.flatMap(\.values) + limits), reader)
  }

  /// The same as a statement that was begun, for who finishes it.
  func streamRows(
    _ query: WantedRows<Model>, _ plan: TablePlan, _ connection: Connection, _ rows: RowPlan
  ) throws -> StreamRows<Model>? {
    guard let ready = try prepare(query, plan, connection, rows) else { return nil }
    let statement = try connection.statement(ready.sql.text)
    do {
      try statement.bind(ready.sql.values)
    } catch {
      connection.finish(statement)
      throw error
    }
    let reader = ready.reader
    return StreamRows(statement: statement) {
      var place = ModelPlace<Model>()
      guard try reader.next(&place, of: statement) else { return nil }
      return place.take()
    }
  }
}
