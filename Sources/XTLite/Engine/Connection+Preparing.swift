extension Connection {
  /// Prepares text that holds exactly one statement.
  func prepare(_ sql: String, kept: Bool = true) throws -> Statement {
    do {
      return try prepareOne(sql, kept: kept)
    } catch let error as XTError where error.isOfManyParameters {
      let exact =
        SQLiteLibrary.canDisableDoubleQuotedStrings ? nil : Self.withNamesInBackticks(sql)
      guard let packed = PackedSQL(exact ?? sql) else { throw error }
      return try prepareOne(sql, as: packed, kept: kept)
    }
  }

  private func prepareOne(
    _ sql: String, as packed: PackedSQL? = nil, kept: Bool
  ) throws -> Statement {
    try refuseNUL(sql)
    return try (packed?.text ?? sql).withCString { start in
      let (statement, tail) = try prepare(
        at: start, kept: kept, packed: packed.map { (sql, $0.valueCount) })
      guard let statement else {
        throw XTError(.sqlite, "the text holds no statement", sql: sql, path: path)
      }
      if tail.pointee != 0 {
        var words = Words(String(cString: tail)[...].utf8)
        guard words.isAtEnd else {
          throw XTError(
            .sqlite, "there is text after the first statement",
            hint: "several statements go through execute; a value belongs in an interpolation",
            sql: sql, path: path)
        }
      }
      return statement
    }
  }

  /// Prepares the first statement of a text that ends with a NUL; nil where there is none. Also
  /// gives where the rest begins.
  ///
  /// - Parameter packed: what the text stands for, with how many values, where it is a packed one.
  func prepare(
    at start: UnsafePointer<CChar>, kept: Bool, packed: (sql: String, valueCount: Int)? = nil
  ) throws -> (statement: Statement?, tail: UnsafePointer<CChar>) {
    if restrictions.contains(.closed) { throw closedError(sql: String(cString: start)) }
    if restrictions.contains(.inCallback) { throw inCallback(sql: String(cString: start)) }
    counters.count(.prepared)
    let begin = meter == nil ? 0 : Uptime.now
    var pointer: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    // Up to the NUL: given a length, SQLite would copy all of the rest for each statement.
    let (code, notes) = notingTables {
      func attempt() -> Int32 { xt_prepare(handle, start, -1, kept ? 1 : 0, &pointer, &tail) }
      let code = attempt()
      // Where another program has changed the schema, SQLite tries once more by itself. That is not
      // enough where a virtual table notices it, which is opened meanwhile and reads the schema too.
      return code & 0xFF == SQLITE_SCHEMA ? attempt() : code
    }
    guard code == SQLITE_OK, let tail else {
      throw noticed(
        XTError.last(
          of: handle, code: code, sql: packed?.sql ?? String(cString: start), path: path))
    }
    guard let pointer else { return (nil, tail) }
    let bytes = UnsafeRawBufferPointer(start: start, count: tail - start)
    var statement = Statement(
      sql: packed?.sql ?? String(decoding: bytes, as: UTF8.self), pointer: pointer, owner: owner,
      packedCount: packed?.valueCount)
    if statement.kind == .begin { statement = try lockingBegin(statement) }
    if let exact = try withExactNames(of: statement, kept: kept, isPacked: packed != nil) {
      statement = exact
    }
    statement.tables = use(of: notes, by: statement)
    meter?.prepared(statement.sql, nanoseconds: Uptime.now - begin)
    if needsLook(statement) { try look(at: statement, isReused: false) }
    return (statement, tail)
  }

  /// SQLite stops reading at a NUL, so what stands after it would silently not run.
  func refuseNUL(_ sql: String) throws {
    if sql.utf8.contains(0) {
      throw XTError(
        .sqlite, "the SQL holds a NUL character",
        hint: "put the value into an interpolation, or bind it", path: path)
    }
  }
}
