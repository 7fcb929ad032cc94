import Foundation
import Testing

@testable import XTLite

/// What is left when nobody observes any more: nothing.
@Suite struct ObservationEndTests {
  @Test func hooks_areThereOnlyWhileSomebodyObserves() async throws {
    let test = try TestDatabase()
    let (database, people) = (test.database, test.table(LivePerson.self))
    try people.insertList([LivePerson("a")])
    database.expectNobodyObserves()
    let watching = Watching(people.observeCount())
    #expect(await watching.gets(1))
    try people.insertList([LivePerson("b")])
    #expect(await watching.gets(2))
    #expect(database.core.commits.wanted == .tables)
    watching.cancel()
    #expect(await until { watching.isOver })
    #expect(watching.error == nil)
    database.expectNobodyObserves()
    try people.insertList([LivePerson("c")])
    #expect(try people.count() == 3)
    database.expectNobodyObserves()
  }

  @Test func loopThatIsLeft_endsIt() async throws {
    let test = try TestDatabase()
    let people = test.table(LivePerson.self)
    try people.create()
    for try await count in people.observeCount() {
      #expect(count == 0)
      #expect(LiveHub.of(test.database).counts.observers == 1)
      break
    }
    test.database.expectNobodyObserves()
    for try await _ in test.database.observe({ 1 }).noticingOtherPrograms(every: 0.01) { break }
    test.database.expectNobodyObserves()
  }

  @Test func iteratorThatIsDropped_endsIt() async throws {
    let test = try TestDatabase()
    do {
      var iterator = test.table(LivePerson.self).observeCount().makeAsyncIterator()
      #expect(try await iterator.next() == 0)
      #expect(LiveHub.of(test.database).counts.observers == 1)
    }
    test.database.expectNobodyObserves()
  }

  @Test func copiesOfAnIterator_thatWaitAtOneTime_allGoOn() async throws {
    let test = try TestDatabase()
    let people = test.table(LivePerson.self)
    try people.create()
    do {
      var iterator = people.observeCount().makeAsyncIterator()
      #expect(try await iterator.next() == 0)
      try await expectAllGoOn(people) { [copy = Unshared(iterator)] in
        var iterator = copy.value
        return try await iterator.next() != nil
      }
    }
    do {
      var changes = test.database.changes.makeAsyncIterator()
      try people.insertList([LivePerson("first")])
      #expect(await changes.next() != nil)
      try await expectAllGoOn(people) { [copy = Unshared(changes)] in
        var iterator = copy.value
        return await iterator.next() != nil
      }
    }
    test.database.expectNobodyObserves()
  }

  /// What the compiler can't see to be used by several tasks, and is.
  private struct Unshared<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private func expectAllGoOn(
    _ people: XTTable<LivePerson>, _ next: @escaping @Sendable () async throws -> Bool
  ) async throws {
    let ended = RunCount()
    let tasks = (0..<3).map { _ in
      Task {
        let goesOn = try await next()
        #expect(goesOn)
        ended.advance()
      }
    }
    let haveAllEnded = try await until {
      try people.insertList([LivePerson("of \(UUID())")])
      return ended.count == tasks.count
    }
    #expect(haveAllEnded)
    for task in tasks { try await task.value }
  }

  @Test func taskThatIsCancelledBeforehand_getsNothing() async throws {
    let test = try TestDatabase()
    let observation = test.table(LivePerson.self).observeCount()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var values: [Int] = []
      for try await value in observation { values.append(value) }
      return values
    }
    task.cancel()
    #expect(try await task.value == [])
    test.database.expectNobodyObserves()
  }

  @Test func cancellingWhileItReads_endsItWithoutAnError() async throws {
    let test = try TestDatabase()
    let database = test.database
    let hasBegun = Flag()
    let watching = Watching(
      database.observe {
        hasBegun.set(true)
        return try database.anyFunc(
          sql: """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000)
            SELECT count(*) FROM n
            """)
      })
    #expect(await until { hasBegun.isSet })
    watching.cancel()
    #expect(await until { watching.isOver })
    #expect(watching.error == nil)
    #expect(watching.values == [])
    database.expectNobodyObserves()
  }

  /// What a closure captures goes with it.
  private final class Captured: Sendable {}

  @Test func tenThousandObservers_leaveNothing() async throws {
    let count = 10_000
    weak var weakDatabase: XTDatabase?
    weak var weakHub: LiveHub?
    weak var weakCaptured: Captured?
    do {
      let database = try XTDatabase(path: TemporaryFile.shared.path, configuration: .init())
      let people = database.table(LivePerson.self)
      try people.create()
      try people.deleteAll()
      weakDatabase = database
      let (got, first) = (RunCount(), RunCount())
      do {
        let captured = Captured()
        weakCaptured = captured
        let observation = database.observe {
          withExtendedLifetime(captured) {}
          return try LivePerson.xt_count()
        }
        let tasks = (0..<count).map { _ in
          Task {
            for try await value in observation {
              if value == 0 { first.advance() } else { got.advance() }
            }
          }
        }
        #expect(await until { first.count == count })
        let hub = LiveHub.of(database)
        weakHub = hub
        #expect(hub.counts.observers == count)
        try people.insertList([LivePerson("a")])
        #expect(
          await until { got.count == count },
          "\(got.count) \(hub.counts) \(database.core.readers.counts) \(database.core.readers.waiting)"
        )
        for task in tasks { task.cancel() }
        for task in tasks { try await task.value }
        #expect(hub.counts == (0, 0, 0))
      }
      database.expectNobodyObserves()
      #expect(first.count == count && got.count == count)
    }
    #expect(await until { weakDatabase == nil && weakHub == nil && weakCaptured == nil })
  }

  @Test func observersThatEndInLine_leaveIt() async throws {
    let test = try TestDatabase { $0.maximumReaders = 2 }
    let (database, gate, hasBegun) = (test.database, Flag(), Flag())
    defer { gate.set(true) }
    let long = Watching(
      database.observe {
        hasBegun.set(true)
        while !gate.isSet { Thread.sleep(forTimeInterval: 0.002) }
        return 1
      })
    #expect(await until { hasBegun.isSet })
    let hub = LiveHub.of(database)
    let last = Watching(database.observe { 2 })
    for _ in 0..<20 {
      let others = (0..<20).map { _ in Watching(database.observe { 3 }) }
      // With the long one, the last, and what each of those who wait is.
      #expect(await until { hub.counts.observers == 22 && hub.counts.places >= 44 - 1 })
      for other in others { other.cancel() }
      #expect(await until { others.allSatisfy(\.isOver) })
      #expect(others.allSatisfy { $0.values.isEmpty })
      #expect(hub.counts.observers == 2 && hub.counts.places < 10)
    }
    gate.set(true)
    #expect(await last.gets(2))
    #expect(await long.gets(1))
  }

  /// As the tests of memory need it: the database is held by nobody else.
  private final class TemporaryFile: Sendable {
    static let shared = TemporaryFile()
    let path: String
    private let folder: TemporaryFolder?

    init() {
      folder = try? TemporaryFolder()
      path = folder?.path("observed.sqlite") ?? ""
    }
  }
}
