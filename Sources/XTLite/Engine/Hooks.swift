/// SQLite's callbacks about what runs.
extension Connection {
  /// Installs the settings' statement log; costs nothing without one.
  func installHooks() {
    guard settings.statementLog != nil else { return removeHooks() }
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, context, statement, _ in
        guard let context, let statement, let sql = sqlite3_sql(OpaquePointer(statement)) else {
          return 0
        }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.settings.statementLog?(String(cString: sql))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func removeHooks() {
    sqlite3_trace_v2(handle, 0, nil, nil)
  }
}
