import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage
private typealias User = TypedUser
private typealias Order = TypedOrder
private typealias City = TypedCity

/// Each statement's SQL beside its rows.
@Suite struct QueryStatementTests {
  let sut: TestDatabase

  init() throws {
    sut = try .typed()
  }

  private var users: XTTable<User> { sut.table(User.self) }
  private var orders: XTTable<Order> { sut.table(Order.self) }

  // MARK: One table

  @Test func query_isAValueThatIsBuiltUp() throws {
    let all = users.query()
    let adults = all.where(\.age > 18)
    #expect(
      try all.sql == "SELECT `pkid`, `name`, `age`, `bossID` FROM `User` WHERE `xt_isDel` = 0")
    let sorted = adults.where(User.xt.name != "Zed").orderBy(.desc(\.age)).limit(1, offset: 1)
    #expect(
      try sorted.sql == "SELECT `pkid`, `name`, `age`, `bossID` FROM `User`"
        + " WHERE `age` > ? AND `name` != ? AND `xt_isDel` = 0 ORDER BY `age` DESC"
        + " LIMIT ? OFFSET ?")
    #expect(try sorted.values == [.integer(18), .text("Zed"), .integer(1), .integer(1)])
    #expect(try sorted.all().map(\.name) == ["Ann"])
    #expect(try all.all().map(\.name) == ["Ann", "Bob", "Cid"])
    #expect(try adults.first()?.name == "Ann")
    #expect(try adults.where(\.age > 100).first() == nil)
    #expect(try adults.count() == 2)
    #expect(try adults.exists())
    #expect(try !adults.where(User.xt.age > 100).exists())
    var names: [String] = []
    try adults.forEach { names.append($0.name) }
    #expect(names == ["Ann", "Cid"])
  }

  @Test func count_ofWhatIsNoPlainRow_countsTheRows() throws {
    let cities = sut.table(M.self).query().columns(M.xt.city)
    #expect(try cities.count() == 3)
    #expect(try cities.distinct().count() == 2)
    #expect(try cities.groupBy(M.xt.city).count() == 2)
    #expect(try cities.limit(1).count() == 1)
    #expect(try sut.table(M.self).query().columns(M.xt.age.max()).count() == 1)
    #expect(
      try sut.statements { _ = try cities.distinct().count() }.last
        == "SELECT count(*) FROM (SELECT DISTINCT `city` FROM `Message` WHERE `xt_isDel` = 0)")
    #expect(
      try sut.statements { _ = try cities.count() }.last
        == "SELECT count(*) FROM `Message` WHERE `xt_isDel` = 0")
  }

  @Test func models_grouped_areThoseOfTheLargestValue() throws {
    let oldest = sut.table(M.self).query().columns(M.xt.all, M.xt.age.max()).groupBy(M.xt.city)
      .orderBy(.asc(M.xt.city))
    let rows = try oldest.all()
    #expect(rows.map(\.0.name) == ["bob", "ÉMILE"])
    #expect(rows.map(\.1) == [30, 40])
    #expect(
      try sut.table(M.self).query().groupBy(M.xt.city).all().count == 2)
  }

  @Test func nulls_goWhereTheyAreWanted() throws {
    let query = sut.table(M.self).query().columns(M.xt.localID)
    let hasWords = SQLiteLibrary.versionNumber >= 3_030_000
    let last = query.orderBy(.asc(\.rate, nulls: .last))
    #expect(
      try last.sql.hasSuffix(
        hasWords ? "ORDER BY `rate` ASC NULLS LAST" : "ORDER BY `rate` IS NULL, `rate` ASC"))
    #expect(try last.all() == [3, 1, 2])
    let first = query.orderBy(.desc(M.xt.rate, nulls: .first))
    #expect(try first.all() == [2, 1, 3])
    #expect(try query.orderBy(.asc(\.rate, nulls: .first)).sql.hasSuffix("ORDER BY `rate` ASC"))
    #expect(
      try sut.table(M.self).findAll(orderBy: .asc(\.rate, nulls: .last)).map(\.localID)
        == [3, 1, 2])
  }

  @Test func limit_belowZero_isRefused() throws {
    let error = #expect(throws: XTError.self) { try users.query().limit(-1).all() }
    #expect(error?.kind == .valueOutOfRange)
  }

  @Test func softDeleted_areLeftOutUnlessAsked() throws {
    try users.softDelete(where: User.xt.name == "Ann")
    #expect(try users.query().count() == 2)
    #expect(try users.query().scope(.all).count() == 3)
    #expect(try users.query().scope(.deleted).all().map(\.name) == ["Ann"])
    let joined = orders.join(User.self, on: Order.xt.userID == User.xt.pkid)
    #expect(try joined.all().map(\.1.name) == ["Cid"])
    let all = orders.join(User.self, on: Order.xt.userID == User.xt.pkid, scope: .all)
    #expect(try all.count() == 3)
    let left = orders.leftJoin(User.self, on: Order.xt.userID == User.xt.pkid)
    #expect(try left.orderBy(.asc(\.pkid)).all().map { $0.1?.name } == [nil, nil, "Cid", nil])
  }

  // MARK: Several tables

  @Test func join_ofThreeTables() throws {
    try sut.table(City.self).insertList([City(name: "Paris", userID: 1)])
    let query = orders.join(User.self, on: Order.xt.userID == User.xt.pkid)
      .leftJoin(City.self, on: City.xt.userID == User.xt.pkid)
      .orderBy(.asc(Order.xt.total))
    let rows = try query.all()
    #expect(rows.map(\.0.total) == [5, 7, 11])
    #expect(rows.map(\.1.name) == ["Ann", "Ann", "Cid"])
    #expect(rows.map { $0.2?.name } == ["Paris", "Paris", nil])
    #expect(try query.count() == 3)
    let four = try query.crossJoin(City.xt.as("other")).all()
    #expect(four.map(\.3.name) == ["Paris", "Paris", "Paris"])
  }

  @Test func join_withItself_goesByAnAlias() throws {
    let boss = User.xt.as("boss")
    let query = users.leftJoin(boss, on: User.xt.bossID == boss.pkid).orderBy(.asc(\.pkid))
    #expect(
      try query.sql == "SELECT `User`.`pkid`, `User`.`name`, `User`.`age`, `User`.`bossID`,"
        + " `boss`.`pkid`, `boss`.`name`, `boss`.`age`, `boss`.`bossID` FROM `User`"
        + " LEFT JOIN `User` AS `boss` ON `User`.`bossID` = `boss`.`pkid` AND `boss`.`xt_isDel` = 0"
        + " WHERE `User`.`xt_isDel` = 0 ORDER BY `User`.`pkid` ASC")
    let rows = try query.all()
    #expect(rows.map(\.0.name) == ["Ann", "Bob", "Cid"])
    #expect(rows.map { $0.1?.name } == [nil, "Ann", "Bob"])
    let error = #expect(throws: XTError.self) {
      try users.join(User.self, on: User.xt.bossID == User.xt.pkid).all()
    }
    #expect(error?.kind == .schema)
    #expect(error?.hint?.contains("as(\"other\")") == true)
  }

  @Test func join_ofMissingTables_readsAsEmpty() throws {
    #expect(try orders.join(City.self, on: City.xt.userID == Order.xt.userID).all().isEmpty)
    let left = try orders.leftJoin(City.self, on: City.xt.userID == Order.xt.userID).all()
    #expect(left.count == 4)
    #expect(left.allSatisfy { $0.1 == nil })
    #expect(try sut.table(City.self).query().all().isEmpty)
    #expect(try sut.table(City.self).query().count() == 0)
    #expect(
      try users.find(
        where: User.xt.pkid.in(
          sut.table(City.self).query().columns(City.xt.userID.optional))
      ).isEmpty)
    #expect(try !sut.tables().contains("City"))
  }

  @Test func join_ofObjects_keepsTheirNumbers() throws {
    let vehicles = sut.table(TypedVehicle.self)
    let vehicle = TypedVehicle()
    vehicle.plate = "B 1"
    try vehicles.insert(vehicle)
    let rows = try vehicles.crossJoin(User.self).all()
    #expect(rows.map(\.0.plate) == ["B 1", "B 1", "B 1"])
    #expect(rows.map(\.0.pkid) == [1, 1, 1])
    let left = try users.leftJoin(TypedVehicle.self, on: TypedVehicle.xt.pkid == User.xt.pkid)
      .orderBy(.asc(\.pkid)).all()
    #expect(left.map { $0.1?.pkid } == [1, nil, nil])
  }

  @Test func column_ofATableThatIsNotThere_isNamed() throws {
    let error = #expect(throws: XTError.self) {
      try users.find(where: Order.xt.total > 3)
    }
    #expect(error?.kind == .unknownColumn)
    #expect(error?.column == "total")
    #expect(error?.message.contains("TypedOrder") == true)
    #expect(error?.message.contains("TypedUser") == true)
    #expect(throws: XTError.self) { try users.query().where(Order.xt.total > 3).sql }
    #expect(throws: XTError.self) { try users.select(Order.xt.total) }
    #expect(throws: XTError.self) { try users.query().orderBy(.asc(Order.xt.total)).all() }
    #expect(throws: XTError.self) {
      try users.updateAll(.set(\.age, to: Order.xt.total.cast(to: Int.self)))
    }
  }

  @Test func column_byName() throws {
    let age = try User.xt.column(named: "AGE", as: Int.self)
    #expect(try users.select(age, orderBy: .asc(age)) == [17, 20, 50])
    let any = try User.xt.column(named: "name")
    #expect(try users.query().columns(any).first() == .text("Ann"))
    let error = #expect(throws: XTError.self) { try User.xt.column(named: "nope") }
    #expect(error?.kind == .unknownColumn)
    #expect(error?.table == "User")
    #expect(
      try users.select(User.xt.pkid, User.xt.isDel, limit: 1).map(\.1) == [false])
    #expect(try users.select(User.xt.createTime).count == 3)
    #expect(User.xt.updateTime.name == "xt_updateTime")
  }

  @Test func table_withoutAModel() throws {
    let table = XTTableName("User", as: "u")
    let name = table.column("name", as: String.self)
    let query = sut.database.query(table).where(name != "Bob").columns(name, table.countAll())
      .groupBy(name).orderBy(.asc(name))
    #expect(
      try query.sql == "SELECT `name`, count(*) FROM `User` AS `u` WHERE `name` != ?"
        + " GROUP BY `name` ORDER BY `name` ASC")
    #expect(try query.all().map(\.0) == ["Ann", "Cid"])
    let joined = try orders.query().join(
      table, on: table.column("pkid", as: Int64.self) == Order.xt.userID
    ).columns(name, Order.xt.total).orderBy(.asc(Order.xt.total)).all()
    #expect(joined.map(\.0) == ["Ann", "Ann", "Cid"])
    let error = #expect(throws: XTError.self) {
      try sut.database.query(table).columns(table.column("nope", as: Int.self)).all()
    }
    #expect(error?.kind == .unknownColumn)
  }

  @Test func table_ofAnotherName() throws {
    let shard = sut.table(User.self, named: "User_53")
    try shard.insertList([TypedUser(name: "Dee", age: 5)])
    #expect(try shard.query().where(User.xt.age < 10).all().map(\.name) == ["Dee"])
    let other = User.xt.as("shard", table: "User_53")
    let rows = try users.crossJoin(other).columns(User.xt.name, other.name)
      .where(User.xt.name == "Ann").all()
    #expect(rows.map(\.1) == ["Dee"])
    let joined = try shard.crossJoin(Order.self).columns(User.xt.name, Order.xt.total).all()
    #expect(joined.map(\.0) == ["Dee", "Dee", "Dee", "Dee"])
  }

  // MARK: Subqueries

  @Test func subqueries() throws {
    let ids = orders.query().columns(Order.xt.userID.optional)
    let having = User.xt.pkid.in(ids)
    #expect(
      having.sql == "`pkid` IN (SELECT `userID` FROM `Order` WHERE `xt_isDel` = 0)")
    #expect(try users.find(where: having).map(\.name) == ["Ann", "Cid"])
    #expect(try users.find(where: User.xt.pkid.notIn(ids)).map(\.name) == ["Bob"])
    let largest = users.query().columns(User.xt.age.max()).scalar
    #expect(try users.find(where: User.xt.age == largest).map(\.name) == ["Cid"])
    let own = orders.query().where(Order.xt.userID == User.xt.pkid && Order.xt.total > 6)
    let query = users.query().where(XTPredicate.exists(own)).orderBy(.asc(\.pkid))
    #expect(
      try query.sql.hasSuffix(
        " FROM `User` WHERE EXISTS (SELECT 1 FROM `Order` WHERE `userID` = `User`.`pkid`"
          + " AND `total` > ? AND `xt_isDel` = 0) AND `xt_isDel` = 0 ORDER BY `pkid` ASC"))
    #expect(try query.all().map(\.name) == ["Ann", "Cid"])
    #expect(
      try users.find(where: XTPredicate.notExists(own)).map(\.name) == ["Bob"])
    let sum = orders.query().where(Order.xt.userID == User.xt.pkid)
      .columns(Order.xt.total.sum()).scalar
    #expect(
      try users.select(User.xt.name, sum, orderBy: .asc(\.pkid)).map(\.1) == [12, nil, 11])
    try users.updateAll(
      .set(
        \.age,
        to: orders.query().columns(Order.xt.total.max()).scalar
          .cast(to: Int.self)))
    #expect(try sut.seen("SELECT DISTINCT age FROM User") == ["13"])
  }

  // MARK: Compounds and WITH

  @Test func compounds() throws {
    let names = users.query().columns(User.xt.name)
    let others = sut.table(M.self).query().columns(M.xt.name)
    let union = names.union(others).orderBy(.asc(\.name)).limit(4)
    #expect(
      try union.sql == "SELECT `name` FROM `User` WHERE `xt_isDel` = 0 UNION SELECT `name`"
        + " FROM `Message` WHERE `xt_isDel` = 0 ORDER BY `name` ASC LIMIT ?")
    #expect(try union.all() == ["Ann", "Bob", "Cid", "bob"])
    #expect(try names.unionAll(others).count() == 6)
    #expect(try names.intersect(others).all() == ["Ann"])
    #expect(try names.except(others).all().sorted() == ["Bob", "Cid"])
    let oldest = names.orderBy(.desc(\.age)).limit(1)
    #expect(try oldest.unionAll(others.orderBy(.asc(\.age)).limit(1)).all() == ["Cid", "Ann"])
  }

  // MARK: Parameters

  @Test func parameters_areGivenLater() throws {
    let age = XTParameter<Int>("age")
    let count = XTParameter<Int>("count")
    let query = users.query().where(User.xt.age > age).orderBy(.asc(\.pkid)).limit(count)
    let error = #expect(throws: XTError.self) { try query.all() }
    #expect(error?.message.contains("age") == true)
    func names(_ minimum: Int, _ limit: Int) throws -> [String] {
      try query.with(age, minimum).with(count, limit).all().map(\.name)
    }
    #expect(try names(10, 2) == ["Ann", "Bob"])
    #expect(try names(18, 10) == ["Ann", "Cid"])
    let prepared = sut.database.statistics.preparedStatements
    #expect(try names(30, 10) == ["Cid"])
    #expect(try names(60, 10) == [])
    #expect(sut.database.statistics.preparedStatements == prepared)
    #expect(try query.with(age, 18).with(count, 5).values == [.integer(18), .integer(5)])
    #expect(throws: XTError.self) { try users.find(where: User.xt.age > age) }
    let inner = orders.query().where(Order.xt.userID.cast(to: Int.self) > age).columns(
      Order.xt.userID.optional)
    #expect(
      try users.find(where: User.xt.pkid.in(inner.with(age, 1))).map(\.name) == ["Cid"])
  }

  @Test func query_inAConstant_seesATableThatComesLater() throws {
    let query = sut.table(City.self).query().orderBy(.asc(\.name))
    #expect(try query.all().isEmpty)
    #expect(try query.all().isEmpty)
    try sut.table(City.self).insertList([City(name: "Oslo", userID: 1)])
    #expect(try query.all().map(\.name) == ["Oslo"])
    try sut.outside("ALTER TABLE City ADD COLUMN more")
    #expect(try query.all().map(\.name) == ["Oslo"])
    try sut.table(City.self).drop()
    #expect(try query.all().isEmpty)
  }

  @Test func explain_givesThePlan() throws {
    let plan = try users.query().where(User.xt.pkid == 1).explain()
    #expect(plan.count == 1)
    #expect(plan.first?.contains("SEARCH") == true)
  }
}
