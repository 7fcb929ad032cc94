import Foundation
import Testing

@testable import XTLite

/// CASE of one subject, queries over queries, right and full joins.
@Suite struct FurtherFormsTests {
  private typealias M = TypedMessage
  private typealias User = TypedUser
  private typealias Order = TypedOrder
  let sut: TestDatabase
  private var users: XTTable<TypedUser> { sut.table(TypedUser.self) }
  private var orders: XTTable<TypedOrder> { sut.table(TypedOrder.self) }
  private var messages: XTTable<TypedMessage> { sut.table(TypedMessage.self) }

  init() throws { sut = try .typed() }

  @Test func caseOfASubject_isTheValueOfTheFirstThatIsEqual() throws {
    let sign = M.xt.kind.case(.special, then: "*").when(.plain, then: "-").else("?")
    #expect(sign.sql == "CASE `kind` WHEN ? THEN ? WHEN ? THEN ? ELSE ? END")
    #expect(
      try messages.query().orderBy(.asc(\.localID)).columns(sign).all() == ["-", "*", "-"])
    let age = M.xt.content.case("Hello World", then: M.xt.age).end()
    #expect(
      try messages.query().orderBy(.asc(\.localID)).columns(age).all() == [20, nil, nil])
    let price = M.xt.price.case(10, then: Decimal(2)).else(M.xt.price)
    try sut.outside("UPDATE Message SET price = '10.00' WHERE price = '10'")
    #expect(price.sql == "CASE `price` COLLATE xt_decimal WHEN ? THEN ? ELSE `price` END")
    #expect(
      try messages.query().orderBy(.asc(\.localID)).columns(price).all() == [9.5, 2, 100.25])
    #expect(try messages.count(where: price > 9) == 2)
  }

  @Test func queryOverAQuery_readsFromASubquery() throws {
    let sums = XTTableName("sums")
    let total = sums.column("total", as: Double.self)
    let userID = sums.column("userID", as: Int64.self)
    let perUser = orders.query().groupBy(Order.xt.userID)
      .columns(Order.xt.userID, Order.xt.total.sum().named("total"))
    let query = sums.query(over: perUser).where(total > 11.5).columns(userID, total)
    #expect(
      try query.sql
        == "SELECT `userID`, `total` FROM (SELECT `userID`, sum(`total`) AS `total` FROM"
        + " `Order` WHERE `xt_isDel` = 0 GROUP BY `userID`) AS `sums` WHERE `total` > ?")
    let rows = try query.all().sorted { $0.0 < $1.0 }
    #expect(rows.map(\.0) == [1, 9])
    #expect(rows.map(\.1) == [12, 13])
    #expect(try sums.query(over: perUser).columns(total.avg()).first() == .some(12))
    #expect(try sums.query(over: perUser.where(Order.xt.total > 6)).columns(total).count() == 3)
    let joined = try sums.query(over: perUser).join(User.self, on: User.xt.pkid == userID)
      .columns(User.xt.name, total).all()
    #expect(joined.map(\.0).sorted() == ["Ann", "Cid"])
    let older = XTParameter<Double>("older")
    let given = sums.query(over: orders.query().where(Order.xt.total > older)).columns(
      sums.countAll())
    #expect(try given.with(older, 6).all() == [3])
  }

  @Test func rightAndFullJoins_keepWhatHasNoPartner() throws {
    let condition = Order.xt.userID == User.xt.pkid
    guard SQLiteLibrary.versionNumber >= 3_039_000 else {
      let error = schemaError { _ = try users.query().rightJoin(Order.self, on: condition).all() }
      #expect(error?.message.contains("3.39.0") == true)
      return
    }
    try users.softDelete(where: \.name == "Cid")
    try orders.softDelete(where: \.total == 5)
    let right = try users.query().rightJoin(Order.self, on: condition).all()
      .sorted { $0.1.total < $1.1.total }
    #expect(right.map { $0.0?.name } == ["Ann", nil, nil])
    #expect(right.map(\.1.total) == [7, 11, 13])
    let full = try users.query().fullJoin(Order.self, on: condition).all()
    #expect(full.count == 4)
    #expect(
      Set(full.map { "\($0.0?.name ?? "-") \($0.1?.total ?? 0)" })
        == ["Ann 7.0", "Bob 0.0", "- 11.0", "- 13.0"])
    let all = try users.query().scope(.all).fullJoin(Order.self, on: condition, scope: .all).all()
    #expect(all.count == 5)
    let names = try users.query().fullJoin(Order.self, on: condition)
      .where(User.xt.name.isNull).columns(User.xt.name.optional, Order.xt.total).all()
    #expect(names.map(\.1).sorted() == [11, 13])
    #expect(try users.query().fullJoin(Order.self, on: condition).count() == 4)
  }
}

extension FurtherFormsTests {
  @Test func having_withoutGroups_isOfAllRows() throws {
    let table = sut.table(TypedMessage.self)
    let sum = TypedMessage.xt.age.sum()
    let query = table.query().having(sum > 50).columns(sum)
    guard SQLiteLibrary.versionNumber >= 3_039_000 else {
      let error = #expect(throws: XTError.self) { try query.all() }
      #expect(error?.message.contains("3.39.0") == true)
      return
    }
    #expect(
      try query.sql
        == "SELECT sum(`age`) FROM `Message` WHERE `xt_isDel` = 0 HAVING sum(`age`) > ?")
    #expect(try query.all() == [90])
    #expect(try table.query().having(sum > 90).columns(sum).all() == [])
  }

  @Test func joins_takeATableWithoutAModel() throws {
    let orders = XTTableName("Order")
    let total = orders.column("total", as: Double.self)
    let userID = orders.column("userID", as: Int64.self)
    let query = sut.table(TypedUser.self).query().orderBy(.asc(\.name))
    let left = query.leftJoin(orders, on: userID == TypedUser.xt.pkid)
      .columns(TypedUser.xt.name, total.optional)
    #expect(
      try left.sql == "SELECT `User`.`name`, `Order`.`total` FROM `User` LEFT JOIN `Order`"
        + " ON `Order`.`userID` = `User`.`pkid` WHERE `User`.`xt_isDel` = 0"
        + " ORDER BY `User`.`name` ASC")
    let rows = try left.all()
    #expect(rows.map(\.0) == ["Ann", "Ann", "Bob", "Cid"])
    #expect(Set(rows.map(\.1)) == [5, 7, nil, 11])
    let cross = query.crossJoin(orders).columns(TypedUser.xt.name)
    #expect(
      try cross.sql == "SELECT `User`.`name` FROM `User` CROSS JOIN `Order`"
        + " WHERE `User`.`xt_isDel` = 0 ORDER BY `User`.`name` ASC")
    #expect(try cross.all().count == 12)
  }

  @Test func crossJoin_ofModels_isEachWithEach() throws {
    let pairs = try sut.asCurrent {
      try TypedUser.xt_crossJoin(TypedOrder.self).where(TypedOrder.xt.total > 6).all()
    }
    #expect(pairs.count == 9)
    #expect(Set(pairs.map(\.0.name)) == ["Ann", "Bob", "Cid"])
  }
}
