import Foundation
import Testing

@testable import XTLite

private struct Dated: XTModel, Equatable {
  var pkid: Int64?
  var name = ""
  var xt_createTime: Date?
  var xt_updateTime: Date?
}

/// createTime and updateTime under a clock that stands still.
@Suite struct TimesTests {
  @Test(arguments: Face.allCases, Place.allCases)
  func everyVerb_setsTheTimesAsItShould(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      var memo = Memo(text: "a")
      var now = 1000.0
      func next() {
        now += 1000
        clock.now = now
      }
      func expectTimes(_ line: Int = #line) throws {
        let times = try test.database.anyFunc(
          sql: "SELECT xt_createTime || ' ' || xt_updateTime FROM Memo WHERE pkid = 1")
        #expect(times == .text("1000.0 \(now)"), "line \(line)")
      }
      _ = try verbs.insert(&memo)
      try expectTimes()
      for verb in [
        { _ = try verbs.update(memo) },
        { _ = try verbs.update(memo, only: \.text) },
        { _ = try verbs.update(memo, by: \.text) },
        { _ = try verbs.updateList([memo]) },
        { _ = try verbs.updateList([memo], by: \.text) },
        { _ = try verbs.save(&memo) },
        { _ = try verbs.upsert(&memo) },
        { _ = try verbs.upsert(&memo, by: \.text) },
        { _ = try verbs.upsertList([memo], by: \.text) },
        { _ = try verbs.insertOrReplace(&memo) },
        { _ = try verbs.insertOrReplaceList([memo]) },
        { _ = try verbs.update(where: \.pkid == 1, .set(\.text, to: "a")) },
        { _ = try verbs.updateAll(.set(\.text, to: "a")) },
        { _ = try verbs.softDelete(memo) },
        { _ = try verbs.restore(memo) },
        { _ = try verbs.softDelete(where: nil) },
        { _ = try verbs.restore(memo) },
      ] as [() throws -> Void] {
        next()
        // Whatever the value holds, its row's creation stays.
        memo.xt_createTime = Date(timeIntervalSince1970: 5)
        memo.xt_updateTime = nil
        try verb()
        try expectTimes()
      }
      // Where no row changes, no time does.
      clock.now = now + 1000
      #expect(try !verbs.restore(memo))
      #expect(try !verbs.insertOrIgnore(&memo))
      #expect(try verbs.softDelete(where: \.text == "none") == 0)
      #expect(throws: XTError.self) { try verbs.insert(&memo) }
      try expectTimes()
    }
  }

  @Test func updateTime_isWrittenBackByWhatWritesBack_andNotByUpdate() throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    let table = test.table(Dated.self)
    var dated = Dated(name: "a")
    try table.insert(&dated)
    let inserted = dated
    clock.now = 2000
    try table.update(dated)
    try table.updateList([dated])
    #expect(dated == inserted)
    try table.save(&dated)
    #expect(dated.xt_createTime == inserted.xt_createTime)
    #expect(dated.xt_updateTime == Date(timeIntervalSince1970: 2000))
    #expect(try table.find(pkid: 1) == dated)
  }

  @Test func aListsModels_areWrittenAtOneTime() throws {
    let ticks = TestClock()
    let test = try TestDatabase {
      $0.clock = {
        ticks.now += 1
        return ticks.date
      }
    }
    let table = test.table(Dated.self)
    var list = (0..<3).map { Dated(name: "\($0)") }
    try table.insertList(&list)
    #expect(Set(list.map(\.xt_createTime)).count == 1)
    #expect(try test.seen("SELECT count(DISTINCT xt_createTime) FROM Dated") == ["1"])
  }

  @Test func times_comeBackAsTheyWereWritten() throws {
    let test = try TestDatabase()
    let table = test.table(Dated.self)
    let before = XTDatabase.now()
    var list = (0..<200).map { Dated(name: "\($0)") }
    for index in list.indices { try table.insert(&list[index]) }
    #expect(try table.findAll(orderBy: .asc(\.pkid)) == list)
    let after = XTDatabase.now()
    #expect(list.allSatisfy { ($0.xt_createTime ?? .distantPast) >= before })
    #expect(list.allSatisfy { ($0.xt_createTime ?? .distantFuture) <= after })
  }

  @Test func setTimesByHand_doNotEnterTheRow() throws {
    let test = try TestDatabase(TestClock())
    let table = test.table(Dated.self)
    var dated = Dated(name: "a", xt_createTime: .distantPast, xt_updateTime: .distantFuture)
    try table.insert(&dated)
    dated.xt_createTime = .distantPast
    try table.update(dated, only: \.xt_createTime, \.name)
    #expect(
      try test.seen("SELECT name, xt_createTime, xt_updateTime FROM Dated") == ["a|1000.0|1000.0"])
  }
}
