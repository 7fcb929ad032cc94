/// What a query is written for.
enum QueryPurpose: Hashable {
  case all, first, count, exists, explain
  /// To be read by the names of the columns.
  case named
}

/// A query as it was written for one database.
final class WrittenQuery {
  typealias Tables = [(plan: TablePlan, rows: RowPlan)]

  /// What it was written for: queries are kept, databases come and go.
  struct Purpose: Equatable {
    let database: UInt
    let isReader: Bool
    let query: QueryPurpose
  }

  let purpose: Purpose
  let sql: String
  let values: [XTValue]
  let parameters: [PlacedParameter]
  /// The places of the other values.
  let constants: [Int]
  /// What makes the rows; nil where `failure` says why nothing does.
  private let rowFiller: RowFiller?
  private let failure: (any Error)?
  /// What reads whole models, where a row begins with one.
  let reader: RowReader?
  /// What it was written for: as long as the tables are these, it stands.
  let used: Tables
  /// The slot of its statement, where it has one.
  let key: StatementKey?

  init(
    _ purpose: Purpose, _ sql: String, _ values: [XTValue], _ parameters: [PlacedParameter],
    _ used: Tables, reader: RowReader?,
    _ filler: () throws -> RowFiller
  ) {
    self.purpose = purpose
    self.sql = sql
    self.values = values
    self.parameters = parameters
    constants = values.indices.filter { index in !parameters.contains { $0.place == index } }
    self.used = used
    self.reader = reader
    key = nil
    do {
      rowFiller = try filler()
      failure = nil
    } catch {
      rowFiller = nil
      failure = error
    }
  }

  private init(_ other: WrittenQuery, _ key: StatementKey) {
    purpose = other.purpose
    sql = other.sql
    values = other.values
    parameters = other.parameters
    constants = other.constants
    rowFiller = other.rowFiller
    failure = other.failure
    reader = other.reader
    used = other.used
    self.key = key
  }

  /// The same with a slot of its own.
  fileprivate func withSlot() -> WrittenQuery { WrittenQuery(self, StatementKey(sql)) }

  @inline(__always)
  var filler: RowFiller {
    get throws {
      if let rowFiller { return rowFiller }
      throw failure ?? XTError(.schema, "nothing is read of the rows", sql: sql)
    }
  }
}

/// What was written for a query, so that one that is kept is written once.
final class QueryCache: Sendable {
  private struct Entry {
    var query: WrittenQuery
    /// When its tables were known to be as they were: as long as no table was looked at since, and no
    /// schema has changed, they are.
    private var known: (looks: UInt, generation: Int)?

    init(_ query: WrittenQuery) { self.query = query }

    /// Whether the tables are known to be as they were, without a look at the file.
    @inline(__always)
    mutating func isKnownToStand(on connection: Connection) -> Bool {
      let looks = TablePlan.looks
      let generation = connection.schemaGeneration
      if let known, known == (looks, generation) { return true }
      guard query.used.allSatisfy({ $0.plan.knownRows(connection) === $0.rows }) else {
        return false
      }
      known = (looks, generation)
      return true
    }
  }

  /// Few: looked through faster than a hash is made.
  private let entries = Mutex<[Entry]>([])
  private static let limit = 16

  func find(_ purpose: WrittenQuery.Purpose) -> WrittenQuery? {
    entries.withLock { entries in entries.first { $0.query.purpose == purpose }?.query }
  }

  /// What is there for another run, where its tables are known to be as they were. Its statement has
  /// a slot: not before the second run, since what runs once must not push out of the slots what runs
  /// often.
  @inline(__always)
  func findAgain(
    _ purpose: WrittenQuery.Purpose, on connection: Connection
  ) -> WrittenQuery? {
    entries.withLock { entries in
      for index in entries.indices where entries[index].query.purpose == purpose {
        guard entries[index].isKnownToStand(on: connection) else { return nil }
        if entries[index].query.key == nil {
          entries[index].query = entries[index].query.withSlot()
        }
        return entries[index].query
      }
      return nil
    }
  }

