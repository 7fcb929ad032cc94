import Foundation
import Testing

@testable import XTLite

private struct Meter: XTModel, Equatable {
  var pkid: Int64?
  var small: Int8 = 0
  var maybe: UInt8?
  var wide: Int64 = 0
  var unsigned: UInt64 = 0
  var real = 0.0
  var narrow: Float = 0
  var price = Decimal()
  var on = false
  var text: String? = "t"
}

private struct Nothing: XTModel {
  var pkid: Int64?
}

@Suite struct UpdateTests {
  // MARK: One

  @Test(arguments: Face.allCases, Place.allCases)
  func update_writesTheRowAndNotTheValue(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      var memo = Memo(text: "a")
      _ = try verbs.insert(&memo)
      clock.now = 2000
      var changed = memo
      changed.text = "b"
      changed.xt_createTime = nil
      let copy = changed
      #expect(try verbs.update(changed) == 1)
      #expect(changed == copy)
    }
    #expect(try test.seen("SELECT * FROM Memo") == ["1|b|1000.0|2000.0|0"])
  }

  @Test func update_isOneStatement() throws {
    let test = try TestDatabase()
    var member = Member(name: "a")
    let table = test.table(Member.self)
    try table.insert(&member)
    #expect(
      try test.statements { try table.update(member) } == [
        "UPDATE `Member` SET `name` = ?, `age` = ?, `nick` = ?, `xt_updateTime` = ? WHERE `pkid` = ?"
      ])
    member.pkid = nil
    #expect(
      try test.statements { try table.update(member) } == [
        "UPDATE `Member` SET `age` = ?, `nick` = ?, `xt_updateTime` = ? WHERE `name` = ?"
      ])
    #expect(
      try test.statements { try table.update(member, only: \.age) } == [
        "UPDATE `Member` SET `age` = ?, `xt_updateTime` = ? WHERE `name` = ?"
      ])
    #expect(
      try test.statements { try table.update(member, by: \.age) } == [
        "UPDATE `Member` SET `name` = ?, `nick` = ?, `xt_updateTime` = ? WHERE `age` = ?"
      ])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func update_setToNil_isNull(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      var member = Member(name: "a", nick: "x")
      _ = try verbs.insert(&member)
      member.nick = nil
      _ = try verbs.update(member)
      var other = Member(name: "b", nick: "y")
      _ = try verbs.insert(&other)
      other.nick = nil
      _ = try verbs.update(other, only: \.nick)
    }
    #expect(try test.seen("SELECT nick FROM Member") == ["NULL", "NULL"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func update_rowThatIsGone_throwsRowNotFound(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      for member in [Member(pkid: 8, name: "a"), Member(name: "unknown")] {
        let error = #expect(throws: XTError.self) { try verbs.update(member) }
        #expect(error?.kind == .rowNotFound)
        #expect(try verbs.update(member, only: \.age) == 0)
        #expect(try verbs.updateList([member]) == 0)
        #expect(try verbs.update(member, by: \.name) == 0)
      }
      #expect(try verbs.table.count() == 0)
    }
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func update_withoutIdentity_throws(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      var memo = Memo(text: "a")
      _ = try verbs.insert(&memo)
      for call in [
        { _ = try verbs.update(Memo(text: "b")) },
        { _ = try verbs.update(Memo(text: "b"), only: \.text) },
        { _ = try verbs.updateList([memo, Memo(text: "b")]) },
        { _ = try verbs.delete(Memo(text: "b")) },
        { _ = try verbs.softDelete(Memo(text: "b")) },
        { _ = try verbs.restore(Memo(text: "b")) },
      ] as [() throws -> Void] {
        let error = #expect(throws: XTError.self) { try call() }
        #expect(error?.kind == .noIdentity)
      }
    }
    #expect(try test.seen("SELECT text, xt_isDel FROM Memo") == ["a|0"])
  }

  @Test func update_worksOnConstantsAndLoopVariables() throws {
    let test = try TestDatabase()
    try test.asCurrent { () throws in
      try Member.xt_insertList([Member(name: "a"), Member(name: "b")])
      for member in try Member.xt_findAll() { try member.xt_update() }
      try Member.xt_findFirst()?.xt_softDelete()
      let first = try Member.xt_findFirst()
      #expect(first?.name == "b")
      try first?.xt_deleteModel()
    }
    #expect(try test.seen("SELECT name, xt_isDel FROM Member") == ["a|1"])
  }

  // MARK: Only, by

  @Test(arguments: Face.allCases, Place.allCases)
  func updateOnly_writesJustThose(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      var member = Member(name: "a", age: 1, nick: "x")
      _ = try verbs.insert(&member)
      clock.now = 2000
      member = Member(pkid: 1, name: "b", age: 2)
      #expect(try verbs.update(member, only: \.age) == 1)
    }
    #expect(try test.seen("SELECT * FROM Member") == ["1|a|2|x|1000.0|2000.0|0"])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func updateBy_writesTheRowsThatHoldTheSame(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Memo.self)
      _ = try verbs.insertList(["a", "b", "a"].map { Memo(text: $0) })
      #expect(try verbs.update(Memo(text: "a", xt_isDel: true), by: \.text) == 2)
      #expect(try verbs.update(Memo(text: "c"), by: \.text) == 0)
      // Soft-deleted rows are seen too.
      #expect(
        try verbs.updateList([Memo(text: "a"), Memo(text: "b", xt_isDel: true)], by: \.text) == 3)
    }
    #expect(
      try test.seen("SELECT text, xt_isDel FROM Memo ORDER BY pkid") == ["a|0", "b|1", "a|0"])
  }

  @Test func update_aModelOfNothingButItsNumber_isStillFound() throws {
    let test = try TestDatabase { $0.automaticColumns = false }
    let table = test.table(Nothing.self)
    var nothing = Nothing()
    #expect(try table.insert(&nothing) == 1)
    #expect(try table.update(nothing) == 1)
    #expect(try table.save(&nothing) == .updated(pkids: [1]))
    #expect(try table.upsert(&nothing) == .updated(pkids: [1]))
    #expect(throws: XTError.self) { try table.update(Nothing(pkid: 2)) }
    #expect(try table.delete(nothing))
  }

  // MARK: Lists

  @Test(arguments: Face.allCases, Place.allCases)
  func updateList_writesEachInOneTransaction(face: Face, place: Place) throws {
    let test = try TestDatabase()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      var members = (0..<4).map { Member(name: "\($0)") }
      _ = try verbs.insertList(&members)
      for index in members.indices { members[index].age = index + 10 }
      members[1].pkid = nil  // found by its name
      members[2].pkid = 99  // gone
      #expect(try verbs.updateList(members) == 3)
      #expect(
        try verbs.updateList(
          members.lazy.filter { $0.age == 10 }.map { Member(pkid: $0.pkid, name: "z") }) == 1)
    }
    #expect(try test.seen("SELECT name, age FROM Member") == ["z|0", "1|11", "2|0", "3|13"])
  }

  @Test func updateList_isOneStatement() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    var members = (0..<3).map { Member(name: "\($0)", nick: $0 == 1 ? "x" : nil) }
    try table.insertList(&members)
    let update =
      "UPDATE `Member` SET `name` = ?, `age` = ?, `nick` = ?, `xt_updateTime` = ?"
      + " WHERE `pkid` = ?"
    #expect(
      try test.statements { try table.updateList(members) } == [
        "BEGIN IMMEDIATE", "PRAGMA schema_version", update, update, update, "COMMIT",
      ])
  }

  @Test(arguments: Place.allCases)
  func updateList_aFailingMember_leavesTheTableAsItWas(place: Place) throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    var members = ["a", "b", "c"].map { Member(name: $0) }
    try table.insertList(&members)
    let before = members
    members[0].age = 5
    members[2].name = "b"
    try place.run(test.database) { () throws in
      let error = #expect(throws: XTError.self) { try table.updateList(members) }
      #expect(error?.kind == .constraint(.unique))
      #expect(throws: XTError.self) { try table.updateList(members, by: \.pkid) }
    }
    #expect(try table.findAll() == before)
  }

  // MARK: Without a model

  @Test(arguments: Face.allCases, Place.allCases)
  func updateWhere_changesTheRowsThatMeetIt(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Member.self)
      _ = try verbs.insertList((1...4).map { Member(name: "\($0)", age: $0, nick: "x") })
      clock.now = 2000
      #expect(try verbs.update(where: \.age > 2, .set(\.nick, to: nil)) == 2)
      #expect(try verbs.update(where: "age = \(1)", .add(\.age, 100)) == 1)
      #expect(try verbs.update(where: \.age == 77, .add(\.age, 1)) == 0)
      clock.now = 3000
      #expect(try verbs.softDelete(where: \.name == "4") == 1)
      #expect(try verbs.update(where: nil, .add(\.age, -1), scope: .deleted) == 1)
      #expect(try verbs.updateAll(.set(\.nick, to: "all")) == 3)
      #expect(try verbs.updateAll(.add(\.age, 0), scope: .all) == 4)
    }
    #expect(
      try test.seen("SELECT name, age, nick, xt_createTime, xt_updateTime FROM Member") == [
        "1|101|all|1000.0|3000.0", "2|2|all|1000.0|3000.0", "3|3|all|1000.0|3000.0",
        "4|3|NULL|1000.0|3000.0",
      ])
  }

  @Test func updateWhere_severalAssignments_areMadeAtOnce() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a", age: 1, nick: "x")])
    #expect(try table.update(where: \.name == "a", .set(\.nick, to: nil), .add(\.age, 1)) == 1)
    #expect(try test.seen("SELECT age, nick FROM Member") == ["2|NULL"])
    #expect(try table.update(where: nil) == 0)
    let error = #expect(throws: XTError.self) {
      try table.updateAll(.add(\.age, 1), .add(\.age, 2))
    }
    #expect(error?.kind == .schema && error?.column == "age")
    #expect(try test.seen("SELECT age FROM Member") == ["2"])
  }

  @Test func updateWhere_aFlag_meansTrue() throws {
    let test = try TestDatabase()
    let table = test.table(Meter.self)
    try table.insertList([Meter(small: 1, on: true), Meter(small: 1)])
    #expect(try table.update(where: \.on, .add(\.small, 1)) == 1)
    try test.asCurrent { () throws in
      #expect(try Meter.xt_updateWhere(\.on, .set(\.on, to: false)) == 1)
    }
    #expect(try test.seen("SELECT small, \"on\" FROM Meter") == ["2|0", "1|0"])
  }

  @Test(arguments: Place.allCases)
  func add_beyondTheProperty_throwsAndChangesNoRow(place: Place) throws {
    let test = try TestDatabase()
    let table = test.table(Meter.self)
    try table.insertList([
      Meter(small: 1, maybe: nil, wide: 1, unsigned: 1, real: 1, narrow: 1, price: 1),
      Meter(
        small: 120, maybe: 250, wide: .max - 1, unsigned: UInt64(Int64.max),
        real: .greatestFiniteMagnitude, narrow: .greatestFiniteMagnitude,
        price: Decimal.greatestFiniteMagnitude),
    ])
    let before = try test.seen("SELECT * FROM Meter")
    try place.run(test.database) { () throws in
      for assignment in [
        .add(\.small, 8), .add(\.maybe, 6), .add(\.wide, 2),
        .add(\.unsigned, 1), .add(\.narrow, .greatestFiniteMagnitude),
      ] as [XTAssignment<Meter>] {
        let error = #expect(throws: XTError.self) { try table.updateAll(assignment) }
        #expect(error?.kind == .valueOutOfRange, "\(assignment)")
        #expect(error?.column != nil)
        #expect(throws: XTError.self) { try table.updateAll(.set(\.text, to: "no"), assignment) }
      }
    }
    #expect(try test.seen("SELECT * FROM Meter") == before)
    // Rows that the condition leaves out are nobody's concern.
    #expect(try table.update(where: \.small < 100, .add(\.small, 100)) == 1)
    #expect(try table.updateAll(.add(\.small, 7), .add(\.maybe, 5), .add(\.wide, 1)) == 2)
    #expect(
      try test.seen("SELECT small, maybe, wide FROM Meter") == [
        "108|NULL|2", "127|255|9223372036854775807",
      ])
  }

  @Test func set_whatCannotBeStored_throwsBeforeAnythingRuns() throws {
    let test = try TestDatabase()
    let table = test.table(Meter.self)
    try table.insertList([Meter()])
    for assignment in [
      .set(\.real, to: .nan), .set(\.unsigned, to: .max), .set(\.price, to: .nan),
    ] as [XTAssignment<Meter>] {
      let error = #expect(throws: XTError.self) { try table.updateAll(assignment) }
      #expect(error?.kind == .valueOutOfRange)
    }
    let unknown = #expect(throws: XTError.self) {
      try table.updateAll(.set(\.small.description, to: "1"))
    }
    #expect(unknown?.kind == .unknownColumn)
    #expect(try table.findAll() == [Meter(pkid: 1)])
  }

  @Test func set_aUniqueValueTwice_throwsAndChangesNoRow() throws {
    let test = try TestDatabase()
    let table = test.table(Member.self)
    try table.insertList([Member(name: "a"), Member(name: "b")])
    let error = #expect(throws: XTError.self) { try table.updateAll(.set(\.name, to: "c")) }
    #expect(error?.kind == .constraint(.unique))
    #expect(try test.seen("SELECT name FROM Member ORDER BY pkid") == ["a", "b"])
  }
}
