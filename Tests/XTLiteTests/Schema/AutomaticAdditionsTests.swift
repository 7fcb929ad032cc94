import Foundation
import Testing

@testable import XTLite

private struct Person1: XTModel {
  var pkid: Int64?
  var name = ""
  static var xt_tableName: String { "Person" }
}

private struct Person2: XTModel {
  var pkid: Int64?
  var name = ""
  var order = 5
  var day = Date()
  var token = UUID()
  var nick: String?
  static var xt_tableName: String { "Person" }
  static var xt_keywords: XTKeywordMap { [\Person2.token: .unique] }
}

private struct Person3: XTModel {
  var pkid: Int64?
  var nick: String?
  static var xt_tableName: String { "Person" }
}

private struct Strict: XTModel {
  var name = ""
  var code = ""
  static var xt_tableName: String { "Person" }
  static var xt_keywords: XTKeywordMap { [\Strict.code: "NOT NULL UNIQUE"] }
}

private struct Unique: XTModel {
  var name = ""
  var email = ""
  static var xt_tableName: String { "Person" }
  static var xt_keywords: XTKeywordMap { [\Unique.email: .unique] }
}

/// The verbs over tables that were made for an older or a newer model.
struct AutomaticAdditionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("people.sqlite") }

  private func open() throws -> XTDatabase { try XTDatabase(path: path) }

  /// Rows as another program sees them.
  private func seen(_ sql: String) throws -> [String] {
    let connection = try Connection(ConnectionSettings(path: path))
    defer { connection.close() }
    return try connection.rows(sql).map { $0.map(\.description).joined(separator: "|") }
  }

  private func insertPeople(_ names: [String]) throws {
    let database = try open()
    try database.table(Person1.self).insertList(
      names.map { name in
        var person = Person1()
        person.name = name
        return person
      })
    try database.close()
  }

  @Test func insert_newProperties_fillTheRowsThereAre() throws {
    try insertPeople(["a", "b", "c"])
    let database = try open()
    let people = database.table(Person2.self)
    // Finding adds nothing and reads what init() gives.
    #expect(try people.findAll().map(\.order) == [5, 5, 5])
    #expect(try seen("PRAGMA table_info(Person)").count == 5)
    var fourth = Person2()
    fourth.name = "d"
    try people.insert(&fourth)
    let all = try people.findAll()
    #expect(all.map(\.name) == ["a", "b", "c", "d"])
    #expect(Set(all.map(\.token)).count == 4)
    #expect(all.last?.token == fourth.token)
    #expect(
      try seen("SELECT name, `order`, nick, typeof(day) FROM Person")
        == ["a", "b", "c", "d"].map { "\($0)|5|NULL|real" })
    // What was filled in once stays.
    #expect(try people.findAll().map(\.token) == all.map(\.token))
    try database.close()
  }

  @Test func insert_removedProperties_letRowsIn() throws {
    let database = try open()
    var first = Strict()
    first.code = "x"
    try database.table(Strict.self).insert(&first)
    try database.close()
    let later = try open()
    for nick in ["n", "m"] {
      var person = Person3()
      person.nick = nick
      try later.table(Person3.self).insert(&person)
    }
    #expect(try later.table(Person3.self).findAll().map(\.nick) == [nil, "n", "m"])
    #expect(try seen("SELECT count(DISTINCT code) FROM Person") == ["3"])
    try later.close()
  }

  @Test func insert_uniquePropertyOverTwoRows_isRefusedWithTheTableAsItWas() throws {
    try insertPeople(["a", "b"])
    let before = try seen("SELECT sql FROM sqlite_master")
    let database = try open()
    var third = Unique()
    let error = schemaError { try database.table(Unique.self).insert(&third) }
    #expect(error?.kind == .upgrade)
    #expect(error?.column == "email")
    #expect(try seen("SELECT sql FROM sqlite_master") == before)
    #expect(try seen("SELECT name FROM Person") == ["a", "b"])
    try database.close()
  }

  @Test func upgrade_andThenInsert_goOnTogether() throws {
    try insertPeople(["a", "b"])
    let database = try open()
    #expect(
      try database.upgrade(Person2.self, add: [\Person2.order, \Person2.token], version: 2))
    #expect(
      try !database.upgrade(Person2.self, add: [\Person2.order, \Person2.token], version: 2))
    var third = Person2()
    try database.table(Person2.self).insert(&third)
    #expect(try seen("SELECT count(DISTINCT token), count(day) FROM Person") == ["3|3"])
    #expect(try seen("SELECT * FROM xtlite_versions") == ["Person|2"])
    try database.close()
  }

  @Test func insert_rolledBack_leavesNoTableAndTheNextOneMakesIt() throws {
    struct Stop: Error {}
    let database = try open()
    #expect(throws: Stop.self) {
      try database.transaction {
        var person = Person2()
        try database.table(Person2.self).insert(&person)
        throw Stop()
      }
    }
    #expect(try seen("SELECT count(*) FROM sqlite_master") == ["0"])
    var person = Person2()
    try database.table(Person2.self).insert(&person)
    #expect(try seen("SELECT count(*) FROM Person") == ["1"])
    #expect(try seen("SELECT name FROM xtlite_tables") == ["Person"])
    try database.close()
  }

  @Test func insert_nullsLeftByOthers_areFilledAtTheNextWrite() throws {
    try insertPeople(["a"])
    let database = try open()
    var second = Person2()
    try database.table(Person2.self).insert(&second)
    try database.close()
    let other = try Connection(ConnectionSettings(path: path))
    try other.run("INSERT INTO Person (name) VALUES ('raw')")
    other.close()
    let later = try open()
    // Reading gives a fresh value and writes nothing.
    #expect(try later.table(Person2.self).findAll().count == 3)
    #expect(try seen("SELECT count(*) FROM Person WHERE token IS NULL") == ["1"])
    var fourth = Person2()
    try later.table(Person2.self).insert(&fourth)
    #expect(try seen("SELECT count(DISTINCT token), count(day) FROM Person") == ["4|4"])
    try later.close()
  }

  @Test func insert_tableOfOthers_isWrittenAsItIs() throws {
    let other = try Connection(ConnectionSettings(path: path))
    try other.executeScript("CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    other.close()
    let database = try open()
    var person = Person2()
    person.name = "a"
    let people = database.table(Person2.self)
    #expect(schemaErrorKind { try people.insert(&person) } == .schema)
    try people.insert(&person, only: \.name)
    #expect(try seen("SELECT * FROM Person") == ["1|a"])
    #expect(try seen("SELECT name FROM sqlite_master") == ["Person"])
    try database.close()
  }

  @Test func insert_view_throwsSchema() throws {
    let other = try Connection(ConnectionSettings(path: path))
    try other.executeScript("CREATE TABLE t (name); CREATE VIEW Person AS SELECT name FROM t")
    other.close()
    let database = try open()
    var person = Person1()
    #expect(schemaErrorKind { try database.table(Person1.self).insert(&person) } == .schema)
    #expect(try database.table(Person1.self).findAll().isEmpty)
    try database.close()
  }
}
