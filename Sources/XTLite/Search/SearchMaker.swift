extension TableCompanions {
  /// Everything of the kind.
  static var all: [any TableCompanion.Type] { [SearchMaker.self] }
}

/// Makes the index of a table's words in the file, and takes it away.
enum SearchMaker: TableCompanion {
  private static let batch = 2_000

  static func prepare(
    _ shape: TableShape, on connection: Connection, advance: (Int64) throws -> Void
  ) throws {
    guard let index = try SearchIndex(shape.mapping, table: shape.table) else { return }
    try prepare(index, shape, on: connection, advance: advance)
  }

  static func isMissing(_ shape: TableShape, on connection: Connection) throws -> Bool {
    guard let index = try SearchIndex(shape.mapping, table: shape.table) else { return false }
    return try !isThere(index, shape, on: connection)
  }

  /// Whether the file has the index just as it should be.
  static func isThere(
    _ index: SearchIndex, _ shape: TableShape, on connection: Connection
  ) throws -> Bool {
    guard shape.exists, index.fields.allSatisfy({ shape.has(column: $0.column.name) }) else {
      return false
    }
    return try found(index.table, on: connection).hasSameParts(as: parts(index, shape, connection))
  }

  /// - Parameter isForced: Whether it is made anew also where it is there.
  static func prepare(
    _ index: SearchIndex, _ shape: TableShape, isForced: Bool = false, on connection: Connection,
    advance: (Int64) throws -> Void
  ) throws {
    let parts = try parts(index, shape, connection)
    if !isForced, try found(index.table, on: connection).hasSameParts(as: parts) { return }
    try connection.inTransaction {
      // Another process may have come first.
      if !isForced, try found(index.table, on: connection).hasSameParts(as: parts) { return }
      try remove(from: index.table, on: connection)
      try refuseOthers(parts, index, on: connection)
      for part in parts where part.type != "trigger" { try connection.run(part.sql) }
      try fill(index, shape, on: connection, advance: advance)
      for part in parts where part.type == "trigger" { try connection.run(part.sql) }
    }
  }

  /// The rows' numbers have to stay what they are: those that no column keeps change by a VACUUM.
  static func key(of shape: TableShape) throws -> String {
    if let name = shape.rowIDName { return name }
    throw XTError(
      .schema, "\(shape.table) can't be searched: it has no pkid, nor an integer key in its place",
      hint: "leave automaticColumns on, or name an integer property in xt_primaryKey; the upgrade"
        + " step $0.addAutomaticColumns() adds pkid to a table that is there",
      table: shape.table)
  }

  private static func parts(
    _ index: SearchIndex, _ shape: TableShape, _ connection: Connection
  ) throws -> [SearchIndex.Part] {
    for field in index.fields where !shape.has(column: field.column.name) {
      throw XTError(
        .schema, "\(shape.table) has no column \(field.column.name), which xt_search names",
        hint: "add it by an upgrade step", table: shape.table, column: field.column.name)
    }
    return index.parts(
      key: try key(of: shape), unique: try UniqueKey.all(of: shape, on: connection),
      computed: Set(shape.fileColumns.filter { !$0.isWritable }.map { SQLiteName($0.name) }))
  }

  private static func fill(
    _ index: SearchIndex, _ shape: TableShape, on connection: Connection,
    advance: (Int64) throws -> Void
  ) throws {
    let key = quoted(try key(of: shape))
    let insert =
      "INSERT INTO \(index.quotedName) (`rowid`, "
      + index.fields.map { quoted($0.name) }.joined(separator: ", ") + ") SELECT \(key), "
      + index.fields.map(\.column.quotedName).joined(separator: ", ")
      + " FROM \(quoted(index.table))"
    try connection.copyInParts(
      insert, from: index.table, by: key, count: batch, advance: advance)
  }

  // MARK: What the file has

  /// What of the index of a table is in the file.
  private static func found(
    _ table: String, on connection: Connection
  ) throws -> [SearchIndex.Part] {
    let name = SearchIndex.name(for: table)
    let prefix = "\(name)_"
    return try connection.rows(
      "SELECT `type`, `name`, `sql` FROM `sqlite_master` WHERE `sql` IS NOT NULL AND ("
        + "`type` = 'trigger' AND `tbl_name` = ?1 COLLATE NOCASE"
        + " AND substr(`name`, 1, length(?3)) = ?3 COLLATE NOCASE"
        + " OR `type` = 'table' AND `name` IN (?2, ?3 || 'pending') COLLATE NOCASE"
        + " OR `type` = 'view' AND `name` = ?3 || 'rows' COLLATE NOCASE)",
      [.text(table), .text(name), .text(prefix)]
    ).compactMap { row in
      guard let type = row[0].string, let name = row[1].string, let sql = row[2].string else {
        return nil
      }
      return SearchIndex.Part(type: type, name: name, sql: sql)
    }
  }

  static func remove(from table: String, on connection: Connection) throws {
    let order = ["trigger", "full", "view", "table"]
    func place(_ part: SearchIndex.Part) -> Int {
      let isFullText = part.type == "table" && part.isVirtual
      return order.firstIndex(of: isFullText ? "full" : part.type) ?? 0
    }
    let name = SQLiteName(SearchIndex.name(for: table))
    let parts = try found(table, on: connection).filter { part in
      // Another's table of that name stays, and the making of the index says so.
      part.type != "table" || SQLiteName(part.name) != name || part.isVirtual
    }
    guard !parts.isEmpty else { return }
    try connection.inTransaction {
      for part in parts.sorted(by: { place($0) < place($1) }) {
        try connection.run("DROP \(part.type.uppercased()) \(quoted(part.name))")
      }
    }
  }

  private static func refuseOthers(
    _ parts: [SearchIndex.Part], _ index: SearchIndex, on connection: Connection
  ) throws {
    for part in parts {
      guard try SchemaReader.owner(ofName: part.name, on: connection) != nil else { continue }
      throw XTError(
        .schema,
        "`\(part.name)` is taken, by which `\(index.table)` would be searched",
        hint: "give the other table, index or trigger another name", table: index.table)
    }
  }
}

extension SearchIndex.Part {
  var isVirtual: Bool {
    DeclarationToken.makesVirtualTable(sql)
  }
}

extension [SearchIndex.Part] {
  fileprivate func hasSameParts(as wanted: [SearchIndex.Part]) -> Bool {
    count == wanted.count && wanted.allSatisfy(contains)
  }
}