  func keep(_ query: WrittenQuery) {
    entries.withLock { entries in
      entries.removeAll { $0.query.purpose == query.purpose }
      if entries.count >= Self.limit { entries.removeFirst() }
      entries.append(Entry(query))
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
  @inline(__always)
  func run<Result>(
    _ query: QueryBody, _ given: GivenValues, _ purpose: QueryPurpose, isOver: () -> Bool,
    _ body: (Statement, WrittenQuery) throws -> Result
  ) throws -> Result {
    // By far the most of the runs of a query that is kept.
    if let written = query.cache.findAgain(whole(purpose), on: connection), let key = written.key {
      do {
        return try connection.withStatement(key) { statement in
          try bind(written, given, statement)
          return try body(statement, written)
        }
      } catch {
        return try run(query, given, purpose, after: (error, written.used), isOver: isOver, body)
      }
    }
    return try run(query, given, purpose, after: nil, isOver: isOver, body)
  }

  /// - Parameter failure: what a run with what was written for those tables threw.
  @inline(never)
  private func run<Result>(
    _ query: QueryBody, _ given: GivenValues, _ purpose: QueryPurpose,
    after failure: (error: any Error, used: WrittenQuery.Tables)?, isOver: () -> Bool,
    _ body: (Statement, WrittenQuery) throws -> Result
  ) throws -> Result {
    var used = failure?.used ?? []
    func attempt(mayLook: Bool) throws -> Result {
      let written = try written(query, purpose, mayLook: mayLook)
      used = written.used
      return try connection.withStatement(written.sql) { statement in
        try bind(written, given, statement)
        return try body(statement, written)
      }
    }
    do {
      if let failure { throw failure.error }
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

  private func whole(_ purpose: QueryPurpose) -> WrittenQuery.Purpose {
    WrittenQuery.Purpose(
      database: UInt(truncatingIfNeeded: database.identity), isReader: connection.isReader,
      query: purpose)
  }

  func written(
    _ query: QueryBody, _ purpose: QueryPurpose, mayLook: Bool
  ) throws -> WrittenQuery {
    if let known = query.cache.find(whole(purpose)),
      try known.used.allSatisfy({ try isAsItWas($0.plan, $0.rows, mayLook: mayLook) })
    {
      return known
    }
    let written = try write(query, purpose, mayLook: mayLook)
    query.cache.keep(written)
    if purpose != .explain {
      FullScan(database: database, connection: connection).check(query.parts, written)
    }
    return written
  }

  private func isAsItWas(_ plan: TablePlan, _ rows: RowPlan, mayLook: Bool) throws -> Bool {
    if let known = plan.knownRows(connection) { return known === rows }
    if !mayLook { throw LiveTables.HasToLook() }
    return try plan.rowsForReading(connection) === rows
  }

  func bind(
    _ written: WrittenQuery, _ given: GivenValues,
    _ statement: Statement
  ) throws {
    guard !written.parameters.isEmpty, !statement.isPacked else {
      return try statement.bind(try values(of: written, given))
    }
    for index in written.constants.indices {
      let place = written.constants[index]
      try statement.bind(written.values[place], at: place + 1)
    }
    for index in written.parameters.indices {
      let value = try value(ofParameter: index, given, written)
      try statement.bind(value, at: written.parameters[index].place + 1)
    }
  }

  /// All values, in their order.
  private func values(
    of written: WrittenQuery, _ given: GivenValues
  ) throws -> [XTValue] {
    guard !written.parameters.isEmpty else { return written.values }
    var values = written.values
    for index in written.parameters.indices {
      values[written.parameters[index].place] = try value(ofParameter: index, given, written)
    }
    return values
  }

  @inline(__always)
  private func value(
    ofParameter index: Int, _ given: GivenValues, _ written: WrittenQuery
  ) throws -> XTValue {
    guard let value = given[written.parameters[index].key] else {
      throw noValue(written.parameters[index].key, written)
    }
    try written.parameters[index].check(value)
    return value
  }

  @inline(never)
  private func noValue(_ key: ParameterKey, _ written: WrittenQuery) -> XTError {
    XTError(
      .sqlite, "the parameter \(key.name) has no value",
      hint: "give it one: query.with(\(key.name), value), by the XTParameter that is in the query;"
        + " another of the same name is another one", sql: written.sql)
  }

  // MARK: Writing

  private func write(
    _ query: QueryBody, _ purpose: QueryPurpose, mayLook: Bool
  ) throws -> WrittenQuery {
    let tables = LiveTables(database, connection, mayLook: mayLook)
    var writer = SQLWriter(catalog: tables)
    var select = query.parts
    var absences: Absences?
    if purpose == .all || purpose == .first {
      let found = try Absences(of: select, tables)
      select.results += found.markers
      absences = found
    }
    switch purpose {
    case .all, .named:
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
    let places = try absences.map { try self.places(of: query.parts, $0, tables) } ?? []
    let text = writer.fragment.text
    return WrittenQuery(
      whole(purpose), text, writer.fragment.values, writer.parameters, tables.used,
      reader: places.first?.reader
    ) { try query.rows.filler(places, sql: text) }
  }

  private func places(
    of select: SelectParts, _ absences: Absences, _ tables: LiveTables
  ) throws -> [ResultPlace] {
    let select = select.innermost
    var places: [ResultPlace] = []
    var index = 0
    for result in select.results {
      var place = ResultPlace(index: index)
      if let table = result.model, let rows = try tables.rows(of: table, in: select) {
        place.mapping = rows.mapping
        place.table = rows.shape.table
        place.reader = rows.reader(at: index)
        place.absence = absences.absence(of: table, rows, modelAt: index)
        index += rows.selection.count
      } else {
        if let column = result.column, let rows = try tables.rows(of: column.table, in: select) {
          place.column = column.column
          place.mapping = rows.mapping
          place.table = rows.shape.table
          place.standIns = rows.standIns
          place.absence = absences.absence(of: column.table, valueAt: index)
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
