import Foundation

/// What a search asks of a table besides its words.
struct SearchQuery<Model: XTModel> {
  var request: SearchRequest
  var rows: WantedRows<Model>
  var after: XTHit<Model>?
}

/// The file has no index, or another one than the model declares.
private struct IndexIsMissing: Error {}

extension XTTable {
  func searchPlan() throws -> SearchPlan {
    let plan = try plan()
    return try database.attachment(
      for: AttachmentKey(type: ObjectIdentifier(SearchKey<Model>.self), name: customName)
    ) {
      try database.noting {
        try SearchPlan(plan, own: database.configuration.tokenizers)
      }
    }
  }

  /// Reads with the index, which is made first where the file lacks it.
  ///
  /// - Returns: nil where there is no table.
  private func withIndex<Result>(
    _ plan: SearchPlan, isRaw: Bool, _ body: (Connection, SearchStatements) throws -> Result
  ) throws -> Result? {
    func attempt() throws -> Result? {
      try reading(plan.table) { connection, rows in
        guard rows.shape.exists else { return nil }
        guard let statements = try plan.statements(connection, rows) else {
          throw IndexIsMissing()
        }
        do {
          return try body(connection, statements)
        } catch let error as XTError {
          throw plan.explained(error, isRaw: isRaw)
        }
      }
    }
    do {
      return try attempt()
    } catch is IndexIsMissing {
      try makeIndex(plan)
      do {
        return try attempt()
      } catch is IndexIsMissing {
        throw missingIndex(plan, "another program takes it away")
      }
    }
  }

  private func makeIndex(_ plan: SearchPlan) throws {
    if database.configuration.readOnly { throw missingIndex(plan, "the file is open read-only") }
    func make(_ shape: TableShape, _ connection: Connection) throws {
      guard shape.isOwn, database.configuration.automaticAdditions else {
        throw missingIndex(plan, "nothing is added to the file by itself")
      }
      try SearchMaker.prepare(plan.index, shape, on: connection) { _ in }
    }
    do {
      // Properties that the table lacks, and that are not searched, are a write's or an upgrade's.
      let isMade = try onIndex(plan) { connection, shape in
        guard plan.index.fields.allSatisfy({ shape.has(column: $0.column.name) }) else {
          return false
        }
        try make(shape, connection)
        return true
      }
      if !isMade { try writing(plan.table) { try make($1.shape, $0) } }
    } catch let error as XTError where error.kind == .readOnly {
      throw missingIndex(plan, error.message)
    }
  }

  private func missingIndex(_ plan: SearchPlan, _ reason: String) -> any Error {
    database.noted(
      XTError(
        .schema,
        "\(plan.index.table) has no index of its words, or another one than xt_search declares,"
          + " and \(reason)",
        hint: "call rebuildSearch() once, outside of read blocks", table: plan.index.table,
        path: database.path))
  }

  // MARK: Hits

  func hits(_ query: SearchQuery<Model>) throws -> [XTHit<Model>] {
    try searching(query) { try $0.hits(query, $1) } ?? []
  }

  func countOfHits(_ query: SearchQuery<Model>) throws -> Int {
    try searching(query) { try $0.count(query, $1) } ?? 0
  }

  /// - Returns: nil where there is no table, and for a query that says nothing.
  private func searching<Result>(
    _ query: SearchQuery<Model>, _ body: (SearchRun, LiveTables) throws -> Result
  ) throws -> Result? {
    let plan = try searchPlan()
    return try database.noting {
      let result: Result?? = try withIndex(plan, isRaw: query.request.isRaw) {
        connection, statements in
        let question = try SearchQuestion.of(
          query.request, plan.index, plan.tokens, key: statements.key)
        guard let question else { return nil }
        let run = SearchRun(
          plan: plan, statements: statements, question: question, connection: connection)
        return try body(run, LiveTables(database, connection))
      }
      if let result { return result }
      // What is wrong with a query is wrong without a table too.
      _ = try SearchQuestion.of(query.request, plan.index, plan.tokens, key: "NULL")
      return nil
    }
  }
}

/// Which attachment of a database a model's search is.
private enum SearchKey<Model> {}

