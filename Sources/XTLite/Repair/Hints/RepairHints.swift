import Foundation

/// What a database remembers outside of its file for the day on which that is damaged: its schema
/// with the root pages, and which pages are which table's. No row is in it.
///
/// It is a small database of its own, made by the same engine with the same key.
struct RepairHints: Sendable {
  /// Pages in a row that are one table's.
  struct Run: Equatable, Sendable {
    let first: Int
    var count: Int
    let table: String
  }

  var pageSize: Int?
  var reserved: Int?
  var encoding: TextEncoding?
  /// Of an encrypted file, its first 16 bytes: without them no key opens it.
  var salt: [UInt8]?
  var schema: [SchemaEntry] = []
  /// Ascending, and apart from each other.
  var runs: [Run] = []

  static func path(of database: String) -> String { database + "-hints" }

  /// The table that a page was of when the hints were saved.
  func table(ofPage page: Int) -> String? {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].first + runs[middle].count <= page { low = middle + 1 } else { high = middle }
    }
    guard low < runs.count, runs[low].first <= page else { return nil }
    return runs[low].table
  }

  // MARK: The file

  private static let format: Int64 = 1

  /// - Returns: nil where there are none, or they can't be read.
  static func read(_ path: String, key: XTKey?) -> RepairHints? {
    guard FileIdentity(path: path) != nil else { return nil }
    var settings = ConnectionSettings(path: path)
    settings.isReadOnly = true
    settings.mayCreate = false
    settings.key = key
    guard let connection = try? Connection(settings) else { return nil }
    defer { connection.close() }
    return try? read(on: connection)
  }

  private static func read(on connection: Connection) throws -> RepairHints? {
    var hints = RepairHints()
    for row in try connection.rows("SELECT name, value FROM about") {
      let number = row[1].int64.map { Int($0) }
      switch row[0].string {
      case "format": if row[1].int64 != format { return nil }
      case "page_size": hints.pageSize = number.flatMap { DatabaseHeader.isPageSize($0) ? $0 : nil }
      case "reserved": hints.reserved = number.flatMap { (0...255).contains($0) ? $0 : nil }
      case "encoding": hints.encoding = number.flatMap(TextEncoding.init)
      case "salt": hints.salt = row[1].data.map { Array($0) }
      default: break
      }
    }
    hints.schema = try connection.rows("SELECT type, name, tbl_name, rootpage, sql FROM schema")
      .compactMap { row in
        guard let type = row[0].string, let name = row[1].string, let table = row[2].string,
          let root = row[3].int64, (0...Int64(UInt32.max)).contains(root)
        else { return nil }
        return SchemaEntry(
          type: type, name: name, table: table, root: Int(root), sql: row[4].string)
      }
    var next = 0
    for row in try connection.rows("SELECT first, count, table_name FROM pages ORDER BY first") {
      guard let first = row[0].int64, let count = row[1].int64, let table = row[2].string,
        first >= next, count > 0, first <= Int64(UInt32.max), count <= Int64(UInt32.max)
      else { continue }
      hints.runs.append(Run(first: Int(first), count: Int(count), table: table))
      next = Int(first + count)
    }
    return hints
  }

  /// Writes them beside the place and moves them there: whoever looks finds the old ones or these.
  func write(to path: String, key: XTKey?) throws {
    let temporary = path + "-new"
    for file in [temporary] + DatabaseFile.companions(of: temporary) { try FilePath.remove(file) }
    var settings = ConnectionSettings(path: temporary)
    settings.journalMode = "delete"
    settings.synchronous = "full"
    settings.key = key
    do {
      let connection = try Connection(settings)
      defer { connection.close() }
      try connection.inTransaction { try write(on: connection) }
    } catch {
      try? FilePath.remove(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let code = errno
      try? FilePath.remove(temporary)
      throw XTError(
        .open, "the repair hints could not be put in their place", path: path, systemError: code)
    }
  }

  private func write(on connection: Connection) throws {
    try connection.executeScript(
      """
      CREATE TABLE about (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
      CREATE TABLE schema (type TEXT, name TEXT, tbl_name TEXT, rootpage INTEGER, sql TEXT);
      CREATE TABLE pages (first INTEGER PRIMARY KEY, count INTEGER, table_name TEXT);
      """)
    let about: [(String, XTValue)] = [
      ("format", .integer(Self.format)),
      ("page_size", pageSize.map { .integer(Int64($0)) } ?? .null),
      ("reserved", reserved.map { .integer(Int64($0)) } ?? .null),
      ("encoding", encoding.map { .integer(Int64($0.rawValue)) } ?? .null),
      ("salt", salt.map { .blob(Data($0)) } ?? .null),
    ]
    for (name, value) in about {
      try connection.run("INSERT INTO about VALUES (?, ?)", [.text(name), value])
    }
    for entry in schema {
      try connection.run(
        "INSERT INTO schema VALUES (?, ?, ?, ?, ?)",
        [
          .text(entry.type), .text(entry.name), .text(entry.table), .integer(Int64(entry.root)),
          entry.sql.map { .text($0) } ?? .null,
        ])
    }
    for run in runs {
      try connection.run(
        "INSERT INTO pages VALUES (?, ?, ?)",
        [.integer(Int64(run.first)), .integer(Int64(run.count)), .text(run.table)])
    }
  }
}
