import Foundation

@testable import XTLite

/// A database in a folder of a test's own. It records the SQL that runs, and shows the file as
/// another program sees it.
final class TestDatabase: Sendable {
  let database: XTDatabase
  let path: String
  private let folder: TemporaryFolder
  private let log: StatementLog

  /// - Parameters:
  ///   - script: What another program did to the file before it was opened.
  ///   - change: Settings that differ from the defaults.
  init(after script: String? = nil, _ change: (inout XTConfiguration) -> Void = { _ in }) throws {
    let folder = try TemporaryFolder()
    let log = StatementLog()
    let path = folder.path("test.sqlite")
    if let script { try Self.run(script, onFileAt: path) }
    var configuration = XTConfiguration()
    configuration.statementLog = { log.add($0) }
    change(&configuration)
    database = try XTDatabase(path: path, configuration: configuration)
    self.folder = folder
    self.log = log
    self.path = path
  }

  /// Runs the `xt_` verbs in `body` on this database.
  @discardableResult
  func asCurrent<T>(_ body: () throws -> T) throws -> T {
    try database.asCurrent(body)
  }

  func table<Model: XTModel>(_ type: Model.Type, named name: String? = nil) -> XTTable<Model> {
    database.table(type, named: name)
  }

  /// The statements that run while `body` does.
  func statements(_ body: () throws -> Void) throws -> [String] {
    // What a reader runs when it is opened is none of theirs.
    try database.read {}
    _ = log.take()
    try body()
    // A test that listens to all databases' warnings makes this one look how large its tables are.
    return log.take().filter { !$0.hasPrefix("SELECT max(rowid) FROM ") }
  }

  /// Rows as another program sees them, values as text joined by "|".
  func seen(_ sql: String) throws -> [String] {
    let other = try Connection(database.configuration.connectionSettings(path: path))
    defer { other.close() }
    return try other.rows(sql).map { $0.map(\.description).joined(separator: "|") }
  }

  /// Changes the file as another program does, behind the database's back.
  func outside(_ script: String) throws {
    try Self.run(script, onFileAt: path)
  }

  /// A connection of another program, which only reads: a transaction that it begins takes no lock to
  /// write.
  func reader() throws -> Connection {
    var settings = ConnectionSettings(path: path)
    settings.isReader = true
    return try Connection(settings)
  }

  /// The names of all tables and views, in order.
  func tables() throws -> [String] {
    try seen(
      "SELECT `name` FROM `sqlite_master` WHERE `type` IN ('table', 'view')"
        + " AND `name` NOT LIKE 'sqlite_%' ORDER BY `name`")
  }

  /// The names of a table's columns, in the file's order.
  func columns(of table: String) throws -> [String] {
    let other = try Connection(database.configuration.connectionSettings(path: path))
    defer { other.close() }
    return try SchemaReader.columns(of: table, on: other).map(\.name)
  }

  private static func run(_ script: String, onFileAt path: String) throws {
    let other = try Connection(ConnectionSettings(path: path))
    defer { other.close() }
    try other.executeScript(script)
  }
}

/// SQL in the order in which it ran.
private final class StatementLog: Sendable {
  private let list = Mutex<[String]>([])

  func add(_ sql: String) { list.withLock { $0.append(sql) } }

  /// What was added since the last call.
  func take() -> [String] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
