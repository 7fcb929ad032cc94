import Foundation

@testable import XTLite

/// A database file of one test, with a connection that stands for the program's and another that
/// looks at the file from outside.
final class SchemaFile {
  let path: String
  let connection: Connection
  private let folder: TemporaryFolder
  private let log: SchemaStatementLog

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("schema.sqlite")
    let log = SchemaStatementLog()
    self.log = log
    var settings = ConnectionSettings(path: path)
    settings.statementLog = { log.add($0) }
    connection = try Connection(settings)
  }

  /// The statements that ran on the program's connection while `body` did, without the one that
  /// older libraries need in addition.
  func statements(_ body: () throws -> Void) throws -> [String] {
    _ = log.take()
    try body()
    return log.take().filter { $0 != SchemaReader.look }
  }

  deinit {
    connection.close()
  }

  /// Rows as another program sees them, values as text joined by "|".
  func seen(_ sql: String) throws -> [String] {
    let other = try Connection(ConnectionSettings(path: path))
    defer { other.close() }
    return try other.rows(sql).map { $0.map(\.description).joined(separator: "|") }
  }

  /// "name|type|notnull|default|key" of each column.
  func columns(of table: String) throws -> [String] {
    try seen("PRAGMA table_info(\(quoted(table)))").map {
      $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().joined(separator: "|")
    }
  }

  /// The text of everything that belongs to the table, in the order it was made.
  func sql(of table: String) throws -> [String] {
    try seen(
      "SELECT `sql` FROM `sqlite_master` WHERE `tbl_name` = '\(table)' AND `sql` IS NOT NULL"
        + " ORDER BY `rowid`")
  }

  func mapping<Model: XTModel>(_ type: Model.Type) throws -> ModelMapping {
    try ModelMapping.of(type)
  }

  @discardableResult
  func create<Model: XTModel>(
    _ type: Model.Type, named name: String? = nil, automaticColumns: Bool = true
  ) throws -> Bool {
    let mapping = try ModelMapping.of(type)
    return try TableMaker.create(
      table: name ?? mapping.tableName, mapping: mapping, automaticColumns: automaticColumns,
      on: connection)
  }

  @discardableResult
  func prepare<Model: XTModel>(
    _ type: Model.Type, named name: String? = nil, automaticColumns: Bool = true,
    automaticAdditions: Bool = true
  ) throws -> TableShape {
    let mapping = try ModelMapping.of(type)
    return try TableMaker.prepareForWriting(
      table: name ?? mapping.tableName, mapping: mapping, automaticColumns: automaticColumns,
      automaticAdditions: automaticAdditions, on: connection)
  }

  func shape<Model: XTModel>(_ type: Model.Type, named name: String? = nil) throws -> TableShape {
    let mapping = try ModelMapping.of(type)
    return try SchemaReader.shape(
      of: name ?? mapping.tableName, mapping: mapping, on: connection)
  }

  /// Runs one version's step as `XTDatabase.upgrade` does.
  @discardableResult
  func upgrade<Model: XTModel>(
    _ type: Model.Type, add properties: [PartialKeyPath<Model>], version: Int,
    named name: String? = nil
  ) throws -> Bool {
    let upgrade = XTUpgrade(type, to: version, named: name) { steps in
      for property in properties { steps.add(property) }
    }
    let set = try UpgradeSet([upgrade], allowsNewer: true)
    return try set.run(on: connection)
  }
}

extension UpgradeSet {
  /// What `XTDatabase.upgrade` does with a connection of its own.
  func run(on connection: Connection) throws -> Bool {
    if try !isDue(on: connection) { return false }
    return try connection.withoutForeignKeys {
      try connection.inTransaction { try apply(on: connection, automaticColumns: true) }
    }
  }
}

/// SQL in the order in which it ran.
final class SchemaStatementLog: Sendable {
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

/// The kind of the error that `body` throws; nil where it throws none.
func schemaErrorKind(_ body: () throws -> Void) -> XTError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? XTError)?.kind
  }
}

/// The error that `body` throws.
func schemaError(_ body: () throws -> Void) -> XTError? {
  do {
    try body()
    return nil
  } catch {
    return error as? XTError
  }
}
