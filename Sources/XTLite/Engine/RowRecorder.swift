/// Keeps the rows that the statements of one connection change, while somebody wants to hear of
/// them.
final class RowRecorder {
  /// Those of statements that have not ended.
  private var recorded = RecordedRows()
  private var tables: [SQLiteName: TableColumns] = [:]
  private var generation = 0
  /// The same by whatever program.
  private var schemaVersion: XTValue?
  private var virtualTables = VirtualTables()
  /// What was looked at since the schema changed, and what was last.
  private var uses: [ObjectIdentifier: TableUse] = [:]
  private var lastUse: TableUse?
  private static let useLimit = 256
  /// What was hidden at some time since the open transaction began.
  private var hidden: Set<SQLiteName> = []
  /// The table of the latest row, and its name as SQLite gives it.
  private var last: (table: TableColumns, name: ContiguousArray<CChar>)?

  /// How many rows were recorded of statements that have not ended.
  var count: Int { recorded.rows.count }

  /// Looks at the tables that a statement may write. Before it runs: a hook can ask nothing.
  func prepare(for use: TableUse, on connection: Connection) {
    refresh(on: connection)
    if lastUse === use { return }
    defer { lastUse = use }
    if uses[ObjectIdentifier(use)] != nil { return }
    // It may have been prepared for what another program made of the tables.
    forgetOutdated(on: connection)
    if uses.count >= Self.useLimit { uses = [:] }
    uses[ObjectIdentifier(use)] = use
    for text in use.writtenNames {
      let name = SQLiteName(text)
      if tables[name] == nil, !virtualTables.hidden.contains(name) {
        tables[name] = try? connection.tableColumns(text)
        last = nil
      }
    }
  }

  private func refresh(on connection: Connection) {
    guard generation != connection.ownGeneration else { return }
    forget()
    guard let now = try? connection.virtualTables() else { return }
    generation = connection.ownGeneration
    schemaVersion = try? connection.schemaVersion()
    virtualTables = now
    hidden.formUnion(now.hidden)
  }

  /// Forgets the tables where another program has changed the schema since they were looked at.
  ///
  /// - Returns: whether it has.
  @discardableResult
  func forgetOutdated(on connection: Connection) -> Bool {
    // Of the connection's own change it is told otherwise.
    guard generation == connection.ownGeneration,
      let version = try? connection.schemaVersion(), version != schemaVersion
    else { return false }
    schemaVersion = version
    forget()
    return true
  }

  private func forget() {
    (tables, last, uses, lastUse) = ([:], nil, [:], nil)
  }

  func columns(of table: String) -> TableColumns {
    let name = SQLiteName(table)
    if name.isOwn || virtualTables.hidden.contains(name) {
      return TableColumns(name: table, isHidden: true)
    }
    return tables[name] ?? TableColumns(name: table)
  }

  /// As `columns(of:)`, for the many rows of one table.
  fileprivate func columns(of table: UnsafePointer<CChar>) -> TableColumns {
    if let last, last.name.withUnsafeBufferPointer({ isEqual($0.baseAddress, table) }) {
      return last.table
    }
    let name = String(cString: table)
    let columns = columns(of: name)
    last = (columns, name.utf8CString)
    return columns
  }

  private func isEqual(_ name: UnsafePointer<CChar>?, _ other: UnsafePointer<CChar>) -> Bool {
    name.map { strcmp($0, other) == 0 } ?? false
  }

  /// What a commit has written, without the tables that are nobody's but the library's.
  func shown(_ writes: Writes, on connection: Connection) -> Writes {
    defer { hidden = virtualTables.hidden }
    guard writes.isIncomplete else { return writes }
    // One that was made in the transaction, or is gone since, is hidden too.
    refresh(on: connection)
    var writes = writes
    writes.leaveOut(hidden)
    return writes
  }

  fileprivate func add(_ row: RowChange) {
    recorded.size += row.size
    if recorded.rows.count >= Writes.rowLimit || recorded.size > Writes.byteLimit {
      recorded = RecordedRows(isOverfull: true)
    }
    if !recorded.isOverfull { recorded.rows.append(row) }
  }

