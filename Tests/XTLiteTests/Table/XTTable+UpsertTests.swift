import Foundation
import Testing

@testable import XTLite

/// One model for each sort of key.
private struct Keyed<Key: Codable & Equatable>: XTModel, Equatable where Key: KeySample {
  var pkid: Int64?
  var key = Key.samples[0]
  var note = ""
}

private protocol KeySample {
  static var samples: [Self] { get }
}

extension String: KeySample {
  fileprivate static var samples: [String] { ["a", "O'Brien \"x\" `y` ;--", "🦊é", "", "a\0b"] }
}
extension Int: KeySample {
  fileprivate static var samples: [Int] { [7, 0, -1, .max, .min] }
}
extension UUID: KeySample {
  fileprivate static var samples: [UUID] { (0..<3).map { _ in UUID() } }
}
extension Date: KeySample {
  fileprivate static var samples: [Date] {
    [XTDatabase.now(), Date(timeIntervalSince1970: -1.25), Date(timeIntervalSince1970: 0.1)]
  }
}
extension Decimal: KeySample {
  fileprivate static var samples: [Decimal] { [1.5, 0, -200] }
}
extension Data: KeySample {
  fileprivate static var samples: [Data] { [Data([1, 0, 2]), Data()] }
}
extension Bool: KeySample {
  fileprivate static var samples: [Bool] { [true, false] }
}
private enum Grade: String, Codable, KeySample {
  case high, low
  static var samples: [Grade] { [.high, .low] }
}

private struct Loose: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0
  static var xt_keywords: XTKeywordMap { [\Loose.name: "UNIQUE COLLATE NOCASE"] }
}

