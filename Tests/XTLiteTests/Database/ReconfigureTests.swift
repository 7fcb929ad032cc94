import Foundation
import Testing

@testable import XTLite

@Suite struct ReconfigureTests {
  static let constant = XTFunction("constant", arguments: 0) { _ in 1 }

  @Test func change_whileOpen_reachesEveryConnectionBeforeItsNextUse() throws {
    let test = try TestDatabase()
    // Opened before the change.
    _ = try test.database.withEachConnection { _ in 0 }
    try test.database.reconfigure {
      $0.synchronous = .extra
      $0.foreignKeys = false
      $0.cacheSize = 1 << 20
      $0.mappedSize = 1 << 24
      $0.busyTimeout = 3
      $0.add(Self.constant)
    }
    let seen = try test.database.withEachConnection { connection in
      try [
        "PRAGMA synchronous", "PRAGMA foreign_keys", "PRAGMA cache_size", "PRAGMA mmap_size",
        "SELECT constant()",
      ]
      .map { try connection.firstValue($0) } + [.real(connection.settings.busyTimeout)]
    }
    #expect(seen.count == 3)
    for result in seen { #expect(try result.get() == [3, 0, -1024, 16_777_216, 1, 3.0]) }
    #expect(test.database.configuration.busyTimeout == 3)
    #expect(test.database.core.waitLimit == 3)
  }

  @Test func change_nothingDiffers_runsNoStatement() throws {
    let test = try TestDatabase()
    try test.database.transaction {}
    let statements = try test.statements {
      try test.database.reconfigure { $0.busyTimeout = 5 }
      try test.database.read {}
    }
    #expect(statements == ["BEGIN DEFERRED", "PRAGMA schema_version", "COMMIT"])
  }

  @Test func change_insideABlock_appliesToTheNext() throws {
    let test = try TestDatabase()
    try test.database.transaction {
      try test.database.reconfigure { $0.foreignKeys = false }
      #expect(try test.database.anyFunc(sql: "PRAGMA foreign_keys") == 1)
    }
    let after = try test.database.write { try test.database.anyFunc(sql: "PRAGMA foreign_keys") }
    #expect(after == 0)
  }

  @Test func change_ofWhatIsFixed_namesItAndChangesNothing() throws {
    let test = try TestDatabase()
    let changes: [(String, @Sendable (inout XTConfiguration) -> Void)] = [
      ("label", { $0.label = "x" }), ("key", { $0.key = .passphrase("x") }),
      ("readOnly", { $0.readOnly = true }), ("journalMode", { $0.journalMode = .delete }),
      ("automaticColumns", { $0.automaticColumns = false }),
      ("automaticAdditions", { $0.automaticAdditions = false }),
    ]
    for (name, change) in changes {
      let error = try #require(throws: XTError.self) {
        try test.database.reconfigure {
          $0.busyTimeout = 1
          change(&$0)
        }
      }
      #expect(error.message.hasPrefix("\(name) can't be changed"))
      #expect(error.hint?.contains(name) == true)
      #expect(error.path == test.database.path)
    }
    #expect(test.database.configuration.busyTimeout == 10)
    #expect(test.database.core.current.generation == 0)
  }

