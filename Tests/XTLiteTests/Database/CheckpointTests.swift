import Foundation
import Testing

@testable import XTLite

private struct Shell: XTModel {
  var pkid: Int64?
  var bytes = Data()

  init() {}
  init(_ count: Int) { bytes = Data(count: count) }
}

/// `checkpoint`, `vacuum`, `fileSizes`, and the log of a database that is open.
@Suite struct CheckpointTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }
  private var shells: XTTable<Shell> { test.table(Shell.self) }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 0.2 }
    try shells.insertList((0..<20).map { _ in Shell(3_000) })
  }

  // MARK: checkpoint

  @Test(arguments: [XTCheckpoint.passive, .full, .restart])
  func checkpoint_nobodyInTheWay_putsAllOfTheLogIntoTheFile(_ mode: XTCheckpoint) throws {
    let before = database.fileSizes
    let result = try database.checkpoint(mode)
    #expect(result.isComplete && result.obstacle == nil)
    #expect(result.pages >= 20 && result.checkpointed == result.pages)
    #expect(database.fileSizes.wal == before.wal)
    #expect(database.fileSizes.database > before.database)
  }

  @Test func checkpoint_truncate_makesTheLogEmpty() throws {
    #expect(database.fileSizes.wal > 20 * 3_000)
    let result = try database.checkpoint(.truncate)
    #expect(result == XTCheckpointResult())
    #expect(result.isComplete)
    #expect(database.fileSizes.wal == 0)
    try test.outside("DELETE FROM Shell WHERE pkid = 1")
    #expect(try shells.count() == 19)
  }

  @Test func checkpoint_snapshotOfAnotherProgram_isAnObstacle() throws {
    let other = try test.reader()
    try other.run("BEGIN")
    _ = try other.firstValue("SELECT count(*) FROM Shell")
    try shells.insertList([Shell(3_000)])
    for mode in [XTCheckpoint.passive, .full, .restart, .truncate] {
      let result = try database.checkpoint(mode)
      #expect(result.obstacle == .reader)
      #expect(!result.isComplete && result.checkpointed < result.pages)
    }
    try other.run("COMMIT")
    #expect(try database.checkpoint(.truncate).obstacle == nil)
  }

  @Test func checkpoint_anotherProgramWrites_isAnObstacle() throws {
    let other = try Connection(ConnectionSettings(path: test.path))
    try other.run("BEGIN IMMEDIATE")
    #expect(try database.checkpoint(.passive).obstacle == nil)
    #expect(try database.checkpoint(.truncate).obstacle == .writer)
    try other.run("COMMIT")
    #expect(try database.checkpoint(.truncate).obstacle == nil)
  }

  @Test func checkpoint_insideBlocks_isPassiveOrThrowsLocked() throws {
    let blocks: [(() throws -> Void) throws -> Void] = [
      { body in try database.transaction { try body() } },
      { body in try database.read { try body() } },
      { body in try shells.forEach { _ in try body() } },
    ]
    for block in blocks {
      try block {
        #expect(try database.checkpoint().pages >= 20)
        let error = try #require(throws: XTError.self) { try database.checkpoint(.full) }
        #expect(error.kind == .locked)
        #expect(error.hint?.contains(".passive") == true)
      }
    }
    try database.write {
      try shells.insertList([Shell(10)])
      #expect(try database.checkpoint(.truncate).obstacle == nil)
      #expect(database.fileSizes.wal == 0)
    }
  }

  @Test func checkpoint_readersButNoWriterOpenedYet_works() throws {
    let other = try Connection(ConnectionSettings(path: test.path))
    try database.close()
    try other.run("INSERT INTO Shell (bytes) VALUES (zeroblob(9000))")
    let reopened = try XTDatabase(path: test.path)
    #expect(try reopened.table(Shell.self).count() == 21)
    let pages = try reopened.read { try reopened.checkpoint().pages }
    #expect(pages > 0)
    let again = try XTDatabase(path: test.path)
    #expect(try again.checkpoint(.truncate).obstacle == nil)
    #expect(again.fileSizes.wal == 0)
  }

  @Test func checkpoint_noLog_givesZeros() throws {
    #expect(try XTDatabase.inMemory().checkpoint(.truncate) == XTCheckpointResult())
    let plain = try TestDatabase { $0.journalMode = .delete }
    #expect(try plain.database.checkpoint(.full) == XTCheckpointResult())
  }

  @Test func checkpoint_readOnlyOrClosed_throws() throws {
    try database.close()
    #expect(throws: XTError.self) { try database.checkpoint() }
    var configuration = XTConfiguration()
    configuration.readOnly = true
    let reader = try XTDatabase(path: test.path, configuration: configuration)
    let error = try #require(throws: XTError.self) { try reader.checkpoint() }
    #expect(error.kind == .readOnly)
  }

  @Test func checkpoint_manyThreads_waitForEachOther() throws {
    let test = try TestDatabase { $0.busyTimeout = 600 }
    let (database, shells) = (test.database, test.table(Shell.self))
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      do {
        for _ in 0..<10 {
          try shells.insertList([Shell(100)])
          try database.checkpoint(index.isMultiple(of: 2) ? .passive : .restart)
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try shells.count() == 80)
  }

  // MARK: By itself

  @Test func log_manyCommits_isBegunAnewByItself() throws {
    let checkpointer = try #require(database.core.checkpointer)
    var (commits, pages) = (0, 0)
    // Each is two pages or more, and nobody waits.
    while commits < 20_000 {
      try shells.insertList([Shell(3_000)])
      commits += 1
      let now = checkpointer.report.pages
      if now < pages { break }
      pages = now
    }
    #expect(commits < 20_000 && pages > 900)
    #expect(eventually { checkpointer.report.completions > 0 })
    #expect(try test.seen("SELECT count(*) FROM Shell") == ["\(commits + 20)"])
  }

  @Test func log_pastTheConfiguredLimit_isMadeEmptyByItself() throws {
    let small = try TestDatabase { $0.walLimit = 1_000_000 }
    try small.table(Shell.self).insertList((0..<1_500).map { _ in Shell(3_000) })
    #expect(small.database.fileSizes.wal > 4_000_000)
    #expect(eventually { small.database.fileSizes.wal == 0 })
    #expect(try small.table(Shell.self).count() == 1_500)
  }

  @Test func checkpointer_keepsNothingOpenForWhoNeedsTheFileAlone() throws {
    try database.checkpoint()
    try database.whileClosed { url in
      let other = try Connection(ConnectionSettings(path: url.path))
      // Needs the file for itself: any other connection would be in the way.
      #expect(try other.rows("PRAGMA journal_mode = delete") == [["delete"]])
      #expect(try other.rows("PRAGMA journal_mode = wal") == [["wal"]])
      other.close()
      #expect(database.fileSizes.wal == 0)
    }
    try shells.insertList([Shell(10)])
    #expect(try database.checkpoint().pages > 0)
    let target = test.path + "-moved"
    defer { try? FileManager.default.removeItem(atPath: target) }
    try database.moveFiles(to: target)
    try shells.insertList([Shell(10)])
    #expect(try database.checkpoint(.truncate).obstacle == nil)
    #expect(try shells.count() == 22)
    try database.suspend()
    #expect(database.fileSizes.wal == 0)
    database.resume()
    try database.removeFiles()
    try shells.insertList([Shell(10)])
    #expect(try database.checkpoint().pages > 0)
    try database.close()
  }

  @Test func checkpointer_suspended_waitsForResume() throws {
    try database.suspend()
    let error = try #require(throws: XTError.self) { try database.checkpoint() }
    #expect(error.kind == .locked)
    #expect(database.fileSizes.wal == 0)
    database.resume()
    #expect(try database.checkpoint().isComplete)
  }

  @Test func reader_keepsTheLog_isAWarningOfTheMonitor() throws {
    let pages = Mutex<Int?>(nil)
    let listening = XTMonitor.listen(to: database, for: .warnings) { event in
      guard case .warning(.logNotEmptied(let count), _) = event else { return }
      pages.withLock { $0 = count }
    }
    defer { listening.cancel() }
    try database.read {
      _ = try shells.count()
      let other = try Connection(ConnectionSettings(path: test.path))
      try other.run("INSERT INTO Shell (bytes) VALUES (zeroblob(3000))")
      let isOver = DispatchSemaphore(value: 0)
      Thread { [database] in
        for _ in 0..<600 {
          _ = try? database.execute("INSERT INTO Shell (bytes) VALUES (zeroblob(3000))")
        }
        isOver.signal()
      }.start()
      isOver.wait()
      #expect(eventually { pages.withLock { $0 } ?? 0 > 600 })
    }
    #expect(eventually { database.core.checkpointer?.report.stuckSince == nil })
  }

  @Test func core_letGo_goesWithItsCheckpointer() throws {
    weak var core: DatabaseCore?
    weak var checkpointer: Checkpointer?
    do {
      let test = try TestDatabase()
      try test.table(Shell.self).insertList((0..<600).map { _ in Shell(3_000) })
      try test.database.checkpoint()
      core = test.database.core
      checkpointer = test.database.core.checkpointer
      #expect(checkpointer != nil)
    }
    #expect(core == nil)
    #expect(eventually { checkpointer == nil })
  }

  @Test func file_replacedByAnother_getsNoPagesOfTheOldLog() throws {
    let checkpointer = try #require(database.core.checkpointer)
    let other = test.path + "-other"
    let made = try Connection(ConnectionSettings(path: other))
    try made.run("CREATE TABLE Other (a)")
    made.close()
    checkpointer.closeIdle()
    try FileManager.default.removeItem(atPath: test.path)
    try FileManager.default.moveItem(atPath: other, toPath: test.path)
    let before = try Data(contentsOf: URL(fileURLWithPath: test.path))
    let error = try #require(throws: XTError.self) { try database.checkpoint() }
    #expect(error.kind == .open)
    #expect(try Data(contentsOf: URL(fileURLWithPath: test.path)) == before)
  }

  #if SQLCipher
    @Test func log_encrypted_isPutIntoTheFileToo() throws {
      let secret = try TestDatabase { $0.key = .passphrase("mamba") }
      try secret.table(Shell.self).insertList((0..<600).map { _ in Shell(3_000) })
      #expect(try secret.database.checkpoint(.truncate).obstacle == nil)
      #expect(secret.database.fileSizes.wal == 0)
      #expect(try secret.seen("SELECT count(*) FROM Shell") == ["600"])
    }
  #endif

  // MARK: vacuum and fileSizes

  @Test func vacuum_afterDeletions_makesTheFileSmaller() throws {
    try shells.insertList((0..<500).map { _ in Shell(3_000) })
    try shells.deleteAll()
    try database.checkpoint(.truncate)
    let before = database.fileSizes
    try database.vacuum()
    try database.checkpoint(.truncate)
    #expect(database.fileSizes.database < before.database / 4)
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
  }

  @Test func vacuum_whereItCannotBe_throws() throws {
    try database.transaction {
      let error = try #require(throws: XTError.self) { try database.vacuum() }
      #expect(error.kind == .locked && error.hint != nil)
    }
    try database.read {
      let error = try #require(throws: XTError.self) { try database.vacuum() }
      #expect(error.kind == .readOnly)
    }
    try database.write { try database.vacuum() }
  }

  @Test func fileSizes_areThoseOfTheFiles() throws {
    func length(_ suffix: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: test.path + suffix)
      return try #require(attributes[.size] as? NSNumber).intValue
    }
    let sizes = database.fileSizes
    #expect(try sizes.database == length("") && sizes.wal == length("-wal"))
    #expect(try sizes.shm == length("-shm") && sizes.journal == 0)
    #expect(sizes.total == sizes.database + sizes.wal + sizes.shm)
    let plain = try TestDatabase { $0.journalMode = .persist }
    try plain.table(Shell.self).insertList([Shell(3_000)])
    #expect(plain.database.fileSizes.journal > 0)
    #expect(plain.database.fileSizes.wal == 0)
    #expect(try XTDatabase.inMemory().fileSizes == XTFileSizes())
  }
}
