import Foundation
import Testing

@testable import XTLite

/// Several threads, connections and processes that write to one file.
@Suite struct ConcurrentWritingTests {
  /// Runs `body` on as many threads of their own, and throws what one of them threw.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      let thread = Thread {
        do {
          try body(index)
        } catch {
          failure.withLock { $0 = error }
        }
        group.leave()
      }
      thread.start()
    }
    #expect(group.wait(timeout: .now() + 900) == .success)
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  @Test func eightThreads_eachReadsItsOwnPkidBack() throws {
    let test = try TestDatabase()
    let database = test.database
    try onThreads(8) { thread in
      let (members, vessels) = (database.table(Member.self), database.table(Vessel.self))
      for number in 0..<250 {
        var member = Member(name: "\(thread) \(number)", age: thread)
        let pkid = try members.insert(&member)
        let vessel = Vessel("\(thread) \(number)", length: thread)
        try vessels.insert(vessel)
        #expect(member.pkid == pkid)
        #expect(try members.find(pkid: pkid) == member)
        #expect(try vessels.find(pkid: vessel.pkid ?? 0)?.name == vessel.name)
      }
    }
    #expect(
      try test.seen("SELECT count(*), count(DISTINCT pkid), max(pkid) FROM Member") == [
        "2000|2000|2000"
      ])
    #expect(try test.seen("SELECT count(DISTINCT name) FROM Vessel") == ["2000"])
    #expect(
      try test.seen("SELECT age, count(*) FROM Member GROUP BY age") == (0..<8).map { "\($0)|250" })
  }

  @Test func threads_ofListsAndSavesOfOneTable_loseNothing() throws {
    let test = try TestDatabase()
    let database = test.database
    try onThreads(8) { thread in
      let table = database.table(Member.self)
      for round in 0..<10 {
        var list = (0..<10).map { Member(name: "\(thread) \($0)", age: round) }
        if round == 0 {
          try table.insertList(&list)
        } else {
          try table.upsertList(&list, by: \.name)
        }
        #expect(try table.find(pkids: list.compactMap(\.pkid)).count == 10)
        try database.transaction {
          #expect(try table.updateList(list) == 10)
          var shared = Member(
            name: "shared", age: (try table.findFirst(where: \.name == "shared")?.age ?? 0) + 1)
          try table.upsert(&shared, by: \.name)
        }
      }
    }
    #expect(try test.seen("SELECT count(*) FROM Member") == ["81"])
    #expect(try test.seen("SELECT age FROM Member WHERE name = 'shared'") == ["80"])
  }

  @Test func firstVerbs_onManyThreads_makeTheTableOnce() throws {
    let test = try TestDatabase()
    let database = test.database
    try onThreads(8) { thread in
      var member = Member(name: "\(thread)")
      try database.table(Member.self).insert(&member)
      try database.table(Memo.self, named: "M\(thread % 2)").insertList([Memo(text: "\(thread)")])
    }
    #expect(try test.seen("SELECT count(*) FROM Member") == ["8"])
    #expect(try test.seen("SELECT (SELECT count(*) FROM M0) + (SELECT count(*) FROM M1)") == ["8"])
  }

  @Test func oneObject_onManyThreads_isOneRow() throws {
    let test = try TestDatabase()
    let database = test.database
    let vessel = Vessel("shared")
    try database.table(Vessel.self).insert(vessel)
    nonisolated(unsafe) let shared = vessel
    try onThreads(4) { _ in
      for _ in 0..<50 { try database.table(Vessel.self).update(shared) }
    }
    #expect(try test.seen("SELECT pkid, name FROM Vessel") == ["1|shared"])
  }

  // MARK: Two levels deep

  /// Nothing may hang: whatever runs for five seconds fails the test.
  private func underWatchdog(_ body: @escaping @Sendable () throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    Thread.detachNewThread {
      do { try body() } catch { failure.withLock { $0 = error } }
      done.signal()
    }
    try #require(done.wait(timeout: .now() + 900) == .success, "it hangs")
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  @Test func verbsInsideBlocks_twoLevelsDeep_runOrThrowAndNeverHang() throws {
    let test = try TestDatabase()
    let database = test.database
    try test.table(Member.self).insertList([Member(name: "a")])
    typealias Block = @Sendable (() throws -> Void) throws -> Void
    let blocks: [Block] = [
      { (body: () throws -> Void) in try database.transaction(body) },
      { (body: () throws -> Void) in try database.savepoint(body) },
      { (body: () throws -> Void) in try database.write(body) },
      { (body: () throws -> Void) in try database.read(body) },
      { (body: () throws -> Void) in try database.asCurrent(body) },
    ]
    let verbs: [@Sendable () throws -> Void] = [
      {
        var member = Member(name: UUID().uuidString); try member.xt_insert()
      },
      { try Member.xt_insertList([Member(name: UUID().uuidString)]) },
      {
        var member = Member(name: "a"); try member.xt_upsert(by: \.name)
      },
      {
        var member = Member(name: "a"); try member.xt_save()
      },
      { try Member(name: "a").xt_update() },
      { try Member.xt_updateList([Member(name: "a")]) },
      { try Member.xt_updateAll(.add(\.age, 1)) },
      { try Member.xt_deleteModelWhere(\.name == "none") },
      { try Member(name: "a").xt_softDelete() },
      { _ = try Member.xt_findAll() },
      { _ = try Member.xt_count() },
      { try Vessel(UUID().uuidString).xt_insert() },
      { try Memo.xt_createTable() },
      { try Memo.xt_dropTable() },
      {
        _ = try database.transaction { try Member.xt_insertList([Member(name: UUID().uuidString)]) }
      },
    ]
    for outer in blocks.indices {
      for inner in blocks.indices {
        let reads = outer == 3 || inner == 3
        // A block that could write, inside one that only reads, throws by itself.
        let isRefused = outer == 3 && inner < 3
        for (index, verb) in verbs.enumerated() {
          let isWrite = index != 9 && index != 10
          let mayThrow = reads && isWrite || isRefused
          let (first, second) = (blocks[outer], blocks[inner])
          do {
            try underWatchdog {
              try database.asCurrent { try first { try second { try verb() } } }
            }
            #expect(!mayThrow, "\(outer) \(inner) \(index)")
          } catch let error as XTError {
            #expect(mayThrow && error.kind == .readOnly, "\(outer) \(inner) \(index): \(error)")
          }
        }
      }
    }
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
  }

  // MARK: Two connections

  @Test func readBlock_whileAnotherConnectionWrites_thenWritesItself() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a")])
    try test.database.read {
      #expect(try table.count() == 1)
      try test.outside("INSERT INTO Member (name) VALUES ('other')")
      #expect(try table.count() == 1)
    }
    var mine = Member(name: "mine")
    try table.insert(&mine)
    // A block that has read, and then writes, has had the lock from its beginning.
    try test.database.transaction {
      #expect(try table.count() == 3)
      let other = Thread { try? test.outside("INSERT INTO Member (name) VALUES ('late')") }
      other.start()
      Thread.sleep(forTimeInterval: 0.1)
      try table.insertList([Member(name: "after reading")])
    }
    let deadline = Date() + 10
    while try table.count() < 5, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
    #expect(try table.count() == 5)
  }

  @Test func anotherConnectionsLock_isWaitedForUpToTheLimit() throws {
    let test = try TestDatabase { $0.busyTimeout = 0.6 }
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a")])
    let other = try Connection(ConnectionSettings(path: test.path))
    defer { other.close() }
    try other.openScope(immediate: true)
    for verb in [
      { try table.insertList([Member(name: "b")]) }, { try table.updateAll(.add(\.age, 1)) },
      { try table.update(Member(name: "a")) },
      { try test.database.transaction { try table.deleteAll() } },
    ] as [() throws -> Int] {
      let start = Date()
      let error = #expect(throws: XTError.self) { _ = try verb() }
      #expect(error?.kind == .locked)
      #expect((0.5...5).contains(Date().timeIntervalSince(start)))
    }
    #expect(try table.count() == 1)
    other.rollBackScope()
    #expect(try table.insertList([Member(name: "b")]) == 1)
  }

  @Test func anotherConnectionsLock_thatEndsInTime_isNoError() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a")])
    let path = test.path
    let hasLock = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      guard let other = try? Connection(ConnectionSettings(path: path)) else { return }
      defer { other.close() }
      try? other.inTransaction {
        hasLock.signal()
        Thread.sleep(forTimeInterval: 0.3)
        try other.run("INSERT INTO Member (name) VALUES ('other')")
      }
    }
    hasLock.wait()
    var mine = Member(name: "mine")
    #expect(try table.insert(&mine) == 3)
    #expect(try test.seen("SELECT name FROM Member ORDER BY pkid") == ["a", "other", "mine"])
  }

  // MARK: Two processes

  @Test func twoProcesses_of200WritesEach_loseNone() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("shared.sqlite")
    async let first = ChildWriter.run(path, name: "first")
    async let second = ChildWriter.run(path, name: "second")
    _ = try await (first, second)
    let database = try XTDatabase(path: path)
    let table = database.table(Member.self)
    #expect(try table.count() == 401)
    for name in ["first", "second"] {
      #expect(try table.count(where: (\Member.name).startsWith(name)) == 200)
    }
    #expect(try table.findFirst(where: \.name == "shared")?.age == 200)
    #expect(try database.anyFunc(sql: "PRAGMA integrity_check") == .text("ok"))
    try database.close()
  }
}

/// What one of the two processes does.
private enum ChildWriter {
  static func run(_ path: String, name: String) async throws {
    await #expect(processExitsWith: .success) { [path, name] in
      let database = try XTDatabase(path: path)
      let table = database.table(Member.self)
      for number in 0..<100 {
        var member = Member(name: "\(name) \(number)")
        let pkid = try table.insert(&member)
        #expect(try table.find(pkid: pkid) == member)
      }
      for round in 0..<10 {
        try table.insertList((0..<10).map { Member(name: "\(name) list \(round) \($0)") })
      }
      for _ in 0..<100 {
        try database.transaction {
          let age = try table.findFirst(where: \.name == "shared")?.age ?? 0
          var shared = Member(name: "shared", age: age + 1)
          try table.upsert(&shared, by: \.name)
        }
      }
      try database.close()
    }
  }
}
