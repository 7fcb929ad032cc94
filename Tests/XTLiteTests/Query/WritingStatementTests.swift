import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage
private typealias User = TypedUser
private typealias Order = TypedOrder

/// Statements that write, beside what the file holds then.
@Suite struct WritingStatementTests {
  let sut: TestDatabase

  init() throws {
    sut = try .typed()
  }

  private var messages: XTTable<M> { sut.table(M.self) }
  private var users: XTTable<User> { sut.table(User.self) }
  private var orders: XTTable<Order> { sut.table(Order.self) }

  @Test func update_fromExpressions() throws {
    let count = try messages.updateAll(
      .set(\.name, to: M.xt.name + "!"), .set(\.content, to: M.xt.name),
      .set(\.rate, to: M.xt.score * 2), .set(\.price, to: M.xt.price + 1))
    #expect(count == 3)
    #expect(
      try sut.seen("SELECT name, content, rate, price FROM Message ORDER BY localID")
        == ["Ann!|Ann|3.0|10.5", "bob!|bob|4.5|11", "ÉMILE!|ÉMILE|-6.0|101.25"])
    #expect("\(XTAssignment<M>.set(\.count, to: M.xt.count + 1))" == "`count` = `count` + ?")
  }

  @Test func update_beyondTheRange_changesNothing() throws {
    let error = #expect(throws: XTError.self) {
      try messages.updateAll(.set(\.level, to: M.xt.level + 100))
    }
    #expect(error?.kind == .valueOutOfRange)
    #expect(error?.column == "level")
    try messages.updateAll(.set(\.age, to: Int.max))
    #expect(throws: XTError.self) { try messages.updateAll(.set(\.age, to: M.xt.age + 1)) }
    #expect(try sut.seen("SELECT DISTINCT level FROM Message") == ["0", "100"])
    #expect(try sut.seen("SELECT DISTINCT typeof(age) FROM Message") == ["integer"])
  }

  @Test func update_withOrderAndLimit() throws {
    let statements = try sut.statements {
      let count = try users.update(
        where: User.xt.age > 1, .set(\.name, to: "old"), orderBy: .desc(\.age), limit: 2)
      #expect(count == 2)
    }
    #expect(
      statements.contains(
        "UPDATE `User` SET `name` = ?, `xt_updateTime` = ? WHERE `pkid` IN (SELECT `pkid`"
          + " FROM `User` WHERE `age` > ? AND `xt_isDel` = 0 ORDER BY `age` DESC LIMIT ?)"))
    #expect(try sut.seen("SELECT name FROM User ORDER BY pkid") == ["old", "Bob", "old"])
    try users.update(where: nil, .set(\.name, to: "x"), orderBy: .asc(\.age), limit: 1, offset: 1)
    #expect(try sut.seen("SELECT name FROM User ORDER BY pkid") == ["x", "Bob", "old"])
  }

  @Test func delete_withOrderAndLimit() throws {
    let statements = try sut.statements {
      let count = try orders.delete(where: nil, orderBy: .asc(\.total), limit: 2)
      #expect(count == 2)
    }
    #expect(
      statements.contains(
        "DELETE FROM `Order` WHERE `pkid` IN (SELECT `pkid` FROM `Order` WHERE `xt_isDel` = 0"
          + " ORDER BY `total` ASC LIMIT ?)"))
    #expect(try sut.seen("SELECT total FROM `Order`") == ["11.0", "13.0"])
    try sut.asCurrent {
      let deleted = try Order.xt_deleteModelWhere(Order.xt.total > 1, limit: 1)
      let updated = try User.xt_updateWhere(
        \.age > 1, .set(\.age, to: 1), orderBy: .asc(\.age), limit: 1)
      #expect(deleted == 1)
      #expect(updated == 1)
    }
    #expect(try sut.seen("SELECT age FROM User ORDER BY pkid") == ["20", "1", "50"])
  }

  @Test func insert_fromAQuery() throws {
    let old = orders.query().where(Order.xt.total > 6).columns(Order.xt.userID, Order.xt.total)
    let statements = try sut.statements {
      let count = try orders.insert(into: \.userID, \.total, from: old)
      #expect(count == 3)
    }
    #expect(
      statements.contains(
        "INSERT INTO `Order` (`userID`, `total`, `xt_createTime`, `xt_updateTime`)"
          + " SELECT `userID`, `total`, ?, ? FROM `Order` WHERE `total` > ? AND `xt_isDel` = 0"))
    #expect(try sut.seen("SELECT count(*), sum(total) FROM `Order`") == ["7|67.0"])
    #expect(try sut.seen("SELECT count(*) FROM `Order` WHERE xt_createTime IS NULL") == ["0"])
    // What is more than a plain SELECT stands in a subquery.
    let largest = old.orderBy(.desc(\.total)).limit(1)
    let one = try orders.insert(into: \.userID, \.total, from: largest)
    #expect(one == 1)
    #expect(try sut.seen("SELECT max(pkid), total FROM `Order`") == ["8|13.0"])
    // The table is made where it is missing.
    let names = users.query().columns(User.xt.name, User.xt.pkid.ifnull(0))
    let three = try sut.table(TypedCity.self).insert(into: \.name, \.userID, from: names)
    #expect(three == 3)
    #expect(try sut.seen("SELECT name FROM City ORDER BY pkid") == ["Ann", "Bob", "Cid"])
    let error = #expect(throws: XTError.self) {
      try messages.insert(into: \.name, from: users.query().columns(User.xt.name))
    }
    #expect(error?.kind == .schema)
    try sut.asCurrent {
      let count = try TypedCity.xt_insert(
        into: \.name, \.userID,
        from: User.xt_query().where(\.age > 30).columns(User.xt.name, XTExpression(Int64(7))))
      #expect(count == 1)
    }
  }

  @Test func insertOfAQuery_mayReadATableOfAnyName() throws {
    try sut.database.execute("CREATE TABLE given (n INTEGER); INSERT INTO given VALUES (4)")
    let given = XTTableName("given")
    let next = given.column("n", as: Int64.self) + 1
    try orders.insert(into: \.userID, from: sut.database.query(given).columns(next))
    #expect(try sut.seen("SELECT userID FROM `Order` ORDER BY pkid DESC LIMIT 1") == ["5"])
  }

  @Test func returning_givesTheRowsThatChanged() throws {
    func update() throws -> [(Int64?, Int)] {
      try users.update(
        where: \.age > 18, .add(\.age, 1), returning: User.xt.pkid, User.xt.age)
    }
    guard SQLiteLibrary.versionNumber >= 3_035_000 else {
      let error = #expect(throws: XTError.self) { try update() }
      #expect(error?.message.contains("3.35.0") == true)
      #expect(try sut.seen("SELECT age FROM User ORDER BY pkid") == ["20", "17", "50"])
      return
    }
    let rows = try update()
    #expect(rows.map(\.0) == [1, 3])
    #expect(rows.map(\.1) == [21, 51])
    let names = try users.delete(where: User.xt.age < 20, returning: User.xt.name)
    #expect(names == ["Bob"])
    #expect(try sut.seen("SELECT name FROM User ORDER BY pkid") == ["Ann", "Cid"])
  }

  // MARK: Pages

  @Test func pages_goOnBehindARow() throws {
    let names = ["a", "b", "b", "b", nil, nil, "c"]
    try messages.deleteAll()
    try messages.insertList(names.map { M(content: $0) })
    func walk(_ query: XTQuery<M, M>) throws -> [Int] {
      var ids: [Int] = []
      var last: M?
      while true {
        let page = try query.page(2, after: last)
        if page.isEmpty { return ids }
        #expect(page.count <= 2)
        ids += page.map(\.localID)
        last = page.last
      }
    }
    let query = messages.query()
    let all: [XTQuery<M, M>] = [
      query, query.orderBy(.asc(\.content)), query.orderBy(.desc(\.content)),
      query.orderBy(.asc(\.content, nulls: .last)), query.orderBy(.desc(\.content, nulls: .first)),
      query.orderBy(.asc(\.content), .desc(\.localID)),
    ]
    for query in all {
      let whole = try query.orderBy(.asc(\.localID)).all().map(\.localID)
      let sorted = try walk(query)
      #expect(Set(sorted) == Set(whole))
      #expect(sorted.count == 7)
      let contents = try query.all().map(\.content)
      let byID = Dictionary(
        try query.all().map { ($0.localID, $0.content) }, uniquingKeysWith: { $1 })
      #expect(sorted.map { byID[$0] ?? nil } == contents)
    }
    let text = try query.orderBy(.asc(\.city), .desc(\.age)).after(M(localID: 3)).sql
    #expect(
      text.hasSuffix(
        " FROM `Message` WHERE `city` >= ? AND (`city` > ? OR `city` = ? AND `age` < ? OR"
          + " `city` = ? AND `age` = ? AND `localID` < ?) AND `xt_isDel` = 0 ORDER BY `city` ASC,"
          + " `age` DESC, `localID` DESC"))
  }

  @Test func pages_ofWhatHasNoNumber_areRefused() throws {
    let cities = sut.table(TypedCity.self)
    try cities.insertList([TypedCity(name: "a"), TypedCity(name: "b")])
    let first = try cities.query().page(1)
    let error = #expect(throws: XTError.self) { try cities.query().page(1, after: first.last) }
    #expect(error?.kind == .noIdentity)
    let other = #expect(throws: XTError.self) {
      try users.query().orderBy(.asc(User.xt.age * 2)).page(1, after: TypedUser(pkid: 1))
    }
    #expect(other?.kind == .schema)
    let vehicles = sut.table(TypedVehicle.self)
    for plate in ["a", "b"] {
      let vehicle = TypedVehicle()
      vehicle.plate = plate
      try vehicles.insert(vehicle)
    }
    let page = try vehicles.query().page(1)
    #expect(try vehicles.query().page(1, after: page.last).map(\.plate) == ["b"])
  }
}
