import Foundation
import Testing

@testable import XTLite

private struct Coin: XTModel {
  var pkid: Int64?
  var worth = 0

  init() {}
  init(_ worth: Int) { self.worth = worth }
}

/// Another program has the same file open. A connection of its own behaves as one.
@Suite struct OtherProgramTests {
  let test: TestDatabase
  let other: Connection
  var database: XTDatabase { test.database }
  private var coins: XTTable<Coin> { test.table(Coin.self) }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 600 }
    try test.table(Coin.self).insertList([Coin(1), Coin(2), Coin(3)])
    other = try Connection(ConnectionSettings(path: test.path))
  }

  func otherWrites() throws {
    try other.run("INSERT INTO Coin (worth) VALUES (50)")
  }

  var worths: [String] {
    get throws { try test.seen("SELECT worth FROM Coin ORDER BY worth") }
  }

  /// Runs `body` while the other program has begun something, and lets it end that after a moment.
  func whileOther(
    _ begin: String, _ end: String, on other: Connection? = nil, _ body: () throws -> Void
  ) throws {
    nonisolated(unsafe) let other = other ?? self.other
    try other.executeScript(begin)
    let (isOver, error) = (DispatchSemaphore(value: 0), Mutex<String?>(nil))
    Thread {
      Thread.sleep(forTimeInterval: 0.1)
      do {
        try other.executeScript(end)
      } catch let failure {
        error.withLock { $0 = "\(failure)" }
      }
      isOver.signal()
    }.start()
    defer {
      isOver.wait()
      #expect(error.withLock { $0 } == nil)
    }
    try body()
  }

  // MARK: A view that is out of date

  @Test(arguments: [
    "BEGIN", "begin transaction", "BEGIN DEFERRED", " /* a */ BEGIN -- b\n DEFERRED TRANSACTION ;",
  ])
  func begin_readsAndWritesThen_hasTheLockFromItsBeginning(_ begin: String) throws {
    try database.write {
      try database.execute(XTSQL(unsafe: begin))
      #expect(try coins.count() == 3)
      // The other one has to wait, instead of making what was read here out of date.
      other.busyLimit = 0
      #expect(throws: XTError.self) { try otherWrites() }
      try coins.insertList([Coin(4)])
      try database.execute("COMMIT")
    }
    other.busyLimit = nil
    try otherWrites()
    #expect(try worths == ["1", "2", "3", "4", "50"])
  }

  @Test func begin_otherProgramWrites_waits() throws {
    try whileOther("BEGIN IMMEDIATE; INSERT INTO Coin (worth) VALUES (50)", "COMMIT") {
      try database.execute(
        """
        BEGIN;
        SELECT count(*) FROM Coin;
        INSERT INTO Coin (worth) SELECT sum(worth) FROM Coin;
        COMMIT
        """)
    }
    #expect(try worths == ["1", "2", "3", "50", "56"])
  }

  @Test func savepoint_inPlainSQL_hasTheLockFromItsBeginning() throws {
    try database.write {
      try database.execute("SAVEPOINT a")
      #expect(try coins.count() == 3)
      other.busyLimit = 0
      #expect(throws: XTError.self) { try otherWrites() }
      try coins.insertList([Coin(4)])
      try database.execute("SAVEPOINT b; UPDATE Coin SET worth = 9; ROLLBACK TO b; RELEASE b")
      try database.execute("RELEASE a")
    }
    other.busyLimit = nil
    try otherWrites()
    #expect(try worths == ["1", "2", "3", "4", "50"])
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
  }

  @Test func savepoint_lockDoesNotCome_throwsLockedWithNothingOpen() throws {
    let hasty = try TestDatabase { $0.busyTimeout = 0.05 }
    try hasty.database.execute("CREATE TABLE t (a)")
    let its = try Connection(ConnectionSettings(path: hasty.path))
    try its.run("BEGIN IMMEDIATE")
    try hasty.database.write {
      for sql: XTSQL in ["SAVEPOINT a", "BEGIN"] {
        let error = try #require(throws: XTError.self) { try hasty.database.execute(sql) }
        #expect(error.kind == .locked)
      }
      let error = try #require(throws: XTError.self) {
        try hasty.database.anyFunc(sql: "SAVEPOINT a")
      }
      #expect(error.kind == .locked)
    }
    try its.run("COMMIT")
    try hasty.database.execute("INSERT INTO t VALUES (1)")
    #expect(try hasty.seen("SELECT a FROM t") == ["1"])
  }

  /// The statement that is refused is no loop over rows.
  @Test func write_lockDoesNotCome_theHintSpeaksOfTheOtherProgram() throws {
    try database.reconfigure { $0.busyTimeout = 0.05 }
    try other.run("BEGIN IMMEDIATE")
    let calls: [() throws -> Void] = [
      { _ = try coins.insertList([Coin(4)]) },
      { try database.execute("UPDATE Coin SET worth = 0") },
      { try database.transaction {} },
      { _ = try database.begin() },
    ]
    for call in calls {
      let error = try #require(throws: XTError.self) { try call() }
      #expect(error.kind == .locked)
      #expect(error.hint?.contains("another connection holds the file") == true)
    }
    try other.run("COMMIT")
  }

  @Test func loop_inAWriteBlock_writesWhileAnotherProgramDoes() throws {
    var seen: [Int] = []
    try database.write {
      try coins.forEach { coin in
        seen.append(coin.worth)
        try otherWrites()
        try coins.insertList([Coin(coin.worth + 10)])
        try coins.update(Coin(pkid: coin.pkid, worth: coin.worth + 100))
        try database.transaction { try database.execute("UPDATE Coin SET worth = worth + 1") }
      }
    }
    #expect(seen == [1, 2, 3])
    #expect(try worths.count == 9)
    #expect(database.core.readers.counts.lent == 0)
  }

  @Test func loop_inATransaction_keepsTheOtherProgramWaiting() throws {
    try database.transaction {
      try coins.forEach { coin in
        other.busyLimit = 0
        #expect(throws: XTError.self) { try otherWrites() }
        try coins.update(Coin(pkid: coin.pkid, worth: coin.worth + 100))
      }
    }
    #expect(try worths == ["101", "102", "103"])
  }

  @Test func loop_overATemporaryTableInAWriteBlock_seesIt() throws {
    try database.write {
      try database.execute(
        "CREATE TEMP TABLE Coin (pkid INTEGER PRIMARY KEY, worth, xt_isDel DEFAULT 0)")
      try database.execute("INSERT INTO temp.Coin (worth) VALUES (7)")
      var seen: [Int] = []
      try coins.forEach { seen.append($0.worth) }
      #expect(seen == [7])
      try database.execute("DROP TABLE temp.Coin")
    }
  }

  @Test func loop_noReaderIsFree_isRefusedWithAHintAtWorst() throws {
    let single = try TestDatabase {
      $0.busyTimeout = 600
      $0.maximumReaders = 1
    }
    let table = single.table(Coin.self)
    try table.insertList([Coin(1), Coin(2)])
    let its = try Connection(ConnectionSettings(path: single.path))
    try table.forEach { _ in
      try single.database.write {
        try table.forEach { coin in
          try its.run("INSERT INTO Coin (worth) VALUES (50)")
          let error = try #require(throws: XTError.self) { try table.insertList([Coin(9)]) }
          #expect(error.kind == .locked && error.extendedCode == 517)
          #expect(error.hint?.contains("transaction { }") == true)
        }
      }
    }
    try table.insertList([Coin(9)])
    #expect(try single.seen("PRAGMA integrity_check") == ["ok"])
  }

  // MARK: The busy limit

  @Test(arguments: [
    XTConfiguration.JournalMode.wal, .delete, .truncate, .persist,
  ])
  func transaction_otherProgramWrites_waitsInEveryJournalMode(
    _ mode: XTConfiguration.JournalMode
  ) throws {
    let test = try TestDatabase {
      $0.journalMode = mode
      $0.busyTimeout = 600
    }
    try test.database.execute("CREATE TABLE t (a)")
    var settings = ConnectionSettings(path: test.path)
    settings.journalMode = mode.rawValue
    let its = try Connection(settings)
    try whileOther("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)", "COMMIT", on: its) {
      try test.database.transaction { _ = try test.database.execute("INSERT INTO t VALUES (2)") }
    }
    try whileOther("BEGIN IMMEDIATE; INSERT INTO t VALUES (3)", "COMMIT", on: its) {
      try test.database.execute("INSERT INTO t VALUES (4)")
    }
    #expect(try test.seen("SELECT a FROM t") == ["1", "2", "3", "4"])
    // A reader is in the way of a commit, but for a log's.
    settings.isReader = true
    let reader = try Connection(settings)
    try whileOther("BEGIN; SELECT * FROM t", "COMMIT", on: reader) {
      try test.database.transaction { _ = try test.database.execute("INSERT INTO t VALUES (5)") }
    }
    try whileOther("BEGIN; SELECT * FROM t", "COMMIT", on: reader) {
      try test.database.execute("INSERT INTO t VALUES (6)")
    }
    // And one that commits is in the way of readers.
    try whileOther("BEGIN EXCLUSIVE; INSERT INTO t VALUES (7)", "COMMIT", on: its) {
      _ = try test.database.anyFunc(sql: "SELECT count(*) FROM t")
    }
    #expect(try test.seen("SELECT count(*) FROM t") == ["7"])
  }

  @Test func commit_readerStaysPastTheLimit_rollsBackAndThrowsLocked() throws {
    let test = try TestDatabase {
      $0.journalMode = .delete
      $0.busyTimeout = 0.05
    }
    try test.database.execute("CREATE TABLE t (a)")
    let its = try test.reader()
    try its.executeScript("BEGIN; SELECT * FROM sqlite_master")
    for _ in 0..<2 {
      let error = try #require(throws: XTError.self) {
        try test.database.transaction { try test.database.execute("INSERT INTO t VALUES (1)") }
      }
      #expect(error.kind == .locked && error.code == 5)
      #expect(throws: XTError.self) { try test.database.execute("INSERT INTO t VALUES (2)") }
    }
    try its.run("COMMIT")
    try test.database.execute("INSERT INTO t VALUES (3)")
    #expect(try test.seen("SELECT a FROM t") == ["3"])
  }

  @Test(arguments: [XTConfiguration.JournalMode.wal, .delete])
  func opening_fileIsLocked_waits(_ mode: XTConfiguration.JournalMode) throws {
    let folder = try TemporaryFolder()
    var settings = ConnectionSettings(path: folder.path("x.sqlite"))
    settings.journalMode = "delete"
    let its = try Connection(settings)
    try its.run("CREATE TABLE t (a)")
    var configuration = XTConfiguration()
    configuration.journalMode = mode
    configuration.busyTimeout = 600
    try whileOther("BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)", "COMMIT", on: its) {
      let opened = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
      #expect(try opened.anyFunc(sql: "SELECT a FROM t") == 1)
      try opened.close()
    }
    if mode == .wal { return }
    try its.executeScript("BEGIN EXCLUSIVE")
    configuration.busyTimeout = 0.05
    let error = try #require(throws: XTError.self) {
      try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
    }
    #expect(error.kind == .locked)
  }

  @Test func schema_changedByAnother_isReadAgainWithinTheLimit() throws {
    let test = try TestDatabase {
      $0.journalMode = .delete
      $0.busyTimeout = 600
    }
    try test.database.execute("CREATE TABLE t (a)")
    var settings = ConnectionSettings(path: test.path)
    settings.journalMode = "delete"
    let its = try Connection(settings)
    for number in 0..<5 {
      try whileOther("BEGIN EXCLUSIVE; CREATE TABLE t\(number) (a)", "COMMIT", on: its) {
        _ = try test.database.anyFunc(sql: "SELECT count(*) FROM t WHERE a = \(number)")
      }
      try test.database.execute(XTSQL(unsafe: "INSERT INTO t\(number) VALUES (1)"))
    }
  }

  // MARK: Many writes at once

  @Test func writers_ofTwoPrograms_loseNothing() throws {
    try database.execute("CREATE TABLE t (a)")
    let path = test.path
    let failure = Mutex<String?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    Thread {
      do {
        let its = try Connection(ConnectionSettings(path: path))
        for number in 0..<200 {
          try its.inTransaction {
            _ = try its.firstValue("SELECT count(*) FROM t")
            try its.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))])
          }
        }
      } catch {
        failure.withLock { $0 = "\(error)" }
      }
      isOver.signal()
    }.start()
    for number in 0..<200 {
      let number = 1_000 + number
      switch number % 4 {
      case 0:
        try database.execute("INSERT INTO t VALUES (\(number))")
      case 1:
        try database.transaction {
          _ = try database.anyFunc(sql: "SELECT count(*) FROM t")
          try database.execute("INSERT INTO t VALUES (\(number))")
        }
      case 2:
        try database.execute(
          "BEGIN; SELECT count(*) FROM t; INSERT INTO t VALUES (\(number)); COMMIT")
      default:
        try database.write {
          try database.execute("SAVEPOINT s; SELECT count(*) FROM t")
          try database.execute("INSERT INTO t VALUES (\(number)); RELEASE s")
        }
      }
    }
    isOver.wait()
    #expect(failure.withLock { $0 } == nil)
    #expect(try test.seen("SELECT count(*), count(DISTINCT a) FROM t") == ["400|400"])
  }
}

extension Coin {
  fileprivate init(pkid: Int64?, worth: Int) {
    self.pkid = pkid
    self.worth = worth
  }
}
