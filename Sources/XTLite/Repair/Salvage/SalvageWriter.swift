/// Makes the new file and puts rows into it. All of it is one transaction.
final class SalvageWriter {
  let connection: Connection
  private var inserts: [String: String] = [:]

  enum Outcome {
    case written
    /// With a value that a CHECK refuses.
    case writtenAgainstCheck
    /// Another row has the key, or the table does not take it.
    case refused
  }

  /// - Parameter settings: Of a file that is not there yet.
  init(
    _ settings: ConnectionSettings, like file: PagedFile, keepsPageSize: Bool
  ) throws {
    var settings = settings
    settings.journalMode = "delete"
    settings.synchronous = "full"
    settings.foreignKeys = false
    settings.isReadOnly = false
    connection = try Connection(settings)
    if keepsPageSize { try connection.pragma("page_size = \(file.store.pageSize)") }
    try connection.pragma("encoding = '\(file.encoding.name)'")
    if file.pointerMap != nil {
      let isIncremental = file.isHeaderSound && file.header.isIncremental
      try connection.pragma("auto_vacuum = \(isIncremental ? "INCREMENTAL" : "FULL")")
    }
    try connection.executeScript("BEGIN IMMEDIATE")
    if file.isHeaderSound {
      try connection.pragma("user_version = \(file.header.userVersion)")
      try connection.pragma("application_id = \(file.header.applicationID)")
    }
  }

  /// Makes what an entry of the schema says.
  func create(_ entry: SchemaEntry) throws {
    guard let sql = entry.sql else { return }
    if entry.isVirtual {
      // What CREATE VIRTUAL TABLE would make is there already, with its rows.
      try connection.executeScript("PRAGMA writable_schema = ON")
      defer { _ = try? connection.executeScript("PRAGMA writable_schema = OFF") }
      try connection.run(
        "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)"
          + " VALUES ('table', ?, ?, 0, ?)",
        [.text(entry.name), .text(entry.table), .text(sql)])
    } else {
      try connection.run(sql)
    }
  }

  /// Writes a row.
  ///
  /// - Throws: What has nothing to do with the row: a full disk.
  func insert(
    _ record: Record, rowID: Int64?, into layout: TableLayout, _ encoding: TextEncoding
  ) throws -> Outcome {
    let sql = insertSQL(layout, values: record.values.count, hasRowID: rowID != nil)
    do {
      try connection.withStatement(sql) { try run($0, record, rowID, layout, encoding) }
      return .written
    } catch let error as XTError where error.kind == .constraint(.check) {
      // A program may have turned the checks off, too.
      return try insertAgainstCheck(sql, record, rowID, layout, encoding)
    } catch let error as XTError where error.isOfRow {
      return .refused
    }
  }

  private func insertAgainstCheck(
    _ sql: String, _ record: Record, _ rowID: Int64?, _ layout: TableLayout,
    _ encoding: TextEncoding
  ) throws -> Outcome {
    try connection.pragma("ignore_check_constraints = ON")
    defer { _ = try? connection.pragma("ignore_check_constraints = OFF") }
    do {
      // Prepared anew: whether checks are made is decided then.
      let statement = try connection.prepare(sql, kept: false)
      defer { connection.finish(statement) }
      try run(statement, record, rowID, layout, encoding)
      return .writtenAgainstCheck
    } catch let error as XTError where error.isOfRow {
      return .refused
    }
  }

  private func run(
    _ statement: Statement, _ record: Record, _ rowID: Int64?, _ layout: TableLayout,
    _ encoding: TextEncoding
  ) throws {
    var index = 1
    if let rowID, layout.rowIDName != nil {
      try statement.bind(int64: rowID, at: index)
      index += 1
    }
    for (value, column) in zip(record.values, layout.columns) where column.isWritten {
      try bind(value, of: record, encoding, to: statement, at: index)
      index += 1
    }
    try statement.run()
  }

  private func bind(
    _ value: Record.Value, of record: Record, _ encoding: TextEncoding, to statement: Statement,
    at index: Int
  ) throws {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let number): try statement.bind(int64: number, at: index)
    case .real(let number): try statement.bind(double: number, at: index)
    case .blob(let range):
      try record.payload.withUnsafeBytes { bytes in
        guard !range.isEmpty, let start = bytes.baseAddress else {
          return try statement.bind(.blob(.init()), at: index)
        }
        try statement.bind(
          blob: start + range.lowerBound, count: range.count, copying: true, at: index)
      }
    case .text(let range):
      guard encoding == .utf8, !range.isEmpty else {
        return try statement.bind(
          .text(encoding.decode(record.payload[range]).text), at: index)
      }
      // Byte for byte, also what is no text to Swift.
      try record.payload.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        try statement.bind(
          text: start + range.lowerBound, count: range.count, copying: true, at: index)
      }
    }
  }

  private func insertSQL(_ layout: TableLayout, values: Int, hasRowID: Bool) -> String {
    let key = "\(values) \(hasRowID) \(layout.name)"
    if let sql = inserts[key] { return sql }
    var names = layout.columns.prefix(values).filter(\.isWritten).map { quoted($0.name) }
    if hasRowID, let name = layout.rowIDName { names.insert(name, at: 0) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let sql =
      names.isEmpty
      ? "INSERT INTO \(quoted(layout.name)) DEFAULT VALUES"
      : "INSERT INTO \(quoted(layout.name)) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    inserts[key] = sql
    return sql
  }

  /// Takes over the counter of an AUTOINCREMENT table, where it is ahead of the rows that came back.
  func raiseSequence(of table: String, to number: Int64) throws {
    let changed = try connection.run(
      "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
      [.text(table), .integer(number)])
    if changed == 0 {
      try connection.run(
        "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .integer(number)])
    }
  }

  func commit() throws {
    try connection.executeScript("COMMIT")
  }

  func close() {
    connection.close()
  }
}

extension TableLayout.Column {
  /// Whether a row is written with a value for it.
  var isWritten: Bool { !isRowID && !name.isEmpty }
}
