import Foundation
import Testing

@testable import XTLite

private struct Coin: XTModel {
  var pkid: Int64?
  var worth = 0
}

/// Another with a table that no test has made before its transaction.
private struct Note: XTModel {
  var text = ""
}

@Suite struct XTTransactionTests {
  struct Failure: Error {}

  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase {
      $0.busyTimeout = 0.2
      $0.label = "purse"
    }
    try test.table(Coin.self).insertList([Coin(worth: 1)])
  }

  /// What another program finds in the file.
  var worths: [String] {
    get throws { try test.seen("SELECT worth FROM Coin ORDER BY worth") }
  }

  func expectEnded(
    _ transaction: XTTransaction, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!transaction.isOpen, sourceLocation: sourceLocation)
    let calls: [() throws -> Void] = [
      { _ = try transaction.table(Coin.self).count() },
      { _ = try transaction.table(Coin.self).insertList([Coin()]) },
      { try transaction.execute("DELETE FROM Coin") },
      { try transaction.savepoint {} }, { try transaction.read {} },
      { try transaction.asCurrent {} },
      { try transaction.commit() }, { try transaction.rollback() },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self, sourceLocation: sourceLocation) { try call() }
      #expect(error?.kind == .closed, sourceLocation: sourceLocation)
      #expect(error?.message == "the transaction has ended", sourceLocation: sourceLocation)
    }
  }

  // MARK: Ends

  @Test func commit_writesAllOfIt() throws {
    let transaction = try database.begin()
    #expect(transaction.isOpen)
    try transaction.table(Coin.self).insertList([Coin(worth: 2)])
    try transaction.execute("UPDATE Coin SET worth = worth * 10")
    try transaction.savepoint { try Coin.xt_insertList([Coin(worth: 3)]) }
    try transaction.asCurrent { try Coin.xt_insertList([Coin(worth: 4)]) }
    #expect(try transaction.table(Coin.self).sum(of: \.worth) == 37)
    #expect(try worths == ["1"])
    try transaction.commit()
    #expect(try worths == ["3", "4", "10", "20"])
    expectEnded(transaction)
    expectClean(database)
  }

  @Test(arguments: [true, false])
  func commit_fileIsGone_throwsOpenAndRollsBack(isReplaced: Bool) throws {
    let transaction = try database.begin()
    try transaction.table(Coin.self).insertList([Coin(worth: 2)])
    let aside = test.path + ".aside"
    #expect(rename(test.path, aside) == 0)
    if isReplaced { try Data().write(to: URL(fileURLWithPath: test.path)) }
    let error = #expect(throws: XTError.self) { try transaction.commit() }
    #expect(error?.kind == .open)
    #expect(error?.path == test.path)
    expectEnded(transaction)
    try database.close()
    #expect(try XTDatabase(path: aside).table(Coin.self).count() == 1)
  }

  @Test func rollback_writesNothingOfIt() throws {
    let transaction = try database.begin()
    try transaction.table(Note.self).insertList([Note(text: "x")])
    try transaction.table(Coin.self).deleteAll()
    try transaction.rollback()
    expectEnded(transaction)
    #expect(try worths == ["1"])
    #expect(try test.tables().contains("Note") == false)
    // What it had created is forgotten.
    try test.table(Note.self).insertList([Note(text: "y")])
    #expect(try test.seen("SELECT text FROM Note") == ["y"])
    expectClean(database)
  }

  @Test func drop_rollsBackAndGivesTheWriterBack() throws {
    try elsewhere { [database] in
      let transaction = try database.begin()
      try transaction.table(Coin.self).deleteAll()
    }
    expectClean(database)
    try test.table(Coin.self).insertList([Coin(worth: 2)])
    #expect(try worths == ["1", "2"])
  }

  @Test func drop_whileATableOfItIsThere_waitsForThat() throws {
    var coins: XTTable<Coin>? = try database.begin().table(Coin.self)
    try coins?.insertList([Coin(worth: 2)])
    #expect(try coins?.count() == 2)
    coins = nil
    expectClean(database)
    #expect(try worths == ["1"])
  }

  @Test func drop_keepsTheDatabaseOpenUntilThen() throws {
    let path = test.path + "2"
    weak var core: DatabaseCore?
    var transaction: XTTransaction?
    do {
      let database = try XTDatabase(path: path)
      core = database.core
      transaction = try database.begin()
    }
    #expect(core != nil)
    try transaction?.execute("CREATE TABLE t (a)")
    try transaction?.commit()
    #expect(core != nil)
    transaction = nil
    #expect(core == nil)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    let again = try XTDatabase(path: path)
    #expect(try again.anyFunc(sql: "SELECT count(*) FROM t") == 0)
  }

  @Test func begin_inMemoryAndWithAJournal_works() throws {
    let test = try TestDatabase { $0.journalMode = .delete }
    for database in [try XTDatabase.inMemory(), test.database] {
      let transaction = try database.begin()
      try transaction.table(Coin.self).insertList([Coin(worth: 2)])
      #expect(try transaction.read { try transaction.table(Coin.self).count() } == 1)
      try transaction.commit()
      let dropped = try database.begin()
      try dropped.table(Coin.self).insertList([Coin(worth: 2)])
      try dropped.rollback()
      #expect(try database.table(Coin.self).count() == 1)
      expectClean(database)
    }
  }

  // MARK: Parts of it

  @Test func savepoint_throwsOrIsRolledBack_undoesItselfAlone() throws {
    let transaction = try database.begin()
    let coins = transaction.table(Coin.self)
    try coins.insertList([Coin(worth: 2)])
    #expect(throws: Failure.self) {
      try transaction.savepoint {
        try coins.insertList([Coin(worth: 3)])
        throw Failure()
      }
    }
    let value = try transaction.savepoint {
      try coins.insertList([Coin(worth: 4)])
      try coins.database.rollback()
      return 7
    }
    #expect(value == 7)
    try transaction.commit()
    #expect(try worths == ["1", "2"])
  }

  @Test func rollbackOfABlock_whereNoBlockIs_throws() throws {
    let transaction = try database.begin()
    let coins = transaction.table(Coin.self)
    #expect(throws: XTError.self) { try coins.database.rollback() }
    try coins.forEach(where: \.worth > 0) { _ in
      #expect(throws: XTError.self) { try coins.database.rollback() }
    }
    try coins.insertList([Coin(worth: 2)])
    try transaction.commit()
    #expect(try worths == ["1", "2"])
  }

  @Test func read_writesInside_throwReadOnly() throws {
    let transaction = try database.begin()
    try transaction.table(Coin.self).insertList([Coin(worth: 2)])
    try transaction.read {
      let count = try Coin.xt_count()
      #expect(count == 2)
      let error = #expect(throws: XTError.self) { try Coin.xt_deleteAll() }
      #expect(error?.kind == .readOnly)
    }
    try transaction.commit()
    #expect(try worths == ["1", "2"])
  }

  @Test func transactionControl_asText_isRefused() throws {
    let transaction = try database.begin()
    for sql in ["COMMIT", "ROLLBACK", "BEGIN"] as [XTSQL] {
      let error = #expect(throws: XTError.self) { try transaction.execute(sql) }
      #expect(error?.message.contains("commit() or rollback()") == true)
    }
    try transaction.execute("INSERT INTO Coin (worth) VALUES (2)")
    try transaction.commit()
    #expect(try worths == ["1", "2"])
  }

  @Test func rowCallback_otherVerbsOfIt_runInIt() throws {
    let transaction = try database.begin()
    let coins = transaction.table(Coin.self)
    try coins.forEach(where: \.worth > 0) { coin in
      try transaction.table(Note.self).insertList([Note(text: "\(coin.worth)")])
      #expect(try transaction.table(Note.self).count() == 1)
      for end in [transaction.commit, transaction.rollback] {
        let error = #expect(throws: XTError.self) { try end() }
        #expect(error?.kind == .locked)
      }
    }
    #expect(transaction.isOpen)
    try transaction.savepoint {
      #expect(throws: XTError.self) { try transaction.commit() }
    }
    try transaction.asCurrent { try transaction.commit() }
    #expect(try test.seen("SELECT text FROM Note") == ["1"])
    expectClean(database)
  }

  // MARK: Beside it

  @Test func databaseBeside_readsWhatIsCommittedAndWaitsToWrite() throws {
    let transaction = try database.begin()
    try transaction.table(Coin.self).insertList([Coin(worth: 2)])
    let coins = test.table(Coin.self)
    #expect(try coins.count() == 1)
    #expect(try database.read { try coins.sum(of: \.worth) } == 1)
    let writes: [() throws -> Void] = [
      { try coins.insertList([Coin()]) }, { try database.write {} },
      { try database.transaction {} }, { _ = try database.begin() },
    ]
    for write in writes {
      let error = #expect(throws: XTError.self) { try write() }
      #expect(error?.kind == .locked)
      #expect(error?.message.contains("purse, which a transaction of begin() holds") == true)
      #expect(error?.hint?.contains("commit it") == true)
    }
    try transaction.commit()
    #expect(try coins.count() == 2)
  }

  @Test func databaseInsideItsBlocks_joinsIt() throws {
    let transaction = try database.begin()
    let coins = test.table(Coin.self)
    try transaction.asCurrent {
      try database.transaction { try coins.insertList([Coin(worth: 2)]) }
      #expect(try coins.count() == 2)
      try? database.transaction {
        try coins.insertList([Coin(worth: 3)])
        throw Failure()
      }
    }
    try transaction.savepoint {
      try database.savepoint { try coins.insertList([Coin(worth: 4)]) }
      // A closure inside of #expect inside of a closure is taken for another one by the compiler.
      let count = try database.read { try coins.count() }
      #expect(count == 3)
    }
    #expect(try coins.count() == 1)
    try transaction.commit()
    #expect(try worths == ["1", "2", "4"])
  }

  @Test func itsCalls_insideCallsOfTheDatabase_stayItsOwn() throws {
    let transaction = try database.begin()
    let (mine, coins) = (transaction.table(Coin.self), test.table(Coin.self))
    try mine.insertList([Coin(worth: 2)])
    try coins.forEach(where: \.worth > 0) { coin in
      #expect(coin.worth == 1)
      #expect(try mine.count() == 2)
      try mine.updateAll(.add(\.worth, 1))
    }
    try database.read {
      #expect(try coins.sum(of: \.worth) == 1)
      #expect(try mine.sum(of: \.worth) == 5)
      try mine.insertList([Coin(worth: 9)])
      try transaction.asCurrent {
        let counts = try [coins.count(), Coin.xt_count()]
        #expect(counts == [3, 3])
      }
      #expect(try coins.count() == 1)
    }
    try transaction.commit()
    #expect(try worths == ["2", "3", "9"])
    expectClean(database)
  }

  @Test func begin_whereItWouldWaitForItself_throws() throws {
    func expectThrow(
      _ kind: XTError.Kind, _ body: () throws -> Void,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: XTError.self, sourceLocation: sourceLocation) { try body() }
      #expect(error?.kind == kind, sourceLocation: sourceLocation)
      #expect(
        error?.message.contains("waited") == false && error?.hint != nil,
        sourceLocation: sourceLocation)
    }
    let database = database
    try database.transaction { expectThrow(.locked) { _ = try database.begin() } }
    try database.write { expectThrow(.locked) { _ = try database.begin() } }
    try database.read { expectThrow(.readOnly) { _ = try database.begin() } }
    let transaction = try database.begin()
    try transaction.asCurrent { expectThrow(.locked) { _ = try database.begin() } }
    try transaction.savepoint { expectThrow(.locked) { _ = try database.begin() } }
    let inner = transaction.table(Coin.self).database
    expectThrow(.locked) { _ = try inner.begin() }
    try transaction.rollback()
    try test.table(Coin.self).forEach(where: \.worth > 0) { _ in
      try database.begin().commit()
    }
    try database.write {
      try test.table(Coin.self).forEach(where: \.worth > 0) { _ in
        expectThrow(.locked) { _ = try database.begin() }
      }
    }
    var configuration = XTConfiguration()
    configuration.readOnly = true
    try database.close()
    let reader = try XTDatabase(path: test.path, configuration: configuration)
    expectThrow(.readOnly) { _ = try reader.begin() }
    try reader.close()
    expectThrow(.closed) { _ = try reader.begin() }
  }

  @Test func close_whileItIsOpen_waitsAndThrowsLocked() throws {
    let transaction = try database.begin()
    let error = #expect(throws: XTError.self) { try database.close() }
    #expect(error?.kind == .locked)
    #expect(error?.message.contains("a transaction of begin()") == true)
    #expect(database.isOpen)
    let inner = transaction.table(Coin.self).database
    let refusal = #expect(throws: XTError.self) { try inner.close() }
    #expect(refusal?.hint == "commit it or roll it back")
    for call in [
      { try inner.suspend() }, { try inner.removeFiles() }, { try inner.moveFiles(to: "x") },
      { try inner.whileClosed { _ in } },
      { try inner.upgrade(Coin.self, add: [\Coin.worth], version: 1) },
    ] as [() throws -> Void] {
      #expect(throws: XTError.self) { try call() }
    }
    try transaction.execute("INSERT INTO Coin (worth) VALUES (2)")
    try transaction.commit()
    try inner.close()
    try database.close()
    #expect(try worths == ["1", "2"])
  }

  @Test func reconfigure_whileItIsOpen_itGoesOnAsItBegan() throws {
    try database.reconfigure { $0.add(XTFunction("upper", arguments: 1) { _ in .integer(7) }) }
    let transaction = try database.begin()
    try transaction.execute("INSERT INTO Coin (worth) VALUES (upper('x'))")
    // SQLite's own one comes back with a new connection only.
    try database.reconfigure {
      _ = $0.removeFunction("upper")
      $0.synchronous = .full
    }
    try transaction.execute("INSERT INTO Coin (worth) VALUES (upper('x') + 1)")
    try transaction.commit()
    #expect(try worths == ["1", "7", "8"])
    #expect(try database.anyFunc(sql: "SELECT upper('x')") == "X")
    try database.write {
      let synchronous = try database.anyFunc(sql: "PRAGMA synchronous")
      #expect(synchronous == 2)
    }
    expectClean(database)
  }

  @Test func secondValueOnTheFile_itsOwnTransactions_shareTheWriter() throws {
    let other = try XTDatabase(path: test.path, configuration: database.configuration)
    let transaction = try other.begin()
    #expect(throws: XTError.self) { try database.write {} }
    try transaction.execute("INSERT INTO Coin (worth) VALUES (2)")
    // The last reference to that value is the transaction's.
    try transaction.commit()
    #expect(try worths == ["1", "2"])
    expectClean(database)
  }
}

extension SharedDatabaseTests {
  @Suite struct TransactionAsShared {
    @Test func configure_withATransaction_isRefused() throws {
      let database = try XTDatabase.inMemory()
      let inner = try database.begin().table(Coin.self).database
      #expect(throws: XTError.self) { try XTDatabase.configure(inner) }
    }
  }
}
