import Foundation
import Testing

@testable import XTLite

/// What comes in the way of those who observe.
@Suite struct ObservationBreakTortureTests {
  /// Those who stay see the last value, those who go leave nothing, whenever they do.
  @Test func observersThatComeAndGo_besideWrites_leaveTheOthersRight() async throws {
    let test = try TestDatabase { $0.maximumReaders = 3 }
    let (database, people) = (test.database, test.table(LivePerson.self))
    try people.create()
    let staying = (0..<20).map { _ in Watching(people.observeCount()) }
    let count = Torture.part(of: 2_000)
    let hasEnded = Flag()
    let going = (0..<4).map { _ in
      Task {
        while !hasEnded.isSet {
          let some = (0..<8).map { index in
            Watching(index % 2 == 0 ? people.observeCount() : database.observe { 1 })
          }
          if Bool.random() { await Task.yield() }
          if Bool.random() { #expect(await some[0].has(1)) }
          for watching in some.shuffled() { watching.cancel() }
          for watching in some {
            #expect(await until { watching.isOver })
            #expect(watching.error == nil)
          }
        }
      }
    }
    for index in 0..<count {
      try await database.transaction { try LivePerson.xt_insertList([LivePerson("\(index)")]) }
    }
    hasEnded.set(true)
    for task in going { await task.value }
    for watching in staying {
      #expect(await watching.gets(count))
      #expect(watching.values == watching.values.sorted())
    }
    #expect(await until { LiveHub.of(database).counts.observers == staying.count })
    for watching in staying { watching.cancel() }
    #expect(await until { LiveHub.of(database).counts == (0, 0, 0) })
    database.expectNobodyObserves()
  }

  /// The database is closed while values and changes are on their way.
  @Test func closing_whileValuesCome_endsEachWithoutAnError() async throws {
    for round in 0..<Torture.part(of: 200) {
      let test = try TestDatabase { $0.statementLog = nil }
      let (database, people) = (test.database, test.table(LivePerson.self))
      try people.create()
      let watching = (0..<10).map { _ in Watching(people.observeCount()) }
      let changes = Task {
        var numbers: [Int64] = []
        for await change in database.changes {
          if change.table == "LivePerson", let pkid = change.pkid { numbers.append(pkid) }
        }
        return numbers
      }
      #expect(await until { LiveHub.of(database).counts.feeds == 1 })
      let writing = Task {
        var written = 0
        do {
          for index in 0..<1_000 {
            try await database.transaction {
              _ = try LivePerson.xt_insertList([LivePerson("\(index)")])
            }
            written += 1
          }
        } catch let error as XTError where error.kind == .closed {}
        return written
      }
      if round % 2 == 0 { #expect(await watching[0].has(2)) }
      try blocking { try database.close() }
      let written = try await writing.value
      for each in watching {
        #expect(await until { each.isOver })
        #expect(each.error == nil)
      }
      // Each commit, and nothing more.
      #expect(await changes.value == (0..<written).map { Int64($0 + 1) })
    }
  }

  /// What is observed goes, comes back and changes its shape.
  @Test func tableThatIsDroppedAndUpgraded_besideReading_isReadRight() async throws {
    let test = try TestDatabase { $0.statementLog = nil }
    let people = test.table(LivePerson.self)
    let watching = (0..<5).map { _ in
      Watching(people.observe(orderBy: .asc(\.name)), as: { $0.map(\.name) })
    }
    for step in 0..<Torture.part(of: 300) {
      try people.insertList([LivePerson("a\(step)")])
      switch step % 4 {
      case 0: try people.drop()
      case 1: try test.database.executeScript("ALTER TABLE LivePerson ADD COLUMN extra\(step)")
      case 2:
        try test.database.executeScript(
          "DROP TABLE LivePerson; CREATE TABLE LivePerson (pkid INTEGER PRIMARY KEY AUTOINCREMENT,"
            + " name TEXT UNIQUE NOT NULL DEFAULT '')")
        try people.insertList([LivePerson("b")])
      default: try people.deleteAll()
      }
    }
    try people.insertList([LivePerson("z")])
    for each in watching {
      #expect(await each.gets { $0.last == "z" })
      #expect(each.error == nil)
    }
  }

  /// Of the C API's ways to write many rows at once.
  @Test func rowsOfAnotherTable_copiedAtOnce_areToldOneByOne() async throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE a (id INTEGER PRIMARY KEY, v); INSERT INTO a VALUES (1, 'x'), (2, 'y');
        CREATE TABLE b (id INTEGER PRIMARY KEY, v);
        CREATE TABLE c (id TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO c VALUES ('p', 1);
        CREATE TABLE d (id TEXT PRIMARY KEY, v) WITHOUT ROWID;
        """)
    let database = test.database
    var iterator = database.changes.makeAsyncIterator()
    try database.executeScript("INSERT INTO b SELECT * FROM a; INSERT INTO d SELECT * FROM c")
    for expected in [1, 2] {
      let change = await iterator.next()
      #expect(change?.kind == .insert && change?.table == "b" && change?.pkid == Int64(expected))
      if XTChange.tellsValues {
        #expect(
          change?.new?.values == [.integer(Int64(expected)), .text(expected == 1 ? "x" : "y")])
      }
    }
    let last = await iterator.next()
    #expect(last?.table == "d")
    if XTChange.tellsValues { #expect(last?.new?.values == [.text("p"), .integer(1)]) }
  }
}
