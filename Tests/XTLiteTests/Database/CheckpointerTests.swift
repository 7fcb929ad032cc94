import Foundation
import Testing

@testable import XTLite

/// A file with a log, one that writes, and one that looks after the log.
private final class LogFile: @unchecked Sendable {
  let folder: TemporaryFolder
  let path: String
  let checkpointer: Checkpointer
  let writers: ConnectionPool
  /// Every connection that the checkpointer opened.
  let opened: Mutex<[Connection]>
  /// Thrown by the next openings.
  let refusals: Mutex<Int>

  init(_ change: (inout Checkpointer.Limits) -> Void = { _ in }) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.sqlite")
    let opened = Mutex<[Connection]>([])
    let refusals = Mutex(0)
    var limits = Checkpointer.Limits()
    limits.pages = 20
    limits.urgentPages = 1_000_000
    limits.quiet = 0.02
    limits.pause = 0.02
    limits.longestPause = 0.05
    change(&limits)
    let checkpointer = Checkpointer(label: "x", limits: limits) {
      try refusals.withLock { count in
        guard count > 0 else { return }
        count -= 1
        throw XTError(.diskFull, "no")
      }
      var settings = ConnectionSettings(path: path)
      settings.isForCheckpoints = true
      settings.mayCreate = false
      let connection = try Connection(settings)
      opened.withLock { $0.append(connection) }
      return connection
    }
    writers = ConnectionPool(DatabaseFile(path: path, label: "x"), capacity: 1) {
      let connection = try Connection(ConnectionSettings(path: path))
      connection.watchLog { checkpointer.told($0) }
      checkpointer.start()
      return connection
    }
    self.folder = folder
    self.path = path
    self.checkpointer = checkpointer
    self.opened = opened
    self.refusals = refusals
    checkpointer.setWriters(writers)
    try write { try $0.run("CREATE TABLE t (a)") }
  }

  deinit {
    checkpointer.stop()
    checkpointer.setWriters(nil)
    writers.close()
  }

  func write(_ body: (Connection) throws -> Void) throws {
    let connection = try writers.take(.write, limit: 60)
    defer { writers.give(connection) }
    try body(connection)
  }

  /// Commits so many times: at least two pages of the log each, for the table and its root.
  func commit(_ count: Int = 1) throws {
    for _ in 0..<count {
      try write { try $0.run("INSERT INTO t VALUES (zeroblob(3000))") }
    }
  }

  var rows: XTValue? {
    get throws {
      let other = try Connection(ConnectionSettings(path: path))
      defer { other.close() }
      return try other.firstValue("SELECT count(*) FROM t")
    }
  }

  var logLength: Int { FileStamp.size(of: path + "-wal") }

  /// Holds a snapshot of what is there now.
  func reader() throws -> Connection {
    var settings = ConnectionSettings(path: path)
    settings.isReader = true
    let reader = try Connection(settings)
    try reader.run("BEGIN")
    _ = try reader.firstValue("SELECT count(*) FROM t")
    return reader
  }
}

@Suite struct CheckpointerTests {
  @Test func log_shortAndQuiet_isLeftAlone() throws {
    let file = try LogFile { $0.pages = 1_000 }
    try file.commit(5)
    Thread.sleep(forTimeInterval: 0.1)
    #expect(file.checkpointer.report.completions == 0)
    #expect(file.opened.withLock { $0.isEmpty })
    #expect(file.checkpointer.report.pages >= 10)
  }

  @Test func log_longAndQuiet_isPutIntoTheFileAndBegunAnew() throws {
    let file = try LogFile()
    try file.commit(15)
    #expect(eventually { file.checkpointer.report.completions > 0 })
    let long = file.checkpointer.report.pages
    try file.commit()
    #expect(file.checkpointer.report.pages < 10)
    #expect(long >= 20)
    #expect(try file.rows == 16)
  }

  @Test func log_writersLeaveNoPause_isBegunAnewAllTheSame() throws {
    let file = try LogFile {
      $0.urgentPages = 100
      $0.quiet = 60
      $0.patience = 60
    }
    let longest = Mutex(0)
    let threads = DispatchGroup()
    let isOver = Flag()
    for _ in 0..<2 {
      threads.enter()
      Thread {
        defer { threads.leave() }
        while !isOver.isSet {
          try? file.commit()
          longest.withLock { $0 = max($0, file.checkpointer.report.pages) }
        }
      }.start()
    }
    #expect(eventually { file.checkpointer.report.completions >= 20 })
    isOver.set(true)
    threads.wait()
    let count = try file.rows?.int64 ?? 0
    // One that was never begun anew would have all the pages: at least two of each commit.
    #expect(longest.withLock { $0 } < 2 * count)
    // Twenty times a hundred pages are more commits than this, of a few pages each.
    #expect(count > 300)
  }

