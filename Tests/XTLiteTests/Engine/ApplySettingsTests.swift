import Foundation
import Testing

@testable import XTLite

@Suite struct ApplySettingsTests {
  let log = Mutex<[String]>([])
  var settings = ConnectionSettings()

  init() {
    settings.statementLog = { [log] sql in log.withLock { $0.append(sql) } }
    settings.foreignKeys = true
  }

  func takeLog() -> [String] {
    log.withLock { list in
      defer { list = [] }
      return list
    }
  }

  @Test func apply_theSameSettings_runsNothing() throws {
    let connection = try Connection(settings)
    _ = takeLog()
    try connection.apply(settings)
    #expect(takeLog() == [])
  }

  @Test func apply_whatDiffers_runsItAlone() throws {
    let connection = try Connection(settings)
    _ = takeLog()
    var wanted = settings
    wanted.foreignKeys = false
    wanted.busyTimeout = 1
    wanted.generation = 7
    try connection.apply(wanted)
    #expect(takeLog() == ["PRAGMA foreign_keys = 0"])
    #expect(connection.settings.busyTimeout == 1 && connection.generation == 7)
    wanted.synchronous = "full"
    try connection.apply(wanted)
    #expect(takeLog() == ["PRAGMA synchronous = full"])
    #expect(try connection.firstValue("PRAGMA synchronous") == 2)
  }

  @Test func apply_noCacheSizeAfterOne_restoresSQLitesOwn() throws {
    let plain = try Connection(ConnectionSettings())
    let own = try plain.firstValue("PRAGMA cache_size")
    var wanted = settings
    wanted.cacheSize = -100
    let connection = try Connection(wanted)
    #expect(try connection.firstValue("PRAGMA cache_size") == -100)
    wanted.cacheSize = nil
    try connection.apply(wanted)
    #expect(try connection.firstValue("PRAGMA cache_size") == own)
  }

  @Test func apply_noMappedSizeAfterOne_restoresSQLitesOwn() throws {
    let folder = try TemporaryFolder()
    var wanted = settings
    wanted.path = folder.path("x.sqlite")
    let own = try Connection(wanted).firstValue("PRAGMA mmap_size")
    wanted.mappedSize = 1 << 24
    let connection = try Connection(wanted)
    #expect(try connection.firstValue("PRAGMA mmap_size") == 16_777_216)
    wanted.mappedSize = nil
    try connection.apply(wanted)
    #expect(try connection.firstValue("PRAGMA mmap_size") == own)
  }

  @Test func apply_statementLogSetAndCleared_isFollowed() throws {
    let connection = try Connection(ConnectionSettings())
    try connection.apply(settings)
    try connection.run("SELECT 1")
    #expect(takeLog() == ["SELECT 1"])
    try connection.apply(ConnectionSettings())
    try connection.run("SELECT 2")
    #expect(takeLog() == [])
  }

  @Test func apply_functionsAddedReplacedRemoved_areFollowedByKeptStatements() throws {
    func constant(_ value: XTValue) -> XTFunction { XTFunction("f", arguments: 0) { _ in value } }
    let connection = try Connection(settings)
    var wanted = settings
    wanted.functions = [constant(1)]
    try connection.apply(wanted)
    #expect(try connection.firstValue("SELECT f()") == 1)
    wanted.functions = [constant(2)]
    try connection.apply(wanted)
    #expect(try connection.firstValue("SELECT f()") == 2)
    wanted.functions = []
    try connection.apply(wanted)
    #expect(throws: XTError.self) { try connection.firstValue("SELECT f()") }
    #expect(connection.settings.functions.isEmpty)
    wanted.functions = [constant(3)]
    try connection.apply(wanted)
    #expect(try connection.firstValue("SELECT f()") == 3)
  }

