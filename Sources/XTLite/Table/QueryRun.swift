/// What a query is written for.
enum QueryPurpose: Hashable {
  case all, first, count, exists, explain
}

/// A query as it was written for one database.
final class WrittenQuery {
  let key: StatementKey
  let values: [XTValue]
  let parameters: [PlacedParameter]
  /// The places of the other values.
  let constants: [Int]
  let places: [ResultPlace]
  /// What it was written for: as long as the tables are these, it stands.
  let used: [(plan: TablePlan, rows: RowPlan)]
  /// Whether it has run before, so that it deserves a slot of its own for its statement.
  var hasRun = false

  init(
    _ sql: String, _ values: [XTValue], _ parameters: [PlacedParameter],
    _ places: [ResultPlace], _ used: [(plan: TablePlan, rows: RowPlan)]
  ) {
    key = StatementKey(sql)
    self.values = values
    self.parameters = parameters
    constants = values.indices.filter { index in !parameters.contains { $0.place == index } }
    self.places = places
    self.used = used
  }
}

/// What was written for a query, so that one that is kept is written once.
///
/// The written queries are read and changed under the lock alone, and never change but for the mark
/// that they have run.
final class QueryCache: @unchecked Sendable {
  struct Slot: Equatable {
    let database: UInt
    let isReader: Bool
    let purpose: QueryPurpose
  }

  private let lock = Mutex(())
  /// Few: looked through faster than a hash is made.
  private var written: [(slot: Slot, query: WrittenQuery)] = []
  /// Databases come and go; a query in a constant stays.
  private static let limit = 16

  /// - Returns: what is there, and whether it has run before.
  func find(_ slot: Slot) -> (query: WrittenQuery, hasRun: Bool)? {
    lock.withLock { _ in
      guard let query = written.first(where: { $0.slot == slot })?.query else { return nil }
      let hasRun = query.hasRun
      if !hasRun { query.hasRun = true }
      return (query, hasRun)
    }
  }

  func keep(_ query: WrittenQuery, for slot: Slot) {
    lock.withLock { _ in
      written.removeAll { $0.slot == slot }
      if written.count >= Self.limit { written.removeFirst() }
      written.append((slot, query))
    }
  }
}

/// Runs queries on one connection.
struct QueryRun {
  let database: XTDatabase
  let connection: Connection

  init(_ database: XTDatabase, _ connection: Connection) {
    self.database = database
    self.connection = connection
  }

  /// - Parameter isOver: whether `body` must not begin anew, where a table has changed meanwhile.
  func run<Base, Row, Result>(
    _ query: XTQuery<Base, Row>, _ purpose: QueryPurpose, isOver: () -> Bool,
    _ body: (Statement, [ResultPlace]) throws -> Result
  ) throws -> Result {
    var used: [(plan: TablePlan, rows: RowPlan)] = []
    func attempt(mayLook: Bool) throws -> Result {
      let (written, hasRun) = try written(query, purpose, mayLook: mayLook)
      used = written.used
      func use(_ statement: Statement) throws -> Result {
        try bind(written, query.given, statement)
        return try body(statement, written.places)
      }
      // What runs once must not push out of the slots what runs often.
      return hasRun
        ? try connection.withStatement(written.key, use)
        : try connection.withStatement(written.key.sql, use)
    }
    do {
      do {
        return try attempt(mayLook: !connection.isReader)
      } catch is LiveTables.HasToLook {
        // The look and the statement see the same state.
        return try connection.inSnapshot { try attempt(mayLook: true) }
      }
    } catch let error as XTError {
      guard !isOver(), used.contains(where: { $0.plan.isStale(error, $0.rows, connection) }) else {
        throw used.first?.rows.shape.explainedName(error) ?? error
      }
      return try attempt(mayLook: true)
    }
  }

  private func slot(_ purpose: QueryPurpose) -> QueryCache.Slot {
    QueryCache.Slot(
      database: UInt(truncatingIfNeeded: database.identity), isReader: connection.isReader,
      purpose: purpose)
  }

  func written<Base, Row>(
    _ query: XTQuery<Base, Row>, _ purpose: QueryPurpose, mayLook: Bool
  ) throws -> (WrittenQuery, hasRun: Bool) {
    let slot = slot(purpose)
    if let (known, hasRun) = query.cache.find(slot),
      try known.used.allSatisfy({ try isAsItWas($0.plan, $0.rows, mayLook: mayLook) })
    {
      return (known, hasRun)
    }
    let written = try write(query.parts, purpose, mayLook: mayLook)
    query.cache.keep(written, for: slot)
    let scan = FullScan(database: database, connection: connection)
    if purpose != .explain, scan.isWanted { scan.check(query.parts, written) }
    return (written, false)
  }

