import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage
private typealias User = TypedUser
private typealias Order = TypedOrder

/// The lines that the language was made for: as they stand, with their SQL beside their rows.
@Suite struct TypedLanguageTests {
  let sut: TestDatabase

  init() throws {
    sut = try .typed()
  }

  private func sql(_ body: () throws -> Void) throws -> String {
    try sut.statements { try sut.asCurrent(body) }
      .filter { !$0.hasPrefix("PRAGMA") && ($0.contains("`Message`") || $0.contains("`Order`")) }
      .joined(separator: "; ")
  }

  @Test func select_ofAggregates_withConditionsOfBothSorts() throws {
    let text = try sql {
      let rows = try M.xt_select(
        M.xt.createTime.max(), M.xt.createTime.min(),
        where: \.localID > 0 && M.xt.content.isNotNull)
      #expect(rows.count == 1)
      #expect(rows[0].0 == Date(timeIntervalSince1970: 1_785_500_000 + 2 * 86_400))
      #expect(rows[0].1 == Date(timeIntervalSince1970: 1_785_500_000))
    }
    #expect(
      text == "SELECT max(`createTime`), min(`createTime`) FROM `Message`"
        + " WHERE `localID` > ? AND `content` IS NOT NULL AND `xt_isDel` = 0")
  }

  @Test func select_distinct_sortedWithALimit() throws {
    let text = try sql {
      let rows = try M.xt_select(
        M.xt.localID, distinct: true, orderBy: .asc(\.modifiedTime), limit: 10)
      #expect(rows.sorted() == [1, 2, 3])
    }
    #expect(
      text == "SELECT DISTINCT `localID` FROM `Message` WHERE `xt_isDel` = 0"
        + " ORDER BY `modifiedTime` ASC LIMIT ?")
  }

  @Test func value_onTheLeft_isComparedAsWritten() throws {
    func check(_ predicate: XTPredicate, _ text: String, _ names: [String]) throws {
      #expect(predicate.sql == text)
      let found = try sut.table(User.self).find(where: predicate, orderBy: .asc(\.pkid))
      #expect(found.map(\.name) == names, "\(text)")
    }
    try check(18 < User.xt.age, "? < `age`", ["Ann", "Cid"])
    try check(20 <= User.xt.age, "? <= `age`", ["Ann", "Cid"])
    try check(20 > User.xt.age, "? > `age`", ["Bob"])
    try check(20 >= User.xt.age, "? >= `age`", ["Ann", "Bob"])
    try check("Ann" == User.xt.name, "? = `name`", ["Ann"])
    try check("Ann" != User.xt.name, "? != `name`", ["Bob", "Cid"])
    try check(nil == User.xt.bossID, "`bossID` IS NULL", ["Ann"])
    try check(nil != User.xt.bossID, "`bossID` IS NOT NULL", ["Bob", "Cid"])
    try check(1 == User.xt.bossID, "? = `bossID`", ["Bob"])
    try check(
      100 - User.xt.age * 2 > 30 && 18 < User.xt.age, "? - `age` * ? > ? AND ? < `age`", ["Ann"])
  }

  @Test func delete_byAPredicate() throws {
    let text = try sql {
      let count = try M.xt_deleteModelWhere(
        M.xt.localID.between(10, 20) || M.xt.content.like("Hello%"))
      #expect(count == 1)
    }
    #expect(
      text == "DELETE FROM `Message` WHERE (`localID` BETWEEN ? AND ? OR `content` LIKE ?)"
        + " AND `xt_isDel` = 0")
    #expect(try sut.seen("SELECT name FROM Message") == ["bob", "ÉMILE"])
  }

  @Test func select_groupedWithHaving() throws {
    let text = try sql {
      let rows = try M.xt_select(
        M.xt.city, M.xt.pkid.count(), groupBy: M.xt.city, having: M.xt.pkid.count() > 1,
        orderBy: .desc(M.xt.pkid.count()))
      #expect(rows.map(\.0) == ["Paris"])
      #expect(rows.map(\.1) == [2])
    }
    #expect(
      text == "SELECT `city`, count(`localID`) FROM `Message` WHERE `xt_isDel` = 0"
        + " GROUP BY `city` HAVING count(`localID`) > ? ORDER BY count(`localID`) DESC")
  }

  @Test func find_byArithmeticAndFunctions() throws {
    let text = try sql {
      let found = try M.xt_findWhere(
        M.xt.age * 2 + 1 > M.xt.limit && M.xt.name.lower().in(["ann", "b"]))
      #expect(found.map(\.name) == ["Ann"])
    }
    #expect(
      text.hasSuffix(
        " FROM `Message` WHERE `age` * ? + ? > `limit` AND lower(`name`) IN (?, ?)"
          + " AND `xt_isDel` = 0"))
  }

  @Test func update_fromAnExpression() throws {
    let text = try sql {
      let count = try M.xt_updateWhere(
        \.localID == 1, .set(\.modifiedTime, to: Date()), .set(\.count, to: M.xt.count + 1))
      #expect(count == 1)
    }
    #expect(
      text.hasSuffix(
        "UPDATE `Message` SET `modifiedTime` = ?, `count` = `count` + ?, `xt_updateTime` = ?"
          + " WHERE `localID` = ? AND `xt_isDel` = 0"))
    #expect(try sut.seen("SELECT count FROM Message ORDER BY localID") == ["2", "2", "3"])
  }

  @Test func find_byAPathIntoJSON() throws {
    let text = try sql {
      let found = try M.xt_findWhere(M.xt.home.json("$.city", as: String.self) == "上海")
      #expect(found.map(\.name) == ["Ann"])
    }
    #expect(
      text.hasSuffix(
        " FROM `Message` WHERE \(JSONExtract.functionName)(`home`, ?) = ? AND `xt_isDel` = 0"))
  }

  @Test func join_givesPairs() throws {
    let text = try sql {
      let rows = try Order.xt_join(User.self, on: Order.xt.userID == User.xt.pkid)
        .where(User.xt.age > 18).orderBy(.desc(Order.xt.total)).limit(10).all()
      #expect(rows.map(\.0.total) == [11, 7, 5])
      #expect(rows.map(\.1.name) == ["Cid", "Ann", "Ann"])
    }
    #expect(
      text == "SELECT `Order`.`pkid`, `Order`.`userID`, `Order`.`total`, `User`.`pkid`, "
        + "`User`.`name`, `User`.`age`, `User`.`bossID` FROM `Order` JOIN `User`"
        + " ON `Order`.`userID` = `User`.`pkid` AND `User`.`xt_isDel` = 0"
        + " WHERE `User`.`age` > ? AND `Order`.`xt_isDel` = 0"
        + " ORDER BY `Order`.`total` DESC LIMIT ?")
  }

  @Test func leftJoin_ofValues() throws {
    let text = try sql {
      let rows = try Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid)
        .select(Order.xt.total.sum(), User.xt.name.optional, groupBy: User.xt.name)
      #expect(rows.map(\.0) == [13, 12, 11])
      #expect(rows.map(\.1) == [nil, "Ann", "Cid"])
    }
    #expect(
      text == "SELECT sum(`Order`.`total`), `User`.`name` FROM `Order` LEFT JOIN `User`"
        + " ON `Order`.`userID` = `User`.`pkid` AND `User`.`xt_isDel` = 0"
        + " WHERE `Order`.`xt_isDel` = 0 GROUP BY `User`.`name`")
  }

  @Test func leftJoin_withoutOptional_throwsWhereItMeetsNULL() throws {
    try sut.asCurrent {
      let query = Order.xt_leftJoin(User.self, on: Order.xt.userID == User.xt.pkid)
      let error = #expect(throws: XTError.self) { try query.select(User.xt.name) }
      #expect(error?.kind == .decoding)
      #expect(error?.column == "name")
      #expect(error?.hint?.contains(".optional") == true)
    }
  }
}