/// One search on one connection.
private struct SearchRun {
  let plan: SearchPlan
  let statements: SearchStatements
  let question: SearchQuestion
  let connection: Connection

  private var index: SearchIndex { plan.index }
  private var rows: RowPlan { statements.rows }

  func hits<Model: XTModel>(
    _ query: SearchQuery<Model>, _ tables: LiveTables
  ) throws -> [XTHit<Model>] {
    let limits = try query.rows.limits()
    if query.after != nil, !query.rows.orders.isEmpty {
      throw XTError(
        .sqlite, "a page behind a hit is in the order of the ranks",
        hint: "leave orderBy out, or take limit and offset")
    }
    if case .match(let expression, isComplement: false) = question.form,
      query.rows.condition == nil, query.rows.orders.isEmpty, query.after == nil,
      query.rows.scope == .live,
      let key = statements.plain(
        hasLimit: query.rows.limit != nil || query.rows.offset != nil,
        hasOffset: query.rows.offset != nil)
    {
      return try connection.withStatement(key) { statement in
        try read(statement, [.text(expression)] + limits)
      }
    }
    let fragment = try select(query, tables)
    let found: [XTHit<Model>] = try connection.withStatement(fragment.text) { statement in
      try read(statement, fragment.values + limits)
    }
    return try withOffsets(found)
  }

  func count<Model: XTModel>(_ query: SearchQuery<Model>, _ tables: LiveTables) throws -> Int {
    let filter = try rows.filter(query.rows.condition, query.rows.scope, tables)
    let (source, values, conditions) = from(.counted)
    let condition = (conditions + [filter].compactMap(\.self))
    let sql = StatementBuilder.select(
      ["count(*)"], from: source, where: Self.joined(condition.map(\.text)))
    return Int(
      try connection.firstValue(sql, values + condition.flatMap(\.values))?.int64 ?? 0)
  }

  // MARK: SQL

  private func select<Model: XTModel>(
    _ query: SearchQuery<Model>, _ tables: LiveTables
  ) throws -> SQLFragment {
    var conditions: [SQLFragment] = []
    let names = statements.names
    let orders = try query.rows.orders(in: rows.scope, tables)
    let (source, values, own) = from(orders.isEmpty ? .sorted : .ranked)
    conditions += own
    if let filter = try rows.filter(query.rows.condition, query.rows.scope, tables) {
      conditions.append(filter)
    }
    if let after = query.after { conditions.append(behind(after)) }
    var orderTexts = orders.map(\.text)
    if orders.isEmpty, !isRanked {
      orderTexts = [statements.key]
    } else if orders.isEmpty, statements.sortedSource == nil {
      orderTexts = [names.rank]
    }
    if index.engine == .fts4 { orderTexts.append(names.number) }
    let columns =
      isRanked
      ? [names.number, names.rank, names.places]
      : ["\(statements.key) AS \(names.number)", "0.0", "NULL"]
    let sql = StatementBuilder.select(
      rows.selection + columns, from: source, where: Self.joined(conditions.map(\.text)),
      orderBy: orderTexts, hasLimit: query.rows.limit != nil,
      hasOffset: query.rows.offset != nil)
    return SQLFragment(
      sql, values + conditions.flatMap(\.values) + orders.flatMap(\.values))
  }

  /// What is true of the rows behind a hit of a search before.
  ///
  /// Each write changes all ranks, so those of two searches can't be compared: what counts is the rank
  /// that the hit's row has in this one, and its old one only where the words don't find it any more.
  private func behind<Model: XTModel>(_ hit: XTHit<Model>) -> SQLFragment {
    guard let match = question.match else {
      return SQLFragment("\(statements.key) > ?", [.integer(hit.number)])
    }
    let names = statements.names
    return SQLFragment(
      "(\(names.rank), \(names.number)) > (ifnull(\(statements.rankOfRow), ?), ?)",
      [.text(match), .integer(hit.number), .real(hit.rank), .integer(hit.number)])
  }

  private static func joined(_ conditions: [String]) -> String? {
    conditions.isEmpty ? nil : conditions.map { "(\($0))" }.joined(separator: " AND ")
  }