  private func isAsItWas(_ plan: TablePlan, _ rows: RowPlan, mayLook: Bool) throws -> Bool {
    if let known = plan.knownRows(connection) { return known === rows }
    if !mayLook { throw LiveTables.HasToLook() }
    return try plan.rowsForReading(connection) === rows
  }

  func bind(
    _ written: WrittenQuery, _ given: [(key: ParameterKey, value: XTValue)],
    _ statement: Statement
  ) throws {
    guard !written.parameters.isEmpty, !statement.isPacked else {
      return try statement.bind(try values(of: written, given))
    }
    for place in written.constants { try statement.bind(written.values[place], at: place + 1) }
    for parameter in written.parameters {
      try statement.bind(try value(of: parameter, given, written), at: parameter.place + 1)
    }
  }

  /// All values, in their order.
  private func values(
    of written: WrittenQuery, _ given: [(key: ParameterKey, value: XTValue)]
  ) throws -> [XTValue] {
    guard !written.parameters.isEmpty else { return written.values }
    var values = written.values
    for parameter in written.parameters {
      values[parameter.place] = try value(of: parameter, given, written)
    }
    return values
  }

  private func value(
    of parameter: PlacedParameter, _ given: [(key: ParameterKey, value: XTValue)],
    _ written: WrittenQuery
  ) throws -> XTValue {
    let key = parameter.key
    if let value = given.first(where: { $0.key === key })?.value {
      try parameter.check(value)
      return value
    }
    throw XTError(
      .sqlite, "the parameter \(key.name) has no value",
      hint: "give it one: query.with(\(key.name), value)", sql: written.key.sql)
  }

  // MARK: Writing

  private func write(
    _ select: SelectParts, _ purpose: QueryPurpose, mayLook: Bool
  ) throws -> WrittenQuery {
    let tables = LiveTables(database, connection, mayLook: mayLook)
    var writer = SQLWriter(catalog: tables)
    var select = select
    switch purpose {
    case .all:
      try writer.write(select)
    case .explain:
      writer.write("EXPLAIN QUERY PLAN ")
      try writer.write(select)
    case .first:
      if select.limit == nil { select.limit = SQLNode("1") }
      try writer.write(select)
    case .count:
      if select.countsRows {
        select.results = [SQLNode("count(*)")]
        select.orders = []
        try writer.write(select)
      } else {
        writer.write("SELECT count(*) FROM (")
        try writer.write(select)
        writer.write(")")
      }
    case .exists:
      if select.countsRows {
        select.results = [SQLNode("1")]
        select.orders = []
      }
      writer.write("SELECT EXISTS (")
      try writer.write(select)
      writer.write(")")
    }
    for (_, rows) in tables.used { try rows.checkDates(in: writer.fragment) }
    let places = purpose == .all || purpose == .first ? try places(of: select, tables) : []
    return WrittenQuery(
      writer.fragment.text, writer.fragment.values, writer.parameters, places, tables.used)
  }

  private func places(of select: SelectParts, _ tables: LiveTables) throws -> [ResultPlace] {
    var select = select
    while let core = select.core { select = core.parts }
    var places: [ResultPlace] = []
    var index = 0
    func rows(_ table: TableReference) throws -> RowPlan? {
      try select.sources.first { $0.reference == table }.flatMap { try tables.rows(of: $0) }
    }
    for result in select.results {
      var place = ResultPlace(index: index)
      if let table = result.model, let rows = try rows(table) {
        place.mapping = rows.mapping
        place.table = rows.shape.table
        place.columns = index..<(index + rows.selection.count)
        place.number = rows.placeOfNumber.map { index + $0 }
        place.reader = rows.reader(at: index)
        index += rows.selection.count
      } else {
        if let column = result.column, let rows = try rows(column.table) {
          place.column = column.column
          place.mapping = rows.mapping
          place.table = rows.shape.table
          place.standIns = rows.standIns
        }
        index += 1
      }
      places.append(place)
    }
    return places
  }
}

extension SelectParts {
  /// Whether each row of the tables makes one of the result, so that they can be counted instead.
  var countsRows: Bool {
    isPlain && results.allSatisfy { $0.model != nil || $0.column != nil }
  }
}
