extension SchemaReader {
  /// What `table` has, seen through `mapping`: two statements for a table that XTLite made.
  static func shape(
    of table: String, mapping: ModelMapping, on connection: Connection
  ) throws -> TableShape {
    let columns = try columns(of: table, on: connection)
    guard !columns.isEmpty else { return TableShape(missing: table, mapping: mapping) }
    let record = try SchemaRecord.entry(of: table, on: connection)
    let isRecorded = record?.isMade ?? false
    let rowID = try rowIDName(
      of: table, columns: columns, isRecorded: isRecorded, on: connection)
    let hasAutomaticColumns = hasAutomaticColumns(columns, rowIDName: rowID)
    let isOwn = isRecorded || hasAutomaticColumns
    return TableShape(
      table: table, mapping: mapping, isOwn: isOwn, fileColumns: columns, rowIDName: rowID,
      rowIDExpression: try rowID.map(quoted)
        ?? hiddenRowID(of: table, columns: columns, isRecorded: isRecorded, on: connection),
      fillers: isOwn
        ? try fillers(table: table, columns: columns, mapping: mapping, on: connection) : [],
      recordedLenient: record?.lenientColumns ?? [],
      isLegacy: !isRecorded && hasAutomaticColumns && hasTimesOfXTFMDB(columns),
      textDates: isOwn
        ? [] : try textDates(table: table, columns: columns, mapping: mapping, on: connection),
      collatedColumns: collatedColumns(columns, of: table, on: connection))
  }

  private static func collatedColumns(
    _ columns: [FileColumn], of table: String, on connection: Connection
  ) -> Set<SQLiteName> {
    let binary = SQLiteName("BINARY")
    let collated = columns.lazy.map(\.name).filter {
      let collation = connection.collation(ofColumn: $0, in: table)
      return collation.map(SQLiteName.init) ?? binary != binary
    }
    return Set(collated.map(SQLiteName.init))
  }

  /// The Objective-C library keeps no record; its four columns are in all its tables.
  private static func hasAutomaticColumns(
    _ columns: [FileColumn], rowIDName: String?
  ) -> Bool {
    let names = Set(columns.map { SQLiteName($0.name) })
    let automatic = ColumnRole.automatic.compactMap(\.automaticName).map(SQLiteName.init)
    return rowIDName.map(SQLiteName.init) == SQLiteName("pkid") && names.isSuperset(of: automatic)
  }

  /// It kept times as whole numbers, in columns of a type that XTLite never gives them.
  private static func hasTimesOfXTFMDB(_ columns: [FileColumn]) -> Bool {
    let names = [ColumnRole.createTime, .updateTime].compactMap(\.automaticName).map(
      SQLiteName.init)
    return names.allSatisfy { name in
      columns.contains {
        SQLiteName($0.name) == name && SQLiteName($0.declaredType) == SQLiteName("BIGINT")
      }
    }
  }

  /// The columns of dates whose first value is a text.
  private static func textDates(
    table: String, columns: [FileColumn], mapping: ModelMapping, on connection: Connection
  ) throws -> Set<SQLiteName> {
    let dates = Set(mapping.columns.filter { $0.type.kind == .date }.map { SQLiteName($0.name) })
    let found = try columns.filter { column in
      guard dates.contains(SQLiteName(column.name)) else { return false }
      let name = quoted(column.name)
      return try connection.firstValue(
        "SELECT typeof(\(name)) FROM \(quoted(table)) WHERE \(name) IS NOT NULL LIMIT 1") == "text"
    }
    return Set(found.map { SQLiteName($0.name) })
  }

  private static func fillers(
    table: String, columns: [FileColumn], mapping: ModelMapping, on connection: Connection
  ) throws -> [TableShape.Filler] {
    let known = Set(
      (mapping.columns.map(\.name) + ColumnRole.automatic.compactMap(\.automaticName))
        .map(SQLiteName.init))
    let unknown = columns.filter {
      $0.isWritable && !known.contains(SQLiteName($0.name))
        && ($0.isNotNull || $0.hasDefaultOtherThanNull)
    }
    guard !unknown.isEmpty else { return [] }
    // A unique key over columns that the model knows none of would take one row and no second.
    var unique: Set<SQLiteName> = []
    for index in try indexes(of: table, on: connection) where index.isUnique {
      let names = index.terms.compactMap { $0.column.map(SQLiteName.init) }
      if names.count == index.terms.count, known.isDisjoint(with: names) {
        unique.formUnion(names)
      }
    }
    return unknown.compactMap {
      TableShape.Filler(for: $0, isUnique: unique.contains(SQLiteName($0.name)))
    }
  }
}
