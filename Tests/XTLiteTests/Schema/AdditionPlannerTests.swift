import Foundation
import Testing

@testable import XTLite

/// The first version of a table that the models of these tests go on from.
private struct First: XTModel {
  var name = ""
  static var xt_tableName: String { "Item" }
}

struct AdditionPlannerTests {
  private func fileWithRows(_ count: Int) throws -> SchemaFile {
    let file = try SchemaFile()
    try file.create(First.self)
    for number in 0..<count {
      try file.connection.run("INSERT INTO Item (name) VALUES (?)", [.text("n\(number)")])
    }
    return file
  }

  @Test func prepare_keyProperty_throwsUpgrade() throws {
    struct Keyed: XTModel {
      var name = ""
      var code = UUID()
      static var xt_tableName: String { "Item" }
      static var xt_primaryKey: XTKeyPaths { [\Keyed.code] }
    }
    struct Numbered: XTModel {
      var name = ""
      var number = 0
      static var xt_tableName: String { "Item" }
      static var xt_primaryKey: XTKeyPaths { [\Numbered.number] }
    }
    let file = try fileWithRows(1)
    let before = try file.sql(of: "Item")
    for error in [
      schemaError { try file.prepare(Keyed.self) }, schemaError { try file.prepare(Numbered.self) },
    ] {
      #expect(error?.kind == .upgrade)
      #expect(error?.hint != nil)
    }
    #expect(try file.sql(of: "Item") == before)
  }

  @Test func prepare_fileKeyIsAnOrdinaryPropertyNow_throwsUpgrade() throws {
    struct Numbered: XTModel {
      var number = 0
      static var xt_tableName: String { "Numbered" }
      static var xt_primaryKey: XTKeyPaths { [\Numbered.number] }
    }
    struct Later: XTModel {
      var number = 0
      static var xt_tableName: String { "Numbered" }
    }
    let file = try SchemaFile()
    try file.create(Numbered.self)
    #expect(schemaErrorKind { try file.prepare(Later.self) } == .upgrade)
  }

