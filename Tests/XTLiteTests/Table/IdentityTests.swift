import Foundation
import Testing

@testable import XTLite

private struct Local: XTModel, Equatable {
  var localID: Int64?
  var name = ""

  static var xt_primaryKey: XTKeyPaths { [\Local.localID] }
}

private struct Zero: XTModel, Equatable {
  var number = 0
  var name = ""

  static var xt_primaryKey: XTKeyPaths { [\Zero.number] }
}

private struct ZeroPkid: XTModel, Equatable {
  var pkid = 0
  var name = ""
}

private struct Tiny: XTModel, Equatable {
  var pkid: Int8?
  var name = ""

  static var xt_keywords: XTKeywordMap { [\Tiny.name: .unique] }
}

private struct Seat: XTModel, Equatable {
  var row = 0
  var letter: String?
  var name = ""

  static var xt_primaryKey: XTKeyPaths { [\Seat.row, \Seat.letter] }
}

private struct Token: XTModel, Equatable {
  var token = UUID()
  var name = ""

  static var xt_primaryKey: XTKeyPaths { [\Token.token] }
}

private struct Tagged: XTModel, Identifiable, Equatable {
  var id = "none"
  var name = ""
}

private struct Tree: XTModel, Equatable {
  var pkid: Int64?
  var code: String?
  var mail: String?
  var name = ""

  static var xt_keywords: XTKeywordMap { [\Tree.code: .unique, \Tree.mail: .unique] }
}

private struct Plain: XTModel, Equatable {
  var name = ""
}

private struct Odd: XTModel {
  var pkid: UInt64?
  var key: Double?
  var name = ""
  static var xt_keywords: XTKeywordMap { [\Odd.key: .unique] }
}

/// Which row a model is.
@Suite struct IdentityTests {
  // MARK: A key in pkid's place

  @Test(arguments: Face.allCases)
  func ownIntegerKey_standsInPkidsPlace(face: Face) throws {
    let test = try TestDatabase()
    try test.asCurrent { () throws in
      let verbs = Verbs(face, test, Local.self)
      var first = Local(name: "a")
      #expect(try verbs.insert(&first) == 1)
      #expect(first.localID == 1)
      var list = [Local(name: "b"), Local(localID: 40, name: "c"), Local(name: "d")]
      #expect(try verbs.insertList(&list) == 3)
      #expect(list.map(\.localID) == [2, 40, 41])
      first.name = "A"
      #expect(try verbs.update(first) == 1)
      #expect(try verbs.save(&first) == .updated(pkids: [1]))
      #expect(try verbs.upsert(&first, by: \.localID) == .updated(pkids: [1]))
      #expect(try verbs.delete(list[0]))
      var taken = Local(localID: 40)
      #expect(throws: XTError.self) { try verbs.insert(&taken) }
      #expect(try verbs.insertOrReplace(&taken) == 40)
      #expect(throws: XTError.self) { try verbs.update(Local(name: "x")) }
    }
    #expect(try test.seen("SELECT localID, name FROM Local") == ["1|A", "40|", "41|d"])
    #expect(try test.columnsAndKeys(of: "Local").filter { $0.hasSuffix("KEY") } == ["localID KEY"])
  }

  @Test func keyThatIsNotOptional_zeroIsUnset() throws {
    let test = try TestDatabase()
    let table = test.table(Zero.self)
    var zeros = [Zero(name: "a"), Zero(number: 7, name: "b"), Zero(name: "c")]
    try table.insertList(&zeros)
    #expect(zeros.map(\.number) == [1, 7, 8])
    var fresh = Zero(name: "d")
    #expect(try table.save(&fresh) == .inserted(pkid: 9))
    #expect(throws: XTError.self) { try table.update(Zero(name: "e")) }
    #expect(throws: XTError.self) { try table.update(Zero(name: "e"), by: \.number) }
    let pkids = test.table(ZeroPkid.self)
    var pkid = ZeroPkid(name: "a")
    #expect(try pkids.insert(&pkid) == 1)
    #expect(pkid.pkid == 1)
    var other = ZeroPkid(name: "b")
    #expect(try pkids.insert(&other, only: \.name, \.pkid) == 2)
    #expect(try pkids.updateList([pkid, other]) == 2)
    #expect(throws: XTError.self) { try pkids.delete(ZeroPkid(name: "a")) }
    #expect(try test.seen("SELECT pkid, name FROM ZeroPkid") == ["1|a", "2|b"])
  }

  @Test func optionalKey_zeroIsANumber() throws {
    let test = try TestDatabase()
    var local = Local(localID: 0, name: "a")
    #expect(try test.table(Local.self).insert(&local) == 0)
    local.name = "b"
    #expect(try test.table(Local.self).update(local) == 1)
    #expect(try test.seen("SELECT localID, name FROM Local") == ["0|b"])
  }

