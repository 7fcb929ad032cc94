import Foundation
import Testing

@testable import XTLite

/// Files that are opened read-only, by what is beside them and by what may be written.
@Suite(.enabled(if: WithoutRoot.isPossible)) struct ReadOnlyFileTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    // Signs that mean something in a URI.
    let inner = folder.path("100% #1?x=y&é")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    path = inner + "/x.sqlite"
  }

  var inner: String { (path as NSString).deletingLastPathComponent }

  enum Beside: CaseIterable, CustomStringConvertible {
    case nothing, emptyLog, log, logAndIndex

    var description: String {
      switch self {
      case .nothing: "nothing"
      case .emptyLog: "an empty -wal"
      case .log: "a -wal"
      case .logAndIndex: "a -wal and its -shm"
      }
    }
  }

  /// A database in WAL mode: row 1 is in the file, row 2 in the log where there is one.
  func make(_ beside: Beside, mode: String = "wal") throws {
    let original = folder.path("original.sqlite")
    var settings = ConnectionSettings(path: original)
    settings.journalMode = mode
    let writer = try Connection(settings)
    try writer.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    _ = try writer.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    if beside == .log || beside == .logAndIndex { try writer.run("INSERT INTO t VALUES (2)") }
    let names: [String] =
      switch beside {
      case .nothing: [""]
      case .emptyLog, .log: ["", "-wal"]
      case .logAndIndex: ["", "-wal", "-shm"]
      }
    for name in names {
      try FileManager.default.copyItem(atPath: original + name, toPath: path + name)
    }
    writer.close()
  }

  func setPermissions(_ bits: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: bits], ofItemAtPath: path)
  }

  /// Takes all permissions to write away, and gives them back after `body`.
  func unwritable(_ body: () throws -> Void) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: inner)
    for name in names { try setPermissions(0o444, of: "\(inner)/\(name)") }
    try setPermissions(0o555, of: inner)
    defer { try? setPermissions(0o755, of: inner) }
    try body()
    #expect(try FileManager.default.contentsOfDirectory(atPath: inner).sorted() == names.sorted())
  }

  func open() throws -> XTDatabase {
    var configuration = XTConfiguration()
    configuration.readOnly = true
    return try XTDatabase(path: path, configuration: configuration)
  }

  func rows(_ database: XTDatabase) throws -> [[XTValue]] {
    let inBlock = try database.read {
      try database.reading { try $0.rows("SELECT a FROM t ORDER BY a") }
    }
    let alone = try database.reading { try $0.rows("SELECT a FROM t ORDER BY a") }
    #expect(inBlock == alone)
    return inBlock
  }

  @Test(arguments: Beside.allCases)
  func open_inAFolderThatCanBeWritten_readsFileAndLog(_ beside: Beside) throws {
    try make(beside)
    let hasLog = beside == .log || beside == .logAndIndex
    let database = try open()
    #expect(try rows(database) == (hasLog ? [[1], [2]] : [[1]]))
    let error = #expect(throws: XTError.self) { try database.execute("DELETE FROM t") }
    #expect(error?.kind == .readOnly)
    // Nothing is taken out of the log by one that only reads.
    try database.close()
    #expect(try rows(open()) == (hasLog ? [[1], [2]] : [[1]]))
  }

  @Test func open_inABundle_readsTheFileAsItIs() throws {
    try WithoutRoot.run("ReadOnlyFileTests/open_inABundle_readsTheFileAsItIs") {
      try make(.nothing)
      try unwritable {
        let database = try open()
        #expect(try rows(database) == [[1]])
        #expect(throws: XTError.self) { try database.execute("DELETE FROM t") }
        #expect(database.canOpen)
        #expect(try database.checkIntegrity() == [])
      }
    }
  }

  @Test func open_withAnEmptyLogInABundle_readsTheFileAsItIs() throws {
    try WithoutRoot.run("ReadOnlyFileTests/open_withAnEmptyLogInABundle_readsTheFileAsItIs") {
      try make(.emptyLog)
      try unwritable {
        let rows = try rows(open())
        #expect(rows == [[1]])
      }
    }
  }

  @Test func open_withALogAloneInABundle_saysWhatToDo() throws {
    try WithoutRoot.run("ReadOnlyFileTests/open_withALogAloneInABundle_saysWhatToDo") {
      try make(.log)
      try unwritable {
        let error = try #require(throws: XTError.self) { try open() }
        #expect(error.kind == .open)
        #expect(
          error.message == "a -wal file is beside it, whose -shm file can't be made in this folder")
        #expect(error.hint?.contains("copy the file and what is beside it") == true)
        #expect(error.path == (try FilePath.resolved(path)))
        #expect(!XTDatabase.canOpen(path: path))
      }
    }
  }

  @Test func open_withLogAndIndexInABundle_readsBothOrSaysWhatToDo() throws {
    try WithoutRoot.run(
      "ReadOnlyFileTests/open_withLogAndIndexInABundle_readsBothOrSaysWhatToDo"
    ) {
      try make(.logAndIndex)
      try unwritable {
        guard SQLiteLibrary.readsWithoutWritingTheIndex else {
          let error = try #require(throws: XTError.self) { try open() }
          #expect(error.kind == .open)
          #expect(error.hint?.contains("3.22") == true)
          return
        }
        #expect(try rows(open()) == [[1], [2]])
      }
    }
  }

  @Test func open_withALogThatCannotBeRead_saysSo() throws {
    try WithoutRoot.run("ReadOnlyFileTests/open_withALogThatCannotBeRead_saysSo") {
      try make(.log)
      try setPermissions(0, of: path + "-wal")
      let error = try #require(throws: XTError.self) { try open() }
      #expect(error.kind == .open)
      #expect(error.message == "there is no permission to read its -wal or -shm file")
    }
  }

  @Test func open_withATransactionToRollBack_saysSo() throws {
    try WithoutRoot.run("ReadOnlyFileTests/open_withATransactionToRollBack_saysSo") {
      // As a program leaves it that is killed while it writes into the file itself.
      let original = folder.path("original.sqlite")
      var settings = ConnectionSettings(path: original)
      settings.journalMode = "delete"
      settings.cacheSize = 1
      let writer = try Connection(settings)
      try writer.executeScript(
        """
        CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000)); BEGIN;
        UPDATE t SET a = randomblob(100000); INSERT INTO t VALUES (randomblob(100000))
        """)
      for name in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: original + name, toPath: path + name)
      }
      writer.close()
      func check() throws {
        let error = try #require(throws: XTError.self) { try open() }
        #expect(error.kind == .open)
        #expect(error.message.contains("-journal"))
        #expect(error.hint?.contains("copy") == true)
      }
      try check()
      try unwritable { try check() }
    }
  }

  @Test func open_rollbackModeInABundle_reads() throws {
    try WithoutRoot.run("ReadOnlyFileTests/open_rollbackModeInABundle_reads") {
      try make(.nothing, mode: "delete")
      try unwritable {
        let rows = try rows(open())
        #expect(rows == [[1]])
      }
    }
  }

  @Test func open_asItIs_isReadAnewWhereSomebodyElseWrites() throws {
    try WithoutRoot.run("ReadOnlyFileTests/open_asItIs_isReadAnewWhereSomebodyElseWrites") {
      try make(.nothing)
      try setPermissions(0o555, of: inner)
      defer { try? setPermissions(0o755, of: inner) }
      let database = try open()
      #expect(try rows(database) == [[1]])
      // Somebody who may: writes, and leaves nothing beside the file.
      try setPermissions(0o755, of: inner)
      let other = try Connection(ConnectionSettings(path: path))
      try other.run("INSERT INTO t VALUES (3)")
      _ = try other.rows("PRAGMA wal_checkpoint(TRUNCATE)")
      other.close()
      try setPermissions(0o555, of: inner)
      #expect(try rows(database) == [[1], [3]])
      // And now leaves a log, which must not be passed over.
      try setPermissions(0o755, of: inner)
      let third = try Connection(ConnectionSettings(path: path))
      try third.run("INSERT INTO t VALUES (4)")
      try setPermissions(0o555, of: inner)
      if SQLiteLibrary.readsWithoutWritingTheIndex {
        #expect(try rows(database) == [[1], [3], [4]])
      }
      try setPermissions(0o755, of: inner)
      third.close()
    }
  }
}
