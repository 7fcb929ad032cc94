import Foundation
import Testing

@testable import XTLite

private final class Counted: XTModel {
  var name = ""
  var didSets = 0

  var watched = 0 {
    didSet { didSets += 1 }
  }

  static var xt_ignored: XTKeyPaths { [\Counted.didSets] }

  init() {}
}

/// The verbs on objects: each goes to the table of its own class, and is told what its row holds.
@Suite struct ClassWritingTests {
  private func fleet() -> [Vessel] {
    let ferry = Ferry("ferry", length: 2)
    ferry.decks = 3
    let carFerry = CarFerry("car ferry", length: 3)
    carFerry.cars = 40
    return [Vessel("vessel", length: 1), ferry, carFerry, Vessel("vessel 2"), Ferry("ferry 2")]
  }

  private func seen(_ test: TestDatabase) throws -> [[String]] {
    [
      try test.seen("SELECT pkid, name, length FROM Vessel ORDER BY pkid"),
      try test.seen("SELECT pkid, name, length, decks FROM Ferry ORDER BY pkid"),
      try test.seen("SELECT pkid, name, length, decks, cars FROM CarFerry ORDER BY pkid"),
    ]
  }

  private static let rows = [
    ["1|vessel|1", "2|vessel 2|0"], ["1|ferry|2|3", "2|ferry 2|0|1"], ["1|car ferry|3|1|40"],
  ]

