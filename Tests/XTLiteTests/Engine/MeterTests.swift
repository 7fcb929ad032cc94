import Foundation
import Testing

@testable import XTLite

@Suite struct MeterTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(ConnectionSettings(path: folder.path("x.sqlite")))
    try connection.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
  }

  /// What a meter tells.
  final class Ear {
    var events: [MeterEvent] = []

    var uses: [StatementUse] {
      events.compactMap { if case .ran(let use) = $0 { use } else { nil } }
    }

    var slow: [StatementUse] {
      events.compactMap { if case .slow(let use) = $0 { use } else { nil } }
    }
  }

  /// What runs while `body` does.
  @discardableResult
  func metered(
    _ options: Meter.Options = Meter.Options(), _ ear: Ear? = nil, _ body: () throws -> Void
  ) rethrows -> Tally {
    let outer = connection.meter
    let meter = Meter(options) { ear?.events.append($0) }
    connection.setMeter(meter)
    defer { connection.removeMeter(outer) }
    try body()
    return meter.tally
  }

  @Test func tally_select_hasItsRunsAndRows() throws {
    let tally = try metered {
      _ = try connection.rows("SELECT a FROM t")
      _ = try connection.rows("SELECT a FROM t WHERE a > ?", [1])
      _ = try connection.rows("SELECT a FROM t WHERE a > ?", [2])
    }
    #expect(tally.statements.map(\.sql) == ["SELECT a FROM t", "SELECT a FROM t WHERE a > ?"])
    #expect(tally.statements.map(\.runs) == [1, 2])
    #expect(tally.statements.map(\.rows) == [3, 3])
    #expect(tally.statements.allSatisfy { $0.nanoseconds > 0 })
    #expect(tally.prepared == 2)
    #expect(tally.reused == 1)
    #expect(tally.busyWaits == 0)
  }

  @Test func tally_change_hasTheRowsThatItChanged() throws {
    let tally = try metered {
      try connection.run("UPDATE t SET a = a + 1 WHERE a > ?", [1])
      try connection.run("CREATE TABLE other (a)")
    }
    #expect(tally.statements.map(\.rows) == [2, 0])
  }

  @Test func tally_statementThatIsRunManyTimesInOneUse_countsEachRun() throws {
    let ear = Ear()
    let tally = try metered(Meter.Options(tellsUses: true), ear) {
      try connection.withStatement("INSERT INTO t VALUES (?)") { statement in
        for value in 1...1000 {
          try statement.bind(int64: Int64(value), at: 1)
          try statement.run()
          statement.reset()
        }
      }
    }
    #expect(tally.statements.map(\.runs) == [1000])
    #expect(tally.statements.map(\.rows) == [1000])
    #expect(ear.uses.map(\.runs) == [1000])
    #expect(ear.uses.map(\.sqlWithValues) == [nil])
  }

  @Test func tally_selectThatIsLeftEarly_countsTheRowsThatItGave() throws {
    let tally = try metered {
      try connection.withStatement("SELECT a FROM t") { statement in
        _ = try statement.step()
        statement.reset()
        _ = try statement.step()
        _ = try statement.step()
      }
    }
    #expect(tally.statements.map(\.runs) == [2])
    #expect(tally.statements.map(\.rows) == [3])
  }

  @Test func tally_transaction_hasItsBeginAndCommit() throws {
    let tally = try metered {
      _ = try connection.inTransaction { try connection.run("DELETE FROM t") }
    }
    #expect(tally.statements.map(\.sql) == ["BEGIN IMMEDIATE", "DELETE FROM t", "COMMIT"])
    #expect(tally.statements.map(\.runs) == [1, 1, 1])
  }

  @Test func tally_statementThatFails_isCounted() throws {
    try connection.run("CREATE UNIQUE INDEX i ON t (a)")
    let tally = try metered {
      let error = try #require(throws: XTError.self) {
        try connection.run("INSERT INTO t VALUES (?)", [1])
      }
      #expect(error.kind == .constraint(.unique))
      #expect(error.message == "UNIQUE constraint failed: t.a")
    }
    #expect(tally.statements.map(\.runs) == [1])
    #expect(tally.statements.map(\.rows) == [0])
  }

  @Test func tally_script_hasItsStatements() throws {
    let tally = try metered { try connection.executeScript("DELETE FROM t; SELECT 1;") }
    #expect(tally.statements.map(\.sql) == ["DELETE FROM t;", " SELECT 1;"])
    #expect(tally.prepared == 2)
  }

  @Test func use_withValues_isToldForEachRunWithThem() throws {
    let ear = Ear()
    try metered(Meter.Options(tellsUses: true, wantsValues: true), ear) {
      try connection.withStatement("INSERT INTO t VALUES (?)") { statement in
        for value in ["it's", "two"] {
          try statement.bind(.text(value), at: 1)
          try statement.run()
          statement.reset()
        }
      }
    }
    #expect(ear.uses.map(\.sql) == Array(repeating: "INSERT INTO t VALUES (?)", count: 2))
    #expect(
      ear.uses.map(\.sqlWithValues)
        == ["INSERT INTO t VALUES ('it''s')", "INSERT INTO t VALUES ('two')"])
  }

  @Test func slowLimit_runsFromThereOn_areTold() throws {
    let ear = Ear()
    let question =
      "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 10000)"
      + " SELECT count(*) FROM c"
    try metered(Meter.Options(slowLimit: 1), ear) { _ = try connection.rows(question) }
    #expect(ear.slow.map(\.sql) == [question])
    #expect(ear.uses.isEmpty)
    try metered(Meter.Options(slowLimit: .max), ear) { _ = try connection.rows(question) }
    #expect(ear.slow.count == 1)
  }

  @Test func meter_insideAnother_handsItsSumsOn() throws {
    let ears = (Ear(), Ear())
    var inner = Tally()
    let outer = try metered(Meter.Options(tellsUses: true), ears.0) {
      try connection.run("DELETE FROM t")
      inner = try metered(Meter.Options(tellsUses: true), ears.1) {
        try connection.run("DELETE FROM t")
        try connection.run("ANALYZE")
      }
      try connection.run("REINDEX")
    }
    #expect(inner.statements.map(\.sql) == ["DELETE FROM t", "ANALYZE"])
    #expect(inner.prepared == 1)
    #expect(outer.statements.map(\.sql) == ["DELETE FROM t", "ANALYZE", "REINDEX"])
    #expect(outer.statements.map(\.runs) == [2, 1, 1])
    #expect(outer.prepared == 3)
    #expect(ears.0.uses.map(\.sql) == ["DELETE FROM t", "REINDEX"])
    #expect(ears.1.uses.map(\.sql) == ["DELETE FROM t", "ANALYZE"])
  }

  @Test func meter_insideALoopOverRows_hearsOnlyOfItsOwn() throws {
    var inner = Tally()
    var seen: [XTValue] = []
    try connection.withStatement("SELECT a FROM t ORDER BY a") { statement in
      while try statement.step() {
        seen.append(statement.column(0).value)
        inner = try metered { _ = try connection.rows("SELECT a FROM t ORDER BY a") }
      }
    }
    #expect(seen == [1, 2, 3])
    #expect(inner.statements.map(\.rows) == [3])
  }

  @Test func meter_afterItsEnd_leavesNothingBehind() throws {
    try metered { try connection.run("DELETE FROM t") }
    #expect(connection.meter == nil)
    #expect(!connection.restrictions.contains(.metered))
    try connection.withStatement("DELETE FROM t") { statement in
      #expect(!statement.isMetered)
      #expect(statement.gauge == nil)
    }
  }

  @Test func meter_refusals_standAsWithoutIt() throws {
    try metered {
      connection.refusesWrites = true
      let error = try #require(throws: XTError.self) { try connection.run("DELETE FROM t") }
      #expect(error.kind == .readOnly)
      connection.refusesWrites = false
      let second = try #require(throws: XTError.self) {
        try connection.inTransaction { try connection.run("COMMIT") }
      }
      #expect(second.message.contains("a transaction block ends by itself"))
      connection.cancel()
      let third = try #require(throws: XTError.self) { try connection.rows("SELECT 1") }
      #expect(third.kind == .interrupted)
      connection.resume()
    }
    #expect(try connection.firstValue("SELECT count(*) FROM t") == 3)
  }

  @Test func busyWait_behindAnotherConnection_isToldOnce() throws {
    var settings = ConnectionSettings(path: folder.path("x.sqlite"))
    settings.busyTimeout = 0.05
    let second = try Connection(settings)
    let ear = Ear()
    let meter = Meter { ear.events.append($0) }
    second.setMeter(meter)
    try connection.inTransaction {
      let error = try #require(throws: XTError.self) { try second.inTransaction {} }
      #expect(error.kind == .locked)
    }
    try second.inTransaction {}
    second.removeMeter(nil)
    let waits = ear.events.compactMap {
      if case .busy(let nanoseconds) = $0 { nanoseconds } else { nil }
    }
    #expect(waits.count == 1)
    #expect(waits.allSatisfy { $0 >= 40_000_000 })
    #expect(meter.tally.busyWaits == 1)
    #expect(meter.tally.busyNanoseconds == waits.first)
    #expect(second.counters[.busyWaits] == 1)
  }

  // MARK: Counters

  @Test func counters_statements_areThoseHandedOutAndPrepared() throws {
    let (used, prepared) = (connection.counters[.used], connection.counters[.prepared])
    for _ in 0..<10 { _ = try connection.rows("SELECT a FROM t") }
    #expect(connection.counters[.used] == used + 10)
    #expect(connection.counters[.prepared] == prepared + 1)
  }

  @Test func counters_transactions_areTheOutermostThatMayWrite() throws {
    struct Failure: Error {}
    try connection.inTransaction {
      try connection.inTransaction { try connection.run("DELETE FROM t") }
      _ = try? connection.inTransaction { throw Failure() }
    }
    _ = try? connection.inTransaction { throw Failure() }
    try connection.inReadTransaction { _ = try connection.rows("SELECT a FROM t") }
    #expect(connection.counters[.committed] == 1)
    #expect(connection.counters[.rolledBack] == 1)
  }
}
