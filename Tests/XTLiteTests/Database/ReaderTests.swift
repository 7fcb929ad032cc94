import Foundation
import Testing

@testable import XTLite

private final class Drop: XTModel {
  var pkid: Int64?
  var size: Int

  init() { size = 0 }
  init(size: Int) { self.size = size }
}

/// The same table in a later version of the program.
private final class WiderDrop: XTModel {
  var pkid: Int64?
  var size: Int
  var color: String

  init() { (size, color) = (0, "clear") }
  init(size: Int, color: String) { (self.size, self.color) = (size, color) }

  static var xt_tableName: String { "Drop" }
}

/// Readers beside the writer.
@Suite struct ReaderTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }
  private var drops: XTTable<Drop> { test.table(Drop.self) }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 600 }
    try drops.insertList([Drop(size: 1), Drop(size: 2)])
  }

  // MARK: Neither waits for the other

  @Test func read_besideAnOpenTransaction_seesWhatIsCommitted() throws {
    let (drops, database) = (drops, database)
    try database.transaction {
      try drops.insert(Drop(size: 3))
      #expect(try drops.count() == 3)
      // The other thread waits for nobody, or it would wait for this block for ever.
      #expect(try elsewhere { try drops.count() } == 2)
      #expect(try elsewhere { try database.read { try drops.sum(of: \.size) } } == 3)
    }
    #expect(try elsewhere { try drops.count() } == 3)
  }

  @Test func write_besideAnOpenReadBlock_waitsForNobodyAndIsNotSeenInIt() throws {
    let drops = drops
    try database.read {
      let pkid = try elsewhere { try drops.insert(Drop(size: 3)) }
      #expect(try pkid == 3 && drops.count() == 2)
      #expect(try drops.find(pkid: 3) == nil)
    }
    #expect(try drops.count() == 3)
  }

  @Test func read_beginsItsSnapshotAtOnce() throws {
    let drops = drops
    try database.read {
      try elsewhere { _ = try drops.deleteAll() }
      #expect(try drops.count() == 2)
    }
    #expect(try drops.count() == 0)
  }

  @Test func asyncReads_runBesideOneAnotherAndAnOpenTransaction() async throws {
    let (drops, database) = (drops, database)
    let bothInside = Mutex(0)
    func rendezvous() {
      bothInside.withLock { $0 += 1 }
      while bothInside.withLock({ $0 }) < 3 { Thread.sleep(forTimeInterval: 0.001) }
    }
    async let first = database.read {
      rendezvous()
      return try drops.count()
    }
    async let second = database.read {
      rendezvous()
      return try drops.count()
    }
    try await database.transaction {
      try drops.insert(Drop(size: 9))
      rendezvous()
    }
    let counts = try await [first, second]
    #expect(counts.allSatisfy { $0 == 2 || $0 == 3 })
  }

  @Test func find_alone_takesNoTransaction() throws {
    _ = try drops.find(pkid: 1)
    let statements = try test.statements { _ = try drops.find(pkid: 1) }
    #expect(statements.count == 1 && statements[0].hasPrefix("SELECT"))
  }

  // MARK: One call inside another

  @Test func readInRead_isOneSnapshot() throws {
    let drops = drops
    try database.read {
      #expect(try drops.count() == 2)
      try elsewhere { _ = try drops.insert(Drop()) }
      let count = try database.read { try drops.count() }
      #expect(count == 2)
    }
  }

  @Test func readInTransaction_seesItsWritesAndRefusesMore() throws {
    let drops = drops
    try database.transaction {
      try drops.insert(Drop(size: 3))
      try database.read {
        let count = try drops.count()
        #expect(count == 3)
        let error = #expect(throws: XTError.self) { try drops.insert(Drop()) }
        #expect(error?.kind == .readOnly)
      }
      try drops.insert(Drop(size: 4))
    }
    #expect(try drops.count() == 4)
  }

  @Test func writeInRead_throwsReadOnlyWhateverItIs() throws {
    let (drops, database) = (drops, database)
    let writes: [@Sendable () throws -> Void] = [
      { try drops.insert(Drop()) }, { try drops.deleteAll() },
      { try database.write {} }, { try database.transaction {} }, { try database.savepoint {} },
      { try database.execute("DELETE FROM `Drop`") },
      { _ = try database.anyFunc(sql: "DELETE FROM `Drop`") },
    ]
    for write in writes {
      let error = #expect(throws: XTError.self) { try database.read { try write() } }
      #expect(error?.kind == .readOnly)
      #expect(error?.hint?.contains("transaction") == true)
    }
    #expect(try drops.count() == 2)
  }

  @Test func writeInARowsCallback_goesToTheWriter() throws {
    let (drops, database) = (drops, database)
    var seen: [Int] = []
    try drops.forEach(orderBy: .asc(\.pkid)) { drop in
      seen.append(drop.size)
      drop.size += 10
      try drops.update(drop)
      try database.transaction {
        try drops.insert(Drop(size: 100))
        // On the transaction's own connection, not on the loop's.
        #expect(try drops.count(where: \.size == 100) == seen.count)
      }
    }
    #expect(seen == [1, 2])
    #expect(try drops.select(\.size, orderBy: .asc(\.pkid)) == [11, 12, 100, 100])
  }

  @Test func writeInARowsCallbackInsideRead_throwsReadOnly() throws {
    let (drops, database) = (drops, database)
    let error = #expect(throws: XTError.self) {
      try database.read { try drops.forEach { try drops.update($0) } }
    }
    #expect(error?.kind == .readOnly)
  }

  // MARK: The schema

  @Test func columnAddedInAnOpenTransaction_isNotThereForReaders() throws {
    let (drops, wider) = (drops, test.table(WiderDrop.self))
    #expect(try wider.findAll().map(\.color) == ["clear", "clear"])
    try database.transaction {
      try wider.insert(WiderDrop(size: 3, color: "red"))
      #expect(try wider.find(pkid: 3)?.color == "red")
      #expect(try elsewhere { try wider.count(where: \.color == "clear") } == 2)
      #expect(try elsewhere { try drops.count() } == 2)
    }
    #expect(try wider.findAll().map(\.color) == ["clear", "clear", "red"])
    #expect(try elsewhere { try wider.count(where: \.color == "red") } == 1)
  }

  @Test func tableDroppedAndMadeAgain_isSeenByReaders() throws {
    #expect(try drops.count() == 2)
    try drops.drop()
    #expect(try drops.count() == 0)
    #expect(try drops.findAll().isEmpty)
    try drops.insert(Drop(size: 7))
    #expect(try drops.findFirst()?.size == 7)
  }

  // MARK: What belongs to one connection

  @Test func sqlAboutTheWriter_isAnsweredByTheWriter() throws {
    try drops.insert(Drop())
    #expect(try database.anyFunc(sql: "SELECT last_insert_rowid()") == 3)
    try database.execute("UPDATE `Drop` SET `size` = 5")
    #expect(try database.anyFunc(sql: "SELECT changes()") == 3)
    try database.execute("CREATE TEMP TABLE `Scratch` AS SELECT 42 AS `x`")
    #expect(try database.anyFunc(sql: "SELECT `x` FROM `Scratch`") == 42)
    try database.execute("ATTACH ':memory:' AS `aside`; CREATE TABLE `aside`.`t` (`x`)")
    #expect(try database.anyFunc(sql: "SELECT count(*) FROM `aside`.`t`") == 0)
    try database.anyFunc(sql: "PRAGMA user_version = 12")
    #expect(try database.anyFunc(sql: "PRAGMA user_version") == 12)
    let error = #expect(throws: XTError.self) {
      try database.anyFunc(sql: "SELECT 1 FROM `nowhere`")
    }
    #expect(error?.kind == .schema)
  }

  // MARK: How many

  @Test func readers_areOpenedWhenNeededAndKept() throws {
    let (drops, database) = (drops, database)
    #expect(database.core.readers.counts.open <= 1)
    for _ in 0..<20 { _ = try drops.count() }
    #expect(database.core.readers.counts.open == 1)
    try database.read {
      try elsewhere { try database.read { _ = try drops.count() } }
    }
    #expect(database.core.readers.counts.open == 2)
    #expect(database.core.readers.counts.idle == 2)
  }

  @Test func moreReadersThanThereAre_waitAndThenThrowLocked() throws {
    let test = try TestDatabase {
      $0.maximumReaders = 1
      $0.busyTimeout = 0.05
      $0.label = "crowded"
    }
    let database = test.database
    try database.read {
      let error = #expect(throws: XTError.self) {
        try elsewhere { _ = try database.read {} }
      }
      #expect(error?.kind == .locked)
      #expect(error?.message.contains("a read { } block") == true)
    }
    try database.read {}
    #expect(database.core.readers.counts.open == 1)
  }

  @Test(arguments: [XTConfiguration.JournalMode.delete, .truncate, .persist, .memory])
  func otherJournals_readWithTheWriter(mode: XTConfiguration.JournalMode) throws {
    let test = try TestDatabase { $0.journalMode = mode }
    let drops = test.table(Drop.self)
    try drops.insert(Drop(size: 1))
    #expect(test.database.core.readers === test.database.core.writers)
    try drops.forEach { try drops.update($0) }
    #expect(try drops.count() == 1)
  }
}
