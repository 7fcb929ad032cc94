import Testing
import XTLite

// The contract's own lines, as they stand there. That they compile is half of the test.

private struct Address: Codable, Equatable {
  var street = ""
  var number = 0
}

private struct Person: XTModel {
  var pkid: Int64?  // declare an automatic column to read it
  var name = ""
  var age = 0
  var nick: String?  // optional = nullable
  var tags: [String] = []  // any Codable container = JSON text
  var home: Address?  // any Codable value = JSON text
  var isSelected = false  // view state, kept out of the table

  static var xt_ignored: XTKeyPaths { [\Person.isSelected] }
  static var xt_keywords: XTKeywordMap {
    [\Person.name: .unique, \Person.age: "CHECK (age >= 0)"]
  }
}

extension Person {
  fileprivate init(name: String, age: Int) {
    self.name = name
    self.age = age
  }
}

private class Vehicle: XTModel {
  var plate = ""
  required init() {}
}

private final class Boat: XTModel {
  var name = ""
  init() {}
}

extension SharedDatabaseTests {
  @Suite struct ContractTests {
    @Test func whatAUserWrites_runsAsItStands() throws {
      let folder = try TemporaryFolder()
      let newcomers = [Person(name: "a", age: 3), Person(name: "O'Brien", age: 30)]

      try XTDatabase.configure(path: folder.path("people.sqlite"))  // once, at launch

      var kobe = Person(name: "mamba", age: 24)
      try kobe.xt_insert()  // kobe.pkid is set
      kobe.age += 1
      try kobe.xt_update()

      let who = "O'Brien"
      let some = try Person.xt_findWhere("name == \(who) AND age > \(17)")  // bound
      let same = try Person.xt_findWhere(\.name == who && \.age > 17)  // typed
      let top = try Person.xt_findAll(orderBy: .desc(\.age), limit: 10)
      let n = try Person.xt_countWhere(\.age < 10)
      let max = try Person.xt_maxOf(\.age)  // Int?

      #expect(some.isEmpty && same.isEmpty && n == 0)
      #expect(top.map(\.pkid) == [kobe.pkid] && top.map(\.age) == [25])
      let typed: Int? = max
      #expect(typed == 25)

      try XTDatabase.shared.transaction {
        try kobe.xt_deleteModel()
        try Person.xt_insertList(newcomers)
      }
      try XTDatabase.shared.upgrade(Person.self, add: [\Person.nick], version: 2)

      #expect(try Person.xt_findWhere("name == \(who) AND age > \(17)").map(\.name) == [who])
      #expect(try Person.xt_findWhere(\.name == who && \.age > 17).map(\.name) == [who])
    }

    @Test func classes_withoutPkid_haveAutomaticColumnsAnyway() throws {
      try XTDatabase.configure(.inMemory())
      let car = Vehicle()
      car.plate = "X 1"
      try car.xt_insert()
      let boat = Boat()
      try boat.xt_insert()
      #expect(car.pkid == 1 && boat.pkid == 1)
      #expect(car.xt_createTime != nil && boat.xt_isDel == false)
      #expect(try Vehicle.xt_findFirstWhere(\.plate == "X 1")?.pkid == 1)
      #expect(try Vehicle.xt_find(pkid: 1)?.plate == "X 1")
    }

    @Test func conditions_asTheContractWritesThem_compile() throws {
      try XTDatabase.configure(.inMemory())
      try Person.xt_insertList([Person(name: "a", age: 18), Person(name: "50%", age: 4)])
      let x = 10
      let y = "a"
      let ids = [1, 2]

      func names(_ condition: XTCondition<Person>) throws -> [String] {
        try Person.xt_findWhere(condition, orderBy: .asc(\.pkid)).map(\.name)
      }
      #expect(try names(\.age >= 18 && !(\.nick == nil)) == [])
      #expect(try names("age > \(x) AND \(\.name) = \(y)") == ["a"])
      #expect(try names("pkid IN \(list: ids)") == ["a", "50%"])
      #expect(try names((\Person.age).in([1, 2])) == [])
      #expect(try names((\Person.age).notIn([1, 2])) == ["a", "50%"])
      #expect(try names((\Person.age).between(3, 5)) == ["50%"])
      #expect(try names((\Person.name).contains("50%")) == ["50%"])
      #expect(try names((\Person.name).startsWith("5")) == ["50%"])
      #expect(try names((\Person.name).endsWith("%")) == ["50%"])
      #expect(try names((\Person.name).like("A_%")) == [])
      #expect(try names((\Person.nick).isNull) == ["a", "50%"])
      #expect(try names((\Person.nick).contains("x")) == [])
      #expect(try names(\.name == \.name && \.age < 10) == ["50%"])
      #expect(try names("\(\.home) IS NOT NULL OR 1") == ["a", "50%"])
    }