  @Test func apply_collationsAddedReplacedRemoved_areFollowedByKeptStatements() throws {
    let connection = try Connection(settings)
    let sql = "SELECT 'a' < 'b' COLLATE mine"
    func order(_ result: ComparisonResult) -> XTCollation {
      XTCollation("mine") { _, _ in result }
    }
    var wanted = settings
    for (result, value) in [
      (ComparisonResult.orderedAscending, 1), (.orderedDescending, 0), (.orderedSame, 0),
    ] as [(ComparisonResult, XTValue)] {
      wanted.collations = [order(result)]
      try connection.apply(wanted)
      #expect(try connection.firstValue(sql) == value)
    }
    wanted.collations = []
    try connection.apply(wanted)
    #expect(throws: XTError.self) { try connection.firstValue(sql) }
  }

  @Test func apply_setUps_runOnceInTheirOrder() throws {
    let ran = Mutex<[String]>([])
    func setUp(_ name: String, _ mark: String) -> XTSetUp {
      XTSetUp(name) { _ in ran.withLock { $0.append(mark) } }
    }
    var wanted = settings
    wanted.setUps = [setUp("b", "b1"), setUp("a", "a1")]
    let connection = try Connection(wanted)
    try connection.apply(wanted)
    #expect(ran.withLock { $0 } == ["b1", "a1"])
    wanted.setUps = [setUp("b", "b2"), wanted.setUps[1], setUp("c", "c1")]
    try connection.apply(wanted)
    #expect(ran.withLock { $0 } == ["b1", "a1", "b2", "c1"])
    wanted.setUps.removeFirst()
    try connection.apply(wanted)
    #expect(ran.withLock { $0 }.count == 4)
  }

  @Test func apply_setUpThrows_goesOnFromThereTheNextTime() throws {
    struct Failure: Error, CustomStringConvertible { let description = "not yet" }
    let isReady = Flag()
    let ran = Mutex(0)
    var wanted = settings
    wanted.setUps = [
      XTSetUp("first") { _ in ran.withLock { $0 += 1 } },
      XTSetUp("second") { connection in
        try connection.execute("BEGIN")
        if !isReady.isSet { throw Failure() }
        try connection.execute("COMMIT")
      },
    ]
    wanted.generation = 1
    let connection = try Connection(settings)
    let error = try #require(throws: XTError.self) { try connection.apply(wanted) }
    #expect(error.message == "the set-up second failed: not yet")
    #expect(error.path == ":memory:")
    #expect(!connection.isInTransaction)
    #expect(connection.generation == 0)
    isReady.set(true)
    try connection.apply(wanted)
    #expect(ran.withLock { $0 } == 1)
    #expect(connection.generation == 1)
  }

  @Test func apply_setUpLeavesATransactionOpen_isAnErrorAndRolledBack() throws {
    var wanted = settings
    wanted.setUps = [
      XTSetUp("careless") { try $0.execute("BEGIN; CREATE TABLE t (a)") }
    ]
    let connection = try Connection(settings)
    let error = try #require(throws: XTError.self) { try connection.apply(wanted) }
    #expect(error.message.contains("careless"))
    #expect(!connection.isInTransaction)
    #expect(try connection.firstValue("SELECT count(*) FROM sqlite_master") == 0)
  }

  @Test func init_setUpThrows_closesTheConnection() throws {
    let folder = try TemporaryFolder()
    var wanted = ConnectionSettings(path: folder.path("x.sqlite"))
    wanted.setUps = [XTSetUp("wrong") { try $0.execute("SELECT nope") }]
    let error = try #require(throws: XTError.self) { try Connection(wanted) }
    #expect(error.kind == .unknownColumn)
    #expect(error.message.hasPrefix("the set-up wrong failed: "))
    #expect(error.sql == "SELECT nope")
  }

  @Test func setUp_hasTheFunctionsAndSettings() throws {
    let seen = Mutex<[XTValue?]>([])
    var wanted = settings
    wanted.foreignKeys = false
    wanted.functions = [XTFunction("f", arguments: 0) { _ in "here" }]
    wanted.setUps = [
      XTSetUp("look") { connection in
        let values = [
          try connection.value("SELECT f()"), try connection.value("PRAGMA foreign_keys"),
          try connection.value("SELECT \(7)"), try connection.value("SELECT 1 WHERE 0"),
        ]
        seen.withLock { $0 = values }
      }
    ]
    _ = try Connection(wanted)
    #expect(seen.withLock { $0 } == ["here", 0, 7, nil])
  }
}
