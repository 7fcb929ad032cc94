import Foundation
import Testing

@testable import XTLite

@Suite struct XTMonitorTests {
  let test: TestDatabase
  let table: XTTable<Monitored>

  init() throws {
    test = try TestDatabase { $0.label = "watched" }
    table = test.table(Monitored.self)
    try table.insertList([Monitored(name: "a", age: 1), Monitored(name: "b", age: 2)])
  }

  // MARK: Statements

  @Test func statements_find_isToldWithRowsAndTime() throws {
    let ears = Ears(test, .statements)
    _ = try table.findAll()
    let sql = try test.statements {
      _ = ears.take()
      _ = try table.findAll()
    }
    let heard = ears.take()
    #expect(heard.statements.map(\.sql) == sql)
    #expect(heard.statements.last?.rows == 2)
    #expect(heard.statements.allSatisfy { $0.count == 1 && $0.sqlWithValues == nil })
    #expect(heard.statements.allSatisfy { $0.nanoseconds > 0 })
    #expect(heard.allSatisfy { $0.source == XTEvent.Source(label: "watched", path: test.path) })
  }

  @Test func statements_listVerb_areToldOnceWithTheirCount() throws {
    let ears = Ears(test, .statements)
    try table.insertList((0..<100).map { Monitored(name: "n\($0)") })
    let inserts = ears.take().statements.filter { $0.sql.hasPrefix("INSERT") }
    #expect(inserts.map(\.count) == [100])
    #expect(inserts.map(\.rows) == [100])
  }

  @Test func statements_withValues_haveThem() throws {
    let ears = Ears(test, .statements, withValues: true)
    _ = try table.find(where: \.name == "O'Brien")
    let told = ears.take().statements.compactMap(\.sqlWithValues)
    #expect(told.contains { $0.contains("'O''Brien'") })
  }

  @Test func statements_withoutValues_haveNoneThoughAnotherListenerDoes() throws {
    let (open, closed) = (Ears(test, .statements, withValues: true), Ears(test, .statements))
    _ = try table.find(where: \.name == "secret")
    #expect(open.take().statements.contains { $0.sqlWithValues?.contains("secret") == true })
    let heard = closed.take()
    #expect(!heard.statements.isEmpty)
    #expect(heard.allSatisfy { !"\($0)".contains("secret") && !$0.line.contains("secret") })
    #expect(heard.statements.allSatisfy { $0.sqlWithValues == nil })
  }

  @Test func slowStatement_beyondTheLimit_isTold() throws {
    let slow = try TestDatabase { $0.slowStatement = 0.000_000_001 }
    let ears = Ears(slow, .slowStatements)
    try slow.database.execute("CREATE TABLE t (a)")
    #expect(ears.take().names == ["slow"])
    let quick = try TestDatabase { $0.slowStatement = nil }
    let others = Ears(quick, .slowStatements)
    try quick.database.execute("CREATE TABLE t (a)")
    #expect(others.take().isEmpty)
  }

  @Test func slowStatement_limitThatIsChangedWhileOpen_counts() throws {
    let ears = Ears(test, .slowStatements)
    _ = try table.count()
    #expect(ears.take().isEmpty)
    try test.database.reconfigure { $0.slowStatement = 0 }
    _ = try table.count()
    #expect(!ears.take().isEmpty)
  }

  // MARK: Errors