  @Test func log_longerThanItsLimit_isMadeEmpty() throws {
    let file = try LogFile { $0.bytes = 100_000 }
    try file.write { connection in
      try connection.inTransaction {
        for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (zeroblob(3000))") }
      }
    }
    #expect(eventually { file.logLength == 0 })
    #expect(eventually { file.checkpointer.report.truncations == 1 })
    #expect(file.checkpointer.report.pages == 0)
    try file.commit()
    #expect(try file.rows == 101)
  }

  @Test func log_belowItsLimit_keepsItsFile() throws {
    let file = try LogFile()
    try file.commit(15)
    #expect(eventually { file.checkpointer.report.completions > 0 })
    #expect(file.logLength > 20 * 4096)
  }

  // MARK: Readers

  @Test func reader_keepsTheLog_isToldAndForgottenWhenItEnds() throws {
    let file = try LogFile { $0.wait = 0.01 }
    let told = Mutex<[(pages: Int, nanoseconds: UInt64)]>([])
    file.checkpointer.setListener(
      Checkpointer.Listener(stuckReader: { pages, nanoseconds in
        told.withLock { $0.append((pages, nanoseconds)) }
      }))
    try file.commit(2)
    let reader = try file.reader()
    try file.commit(15)
    try #require(eventually { told.withLock { $0.count } >= 2 })
    let (first, last) = told.withLock { ($0[0], $0[$0.count - 1]) }
    #expect(first.pages >= 20 && last.pages >= first.pages)
    #expect(first.nanoseconds > 0 && last.nanoseconds > first.nanoseconds)
    #expect(file.checkpointer.report.stuckSince != nil)
    #expect(file.checkpointer.report.stuckPages >= 20)
    #expect(file.checkpointer.report.failure == nil)
    // The writers go on meanwhile.
    try file.commit()
    try reader.run("COMMIT")
    #expect(eventually { file.checkpointer.report.completions > 0 })
    #expect(file.checkpointer.report.stuckSince == nil)
    #expect(file.checkpointer.report.stuckPages == 0)
    try file.commit()
    #expect(file.checkpointer.report.pages < 10)
    #expect(try file.rows == 19)
  }

  @Test func reader_endsInTime_isNotTold() throws {
    let file = try LogFile { $0.pause = 0.2 }
    let told = Flag()
    file.checkpointer.setListener(Checkpointer.Listener(stuckReader: { _, _ in told.set(true) }))
    let reader = try file.reader()
    try file.commit(15)
    #expect(eventually { file.checkpointer.report.stuckSince != nil })
    try reader.run("COMMIT")
    #expect(eventually { file.checkpointer.report.completions > 0 })
    #expect(!told.isSet)
  }

  // MARK: Failures

  @Test func failure_isToldAndTriedAgain() throws {
    let file = try LogFile()
    let told = Mutex<[XTError.Kind]>([])
    file.checkpointer.setListener(
      Checkpointer.Listener(failure: { error in told.withLock { $0.append(error.kind) } }))
    file.refusals.withLock { $0 = 2 }
    try file.commit(15)
    #expect(eventually { file.checkpointer.report.completions > 0 })
    #expect(told.withLock { $0 } == [.diskFull, .diskFull])
    #expect(file.checkpointer.report.failure == nil)
  }

