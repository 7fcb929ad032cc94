/// What a database remembers of the search in one model's table.
final class SearchPlan: Sendable {
  let table: TablePlan
  let index: SearchIndex
  let tokens: TextTokens

  private struct State {
    var generation = -1
    var schemaVersion: XTValue?
    var statements: SearchStatements?
  }

  // What the writer sees, and what has been committed: the readers' side.
  private let writerState = Mutex(State())
  private let readerState = Mutex(State())

  init(_ table: TablePlan, own: [NamedTokenizer]) throws {
    self.table = table
    guard let index = try SearchIndex(table.mapping, table: table.table) else {
      throw XTError(
        .schema, "\(table.mapping.typeName) has no xt_search, so it can't be searched",
        hint: "static var xt_search: XTSearch { XTSearch([\\\(table.mapping.typeName).…]) }",
        table: table.table)
    }
    self.index = index
    tokens = try TextTokens.of(
      index.tokenizerWords, isFTS5: index.engine == .fts5, own: own)
  }

  /// The statements over the index; nil where the file does not have it as it should be.
  func statements(_ connection: Connection, _ rows: RowPlan) throws -> SearchStatements? {
    let box = connection.isReader ? readerState : writerState
    // Asked before the index is looked at: what changes between the two is seen next time.
    let generation = connection.schemaGeneration
    let version = try connection.schemaVersion()
    let state = box.withLock { $0 }
    if let statements = state.statements, statements.rows === rows,
      state.generation == generation, state.schemaVersion == version
    {
      return statements
    }
    guard try SearchMaker.isThere(index, rows.shape, on: connection) else { return nil }
    let made = try SearchStatements(index, rows)
    box.withLock {
      $0 = State(generation: generation, schemaVersion: version, statements: made)
    }
    return made
  }
}

/// The SQL of searches in a table as it is in the file.
final class SearchStatements: Sendable {
  let index: SearchIndex
  let rows: RowPlan
  /// The column of the row's number, in SQL.
  let key: String
  /// What the columns are called that a search adds to the row's.
  let names: FoundNames
  /// What stands behind FROM, with the rank and the places of each row.
  let source: String
  /// The same, the best rows first: rows that are joined to it, and to nothing before it, come in this
  /// order. nil where there is no such thing.
  let sortedSource: String?
  /// The same without these, to be counted.
  let unrankedSource: String
  /// The rank of one row, told what is searched for and the row's number; NULL where it isn't found.
  let rankOfRow: String
  private let plain: [StatementKey]

  init(_ index: SearchIndex, _ rows: RowPlan) throws {
    self.index = index
    self.rows = rows
    key = quoted(try SearchMaker.key(of: rows.shape))
    names = FoundNames(rows.shape)
    source = Self.source(index, rows, key, names, .ranked)
    unrankedSource = Self.source(index, rows, key, names, .plain)
    rankOfRow =
      "(SELECT \(Self.rank(index)) FROM \(index.quotedName) WHERE \(index.quotedName) MATCH ?"
      + " AND `\(index.engine == .fts5 ? "rowid" : "docid")` = ?)"
    guard index.engine == .fts5 else {
      sortedSource = nil
      plain = []
      return
    }
    let names = names
    let sorted = Self.source(index, rows, key, names, .sorted)
    sortedSource = sorted
    plain = [(false, false), (true, false), (true, true)].map { hasLimit, hasOffset in
      StatementKey(
        StatementBuilder.select(
          rows.selection + [names.number, names.rank, names.places], from: sorted,
          where: rows.shape.deletionMark?.isLive, hasLimit: hasLimit, hasOffset: hasOffset))
    }
  }

  /// The statement of a plain search for the live rows, which is kept.
  func plain(hasLimit: Bool, hasOffset: Bool) -> StatementKey? {
    let place = hasOffset ? 2 : hasLimit ? 1 : 0
    return plain.indices.contains(place) ? plain[place] : nil
  }

  private static func rank(_ index: SearchIndex) -> String {
    let weights = (index.weights ?? []).map { ", \($0)" }.joined()
    return switch index.engine {
    case .fts5: "xt_rank(\(index.quotedName)\(weights))"
    case .fts4:
      "\(SearchRank.functionName)(matchinfo(\(index.quotedName), '\(SearchRank.format)')\(weights))"
    }
  }

  private enum Form { case plain, ranked, sorted }

  /// The full-text table first, and the row of each.
  ///
  /// It is a subquery, so that its columns, which have the names of the row's, are not seen. Sorted, it
  /// stays one by its LIMIT, which takes nothing away: so only numbers, ranks and places are sorted, and
  /// of the rows those are read that are wanted. FTS5 could sort by its column `rank` too, by a
  /// statement that it would prepare for each search.
  private static func source(
    _ index: SearchIndex, _ rows: RowPlan, _ key: String, _ names: FoundNames, _ form: Form
  ) -> String {
    let name = index.quotedName
    var columns = "`rowid` AS \(names.number)"
    if form != .plain {
      let places = index.engine == .fts5 ? "xt_marks(\(name))" : "NULL"
      columns += ", \(rank(index)) AS \(names.rank), \(places) AS \(names.places)"
    }
    let order = form == .sorted ? " ORDER BY 2, 1 LIMIT -1" : ""
    return "(SELECT \(columns) FROM \(name) WHERE \(name) MATCH ?\(order)) AS \(names.table)"
      + " CROSS JOIN \(rows.source) ON \(quoted(index.table)).\(key) ="
      + " \(names.table).\(names.number)"
  }
}

/// Names in SQL that no column of the searched table has.
struct FoundNames: Sendable {
  let number: String
  let rank: String
  let places: String
  /// What the full-text table is called.
  let table: String

  init(_ shape: TableShape) {
    func free(_ name: String) -> String {
      var name = name
      while shape.has(column: name) || SQLiteName(name) == SQLiteName(shape.table) { name += "_" }
      return quoted(name)
    }
    number = free("xt_number")
    rank = free("xt_rank")
    places = free("xt_places")
    table = free("xt_found")
  }
}
