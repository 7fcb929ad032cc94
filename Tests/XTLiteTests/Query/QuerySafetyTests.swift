import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage
private typealias User = TypedUser
private typealias Order = TypedOrder

/// What must not mean something else, and what must not cost a row.
@Suite struct QuerySafetyTests {
  let sut: TestDatabase

  init() throws {
    sut = try .typed()
  }

  private var users: XTTable<User> { sut.table(User.self) }
  private var orders: XTTable<Order> { sut.table(Order.self) }
  private var messages: XTTable<M> { sut.table(M.self) }

  @Test func delete_returningWhatCannotBeRead_keepsTheRows() throws {
    guard SQLiteLibrary.versionNumber >= 3_035_000 else { return }
    try sut.outside("UPDATE User SET age = 'abc' WHERE name = 'Bob'")
    let rows = try sut.seen("SELECT * FROM User")
    let error = schemaError { try users.delete(where: nil, returning: User.xt.age) }
    #expect(error?.kind == .decoding)
    #expect(schemaError { try users.delete(where: nil, returning: User.xt.all) }?.kind == .schema)
    #expect(try sut.seen("SELECT * FROM User") == rows)
  }

  @Test func whatIsSaidBehindUnion_isRefused() throws {
    let both = users.query().where(User.xt.age > 18).union(users.query())
    for query in [
      both.where(User.xt.age > 1), both.groupBy(User.xt.age), both.having(User.xt.age > 1),
      both.distinct(), both.scope(.all),
    ] {
      #expect(schemaError { _ = try query.all() }?.kind == .schema)
    }
    #expect(schemaError { _ = try both.columns(User.xt.age).all() }?.kind == .schema)
    let first = try #require(try users.query().first())
    #expect(schemaError { _ = try both.orderBy(.asc(\.name)).page(2, after: first) } != nil)
    #expect(try both.orderBy(.desc(\.name)).limit(2).all().count == 2)
  }

  @Test func oneModelTwice_needsAnAlias() throws {
    try sut.table(User.self, named: "User_2").create()
    let error = schemaError {
      _ = try sut.table(User.self, named: "User_2").join(User.self, on: User.xt.age == User.xt.age)
        .all()
    }
    #expect(error?.kind == .schema)
    #expect(error?.hint?.contains(".xt.as(") == true)
  }