    @Test func everyReadingVerb_inTheShapesThatPeopleWrite_compiles() throws {
      try XTDatabase.configure(.inMemory())
      try Person.xt_insertList([Person(name: "a", age: 1), Person(name: "b", age: 2)])
      let none: XTCondition<Person>? = nil
      let orders: [XTOrder<Person>] = [.desc(\.age), .asc(\.name)]

      #expect(try Person.xt_findAll().count == 2)
      #expect(try Person.xt_findAll(limit: 1).count == 1)
      #expect(try Person.xt_findAll(scope: .all).count == 2)
      #expect(try Person.xt_findAll(orderBy: .asc(\.name), .desc(\.age), offset: 1).count == 1)
      #expect(try Person.xt_findAll(only: \.name, \.age).map(\.name) == ["a", "b"])
      #expect(try Person.xt_findWhere(none).count == 2)
      #expect(try Person.xt_findWhere(nil, limit: 1).count == 1)
      #expect(try Person.xt_findWhere(none, orderBy: orders).map(\.name) == ["b", "a"])
      #expect(try Person.xt_findWhere(\.age > 1, orderBy: []).count == 1)
      #expect(try Person.xt_find(pkid: 1)?.name == "a")
      #expect(try Person.xt_find(pkids: [2, 1]).map(\.name) == ["b", "a"])
      #expect(try Person.xt_findFirst()?.name == "a")
      #expect(try Person.xt_findFirst(orderBy: .desc(\.age))?.name == "b")
      #expect(try Person.xt_findFirstWhere(\.age > 1)?.name == "b")
      #expect(try Person.xt_findFirstWhere("age > 1", orderBy: .desc(\.age))?.name == "b")
      #expect(try Person.xt_hasModelWhere(\.name == "a"))
      var seen: [String] = []
      try Person.xt_forEachWhere(\.age < 9) { person in seen.append(person.name) }
      try Person.xt_forEachWhere(nil, orderBy: .desc(\.age)) { seen.append($0.name) }
      #expect(seen == ["a", "b", "b", "a"])
      #expect(try Person.xt_findWithSql("SELECT * FROM Person WHERE age = \(1)").count == 1)
      #expect(try Person.xt_findFirstWithSql("SELECT * FROM Person")?.name == "a")
      #expect(try Person.xt_anyFuncWithSql("SELECT max(age) FROM Person") == .integer(2))
      let pairs = try Person.xt_select(\.name, \.age, where: \.age > 1)
      #expect(pairs.map(\.0) == ["b"] && pairs.map(\.1) == [2])
      for (name, age) in try Person.xt_select(\.name, \.age) { #expect(name == "a" || age == 2) }
      let names: [String] = try Person.xt_select(\.name, distinct: true)
      #expect(names.sorted() == ["a", "b"])
      #expect(try !Person.xt_isEmptyTable())
      #expect(try Person.xt_count() == 2)
      #expect(try Person.xt_countWhere("age = 1") == 1)
      let nick: String? = try Person.xt_maxOf(\.nick)
      let sum: Int64? = try Person.xt_sumOf(\.age, where: \.age > 0)
      let average: Double? = try Person.xt_avgOf(\.age)
      #expect(nick == nil && sum == 3 && average == 1.5)
      #expect(try Person.xt_minOf(\.name, where: "age > 1") == "b")
      #expect(try Person.xt_findAll().xt_orderBy(\.age, descending: true).map(\.age) == [2, 1])
    }
  }
}
