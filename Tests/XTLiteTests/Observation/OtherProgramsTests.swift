import Foundation
import Testing

@testable import XTLite

@Suite struct OtherProgramsTests {
  @Test func otherProgramsWrites_areNoticedWhereThatIsAskedFor() async throws {
    let test = try TestDatabase()
    let people = test.table(LivePerson.self)
    try people.create()
    let asking = Watching(people.observeCount().noticingOtherPrograms(every: 0.01))
    let (runs, database) = (RunCount(), test.database)
    let other = Watching(
      database.observe {
        runs.advance()
        return try LivePerson.xt_count()
      })
    #expect(await asking.gets(0))
    #expect(await other.gets(0))
    for count in 1...5 {
      try test.outside("INSERT INTO LivePerson (name, age) VALUES ('\(count)', 1)")
      #expect(await asking.gets(count))
    }
    #expect(runs.count == 1)
    try people.insertList([LivePerson("own")])
    #expect(await asking.gets(6))
    #expect(await other.gets(6))
    try test.outside("DELETE FROM LivePerson")
    #expect(await asking.gets(0))
    #expect(runs.count == 2)
  }

  @Test(arguments: ["wal", "delete"])
  func otherProgram_isNoticedInEachJournalMode(_ mode: String) async throws {
    let test = try TestDatabase { $0.journalMode = mode == "wal" ? .wal : .delete }
    let people = test.table(LivePerson.self)
    try people.create()
    let watching = Watching(people.observeCount().noticingOtherPrograms(every: 0.01))
    #expect(await watching.gets(0))
    for count in 1...3 {
      try test.outside("INSERT INTO LivePerson (name, age) VALUES ('\(count)', 1)")
      #expect(await watching.gets(count))
    }
  }

  /// The table changes also behind what is remembered of it.
  @Test func otherProgram_mayChangeTheSchema() async throws {
    let test = try TestDatabase()
    let people = test.table(LivePerson.self)
    let watching = Watching(people.observe().noticingOtherPrograms(every: 0.01))
    #expect(await watching.gets([]))
    try test.outside(
      "CREATE TABLE LivePerson (pkid INTEGER PRIMARY KEY, name TEXT); "
        + "INSERT INTO LivePerson (name) VALUES ('a')")
    #expect(await watching.gets { $0.map(\.name) == ["a"] })
    try test.outside("DROP TABLE LivePerson")
    #expect(await watching.gets([]))
    #expect(watching.error == nil)
  }

  @Test func interval_isOneThatCanBeWaitedFor() async throws {
    let test = try TestDatabase()
    let people = test.table(LivePerson.self)
    let given: [Double] = [.nan, .signalingNaN, -1, 0, -.infinity, 0.5, .infinity]
    let taken = given.map { people.observe().noticingOtherPrograms(every: $0).pollInterval }
    #expect(taken == [1, 1, 0.01, 0.01, 0.01, 0.5, .infinity])
    #expect(people.observe().pollInterval == nil)
  }

  @Test func ownWritesAlone_makeNobodyReadTwice() async throws {
    let test = try TestDatabase()
    let database = test.database
    try test.table(LivePerson.self).create()
    let runs = RunCount()
    let watching = Watching(
      database.observe {
        runs.advance()
        return try LivePerson.xt_count()
      }.noticingOtherPrograms(every: 0.01))
    #expect(await watching.gets(0))
    // Until it knows SQLite's count, the file alone can tell, which own writes change too.
    try test.table(LivePet.self).insertList([LivePet("p")])
    try await Task.sleep(nanoseconds: 100_000_000)
    let known = runs.count
    #expect(known <= 2)
    for _ in 0..<10 {
      try test.table(LivePet.self).insertList([LivePet("p")])
      try await Task.sleep(nanoseconds: 15_000_000)
    }
    #expect(runs.count <= known + 1)
  }
}
