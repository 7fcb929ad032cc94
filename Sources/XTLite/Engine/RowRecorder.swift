/// Keeps the rows that the statements of one connection change, while somebody wants to hear of
/// them.
final class RowRecorder {
  /// Those of statements that have not ended.
  fileprivate(set) var rows: [RowChange] = []
  /// Whether there were too many to keep.
  fileprivate(set) var isOverfull = false
  private var tables: [SQLiteName: TableColumns] = [:]
  private var generation = 0

  /// Looks at the tables that a statement may write. Before it runs: a hook can ask nothing.
  func prepare(for use: TableUse, on connection: Connection) {
    if generation != connection.ownGeneration {
      tables = [:]
      generation = connection.ownGeneration
    }
    for name in use.writtenNames where tables[SQLiteName(name)] == nil {
      tables[SQLiteName(name)] = try? connection.tableColumns(name)
    }
  }

  func columns(of table: String) -> TableColumns {
    tables[SQLiteName(table)] ?? TableColumns(name: table)
  }

  fileprivate func add(_ row: RowChange) {
    if rows.count >= Writes.rowLimit {
      isOverfull = true
      rows = []
    }
    if !isOverfull { rows.append(row) }
  }

  /// Takes the rows that were recorded since the statement began; drops them where it was undone.
  func take(from start: Int, isUndone: Bool) -> (rows: [RowChange], isOverfull: Bool) {
    defer { (rows, isOverfull) = ([], false) }
    if isUndone, !isOverfull { rows.removeSubrange(min(start, rows.count)...) }
    return (rows, isOverfull)
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
          guard let context, let schema, strcmp(schema, "temp") != 0, let table else { return }
          Unmanaged<RowRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.record(handle, action, String(cString: table), oldKey, newKey)
          }
        }, context)
    } else {
      sqlite3_update_hook(
        handle,
        { context, action, schema, table, key in
          guard let context, let schema, strcmp(schema, "temp") != 0, let table,
            let kind = RowChange.Kind(action)
          else { return }
          Unmanaged<RowRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
            let columns = $0.columns(of: String(cString: table))
            $0.add(RowChange(kind: kind, table: columns, rowID: key))
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
    _ handle: OpaquePointer?, _ action: Int32, _ table: String, _ oldKey: Int64, _ newKey: Int64
  ) {
    guard let hook = PreupdateHook.shared, let kind = RowChange.Kind(action) else { return }
    let columns = columns(of: table)
    var row = RowChange(kind: kind, table: columns)
    if columns.hasRowID {
      row.rowID = kind == .delete ? oldKey : newKey
      if kind == .update { row.oldRowID = oldKey }
    }
    let count = Int(hook.count(handle))
    if columns.storesAll, count == columns.columns.count, !isOverfull {
      if kind != .insert { row.old = values(hook.old, handle, columns) }
      if kind != .delete { row.new = values(hook.new, handle, columns) }
    }
    add(row)
  }

  private func values(
    _ read: PreupdateHook.Value, _ handle: OpaquePointer?, _ columns: TableColumns
  ) -> [XTValue]? {
    var values: [XTValue] = []
    values.reserveCapacity(columns.columns.count)
    for index in columns.columns.indices {
      var value: OpaquePointer?
      guard read(handle, Int32(truncatingIfNeeded: index), &value) == SQLITE_OK, let value else {
        return nil
      }
      values.append(ColumnValue(pointer: value).value)
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
