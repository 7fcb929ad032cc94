import Foundation
import Testing

@testable import XTLite

@Suite struct FindTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    try test.table(Sample.self).insertList([
      Sample("b", 2), Sample("a", 2) { $0.isMember = true }, Sample("d", 4) { $0.nick = "D" },
      Sample("c", 3),
    ])
  }

  private func names(_ find: @autoclosure () throws -> [Sample]) throws -> [String] {
    try test.asCurrent { try find().map(\.name) }
  }

  private func sql(_ find: @escaping () throws -> Void) throws -> [String] {
    try test.statements { try test.asCurrent(find) }
  }

  // MARK: All

  @Test func findAll_ordersLimitAndOffset_areSQLs() throws {
    #expect(try names(try Sample.xt_findAll()) == ["b", "a", "d", "c"])
    #expect(
      try names(try Sample.xt_findAll(orderBy: .asc(\.order), .desc(\.name))) == [
        "b", "a", "c", "d",
      ])
    #expect(try names(try Sample.xt_findAll(orderBy: .asc(\.name), limit: 2)) == ["a", "b"])
    #expect(
      try names(try Sample.xt_findAll(orderBy: .asc(\.name), limit: 2, offset: 1)) == ["b", "c"])
    #expect(try names(try Sample.xt_findAll(orderBy: .asc(\.name), offset: 3)) == ["d"])
    #expect(try names(try Sample.xt_findAll(limit: 0)) == [])
    #expect(try names(try Sample.xt_findAll(limit: .max, offset: 9)) == [])
    #expect(
      try names(try Sample.xt_findAll(orderBy: .asc(\.nick), .asc(\.name))) == ["a", "b", "c", "d"])
    let statements = try sql {
      _ = try Sample.xt_findAll(orderBy: .desc(\.order), limit: 2, offset: 1)
    }
    #expect(statements.count == 1)
    #expect(
      statements[0].hasSuffix(
        " FROM `Sample` WHERE `xt_isDel` = 0 ORDER BY `order` DESC LIMIT ? OFFSET ?"))
  }

  @Test(arguments: [(-1, 0), (1, -1), (.min, .min)])
  func findAll_negativeNumbersOfRows_throw(limit: Int, offset: Int) throws {
    let error = #expect(throws: XTError.self) {
      try test.table(Sample.self).findAll(limit: limit, offset: offset)
    }
    #expect(error?.kind == .valueOutOfRange)
  }

  @Test func findAll_only_readsJustThose() throws {
    let table = test.table(Sample.self)
    _ = try table.count()
    let statements = try test.statements {
      let found = try table.findAll(
        only: \.name, \.nick, orderBy: .desc(\.order), limit: 1, scope: .all)
      #expect(found.map(\.name) == ["d"] && found.map(\.nick) == ["D"])
      #expect(found.map(\.order) == [0] && found.map(\.pkid) == [nil])
      #expect(found.map(\.draft) == ["kept out"])
    }
    #expect(
      statements == ["SELECT `name`, `nick` FROM `Sample` ORDER BY `order` DESC LIMIT ?"])
    #expect(throws: XTError.self) { try table.findAll(only: \.draft) }
    #expect(throws: XTError.self) { try table.findAll(only: \.name.count) }
  }

  @Test func findAll_onlyOnePropertyTwice_leavesNoOtherUnset() throws {
    let pairs = test.table(Pair.self)
    try pairs.insertList([Pair(name: "x", other: "y")])
    let found = try pairs.findAll(only: \.name, \.name)
    #expect(found.map(\.name) == ["x"] && found.map(\.other) == ["from init"])
    let all = try pairs.findAll(only: \.other, \.name)
    #expect(all.map(\.name) == ["x"] && all.map(\.other) == ["y"])
  }

  @Test func findAll_onlyOfObjects_readsTheirNumberToo() throws {
    let objects = test.table(SampleObject.self)
    let found = try objects.findAll(only: \.name)
    #expect(found.map(\.name) == ["b", "a", "d", "c"] && found.map(\.order) == [0, 0, 0, 0])
    #expect(found.map(\.pkid) == [1, 2, 3, 4])
    #expect(try objects.findAll(only: \.pkid).map(\.pkid) == [1, 2, 3, 4])
    #expect(try objects.findAll(only: \.pkid, \.order).map(\.order) == [2, 2, 4, 3])
  }

  // MARK: Where

  @Test func findWhere_eachFormOfACondition_isTaken() throws {
    let none: XTCondition<Sample>? = nil
    let kept: XTCondition<Sample>? = \.order == 2
    #expect(try names(try Sample.xt_findWhere(\.order > 2)) == ["d", "c"])
    #expect(try names(try Sample.xt_findWhere("`order` > \(2)")) == ["d", "c"])
    #expect(try names(try Sample.xt_findWhere("\(\.order) > 2")) == ["d", "c"])
    #expect(try names(try Sample.xt_findWhere(XTCondition(unsafe: "`order` > 2"))) == ["d", "c"])
    #expect(try names(try Sample.xt_findWhere(none)) == ["b", "a", "d", "c"])
    #expect(try names(try Sample.xt_findWhere(kept)) == ["b", "a"])
    #expect(try names(try Sample.xt_findWhere(\.isMember)) == ["a"])
    #expect(try names(try Sample.xt_findWhere(!\.isMember && \.order == 2)) == ["b"])
    #expect(try names(try Sample.xt_findWhere(\.isMember || \.nick != nil)) == ["a", "d"])
    #expect(
      try names(try Sample.xt_findWhere(\.isMember, orderBy: .asc(\.name), limit: 1)) == ["a"])
  }

  @Test func findWhere_ordersInAnArray_areTaken() throws {
    var orders: [XTOrder<Sample>] = []
    #expect(try names(try Sample.xt_findWhere(\.order == 2, orderBy: orders)) == ["b", "a"])
    orders.append(.asc(\.order))
    orders.append(.asc(\.name))
    #expect(try names(try Sample.xt_findWhere(nil, orderBy: orders)) == ["a", "b", "c", "d"])
    #expect(
      try names(try Sample.xt_findWhere(nil, orderBy: orders, limit: 2, offset: 1)) == ["b", "c"])
    #expect(
      try names(try Sample.xt_findWhere(nil, orderBy: [.desc(column: "NAME")], limit: 1)) == ["d"])
  }

  @Test func orders_byAColumnsName_knowTheFilesColumns() throws {
    try test.outside("ALTER TABLE Sample ADD COLUMN extra INTEGER DEFAULT 0")
    try test.outside("UPDATE Sample SET extra = -pkid")
    let table = test.table(Sample.self)
    #expect(try table.findAll(orderBy: .asc(column: "extra")).map(\.pkid) == [4, 3, 2, 1])
    for wrong in ["nope", "na me", "\"name\"", "name DESC", "`name`"] {
      let error = #expect(throws: XTError.self, "\(wrong)") {
        try table.findAll(orderBy: .asc(column: wrong))
      }
      #expect(error?.kind == .unknownColumn, "\(wrong)")
    }
  }

  // MARK: One

  @Test func findPkid_givesTheRowOrNil() throws {
    try test.asCurrent { () throws in
      #expect(try Sample.xt_find(pkid: 2)?.name == "a")
      for missing in [0, 5, -1, Int64.max, .min] {
        #expect(try Sample.xt_find(pkid: missing) == nil)
      }
      #expect(try SampleObject.xt_find(pkid: 3)?.pkid == 3)
    }
    let statements = try sql { _ = try Sample.xt_find(pkid: 2) }
    #expect(statements.count == 1)
    #expect(statements[0].hasSuffix(" FROM `Sample` WHERE `pkid` = ? AND `xt_isDel` = 0"))
  }

  @Test func findPkid_whereTheKeyIsTheModelsOwn_findsByIt() throws {
    let keyed = test.table(Keyed.self)
    try keyed.insertList([Keyed(name: "a"), Keyed(name: "b")])
    var third = Keyed(name: "c")
    third.localID = 70
    try keyed.insert(&third)
    #expect(try keyed.find(pkid: 70)?.name == "c")
    #expect(try keyed.find(pkids: [70, 3, 2]).map(\.name) == ["c", "b"])
    #expect(
      try keyed.find(where: \.localID > 1, orderBy: .desc(\.localID)).map(\.localID) == [70, 2])
    #expect(try keyed.max(of: \.localID) == 70)
    let statements = try test.statements { _ = try keyed.find(pkid: 70) }
    #expect(statements.last?.hasSuffix(" WHERE `local` = ? AND `xt_isDel` = 0") == true)
  }

  @Test func findPkids_keepsTheirOrder() throws {
    #expect(try names(try Sample.xt_find(pkids: [4, 99, 1, 4])) == ["c", "b", "c"])
    #expect(try names(try Sample.xt_find(pkids: [])) == [])
  }

  @Test func findFirst_asksForOneRow() throws {
    try test.asCurrent { () throws in
      #expect(try Sample.xt_findFirst()?.name == "b")
      #expect(try Sample.xt_findFirst(orderBy: .desc(\.order))?.name == "d")
      #expect(try Sample.xt_findFirstWhere(\.order == 2, orderBy: .asc(\.name))?.name == "a")
      #expect(try Sample.xt_findFirstWhere(\.order == 99) == nil)
      #expect(try Sample.xt_findFirstWhere(\.isMember)?.name == "a")
      #expect(try Sample.xt_findFirstWhere(nil)?.name == "b")
    }
    let statements = try sql {
      _ = try Sample.xt_findFirst()
      _ = try Sample.xt_findFirst(orderBy: .asc(\.name))
      _ = try Sample.xt_findFirstWhere(\.order == 2)
      _ = try Sample.xt_findFirstWhere("name = 'a'", orderBy: .asc(\.name))
    }
    #expect(statements.count == 4)
    for statement in statements { #expect(statement.hasSuffix(" LIMIT 1"), "\(statement)") }
  }

  @Test func hasModelWhere_asksWithExists() throws {
    try test.asCurrent { () throws in
      #expect(try Sample.xt_hasModelWhere(\.order == 2))
      #expect(try !Sample.xt_hasModelWhere(\.order == 99))
      #expect(try Sample.xt_hasModelWhere(\.isMember))
      #expect(try Sample.xt_hasModelWhere(nil))
      #expect(try !Sample.xt_hasModelWhere("0"))
    }
    let statements = try sql { _ = try Sample.xt_hasModelWhere(\.order == 2) }
    #expect(
      statements == [
        "SELECT EXISTS (SELECT 1 FROM `Sample` WHERE `order` = ? AND `xt_isDel` = 0)"
      ])
  }

  @Test func findWhere_rowsThatNoPropertyCanHold_throwWhatTheyHold() throws {
    try test.outside("UPDATE Sample SET small = 300 WHERE name = 'd'")
    let table = test.table(Sample.self)
    let finds: [() throws -> Void] = [
      { _ = try table.findAll() }, { _ = try table.find(pkid: 3) },
      { _ = try table.findFirst(orderBy: .desc(\.order)) },
      { _ = try table.select(\.small) }, { _ = try table.max(of: \.small) },
      { try table.forEach(orderBy: .desc(\.order)) { _ in } },
      { _ = try table.find(sql: "SELECT * FROM Sample") },
    ]
    for find in finds {
      let error = #expect(throws: XTError.self) { try find() }
      #expect(error?.kind == .valueOutOfRange && error?.column == "small")
      #expect(error?.table == "Sample" && error?.message.contains("300") == true)
    }
    #expect(try table.findAll(only: \.name).count == 4)
    #expect(try table.find(where: \.order < 4).count == 3)
  }
}

private struct Pair: XTModel {
  var name = ""
  var other = "from init"
}

private struct Keyed: XTModel {
  var name = ""
  var localID: UInt32 = 0

  static var xt_primaryKey: XTKeyPaths { [\Keyed.localID] }
  static var xt_columnNames: XTNameMap { [\Keyed.localID: "local"] }
}

extension Keyed {
  fileprivate init(name: String) {
    self.name = name
  }
}
