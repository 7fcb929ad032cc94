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
    return try SearchParts(of: index.table, on: connection)
      .areJust(parts(index, shape, connection))
  }

  /// - Parameter isForced: Whether it is made anew also where it is there.
  static func prepare(
    _ index: SearchIndex, _ shape: TableShape, isForced: Bool = false, on connection: Connection,
    advance: (Int64) throws -> Void
  ) throws {
    let parts = try parts(index, shape, connection)
    if !isForced, try SearchParts(of: index.table, on: connection).areJust(parts) { return }
    try connection.inTransaction {
      let file = try SearchParts(of: index.table, on: connection)
      // Another process may have come first.
      if !isForced, file.areJust(parts) { return }
      if let other = file.obstacle(to: parts, index.engine) { throw taken(other, index.table) }
      try SearchRemoval.remove(from: index.table, on: connection)
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
      computed: Set(shape.fileColumns.filter { !$0.isWritable }.map { SQLiteName($0.name) }),
      typeless: Set(
        shape.fileColumns.filter {
          ![.text, .real].contains(Affinity(declaredType: $0.declaredType))
        }.map { SQLiteName($0.name) }),
      aliases: ["rowid", "oid", "_rowid_"].filter { !shape.has(column: $0) })
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

  private static func taken(_ other: SearchIndex.Part, _ table: String) -> XTError {
    XTError(
      .schema, "`\(other.name)` is taken, by which `\(table)` would be searched",
      hint: "give the other \(other.type) another name", table: table)
  }

  // MARK: What comes and goes with it

  static func remove(from table: String, on connection: Connection) throws {
    try SearchRemoval.remove(from: table, on: connection)
  }

  static func removeOrphans(on connection: Connection) throws {
    try SearchRemoval.removeOrphans(on: connection)
  }

  static func refuse(_ name: String, on connection: Connection) throws {
    try SearchNames.refuse(name, on: connection)
  }

  static func explained(
    _ error: any Error, _ table: String, _ mapping: ModelMapping, on connection: Connection?
  ) -> any Error {
    SearchDamage.explained(error, table, mapping, on: connection)
  }
}
