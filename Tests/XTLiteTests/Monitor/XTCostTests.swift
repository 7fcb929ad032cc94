import Foundation
import Testing

@testable import XTLite

@Suite struct XTCostTests {
  let test: TestDatabase
  let table: XTTable<Monitored>

  init() throws {
    test = try TestDatabase()
    table = test.table(Monitored.self)
    try table.insertList([Monitored(name: "a"), Monitored(name: "b")])
    _ = try table.findAll()
  }

  @Test func measured_severalVerbs_areSummedUp() throws {
    let (found, cost) = try test.database.measured {
      _ = try table.findAll()
      try table.insertList([Monitored(name: "c"), Monitored(name: "d")])
      return try table.findAll()
    }
    #expect(found.count == 4)
    let finds = try #require(cost.statements.first)
    #expect(finds.sql.hasPrefix("SELECT"))
    #expect(finds.count == 2)
    #expect(finds.rows == 2 + 4)
    let inserts = try #require(cost.statements.first { $0.sql.hasPrefix("INSERT") })
    #expect(inserts.count == 2)
    #expect(inserts.rows == 2)
    #expect(cost.statements.contains { $0.sql == "COMMIT" })
    #expect(cost.nanoseconds > cost.sqliteNanoseconds)
    #expect(cost.busyWaits == 0)
  }

  @Test func measured_verbThatRanBefore_preparesNothing() throws {
    let (_, cost) = try test.database.measured { try table.findAll() }
    #expect(cost.prepared == 0)
    #expect(cost.reused == 1)
    #expect(cost.count == 1)
  }

  @Test func measured_nothing_costsNothing() throws {
    let (result, cost) = test.database.measured { 7 }
    #expect(result == 7)
    #expect(cost.statements.isEmpty)
    #expect(cost.sqliteNanoseconds == 0)
  }

  @Test func measured_insideABlock_countsWhatRunsInIt() throws {
    try test.database.transaction {
      _ = try table.count()
      let (_, cost) = try test.database.measured { try table.insertList([Monitored(name: "c")]) }
      #expect(cost.statements.contains { $0.sql.hasPrefix("INSERT") })
      #expect(!cost.statements.contains { $0.sql.hasPrefix("SELECT count") })
    }
  }

  @Test func measured_insideAnother_countsForBoth() throws {
    var inner: XTCost?
    let (_, outer) = try test.database.measured {
      _ = try table.count()
      inner = try test.database.measured {
        try test.database.transaction {
          _ = try table.findAll()
          inner = try test.database.measured { try table.findAll() }.cost
          #expect(inner?.count == 1)
        }
      }.cost
    }
    #expect(inner?.statements.map(\.count) == [1, 2, 1])
    #expect(outer.count == 1 + 4)
  }

  @Test func measured_writeInsideARowCallback_countsBothConnections() throws {
    let (_, cost) = try test.database.measured {
      try table.forEach { row in
        if row.name == "a" { try table.insertList([Monitored(name: "from inside")]) }
      }
    }
    #expect(cost.statements.contains { $0.sql.hasPrefix("INSERT") && $0.rows == 1 })
    #expect(cost.statements.contains { $0.sql.hasPrefix("SELECT `pkid`") && $0.rows == 2 })
  }

  @Test func measured_otherDatabase_isNotCounted() throws {
    let other = try TestDatabase()
    let (_, cost) = try test.database.measured {
      try other.database.execute("CREATE TABLE t (a)")
    }
    #expect(cost.statements.isEmpty)
  }

  @Test func measured_otherThread_isNotCounted() throws {
    let table = table
    let (_, cost) = test.database.measured {
      let isDone = DispatchSemaphore(value: 0)
      Thread {
        _ = try? table.findAll()
        isDone.signal()
      }.start()
      isDone.wait()
    }
    #expect(cost.statements.isEmpty)
  }

  @Test func measured_blockThatThrows_throwsItAndLeavesNothingOn() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try test.database.measured {
        _ = try table.count()
        throw Failure()
      }
    }
    #expect(!test.database.core.signals.wants(.costs))
    #expect(try test.database.reading { $0.meter == nil } || XTCostTests.somebodyListens(test))
  }

  @Test func measured_whileSomebodyListens_bothKnow() throws {
    let ears = Ears(test, [.statements, .performance])
    let (_, cost) = try test.database.measured { try table.findAll() }
    let heard = ears.take()
    #expect(heard.statements.map(\.rows) == [2])
    #expect(heard.performances.count == 1)
    #expect(cost.rows == 2)
    try test.database.transaction {
      let (_, inner) = try test.database.measured { try table.findAll() }
      #expect(inner.rows == 2)
    }
    #expect(ears.take().statements.map(\.sql).contains { $0.hasPrefix("SELECT") })
  }

  @Test func description_ofACost_namesEachStatement() throws {
    let (_, cost) = try test.database.measured { try table.findAll() }
    let lines = "\(cost)".split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("inside SQLite"))
    #expect(lines[1].hasPrefix("  1 × SELECT"))
    #expect(lines[1].contains("2 rows"))
  }

  /// Another test may listen to every database at this moment.
  static func somebodyListens(_ test: TestDatabase) -> Bool {
    test.database.core.signals.wants(.ofStatements)
  }

  @Test(arguments: [
    (0, "0 ns"), (950, "950 ns"), (1_000, "1.0 µs"), (12_345, "12.3 µs"), (999_499, "999 µs"),
    (4_560_000, "4.56 ms"), (123_456_789, "123 ms"), (1_230_000_000, "1.23 s"),
    (4_000_000_000_000, "4000 s"),
  ])
  func nanoseconds_text_hasTheUnitThatSuits(_ nanoseconds: UInt64, _ text: String) {
    #expect(Nanoseconds.text(nanoseconds) == text)
  }
}
