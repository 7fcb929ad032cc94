/// What one connection finds out of the tables that its statements use.
final class TableWatch {
  /// The statement that is being prepared; nil between statements.
  var preparing: TableUseNotes?
  /// What was told outside of that: SQLite has prepared a statement again, by itself, because the
  /// schema changed, or a virtual table has one of its own.
  var astray = TableUseNotes()
  /// What was read since `collectingReads` began; nil outside of it.
  var reads: TableSet?
  /// What stands behind the virtual tables that may be read, as it was at a time of the schema.
  var virtualTables = VirtualTables()
  var virtualTime: Int?
  /// The schemas where tables are looked for, in SQLite's order, and the time at which that was so.
  var schemas: [String] = []
  var schemasTime: Int?
  /// Set while somebody wants to hear of rows.
  var recorder: RowRecorder?
}

extension TableWatch {
  /// Called by SQLite. Returns what it shall do.
  fileprivate func note(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ schema: UnsafePointer<CChar>?
  ) -> Int32 {
    if preparing != nil {
      preparing?.note(action, first, second, schema)
    } else {
      astray.note(action, first, second, schema)
    }
    // This allows a DELETE too, row by row and not the whole table at one stroke, of which the hook
    // of such a library would hear nothing. In DROP TABLE it would be a refusal.
    let deletesEach =
      action == SQLITE_DELETE && recorder != nil && PreupdateHook.shared == nil
      && preparing?.isOfRowsAlone == true
    return deletesEach ? SQLITE_IGNORE : SQLITE_OK
  }
}

extension Connection {
  /// Finds out what is wanted from now on. For who has the connection, before each use of it.
  @inline(never)
  func follow(_ watch: CommitWatch) {
    let wanted = watch.wanted
    commits = watch
    if wanted.isEmpty {
      stopWatchingTables()
    } else {
      if tableWatch == nil { startWatchingTables() }
      if let tableWatch, !isReader, wanted.contains(.rows) != (tableWatch.recorder != nil) {
        if wanted.contains(.rows) {
          // Of what the open transaction has written before, the tables are known.
          startRecordingRows(tableWatch)
        } else {
          stopRecordingRows(tableWatch)
        }
      }
    }
    followed = wanted
  }