  @Test func narrowPkid_runsOutWithAnError() throws {
    let test = try TestDatabase()
    let table = test.table(Tiny.self)
    var tinies = (1...126).map { Tiny(name: "\($0)") }
    try table.insertList(&tinies)
    #expect(tinies.last?.pkid == 126)
    var last = Tiny(name: "last")
    #expect(try table.insert(&last) == 127)
    let before = Tiny(name: "over")
    for place in Place.allCases {
      try place.run(test.database) { () throws in
        var over = before
        for call in [
          { try table.insert(&over) }, { try table.save(&over) },
          { try table.upsert(&over, by: \.name) }, { try table.insertOrReplace(&over) },
          { try table.insertOrIgnore(&over) }, { try table.insertList([over]) },
          {
            var list = [over, Tiny(name: "more")]
            defer { #expect(list[0] == before) }
            try table.insertList(&list)
          },
        ] as [() throws -> Void] {
          let error = #expect(throws: XTError.self) { try call() }
          #expect(error?.kind == .valueOutOfRange && error?.column == "pkid")
        }
        #expect(over == before)
      }
    }
    #expect(try test.seen("SELECT count(*), max(pkid) FROM Tiny") == ["127|127"])
    // Rows that are there go on.
    last.name = "renamed"
    #expect(try table.update(last) == 1)
  }

  // MARK: Keys beside pkid

  @Test func compositeKey_findsTheRowOnlyWhereAllIsSet() throws {
    let test = try TestDatabase()
    let table = test.table(Seat.self)
    var seats = [Seat(row: 1, letter: "A", name: "x"), Seat(row: 1, letter: "B", name: "y")]
    try table.insertList(&seats)
    #expect(try table.update(Seat(row: 1, letter: "B", name: "z")) == 1)
    var saved = Seat(row: 1, letter: "A", name: "saved")
    #expect(try table.save(&saved) == .updated(pkids: [1]))
    var half = Seat(row: 1, name: "half")
    #expect(throws: XTError.self) { try table.update(half) }
    #expect(throws: XTError.self) { try table.delete(half) }
    #expect(throws: XTError.self) { try table.upsert(&half) }
    #expect(throws: XTError.self) { try table.insert(&seats[0]) }
    #expect(try test.seen("SELECT row, letter, name FROM Seat") == ["1|A|saved", "1|B|z"])
  }

  @Test func uuidKey_isTheIdentity() throws {
    let test = try TestDatabase()
    let table = test.table(Token.self)
    var token = Token(name: "a")
    try table.insert(&token)
    token.name = "b"
    #expect(try table.update(token) == 1)
    #expect(try table.save(&token) == .updated(pkids: [1]))
    #expect(try table.upsert(&token) == .updated(pkids: [1]))
    var same = Token(token: token.token, name: "c")
    #expect(throws: XTError.self) { try table.insert(&same) }
    #expect(try !table.insertOrIgnore(&same))
    #expect(try table.insertOrReplace(&same) == 1)
    #expect(try test.seen("SELECT token, name FROM Token") == ["\(token.token.uuidString)|c"])
    #expect(try table.delete(token))
    #expect(try !table.delete(token))
  }

  @Test func identifiableID_isTheIdentity() throws {
    let test = try TestDatabase()
    let table = test.table(Tagged.self)
    var tagged = Tagged(id: "x", name: "a")
    #expect(try table.save(&tagged) == .inserted(pkid: 1))
    tagged.name = "b"
    #expect(try table.save(&tagged) == .updated(pkids: [1]))
    #expect(try table.update(Tagged(id: "x", name: "c")) == 1)
    #expect(throws: XTError.self) { try table.insert(&tagged) }
    #expect(try table.softDelete(tagged) && table.restore(tagged) && table.delete(tagged))
  }

  @Test func firstKeyThatHoldsAValue_decides() throws {
    let test = try TestDatabase()
    let table = test.table(Tree.self)
    var trees = [
      Tree(code: "c", mail: "m", name: "1"), Tree(code: "d", name: "2"), Tree(mail: "n", name: "3"),
    ]
    try table.insertList(&trees)
    #expect(try table.update(Tree(code: "c", mail: "n2", name: "by code")) == 1)
    #expect(try table.update(Tree(mail: "n", name: "by mail")) == 1)
    #expect(try table.update(Tree(pkid: 2, name: "by pkid")) == 1)
    // The first that is set decides, though the next would be in the table.
    #expect(throws: XTError.self) { try table.update(Tree(code: "gone", mail: "n2")) }
    #expect(throws: XTError.self) { try table.update(Tree(pkid: 99, code: "c")) }
    #expect(
      try test.seen("SELECT pkid, code, mail, name FROM Tree") == [
        "1|c|n2|by code", "2|NULL|NULL|by pkid", "3|NULL|n|by mail",
      ])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func nilKeys_areNoIdentityAndMatchNothing(face: Face, place: Place) throws {
    let test = try TestDatabase()
    let (first, second) = (Tree(name: "1"), Tree(name: "2"))
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Tree.self)
      var list = [first, second]
      #expect(try verbs.insertList(&list) == 2)
      var model = Tree(name: "new")
      #expect(throws: XTError.self) { try verbs.update(model) }
      #expect(throws: XTError.self) { try verbs.update(model, by: \.code) }
      #expect(throws: XTError.self) { try verbs.upsert(&model) }
      #expect(throws: XTError.self) { try verbs.upsert(&model, by: \.code) }
      #expect(throws: XTError.self) { try verbs.updateList([model]) }
      #expect(throws: XTError.self) { try verbs.delete(model) }
      #expect(try verbs.save(&model) == .inserted(pkid: 3))
      model.pkid = nil
      #expect(try verbs.insertOrReplace(&model) == 4)
    }
    #expect(try test.seen("SELECT name FROM Tree ORDER BY pkid") == ["1", "2", "new", "new"])
  }

  @Test func noIdentity_atAll_onlyInsertsAndConditionsWork() throws {
    let test = try TestDatabase()
    let table = test.table(Plain.self)
    var plain = Plain(name: "a")
    #expect(try table.insert(&plain) == 1)
    #expect(try table.save(&plain) == .inserted(pkid: 2))
    #expect(throws: XTError.self) { try table.update(plain) }
    #expect(throws: XTError.self) { try table.upsert(&plain) }
    #expect(try table.upsert(&plain, by: \.name) == .updated(pkids: [1, 2]))
    #expect(try table.delete(where: \.name == "a") == 2)
  }

  @Test func keyThatCannotBeStored_isAnErrorOfTheLibrary() throws {
    let test = try TestDatabase()
    let table = test.table(Odd.self)
    try table.create()
    var models = [Odd(pkid: .max), Odd(key: .nan)]
    for index in models.indices {
      for call in [
        { try table.update(models[index]) }, { try table.save(&models[index]) },
        { try table.delete(models[index]) }, { try table.upsert(&models[index], by: \.key) },
        { try table.insert(&models[index]) }, { try table.updateList([models[index]]) },
      ] as [() throws -> Void] {
        let error = #expect(throws: XTError.self) { try call() }
        #expect([.valueOutOfRange, .noIdentity].contains(error?.kind))
      }
    }
  }

  // MARK: Another database

  @Test func values_savedIntoAnotherDatabase_neverOverwriteWhenInserted() throws {
    let (here, there) = (try TestDatabase(), try TestDatabase())
    try here.table(Member.self).insertList([Member(name: "mine")])
    try there.table(Member.self).insertList([Member(name: "yours")])
    var loaded = try #require(try here.table(Member.self).findFirst())
    let error = #expect(throws: XTError.self) { try there.table(Member.self).insert(&loaded) }
    #expect(error?.kind == .constraint(.primaryKey) || error?.kind == .constraint(.unique))
    #expect(try there.seen("SELECT name FROM Member") == ["yours"])
  }

  @Test func objects_ofAnotherDatabase_areUnknown() throws {
    let (here, there) = (try TestDatabase(), try TestDatabase())
    let (mine, yours) = (here.table(Vessel.self), there.table(Vessel.self))
    try yours.insert(Vessel("yours"))
    let vessel = Vessel("mine", length: 1)
    try mine.insert(vessel)
    // By its unique name it is in the other database too, or not; never by its number.
    #expect(throws: XTError.self) { try yours.update(vessel) }
    #expect(try !yours.delete(vessel))
    #expect(try yours.save(vessel) == .inserted(pkid: 2))
    #expect(vessel.pkid == 2)
    // It is the other database's now, and still found here by its name.
    vessel.length = 9
    #expect(try mine.update(vessel) == 1)
    #expect(vessel.pkid == 2)
    #expect(try mine.save(vessel) == .updated(pkids: [1]))
    #expect(vessel.pkid == 1)
    #expect(try there.seen("SELECT pkid, name, length FROM Vessel") == ["1|yours|0", "2|mine|1"])
    #expect(try here.seen("SELECT pkid, name, length FROM Vessel") == ["1|mine|9"])
  }

  @Test func objects_pkidSetByHand_goesForEveryDatabase() throws {
    let test = try TestDatabase()
    let table = test.table(Vessel.self)
    let vessel = Vessel("a")
    vessel.pkid = 30
    #expect(try table.insert(vessel) == 30)
    let thief = Vessel("b")
    thief.pkid = 30
    #expect(throws: XTError.self) { try table.insert(thief) }
    #expect(try !table.insertOrIgnore(thief))
    #expect(try table.update(thief) == 1)
    #expect(thief.pkid == 30)
    #expect(try test.seen("SELECT pkid, name FROM Vessel") == ["30|b"])
  }
}
