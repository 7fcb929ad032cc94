import Foundation
import Testing

@testable import XTLite

/// What observing may not cost.
@Suite struct CostTests {
  @Test func idleObserver_makesNoStatementPreparedAgain() async throws {
    let test = try TestDatabase()
    let (database, pets) = (test.database, test.table(LivePet.self))
    try pets.insertList([LivePet("a")])
    let watching = Watching(test.table(LivePerson.self).observeCount())
    #expect(await watching.has(1))
    func prepared(_ body: () throws -> Void) rethrows -> Int {
      let before = database.core.ledger[.prepared]
      try body()
      return database.core.ledger[.prepared] - before
    }
    func write() throws {
      var pet = LivePet("b")
      try pets.insert(&pet)
      try pets.update(pet)
      try pets.insertList([LivePet("c"), LivePet("d")])
      try pets.delete(where: \.name == "c")
    }
    try write()
    #expect(try prepared { for _ in 0..<20 { try write() } } == 0)
    watching.cancel()
    #expect(await until { watching.isOver })
    try write()
    #expect(try prepared { for _ in 0..<20 { try write() } } == 0)
  }

  /// A closure that is wrapped anew at each use would make each commit dearer than the one before.
  @Test func manyCommits_areAllHeardOf() async throws {
    let database = try XTDatabase.inMemory()
    try database.executeScript("CREATE TABLE t (a); CREATE TABLE u (a)")
    let runs = RunCount()
    let watching = Watching(
      database.observe {
        runs.advance()
        return try database.anyFunc(sql: "SELECT max(a) FROM u")?.int64 ?? 0
      })
    #expect(await watching.has(1))
    try blocking {
      try database.write {
        for index in 0..<20_000 { try database.execute("INSERT INTO t VALUES (\(index))") }
        try database.execute("INSERT INTO u VALUES (7)")
      }
    }
    #expect(await watching.gets(7))
    #expect(runs.count == 2)
  }

  /// Each of its statements is another one to SQLite.
  @Test func longScript_isOneCommit() async throws {
    let test = try TestDatabase { $0.statementLog = nil }
    try test.table(LivePet.self).create()
    let watching = Watching(test.table(LivePet.self).observeCount())
    #expect(await watching.gets(0))
    let script = (0..<3_000).map { "INSERT INTO LivePet (name) VALUES ('\($0)');" }
    try test.database.executeScript("BEGIN; \(script.joined()) COMMIT")
    #expect(await watching.gets(3_000))
    #expect(watching.values == [0, 3_000])
  }
}
