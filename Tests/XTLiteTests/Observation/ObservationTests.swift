import Foundation
import Testing

@testable import XTLite

@Suite struct ObservationTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase()
    try database.table(LivePerson.self).create()
    try database.table(LivePet.self).create()
  }

  func insert(_ name: String, _ age: Int = 0) throws {
    try database.table(LivePerson.self).insertList([LivePerson(name, age)])
  }

  // MARK: Values

  @Test func observe_givesTheFirstValueAtOnceAndOneAfterEachCommit() async throws {
    try insert("a", 20)
    let watching = Watching(
      database.table(LivePerson.self).observe(where: \.age > 17, orderBy: .desc(\.name), limit: 2))
    #expect(await watching.gets { $0.map(\.name) == ["a"] })
    try insert("b", 30)
    #expect(await watching.gets { $0.map(\.name) == ["b", "a"] })
    try insert("c", 40)
    #expect(await watching.gets { $0.map(\.name) == ["c", "b"] })
    #expect(watching.values.count == 3)
  }

  @Test func valueThatEqualsTheLast_isLeftOut() async throws {
    let watching = Watching(database.table(LivePerson.self).observe(where: \.age > 17))
    #expect(await watching.has(1))
    try insert("young", 3)
    try insert("old", 30)
    #expect(await watching.gets { $0.count == 1 })
    #expect(watching.values.count == 2)
  }

  @Test func valueOfATypeThatIsNotEquatable_comesAfterEachCommit() async throws {
    let pets = database.table(LivePet.self)
    let watching = Watching(pets.observe(where: \.name == "nobody"))
    for count in 1...3 {
      #expect(await watching.has(count))
      try pets.insertList([LivePet("a")])
    }
    #expect(await watching.has(4))
    #expect(watching.values.map(\.count) == [0, 0, 0, 0])
  }

  @Test func rowsOfOtherTables_wakeNobody() async throws {
    let runs = RunCount()
    let people = database.table(LivePerson.self)
    let watching = Watching(
      database.observe {
        runs.advance()
        return try people.count()
      })
    #expect(await watching.has(1))
    for _ in 0..<20 { try database.table(LivePet.self).insertList([LivePet("p")]) }
    try database.table(LivePet.self).deleteAll()
    try insert("a")
    #expect(await watching.gets(1))
    #expect(runs.count == 2)
  }

  @Test func rollback_wakesNobody() async throws {
    struct Failure: Error {}
    let (runs, database) = (RunCount(), database)
    let watching = Watching(
      database.observe {
        runs.advance()
        return try LivePerson.xt_count()
      })
    #expect(await watching.has(1))
    #expect(throws: Failure.self) {
      try blocking {
        try database.transaction {
          try insert("a")
          throw Failure()
        }
      }
    }
    try blocking {
      try database.transaction {
        try insert("a")
        try database.rollback()
      }
    }
    try database.executeScript("BEGIN; DELETE FROM LivePerson; ROLLBACK")
    #expect(throws: XTError.self) {
      try database.executeScript("INSERT INTO LivePerson (name) SELECT NULL")
    }
    let transaction = try await database.begin()
    try transaction.asCurrent { try insert("b") }
    try transaction.rollback()
    try blocking {
      try database.transaction {
        try? database.savepoint {
          try insert("c")
          throw Failure()
        }
      }
    }
    try insert("d")
    #expect(await watching.gets(1))
    #expect(runs.count == 2)
  }

  @Test func slowReader_getsTheNewestAlone() async throws {
    let gate = Flag()
    let watching = Watching(database.table(LivePerson.self).observeCount()) { count in
      if count == 0 { _ = await until { gate.isSet } }
    }
    #expect(await watching.has(1))
    for index in 0..<50 { try insert("\(index)") }
    gate.set(true)
    #expect(await watching.gets(50))
    #expect(watching.values == [0, 50])
  }

  @Test func value_isNeverOneOfAnOpenTransaction() async throws {
    let (database, runs) = (database, RunCount())
    let watching = Watching(
      database.observe {
        runs.advance()
        return try LivePerson.xt_count()
      })
    #expect(await watching.has(1))
    let transaction = try await database.begin()
    try transaction.table(LivePerson.self).insertList([LivePerson("a"), LivePerson("b")])
    let other = Watching(database.table(LivePerson.self).observeCount())
    let inside = Watching(transaction.table(LivePerson.self).observeCount())
    let rows = Watching(transaction.table(LivePerson.self).observe(), as: \.count)
    #expect(await other.gets(0))
    #expect(await inside.gets(0))
    #expect(await rows.gets(0))
    try transaction.table(LivePerson.self).insertList([LivePerson("c")])
    #expect(runs.count == 1)
    try transaction.commit()
    #expect(await watching.gets(3))
    #expect(await other.gets(3))
    #expect(await inside.gets(3))
    #expect(await rows.gets(3))
    #expect(watching.values == [0, 3])
  }

  /// Of what it wrote before, nobody took note.
  @Test func observerThatComesDuringATransaction_seesItsCommit() async throws {
    let database = database
    let (hasWritten, mayEnd) = (Flag(), Flag())
    // The transaction ends by nothing else: beside the rest of the suite, an observer's task may wait
    // for minutes until it runs.
    defer { mayEnd.set(true) }
    let ended = Task {
      try await database.transaction {
        try LivePerson.xt_insertList([LivePerson("a")])
        hasWritten.set(true)
        while !mayEnd.isSet { Thread.sleep(forTimeInterval: 0.002) }
      }
    }
    #expect(await until { hasWritten.isSet })
    let watching = Watching(database.table(LivePerson.self).observeCount())
    #expect(await watching.gets(0))
    mayEnd.set(true)
    try await ended.value
    #expect(await watching.gets(1))
  }

  @Test func observer_mayQueryAndWriteWhatItObserves() async throws {
    let people = database.table(LivePerson.self)
    let watching = Watching(people.observeCount()) { [database] count in
      guard count < 10 else { return }
      #expect(try people.count() >= count)
      if count % 2 == 0 {
        try blocking {
          try database.transaction { try people.insertList([LivePerson("n\(count)")]) }
        }
      } else {
        try await database.transaction { try LivePerson.xt_insertList([LivePerson("n\(count)")]) }
      }
    }
    #expect(await watching.gets(10))
    #expect(watching.error == nil)
    #expect(watching.values == Array(0...10))
  }

  // MARK: What is observed

  @Test func oneModel_byNumberAndByItself_followsItsRow() async throws {
    var person = LivePerson("a", 1)
    let people = database.table(LivePerson.self)
    try people.insert(&person)
    let pkid = try #require(person.pkid)
    let byNumber = Watching(people.observe(pkid: pkid))
    let byItself = Watching(people.observe(person))
    var unnumbered = person
    unnumbered.pkid = nil
    let byName = Watching(people.observe(unnumbered))
    for watching in [byNumber, byItself, byName] {
      #expect(await watching.gets { $0?.age == 1 })
    }
    person.age = 2
    try people.update(person)
    for watching in [byNumber, byItself, byName] {
      #expect(await watching.gets { $0?.age == 2 })
    }
    try people.softDelete(person)
    for watching in [byNumber, byItself, byName] {
      #expect(await watching.gets { $0 == nil })
      #expect(watching.values.count == 3)
    }
  }

  @Test func modelWithoutIdentity_throwsByTheFirstValue() async throws {
    let watching = Watching(database.table(LivePet.self).observe(LivePet("x")))
    #expect(await until { watching.isOver })
    #expect((watching.error as? XTError)?.kind == .noIdentity)
  }

  @Test func query_followsEachOfItsTables() async throws {
    let people = database.table(LivePerson.self)
    let query = people.query()
      .join(LivePet.self, on: LivePet.xt.owner == LivePerson.xt.pkid)
      .columns(LivePerson.xt.name, LivePet.xt.name)
    let all = Watching(query.observe(), as: { $0.map { "\($0.0) \($0.1)" } })
    let count = Watching(query.observeCount())
    let first = Watching(query.observeFirst(), as: { $0.map { "\($0.0) \($0.1)" } })
    #expect(await all.gets([]))
    var person = LivePerson("a")
    try people.insert(&person)
    try database.table(LivePet.self).insertList([LivePet("cat", owner: person.pkid)])
    #expect(await all.gets(["a cat"]))
    #expect(await count.gets(1))
    #expect(await first.gets("a cat"))
    person.name = "b"
    try people.update(person)
    #expect(await all.gets(["b cat"]))
    #expect(await first.gets("b cat"))
  }

  @Test func closure_mayReadOtherTablesFromTimeToTime() async throws {
    let runs = RunCount()
    let watching = Watching(
      database.observe {
        runs.advance()
        return try LivePerson.xt_count() == 0 ? -1 : try LivePet.xt_count()
      })
    #expect(await watching.gets(-1))
    let pets = database.table(LivePet.self)
    try pets.insertList([LivePet("a")])
    try insert("a")
    #expect(await watching.gets(1))
    #expect(runs.count == 2)
    try pets.insertList([LivePet("b")])
    #expect(await watching.gets(2))
    try database.table(LivePerson.self).deleteAll()
    #expect(await watching.gets(-1))
    let count = runs.count
    try pets.deleteAll()
    try insert("b")
    #expect(await watching.gets(0))
    #expect(runs.count == count + 1)
  }

  @Test func closureThatWrites_endsWithReadOnly() async throws {
    let watching = Watching(
      database.observe { try LivePerson.xt_insertList([LivePerson("x")]) })
    #expect(await until { watching.isOver })
    #expect((watching.error as? XTError)?.kind == .readOnly)
    database.expectNobodyObserves()
  }

  @Test func objects_areObservedToo() async throws {
    let objects = database.table(LiveObject.self)
    let watching = Watching(objects.observe(), as: { $0.map { "\($0.name) \($0.size)" } })
    #expect(await watching.gets([]))
    let object = LiveObject()
    object.name = "a"
    try objects.insert(object)
    #expect(await watching.gets(["a 0"]))
    let one = Watching(objects.observe(object), as: { $0?.size })
    #expect(await one.gets(0))
    object.size = 7
    try objects.update(object)
    #expect(await watching.gets(["a 7"]))
    #expect(await one.gets(7))
  }

  // MARK: Ends

  @Test func readThatThrows_endsTheSequenceWithThat() async throws {
    struct Failure: Error {}
    let watching = Watching(
      database.observe {
        let count = try LivePerson.xt_count()
        if count == 1 { throw Failure() }
        return count
      })
    #expect(await watching.gets(0))
    try insert("a")
    #expect(await until { watching.isOver })
    #expect(watching.error is Failure)
    #expect(watching.values == [0])
    try blocking { try database.read {} }
    database.expectNobodyObserves()
  }

  @Test func close_endsTheSequencesOfThatValueAlone() async throws {
    let other = try XTDatabase(path: test.path, configuration: database.configuration)
    let watching = Watching(database.table(LivePerson.self).observeCount())
    let otherWatching = Watching(other.table(LivePerson.self).observeCount())
    #expect(await watching.has(1))
    #expect(await otherWatching.has(1))
    try other.close()
    #expect(await until { otherWatching.isOver })
    #expect(otherWatching.error == nil)
    try insert("a")
    #expect(await watching.gets(1))
    try database.close()
    #expect(await until { watching.isOver })
    #expect(watching.error == nil)
  }

  @Test func closedDatabase_givesNothing() async throws {
    let observation = database.table(LivePerson.self).observeCount()
    try database.close()
    let watching = Watching(observation)
    #expect(await until { watching.isOver })
    #expect(watching.values == [])
  }

  @Test func suspendedDatabase_goesOnAfterwards() async throws {
    let watching = Watching(database.table(LivePerson.self).observeCount())
    #expect(await watching.has(1))
    try database.suspend()
    try await Task.sleep(nanoseconds: 20_000_000)
    database.resume()
    try insert("a")
    #expect(await watching.gets(1))
    #expect(watching.error == nil)
  }

  @Test func otherFileInItsPlace_isRead() async throws {
    let watching = Watching(database.table(LivePerson.self).observeCount())
    #expect(await watching.gets(0))
    let copy = test.path + ".copy"
    try insert("a")
    #expect(await watching.gets(1))
    try blocking { try database.backup(to: copy) }
    try insert("b")
    #expect(await watching.gets(2))
    try blocking { try database.restore(from: copy) }
    #expect(await watching.gets(1))
    try insert("c")
    #expect(await watching.gets(2))
  }
}