@Suite struct UpsertTests {
  @Test(arguments: Face.allCases, Place.allCases)
  func upsert_twice_isOneRowThatKeepsItsNumberAndItsCreation(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    var first = Member(name: "a", age: 1, nick: "x")
    var second = Member(name: "a", age: 2)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      #expect(try verbs.upsert(&first, by: \.name) == .inserted(pkid: 1))
      clock.now = 2000
      #expect(try verbs.upsert(&second, by: \.name) == .updated(pkids: [1]))
    }
    #expect(first.pkid == 1 && second.pkid == 1)
    #expect(try test.seen("SELECT * FROM Member") == ["1|a|2|NULL|1000.0|2000.0|0"])
  }

  @Test func upsert_keepsColumnsOfOtherPrograms() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a", age: 1)])
    try test.outside("ALTER TABLE Member ADD COLUMN extra TEXT; UPDATE Member SET extra = 'kept'")
    var member = Member(name: "a", age: 2)
    try table.upsert(&member, by: \.name)
    member.age = 3
    try table.insertOrReplace(&member)
    member.age = 4
    try table.save(&member)
    #expect(try test.seen("SELECT pkid, name, age, extra FROM Member") == ["1|a|4|kept"])
  }

  @Test func upsert_tellsTheModelWhatTheRowHolds() throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    var memo = Memo(text: "a")
    try test.table(Memo.self).insert(&memo)
    clock.now = 2000
    var same = Memo(text: "a", xt_isDel: true)
    try test.table(Memo.self).upsert(&same, by: \.text)
    #expect(same.pkid == 1 && !same.xt_isDel)
    #expect(same.xt_createTime?.timeIntervalSince1970 == 1000)
    #expect(same.xt_updateTime?.timeIntervalSince1970 == 2000)
    #expect(try test.table(Memo.self).find(pkid: 1) == same)
  }

  private func upsertTwiceByEachKey<Key: KeySample & Codable & Equatable>(_: Key.Type) throws {
    let test = try TestDatabase()
    let table = test.table(Keyed<Key>.self)
    let samples = Key.samples
    for note in ["first", "second"] {
      var models = samples.map { Keyed(key: $0, note: note) }
      let results = try table.upsertList(&models, by: \.key)
      #expect(results.map(\.isInserted) == samples.map { _ in note == "first" })
      #expect(models.map(\.pkid) == samples.indices.map { Int64($0) + 1 })
    }
    var alone = Keyed(key: samples[0], note: "third")
    #expect(try table.upsert(&alone, by: \.key) == .updated(pkids: [1]))
    #expect(try table.findAll().map(\.key) == samples)
    #expect(
      try table.findAll().map(\.note) == ["third"] + samples.dropFirst().map { _ in "second" })
  }

  @Test func upsert_keysOfEverySort_areOneRowEach() throws {
    try upsertTwiceByEachKey(String.self)
    try upsertTwiceByEachKey(Int.self)
    try upsertTwiceByEachKey(UUID.self)
    try upsertTwiceByEachKey(Date.self)
    try upsertTwiceByEachKey(Decimal.self)
    try upsertTwiceByEachKey(Data.self)
    try upsertTwiceByEachKey(Bool.self)
    try upsertTwiceByEachKey(Grade.self)
  }

  @Test func upsert_severalProperties_takeTheRowThatHoldsAll() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    var members = [Member(name: "a", age: 1), Member(name: "b", age: 1), Member(name: "c", age: 2)]
    try table.insertList(&members)
    var member = Member(name: "b", age: 1, nick: "x")
    #expect(try table.upsert(&member, by: \.age, \.name) == .updated(pkids: [2]))
    var other = Member(name: "d", age: 1)
    #expect(try table.upsert(&other, by: \.age, \.name) == .inserted(pkid: 4))
  }

  @Test func upsert_severalRowsFound_areAllWritten() throws {
    let test = try TestDatabase()
    let table = test.table(Memo.self)
    try table.insertList(["a", "b", "a"].map { Memo(text: $0) })
    var memo = Memo(text: "a")
    #expect(try table.upsert(&memo, by: \.text) == .updated(pkids: [1, 3]))
    #expect(memo.pkid == 1)
    #expect(try table.count() == 3)
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func upsert_nilInTheKey_throwsAndTouchesNoRow(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Account.self)
      _ = try verbs.insertList([Account(name: "a"), Account(name: "b")])
      var account = Account(code: 1, name: "c")
      let error = #expect(throws: XTError.self) { try verbs.upsert(&account, by: \.email) }
      #expect(error?.kind == .noIdentity && error?.column == "email")
      #expect(throws: XTError.self) { try verbs.upsertList([account], by: \.pkid) }
      #expect(throws: XTError.self) { try verbs.update(account, by: \.email) }
      #expect(throws: XTError.self) { try verbs.updateList([account], by: \.email) }
    }
    #expect(try test.seen("SELECT name FROM Account ORDER BY pkid") == ["a", "b"])
  }

  @Test func upsert_withoutProperties_goesByIdentity() throws {
    let test = try TestDatabase()
    let table = test.table(Account.self)
    var account = Account(email: "e", code: 1, name: "a")
    #expect(try table.upsert(&account) == .inserted(pkid: 1))
    var byEmail = Account(email: "e", name: "b")
    #expect(try table.upsert(&byEmail) == .updated(pkids: [1]))
    byEmail.code = 7
    byEmail.email = nil
    #expect(try table.upsert(&byEmail) == .updated(pkids: [1]))
    var byCode = Account(code: 7, name: "c")
    #expect(try table.upsert(&byCode) == .updated(pkids: [1]))
    var unknown = Account(name: "d")
    let error = #expect(throws: XTError.self) { try table.upsert(&unknown) }
    #expect(error?.kind == .noIdentity && error?.hint?.contains("pkid") == true)
    #expect(try test.seen("SELECT pkid, email, code, name FROM Account") == ["1|NULL|7|c"])
  }

  @Test func upsert_byPkid_isByTheNumber() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    var member = Member(pkid: 5, name: "a")
    #expect(try table.upsert(&member, by: \.pkid) == .inserted(pkid: 5))
    member.name = "b"
    #expect(try table.upsert(&member, by: \.pkid) == .updated(pkids: [5]))
    let vessel = Vessel("x", length: 1)
    try test.table(Vessel.self).insert(vessel)
    vessel.length = 2
    #expect(try test.table(Vessel.self).upsert(vessel, by: \.pkid) == .updated(pkids: [1]))
    #expect(try test.table(Vessel.self).update(vessel, by: \.pkid) == 1)
    #expect(throws: XTError.self) { try test.table(Vessel.self).upsert(Vessel("y"), by: \.pkid) }
    #expect(try test.seen("SELECT pkid, name, length FROM Vessel") == ["1|x|2"])
  }

  @Test func upsert_anUnknownProperty_throws() throws {
    let test = try TestDatabase()
    var member = Member(name: "a")
    let error = #expect(throws: XTError.self) {
      try test.table(Member.self).upsert(&member, by: \.name.count)
    }
    #expect(error?.kind == .unknownColumn)
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func upsertList_oneAfterAnother_tellsAll(face: Face, place: Place) throws {
    let test = try TestDatabase()
    var members = [Member(name: "a", age: 1), Member(name: "b"), Member(name: "a", age: 3)]
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      #expect(
        try verbs.upsertList(&members, by: \.name) == [
          .inserted(pkid: 1), .inserted(pkid: 2), .updated(pkids: [1]),
        ])
      let more = ["b", "c"].lazy.map { Member(name: $0, age: 9) }
      #expect(try verbs.upsertList(more, by: \.name) == [.updated(pkids: [2]), .inserted(pkid: 3)])
    }
    #expect(members.map(\.pkid) == [1, 2, 1])
    #expect(try test.seen("SELECT name, age FROM Member ORDER BY pkid") == ["a|3", "b|9", "c|9"])
  }

  @Test(arguments: Place.allCases)
  func upsertList_aFailingMember_leavesTheTableAndAllModelsAsTheyWere(place: Place) throws {
    let test = try TestDatabase()
    let table = test.table(Account.self)
    try table.insertList([Account(email: "a", code: 1, name: "x"), Account(email: "b", code: 2)])
    let rows = try test.seen("SELECT * FROM Account")
    let before = [
      Account(email: "a", name: "new"), Account(email: "c", code: 9), Account(email: "b", code: 9),
    ]
    try place.run(test.database) { () throws in
      var accounts = before
      #expect(throws: XTError.self) { try table.upsertList(&accounts, by: \.email) }
      #expect(accounts == before)
      accounts[2] = Account(name: "no key")
      #expect(throws: XTError.self) { try table.upsertList(&accounts) }
      #expect(accounts.prefix(2) == before.prefix(2))
    }
    #expect(try test.seen("SELECT * FROM Account") == rows)
  }

  @Test func upsertList_preparesEachStatementOnce() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.upsertList(["a", "b"].map { Member(name: $0) }, by: \.name)
    let members = (0..<5).map { Member(name: "\($0 % 3)") }
    let sql = try test.statements { try table.upsertList(members, by: \.name) }
    #expect(
      Set(sql) == [
        "BEGIN IMMEDIATE", "PRAGMA schema_version", "COMMIT",
        "SELECT `pkid`, `xt_createTime` FROM `Member` WHERE `name` = ?",
        "INSERT INTO `Member` (`pkid`, `name`, `age`, `nick`, `xt_createTime`, `xt_updateTime`)"
          + " VALUES (?, ?, ?, ?, ?, ?)",
        "UPDATE `Member` SET `name` = ?, `age` = ?, `nick` = ?, `xt_isDel` = 0,"
          + " `xt_updateTime` = ? WHERE `pkid` = ?",
      ])
    #expect(sql.count == 3 + 5 + 3 + 2)
    let before = try test.database.writing { $0.cache.count }
    try table.upsertList((0..<50).map { Member(name: "\($0 % 30)") }, by: \.name)
    #expect(try test.database.writing { $0.cache.count } == before)
  }

  @Test func upsert_aParentWithChildrenAndADeleteTrigger_touchesNeither() throws {
    let test = try TestDatabase()
    let table = test.table(Account.self)
    try table.create()
    try test.database.execute(
      """
      CREATE TABLE child (parent INTEGER REFERENCES Account (pkid) ON DELETE CASCADE);
      CREATE TABLE child_by_mail (mail TEXT REFERENCES Account (email) ON DELETE CASCADE);
      CREATE TABLE gone (n);
      CREATE TRIGGER t BEFORE DELETE ON Account BEGIN INSERT INTO gone VALUES (OLD.pkid); END;
      INSERT INTO Account (pkid, email, code, name) VALUES (3, 'a', 1, 'x');
      INSERT INTO child VALUES (3); INSERT INTO child_by_mail VALUES ('a')
      """)
    for round in 0..<2 {
      var account = Account(email: "a", code: round, name: "\(round)")
      #expect(try table.upsert(&account, by: \.email) == .updated(pkids: [3]))
      account.pkid = nil
      #expect(try table.insertOrReplace(&account) == 3)
      account.name = "saved"
      #expect(try table.save(&account) == .updated(pkids: [3]))
      #expect(try table.upsertList([account], by: \.code) == [.updated(pkids: [3])])
      #expect(try table.insertOrReplaceList([account]) == 1)
    }
    #expect(try test.seen("SELECT * FROM child, child_by_mail") == ["3|a"])
    #expect(try test.seen("SELECT * FROM gone") == [])
    #expect(try test.seen("SELECT pkid, email, code, name FROM Account") == ["3|a|1|saved"])
  }

  @Test func upsert_aKeyWithACollation_writesTheModelsText() throws {
    let test = try TestDatabase()
    let table = test.table(Loose.self)
    try table.insertList([Loose(name: "abc", age: 1)])
    #expect(
      try table.upsertList([Loose(name: "ABC", age: 2)], by: \.name) == [.updated(pkids: [1])])
    #expect(try test.seen("SELECT name, age FROM Loose") == ["ABC|2"])
    #expect(try table.update(Loose(name: "aBc", age: 3)) == 1)
    #expect(try test.seen("SELECT name, age FROM Loose") == ["aBc|3"])
    #expect(try table.update(Loose(name: "Abc", age: 4), by: \.name) == 1)
    #expect(try test.seen("SELECT name, age FROM Loose") == ["Abc|4"])
  }

  @Test func upsert_aSoftDeletedRow_restoresIt_saveAndReplaceDoNot() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a"), Member(name: "b"), Member(name: "c")])
    #expect(try table.softDelete(where: nil) == 3)
    var saved = Member(name: "a", age: 1)
    #expect(try table.save(&saved) == .updated(pkids: [1]))
    var replaced = Member(name: "b", age: 1)
    #expect(try table.insertOrReplace(&replaced) == 2)
    #expect(try table.update(Member(name: "b", age: 2)) == 1)
    #expect(try table.count() == 0)
    var upserted = Member(name: "c", age: 1)
    #expect(try table.upsert(&upserted, by: \.name) == .updated(pkids: [3]))
    #expect(try test.seen("SELECT name, age, xt_isDel FROM Member") == ["a|1|1", "b|2|1", "c|1|0"])
  }
}
