import Foundation
import Testing

@testable import XTLite

@Suite struct BlockTests {
  struct Failure: Error {}

  let folder: TemporaryFolder
  let database: XTDatabase

  init() throws {
    folder = try TemporaryFolder()
    var configuration = XTConfiguration()
    configuration.busyTimeout = 600
    configuration.label = "blocks"
    database = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
    try database.executeScript("CREATE TABLE t (a)")
  }

  func rows(of database: XTDatabase? = nil) throws -> [XTValue] {
    try (database ?? self.database).reading {
      try $0.rows("SELECT a FROM t ORDER BY a").map { $0[0] }
    }
  }

  func insert(_ value: XTValue) throws {
    try database.executeScript("INSERT INTO t VALUES (?)", [value])
  }

  // MARK: Transactions

  @Test func transaction_returns_commitsAndGivesTheValue() throws {
    let value = try database.transaction {
      try insert(1)
      return 5
    }
    #expect(value == 5)
    let other = try Connection(ConnectionSettings(path: database.path))
    #expect(try other.rows("SELECT a FROM t") == [[1]])
  }

  @Test func transaction_throws_rollsBackAndGivesTheSameError() throws {
    #expect(throws: Failure.self) {
      try database.transaction {
        try insert(1)
        throw Failure()
      }
    }
    #expect(try rows() == [])
  }

  @Test func transaction_insideATransaction_rollsBackOnItsOwn() throws {
    try database.transaction {
      try insert(1)
      #expect(throws: Failure.self) {
        try database.transaction {
          try insert(2)
          try database.savepoint { try insert(3) }
          throw Failure()
        }
      }
      try database.savepoint { try insert(4) }
    }
    #expect(try rows() == [1, 4])
  }

  @Test func rollback_insideABlock_undoesItWithoutAnError() throws {
    let value = try database.transaction {
      try insert(1)
      try database.rollback()
      return 3
    }
    #expect(value == 3)
    #expect(try rows() == [])
    try database.transaction {
      try insert(1)
      try database.savepoint {
        try insert(2)
        try database.rollback()
      }
    }
    #expect(try rows() == [1])
  }

  @Test func rollback_outsideABlock_throws() throws {
    #expect(throws: XTError.self) { try database.rollback() }
    try database.write {
      #expect(throws: XTError.self) { try database.rollback() }
    }
  }

  @Test func write_block_hasNoTransactionOfItsOwn() throws {
    #expect(throws: Failure.self) {
      try database.write {
        try insert(1)
        try database.executeScript("VACUUM")
        throw Failure()
      }
    }
    #expect(try rows() == [1])
  }

  @Test func write_transactionLeftOpen_isRolledBackAndTold() throws {
    let error = try #require(throws: XTError.self) {
      try database.write { try database.executeScript("BEGIN; INSERT INTO t VALUES (1)") }
    }
    #expect(error.hint?.contains("transaction { }") == true)
    #expect(throws: XTError.self) { try database.executeScript("BEGIN") }
    #expect(try rows() == [])
    try database.write {
      try database.executeScript("BEGIN; INSERT INTO t VALUES (2)")
      try database.executeScript("COMMIT")
    }
    #expect(try rows() == [2])
  }

  // MARK: Reading

  @Test func read_writesInside_throwReadOnlyWithAHint() throws {
    try database.read {
      let calls: [() throws -> Void] = [
        { try insert(1) }, { try database.write {} }, { try database.transaction {} },
        { try database.savepoint {} }, { try database.writing { _ in } },
        { try database.transacting { _ in } },
      ]
      for call in calls {
        let error = try #require(throws: XTError.self) { try call() }
        #expect(error.kind == .readOnly)
        #expect(error.hint?.contains("transaction { }") == true)
      }
      try database.read {}
    }
    try insert(1)
    #expect(try rows() == [1])
  }

  @Test func read_anotherProcessWrites_seesOneSnapshot() throws {
    let other = try Connection(ConnectionSettings(path: database.path))
    try database.read {
      #expect(try rows() == [])
      try other.run("INSERT INTO t VALUES (1)")
      #expect(try rows() == [])
    }
    #expect(try rows() == [1])
  }

  @Test func read_insideATransaction_seesItsWrites() throws {
    try database.transaction {
      try insert(1)
      let seen = try database.read { try rows() }
      #expect(seen == [1])
      try insert(2)
    }
    #expect(try rows() == [1, 2])
  }

  @Test func readOnly_database_readsAndRefusesToWrite() throws {
    try insert(1)
    try database.close()
    var configuration = XTConfiguration()
    configuration.readOnly = true
    let reader = try XTDatabase(path: folder.path("x.sqlite"), configuration: configuration)
    #expect(try reader.read { try rows(of: reader) } == [1])
    let calls: [() throws -> Void] = [
      { try reader.write {} }, { try reader.transaction {} },
      { try reader.executeScript("DELETE FROM t") }, { try reader.writing { _ in } },
    ]
    for call in calls {
      let error = try #require(throws: XTError.self) { try call() }
      #expect(error.kind == .readOnly)
    }
    #expect(try rows(of: reader) == [1])
  }

  // MARK: Several databases

  @Test func current_blocksOfTwoDatabases_isTheInnermost() throws {
    let other = try XTDatabase.inMemory()
    try other.executeScript("CREATE TABLE t (a)")
    try database.transaction {
      try insert(1)
      #expect(try XTDatabase.current() === database)
      try other.transaction {
        #expect(try XTDatabase.current() === other)
        try other.executeScript("INSERT INTO t VALUES (7)")
        try insert(2)
        try database.transaction {
          #expect(try XTDatabase.current() === database)
          try insert(3)
        }
        let isOther = try other.asCurrent { try XTDatabase.current() === other }
        #expect(isOther)
        #expect(try rows() == [1, 2, 3])
        try database.rollback()
      }
      #expect(try XTDatabase.current() === database)
    }
    #expect(try rows() == [])
    #expect(try rows(of: other) == [7])
  }

  @Test func asCurrent_throws_isGoneAfterwards() throws {
    #expect(throws: Failure.self) {
      try database.asCurrent {
        #expect(try XTDatabase.current() === database)
        try insert(1)
        throw Failure()
      }
    }
    #expect(AccessStack.current.isEmpty)
    #expect(try rows() == [1])
  }

  @Test func nestedBlocks_veryDeep_work() throws {
    func nest(_ depth: Int) throws {
      try insert(.integer(Int64(depth)))
      guard depth < 100 else { throw Failure() }
      try database.transaction { try database.asCurrent { try nest(depth + 1) } }
    }
    #expect(throws: Failure.self) { try nest(0) }
    #expect(try rows() == [0])
    #expect(AccessStack.current.isEmpty)
  }

  // MARK: Threads

  @Test func transaction_eightThreads_loseNothing() throws {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<100 {
        do {
          try database.transaction { try insert(.integer(Int64(thread * 1000 + number))) }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try rows().count == 800)
  }

  @Test func block_waitsForItself_endsWithLockedThatNamesTheHolder() throws {
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.1
    configuration.label = "blocks"
    let database = try XTDatabase(path: folder.path("y.sqlite"), configuration: configuration)
    let result = Mutex<XTError?>(nil)
    try database.transaction {
      let done = DispatchSemaphore(value: 0)
      Thread {
        do { try database.write {} } catch { result.withLock { $0 = error as? XTError } }
        done.signal()
      }.start()
      done.wait()
    }
    let error = try #require(result.withLock { $0 })
    #expect(error.kind == .locked)
    #expect(error.message.contains("blocks"))
    #expect(error.message.contains("a transaction { } block"))
    try database.write {}
  }

  @Test func twoDatabases_takenInOppositeOrder_endWithLocked() throws {
    var configuration = XTConfiguration()
    configuration.busyTimeout = 0.2
    let database = try XTDatabase(path: folder.path("y.sqlite"), configuration: configuration)
    let other = try XTDatabase(path: folder.path("z.sqlite"), configuration: configuration)
    let failures = Mutex(0)
    let order = [(database, other), (other, database)]
    let holding = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let done = DispatchSemaphore(value: 0)
    for index in 0..<2 {
      Thread {
        try? order[index].0.transaction {
          holding[index].signal()
          holding[1 - index].wait()
          do {
            try order[index].1.transaction {}
          } catch {
            failures.withLock { $0 += 1 }
            throw error
          }
        }
        done.signal()
      }.start()
    }
    done.wait()
    done.wait()
    #expect(failures.withLock { $0 } >= 1)
    try database.transaction { try other.transaction {} }
  }

  @Test func deferredReadThenWrite_anotherConnectionWrote_isNoImmediateLock() throws {
    let other = try Connection(ConnectionSettings(path: database.path))
    for number in 0..<50 {
      try database.transaction {
        _ = try rows()
        try insert(.integer(Int64(number)))
      }
      try other.run("INSERT INTO t VALUES (-1)")
    }
    #expect(try rows().count == 100)
  }
}
