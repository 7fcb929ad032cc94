import Foundation
import Testing

@testable import XTLite

private struct Leaf: XTModel {
  var pkid: Int64?
  var name = ""

  init() {}
  init(_ name: String) { self.name = name }
}

/// Closing, suspending, and the file under an open database.
@Suite struct LifeCycleTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }
  private var leaves: XTTable<Leaf> { test.table(Leaf.self) }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 0.2 }
    try leaves.insertList([Leaf("a"), Leaf("b")])
  }

  func exists(_ suffix: String = "") -> Bool {
    FileManager.default.fileExists(atPath: test.path + suffix)
  }

  /// Holds a block open on another thread while `body` runs.
  func whileBusy(
    _ hold: @escaping @Sendable (() throws -> Void) throws -> Void, _ body: () throws -> Void
  )
    throws
  {
    let (isInside, mayEnd, isOver) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread {
      try? hold {
        isInside.signal()
        mayEnd.wait()
      }
      isOver.signal()
    }.start()
    isInside.wait()
    defer {
      mayEnd.signal()
      isOver.wait()
    }
    try body()
  }

  // MARK: Closing

  @Test func close_leavesNoLogBesideTheFile() throws {
    #expect(exists("-wal"))
    _ = try leaves.count()
    try database.close()
    #expect(exists() && !exists("-wal") && !exists("-shm"))
    #expect(!database.isOpen)
    try database.close()
  }

  @Test func close_everyVerbAfterwards_throwsClosed() throws {
    let (database, leaves) = (database, leaves)
    try database.close()
    let calls: [() throws -> Void] = [
      { _ = try leaves.findAll() }, { _ = try leaves.count() },
      { _ = try leaves.deleteAll() }, { try leaves.forEach { _ in } },
      { try leaves.insertList([Leaf("c")]) }, { _ = try leaves.create() },
      { try database.execute("SELECT 1") }, { _ = try database.anyFunc(sql: "SELECT 1") },
      { try database.read {} }, { try database.write {} }, { try database.transaction {} },
      { try database.savepoint {} }, { try database.asCurrent {} },
      { try database.whileClosed { _ in } }, { try database.suspend() },
      { try database.removeFiles() }, { try database.moveFiles(to: "/nowhere") },
    ]
    for (index, call) in calls.enumerated() {
      let error = #expect(throws: XTError.self, "\(index)") { try call() }
      #expect(error?.kind == .closed, "\(index)")
    }
  }

  @Test func close_besideAReadBlock_throwsLockedAndStaysOpen() throws {
    let database = database
    try whileBusy({ try database.read($0) }) {
      let error = #expect(throws: XTError.self) { try database.close() }
      #expect(error?.kind == .locked)
      #expect(error?.message.contains("a read { } block") == true)
      let count = try leaves.count()
      #expect(count == 2)
    }
    try database.close()
  }

  @Test func close_insideABlock_throwsLocked() throws {
    let database = database
    for block in [database.read, database.transaction, database.write]
      as [(() throws -> Void) throws -> Void]
    {
      let error = #expect(throws: XTError.self) { try block { try database.close() } }
      #expect(error?.kind == .locked)
    }
    #expect(database.isOpen)
  }

  @Test func close_oneOfTwoValues_leavesTheOther() throws {
    let other = try XTDatabase(path: test.path, configuration: database.configuration)
    try database.close()
    #expect(try other.table(Leaf.self).count() == 2)
    try other.close()
  }

  // MARK: While closed

  @Test func whileClosed_theFileIsWhole() throws {
    let copy = test.path + ".copy"
    _ = try leaves.count()
    try database.whileClosed { url in
      #expect(!exists("-wal") && !exists("-shm"))
      try FileManager.default.copyItem(atPath: url.path, toPath: copy)
    }
    try leaves.deleteAll()
    #expect(try XTDatabase(path: copy).table(Leaf.self).count() == 2)
    #expect(try leaves.count() == 0)
  }

  @Test func whileClosed_anotherFilePutInPlace_isTheDatabaseAfterwards() throws {
    let (saved, leaves) = (test.path + ".saved", leaves)
    #expect(try leaves.count() == 2)
    try database.whileClosed { try FileManager.default.copyItem(atPath: $0.path, toPath: saved) }
    try leaves.drop()
    #expect(try leaves.count() == 0)
    try database.whileClosed { url in
      try FileManager.default.removeItem(at: url)
      try FileManager.default.moveItem(atPath: saved, toPath: url.path)
    }
    #expect(try leaves.count() == 2)
    try leaves.insertList([Leaf("c")])
    #expect(try test.seen("SELECT count(*) FROM `Leaf`") == ["3"])
    // A new value on the path meets the same connections.
    let other = try XTDatabase(path: test.path, configuration: database.configuration)
    #expect(other.core === database.core)
  }

  @Test func whileClosed_bodyThrows_itsErrorComesOutAndTheDatabaseGoesOn() throws {
    struct Refused: Error {}
    #expect(throws: Refused.self) { try database.whileClosed { _ in throw Refused() } }
    #expect(try leaves.count() == 2)
  }

  @Test func whileClosed_bodyTakesTheFileAway_throwsAndMakesNoEmptyOne() throws {
    let aside = test.path + ".aside"
    let error = #expect(throws: XTError.self) {
      try database.whileClosed { try FileManager.default.moveItem(atPath: $0.path, toPath: aside) }
    }
    #expect(error?.kind == .open)
    #expect(!exists())
    #expect(throws: XTError.self) { try leaves.count() }
    #expect(throws: XTError.self) { try leaves.insertList([Leaf("c")]) }
    #expect(!exists() && !database.canOpen)
    try FileManager.default.moveItem(atPath: aside, toPath: test.path)
    #expect(try leaves.count() == 2)
    #expect(database.canOpen)
  }

  @Test func whileClosed_othersWait() throws {
    let (database, leaves) = (try XTDatabase(path: test.path), leaves)
    let count = Mutex<Int?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    let path = test.path
    try database.whileClosed { _ in
      Thread {
        let found = try? leaves.count()
        count.withLock { $0 = found }
        isOver.signal()
      }.start()
      while database.core.readers.waiting == 0 { Thread.sleep(forTimeInterval: 0.001) }
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
    isOver.wait()
    #expect(count.withLock { $0 } == 2)
  }

  @Test func callsOnFilesInsideABlock_throwLocked() throws {
    let database = database
    let calls: [() throws -> Void] = [
      { try database.whileClosed { _ in } }, { try database.removeFiles() },
      { try database.moveFiles(to: "/tmp/x") }, { try database.suspend() },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try database.read { try call() } }
      #expect(error?.kind == .locked)
    }
    #expect(try leaves.count() == 2)
  }

  @Test func inMemory_hasNoFilesToMove() throws {
    let memory = try XTDatabase.inMemory()
    for call in [{ try memory.whileClosed { _ in } }, { try memory.removeFiles() }]
      as [() throws -> Void]
    {
      #expect(throws: XTError.self) { try call() }
    }
    #expect(memory.canOpen)
    try memory.suspend()
    memory.resume()
    try memory.execute("CREATE TABLE `t` (`x`)")
  }

  // MARK: Suspending

  @Test func suspend_releasesEveryLock() throws {
    _ = try leaves.count()
    try database.suspend()
    try database.suspend()
    // Leaving the log needs the file alone.
    try test.outside("PRAGMA journal_mode = DELETE; DELETE FROM `Leaf` WHERE `name` = 'a'")
    let error = #expect(throws: XTError.self) { try leaves.count() }
    #expect(error?.kind == .locked)
    #expect(error?.message.contains("suspend()") == true)
    #expect(error?.hint?.contains("resume()") == true)
    database.resume()
    database.resume()
    #expect(try leaves.count() == 1)
    try leaves.insertList([Leaf("c")])
  }

  @Test func suspend_besideABlock_throwsLockedAndGoesOn() throws {
    let database = database
    try whileBusy({ try database.transaction($0) }) {
      let error = #expect(throws: XTError.self) { try database.suspend() }
      #expect(error?.kind == .locked)
      let count = try leaves.count()
      #expect(count == 2)
    }
    try leaves.insertList([Leaf("c")])
  }

  @Test func resume_whileItIsBeingSuspended_isNotLost() throws {
    let (database, leaves) = (database, leaves)
    try database.reconfigure { $0.busyTimeout = 600 }
    let isOver = DispatchSemaphore(value: 0)
    try whileBusy({ try database.transaction($0) }) {
      Thread {
        try? database.suspend()
        isOver.signal()
      }.start()
      #expect(eventually { database.core.writers.waiting == 1 })
      database.resume()
    }
    isOver.wait()
    #expect(try leaves.count() == 2)
    try database.suspend()
    database.resume()
    try leaves.insertList([Leaf("c")])
  }

  @Test func suspend_thatFailed_canBeAskedForAgain() throws {
    let database = database
    try whileBusy({ try database.transaction($0) }) {
      #expect(throws: XTError.self) { try database.suspend() }
    }
    try database.suspend()
    #expect(throws: XTError.self) { try leaves.count() }
    database.resume()
    #expect(try leaves.count() == 2)
  }

  @Test func close_suspended_closes() throws {
    let other = try XTDatabase(path: test.path, configuration: database.configuration)
    try database.suspend()
    try other.close()
    #expect(throws: XTError.self) { try leaves.count() }
    try database.close()
    #expect(!database.isOpen)
    let again = try XTDatabase(path: test.path)
    #expect(try again.table(Leaf.self).count() == 2)
  }

  // MARK: Moving and removing

  @Test func moveFiles_goesOnInTheNewPlace() throws {
    let target = (test.path as NSString).deletingLastPathComponent + "/deeper/other.sqlite"
    try database.moveFiles(to: target)
    #expect(!exists() && database.path.hasSuffix("/deeper/other.sqlite"))
    try leaves.insertList([Leaf("c")])
    #expect(try leaves.count() == 3)
    let other = try XTDatabase(path: target, configuration: database.configuration)
    #expect(other.core === database.core)
    try other.close()
    try database.moveFiles(to: (test.path as NSString).deletingLastPathComponent + "/")
    #expect(database.path.hasSuffix("/other.sqlite") && !database.path.contains("deeper"))
    #expect(try leaves.count() == 3)
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func moveFiles_somethingIsThere_throwsAndStays(suffix: String) throws {
    let target = test.path + ".new"
    try Data("x".utf8).write(to: URL(fileURLWithPath: target + suffix))
    let error = #expect(throws: XTError.self) { try database.moveFiles(to: target) }
    #expect(error?.kind == .open)
    #expect(exists())
    #expect(try leaves.count() == 2)
    #expect(try String(contentsOfFile: target + suffix, encoding: .utf8) == "x")
  }

  @Test func moveFiles_openInAnotherProgram_throwsLockedAndStays() throws {
    let other = try Connection(database.configuration.connectionSettings(path: test.path))
    _ = try other.rows("SELECT * FROM `Leaf`")
    let error = #expect(throws: XTError.self) { try database.moveFiles(to: test.path + ".new") }
    #expect(error?.kind == .locked)
    #expect(exists())
    #expect(try leaves.count() == 2)
    other.close()
    try database.moveFiles(to: test.path + ".new")
    #expect(try leaves.count() == 2)
  }

  @Test func removeFiles_goesOnWithAnEmptyFile() throws {
    #expect(try leaves.count() == 2)
    try database.removeFiles()
    #expect(!exists() && !exists("-wal") && !exists("-shm"))
    #expect(try leaves.count() == 0)
    var leaf = Leaf("new")
    #expect(try leaves.insert(&leaf) == 1)
    #expect(try test.seen("SELECT `name` FROM `Leaf`") == ["new"])
  }

  /// A file system gives the number of a removed file to the next one.
  @Test func removeFiles_anotherFileWithTheSameNumber_isAnotherDatabase() throws {
    let number = FileIdentity(path: test.path)
    try database.removeFiles()
    for name in 0..<50 {
      let path = test.path + "\(name)"
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      guard FileIdentity(path: path) == number else { continue }
      #expect(try XTDatabase(path: path).core !== database.core)
    }
    // A value on the same path is the same database, before and after the file is there again.
    let configuration = database.configuration
    #expect(try XTDatabase(path: test.path, configuration: configuration).core === database.core)
    var leaf = Leaf("new")
    try leaves.insert(&leaf)
    #expect(try XTDatabase(path: test.path, configuration: configuration).core === database.core)
  }

  @Test func readOnly_filesStay() throws {
    let test = test
    try database.close()
    var configuration = XTConfiguration()
    configuration.readOnly = true
    let reader = try XTDatabase(path: test.path, configuration: configuration)
    for call in [{ try reader.removeFiles() }, { try reader.moveFiles(to: "/tmp/x") }]
      as [() throws -> Void]
    {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .readOnly)
    }
    try reader.whileClosed { _ in #expect(exists()) }
    #expect(try reader.table(Leaf.self).count() == 2)
  }

  // MARK: A file that goes while it is open

  @Test func fileRemoved_isNoticedByTheNextWrite() throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: test.path + suffix)
    }
    let error = #expect(throws: XTError.self) { try leaves.insertList([Leaf("lost")]) }
    #expect(error?.kind == .open)
    #expect(error?.message.contains("removed") == true)
    #expect(error?.path == test.path)
    #expect(!exists())
  }

  @Test func fileReplaced_isNoticedByTheNextWriteAndSoonByReads() throws {
    let other = test.path + ".other"
    try XTDatabase(path: other).table(Leaf.self).insertList([Leaf("z")])
    try FileManager.default.removeItem(atPath: test.path)
    try FileManager.default.moveItem(atPath: other, toPath: test.path)
    let error = #expect(throws: XTError.self) { try leaves.insertList([Leaf("lost")]) }
    #expect(error?.message.contains("another file") == true)
    #expect(throws: XTError.self) { for _ in 0..<200 { _ = try leaves.count() } }
    #expect(throws: XTError.self) { try database.transaction {} }
  }

  // MARK: Stopping and releasing

  @Test func interrupt_stopsWhatRuns() throws {
    let (database, leaves) = (database, leaves)
    let endless =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    for isWriter in [false, true] {
      let kind = Mutex<XTError.Kind?>(nil)
      let (hasBegun, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread {
        do {
          if isWriter {
            try database.transaction {
              try leaves.insertList([Leaf("gone")])
              hasBegun.signal()
              try database.anyFunc(sql: XTSQL(unsafe: endless))
            }
          } else {
            hasBegun.signal()
            try database.anyFunc(sql: XTSQL(unsafe: endless))
          }
        } catch {
          kind.withLock { $0 = (error as? XTError)?.kind }
        }
        isOver.signal()
      }.start()
      hasBegun.wait()
      // It may not have come to the statement yet.
      while isOver.wait(timeout: .now() + .milliseconds(5)) == .timedOut { database.interrupt() }
      #expect(kind.withLock { $0 } == .interrupted)
      #expect(try leaves.count() == 2)
    }
    database.interrupt()
    try leaves.insertList([Leaf("c")])
  }

  @Test func purge_closesIdleReadersOnly() throws {
    let database = database
    _ = try leaves.count()
    #expect(database.purge() == 1)
    #expect(database.purge() == 0)
    #expect(database.core.readers.counts.open == 0)
    #expect(try leaves.count() == 2)
    try database.read {
      let closed = database.purge()
      #expect(closed == 0)
      XTDatabase.purgeAll()
      _ = try leaves.count()
    }
  }

  @Test func releaseMemory_forgetsStatementsAndGoesOn() throws {
    _ = try leaves.count()
    database.releaseMemory()
    database.core.forEachPool { pool in
      pool.forEachIdle { #expect($0.cache.count == 0) }
    }
    #expect(try leaves.count() == 2)
    try leaves.insertList([Leaf("c")])
  }

  @Test func releaseMemory_insideARowsCallback_leavesTheLoop() throws {
    var names: [String] = []
    try leaves.forEach(orderBy: .asc(\.name)) { leaf in
      database.releaseMemory()
      XTDatabase.purgeAll()
      names.append(leaf.name)
    }
    #expect(names == ["a", "b"])
  }

  @Test func canOpen_saysWhatOpeningWould() throws {
    #expect(database.canOpen)
    #expect(XTDatabase.canOpen(path: test.path))
    #expect(!XTDatabase.canOpen(path: test.path + ".none"))
    #expect(!FileManager.default.fileExists(atPath: test.path + ".none"))
    try Data(repeating: 7, count: 4096).write(to: URL(fileURLWithPath: test.path + ".junk"))
    #expect(!XTDatabase.canOpen(path: test.path + ".junk"))
    #expect(!XTDatabase.canOpen(path: (test.path as NSString).deletingLastPathComponent))
  }
}
