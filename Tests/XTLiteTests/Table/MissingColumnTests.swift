import Foundation
import Testing

@testable import XTLite

private struct Old: XTModel {
  var pkid: Int64?
  var name = ""

  static var xt_tableName: String { "Thing" }
}

private struct New: XTModel {
  var pkid: Int64?
  var name = ""
  var level = 7
  var nick: String?
  var price = Decimal(9)
  var kind = Tint.green
  var tags = ["a"]
  var isOn = true
  var uid = UUID()
  var born = Date(timeIntervalSince1970: 5)
  var madeAt = Date()

  static var xt_tableName: String { "Thing" }
}

private final class NewObject: XTModel {
  var name = ""
  var level = 7
  var uid = UUID()

  static var xt_tableName: String { "Thing" }
}

/// Columns that a table lacks read as what `init()` gives, in every part of a question.
@Suite struct MissingColumnTests {
  let test: TestDatabase
  private let things: XTTable<New>

  init() throws {
    test = try TestDatabase()
    try test.table(Old.self).insertList([Old(name: "a"), Old(name: "b"), Old(name: "c")])
    try test.table(Old.self).softDelete(where: \.name == "c")
    things = test.table(New.self)
  }

  private func columns() throws -> [String] {
    try test.columns(of: "Thing")
  }

  @Test func rows_holdWhatInitGives() throws {
    let before = try columns()
    let found = try things.findAll()
    #expect(found.map(\.name) == ["a", "b"] && found.map(\.pkid) == [1, 2])
    for thing in found {
      #expect(thing.level == 7 && thing.nick == nil && thing.price == 9 && thing.kind == .green)
      #expect(thing.tags == ["a"] && thing.isOn && thing.born.timeIntervalSince1970 == 5)
      #expect(abs(thing.madeAt.timeIntervalSinceNow) < 60)
    }
    #expect(Set(found.map(\.uid)).count == 2)
    #expect(try things.find(pkid: 2)?.level == 7)
    #expect(try things.find(pkid: 3) == nil)
    #expect(try things.find(pkid: 3, scope: .deleted)?.name == "c")
    #expect(try things.findAll(only: \.level, \.nick).map(\.level) == [7, 7])
    #expect(try columns() == before)
  }

  @Test func conditions_seeIt() throws {
    #expect(try things.count(where: \.level == 7) == 2)
    #expect(try things.count(where: \.level != 7) == 0)
    #expect(try things.count(where: "level > \(6) AND \(\.name) = \("a")") == 1)
    #expect(try things.count(where: "Thing.level = 7 AND Thing.name = 'a'") == 1)
    #expect(try things.count(where: "`thing`.`level` = 7") == 2)
    #expect(try things.count(where: \.nick == nil) == 2)
    #expect(try things.count(where: \.price > 8) == 2)
    #expect(try things.count(where: (\New.price).between(8, 10)) == 2)
    #expect(try things.count(where: \.kind == .green) == 2)
    #expect(try things.count(where: \.tags == ["a"]) == 2)
    #expect(try things.count(where: \.isOn) == 2)
    #expect(try things.count(where: !\.isOn) == 0)
    #expect(try things.count(where: \.born == Date(timeIntervalSince1970: 5)) == 2)
    #expect(try things.count(where: \.madeAt > Date(timeIntervalSince1970: 9)) == 2)
    #expect(try things.count(where: "rowid = 2 AND level = 7") == 1)
    #expect(try things.has(where: \.level == 7, scope: .deleted))
    #expect(
      try things.count(
        where: "EXISTS (SELECT 1 FROM Thing AS other WHERE other.pkid = Thing.pkid + 1)") == 2)
    let error = #expect(throws: XTError.self) { try things.count(where: "levle = 7") }
    #expect(error?.kind == .unknownColumn)
  }

  @Test func ordersSelectAndAggregates_seeIt() throws {
    #expect(try things.findAll(orderBy: .desc(\.level), .desc(\.name)).map(\.name) == ["b", "a"])
    #expect(try things.findAll(orderBy: .desc(\.price), .asc(\.name)).map(\.name) == ["a", "b"])
    let rows = try things.select(\.name, \.level, \.nick, \.born, orderBy: .asc(\.name))
    #expect(rows.map { $0.1 } == [7, 7] && rows.map { $0.2 } == [nil, nil])
    #expect(rows.map { $0.3.timeIntervalSince1970 } == [5, 5])
    let uids: [UUID] = try things.select(\.uid)
    #expect(Set(uids).count == 2)
    let levels: [Int] = try things.select(\.level, distinct: true)
    #expect(levels == [7])
    #expect(try things.max(of: \.level) == 7)
    #expect(try things.sum(of: \.level) == 14)
    #expect(try things.sum(of: \.price) == 18)
    #expect(try things.avg(of: \.level, scope: .all) == 7)
    #expect(try things.min(of: \.born) == Date(timeIntervalSince1970: 5))
    #expect(try things.max(of: \.nick) == nil)
    #expect(try things.max(of: \.kind) == .green)
  }

  @Test func otherVerbs_seeIt() throws {
    var levels: [Int] = []
    try things.forEach(where: \.level == 7) { levels.append($0.level) }
    #expect(levels == [7, 7])
    #expect(try things.findFirst(where: \.level == 7, orderBy: .desc(\.name))?.name == "b")
    #expect(try things.find(pkids: [2, 1]).map(\.level) == [7, 7])
    #expect(try things.find(sql: "SELECT * FROM Thing").map(\.level) == [7, 7, 7])
  }

  @Test func objects_keepTheirNumbers() throws {
    let objects = test.table(NewObject.self)
    let found = try objects.findAll(orderBy: .desc(\.pkid))
    #expect(found.map(\.pkid) == [2, 1] && found.map(\.level) == [7, 7])
    #expect(found[0].uid != found[1].uid && found[0].xt_createTime != nil)
    #expect(try objects.find(pkid: 2)?.name == "b")
    #expect(try objects.find(where: \.level == 7 && \.pkid == 1).map(\.name) == ["a"])
  }

  @Test func theNextWrite_makesTheColumns() throws {
    #expect(try things.count(where: \.level == 7) == 2)
    var thing = New()
    thing.level = 8
    try things.insert(&thing)
    #expect(try columns().contains("level"))
    #expect(try things.count(where: \.level == 7) == 2)
    #expect(try things.max(of: \.level) == 8)
    #expect(try things.select(\.uid).count == 3)
  }

  @Test func columnThatAnotherProgramAdds_isSeenByTheNextVerb() throws {
    #expect(try things.max(of: \.level) == 7)
    try test.outside("ALTER TABLE Thing ADD COLUMN level INTEGER DEFAULT 3")
    #expect(try things.max(of: \.level) == 3)
    #expect(try things.findAll().map(\.level) == [3, 3])
  }

  @Test func questionsInARow_lookAtTheTableOnce() throws {
    _ = try things.findAll()
    let statements = try test.statements {
      for _ in 0..<5 { _ = try things.find(pkid: 1) }
    }
    #expect(!statements.contains { $0.contains("PRAGMA table_") })
    // The find, and on one snapshot with it the question whether the column has come.
    #expect(statements.count <= 25)
  }
}

extension Old {
  fileprivate init(name: String) {
    self.name = name
  }
}