  @Test func prepare_references_areAddedUnlessThereIsADefault() throws {
    struct Linked: XTModel {
      var name = ""
      var parent: Int64?
      static var xt_tableName: String { "Item" }
      static var xt_keywords: XTKeywordMap { [\Linked.parent: "REFERENCES Item(pkid)"] }
    }
    struct Constrained: XTModel {
      var name = ""
      var owner: Int64?
      static var xt_tableName: String { "Item" }
      static var xt_constraints: [XTConstraint] {
        [.foreignKey(\Constrained.owner, references: First.self, onDelete: .setNull)]
      }
    }
    struct Defaulted: XTModel {
      var name = ""
      var boss = 0
      static var xt_tableName: String { "Item" }
      static var xt_keywords: XTKeywordMap { [\Defaulted.boss: "REFERENCES Item(pkid)"] }
    }
    let file = try fileWithRows(2)
    try file.prepare(Linked.self)
    try file.prepare(Constrained.self)
    #expect(
      try Set(file.seen("PRAGMA foreign_key_list(Item)")) == [
        "1|0|Item|parent|pkid|NO ACTION|NO ACTION|NONE",
        "0|0|Item|owner|pkid|NO ACTION|SET NULL|NONE",
      ])
    #expect(schemaErrorKind { try file.prepare(Defaulted.self) } == .upgrade)
    #expect(try !file.columns(of: "Item").contains { $0.hasPrefix("boss") })
  }

  @Test func prepare_uniqueConstraintOverANewColumn_becomesAnIndex() throws {
    struct Paired: XTModel {
      var name = ""
      var year = 1
      static var xt_tableName: String { "Item" }
      static var xt_constraints: [XTConstraint] { [.unique(\Paired.name, \Paired.year)] }
    }
    struct Alone: XTModel {
      var name = ""
      var month = 1
      static var xt_tableName: String { "Item" }
      static var xt_constraints: [XTConstraint] { [.unique(\Alone.month)] }
    }
    let file = try fileWithRows(2)
    try file.prepare(Paired.self)
    #expect(
      try file.sql(of: "Item").last
        == "CREATE UNIQUE INDEX `Item_name_year_unique` ON `Item` (`name`, `year`)")
    #expect(schemaErrorKind { try file.prepare(Alone.self) } == .upgrade)
  }

  @Test func prepare_checkOverANewColumn_isAddedOrRefused() throws {
    struct Checked: XTModel {
      var name = ""
      var low = 1
      var high = 2
      static var xt_tableName: String { "Item" }
      static var xt_constraints: [XTConstraint] {
        [.check("`low` < HIGH", name: "order"), .check("name <> ''")]
      }
    }
    struct Broken: XTModel {
      var name = ""
      var size = 1
      static var xt_tableName: String { "Item" }
      static var xt_constraints: [XTConstraint] { [.check("length(name) <= size")] }
    }
    let file = try fileWithRows(2)
    try file.prepare(Checked.self)
    #expect(
      try file.sql(of: "Item")[0].contains(
        "`high` INTEGER NOT NULL DEFAULT 2 CONSTRAINT `order` CHECK (`low` < HIGH)"))
    #expect(
      schemaErrorKind { try file.connection.run("UPDATE Item SET high = 0") } == .constraint(.check)
    )
    let before = try file.sql(of: "Item")
    #expect(schemaErrorKind { try file.prepare(Broken.self) } == .upgrade)
    #expect(try file.sql(of: "Item") == before)
  }

  @Test func prepare_foreignKeyToAMissingTable_makesThatToo() throws {
    struct Shelf: XTModel {
      var name = ""
      static var xt_tableName: String { "Shelf" }
    }
    struct Shelved: XTModel {
      var name = ""
      var shelf: Int64?
      static var xt_tableName: String { "Item" }
      static var xt_constraints: [XTConstraint] {
        [.foreignKey(\Shelved.shelf, references: Shelf.self)]
      }
    }
    let file = try fileWithRows(1)
    try file.prepare(Shelved.self)
    try file.connection.run("INSERT INTO Item (name) VALUES ('x')")
    #expect(try file.columns(of: "Shelf").count == 5)
  }

  @Test func prepare_statedClauses_areAddedWhereSQLiteCan() throws {
    struct Stated: XTModel {
      var name = ""
      var needed = "n"
      var nullable = "v"
      var number = 1
      static var xt_tableName: String { "Item" }
      static var xt_keywords: XTKeywordMap {
        [\Stated.needed: "NOT NULL", \Stated.nullable: "NULL", \Stated.number: "DEFAULT 5"]
      }
    }
    struct Impossible: XTModel {
      var name = ""
      var day = Date()
      static var xt_tableName: String { "Item" }
      static var xt_keywords: XTKeywordMap { [\Impossible.day: .notNull] }
    }
    struct Computed: XTModel {
      var name = ""
      var made = ""
      static var xt_tableName: String { "Item" }
      static var xt_keywords: XTKeywordMap { [\Computed.made: "DEFAULT CURRENT_TIMESTAMP"] }
    }
    let file = try fileWithRows(2)
    let shape = try file.prepare(Stated.self)
    #expect(
      try file.columns(of: "Item").suffix(3)
        == ["needed|TEXT|1|'n'|0", "nullable|TEXT|0|NULL|0", "number|INTEGER|0|5|0"])
    #expect(try file.seen("SELECT needed, nullable, number FROM Item") == ["n|v|5", "n|v|5"])
    #expect(shape.lenientColumns.map(\.name) == ["nullable"])
    #expect(schemaErrorKind { try file.prepare(Impossible.self) } == .upgrade)
    #expect(schemaErrorKind { try file.prepare(Computed.self) } == .upgrade)
    #expect(try file.columns(of: "Item").count == 8)
  }
}
