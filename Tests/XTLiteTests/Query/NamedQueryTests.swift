import Foundation
import Testing

@testable import XTLite

private typealias User = TypedUser
private typealias Order = TypedOrder

/// Tables of WITH, and what goes by another name: the SQL beside the rows.
@Suite struct NamedQueryTests {
  let sut: TestDatabase

  init() throws {
    sut = try .typed()
  }

  private var users: XTTable<User> { sut.table(User.self) }
  private var orders: XTTable<Order> { sut.table(Order.self) }

  @Test func with_namesAQuery() throws {
    let sums = XTTableName("sums")
    let userID = sums.column("userID", as: Int64.self)
    let total = sums.column("total", as: Double.self)
    let table = XTCommonTable(
      sums, columns: "userID", "total",
      as: orders.query().columns(Order.xt.userID, Order.xt.total.sum()).groupBy(Order.xt.userID))
    let query = users.query().with(table).join(sums, on: userID == User.xt.pkid)
      .columns(User.xt.name, total).orderBy(.desc(total))
    #expect(
      try query.sql == "WITH `sums` (`userID`, `total`) AS (SELECT `userID`, sum(`total`)"
        + " FROM `Order` WHERE `xt_isDel` = 0 GROUP BY `userID`) SELECT `User`.`name`,"
        + " `sums`.`total` FROM `User` JOIN `sums` ON `sums`.`userID` = `User`.`pkid`"
        + " WHERE `User`.`xt_isDel` = 0 ORDER BY `sums`.`total` DESC")
    let rows = try query.all()
    #expect(rows.map(\.0) == ["Ann", "Cid"])
    #expect(rows.map(\.1) == [12, 11])
  }

  @Test func with_recursive_walksATree() throws {
    let chain = XTTableName("chain")
    let (id, level) = (chain.column("id", as: Int64.self), chain.column("level", as: Int.self))
    let pkid = try User.xt.column(named: "pkid", as: Int64.self)
    let table = XTCommonTable(
      chain, columns: "id", "level",
      as: users.query().where(User.xt.bossID == nil).columns(pkid, XTExpression(0)),
      unionAll: users.query().join(chain, on: User.xt.bossID == id).columns(pkid, level + 1))
    let query = sut.database.query(chain).with(table).columns(id, level).orderBy(.asc(id))
    #expect(try query.sql.hasPrefix("WITH RECURSIVE `chain` (`id`, `level`) AS (SELECT `pkid`, ?"))
    let rows = try query.all()
    #expect(rows.map(\.0) == [1, 2, 3])
    #expect(rows.map(\.1) == [0, 1, 2])
  }

  /// 1 → 2 → 3 → 1, and 1 → 4.
  private func reach(_ step: (XTTableName) -> XTCommonTable) throws -> [Int64] {
    try sut.database.execute(
      """
      CREATE TABLE edges (a INTEGER, b INTEGER);
      INSERT INTO edges VALUES (1, 2), (2, 3), (3, 1), (1, 4);
      """)
    let reach = XTTableName("reach")
    return try sut.database.query(reach).with(step(reach))
      .columns(reach.column("id", as: Int64.self)).all()
  }

  private let edges = XTTableName("edges")
  private var a: XTExpression<Int64> { edges.column("a", as: Int64.self) }
  private var b: XTExpression<Int64> { edges.column("b", as: Int64.self) }

  @Test func with_recursiveByUnion_endsWhereRowsLeadInACircle() throws {
    let rows = try reach { reach in
      XTCommonTable(
        reach, columns: "id", as: sut.database.query(edges).where(a == 1).columns(a),
        union: sut.database.query(edges).join(reach, on: a == reach.column("id", as: Int64.self))
          .columns(b))
    }
    #expect(rows.sorted() == [1, 2, 3, 4])
  }

  @Test func with_recursiveInAnOrder_followsEachBranchToItsEnd() throws {
    func ids(_ orders: (XTExpression<Int>) -> [XTOrder<XTNoModel>]) throws -> [Int64] {
      try sut.database.execute("DROP TABLE IF EXISTS edges")
      return try reach { reach in
        let level = reach.column("level", as: Int.self)
        let first = sut.database.query(edges).where(a == 1).columns(b, XTExpression(0))
        let step = sut.database.query(edges)
          .join(reach, on: a == reach.column("id", as: Int64.self)).where(level < 2)
          .columns(b, level + 1)
        return orders(level).isEmpty
          ? XTCommonTable(reach, columns: "id", "level", as: first, unionAll: step)
          : XTCommonTable(
            reach, columns: "id", "level", as: first, unionAll: step, orderBy: .desc(level))
      }
    }
    #expect(try ids { _ in [] } == [2, 4, 3, 1])
    #expect(try ids { [.desc($0)] } == [2, 3, 1, 4])
  }

  @Test func with_recursiveWhoseStepHasAnOrder_saysWhereItGoes() throws {
    let error = #expect(throws: XTError.self) {
      try reach { reach in
        XTCommonTable(
          reach, columns: "id", as: sut.database.query(edges).columns(a),
          union: sut.database.query(edges).join(reach, on: a == reach.column("id", as: Int64.self))
            .columns(b).limit(3))
      }
    }
    #expect(error?.hint?.contains("orderBy:") == true)
    try sut.database.execute("DROP TABLE edges")
    let other = #expect(throws: XTError.self) {
      try reach { reach in
        XTCommonTable(
          reach, columns: "id", as: sut.database.query(edges).columns(a),
          union: sut.database.query(edges).columns(b), orderBy: .asc(a))
      }
    }
    #expect(other?.message.contains("reach") == true)
  }

  // MARK: Other names

  @Test func query_byAnotherName_standsInOneOverTheSameModel() throws {
    let other = User.xt.as("other")
    let oldest = users.query(as: other).where(other.bossID.is(User.xt.bossID))
      .columns(other.age.max()).scalar
    let query = users.query().where(User.xt.age == oldest).orderBy(.asc(\.pkid))
    #expect(
      try query.sql == "SELECT `pkid`, `name`, `age`, `bossID` FROM `User` WHERE `age` ="
        + " (SELECT max(`age`) FROM `User` AS `other` WHERE `bossID` IS `User`.`bossID`"
        + " AND `xt_isDel` = 0) AND `xt_isDel` = 0 ORDER BY `pkid` ASC")
    #expect(try query.all().map(\.name) == ["Ann", "Bob", "Cid"])
    try users.updateAll(.set(\.bossID, to: nil))
    #expect(try query.all().map(\.name) == ["Cid"])
    #expect(try users.query(as: other).where(other.age > 18).all().map(\.name) == ["Ann", "Cid"])
  }

  @Test func order_byTheNameOfAResult_isOfTheResult() throws {
    let sum = Order.xt.total.sum().named("s")
    let query = orders.query().join(User.self, on: Order.xt.userID == User.xt.pkid)
      .groupBy(User.xt.name).columns(User.xt.name, sum)
    let named = query.orderBy(.desc(column: "s"))
    #expect(try named.sql.hasSuffix(" ORDER BY `s` DESC"))
    #expect(try named.all().map(\.0) == ["Ann", "Cid"])
    #expect(try query.orderBy(.asc(column: "S")).all().map(\.0) == ["Cid", "Ann"])
    let itself = query.orderBy(.asc(sum))
    #expect(try itself.sql.hasSuffix(" ORDER BY sum(`Order`.`total`) ASC"))
    #expect(try itself.all().map(\.0) == ["Cid", "Ann"])
    #expect(try query.having(sum > 11).all().map(\.0) == ["Ann"])
    let joined = users.query().join(Order.self, on: Order.xt.userID == User.xt.pkid)
      .columns((Order.xt.total * 2).named("twice"))
    let both = joined.union(joined.where(User.xt.age > 100)).orderBy(.desc(column: "twice"))
    #expect(try both.all() == both.all().sorted(by: >))
  }
}
