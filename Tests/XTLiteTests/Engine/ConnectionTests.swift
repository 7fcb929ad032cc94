import Foundation
import Testing

@testable import XTLite

@Suite struct ConnectionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func failure(_ settings: ConnectionSettings) throws -> XTError {
    try #require(throws: XTError.self) { _ = try Connection(settings) }
  }

  @Test func open_newFile_hasTheDefaults() throws {
    let connection = try Connection(ConnectionSettings(path: folder.path("x.sqlite")))
    #expect(try connection.firstValue("PRAGMA journal_mode") == "wal")
    #expect(try connection.firstValue("PRAGMA synchronous") == 1)
    #expect(try connection.firstValue("PRAGMA foreign_keys") == 1)
  }

  @Test func open_otherSettings_areApplied() throws {
    var settings = ConnectionSettings(path: folder.path("x.sqlite"))
    settings.journalMode = "delete"
    settings.synchronous = "extra"
    settings.foreignKeys = false
    settings.cacheSize = -512
    let connection = try Connection(settings)
    #expect(try connection.firstValue("PRAGMA journal_mode") == "delete")
    #expect(try connection.firstValue("PRAGMA synchronous") == 3)
    #expect(try connection.firstValue("PRAGMA foreign_keys") == 0)
    #expect(try connection.firstValue("PRAGMA cache_size") == -512)
  }

  @Test func open_aFolder_saysSo() throws {
    let error = try failure(ConnectionSettings(path: folder.path))
    #expect(error.kind == .open)
    #expect(error.message == "the path is a folder")
  }

  @Test(arguments: [
    Data("just a text, much like any other".utf8), Data("x".utf8), Data(count: 5000),
    Data("SQLite format 3".utf8), Data(repeating: 0xAB, count: 4096),
  ])
  func open_noDatabase_throwsAndLeavesTheFile(_ bytes: Data) throws {
    let path = folder.path("x.txt")
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = try failure(ConnectionSettings(path: path, key: nil))
    #expect(error.kind == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.txt"])
  }

  @Test func open_emptyFile_isANewDatabase() throws {
    let path = folder.path("x.sqlite")
    try Data().write(to: URL(fileURLWithPath: path))
    let connection = try Connection(ConnectionSettings(path: path))
    #expect(try connection.firstValue("SELECT count(*) FROM sqlite_master") == 0)
  }

  @Test func open_readOnly_readsAndRefusesToWrite() throws {
    let path = folder.path("x.sqlite")
    let writer = try Connection(ConnectionSettings(path: path))
    try writer.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let reader = try Connection(ConnectionSettings(path: path, isReadOnly: true))
    #expect(try reader.firstValue("SELECT a FROM t") == 1)
    let error = try #require(throws: XTError.self) { try reader.run("DELETE FROM t") }
    #expect(error.kind == .readOnly)
  }

  @Test func open_readOnlyWithoutAFile_throwsAndMakesNone() throws {
    let path = folder.path("x.sqlite")
    let error = try failure(ConnectionSettings(path: path, isReadOnly: true))
    #expect(error.kind == .open)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func open_keyWithoutEncryption_throwsAndMakesNoFile() throws {
    guard !SQLiteLibrary.hasEncryption else { return }
    let path = folder.path("x.sqlite")
    let error = try failure(ConnectionSettings(path: path, key: .passphrase("k")))
    #expect(error.kind == .encryption)
    #expect(error.hint?.contains("SQLCipher") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ["secret", "it's", "\"", "🏀", "a\0b"])
  func open_withAKey_opensWithItAlone(_ key: String) throws {
    guard SQLiteLibrary.hasEncryption else { return }
    let path = folder.path("x.sqlite")
    func settings(_ key: XTKey?) -> ConnectionSettings { ConnectionSettings(path: path, key: key) }
    let bytes = Data(key.utf8)
    try Connection(settings(.passphrase(key))).run("CREATE TABLE t (a)")
    let again = try Connection(settings(.bytes(bytes)))
    #expect(try again.firstValue("SELECT name FROM sqlite_master") == "t")
    again.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(!before.starts(with: Data("SQLite format 3".utf8)))
    #expect(try failure(settings(.bytes(bytes + [1]))).kind == .encryption)
    #expect(try failure(settings(.bytes(Data()))).kind == .encryption)
    #expect(try failure(settings(nil)).kind == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func open_keyOnAPlainFile_throwsAndLeavesTheFile() throws {
    guard SQLiteLibrary.hasEncryption else { return }
    let path = folder.path("x.sqlite")
    try Connection(ConnectionSettings(path: path, key: nil)).run("CREATE TABLE t (a)")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = try failure(ConnectionSettings(path: path, key: .bytes(Data([1, 2]))))
    #expect(error.kind == .encryption)
    #expect(error.message.contains("not encrypted"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func close_laterCalls_throwClosed() throws {
    let connection = try Connection(ConnectionSettings(path: folder.path("x.sqlite")))
    let key = StatementKey("SELECT 1")
    try connection.withStatement(key) { _ in }
    connection.close()
    connection.close()
    #expect(throws: XTError.self) { try connection.withStatement(key) { _ in } }
    let error = try #require(throws: XTError.self) { try connection.run("SELECT 1") }
    #expect(error.kind == .closed)
    #expect(connection.changes == 0)
    #expect(!connection.isInTransaction)
  }

  @Test func close_statementStillHeld_isSafe() throws {
    let connection = try Connection(ConnectionSettings(path: folder.path("x.sqlite")))
    let statement = try connection.statement("SELECT 1 UNION SELECT 2")
    #expect(try statement.step())
    connection.close()
    #expect(try statement.step())
    #expect(statement.column(0).int64 == 2)
  }

  @Test func lock_ofAnotherConnection_endsAtTheBusyLimit() throws {
    let path = folder.path("x.sqlite")
    let first = try Connection(ConnectionSettings(path: path))
    let second = try Connection(ConnectionSettings(path: path, busyTimeout: 0.2))
    let start = Date()
    try first.inTransaction {
      try first.run("CREATE TABLE t (a)")
      let error = try #require(throws: XTError.self) { try second.inTransaction {} }
      #expect(error.kind == .locked)
    }
    let waited = Date().timeIntervalSince(start)
    #expect(waited >= 0.19)
    try second.inTransaction { try second.run("INSERT INTO t VALUES (1)") }
  }

  @Test func statementLog_eachStatement_isCalledWithoutValues() throws {
    let log = Mutex<[String]>([])
    var settings = ConnectionSettings(path: folder.path("x.sqlite"))
    settings.statementLog = { sql in log.withLock { $0.append(sql) } }
    let connection = try Connection(settings)
    log.withLock { $0 = [] }
    try connection.run("CREATE TABLE t (a)")
    try connection.run("INSERT INTO t VALUES (?)", ["secret"])
    #expect(log.withLock { $0 } == ["CREATE TABLE t (a)", "INSERT INTO t VALUES (?)"])
  }
}