  @Test func change_throws_comesOutAndChangesNothing() throws {
    struct Failure: Error {}
    let test = try TestDatabase()
    #expect(throws: Failure.self) {
      try test.database.reconfigure {
        $0.busyTimeout = 1
        throw Failure()
      }
    }
    #expect(test.database.configuration.busyTimeout == 10)
    try test.database.reconfigure { $0.busyTimeout = 2 }
    #expect(test.database.configuration.busyTimeout == 2)
  }

  @Test func change_insideAnother_throwsInsteadOfHanging() throws {
    let test = try TestDatabase()
    try test.database.reconfigure { _ in
      let error = #expect(throws: XTError.self) { try test.database.reconfigure { _ in } }
      #expect(error?.kind == .locked)
      // To look is allowed.
      #expect(test.database.configuration.busyTimeout == 10)
    }
  }

  @Test func change_afterClose_throwsClosed() throws {
    let test = try TestDatabase()
    try test.database.close()
    let error = #expect(throws: XTError.self) { try test.database.reconfigure { _ in } }
    #expect(error?.kind == .closed)
  }

  @Test func change_byAnotherValueOnTheFile_concernsBoth() throws {
    let test = try TestDatabase()
    let other = try XTDatabase(path: test.path)
    try other.reconfigure { $0.add(Self.constant) }
    #expect(try test.database.anyFunc(sql: "SELECT constant()") == 1)
    #expect(test.database.configuration.functions.map(\.name) == ["constant"])
  }

  @Test func change_byManyThreads_losesNone() throws {
    let test = try TestDatabase()
    DispatchQueue.concurrentPerform(iterations: 40) { index in
      do {
        try test.database.reconfigure { configuration in
          configuration.add(XTFunction("f\(index)", arguments: 0) { _ in .integer(Int64(index)) })
        }
        #expect(
          try test.database.anyFunc(sql: XTSQL(unsafe: "SELECT f\(index)()"))?.int64 == Int64(index)
        )
      } catch {
        Issue.record(error)
      }
    }
    #expect(test.database.configuration.functions.count == 40)
    let values = try test.database.write {
      try (0..<40).map { try test.database.anyFunc(sql: XTSQL(unsafe: "SELECT f\($0)()"))?.int64 }
    }
    #expect(values == (0..<40).map { $0 })
  }

  @Test func maximumReaders_lowered_boundsTheReaders() throws {
    let test = try TestDatabase()
    _ = try test.database.withEachConnection { _ in 0 }
    #expect(test.database.core.readers.counts.open == 2)
    try test.database.reconfigure { $0.maximumReaders = 1 }
    try test.database.read {}
    let counts = test.database.core.readers.counts
    #expect(counts.open == 1 && counts.capacity == 1)
  }

  @Test func busyTimeout_lowered_endsTheNextWait() throws {
    let test = try TestDatabase()
    try test.database.reconfigure { $0.busyTimeout = 0.05 }
    let other = try Connection(ConnectionSettings(path: test.path))
    try other.inTransaction {
      let error = #expect(throws: XTError.self) { try test.database.transaction {} }
      #expect(error?.kind == .locked)
    }
  }

  // MARK: Functions

  @Test func functions_ofTheConfiguration_areThereAtTheFirstOpening() throws {
    let test = try TestDatabase { $0.add(Self.constant) }
    let values = try test.database.withEachConnection { try $0.firstValue("SELECT constant()") }
    for value in values { #expect(try value.get() == 1) }
  }

  @Test func add_sameNameInOtherCase_replaces() {
    var configuration = XTConfiguration()
    configuration.add(XTFunction("twice", arguments: 1) { _ in 1 })
    configuration.add(XTFunction("other", arguments: 1) { _ in 1 })
    configuration.add(XTFunction("TWICE", arguments: 1) { _ in 2 })
    configuration.add(XTFunction("twice", arguments: 2) { _ in 3 })
    #expect(configuration.functions.map(\.name) == ["TWICE", "other", "twice"])
    var removals = [configuration.removeFunction("Twice")]
    #expect(configuration.functions.map(\.name) == ["other"])
    removals.append(!configuration.removeFunction("twice"))
    configuration.add(XTCollation("c") { _, _ in .orderedSame })
    configuration.add(XTCollation("C") { _, _ in .orderedSame })
    #expect(configuration.collations.map(\.name) == ["C"])
    removals.append(configuration.removeCollation("c"))
    configuration.add(XTSetUp("s") { _ in })
    configuration.add(XTSetUp("S") { _ in })
    configuration.add(XTSetUp("s") { _ in })
    #expect(configuration.setUps.map(\.name) == ["s", "S"])
    removals.append(configuration.removeSetUp("s"))
    removals.append(!configuration.removeSetUp("s"))
    #expect(removals == [true, true, true, true, true])
  }

  @Test func function_ofTheLibrarysName_isRefusedAtOpeningAndAtAChange() throws {
    let wrong = XTFunction("xt_casefold", arguments: 1) { _ in "mine" }
    var configuration = XTConfiguration()
    configuration.add(wrong)
    #expect(throws: XTError.self) { try XTDatabase.inMemory(configuration: configuration) }
    let test = try TestDatabase()
    #expect(throws: XTError.self) { try test.database.reconfigure { $0.add(wrong) } }
    #expect(try test.database.anyFunc(sql: "SELECT xt_casefold('A')") == "a")
  }

  @Test(arguments: [1, nil]) func removeFunction_thatReplacedSQLitesOwn_bringsThatBack(
    _ arguments: Int?
  ) throws {
    let test = try TestDatabase {
      $0.add(XTFunction("upper", arguments: arguments) { _ in "mine" })
    }
    let look: @Sendable (Connection) throws -> XTValue? = { try $0.firstValue("SELECT upper('a')") }
    for result in try test.database.withEachConnection(look) {
      #expect(try result.get() == "mine")
    }
    try test.database.reconfigure { $0.removeFunction("Upper") }
    for result in try test.database.withEachConnection(look) {
      #expect(try result.get() == "A")
    }
  }

  @Test func removeFunction_ofTheProgramsOwn_opensNoConnectionAnew() throws {
    let test = try TestDatabase {
      $0.add(Self.constant)
      // Beside SQLite's own of one argument.
      $0.add(XTFunction("upper", arguments: 2) { _ in 2 })
    }
    try test.database.execute("CREATE TEMP TABLE kept (a)")
    try test.database.reconfigure {
      $0.removeFunction("constant")
      $0.removeFunction("upper")
    }
    try test.database.execute("INSERT INTO kept VALUES (upper('a'))")
    #expect(throws: XTError.self) { try test.database.execute("SELECT constant()") }
  }

  @Test func removeFunction_thatReplacedSQLitesOwnInMemory_isRefused() throws {
    var configuration = XTConfiguration()
    configuration.add(XTFunction("upper", arguments: 1) { _ in "mine" })
    configuration.add(Self.constant)
    configuration.add(XTCollation("nocase") { _, _ in .orderedSame })
    let database = try XTDatabase.inMemory(configuration: configuration)
    let function = #expect(throws: XTError.self) {
      try database.reconfigure { $0.removeFunction("upper") }
    }
    #expect(function?.message.contains("upper") == true)
    #expect(throws: XTError.self) { try database.reconfigure { $0.removeCollation("NOCASE") } }
    try database.reconfigure { $0.removeFunction("constant") }
    #expect(try database.anyFunc(sql: "SELECT upper('a')") == "mine")
  }

  @Test func removeCollation_thatReplacedSQLitesOwn_bringsThatBack() throws {
    let test = try TestDatabase { $0.add(XTCollation("NoCase") { _, _ in .orderedSame }) }
    let sql: XTSQL = "SELECT 'a' = 'b' COLLATE NOCASE"
    #expect(try test.database.anyFunc(sql: sql) == 1)
    try test.database.reconfigure { $0.removeCollation("nocase") }
    #expect(try test.database.anyFunc(sql: sql) == 0)
  }

  @Test func function_inACondition_throwsItsOwnErrorOutOfTheVerb() throws {
    struct Failure: Error, CustomStringConvertible { let description = "not this name" }
    let test = try TestDatabase {
      $0.add(
        XTFunction("strict", arguments: 1) { values in
          if values[0] == "bad" { throw Failure() }
          return true
        })
    }
    let samples = test.table(Sample.self)
    try samples.insertList([Sample("a"), Sample("bad")])
    let error = #expect(throws: XTError.self) { try samples.find(where: "strict(name)") }
    #expect(error?.message == "not this name")
    #expect(try samples.find(where: "name = 'a' AND strict(name)").count == 1)
  }
}