  /// Whether the rows come from the full-text table, each with a rank.
  private var isRanked: Bool { question.match != nil }

  private enum Use { case counted, ranked, sorted }

  /// What stands behind FROM with its values, and what is true of the rows besides.
  private func from(_ use: Use) -> (String, [XTValue], [SQLFragment]) {
    let name = index.quotedName
    let found =
      switch use {
      case .counted: statements.unrankedSource
      case .ranked: statements.source
      case .sorted: statements.sortedSource ?? statements.source
      }
    switch question.form {
    case .match(let expression, isComplement: false):
      return (found, [.text(expression)], [])
    case .match(let expression, isComplement: true):
      return (
        rows.source, [],
        [
          SQLFragment(
            "\(statements.key) NOT IN (SELECT `rowid` FROM \(name) WHERE \(name) MATCH ?)",
            [.text(expression)])
        ]
      )
    case .sets(let match, let condition):
      let conditions = [condition].compactMap(\.self)
      guard let match else { return (rows.source, [], conditions) }
      return (found, [.text(match)], conditions)
    case .scan(let condition):
      return (rows.source, [], [condition])
    }
  }

  // MARK: Rows

  private func read<Model: XTModel>(
    _ statement: Statement, _ values: [XTValue]
  ) throws -> [XTHit<Model>] {
    try statement.bind(values)
    let first = rows.selection.count
    var hits: [XTHit<Model>] = []
    var place = ModelPlace<Model>()
    let marks: HitPlaces.Marks =
      if case .scan = question.form { .pieces(question.pieces) } else { .none }
    let none = HitPlaces(marks: marks, plan: plan)
    while try statement.step() {
      try rows.reader.read(&place, from: statement)
      var places = none
      if case .blob(let data) = statement.column(first + 2).value {
        places = HitPlaces(
          marks: .tokens(data, extras: question.extras), plan: plan)
      }
      hits.append(
        XTHit(
          model: place.take(), rank: statement.column(first + 1).double,
          number: statement.column(first).int64, places: places))
    }
    return hits
  }

  /// FTS4 tells where a row matches in a text, which is asked for of the hits alone.
  private func withOffsets<Model: XTModel>(_ hits: [XTHit<Model>]) throws -> [XTHit<Model>] {
    guard case .sets(let match?, _) = question.form, !hits.isEmpty else { return hits }
    let name = index.quotedName
    var offsets: [Int64: String] = [:]
    let numbers = try PackedValues.pack(hits.map { .integer($0.number) })
    let rows = try connection.rows(
      "SELECT `docid`, offsets(\(name)) FROM \(name) WHERE \(name) MATCH ? AND `docid` IN"
        + " (\(PackedValues.selection))",
      [.text(match), numbers])
    for row in rows {
      if let number = row[0].int64, let text = row[1].string { offsets[number] = text }
    }
    return hits.map { hit in
      guard let text = offsets[hit.number] else { return hit }
      return XTHit(
        model: hit.model, rank: hit.rank, number: hit.number,
        places: HitPlaces(
          marks: .terms(text, phrases: question.phrases), plan: plan))
    }
  }
}

extension SearchPlan {
  /// What SQLite says of the index, with what is to be done.
  func explained(_ error: XTError, isRaw: Bool = false) -> XTError {
    if let isCertain = SearchDamage.suspicion(error, of: index.table), isCertain || !isRaw {
      return SearchDamage.damage(error, of: index.table)
    }
    var error = error
    if error.table == nil { error.table = index.table }
    if error.message.hasPrefix("FTS expression tree is too large") {
      error.kind = .valueOutOfRange
      error.message = "the search has more words than FTS4 takes, which this program's SQLite has"
      error.hint = FTS4Writer.limits
    } else if error.kind == .corrupt {
      error.hint =
        "checkSearch() tells whether the index of \(index.table) fits its rows, and"
        + " rebuildSearch() makes it anew; where the file itself is damaged, so does checkIntegrity()"
        + " say"
    } else if isRaw, error.code == 1, [.sqlite, .unknownColumn].contains(error.kind) {
      error.hint =
        "a raw search is written in the language of \(index.engine.name); search and xt_search take"
        + " any text"
    }
    return error
  }
}
