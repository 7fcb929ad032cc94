import Foundation
import Testing

@testable import XTLite

private struct Person: XTModel {
  var name = ""
  var age = 0
  var email = ""
  static var xt_indexes: [XTIndex] {
    [
      XTIndex(\Person.age, .desc(\Person.name)),
      XTIndex(\Person.email, unique: true, name: "one_live_email", scope: .live),
      XTIndex(.desc(column: "AGE"), .asc(\Person.email), scope: .deleted),
    ]
  }
}

private struct Indexed: XTModel {
  var pkid: Int64?
  var name = ""
  var age = 0
  static var xt_indexes: [XTIndex] {
    [XTIndex(\Indexed.name, scope: .live), XTIndex(\Indexed.age, name: "old", scope: .deleted)]
  }

  /// As XTFMDB makes it.
  static func table(isDel: String) -> String {
    "CREATE TABLE Indexed (pkid INTEGER PRIMARY KEY, name TEXT, age INTEGER, xt_createTime REAL,"
      + " xt_updateTime REAL, xt_isDel BOOLEAN \(isDel));"
  }
}

private class Vehicle: XTModel {
  var plate = ""
  required init() {}
  class var xt_indexes: [XTIndex] { [XTIndex(\Vehicle.plate, name: "by_plate")] }
  class var xt_columnNames: XTNameMap { [:] }
}

private final class Truck: Vehicle {
  var load = 0
  override class var xt_columnNames: XTNameMap { [\Truck.plate: "sign"] }
}

private struct Lost: XTModel {
  var name = ""
  var length: Int { name.count }
  static var xt_indexes: [XTIndex] { [XTIndex(\Lost.length)] }
}

