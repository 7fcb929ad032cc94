extension Salvage {
  /// Finds out which tables there are: from the file, and where that does not tell all, from the
  /// hints, a backup and the program's models.
  func findSchema() throws {
    var found: [SchemaName: SchemaEntry] = [:]
    var order: [SchemaName] = []
    func add(_ entry: SchemaEntry) {
      let name = SchemaName(entry)
      guard found[name] == nil else { return }
      found[name] = entry
      order.append(name)
    }
    var walk = TreeWalk(store: file.store, owner: PageMap.schema) { $0.count == 5 }
    try walk.run(from: 1, in: &map) { try progress.check() }
    var isWhole = walk.holes.isEmpty && walk.misplaced.isEmpty
    for leaf in walk.leaves {
      if !readSchema(leaf.page, add) { isWhole = false }
    }
    isSchemaComplete = isWhole
    if !isWhole {
      try readStraySchema(add)
      for entry in hints?.schema ?? [] { add(entry) }
      do {
        for entry in try schemaOfBackup() { add(entry) }
      } catch let error as XTError where error.kind != .interrupted {
        // It is no reason to save nothing.
        note("the backup can't be read: \(error.message)")
      }
    }
    schema = order.compactMap { found[$0] }
    if !isWhole { note("the table of the schema is damaged") }
  }

  /// Reads a leaf of the schema's own table. Returns whether all of it could be read.
  private func readSchema(_ number: Int, _ add: (SchemaEntry) -> Void) -> Bool {
    guard
      let page = file.store.tree(number) ?? file.store.tree(number, assuming: .tableLeaf)
    else { return false }
    var isWhole = page.isSound && !file.store.isUnproved(number)
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index),
        case .whole(let payload, let doubts) = payloads.payload(of: cell, on: page, &map),
        let record = Record(payload),
        let entry = SchemaEntry(record, file.encoding, pageCount: file.store.pageCount)
      else {
        isWhole = false
        continue
      }
      if !doubts.isEmpty || !entry.isReadable { isWhole = false }
      if entry.isReadable { add(entry) }
    }
    return isWhole
  }

  /// Leaves of the schema that the first page does not lead to any more.
  private func readStraySchema(_ add: (SchemaEntry) -> Void) throws {
    for number in 2..<max(map.pageCount + 1, 2)
    where map[number] == .tableLeaf && map.owner(of: number) == PageMap.nobody {
      try progress.check()
      guard let page = file.store.tree(number), page.cellCount > 0, page.isSound else { continue }
      var entries: [SchemaEntry] = []
      for index in 0..<page.cellCount {
        guard let cell = page.cell(index),
          let header = RecordHeader(
            page.bytes, from: cell.local.lowerBound, size: cell.payloadSize),
          header.types.count == 5,
          case .whole(let payload, _) = payloads.payload(of: cell, on: page, &map),
          let record = Record(payload),
          let entry = SchemaEntry(record, file.encoding, pageCount: file.store.pageCount),
          entry.isReadable
        else { break }
        entries.append(entry)
      }
      guard entries.count == page.cellCount else { continue }
      map.set(PageMap.schema, of: number)
      for entry in entries { add(entry) }
    }
  }

  private func schemaOfBackup() throws -> [SchemaEntry] {
    guard let path = options.backup else { return [] }
    var settings = ConnectionSettings(path: try FilePath.resolved(path))
    settings.isReadOnly = true
    settings.key = options.backupKey ?? options.key
    let connection = try Connection.open(settings)
    defer { connection.close() }
    // Its pages are others than this file's.
    return try SchemaEntry.all(on: connection).map { entry in
      SchemaEntry(
        type: entry.type, name: entry.name, table: entry.table, root: 0, sql: entry.sql)
    }
  }

  /// Makes the tables in the new file, and learns from them what their records are like.
  func makeTables() throws {
    for entry in schema where entry.isTable && !entry.isVirtual && !entry.isInternal {
      do {
        try writer.create(entry)
        try addTable(entry)
      } catch let error as XTError where error.isOfStatement {
        note("the table \(entry.name) can't be made: \(error.message)")
        isSchemaComplete = false
      }
    }
    if !isSchemaComplete { try makeTablesOfModels() }
    // Made by SQLite with the first AUTOINCREMENT table. It is never looked for: other tables look the
    // same.
    if let sequence = schema.first(where: { $0.name == Self.sequenceTable && $0.root > 0 }) {
      addSequence(sequence)
    }
  }

  private func makeTablesOfModels() throws {
    for model in options.models {
      let mapping = try ModelMapping.of(model)
      let made = try TableMaker.create(
        table: mapping.tableName, mapping: mapping,
        automaticColumns: options.configuration.automaticColumns, on: writer.connection)
      guard made else { continue }
      // With it come the tables that it refers to, and the record of what was made.
      let known = Set(tables.map { SQLiteName($0.layout.name) })
      for entry in try SchemaEntry.all(on: writer.connection)
      where entry.isTable && !entry.isInternal && !known.contains(SQLiteName(entry.name)) {
        try addTable(
          SchemaEntry(
            type: entry.type, name: entry.name, table: entry.table, root: 0, sql: entry.sql))
      }
    }
  }

  @discardableResult
  func addTable(_ entry: SchemaEntry, isKnown: Bool = true) throws -> TableState {
    add(entry, try TableLayout.of(entry, on: writer.connection), isKnown: isKnown)
  }

  private func add(_ entry: SchemaEntry, _ layout: TableLayout, isKnown: Bool) -> TableState {
    let owner = PageMap.Owner(truncatingIfNeeded: tables.count)
    let walk = TreeWalk(store: file.store, owner: owner) { layout.fit(of: $0) != nil }
    let state = TableState(
      entry, layout, owner: owner, index: report.tables.count, walk: walk)
    report.tables.append(XTSalvageReport.Table(name: entry.name, isKnown: isKnown))
    tables.append(state)
    return state
  }

  /// SQLite's own table is written to at the end, and is none of the report's.
  private func addSequence(_ entry: SchemaEntry) {
    func column(_ name: String, _ affinity: Affinity) -> TableLayout.Column {
      TableLayout.Column(
        name: name, affinity: affinity, isNotNull: true, hasDefault: false, isRowID: false,
        isUntyped: false)
    }
    let layout = TableLayout(
      name: Self.sequenceTable, columns: [column("name", .text), column("seq", .integer)],
      isWithoutRowID: false, rowIDName: nil, keyColumns: 2)
    _ = add(entry, layout, isKnown: true)
  }
}

/// By what an entry of a schema is one and not another.
private struct SchemaName: Hashable {
  let type: String
  let name: SQLiteName

  init(_ entry: SchemaEntry) {
    type = entry.type
    name = SQLiteName(entry.name)
  }
}

extension SchemaEntry {
  /// A database's whole schema, in the order in which it was made.
  static func all(on connection: Connection) throws -> [SchemaEntry] {
    try connection.rows("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master").compactMap
    {
      guard let type = $0[0].string, let name = $0[1].string, let table = $0[2].string else {
        return nil
      }
      return SchemaEntry(
        type: type, name: name, table: table, root: Int($0[3].int64 ?? 0), sql: $0[4].string)
    }
  }
}

extension XTError {
  /// Whether it is about the SQL that was to run, and not about the file.
  var isOfStatement: Bool {
    switch kind {
    case .diskFull, .locked, .interrupted, .closed, .readOnly, .open, .corrupt: false
    default: true
    }
  }
}