  /// Takes the rows that were recorded since the statement began; drops them where it was undone.
  func take(from start: Int, isUndone: Bool) -> RecordedRows {
    defer { recorded = RecordedRows() }
    if isUndone, start < recorded.rows.count {
      recorded.size -= recorded.rows[start...].reduce(0) { $0 + $1.size }
      recorded.rows.removeSubrange(start...)
    }
    return recorded
  }
}

extension Connection {
  func startRecordingRows(_ tableWatch: TableWatch) {
    let recorder = RowRecorder()
    tableWatch.recorder = recorder
    // A statement that empties a table at one stroke was prepared for that.
    cache.removeIdle()
    let context = Unmanaged.passUnretained(recorder).toOpaque()
    if let hook = PreupdateHook.shared {
      _ = hook.set(
        handle,
        { context, handle, action, schema, table, oldKey, newKey in
          guard let context, let schema, strcmp(schema, SQLiteName.mainSchema) == 0, let table
          else { return }
          Unmanaged<RowRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.record(handle, action, table, oldKey, newKey)
          }
        }, context)
    } else {
      sqlite3_update_hook(
        handle,
        { context, action, schema, table, key in
          guard let context, let schema, strcmp(schema, SQLiteName.mainSchema) == 0, let table,
            let kind = RowChange.Kind(action)
          else { return }
          Unmanaged<RowRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
            let columns = $0.columns(of: table)
            if !columns.isHidden { $0.add(RowChange(kind: kind, table: columns, rowID: key)) }
          }
        }, context)
    }
  }

  func stopRecordingRows(_ tableWatch: TableWatch) {
    guard tableWatch.recorder != nil else { return }
    if let hook = PreupdateHook.shared {
      _ = hook.set(handle, nil, nil)
    } else {
      sqlite3_update_hook(handle, nil, nil)
    }
    tableWatch.recorder = nil
  }
}

extension RowRecorder {
  fileprivate func record(
    _ handle: OpaquePointer?, _ action: Int32, _ table: UnsafePointer<CChar>, _ oldKey: Int64,
    _ newKey: Int64
  ) {
    guard let hook = PreupdateHook.shared, let kind = RowChange.Kind(action) else { return }
    let columns = columns(of: table)
    if columns.isHidden { return }
    var row = RowChange(kind: kind, table: columns)
    if columns.hasRowID {
      row.rowID = kind == .delete ? oldKey : newKey
      if kind == .update { row.oldRowID = oldKey }
    }
    let count = Int(hook.count(handle))
    if columns.storesAll, count == columns.columns.count, !recorded.isOverfull {
      if kind != .insert { row.old = values(hook.old, handle, &row) }
      if kind != .delete { row.new = values(hook.new, handle, &row) }
    }
    add(row)
  }

  /// The values of one side of a row, unless they are too many bytes to keep.
  private func values(
    _ read: PreupdateHook.Value, _ handle: OpaquePointer?, _ row: inout RowChange
  ) -> [XTValue]? {
    let columns = row.table
    var values: [XTValue] = []
    values.reserveCapacity(columns.columns.count)
    row.size += columns.columns.count * MemoryLayout<XTValue>.stride
    for index in columns.columns.indices {
      var pointer: OpaquePointer?
      guard read(handle, Int32(truncatingIfNeeded: index), &pointer) == SQLITE_OK, let pointer
      else { return nil }
      let value = ColumnValue(pointer: pointer)
      // Before it is copied.
      row.size += value.size
      if recorded.size + row.size > Writes.byteLimit { return nil }
      values.append(value.value)
    }
    for index in columns.realColumns {
      if case .integer(let number) = values[index] { values[index] = .real(Double(number)) }
    }
    return values
  }
}

extension RowChange.Kind {
  fileprivate init?(_ action: Int32) {
    switch action {
    case SQLITE_INSERT: self = .insert
    case SQLITE_UPDATE: self = .update
    case SQLITE_DELETE: self = .delete
    default: return nil
    }
  }
}