  private func startWatchingTables() {
    let tableWatch = TableWatch()
    self.tableWatch = tableWatch
    // What was prepared without it says nothing.
    cache.removeIdle()
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, schema, _ in
        guard let context else { return SQLITE_OK }
        return Unmanaged<TableWatch>.fromOpaque(context)._withUnsafeGuaranteedRef { watch in
          watch.note(action, first, second, schema)
        }
      }, Unmanaged.passUnretained(tableWatch).toOpaque())
    if !isReader { restrictions.insert(.observed) }
    // What the open transaction has written before, nobody knows.
    if isInTransaction, !isReader { changeActions { $0.writes = .everything } }
  }

  func stopWatchingTables() {
    guard tableWatch != nil else { return }
    if let tableWatch { stopRecordingRows(tableWatch) }
    sqlite3_set_authorizer(handle, nil, nil)
    tableWatch = nil
    followed = []
    restrictions.remove(.observed)
  }

  // MARK: Preparing

  /// Runs `body`, which prepares a statement, and says what SQLite told of its tables; nil where
  /// nobody wants to know.
  @inline(__always)
  func notingTables<T>(_ body: () throws -> T) rethrows -> (T, TableUseNotes?) {
    guard tableWatch != nil else { return (try body(), nil) }
    return try noteTables(body)
  }

  @inline(never)
  private func noteTables<T>(_ body: () throws -> T) rethrows -> (T, TableUseNotes?) {
    let outer = tableWatch?.preparing
    tableWatch?.preparing = TableUseNotes()
    defer { tableWatch?.preparing = outer }
    let result = try body()
    return (result, tableWatch?.preparing)
  }

  /// What a statement uses. Older libraries don't tell of a table of which no column is read, as in
  /// `SELECT count(*)`: for those each name in the text may be one.
  func use(of notes: TableUseNotes?, by statement: Statement) -> TableUse? {
    guard var notes else { return nil }
    if statement.isReadOnly { notes.forgetWrites() }
    if !notes.isOfRowsAlone, !SQLScanner.namesSchema(statement.sql) { notes.forgetDeclarations() }
    if !SQLiteLibrary.tellsOfTablesWithoutColumns { noteNames(in: statement.sql, &notes) }
    return notes.use(schema(of:))
  }

  private func noteNames(in sql: String, _ notes: inout TableUseNotes) {
    let scanner = SQLScanner(sql)
    // The name before a dot, which may be a schema's.
    var (last, before): (String?, String?)
    for token in scanner where !token.isComment {
      if token.kind == .dot {
        (last, before) = (nil, last)
        continue
      }
      last = token.kind == .text ? nil : scanner.name(of: token)
      if let last { notes.read(last, in: before.flatMap(schema(named:))) }
      before = nil
    }
  }

  /// The schema of this name, where there is one.
  private func schema(named name: String) -> String? {
    knownSchemas.first { SQLiteName($0) == SQLiteName(name) }
  }

  /// In which schema SQLite finds a table by its bare name; that of the main file for one that is
  /// missing.
  private func schema(of table: String) -> String {
    let schemas = knownSchemas
    if schemas.count == 1 { return SQLiteName.mainSchema }
    return schemas.first { schema in
      sqlite3_table_column_metadata(handle, schema, table, nil, nil, nil, nil, nil, nil)
        == SQLITE_OK
    } ?? SQLiteName.mainSchema
  }

  private var knownSchemas: [String] {
    guard let tableWatch else { return [SQLiteName.mainSchema] }
    if tableWatch.schemasTime != ownGeneration {
      tableWatch.schemas = schemas()
      tableWatch.schemasTime = ownGeneration
    }
    return tableWatch.schemas
  }

  /// The temporary schema, where there is one, the main file, and those that are attached.
  ///
  /// Not by a statement of the connection's: one is being prepared.
  private func schemas() -> [String] {
    var pointer: OpaquePointer?
    guard sqlite3_prepare_v2(handle, "PRAGMA database_list", -1, &pointer, nil) == SQLITE_OK
    else { return [SQLiteName.mainSchema] }
    defer { sqlite3_finalize(pointer) }
    var names: [String] = []
    while sqlite3_step(pointer) == SQLITE_ROW {
      if let name = sqlite3_column_text(pointer, 1) { names.append(String(cString: name)) }
    }
    return names.filter { $0 == "temp" } + names.filter { $0 != "temp" }
  }

  // MARK: Using

  /// A statement is handed out while somebody wants to know.
  @inline(never)
  func noteUse(of statement: Statement) {
    guard let tableWatch else { return }
    if tableWatch.reads != nil { noteReads(statement.tables ?? .everything) }
    if !isReader, statement.sensitivity.contains(.writes) {
      if let recorder = tableWatch.recorder {
        withoutNotingReads { recorder.prepare(for: statement.tables ?? .everything, on: self) }
        statement.rowsBefore = recorder.count
      }
      statement.changesBefore = sqlite3_total_changes(handle)
      statement.aftermath.insert(.writes)
    }
  }

  /// A statement that may have written has ended.
  func noteWrites(of statement: Statement, hasFailed: Bool) {
    guard let tableWatch else { return }
    var uses = [statement.tables ?? .everything]
    var isOfOtherSchema = false
    if !tableWatch.astray.isEmpty {
      isOfOtherSchema = tableWatch.recorder?.forgetOutdated(on: self) ?? false
      tableWatch.astray.forgetDeclarations()
      uses.append(tableWatch.astray.use(schema(of:)))
      tableWatch.astray = TableUseNotes()
      // Others may use other tables now, too.
      cache.removeIdle()
    }
    // It counts also what triggers and foreign keys do. Of a statement that failed it may count what
    // was undone, too: which of its rows are in the file, nobody knows.
    let hasChanged = sqlite3_total_changes(handle) != statement.changesBefore
    uses.removeAll { use in
      !use.isOfEverything && use.writes.isEmpty || !hasChanged && (!use.isUncounted || hasFailed)
    }
    let recorded = tableWatch.recorder?.take(
      from: statement.rowsBefore, isUndone: !hasChanged || hasFailed)
    if uses.isEmpty { return }
    // The names of their columns were those of before another program's change.
    let rows = isOfOtherSchema ? nil : recorded
    func add(to writes: inout Writes) {
      for use in uses { writes.add(use) }
      let unrecorded = uses.flatMap { use in
        hasFailed ? use.writtenNames : self.unrecorded(use, statement, tableWatch.recorder)
      }
      writes.add(rows ?? RecordedRows(isOverfull: true), unrecorded: unrecorded)
    }
    if scopes.isEmpty, !isInTransaction {
      var writes = Writes()
      add(to: &writes)
      publish(writes)
    } else {
      changeActions { add(to: &$0.writes) }
    }
  }

  /// The tables of which the hook does not tell all that a statement has done to them.
  private func unrecorded(
    _ use: TableUse, _ statement: Statement, _ recorder: RowRecorder?
  ) -> [String] {
    guard let recorder else { return [] }
    if use.changesSchema { return use.writtenNames }
    let replaces =
      PreupdateHook.shared == nil && SQLScanner.words(of: statement.sql).contains("REPLACE")
    return use.writtenNames.filter { name in
      let columns = recorder.columns(of: name)
      if columns.isHidden { return false }
      if columns.isVirtual { return true }
      return PreupdateHook.shared == nil && (replaces || columns.mayReplace || !columns.hasRowID)
    }
  }

  /// What was written is in the file.
  @inline(never)
  func publish(_ writes: Writes) {
    // Who came meanwhile may want to hear more.
    if let commits, commits.wanted != followed { follow(commits) }
    guard let recorder = tableWatch?.recorder else { return tell(writes) }
    tell(recorder.shown(writes, on: self))
  }

  private func tell(_ writes: Writes) {
    commits?.tell(.committed(writes))
  }

  /// A transaction was committed of which nobody knows what it wrote, because somebody began to
  /// listen meanwhile.
  @inline(__always)
  func publishUnwatched() {
    if tableWatch == nil, let commits, !commits.wanted.isEmpty { publishUnwatched(commits) }
  }

  @inline(never)
  private func publishUnwatched(_ commits: CommitWatch) {
    // What comes now is known, and this told once.
    follow(commits)
    tell(.everything)
  }

  // MARK: Reading

  /// Runs `body` and says which tables it has read, also those that are missing.
  func collectingReads<T>(_ body: () throws -> T) rethrows -> (T, TableSet) {
    guard let tableWatch else { return (try body(), .everything) }
    let outer = tableWatch.reads
    let wasObserved = restrictions.contains(.observed)
    tableWatch.reads = TableSet()
    if tableWatch.virtualTime != schemaGeneration {
      let time = schemaGeneration
      if let tables = try? virtualTables() {
        (tableWatch.virtualTables, tableWatch.virtualTime) = (tables, time)
      }
    }
    restrictions.insert(.observed)
    defer {
      tableWatch.reads = outer
      if !wasObserved { restrictions.remove(.observed) }
    }
    let result = try body()
    if !tableWatch.astray.isEmpty {
      tableWatch.astray.forgetWrites()
      noteReads(tableWatch.astray.use(schema(of:)))
      tableWatch.astray = TableUseNotes()
      cache.removeIdle()
    }
    let reads = tableWatch.reads ?? .everything
    return (result, reads)
  }

  private func noteReads(_ use: TableUse) {
    if use.isOfEverything { tableWatch?.reads?.isOfEverything = true }
    tableWatch?.reads?.names.formUnion(use.reads)
    if let more = tableWatch?.virtualTables.readBehind(use.reads), !more.isEmpty {
      tableWatch?.reads?.add(more)
    }
  }

  /// Says that the table was looked for, whether it is there or not.
  @inline(__always)
  func noteRead(of table: @autoclosure () -> String) {
    if tableWatch?.reads != nil { tableWatch?.reads?.names.insert(SQLiteName(table())) }
  }

  /// Runs `body`, the library's own look at the schema, of which nothing is said.
  func withoutNotingReads<T>(_ body: () throws -> T) rethrows -> T {
    guard let tableWatch, let reads = tableWatch.reads else { return try body() }
    tableWatch.reads = nil
    defer { tableWatch.reads = reads }
    return try body()
  }
}
