import Foundation
import Testing

@testable import XTLite

private struct Checked: XTModel, Equatable {
  var pkid: Int64?
  var age = 0
  static var xt_keywords: XTKeywordMap { [\Checked.age: "CHECK (age >= 0)"] }
}

@Suite struct SaveAndReplaceTests {
  // MARK: Save

  @Test(arguments: Face.allCases, Place.allCases)
  func save_updatesTheRowThatItIsElseInserts(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    var memo = Memo(text: "a")
    var other = Memo(pkid: 9, text: "b")
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      #expect(try verbs.save(&memo) == .inserted(pkid: 1))
      clock.now = 2000
      memo.text = "c"
      #expect(try verbs.save(&memo) == .updated(pkids: [1]))
      #expect(try verbs.save(&memo) == .updated(pkids: [1]))
      #expect(try verbs.save(&other) == .inserted(pkid: 9))
    }
    #expect(memo.xt_createTime?.timeIntervalSince1970 == 1000)
    #expect(memo.xt_updateTime?.timeIntervalSince1970 == 2000)
    #expect(
      try test.seen("SELECT * FROM Memo") == [
        "1|c|1000.0|2000.0|0", "9|b|2000.0|2000.0|0",
      ])
  }

  @Test func save_withoutIdentity_inserts() throws {
    let test = try TestDatabase()
    let table = test.table(Account.self)
    var account = Account(name: "a")
    #expect(try table.save(&account) == .inserted(pkid: 1))
    account.pkid = nil
    #expect(try table.save(&account) == .inserted(pkid: 2))
    account.pkid = nil
    #expect(try table.insertOrReplace(&account) == 3)
    #expect(try table.insertOrReplaceList([Account(name: "b"), Account(name: "c")]) == 2)
    #expect(try table.count() == 5)
  }

  @Test func save_whereAnotherRowHoldsItsUniqueValue_throws() throws {
    let test = try TestDatabase()
    let table = test.table(Account.self)
    try table.insertList([Account(email: "a", name: "x"), Account(email: "b", name: "y")])
    var account = Account(pkid: 1, email: "b", name: "z")
    let error = #expect(throws: XTError.self) { try table.save(&account) }
    #expect(error?.kind == .constraint(.unique))
    #expect(try test.seen("SELECT email, name FROM Account") == ["a|x", "b|y"])
  }

  // MARK: Replace

  @Test(arguments: Face.allCases, Place.allCases)
  func insertOrReplace_theRowOfItsIdentity_isUpdatedInPlace(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Account.self)
      _ = try verbs.insertList([
        Account(email: "a", code: 1, name: "a"), Account(email: "b", code: 2, name: "b"),
        Account(email: "c", code: 3, name: "c"),
      ])
      clock.now = 2000
      // In the way of its code is another row, which goes.
      var account = Account(email: "a", code: 2, name: "new")
      #expect(try verbs.insertOrReplace(&account) == 1)
      #expect(account.pkid == 1)
    }
    #expect(
      try test.seen("SELECT * FROM Account") == [
        "1|a|2|new|1000.0|2000.0|0", "3|c|3|c|1000.0|1000.0|0",
      ])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func insertOrReplace_unknownIdentity_takesTheRowsPlaces(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Account.self)
      _ = try verbs.insertList([
        Account(email: "a", code: 1), Account(email: "b", code: 2), Account(email: "c", code: 3),
      ])
      var account = Account(pkid: 50, email: "a", code: 2, name: "new")
      #expect(try verbs.insertOrReplace(&account) == 50)
      var added = Account(email: "d", code: 3, name: "by code")
      #expect(try verbs.insertOrReplace(&added) == 51)
      #expect(added.pkid == 51)
    }
    #expect(
      try test.seen("SELECT pkid, email, code, name FROM Account") == [
        "50|a|2|new", "51|d|3|by code",
      ])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func insertOrReplaceList_writesAllAndTellsAll(face: Face, place: Place) throws {
    let test = try TestDatabase()
    var accounts = [
      Account(email: "a", name: "1"), Account(email: "b"), Account(email: "a", name: "3"),
    ]
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Account.self)
      #expect(try verbs.insertOrReplaceList(&accounts) == 3)
      #expect(
        try verbs.insertOrReplaceList(["b", "c"].lazy.map { Account(email: $0, name: "n") }) == 2)
    }
    #expect(accounts.map(\.pkid) == [1, 2, 1])
    #expect(try test.seen("SELECT pkid, email, name FROM Account") == ["1|a|3", "2|b|n", "3|c|n"])
  }

  @Test func insertOrReplaceList_aFailingMember_leavesTheTableAndAllModelsAsTheyWere() throws {
    let test = try TestDatabase()
    let table = test.table(Checked.self)
    try table.insertList([Checked(age: 1)])
    let before = [Checked(pkid: 1, age: 2), Checked(age: 3), Checked(age: -1)]
    var models = before
    let error = #expect(throws: XTError.self) { try table.insertOrReplaceList(&models) }
    #expect(error?.kind == .constraint(.check))
    #expect(models == before)
    #expect(try test.seen("SELECT pkid, age FROM Checked") == ["1|1"])
  }
}
