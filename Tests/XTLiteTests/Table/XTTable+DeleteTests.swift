import Foundation
import Testing

@testable import XTLite

private struct Flagged: XTModel {
  var isOld = false
}

@Suite struct DeleteTests {
  private func filled(_ clock: TestClock = TestClock()) throws -> TestDatabase {
    let test = try TestDatabase(clock)
    try test.table(Memo.self).insertList(["a", "b", "c", "d"].map { Memo(text: $0) })
    return test
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func delete_saysWhetherARowWent(face: Face, place: Place) throws {
    let test = try filled()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      let memo = Memo(pkid: 2, text: "whatever")
      #expect(try verbs.delete(memo))
      #expect(try !verbs.delete(memo))
      // Soft-deleted or not.
      #expect(try verbs.softDelete(Memo(pkid: 3)))
      #expect(try verbs.delete(Memo(pkid: 3)))
    }
    #expect(try test.seen("SELECT pkid FROM Memo") == ["1", "4"])
  }

  @Test func delete_isOneStatement() throws {
    let test = try filled()
    let table = test.table(Memo.self)
    #expect(
      try test.statements { try table.delete(Memo(pkid: 1)) } == [
        "DELETE FROM `Memo` WHERE `pkid` = ?"
      ])
    #expect(
      try test.statements { try table.softDelete(Memo(pkid: 2)) } == [
        "UPDATE `Memo` SET `xt_isDel` = 1, `xt_updateTime` = ? WHERE `pkid` = ? AND `xt_isDel` = 0"
      ])
    #expect(
      try test.statements { try table.restore(Memo(pkid: 2)) } == [
        "UPDATE `Memo` SET `xt_isDel` = 0, `xt_updateTime` = ? WHERE `pkid` = ? AND `xt_isDel` <> 0"
      ])
    let before = try test.database.writing { $0.cache.count }
    for pkid in 2...4 { try table.delete(Memo(pkid: Int64(pkid))) }
    #expect(try test.database.writing { $0.cache.count } == before)
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func deleteWhere_andAll_giveTheirRows(face: Face, place: Place) throws {
    let test = try filled()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      #expect(try verbs.softDelete(where: \.text == "a") == 1)
      #expect(try verbs.delete(where: \.text == "a") == 0)
      #expect(try verbs.delete(where: \.text == "a", scope: .deleted) == 1)
      #expect(try verbs.delete(where: "text = \("b")", scope: .all) == 1)
      #expect(try verbs.softDelete(where: \.text == "c") == 1)
      #expect(try verbs.delete(where: nil) == 1)
      #expect(try verbs.table.count(scope: .all) == 1)
      #expect(try verbs.deleteAll() == 1)
      #expect(try verbs.deleteAll() == 0)
      #expect(try verbs.table.isEmpty())
    }
    #expect(try test.seen("SELECT count(*) FROM Memo") == ["0"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func softDelete_andRestore_allVerbsAgree(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try filled(clock)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      let table = verbs.table
      let memo = try #require(try table.find(pkid: 2))
      clock.now = 2000
      #expect(try verbs.softDelete(memo))
      clock.now = 3000
      #expect(try !verbs.softDelete(memo))
      #expect(try table.find(pkid: 2) == nil)
      #expect(try table.find(pkid: 2, scope: .deleted)?.xt_isDel == true)
      #expect(try table.findAll().map(\.text) == ["a", "c", "d"])
      #expect(try table.count() == 3 && table.count(scope: .deleted) == 1)
      #expect(try table.count(scope: .all) == 4)
      #expect(try !table.has(where: \.text == "b"))
      #expect(try table.has(where: \.text == "b", scope: .all))
      #expect(try table.max(of: \.text, where: \.text < "c") == "a")
      #expect(
        try test.database.anyFunc(sql: "SELECT xt_updateTime FROM Memo WHERE pkid = 2")
          == .real(2000))
      #expect(try verbs.restore(memo))
      #expect(try !verbs.restore(memo))
      #expect(try table.count() == 4)
      #expect(try table.find(pkid: 2)?.xt_updateTime?.timeIntervalSince1970 == 3000)
      #expect(try verbs.softDelete(memo) && verbs.delete(memo))
      #expect(try table.count(scope: .all) == 3)
      #expect(try !verbs.softDelete(memo) && !verbs.restore(memo))
      // The value itself was told nothing.
      #expect(!memo.xt_isDel)
    }
    #expect(try test.times("Memo") == ["1000.0|1000.0", "1000.0|1000.0", "1000.0|1000.0"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func softDeleteWhere_countsRowsThatChanged(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try filled(clock)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      clock.now = 2000
      #expect(try verbs.softDelete(where: \.text < "c") == 2)
      clock.now = 3000
      #expect(try verbs.softDelete(where: \.text < "d") == 1)
      #expect(try verbs.softDelete(where: nil) == 1)
      #expect(try verbs.softDelete(where: nil) == 0)
    }
    #expect(
      try test.seen("SELECT xt_isDel, xt_updateTime FROM Memo") == [
        "1|2000.0", "1|2000.0", "1|3000.0", "1|3000.0",
      ])
  }

  @Test func deleteWhere_aFlag_meansTrue() throws {
    let test = try TestDatabase()
    let table = test.table(Flagged.self)
    try table.insertList([
      Flagged(isOld: true), Flagged(), Flagged(isOld: true), Flagged(isOld: true),
    ])
    try test.asCurrent { () throws in
      #expect(try Flagged.xt_deleteModelWhere(\.isOld && "pkid = 1") == 1)
      #expect(try Flagged.xt_softDeleteWhere(\.isOld) == 2)
      #expect(try Flagged.xt_deleteModelWhere(\.isOld) == 0)
      #expect(try Flagged.xt_deleteModelWhere(\.isOld, scope: .all) == 2)
    }
    #expect(try table.count(scope: .all) == 1)
  }

  @Test func delete_aRowThatOthersReferTo_throwsForeignKey() throws {
    let test = try filled()
    try test.database.execute(
      "CREATE TABLE child (memo REFERENCES Memo (pkid)); INSERT INTO child VALUES (1)")
    let table = test.table(Memo.self)
    for call in [
      { try table.delete(Memo(pkid: 1)) }, { try table.delete(where: \.pkid < 3) > 0 },
      { try table.deleteAll() > 0 },
    ] as [() throws -> Bool] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .constraint(.foreignKey))
    }
    #expect(try table.count() == 4)
  }

  // MARK: Wrong names

  @Test(arguments: Place.allCases)
  func deleteWhere_aWrongNameInDoubleQuotes_throwsAndDeletesNothing(place: Place) throws {
    let test = try filled()
    try place.run(test.database) { () throws in
      let table = test.table(Memo.self)
      for wrong in [
        #""textt" != 'x'"#, #"text = "a" OR "nope" = "nope""#, #"length("Tekst") > 0"#,
        #"NOT "pkid2" IS NULL"#, #"text IN ("a", "b")"#, "[textt] != 'x'", "`textt` != 'x'",
        "textt != 'x'",
      ] {
        let condition = XTCondition<Memo>(unsafe: wrong)
        for call in [
          { try table.delete(where: condition) },
          { try table.delete(where: condition, scope: .all) },
          { try table.softDelete(where: condition) },
          { try table.update(where: condition, .set(\.text, to: "lost")) },
          { try table.delete(where: condition && \.pkid > 0) },
          { try Memo.xt_deleteModelWhere(condition) },
        ] as [() throws -> Int] {
          let error = #expect(throws: XTError.self, "\(wrong)") { try test.asCurrent(call) }
          #expect(error?.kind == .unknownColumn, "\(wrong)")
        }
      }
      #expect(try table.delete(where: #""text" = 'a'"#) == 1)
    }
    #expect(try test.seen("SELECT text FROM Memo") == ["b", "c", "d"])
  }
}