  @Test func checkpointOfAnotherProgram_isWaitedFor() throws {
    let file = try LogFile()
    try file.commit(5)
    // A reader keeps that checkpoint from its end.
    let reader = try file.reader()
    try file.commit()
    let other = try Connection(ConnectionSettings(path: file.path))
    let isOver = DispatchSemaphore(value: 0)
    let result = Mutex<XTCheckpointResult?>(nil)
    nonisolated(unsafe) let its = other
    Thread {
      let own = try? its.checkpoint(.restart, wait: 60)
      result.withLock { $0 = own }
      isOver.signal()
    }.start()
    // It has the lock for checkpoints once another one does not get it.
    let third = try Connection(ConnectionSettings(path: file.path))
    #expect(
      try eventually { try third.checkpoint(.passive, wait: 0).obstacle == .checkpoint })
    #expect(file.checkpointer.report.completions == 0)
    try reader.run("COMMIT")
    isOver.wait()
    #expect(result.withLock { $0?.isComplete } == true)
    try file.commit(15)
    #expect(eventually { file.checkpointer.report.completions > 0 })
  }

  // MARK: Stopping

  @Test func stop_closesTheConnectionAndDoesNothingMore() throws {
    let file = try LogFile()
    try file.commit(15)
    #expect(eventually { file.checkpointer.report.completions > 0 })
    #expect(file.checkpointer.isConnected)
    file.checkpointer.stop()
    #expect(file.opened.withLock { $0.map(\.isOpen) } == [false])
    let before = file.checkpointer.report.completions
    try file.commit(30)
    Thread.sleep(forTimeInterval: 0.1)
    #expect(file.opened.withLock { $0.count } == 1)
    #expect(try file.checkpointer.checkpoint(.passive, wait: 0) == nil)
    file.checkpointer.start()
    try file.commit()
    #expect(eventually { file.checkpointer.report.completions > before })
    #expect(file.opened.withLock { $0.count } == 2 && file.checkpointer.isConnected)
  }

  @Test func stop_whileItWaitsForTheTurn_leavesTheLine() throws {
    let file = try LogFile { $0.bytes = 0 }
    let connection = try file.writers.take(.write, limit: 0)
    for _ in 0..<15 { try connection.run("INSERT INTO t VALUES (zeroblob(3000))") }
    #expect(eventually { file.writers.waiting == 1 })
    file.checkpointer.stop()
    file.writers.give(connection)
    // The turn is free: what stood in line for it gave it back.
    try file.commit()
    #expect(file.checkpointer.report.truncations == 0)
    #expect(file.writers.counts.lent == 0)
  }

  /// As a call whose task drops the database when it has ended.
  @Test func stop_byTheOneWhoGetsTheTurn_doesNotWaitForItself() throws {
    let file = try LogFile { $0.wait = 1_000 }
    let (checkpointer, writers) = (file.checkpointer, file.writers)
    let reader = try file.reader()
    try file.commit(15)
    #expect(eventually { writers.counts.lent == 1 })
    let isStopped = DispatchSemaphore(value: 0)
    writers.submit(
      Waiter(
        .write, limit: 60,
        wake: .job { outcome in
          checkpointer.stop()
          if case .success(let place) = outcome { writers.give(place) }
          isStopped.signal()
        }))
    try reader.run("COMMIT")
    #expect(isStopped.wait(timeout: .now() + 900) == .success)
    try file.commit()
  }

  @Test func stop_whileItWaitsForAReader_endsTheWait() throws {
    let file = try LogFile { $0.wait = 1_000 }
    let reader = try file.reader()
    try file.commit(15)
    #expect(eventually { file.writers.counts.lent == 1 })
    file.checkpointer.stop()
    #expect(file.opened.withLock { $0.map(\.isOpen) } == [false])
    #expect(eventually { file.writers.counts.lent == 0 })
    try reader.run("COMMIT")
  }

  @Test func stop_fromItsOwnListener_doesNotHang() throws {
    let file = try LogFile()
    let isStopped = Flag()
    let checkpointer = file.checkpointer
    file.checkpointer.setListener(
      Checkpointer.Listener(failure: { _ in
        checkpointer.stop()
        isStopped.set(true)
      }))
    file.refusals.withLock { $0 = 1 }
    try file.commit(15)
    #expect(eventually { isStopped.isSet })
    checkpointer.setListener(Checkpointer.Listener())
  }

  @Test func idle_connectionIsClosed() throws {
    let file = try LogFile { $0.idle = 0.02 }
    try file.commit(15)
    #expect(
      eventually { file.opened.withLock { $0.count } == 1 && !file.checkpointer.isConnected })
    try file.commit(15)
    #expect(eventually { file.checkpointer.report.completions > 1 })
    #expect(try file.rows == 30)
  }

  // MARK: The connection's side

  @Test func watchLog_attachedFile_isNotTakenForTheMainOne() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(ConnectionSettings(path: folder.path("x.sqlite")))
    let told = Mutex<[Int]>([])
    connection.watchLog { pages in told.withLock { $0.append(pages) } }
    try connection.run("ATTACH '\(folder.path("y.sqlite"))' AS other")
    _ = try connection.rows("PRAGMA other.journal_mode = wal")
    try connection.run("CREATE TABLE other.t (a)")
    for _ in 0..<600 { try connection.run("INSERT INTO other.t VALUES (zeroblob(3000))") }
    #expect(told.withLock { $0 } == [])
    // SQLite puts that one's log into its file after 1,000 pages.
    #expect(FileStamp.size(of: folder.path("y.sqlite")) > 200 * 4096)
    try connection.run("CREATE TABLE t (a)")
    #expect(told.withLock { $0.count } == 1)
  }

  @Test func connectionForCheckpoints_readsNoSchema() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.sqlite")
    let writer = try Connection(ConnectionSettings(path: path))
    try writer.run("CREATE TABLE t (a)")
    let log = Mutex<[String]>([])
    var settings = ConnectionSettings(path: path)
    settings.isForCheckpoints = true
    settings.mayCreate = false
    settings.statementLog = { sql in log.withLock { $0.append(sql) } }
    let other = try Connection(settings)
    let keying = ["PRAGMA cipher_version", "PRAGMA temp_store = MEMORY"]
    #expect(log.withLock { $0.filter { !keying.contains($0) } } == ["PRAGMA user_version"])
    let result = try other.checkpoint(.passive, wait: 0)
    #expect(result.pages > 0 && result.isComplete && result.obstacle == nil)
  }
}
