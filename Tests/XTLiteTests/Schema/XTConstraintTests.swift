import Foundation
import Testing

@testable import XTLite

private struct User: XTModel {
  var name = ""
  var code = ""
  static var xt_keywords: XTKeywordMap { [\User.code: .unique] }
}

private struct Order: XTModel {
  var userID: Int64?
  var userCode: String?
  var year = 0
  var number = 0
  static var xt_constraints: [XTConstraint] {
    [
      .unique(\Order.year, \Order.number, onConflict: .ignore, name: "one number"),
      .check("`number` >= 0 AND year <> 13 -- why", name: "positive"),
      .foreignKey(\Order.userID, references: User.self, onDelete: .cascade, deferrable: true),
      .foreignKey(
        \Order.userCode, references: User.self, \.code, onDelete: .setNull, onUpdate: .cascade),
    ]
  }
}

private struct Node: XTModel {
  var parent: Int64?
  static var xt_constraints: [XTConstraint] {
    [.foreignKey(\Node.parent, references: Node.self, onDelete: .cascade)]
  }
}

private struct Hen: XTModel {
  var egg: Int64?
  static var xt_constraints: [XTConstraint] { [.foreignKey(\Hen.egg, references: Egg.self)] }
}

private struct Egg: XTModel {
  var hen: Int64?
  static var xt_constraints: [XTConstraint] { [.foreignKey(\Egg.hen, references: Hen.self)] }
}

private struct Uneven: XTModel {
  var a = 0
  var b = 0
  static var xt_constraints: [XTConstraint] {
    [.foreignKey(\Uneven.a, \Uneven.b, references: User.self)]
  }
}

private struct BrokenCheck: XTModel {
  var a = 0
  static var xt_constraints: [XTConstraint] { [.check("a > 0) , (b > 1")] }
}

struct XTConstraintTests {
  @Test func create_constraints_standInTheTable() throws {
    let file = try SchemaFile()
    try file.create(Order.self)
    let sql = try file.sql(of: "Order")[0]
    #expect(sql.contains("CONSTRAINT `one number` UNIQUE (`year`, `number`) ON CONFLICT IGNORE"))
    #expect(sql.contains("CONSTRAINT `positive` CHECK (`number` >= 0 AND year <> 13)"))
    #expect(
      try file.seen("PRAGMA foreign_key_list(`Order`)") == [
        "0|0|User|userCode|code|CASCADE|SET NULL|NONE",
        "1|0|User|userID|pkid|NO ACTION|CASCADE|NONE",
      ])
    #expect(sql.contains("ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"))
  }

  @Test func create_constraints_act() throws {
    let file = try SchemaFile()
    try file.create(Order.self)
    let connection = file.connection
    try connection.run("INSERT INTO User (name, code) VALUES ('u', 'c')")
    try connection.run("INSERT INTO `Order` (userID, userCode, year, number) VALUES (1, 'c', 1, 1)")
    try connection.run("INSERT INTO `Order` (userID, userCode, year, number) VALUES (1, 'c', 1, 1)")
    #expect(try connection.firstValue("SELECT count(*) FROM `Order`") == 1)
    #expect(
      schemaErrorKind { try connection.run("INSERT INTO `Order` (number) VALUES (-1)") }
        == .constraint(.check))
    #expect(
      schemaErrorKind { try connection.run("INSERT INTO `Order` (userCode) VALUES ('no')") }
        == .constraint(.foreignKey))
    try connection.run("DELETE FROM User")
    #expect(try connection.firstValue("SELECT count(*) FROM `Order`") == 0)
  }

  @Test func create_parentMissing_isMadeWithIt() throws {
    let file = try SchemaFile()
    try file.create(Order.self)
    #expect(try file.seen("SELECT name FROM xtlite_tables ORDER BY name") == ["Order", "User"])
    // Without the parent SQLite refuses every row, also one that refers to nothing.
    try file.connection.run("INSERT INTO `Order` (year) VALUES (1)")
  }

  @Test func create_modelsThatReferToEachOther_areBothMade() throws {
    let file = try SchemaFile()
    try file.create(Hen.self)
    #expect(try file.seen("SELECT name FROM xtlite_tables ORDER BY name") == ["Egg", "Hen"])
  }

  @Test func create_selfReferenceInNamedTable_staysInThatTable() throws {
    let file = try SchemaFile()
    try file.create(Node.self, named: "Node_53")
    #expect(
      try file.seen("PRAGMA foreign_key_list(`Node_53`)")
        == ["0|0|Node_53|parent|pkid|NO ACTION|CASCADE|NONE"])
    #expect(try file.columns(of: "Node").isEmpty)
  }

  @Test func create_unevenForeignKeyOrBrokenCheck_throwsSchema() throws {
    let file = try SchemaFile()
    #expect(schemaErrorKind { try file.create(Uneven.self) } == .schema)
    #expect(schemaErrorKind { try file.create(BrokenCheck.self) } == .schema)
    #expect(try file.seen("SELECT count(*) FROM sqlite_master") == ["0"])
  }
}