  @Test func queryOfAnotherDatabase_isRefused() throws {
    let other = try TestDatabase.typed()
    let theirs = other.table(User.self).query().columns(User.xt.pkid)
    #expect(
      schemaError { _ = try users.find(where: User.xt.pkid.in(theirs)) }?.kind == .schema)
    #expect(
      schemaError { _ = try users.find(where: XTPredicate.exists(theirs)) }?.kind == .schema)
    let ours = users.query().columns(User.xt.pkid)
    #expect(try users.find(where: User.xt.pkid.in(ours)).count == 3)
  }

  @Test func columnThatASubqueryHasNot_isNotTheOuterTables() throws {
    try sut.outside("CREATE TABLE stock (id INTEGER); INSERT INTO stock VALUES (1)")
    let stock = XTTableName("stock")
    let wrong = sut.database.query(stock).columns(stock.column("pkid", as: Int64.self))
    let count = try users.count()
    #expect(schemaError { try users.delete(where: User.xt.pkid.in(wrong)) }?.kind == .unknownColumn)
    #expect(try users.count() == count)
    let right = sut.database.query(stock).columns(stock.column("id", as: Int64.self))
    #expect(try users.count(where: User.xt.pkid.in(right)) == 1)
  }

  @Test func aliasThatHidesAnOuterTable_isRefused() throws {
    let alias = Order.xt.as("User")
    let inner = Order.xt_query().join(alias, on: alias.pkid == Order.xt.pkid)
      .where(Order.xt.userID == User.xt.pkid)
    #expect(
      schemaError { _ = try users.find(where: XTPredicate.exists(inner)) }?.kind == .schema)
  }

  @Test func pages_withAnOffset_goOnBehindTheRow() throws {
    let query = users.query().orderBy(.asc(\.pkid)).offset(1)
    let first = try query.page(1)
    #expect(first.map(\.name) == ["Bob"])
    #expect(try query.page(1, after: first.last).map(\.name) == ["Cid"])
    #expect(
      schemaError { _ = try users.query().limit(3).page(1, after: first.last) }?.kind == .schema)
  }

  @Test func exists_ofAnAggregate_isTrue() throws {
    let none = orders.query().where(Order.xt.userID == 99).columns(Order.xt.total.max())
    #expect(try users.count(where: XTPredicate.exists(none)) == 3)
    let no = orders.query().where(Order.xt.userID == 99)
    #expect(try users.count(where: XTPredicate.exists(no)) == 0)
  }

  @Test func whatAPropertyCannotHold_isNotInsertedNorSet() throws {
    let smalls = sut.table(TypedSmall.self)
    var small = TypedSmall()
    try smalls.insert(&small)
    let query = smalls.query().limit(1)
    let level = TypedSmall.xt.level
    let error = schemaError {
      try smalls.insert(into: \.level, from: query.columns(level + 100 + level + 100))
    }
    #expect(error?.kind == .valueOutOfRange && error?.column == "level")
    let twice = schemaError {
      try smalls.insert(into: \.level, \.level, from: query.columns(level, level))
    }
    #expect(twice?.kind == .schema)
    #expect(try smalls.count() == 1)
    #expect(try smalls.insert(into: \.level, from: query.columns(level + 1)) == 1)
    #expect(try smalls.findAll().map(\.level) == [5, 6])
    let large = schemaError {
      try smalls.updateAll(.set(\.size, to: TypedSmall.xt.size * Float(3e30) * Float(1e5)))
    }
    #expect(large?.kind == .valueOutOfRange)
    #expect(try smalls.find(pkid: 1)?.size == 1e30)
  }

  @Test func stream_ofAnyQuery_givesItsRows() async throws {
    let query = orders.join(User.self, on: Order.xt.userID == User.xt.pkid)
      .orderBy(.asc(Order.xt.pkid))
    var seen: [String] = []
    for try await (order, user) in query.stream() {
      seen.append("\(order.pkid ?? 0) \(user.name)")
    }
    let expected = try query.all().map { "\($0.0.pkid ?? 0) \($0.1.name)" }
    #expect(!seen.isEmpty && seen == expected)
    for try await age in users.query().columns(User.xt.age).stream() where age > 0 { break }
    let wrong = users.query().where(Order.xt.total > 1)
    await #expect(throws: XTError.self) { for try await _ in wrong.stream() {} }
    try sut.database.close()
  }

  @Test func limitBeforeUnion_isOfItsOwnQuery() throws {
    let first = users.query().orderBy(.asc(\.name)).limit(1)
    let last = users.query().where(User.xt.name == "Cid")
    let both = first.union(last).orderBy(.desc(\.name))
    #expect(try both.all().map(\.name) == ["Cid", "Ann"])
    #expect(try both.limit(1).all().map(\.name) == ["Cid"])
    #expect(try both.count() == 2)
    let pairs = first.columns(User.xt.name, User.xt.age).union(
      last.columns(User.xt.name, User.xt.age))
    #expect(try pairs.orderBy(.asc(\.name)).all().map(\.0) == ["Ann", "Cid"])
    let sql = try pairs.sql
    let part = "(SELECT `name`, `age` FROM `User` WHERE `xt_isDel` = 0 ORDER BY `name` ASC LIMIT ?)"
    #expect(sql.hasPrefix("SELECT * FROM \(part) AS "), "\(sql)")
    #expect(
      sql.hasSuffix(" UNION SELECT `name`, `age` FROM `User` WHERE `name` = ? AND `xt_isDel` = 0"),
      "\(sql)")
  }

  @Test func rows_asAnyDecodable_goByTheNamesOfColumns() throws {
    struct Total: Decodable, Equatable {
      var name: String
      var sum: Double
    }
    let query = orders.join(User.self, on: Order.xt.userID == User.xt.pkid)
      .groupBy(User.xt.name).orderBy(.asc(User.xt.name))
      .columns(User.xt.name, Order.xt.total.sum().named("sum"))
    #expect(try query.sql.contains("sum(`Order`.`total`) AS `sum`"))
    let expected = try sut.seen(
      "SELECT name, sum(total) FROM \"Order\" JOIN User ON userID = User.pkid GROUP BY name ORDER BY name"
        .replacing("\"", with: "`"))
    #expect(try query.all(as: Total.self).map { "\($0.name)|\($0.sum)" } == expected)
    struct Wrong: Decodable { var name: Int }
    #expect(schemaError { _ = try query.all(as: Wrong.self) }?.column == "name")
  }

  @Test func aCaseOfColumns_needsNoAnnotation() throws {
    let rows = try messages.query().columns(XTCase(when: M.xt.flag, then: M.xt.age).end()).all()
    #expect(try rows.count == messages.count())
  }

  @Test func decimals_areNumbersInEveryExpression() throws {
    try sut.outside("UPDATE Message SET price = '10'")
    let price = M.xt.price
    let all = try messages.count()
    for condition in [
      XTExpression(Decimal(10)) > Decimal(9),
      XTCase(when: M.xt.age >= 0, then: Decimal(10)).else(Decimal(10)) > Decimal(9),
      XTSQLFunction.max(XTExpression(Decimal(9)), price) == Decimal(10),
      XTSQLFunction.min(XTExpression(Decimal(10)), XTExpression(Decimal(9))) == Decimal(9),
      XTExpression<Decimal>(sql: "price") > Decimal(9),
      XTExpression(Decimal(10)).between(XTExpression(Decimal(9)), price),
    ] {
      #expect(try messages.count(where: condition) == all, "\(condition)")
    }
  }
}

private struct TypedSmall: XTModel {
  var pkid: Int64?
  var level: Int8 = 5
  var size: Float = 1e30
}
