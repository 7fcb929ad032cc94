import Foundation
import Testing

@testable import XTLite

@Suite struct SelectTests {
  let test: TestDatabase
  let samples: XTTable<Sample>

  init() throws {
    test = try TestDatabase()
    samples = test.table(Sample.self)
    try samples.insertList([
      Sample("a", 1) {
        $0.isMember = true
        $0.level = .high
        $0.price = 1.1
        $0.place = AskingPoint(x: 1, y: 2)
        $0.tags = ["x"]
      },
      Sample("b", 2) {
        $0.nick = "B"
        $0.score = .infinity
        $0.seen = Date(timeIntervalSince1970: -0.5)
      }, Sample("a", 3),
    ])
  }

  @Test func one_isAListOfValues() throws {
    let names: [String] = try samples.select(\.name)
    #expect(names == ["a", "b", "a"])
    let nicks: [String?] = try samples.select(\.nick)
    #expect(nicks == [nil, "B", nil])
  }

  @Test func several_areTuplesInTheirOrder() throws {
    let rows = try samples.select(\.order, \.name, \.nick, orderBy: .desc(\.order), limit: 2)
    #expect(rows.map { $0.0 } == [3, 2])
    #expect(rows.map { $0.1 } == ["a", "b"])
    #expect(rows.map { $0.2 } == [nil, "B"])
    let (order, name, nick) = try #require(rows.last)
    #expect(order == 2 && name == "b" && nick == "B")
  }

  @Test func everyKindOfProperty_comesAsItsType() throws {
    let (level, price, place, tags, born, uid, small, member) = try #require(
      try samples.select(
        \.level, \.price, \.place, \.tags, \.born, \.uid, \.small, \.isMember, limit: 1
      ).first)
    #expect(level == .high && price == 1.1 && place == AskingPoint(x: 1, y: 2) && tags == ["x"])
    #expect(born == Sample().born && uid == Sample().uid && small == 0 && member)
    let (seen, tint, score, data, pkid) = try #require(
      try samples.select(\.seen, \.tint, \.score, \.data, \.pkid, where: \.nick == "B").first)
    #expect(seen == Date(timeIntervalSince1970: -0.5) && tint == nil && score == .infinity)
    #expect(data == Data() && pkid == 2)
  }

  @Test func distinct_givesEqualRowsOnce() throws {
    #expect(try samples.select(\.name, distinct: true, orderBy: .asc(\.name)) == ["a", "b"])
    #expect(try samples.select(\.name, \.order, distinct: true).count == 3)
    let members: [String] = try samples.select(\.name, distinct: true, where: \.isMember)
    #expect(members == ["a"])
  }

  @Test func sql_namesTheColumnsAlone() throws {
    _ = try samples.count()
    let statements = try test.statements {
      _ = try samples.select(
        \.name, \.order, distinct: true, where: \.order > 1, orderBy: .asc(\.name), limit: 1,
        offset: 1, scope: .all)
    }
    #expect(
      statements == [
        "SELECT DISTINCT `name`, `order` FROM `Sample` WHERE `order` > ? ORDER BY `name` ASC"
          + " LIMIT ? OFFSET ?"
      ])
  }

  @Test func ofObjects_knowsTheirAutomaticColumns() throws {
    let objects = test.table(SampleObject.self)
    let rows = try objects.select(\.pkid, \.name, \.xt_isDel, orderBy: .desc(\.pkid))
    #expect(rows.map { $0.0 } == [3, 2, 1])
    #expect(rows.map { $0.2 } == [false, false, false])
    let times: [Date?] = try objects.select(\.xt_createTime)
    #expect(times.allSatisfy { $0.map { abs($0.timeIntervalSinceNow) < 60 } ?? false })
  }

  @Test func automaticColumns_besideConstantsOfTheSameValue_areThemselves() throws {
    let objects = test.table(Constants.self)
    try objects.insertList([Constants(), Constants()])
    try objects.softDelete(where: \.name == "" && \.pkid == 2)
    #expect(try objects.find(where: \.xt_isDel, scope: .all).map(\.pkid) == [2])
    #expect(try objects.find(where: !\.isOld).count == 1)
    #expect(try objects.max(of: \.xt_createTime) != nil)
    #expect(try objects.max(of: \.end) == nil)
  }

  @Test func valuesThatDoNotFit_throwWithTheirColumn() throws {
    try test.outside("UPDATE Sample SET level = 4, born = 'garbage', small = -1 WHERE pkid = 1")
    let calls: [(String, () throws -> Void)] = [
      ("level", { _ = try samples.select(\.level) }),
      ("born", { _ = try samples.select(\.order, \.born) }),
      ("small", { _ = try samples.select(\.small, \.born) }),
    ]
    for (column, call) in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.column == column && error?.table == "Sample")
    }
    let levels: [AskingLevel] = try samples.select(\.level, where: \.order == 2)
    #expect(levels == [.low])
  }

  @Test func whatIsNoColumn_throws() throws {
    #expect(throws: XTError.self) { try samples.select(\.draft) }
    #expect(throws: XTError.self) { try samples.select(\.name, \.name.count) }
    #expect(throws: XTError.self) { try samples.select(\.name, orderBy: .asc(\.draft)) }
    #expect(throws: XTError.self) { try samples.select(\.name, limit: -1) }
  }
}

private final class Constants: XTModel {
  var name = ""
  let isOld = false
  let start: Int64? = nil
  let end: Date? = nil
}
