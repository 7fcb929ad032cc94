import Foundation
import Testing

@testable import XTLite

/// What objects know after a transaction that was rolled back.
@Suite struct RollbackTests {
  private struct Stop: Error {}

  private struct Known: Equatable {
    var pkid: Int64?
    var created: Date?
    var updated: Date?
    var isDel: Bool

    init(_ vessel: Vessel) {
      (pkid, isDel) = (vessel.pkid, vessel.xt_isDel)
      (created, updated) = (vessel.xt_createTime, vessel.xt_updateTime)
    }

    init(_ buoy: Buoy) {
      (pkid, isDel) = (buoy.pkid, buoy.xt_isDel)
      (created, updated) = (buoy.xt_createTime, buoy.xt_updateTime)
    }
  }

  private enum End: CaseIterable {
    case error, request
  }

  private func rolledBack(
    _ database: XTDatabase, _ end: End, _ body: () throws -> Void
  ) throws {
    do {
      try database.transaction {
        try body()
        if end == .error { throw Stop() }
        try database.rollback()
      }
    } catch is Stop {}
  }

  @Test(arguments: End.allCases)
  private func objects_afterARollback_knowWhatTheyKnewBefore(end: End) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    let table = test.table(Vessel.self)
    let buoys = test.table(Buoy.self)
    let old = Vessel("old")
    let oldBuoy = Buoy("old")
    try table.insert(old)
    try buoys.insert(oldBuoy)
    let known = (Known(old), Known(oldBuoy))
    let nothing = (Known(Vessel()), Known(Buoy()))
    let verbs: [(Vessel, Buoy) throws -> Void] = [
      {
        try table.insert($0); try buoys.insert($1)
      },
      {
        try table.save($0); try buoys.save($1)
      },
      {
        try table.upsert($0); try buoys.upsert($1, by: \.label)
      },
      {
        try table.insertOrReplace($0); try buoys.insertOrReplace($1)
      },
      {
        try table.insertOrIgnore($0); try buoys.insertOrIgnore($1)
      },
      {
        try table.insertList([$0]); try buoys.insertList([$1])
      },
      {
        try table.upsertList([$0], by: \.name); try buoys.upsertList([$1], by: \.label)
      },
      {
        try table.insertOrReplaceList([$0, Ferry("f")]); try buoys.insertOrReplaceList([$1])
      },
    ]
    for verb in verbs {
      clock.now += 1
      let (new, newBuoy) = (Vessel("new"), Buoy("new"))
      try rolledBack(test.database, end) {
        try verb(new, newBuoy)
        #expect(new.pkid == 2 && newBuoy.pkid == 2)
        try table.update(old)
        try buoys.updateList([oldBuoy])
        try table.softDelete(old)
        try buoys.softDelete(oldBuoy)
        #expect(Known(old) != known.0 && Known(oldBuoy) != known.1)
      }
      #expect(Known(new) == nothing.0 && Known(newBuoy) == nothing.1)
      #expect(Known(old) == known.0 && Known(oldBuoy) == known.1)
      #expect(try table.count() == 1 && buoys.count() == 1)
      // The object can be inserted again.
      try test.database.transaction {
        #expect(try table.insert(new) == 2)
        try test.database.rollback()
      }
    }
  }

  @Test func objects_afterANestedRollback_knowWhatTheOuterBlockTold() throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    let table = test.table(Vessel.self)
    let (outer, inner, kept) = (Vessel("outer"), Vessel("inner"), Vessel("kept"))
    try test.database.transaction {
      try table.insert(outer)
      let before = Known(outer)
      clock.now = 2000
      try? test.database.transaction {
        try table.insertList([inner])
        try table.update(outer)
        try test.database.savepoint { try table.insert(kept) }
        throw Stop()
      }
      #expect(Known(outer) == before)
      #expect(inner.pkid == nil && kept.pkid == nil)
      try test.database.savepoint { try table.insert(kept) }
      #expect(kept.pkid == 2)
    }
    #expect(outer.pkid == 1 && kept.pkid == 2)
    #expect(try test.seen("SELECT pkid, name FROM Vessel ORDER BY pkid") == ["1|outer", "2|kept"])
  }

  @Test func objects_afterTheOuterRollback_knowNothingOfTheInnerCommit() throws {
    let test = try TestDatabase()
    let table = test.table(Vessel.self)
    let vessels = (0..<3).map { Vessel("\($0)") }
    try? test.database.transaction {
      try test.database.transaction {
        try table.insert(vessels[0])
        try test.database.savepoint { try table.insertList([vessels[1], vessels[2]]) }
      }
      #expect(vessels.map(\.pkid) == [1, 2, 3])
      vessels[0].length = 5
      try table.save(vessels[0])
      throw Stop()
    }
    #expect(vessels.map(\.pkid) == [nil, nil, nil])
    #expect(vessels.allSatisfy { $0.xt_createTime == nil && $0.xt_updateTime == nil })
    // What is not an automatic column is the caller's.
    #expect(vessels[0].length == 5)
    #expect(try table.count() == 0)
  }

  @Test func objects_whereTheCommitFails_knowNothing() throws {
    let test = try TestDatabase()
    let (vessels, members) = (test.table(Vessel.self), test.table(Member.self))
    try vessels.create()
    try members.create()
    try test.database.execute(
      """
      CREATE TABLE parent (n INTEGER PRIMARY KEY);
      CREATE TABLE child (n REFERENCES parent (n) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER t AFTER INSERT ON Vessel BEGIN INSERT INTO child VALUES (NEW.length); END;
      CREATE TRIGGER u AFTER INSERT ON Member BEGIN INSERT INTO child VALUES (NEW.age); END
      """)
    let vessel = Vessel("a", length: 7)
    var list = [Member(name: "a", age: 7)]
    for call in [
      { try vessels.insert(vessel) }, { try vessels.insertList([vessel]) },
      { try vessels.save(vessel) }, { try members.insertList(&list) },
      { try members.insert(&list[0]) }, { try members.upsert(&list[0], by: \.name) },
      { _ = try test.database.transaction { try vessels.insert(vessel) } },
    ] as [() throws -> Void] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .constraint(.foreignKey))
      #expect(vessel.pkid == nil && vessel.xt_createTime == nil)
      #expect(list == [Member(name: "a", age: 7)])
    }
    #expect(try vessels.count() == 0 && members.count() == 0)
  }

  @Test func values_afterARollback_keepWhatTheyWereGiven() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    var member = Member(name: "a")
    try? test.database.transaction {
      try table.insert(&member)
      throw Stop()
    }
    #expect(member.pkid == 1)
    var copy = Member(name: "b")
    #expect(try table.insert(&copy) == 1)
  }

  private final class Counted: XTModel {
    var name = ""
    private let isCounted: Bool
    static let ended = Mutex(0)

    init() { isCounted = false }
    init(_ name: String) {
      self.name = name
      isCounted = true
    }

    deinit {
      if isCounted { Self.ended.withLock { $0 += 1 } }
    }

    static var xt_ignored: XTKeyPaths { [\Counted.isCounted] }
  }

  @Test func objectsOfAnOpenTransaction_areHeldToItsEndAndNoLonger() throws {
    let test = try TestDatabase()
    let table = test.table(Counted.self)
    try test.database.transaction {
      try table.insert(Counted("a"))
      #expect(Counted.ended.withLock { $0 } == 0)
      try test.database.rollback()
    }
    #expect(Counted.ended.withLock { $0 } == 1)
    #expect(try table.count() == 0)
  }

  @Test func counter_afterARollback_isWhereItWas() throws {
    let test = try TestDatabase()
    let table = test.table(Vessel.self)
    try table.insert(Vessel("a"))
    try? test.database.transaction {
      try table.insertList((0..<10).map { Vessel("\($0)") })
      throw Stop()
    }
    #expect(try table.insert(Vessel("b")) == 2)
  }
}
