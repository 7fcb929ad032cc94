import Foundation
import Testing

@testable import XTLite

@Suite struct XTDatabaseTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func failure(
    _ path: String, _ change: (inout XTConfiguration) -> Void = { _ in }
  ) throws -> XTError {
    var configuration = XTConfiguration()
    change(&configuration)
    return try #require(throws: XTError.self) {
      _ = try XTDatabase(path: path, configuration: configuration)
    }
  }

  // MARK: Opening

  @Test func init_missingFolders_areMade() throws {
    let path = folder.path("a/b c/表/x.sqlite")
    let database = try XTDatabase(path: path)
    try database.executeScript("CREATE TABLE t (a)")
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try XTDatabase(url: URL(fileURLWithPath: path)).path == database.path)
  }

  @Test func init_readOnlyWithoutAFile_makesNothing() throws {
    #expect(try failure(folder.path("a/x.sqlite")) { $0.readOnly = true }.kind == .open)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func init_impossiblePaths_throwOpen() throws {
    let file = folder.path("file")
    try Data("x".utf8).write(to: URL(fileURLWithPath: file))
    for path in ["", folder.path, "a\0b", file + "/x.sqlite", file + "/a/x.sqlite", "/"] {
      #expect(try failure(path).kind == .open, "\(path)")
    }
    #expect(throws: XTError.self) { try XTDatabase(url: #require(URL(string: "https://a.b/c"))) }
    #expect(try failure(folder.path(String(repeating: "x", count: 5000))).kind == .open)
  }

  @Test func init_whatIsNoFile_throwsOpenAndDoesNotWait() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, "/dev/null"] {
      let error = #expect(throws: XTError.self) { try XTDatabase(path: path) }
      #expect(error?.kind == .open)
      #expect(error?.hint != nil)
      #expect(error?.path != nil)
      #expect(!XTDatabase.canOpen(path: path))
    }
  }

  @Test func init_textFile_throwsAndLeavesIt() throws {
    let path = folder.path("x.txt")
    let bytes = Data("Dear diary,\nnothing happened.".utf8)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try failure(path) { $0.key = nil }.kind == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.txt"])
  }

  @Test func init_keyWithoutEncryption_throws() throws {
    guard !SQLiteLibrary.hasEncryption else { return }
    let error = try failure(folder.path("x.sqlite")) { $0.key = .passphrase("k") }
    #expect(error.kind == .encryption)
  }

  @Test func init_keys_openAgainWithTheSameOne() throws {
    guard SQLiteLibrary.hasEncryption else { return }
    let keys: [XTKey] = [
      .passphrase("it's \"🏀\""), .bytes(Data([0, 1, 0])),
      .rawKey(Data(repeating: 7, count: 32), salt: Data(repeating: 9, count: 16)),
    ]
    for (number, key) in keys.enumerated() {
      let path = folder.path("\(number).sqlite")
      var configuration = XTConfiguration()
      configuration.key = key
      let database = try XTDatabase(path: path, configuration: configuration)
      try database.executeScript("CREATE TABLE t (a)")
      #expect(try failure(path) { $0.key = .passphrase("other") }.message.contains("key"))
      try database.close()
      let again = try XTDatabase(path: path, configuration: configuration)
      try again.executeScript("INSERT INTO t VALUES (1)")
      try again.close()
      #expect(try failure(path) { $0.key = .passphrase("other") }.kind == .encryption)
      #expect(try failure(path) { $0.key = nil }.kind == .notADatabase)
    }
  }

  @Test func inMemory_twoValues_areTwoDatabases() throws {
    let first = try XTDatabase.inMemory()
    let second = try XTDatabase.inMemory()
    try first.executeScript("CREATE TABLE t (a)")
    #expect(throws: XTError.self) { try second.executeScript("INSERT INTO t VALUES (1)") }
    #expect(first.path == ":memory:")
    #expect(first.identity != second.identity)
  }

  // MARK: Sharing

  @Test func init_sameFileByAnotherPath_sharesOneCore() throws {
    let path = folder.path("x.sqlite")
    let first = try XTDatabase(path: path)
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let hard = folder.path("hard.sqlite")
    try FileManager.default.linkItem(atPath: path, toPath: hard)
    let folderLink = folder.path + "-link"
    try FileManager.default.createSymbolicLink(
      atPath: folderLink, withDestinationPath: folder.path)
    defer { try? FileManager.default.removeItem(atPath: folderLink) }
    for other in [path, link, hard, folder.path("./y/../x.sqlite"), folderLink + "/x.sqlite"] {
      if other.contains("/y/") {
        try FileManager.default.createDirectory(
          atPath: folder.path("y"), withIntermediateDirectories: true)
      }
      #expect(try XTDatabase(path: other).core === first.core, "\(other)")
    }
    let another = try XTDatabase(path: folder.path("y.sqlite"))
    #expect(another.core !== first.core)
  }

  @Test func init_newFileThroughALinkedFolder_sharesOneCore() throws {
    let folderLink = folder.path + "-link"
    try FileManager.default.createSymbolicLink(
      atPath: folderLink, withDestinationPath: folder.path)
    defer { try? FileManager.default.removeItem(atPath: folderLink) }
    let first = try XTDatabase(path: folderLink + "/x.sqlite")
    let second = try XTDatabase(path: folder.path("x.sqlite"))
    #expect(first.core === second.core)
  }

  @Test func init_settingsThatDiffer_throwAndNameTheDifference() throws {
    let path = folder.path("x.sqlite")
    let first = try XTDatabase(path: path)
    let changes: [(String, (inout XTConfiguration) -> Void)] = [
      ("readOnly", { $0.readOnly = true }), ("journalMode", { $0.journalMode = .delete }),
      ("automaticColumns", { $0.automaticColumns = false }),
      ("automaticAdditions", { $0.automaticAdditions = false }),
    ]
    for (name, change) in changes {
      let error = try failure(path, change)
      #expect(error.kind == .open)
      #expect(error.message.contains(name))
    }
    var other = XTConfiguration()
    other.busyTimeout = 1
    other.label = "other"
    #expect(try XTDatabase(path: path, configuration: other).core === first.core)
  }

  @Test func init_fromManyThreads_sharesOneCore() throws {
    let path = folder.path("x.sqlite")
    let found = Mutex<[XTDatabase]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      guard let database = try? XTDatabase(path: path) else { return }
      found.withLock { $0.append(database) }
    }
    let databases = found.withLock { $0 }
    #expect(databases.count == 8)
    #expect(Set(databases.map(\.identity)).count == 1)
  }

  @Test func init_fileReplacedMeanwhile_isAnotherDatabase() throws {
    let path = folder.path("x.sqlite")
    let first = try XTDatabase(path: path)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    let second = try XTDatabase(path: path)
    #expect(first.core !== second.core)
    try second.executeScript("CREATE TABLE t (a)")
  }

  // MARK: Closing

  @Test func close_laterCalls_throwClosed() throws {
    let database = try XTDatabase(path: folder.path("x.sqlite"))
    try database.close()
    try database.close()
    #expect(!database.isOpen)
    let calls: [() throws -> Void] = [
      { try database.read {} }, { try database.write {} }, { try database.transaction {} },
      { try database.savepoint {} }, { try database.asCurrent {} },
      { try database.executeScript("SELECT 1") }, { try database.reading { _ in } },
      { try database.writing { _ in } }, { try database.transacting { _ in } },
      { try XTDatabase.configure(database) },
    ]
    for call in calls {
      let error = try #require(throws: XTError.self) { try call() }
      #expect(error.kind == .closed)
    }
  }

  @Test func close_anotherValueOnTheFile_goesOn() throws {
    let path = folder.path("x.sqlite")
    let first = try XTDatabase(path: path)
    let second = try XTDatabase(path: path)
    try first.close()
    try second.executeScript("CREATE TABLE t (a)")
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    try second.close()
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    try XTDatabase(path: path).executeScript("INSERT INTO t VALUES (1)")
  }

  @Test func deinit_lastValue_closesTheFile() throws {
    let path = folder.path("x.sqlite")
    weak var core: DatabaseCore?
    do {
      let database = try XTDatabase(path: path)
      core = database.core
      try database.executeScript("CREATE TABLE t (a)")
    }
    #expect(core == nil)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  @Test func close_insideABlock_throwsAndStaysOpen() throws {
    let database = try XTDatabase(path: folder.path("x.sqlite"))
    try database.transaction {
      #expect(throws: XTError.self) { try database.close() }
      try database.executeScript("CREATE TABLE t (a)")
    }
    try database.executeScript("INSERT INTO t VALUES (1)")
  }

  @Test func close_blockOfAnotherThread_isWaitedFor() throws {
    let database = try XTDatabase(path: folder.path("x.sqlite"))
    let started = DispatchSemaphore(value: 0)
    let ended = Flag()
    let thread = Thread {
      try? database.write {
        started.signal()
        Thread.sleep(forTimeInterval: 0.1)
        ended.set(true)
      }
    }
    thread.start()
    started.wait()
    try database.close()
    #expect(ended.isSet)
  }

  @Test func close_blockThatDoesNotEnd_throwsLockedAndStaysOpen() throws {
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.05
    let database = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
    let started = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    Thread {
      try? database.write {
        started.signal()
        end.wait()
      }
      ended.signal()
    }.start()
    started.wait()
    let error = try #require(throws: XTError.self) { try database.close() }
    #expect(error.kind == .locked)
    #expect(database.isOpen)
    end.signal()
    ended.wait()
    try database.close()
  }

  // MARK: Time, attachments

  @Test func now_storedAndReadBack_isTheSame() throws {
    let database = try XTDatabase.inMemory()
    for _ in 0..<1000 {
      let now = XTDatabase.now()
      let stored = try database.reading {
        try $0.firstValue("SELECT ?", [.real(now.timeIntervalSince1970)])?.double
      }
      #expect(stored.map { Date(timeIntervalSince1970: $0) } == now)
    }
  }

  @Test func currentTime_ownClock_isAsked() throws {
    var configuration = XTConfiguration()
    configuration.clock = { Date(timeIntervalSince1970: 1234.5) }
    let database = try XTDatabase.inMemory(configuration: configuration)
    #expect(database.currentTime() == 1234.5)
  }

  @Test func attachment_sameKey_isMadeOnce() throws {
    final class Plan: Sendable {}
    let database = try XTDatabase.inMemory()
    let key = AttachmentKey(type: ObjectIdentifier(Plan.self), name: nil)
    let first = database.attachment(for: key) { Plan() }
    #expect(database.attachment(for: key) { Plan() } === first)
    let named = AttachmentKey(type: ObjectIdentifier(Plan.self), name: "x")
    #expect(database.attachment(for: named) { Plan() } !== first)
    struct Failure: Error {}
    let other = AttachmentKey(type: ObjectIdentifier(Plan.self), name: "y")
    #expect(throws: Failure.self) {
      _ = try database.attachment(for: other) { () throws -> Plan in throw Failure() }
    }
  }
}