  @Test func errors_ofAVerb_areToldOnceWithSQLAndPath() throws {
    let ears = Ears(test, .errors)
    let thrown = try #require(throws: XTError.self) {
      try table.insertList([Monitored(name: "a")])
    }
    let heard = ears.take()
    #expect(heard.errors.map(\.kind) == [.constraint(.unique)])
    #expect(heard.errors.map(\.sql) == [thrown.sql])
    #expect(heard.errors.map(\.path) == [test.path])
    #expect(heard.first?.source?.label == "watched")
  }

  @Test func errors_thatABlockCatches_areToldAllTheSame() throws {
    let ears = Ears(test, .errors)
    try test.database.transaction {
      #expect(throws: XTError.self) { try table.insertList([Monitored(name: "a")]) }
      #expect(ears.take().isEmpty)
    }
    #expect(ears.take().errors.map(\.kind) == [.constraint(.unique)])
  }

  @Test func errors_thatPassSeveralBlocks_areToldOnce() throws {
    let ears = Ears(test, .errors)
    #expect(throws: XTError.self) {
      try test.database.transaction {
        try test.database.savepoint { try table.insertList([Monitored(name: "a")]) }
      }
    }
    #expect(ears.take().errors.count == 1)
  }

  @Test func errors_ofTheUsersOwn_areNotTold() throws {
    struct Failure: Error {}
    let ears = Ears(test, .errors)
    #expect(throws: Failure.self) { try test.database.transaction { throw Failure() } }
    #expect(ears.take().isEmpty)
  }

  @Test func errors_ofAFirstTryThatHadAnotherWay_areNotTold() throws {
    try table.deleteAll()
    try table.insertList(["x", "y", "z"].map { Monitored(name: $0, age: Int.max / 2) })
    try test.database.execute("UPDATE Monitored SET age = \(-Int.max) WHERE name = 'z'")
    try test.database.execute("CREATE TEMP TABLE only_here (a)")
    let ears = Ears(test, .errors)
    // Beyond 64 bits on the way, and back.
    _ = try table.sum(of: \.age)
    // Known to the writer's connection alone.
    try test.database.anyFunc(sql: "SELECT count(*) FROM only_here")
    #expect(ears.take().isEmpty)
    #expect(throws: XTError.self) { try test.database.anyFunc(sql: "SELECT a FROM nowhere") }
    #expect(ears.take().errors.map(\.kind) == [.schema])
  }

  @Test func errors_ofAnOpeningThatFails_areHeardByThoseWhoHearAll() throws {
    let path = test.path + "/nothing.sqlite"
    let ears = Ears()
    ears.listen(to: nil, .errors)
    var configuration = XTConfiguration()
    configuration.label = "not there"
    configuration.readOnly = true
    #expect(throws: XTError.self) { try XTDatabase(path: path, configuration: configuration) }
    let heard = ears.take().filter { $0.source?.label == "not there" }
    #expect(heard.errors.count == 1)
    #expect(heard.errors.allSatisfy { $0.path == path })
  }

  @Test func errors_ofAClosedDatabase_areTold() throws {
    let database = try XTDatabase(path: test.path)
    let ears = Ears()
    ears.listen(to: test.database, .errors)
    try database.close()
    #expect(throws: XTError.self) { try database.read {} }
    #expect(ears.take().errors.map(\.kind) == [.closed])
  }

  // MARK: Performance

  @Test func performance_verb_hasItsStatements() throws {
    _ = try table.findAll()
    let ears = Ears(test, .performance)
    _ = try table.findAll()
    let heard = ears.take().performances
    #expect(heard.map(\.call) == [.readingVerb])
    let cost = try #require(heard.first).cost
    #expect(cost.statements.last?.rows == 2)
    #expect(cost.nanoseconds > cost.sqliteNanoseconds)
    #expect(cost.sqliteNanoseconds > 0)
  }

  @Test func performance_transaction_hasEachCallAndTheSum() throws {
    let ears = Ears(test, .performance)
    try test.database.transaction {
      try table.insertList([Monitored(name: "c")])
      _ = try table.count()
      #expect(ears.take().isEmpty)
    }
    let heard = ears.take().performances
    #expect(heard.map(\.call) == [.writingVerb, .readingVerb, .transaction])
    #expect(heard.map(\.isNested) == [true, true, false])
    let whole = try #require(heard.last).cost
    #expect(whole.statements.first?.sql == "BEGIN IMMEDIATE")
    #expect(whole.statements.last?.sql == "COMMIT")
    let parts = heard.dropLast().flatMap(\.cost.statements)
    #expect(!parts.isEmpty)
    for part in parts {
      #expect(whole.statements.contains { $0.sql == part.sql && $0.count >= part.count })
    }
    #expect(whole.count == parts.reduce(2) { $0 + $1.count })
  }

  @Test func performance_callThatThrows_saysSo() throws {
    let ears = Ears(test, .performance)
    #expect(throws: XTError.self) { try table.insertList([Monitored(name: "a")]) }
    _ = try table.count()
    #expect(ears.take().performances.map(\.hasFailed) == [true, false])
  }

  @Test func performance_readInsideARowCallbackOfAnother_isToldOfBoth() throws {
    let ears = Ears(test, .performance)
    try table.forEach { row in
      if row.name == "a" { try table.insertList([Monitored(name: "from inside")]) }
    }
    let heard = ears.take().performances
    #expect(heard.map(\.call) == [.writingVerb, .readingVerb])
    #expect(heard.map(\.isNested) == [false, false])
  }

  // MARK: Openings and waits

  @Test func opened_eachConnection_isToldWithItsTime() throws {
    let ears = Ears(test, .openings)
    // One is open already.
    _ = try table.count()
    try table.forEach { _ in _ = try table.count() }
    let other = try TestDatabase()
    let everyone = Ears()
    everyone.listen(to: nil, .openings)
    let third = try XTDatabase(path: other.path + "3", configuration: XTConfiguration())
    let opened = everyone.take().filter { $0.source?.path == third.path }
    #expect(opened.count == 1)
    for case .opened(let isReader, let nanoseconds, _) in opened {
      #expect(!isReader)
      #expect(nanoseconds > 0)
    }
    #expect(
      ears.take().allSatisfy { if case .opened(true, _, _) = $0 { true } else { false } })
  }

  @Test func busyWait_behindAnotherProgram_isTold() throws {
    let path = test.path
    let ears = Ears(test, [.busyWaits, .performance])
    let release = DispatchSemaphore(value: 0)
    let isLocked = DispatchSemaphore(value: 0)
    let thread = Thread {
      let other = try? Connection(ConnectionSettings(path: path))
      try? other?.inTransaction {
        isLocked.signal()
        release.wait()
      }
    }
    thread.start()
    isLocked.wait()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { release.signal() }
    try table.insertList([Monitored(name: "late")])
    let heard = ears.take()
    #expect(heard.names == ["busy", "performance"])
    let cost = try #require(heard.performances.first).cost
    #expect(cost.busyWaits == 1)
    #expect(cost.busyNanoseconds > 0)
    #expect(test.database.statistics.busyWaits == 1)
  }

  // MARK: Warnings

  @Test func warning_readersInUse_isToldToWhoHadToWait() throws {
    let small = try TestDatabase { $0.maximumReaders = 1 }
    try small.table(Monitored.self).insertList([Monitored(name: "a")])
    let ears = Ears(small, .warnings)
    let release = DispatchSemaphore(value: 0)
    let isReading = DispatchSemaphore(value: 0)
    let database = small.database
    let thread = Thread {
      try? database.read {
        isReading.signal()
        release.wait()
      }
    }
    thread.start()
    isReading.wait()
    DispatchQueue.global().async {
      while database.core.readers.waiting == 0 { usleep(1000) }
      release.signal()
    }
    _ = try small.table(Monitored.self).count()
    let exhausted = ears.take().warnings.filter {
      if case .readersExhausted = $0 { true } else { false }
    }
    #expect(exhausted.count == 1)
  }

  @Test func warning_connectionHeldLong_isTold() throws {
    let short = try TestDatabase { $0.longHold = 0.01 }
    let ears = Ears(short, .warnings)
    try short.database.transaction { usleep(20_000) }
    try short.database.transaction {}
    let heard = ears.take().warnings
    #expect(heard.count == 1)
    guard case .heldLong(.transaction, let nanoseconds)? = heard.first else {
      Issue.record("\(heard)")
      return
    }
    #expect(nanoseconds >= 20_000_000)
  }

  @Test func warning_fileThatWasReplaced_isToldOnce() throws {
    let ears = Ears(test, .warnings)
    try FileManager.default.moveItem(atPath: test.path, toPath: test.path + ".old")
    for _ in 0..<3 {
      #expect(throws: XTError.self) { try table.insertList([Monitored(name: "x")]) }
    }
    #expect(ears.take().warnings == [.fileRemoved])
  }

  @Test func warning_farMoreConnectionsThanCores_isToldWhenTheNumberPassesThem() throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let limit = max(2 * cores, 12)
    var all = try (0..<limit).map { _ in try XTDatabase.inMemory() }
    // For a moment alone: who listens to all databases makes others look for full scans.
    let ears = Ears()
    ears.listen(to: nil, .warnings)
    all.append(try XTDatabase.inMemory())
    ears.cancel()
    // Other tests open and close theirs meanwhile.
    let told = ears.take().warnings.compactMap {
      if case .manyConnections(let open, let cores) = $0 { (open, cores) } else { nil }
    }
    #expect(told.allSatisfy { $0.0 == limit + 1 && $0.1 == cores })
    #expect(all.count == limit + 1)
  }

  // MARK: Damage

  @Test func damaged_fileWithBrokenPages_isToldOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("broken.sqlite")
    let whole = try Connection(ConnectionSettings(path: path, journalMode: "delete"))
    try whole.executeScript(
      """
      CREATE TABLE Monitored (pkid INTEGER PRIMARY KEY, name TEXT, age INTEGER);
      WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000)
      INSERT INTO Monitored SELECT n, hex(randomblob(50)), n FROM c;
      """)
    whole.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for position in (4096 * 2)..<bytes.count { bytes[position] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: path))
    let database = try XTDatabase(path: path)
    let ears = Ears()
    ears.listen(to: database, [.damage, .errors])
    for _ in 0..<3 {
      let error = try #require(throws: XTError.self) {
        try database.table(Monitored.self).findAll()
      }
      #expect(error.kind == .corrupt)
      #expect(error.path == database.path)
    }
    #expect(ears.take().names == ["error", "damaged", "error", "error"])
  }

  /// Has `body` run inside of a listener, where nothing is told.
  private func whileDelivering(
    _ database: XTDatabase, _ body: @escaping @Sendable () -> Void
  ) throws {
    let listening = XTMonitor.listen(to: database, for: .performance) { _ in body() }
    _ = try database.anyFunc(sql: "SELECT 1")
    listening.cancel()
  }

  @Test func damaged_fileOfWhichAListenerLearnsFirst_isToldWithTheNextCall() throws {
    let broken = try TestDatabase(
      after: """
        CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1), (2);
        PRAGMA writable_schema = 1;
        UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (a DESC)' WHERE name = 'i'
        """)
    let database = broken.database
    let ears = Ears(broken, .damage)
    try whileDelivering(database) { _ = try? database.checkIntegrity() }
    #expect(ears.take().isEmpty)
    #expect(try !database.checkIntegrity().isEmpty)
    #expect(try !database.checkIntegrity().isEmpty)
    #expect(ears.take().names == ["damaged"])
  }

  @Test func warning_fileOfWhoseLossAListenerLearnsFirst_isToldWithTheNextCall() throws {
    let (ears, database, table) = (Ears(test, .warnings), test.database, table)
    try whileDelivering(database) { [test] in
      try? FileManager.default.moveItem(atPath: test.path, toPath: test.path + ".old")
      _ = try? table.insertList([Monitored(name: "x")])
    }
    func isOfLoss(_ warning: XTWarning) -> Bool { warning == .fileRemoved }
    #expect(!ears.take().warnings.contains(where: isOfLoss))
    for _ in 0..<2 {
      #expect(throws: XTError.self) { try table.insertList([Monitored(name: "x")]) }
    }
    #expect(ears.take().warnings.filter(isOfLoss).count == 1)
  }

  @Test func damaged_fileInWhichACheckFindsProblems_isToldOnce() throws {
    let broken = try TestDatabase(
      after: """
        CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1), (2);
        PRAGMA writable_schema = 1;
        UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (a DESC)' WHERE name = 'i'
        """)
    let ears = Ears(broken, [.damage, .errors])
    #expect(try !broken.database.checkIntegrity().isEmpty)
    #expect(try !broken.database.checkIntegrity().isEmpty)
    let heard = ears.take()
    #expect(heard.names == ["damaged"])
    for case .damaged(let error, _) in heard { #expect(error.kind == .corrupt) }
  }

  @Test func damaged_fileThatIsNoDatabase_isToldAtItsOpening() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.txt")
    try Data("just a text, much like any other".utf8).write(to: URL(fileURLWithPath: path))
    let ears = Ears()
    ears.listen(to: nil, .damage)
    var configuration = XTConfiguration()
    configuration.key = nil
    #expect(throws: XTError.self) { try XTDatabase(path: path, configuration: configuration) }
    #expect(ears.take().filter { $0.source?.label == "x.txt" }.names == ["damaged"])
  }

  // MARK: SQLite's own log

  @Test func sqliteLog_errorOfAStatement_comes() throws {
    #expect(XTMonitor.hearsSQLiteLog)
    let ears = Ears(test, .sqliteLog)
    let name = "nothing_\(UInt32.random(in: 0 ..< .max))"
    #expect(throws: XTError.self) { try test.database.execute(XTSQL(unsafe: "SELECT \(name)")) }
    // It comes by a queue of its own.
    let isTold = eventually {
      var isTold = false
      for case .sqliteLog(let code, let message) in ears.take() {
        #expect(code != 0)
        isTold = isTold || message.contains(name)
      }
      return isTold
    }
    #expect(isTold)
  }

  // MARK: Who listens

  @Test func listeners_several_hearTheSameAndEndOneByOne() throws {
    let (first, second) = (Ears(test, .statements), Ears(test, .statements))
    _ = try table.count()
    let heard = first.take().statements.map(\.sql)
    #expect(!heard.isEmpty)
    #expect(second.take().statements.map(\.sql) == heard)
    first.cancel()
    _ = try table.count()
    #expect(first.take().isEmpty)
    #expect(!second.take().isEmpty)
    second.cancel()
    second.cancel()
    _ = try table.count()
    #expect(second.take().isEmpty)
    // Another test may listen to all databases for a moment.
    #expect(eventually { test.database.core.signals.interests.isDisjoint(with: .statements) })
  }

  @Test func listener_ofOneDatabase_hearsNothingOfAnother() throws {
    let other = try TestDatabase()
    let ears = Ears(other, .all.subtracting(.sqliteLog))
    _ = try table.count()
    #expect(ears.take().isEmpty)
  }

  @Test func listener_ofAll_hearsOfDatabasesThatAreOpenedLater() throws {
    let ears = Ears()
    ears.listen(to: nil, .statements)
    let later = try TestDatabase { $0.label = "later" }
    try later.database.execute("CREATE TABLE t (a)")
    let heard = ears.take().filter { $0.source?.label == "later" }
    #expect(heard.statements.map(\.sql) == ["CREATE TABLE t (a)"])
  }

  @Test func token_thatGoes_endsIt() throws {
    let heard = Mutex(0)
    var token: XTListening? = XTMonitor.listen(to: test.database, for: .statements) { _ in
      heard.withLock { $0 += 1 }
    }
    #expect(token != nil)
    _ = try table.count()
    let count = heard.withLock { $0 }
    #expect(count > 0)
    token = nil
    _ = try table.count()
    #expect(heard.withLock { $0 } == count)
  }

  @Test func listener_thatUsesTheDatabase_mayDoSoAndIsNotTold() throws {
    let database = test.database
    let written = Mutex(0)
    let token = XTMonitor.listen(to: database, for: .performance) { event in
      guard case .performance = event else { return }
      // Needs the writer, which the call that is told of has given back.
      let number = written.withLock { number in
        number += 1
        return number
      }
      try? database.transaction {
        _ = try database.table(Monitored.self).insertList([
          Monitored(name: "by the listener \(number)")
        ])
      }
    }
    try table.insertList([Monitored(name: "first")])
    _ = try database.read { try table.count() }
    token.cancel()
    #expect(written.withLock { $0 } == 3)
    #expect(try table.count(where: (\Monitored.name).startsWith("by the")) == 3)
  }

  @Test func listener_ofErrorsThatFailsItself_isNotToldOfThat() throws {
    let database = test.database
    let told = Mutex(0)
    let token = XTMonitor.listen(to: database, for: .errors) { _ in
      told.withLock { $0 += 1 }
      _ = try? database.execute("SELECT nothing")
    }
    _ = try? database.execute("SELECT nothing")
    _ = try? database.execute("SELECT nothing")
    token.cancel()
    #expect(told.withLock { $0 } == 2)
  }

  @Test func listener_insideABlockOfAnotherDatabase_isCalledWhenBothHaveEnded() throws {
    let other = try TestDatabase()
    let ears = Ears(test, .statements)
    try other.database.transaction {
      _ = try table.count()
      #expect(ears.take().isEmpty)
    }
    #expect(!ears.take().isEmpty)
  }

  @Test func listener_ofACallOfVeryManyErrors_isToldHowManyWereLeftOut() throws {
    let (ears, all) = (Ears(test, [.errors, .warnings]), Ears())
    let path = test.path + "/nothing.sqlite"
    try test.database.transaction {
      for _ in 0..<10_005 { _ = try? test.database.execute("SELECT nope") }
      all.listen(to: nil, [.errors, .warnings])
      for _ in 0..<3 { _ = try? XTDatabase(path: path) }
    }
    let heard = ears.take()
    #expect(heard.errors.count == 10_000)
    #expect(heard.warnings.contains(.eventsLeftOut(5)))
    all.cancel()
    let ofNothing = all.take().filter { $0.source?.path == path }
    #expect(ofNothing.errors.isEmpty)
    #expect(ofNothing.warnings == [.eventsLeftOut(3)])
  }

  @Test func listener_ofACallOfVeryManyStatements_isToldHowManyWereLeftOut() throws {
    let ears = Ears(test, [.statements, .warnings])
    try test.database.read {
      for _ in 0..<10_500 { _ = try table.isEmpty() }
    }
    let heard = ears.take()
    #expect((9_900...10_000).contains(heard.statements.count))
    guard case .eventsLeftOut(let count)? = heard.warnings.last else {
      Issue.record("\(heard.warnings)")
      return
    }
    #expect(count > 500)
  }

  @Test func asyncBlocks_areToldOfLikeOthers() async throws {
    let ears = Ears(test, .performance)
    let table = table
    try await test.database.transaction { try table.insertList([Monitored(name: "async")]) }
    _ = try await test.database.read { try table.count() }
    try await test.database.inPlace { _ = try table.count() }
    let heard = ears.take().performances.filter { !$0.isNested }
    #expect(heard.map(\.call) == [.transaction, .read, .transaction])
  }

  @Test func nobodyListening_leavesNothingToDo() throws {
    let quiet = try TestDatabase()
    // Others may listen to all at this moment; none but for openings, errors and the like.
    try quiet.table(Monitored.self).insertList([Monitored(name: "a")])
    let isMetered = try quiet.database.reading { $0.isMetered }
    #expect(isMetered == quiet.database.core.signals.wants(.ofStatements))
  }
}