struct XTIndexTests {
  @Test func create_declaredIndexes_haveTheirTermsScopeAndName() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    #expect(
      try file.sql(of: "Person").dropFirst() == [
        "CREATE INDEX `Person_age_name_desc_index` ON `Person` (`age`, `name` DESC)",
        "CREATE UNIQUE INDEX `one_live_email` ON `Person` (`email`) WHERE `xt_isDel` = 0",
        "CREATE INDEX `Person_age_desc_email_deleted_index` ON `Person` (`age` DESC, `email`)"
          + " WHERE `xt_isDel` <> 0",
      ])
  }

  @Test func create_uniqueLiveIndex_letsDeletedRowsShareTheValue() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    try file.connection.run(
      "INSERT INTO Person (email, xt_isDel) VALUES ('a', 1), ('a', 1), ('a', 0)")
    #expect(
      schemaErrorKind { try file.connection.run("INSERT INTO Person (email) VALUES ('a')") }
        == .constraint(.unique))
  }

  @Test func create_namedTable_getsIndexNamesOfItsOwn() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    try file.create(Person.self, named: "Person_53")
    #expect(
      try file.seen(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'Person_53'")
        == [
          "Person_53_age_name_desc_index", "Person_53_one_live_email",
          "Person_53_age_desc_email_deleted_index",
        ])
  }

  @Test func create_subclassWithAnotherColumnName_indexesItsOwnColumn() throws {
    let file = try SchemaFile()
    try file.create(Vehicle.self)
    try file.create(Truck.self)
    #expect(
      try file.sql(of: "Truck").last == "CREATE INDEX `by_plate_2` ON `Truck` (`sign`)")
  }

  @Test func create_computedProperty_throwsUnknownColumn() throws {
    let file = try SchemaFile()
    #expect(schemaErrorKind { try file.create(Lost.self) } == .unknownColumn)
    #expect(try file.seen("SELECT count(*) FROM sqlite_master") == ["0"])
  }

  @Test func create_nameTakenByAnotherTable_takesTheNextOne() throws {
    let file = try SchemaFile()
    try file.connection.run("CREATE TABLE one_live_email (a)")
    try file.create(Person.self)
    #expect(
      try file.seen("SELECT name FROM sqlite_master WHERE name LIKE 'one_live_email%'")
        == ["one_live_email", "one_live_email_2"])
  }

  @Test func prepare_indexDroppedByHand_isMadeAgain() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    let before = try file.sql(of: "Person")
    try file.connection.run("DROP INDEX Person_age_name_desc_index")
    try file.prepare(Person.self)
    #expect(try Set(file.sql(of: "Person")) == Set(before))
  }

  @Test func prepare_sameIndexUnderAnotherName_isNotDoubled() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    try file.connection.executeScript(
      """
      DROP INDEX Person_age_name_desc_index;
      CREATE INDEX theirs ON person (AGE, "name" DESC);
      DROP INDEX one_live_email;
      CREATE UNIQUE INDEX theirs2 ON Person (email) WHERE "xt_isDel" =0
      """)
    let before = try file.sql(of: "Person")
    try file.prepare(Person.self)
    #expect(try file.sql(of: "Person") == before)
  }

  @Test func prepare_indexInTheOtherDirection_isNotTakenForTheSame() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    try file.connection.executeScript(
      "DROP INDEX Person_age_name_desc_index; CREATE INDEX theirs ON Person (age, name)")
    try file.prepare(Person.self)
    #expect(
      try file.sql(of: "Person").last
        == "CREATE INDEX `Person_age_name_desc_index` ON `Person` (`age`, `name` DESC)")
  }

  @Test func prepare_otherIndexUnderTheGivenName_throwsUpgrade() throws {
    let file = try SchemaFile()
    try file.create(Person.self)
    try file.connection.executeScript(
      "DROP INDEX one_live_email; CREATE UNIQUE INDEX one_live_email ON Person (email)")
    let error = schemaError { try file.prepare(Person.self) }
    #expect(error?.kind == .upgrade)
    #expect(error?.message.contains("one_live_email") == true)
  }

  @Test func prepare_uniqueIndexOverSharedValues_throwsUpgradeAndChangesNothing() throws {
    struct Old: XTModel {
      var email = ""
      static var xt_tableName: String { "Account" }
    }
    struct New: XTModel {
      var email = ""
      var added = 0
      static var xt_tableName: String { "Account" }
      static var xt_indexes: [XTIndex] { [XTIndex(\New.email, unique: true)] }
    }
    let file = try SchemaFile()
    try file.create(Old.self)
    try file.connection.run("INSERT INTO Account (email) VALUES ('a'), ('a')")
    let before = try file.sql(of: "Account")
    let error = schemaError { try file.prepare(New.self) }
    #expect(error?.kind == .upgrade)
    #expect(error?.column == "email")
    #expect(try file.sql(of: "Account") == before)
  }

  @Test(arguments: [nil, "NOT NULL DEFAULT 0", "DEFAULT 0", ""])
  func partialIndex_ofAnyTable_isUsedByFinds(isDel: String?) throws {
    let test = try TestDatabase(after: isDel.map(Indexed.table))
    let table = test.table(Indexed.self)
    try table.insertList([Indexed(name: "a", age: 1), Indexed(name: "b", age: 2)])
    try table.softDelete(where: \.name == "b")
    let sql = try test.statements { () throws in
      #expect(try table.find(where: \.name == "a").map(\.age) == [1])
      #expect(try table.find(where: \.age == 2, scope: .deleted).map(\.name) == ["b"])
    }
    let plans = try sql.filter { $0.contains("FROM `Indexed` WHERE") }.map {
      try test.seen("EXPLAIN QUERY PLAN " + $0.replacingOccurrences(of: "?", with: "1"))
    }
    #expect(plans.count == 2)
    #expect(plans.first?.first?.contains("USING INDEX Indexed_name_live_index (name=?)") == true)
    #expect(plans.last?.first?.contains("USING INDEX old (age=?)") == true)
  }

  @Test(arguments: ["NOT NULL DEFAULT 0", "DEFAULT 0"])
  func prepare_partialIndexesOfAnOlderFile_areTheModels(isDel: String) throws {
    let file = try SchemaFile()
    try file.connection.executeScript(
      Indexed.table(isDel: isDel)
        + """
        CREATE INDEX Indexed_name_live_index ON Indexed (name) WHERE `xt_isDel` = 0;
        CREATE INDEX old ON Indexed (age) WHERE `xt_isDel` <> 0;
        """)
    let before = try file.sql(of: "Indexed")
    try file.prepare(Indexed.self)
    #expect(try file.sql(of: "Indexed") == before)
  }

  @Test func create_noSoftDelete_liveIndexIsOverAllRows() throws {
    struct Bare: XTModel {
      var name = ""
      static var xt_tableName: String { "Bare" }
      static var xt_indexes: [XTIndex] { [XTIndex(\Bare.name, unique: true, scope: .live)] }
    }
    let file = try SchemaFile()
    try file.create(Bare.self, automaticColumns: false)
    #expect(
      try file.sql(of: "Bare").last
        == "CREATE UNIQUE INDEX `Bare_name_live_unique` ON `Bare` (`name`)")
  }
}