  @Test(arguments: Face.allCases, Place.allCases)
  func insert_aVariableOfTheSuperclass_goesToTheObjectsOwnTable(face: Face, place: Place) throws {
    let test = try TestDatabase()
    let fleet = fleet()
    try place.run(test.database) { () throws in
      for vessel in fleet {
        let pkid = try face == .table ? test.table(Vessel.self).insert(vessel) : vessel.xt_insert()
        #expect(vessel.pkid == pkid)
      }
    }
    #expect(try seen(test) == Self.rows)
    #expect(fleet.map(\.pkid) == [1, 1, 1, 2, 2])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func insertList_ofSeveralClasses_goesToTheirTables(face: Face, place: Place) throws {
    let test = try TestDatabase(TestClock())
    let (first, second) = (fleet(), fleet())
    try place.run(test.database) { () throws in
      var list = first
      let verbs = Verbs(face, test, Vessel.self)
      #expect(try verbs.insertList(&list) == 5)
      #expect(throws: XTError.self) { try verbs.insertList(second) }
      #expect(second.allSatisfy { $0.pkid == nil && $0.xt_createTime == nil })
      for vessel in second { vessel.name += "!" }
      #expect(try verbs.insertList(second.lazy.map { $0 }) == 5)
    }
    #expect(first.map(\.pkid) == [1, 1, 1, 2, 2])
    #expect(second.map(\.pkid) == [3, 3, 2, 4, 4])
    for vessel in first + second {
      #expect(vessel.xt_createTime?.timeIntervalSince1970 == 1000)
      #expect(vessel.xt_updateTime == vessel.xt_createTime && !vessel.xt_isDel)
    }
    #expect(try test.table(Vessel.self).count() == 4)
    #expect(
      try test.table(Ferry.self).findAll().map(\.name) == [
        "ferry", "ferry 2", "ferry!", "ferry 2!",
      ])
    #expect(try test.table(CarFerry.self).findAll().map(\.cars) == [40, 40])
  }

  @Test(arguments: Face.allCases, Place.allCases)
  func everyVerb_onObjects_goesToTheirTables(face: Face, place: Place) throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    let fleet = fleet()
    try place.run(test.database) { () throws in
      let verbs = Verbs(face, test, Vessel.self)
      _ = try verbs.insertList(fleet)
      clock.now = 2000
      for vessel in fleet { vessel.length += 10 }
      for vessel in fleet.prefix(3) { #expect(try verbs.update(vessel) == 1) }
      #expect(try verbs.updateList(fleet.suffix(2)) == 2)
      #expect(fleet.allSatisfy { $0.xt_updateTime?.timeIntervalSince1970 == 2000 })
      #expect(fleet.allSatisfy { $0.xt_createTime?.timeIntervalSince1970 == 1000 })
      for vessel in fleet { vessel.length += 10 }
      #expect(try verbs.update(fleet[1], only: \.length) == 1)
      #expect(try verbs.update(fleet[2], by: \.name) == 1)
      #expect(try verbs.updateList([fleet[0], fleet[4]], by: \.name) == 2)
      var vessel = fleet[3]
      #expect(try verbs.save(&vessel) == .updated(pkids: [2]))
      #expect(try verbs.upsert(&vessel) == .updated(pkids: [2]))
      #expect(try verbs.insertOrReplace(&vessel) == 2)
      #expect(try !verbs.insertOrIgnore(&vessel))
      var list = fleet
      #expect(try verbs.upsertList(&list, by: \.name).allSatisfy { !$0.isInserted })
      #expect(try verbs.insertOrReplaceList(fleet) == 5)
      #expect(try verbs.insertOrIgnoreList(fleet) == 0)
      #expect(try verbs.softDelete(fleet[1]) && !verbs.softDelete(fleet[1]))
      #expect(fleet[1].xt_isDel && !fleet[0].xt_isDel)
      #expect(try test.table(Ferry.self).count() == 1 && test.table(Vessel.self).count() == 2)
      #expect(try verbs.restore(fleet[1]))
      #expect(!fleet[1].xt_isDel)
      #expect(try verbs.delete(fleet[2]) && !verbs.delete(fleet[2]))
    }
    #expect(
      try seen(test) == [
        ["1|vessel|21", "2|vessel 2|20"], ["1|ferry|22|3", "2|ferry 2|20|1"], [],
      ])
  }

  @Test func subclasses_ofOneName_mayShareNoUniqueValueOnlyInTheirOwnTable() throws {
    let test = try TestDatabase()
    let table = test.table(Vessel.self)
    try table.insert(Vessel("x"))
    try table.insert(Ferry("x"))
    #expect(throws: XTError.self) { try table.insert(Ferry("x")) }
  }

  @Test func conditions_onASuperclass_meanItsOwnTable() throws {
    let test = try TestDatabase()
    try test.table(Vessel.self).insertList(fleet())
    #expect(try test.table(Vessel.self).updateAll(.add(\.length, 1)) == 2)
    #expect(try test.table(Vessel.self).deleteAll() == 2)
    #expect(try test.table(Ferry.self).count() == 2)
    #expect(try test.table(Ferry.self).update(where: \.decks == 3, .set(\.name, to: "n")) == 1)
  }

  @Test func tableOfAChosenName_takesItsOwnClassOnly() throws {
    let test = try TestDatabase()
    let table = test.table(Vessel.self, named: "Old")
    try table.insert(Vessel("a"))
    let error = #expect(throws: XTError.self) { try table.insertList([Vessel("b"), Ferry("c")]) }
    #expect(error?.kind == .schema)
    #expect(try test.tables().filter { !$0.hasPrefix("xt") && !$0.hasPrefix("XT") } == ["Old"])
    #expect(try table.findAll().map(\.name) == ["a"])
  }

  @Test(arguments: Place.allCases)
  func insertList_ofSeveralClassesThatFails_leavesAllTablesAndObjects(place: Place) throws {
    let test = try TestDatabase()
    try test.table(Vessel.self).insertList([Vessel("a"), CarFerry("c")])
    let list = [Vessel("b"), Ferry("b"), CarFerry("c")]
    try place.run(test.database) { () throws in
      #expect(throws: XTError.self) { try test.table(Vessel.self).insertList(list) }
      #expect(list.allSatisfy { $0.pkid == nil && $0.xt_updateTime == nil })
    }
    #expect(try test.table(Ferry.self).exists() == false)
    #expect(try test.table(Vessel.self).findAll().map(\.name) == ["a"])
  }

  @Test func insertList_alternatingClasses_keepsOneStatementEach() throws {
    let test = try TestDatabase()
    let table = test.table(Vessel.self)
    for round in 0..<2 { try table.insertList([Vessel("a\(round)"), Ferry("b\(round)")]) }
    let list = (0..<6).map { $0.isMultiple(of: 2) ? Vessel("\($0)") : Ferry("\($0)") }
    let sql = try test.statements { try table.insertList(list) }
    #expect(sql.count { $0 == "PRAGMA schema_version" } == 2)
    #expect(Set(sql).count == 5)
    #expect(sql.count == 4 + 6)
    let update = try test.statements { try table.updateList(list) }
    #expect(Set(update).count == 5 && update.count == 4 + 6)
  }

  @Test func objectThatDeclaresItsColumns_isToldInThem() throws {
    let clock = TestClock()
    let test = try TestDatabase(clock)
    let table = test.table(Buoy.self)
    let buoy = Buoy("a")
    try table.insert(buoy)
    #expect(buoy.pkid == 1 && buoy.xt_createTime?.timeIntervalSince1970 == 1000)
    clock.now = 2000
    buoy.label = "b"
    try table.update(buoy)
    #expect(buoy.xt_updateTime?.timeIntervalSince1970 == 2000)
    #expect(try table.softDelete(buoy) && buoy.xt_isDel)
    #expect(try table.upsert(buoy) == .updated(pkids: [1]))
    #expect(!buoy.xt_isDel)
    #expect(buoy.xt_createTime?.timeIntervalSince1970 == 1000)
    #expect(
      try test.seen("SELECT pkid, label, xt_createTime, xt_updateTime, xt_isDel FROM Buoy") == [
        "1|b|1000.0|2000.0|0"
      ])
  }

  @Test func writing_goesToStoredMemory_observersDoNotRun() throws {
    let test = try TestDatabase()
    let counted = Counted()
    counted.watched = 4
    try test.table(Counted.self).insert(counted)
    try test.table(Counted.self).save(counted)
    #expect(counted.didSets == 1)
    #expect(try test.table(Counted.self).findFirst()?.watched == 4)
    #expect(try test.table(Counted.self).findFirst()?.didSets == 0)
  }

  @Test func softDeletedObject_insertedElsewhere_isLiveThere() throws {
    let (here, there) = (try TestDatabase(), try TestDatabase())
    let vessel = Vessel("a")
    try here.table(Vessel.self).insert(vessel)
    try here.table(Vessel.self).softDelete(vessel)
    try there.table(Vessel.self).insert(vessel)
    #expect(!vessel.xt_isDel)
    #expect(try there.seen("SELECT xt_isDel FROM Vessel") == ["0"])
  }
}
