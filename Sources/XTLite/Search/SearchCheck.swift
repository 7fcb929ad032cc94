/// Compares an index with the rows.
struct SearchCheck {
  private let index: SearchIndex
  private let shape: TableShape
  private let connection: Connection

  init(_ index: SearchIndex, _ shape: TableShape, _ connection: Connection) {
    self.index = index
    self.shape = shape
    self.connection = connection
  }

  /// - Returns: How many rows there are.
  func run() throws -> Int {
    guard try SearchMaker.isThere(index, shape, on: connection) else {
      throw XTError(
        .schema,
        "\(index.table) has no index of its words, or another one than xt_search declares",
        hint: "rebuildSearch() makes it, as the next write would", table: index.table,
        path: connection.path)
    }
    try checkTables()
    let key = quoted(try SearchMaker.key(of: shape))
    let table = quoted(index.table)
    let sizes = quoted(index.sizesName)
    // What the index has to say of itself first: what it holds is what its view gives.
    do {
      try connection.run(
        index.engine == .fts5
          ? "INSERT INTO \(index.quotedName) (\(index.quotedName), `rank`)"
            + " VALUES ('integrity-check', 1)"
          : "INSERT INTO \(index.quotedName) (\(index.quotedName)) VALUES ('integrity-check')")
    } catch let error as XTError where error.kind == .corrupt {
      throw differs("the words of \(index.table) that are kept differ from its rows")
    }
    // And the view gives the rows.
    let pending = try connection.firstValue("SELECT count(*) FROM \(quoted(index.pendingName))")
    if pending != .integer(0), let row = try firstDifference(key) {
      throw differs("the words of row \(row.sqlLiteral) of \(index.table) are not those it has")
    }
    let missing = try connection.firstValue(
      "SELECT \(key) FROM \(table) WHERE \(key) NOT IN (SELECT \(index.engine.sizeKey) FROM \(sizes))"
        + " LIMIT 1")
    if let missing { throw differs("row \(missing.sqlLiteral) of \(index.table) is not found") }
    let left = try connection.firstValue(
      "SELECT \(index.engine.sizeKey) FROM \(sizes) WHERE \(index.engine.sizeKey) NOT IN"
        + " (SELECT \(key) FROM \(table)) LIMIT 1")
    if let left { throw differs("row \(left.sqlLiteral) of \(index.table) is gone and found") }
    return Int(try connection.firstValue("SELECT count(*) FROM \(table)")?.int64 ?? 0)
  }

  /// An index may answer for a while without a table that it needs.
  private func checkTables() throws {
    let shadows = try SearchParts(of: index.table, on: connection).shadows
    for suffix in index.engine.shadows {
      let name = "\(index.name)_\(suffix)"
      guard
        !shadows.contains(where: { SQLiteName($0.name) == SQLiteName(name) && $0.type == "table" })
      else { continue }
      throw differs("`\(name)`, which belongs to the index of \(index.table), is missing")
    }
  }

  private func firstDifference(_ key: String) throws -> XTValue? {
    let texts = index.fields.indices.map { place in
      let (noted, now) = ("p.`c\(place)`", "n.\(index.fields[place].column.quotedName)")
      return "\(noted) IS NOT \(now) COLLATE BINARY OR typeof(\(noted)) IS NOT typeof(\(now))"
    }
    return try connection.firstValue(
      "SELECT p.`id` FROM \(quoted(index.pendingName)) AS p LEFT JOIN \(quoted(index.table)) AS n"
        + " ON n.\(key) = p.`id` WHERE n.\(key) IS NULL OR NOT p.`isIndexed` OR "
        + texts.joined(separator: " OR ") + " LIMIT 1")
  }

  private func differs(_ message: String) -> XTError {
    XTError(
      .corrupt, message, hint: "rebuildSearch() makes the index anew of the rows",
      table: index.table, path: connection.path)
  }
}
