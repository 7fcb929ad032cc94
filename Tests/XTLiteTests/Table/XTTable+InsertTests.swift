import Foundation
import Testing

@testable import XTLite

private struct Stamped: XTModel {
  var pkid: Int64?
  var name = ""
  var rank = 7
  var uid = UUID()
  var day = Date()
}

private struct Bare: XTModel {
  var name = ""
}

/// A sequence that can be gone through once.
private struct Once: Sequence, IteratorProtocol {
  let source: Mutex<Int>

  init(_ count: Int) { source = Mutex(count) }

  func next() -> Member? {
    source.withLock { left in
      guard left > 0 else { return nil }
      left -= 1
      return Member(name: "\(left)")
    }
  }
}

private struct Sparse: XTModel, Equatable {
  var a: String?
  var b: Int?
  var c: Data?
  var d: [Int]?
}

@Suite struct InsertTests {
  @Test(arguments: Face.allCases, Place.allCases)
  func insert_value_addsARowAndTellsTheValue(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    var memo = Memo(text: "a")
    var second = Memo(text: "b")
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      #expect(try verbs.insert(&memo) == 1)
      clock.now = 2000
      #expect(try verbs.insert(&second) == 2)
    }
    #expect(memo == Memo(pkid: 1, text: "a", at: 1000))
    #expect(second == Memo(pkid: 2, text: "b", at: 2000))
    #expect(
      try test.seen("SELECT * FROM Memo") == [
        "1|a|1000.0|1000.0|0", "2|b|2000.0|2000.0|0",
      ])
  }

  @Test func insert_isOneStatement() throws {
    let test = try TestDatabase()
    try test.table(Member.self).insertList([Member(name: "a")])
    var member = Member(name: "b")
    #expect(
      try test.statements { try test.table(Member.self).insert(&member) } == [
        "INSERT INTO `Member` (`pkid`, `name`, `age`, `nick`, `xt_createTime`, `xt_updateTime`)"
          + " VALUES (?, ?, ?, ?, ?, ?)"
      ])
  }

  @Test(arguments: Face.allCases)
  func insert_metaProperty_carriesAllFour(face: Face) throws {
    let test = try TestDatabase(TestClock())
    var letter = Letter(text: "a")
    try test.asCurrent { _ = try Verbs(face, test, Letter.self).insert(&letter) }
    let time = Date(timeIntervalSince1970: 1000)
    #expect(letter.meta == XTMeta(pkid: 1, createTime: time, updateTime: time))
    #expect(try test.table(Letter.self).find(pkid: 1) == letter)
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func insert_pkidThatIsSet_isUsedOnce(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      var member = Member(pkid: 41, name: "a", age: 1)
      #expect(try verbs.insert(&member) == 41)
      var thief = Member(pkid: 41, name: "b", age: 2)
      let error = #expect(throws: XTError.self) { try verbs.insert(&thief) }
      #expect(error?.kind == .constraint(.primaryKey) || error?.kind == .constraint(.unique))
      #expect(thief == Member(pkid: 41, name: "b", age: 2))
      var next = Member(name: "c")
      #expect(try verbs.insert(&next) == 42)
    }
    #expect(try test.seen("SELECT pkid, name FROM Member") == ["41|a", "42|c"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func insert_uniqueNameTaken_throwsAndChangesNothing(face: Face, place: Place) throws {
    let test = try TestDatabase()
    var again = Member(name: "a", age: 2)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      var member = Member(name: "a", age: 1)
      _ = try verbs.insert(&member)
      let error = #expect(throws: XTError.self) { try verbs.insert(&again) }
      #expect(error?.kind == .constraint(.unique))
      #expect(error?.hint?.contains("XTIndex") == true)
    }
    #expect(again == Member(name: "a", age: 2))
    #expect(try test.seen("SELECT name, age FROM Member") == ["a|1"])
  }

  // MARK: Some of the columns

  @Test(arguments: Face.allCases, Place.allCases)
  func insertOnly_bindsThoseAndTheFilesDefaultsFillTheOthers(face: Face, place: Place) throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Member (
          pkid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, age INTEGER DEFAULT 18,
          nick TEXT DEFAULT 'none', xt_createTime REAL, xt_updateTime REAL,
          xt_isDel BOOLEAN DEFAULT 0)
        """)
    var member = Member(name: "a", age: 3, nick: "b")
    try place.run(test.database) { () throws in
      #expect(try Verbs(face, test, Member.self).insert(&member, only: \.name) == 1)
      let others = [Member(name: "c", age: 4), Member(name: "d", age: 5)]
      #expect(try Verbs(face, test, Member.self).insertList(others, only: \.name) == 2)
    }
    #expect(member == Member(pkid: 1, name: "a", age: 3, nick: "b"))
    #expect(
      try test.seen("SELECT pkid, name, age, nick, xt_isDel FROM Member") == [
        "1|a|18|none|0", "2|c|18|none|0", "3|d|18|none|0",
      ])
    #expect(
      try test.seen("SELECT count(xt_createTime), count(xt_updateTime) FROM Member") == ["3|3"])
  }

  @Test func insertOnly_leavesNoNullWhereThereCanBeNone() throws {
    let test = try TestDatabase()
    var stamped = Stamped(name: "a", rank: 3)
    try test.table(Stamped.self).insert(&stamped, only: \.name)
    let found = try #require(try test.table(Stamped.self).find(pkid: 1))
    #expect(found.name == "a" && found.rank == 7)
    #expect(found.uid == stamped.uid)
  }

  @Test func insertOnly_pkid_isUsedOnlyWhereItIsNamed() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    var member = Member(pkid: 9, name: "a")
    #expect(try table.insert(&member, only: \.name, \.pkid) == 9)
    var other = Member(pkid: 30, name: "b")
    #expect(try table.insert(&other, only: \.name) == 10)
    #expect(other.pkid == 10)
    let vessels = test.table(Vessel.self)
    let vessel = Vessel("c", length: 5)
    vessel.pkid = 77
    #expect(try vessels.insert(vessel, only: \.name, \.pkid) == 77)
    #expect(try test.seen("SELECT pkid, name, length FROM Vessel") == ["77|c|0"])
  }

  @Test func insertOnly_whatIsNoColumn_throws() throws {
    let test = try TestDatabase()
    var member = Member(name: "a")
    let error = #expect(throws: XTError.self) {
      try test.table(Member.self).insert(&member, only: \.name.count)
    }
    #expect(error?.kind == .unknownColumn)
    #expect(try test.table(Member.self).count() == 0)
  }

  // MARK: Or ignore

  @Test(arguments: Face.allCases, Place.allCases)
  func insertOrIgnore_saysWhetherARowWasAdded(face: Face, place: Place) throws {
    let test = try TestDatabase()
    var first = Member(name: "a", age: 1)
    var second = Member(name: "a", age: 2)
    var third = Member(pkid: 1, name: "c", age: 3)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      #expect(try verbs.insertOrIgnore(&first))
      #expect(try !verbs.insertOrIgnore(&second))
      #expect(try !verbs.insertOrIgnore(&third))
    }
    #expect(first.pkid == 1)
    #expect(second == Member(name: "a", age: 2))
    #expect(third == Member(pkid: 1, name: "c", age: 3))
    #expect(try test.seen("SELECT pkid, name, age FROM Member") == ["1|a|1"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func insertOrIgnoreList_tellsTheOnesThatWereAdded(face: Face, place: Place) throws {
    let test = try TestDatabase()
    var members = ["a", "b", "a", "c"].map { Member(name: $0) }
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      #expect(try verbs.insertOrIgnoreList(&members) == 3)
      #expect(try verbs.insertOrIgnoreList(["c", "d"].lazy.map { Member(name: $0) }) == 1)
    }
    #expect(members.map { $0.pkid != nil } == [true, true, false, true])
    for member in members where member.pkid != nil {
      #expect(try test.table(Member.self).find(pkid: member.pkid ?? 0)?.name == member.name)
    }
    #expect(try test.seen("SELECT name FROM Member ORDER BY pkid") == ["a", "b", "c", "d"])
  }

  // MARK: Lists

  @Test(arguments: Face.allCases, Place.allCases)
  func insertList_addsAllAndTellsAll(face: Face, place: Place) throws {
    let test = try TestDatabase(TestClock())
    var memos = (0..<5).map { Memo(text: "\($0)") }
    try place.run(test.database) { () throws in
      #expect(try Verbs(face, test, Memo.self).insertList(&memos) == 5)
    }
    #expect(memos == (0..<5).map { Memo(pkid: Int64($0) + 1, text: "\($0)", at: 1000) })
    #expect(try test.table(Memo.self).findAll(orderBy: .asc(\.pkid)) == memos)
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func insertList_sequences_areGoneThroughOnce(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      #expect(try verbs.insertList(Once(3)) == 3)
      #expect(try verbs.insertList([Member(name: "a")]) == 1)
      #expect(try verbs.insertList((5..<7).lazy.map { Member(name: "l\($0)") }) == 2)
      #expect(try verbs.insertList(Set<String>().lazy.map { Member(name: $0) }) == 0)
    }
    #expect(
      try test.seen("SELECT name FROM Member ORDER BY pkid") == [
        "2", "1", "0", "a", "l5", "l6",
      ])
  }

  @Test func insertList_empty_writesNothing() throws {
    let test = try TestDatabase()
    var none: [Member] = []
    #expect(try test.table(Member.self).insertList(&none) == 0)
    #expect(try test.table(Vessel.self).insertList([Vessel]()) == 0)
    #expect(try test.tables() == [])
  }

  @Test func insertList_isOneTransactionAndOneStatement() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a")])
    var members = (0..<3).map { Member(name: "\($0)", nick: $0 == 1 ? "x" : nil) }
    let sql = try test.statements { try table.insertList(&members) }
    let insert =
      "INSERT INTO `Member` (`pkid`, `name`, `age`, `nick`, `xt_createTime`,"
      + " `xt_updateTime`) VALUES (?, ?, ?, ?, ?, ?)"
    #expect(sql == ["BEGIN IMMEDIATE", "PRAGMA schema_version", insert, insert, insert, "COMMIT"])
  }

  @Test(arguments: Place.allCases)
  func insertList_aFailingMember_leavesTheTableAndAllModelsAsTheyWere(place: Place) throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "x")])
    let before = ["a", "b", "x", "c"].map { Member(name: $0) }
    try place.run(test.database) { () throws in
      var members = before
      for _ in 0..<2 {
        #expect(throws: XTError.self) { try table.insertList(&members) }
        #expect(members == before)
      }
      #expect(throws: XTError.self) { try table.insertList(before) }
      #expect(try table.findAll().map(\.name) == ["x"])
    }
    #expect(try test.seen("SELECT name FROM Member") == ["x"])
    // Nor are numbers used up.
    var next = Member(name: "y")
    #expect(try table.insert(&next) == 2)
  }

  @Test func insertList_aSequenceThatThrowsMidway_leavesNothing() throws {
    let test = try TestDatabase()
    let table = test.table(Stamped.self)
    let models = (0..<4).lazy.map { index in
      Stamped(name: "\(index)", day: Date(timeIntervalSince1970: index == 3 ? .nan : 5))
    }
    let error = #expect(throws: XTError.self) { try table.insertList(models) }
    #expect(error?.kind == .valueOutOfRange && error?.column == "day")
    #expect(try table.count() == 0)
  }

  @Test func insertList_aSequenceThatUsesTheSameTable_goesOnWhereItWas() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    let members = (0..<3).lazy.map { index in
      var other = Member(name: "inner \(index)")
      _ = try? table.insert(&other)
      _ = try? table.findAll()
      return Member(name: "outer \(index)")
    }
    #expect(try table.insertList(members) == 3)
    #expect(try table.count() == 6)
    #expect(try table.count(where: \.name == "inner 2") == 1)
  }

  @Test func insertList_nilsAtDifferentProperties_everyRowIsRight() throws {
    let test = try TestDatabase()
    let rows = (0..<16).map { bits in
      Sparse(
        a: bits & 1 == 0 ? nil : "a", b: bits & 2 == 0 ? nil : 2,
        c: bits & 4 == 0 ? nil : Data([4]), d: bits & 8 == 0 ? nil : [8])
    }
    let table = test.table(Sparse.self)
    let sql = try test.statements { try table.insertList(rows) }.filter {
      $0.hasPrefix("INSERT INTO `Sparse`")
    }
    #expect(Set(sql).count == 1)
    #expect(try table.findAll() == rows)
    #expect(
      try test.seen("SELECT count(a), count(b), count(c), count(d) FROM Sparse") == ["8|8|8|8"])
  }

  @Test func insertList_valuesThatKnowNoPkid_areInserted() throws {
    let test = try TestDatabase()
    var bare = [Bare(name: "a"), Bare(name: "b")]
    #expect(try test.table(Bare.self).insertList(&bare) == 2)
    #expect(try test.seen("SELECT pkid, name FROM Bare") == ["1|a", "2|b"])
  }

  // MARK: Triggers

  @Test func insert_triggerThatLeavesTheRowOut_isAnErrorUnlessIgnored() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.create()
    try test.database.execute(
      """
      CREATE TRIGGER no BEFORE INSERT ON Member WHEN NEW.name = 'no'
      BEGIN SELECT RAISE(IGNORE); END
      """)
    var yes = Member(name: "yes")
    var no = Member(name: "no")
    #expect(try table.insert(&yes) == 1)
    let error = #expect(throws: XTError.self) { try table.insert(&no) }
    #expect(error?.kind == .constraint(.trigger))
    #expect(throws: XTError.self) { try table.save(&no) }
    #expect(throws: XTError.self) { try table.insertList([Member(name: "b"), no]) }
    #expect(try !table.insertOrIgnore(&no))
    #expect(no.pkid == nil)
    #expect(try table.findAll().map(\.name) == ["yes"])
  }

  @Test func insert_triggerThatInsertsElsewhere_givesTheOwnPkid() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.create()
    try test.database.execute(
      """
      CREATE TABLE log (n INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO log VALUES (500, 'x');
      CREATE TRIGGER t AFTER INSERT ON Member BEGIN INSERT INTO log (name) VALUES (NEW.name); END
      """)
    var members = [Member(name: "a"), Member(name: "b")]
    try table.insertList(&members)
    #expect(members.map(\.pkid) == [1, 2])
    var third = Member(name: "c")
    #expect(try table.insert(&third) == 3)
  }
}

extension Memo {
  fileprivate init(pkid: Int64, text: String, at seconds: Double) {
    self.init(
      pkid: pkid, text: text, xt_createTime: Date(timeIntervalSince1970: seconds),
      xt_updateTime: Date(timeIntervalSince1970: seconds))
  }
}
