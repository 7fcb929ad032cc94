import Foundation
import Testing

@testable import XTLite

private struct Plain: XTModel {
  var name = "it's"
  var age = -3
  var score = 1.5
  var isGood = true
  var nick: String?
  var photo = Data([0, 255])
  var born = Date()
  var token = UUID()
  var tags: [String] = ["a,b", "(c)"]
}

private struct Declared: XTModel {
  var xt_isDel = false
  var name = ""
  var pkid: Int64?
  var xt_updateTime: Date?
}

private struct WithMeta: XTModel {
  var text = ""
  var meta = XTMeta()
}

private struct Keyed: XTModel {
  var text = ""
  var localID = 0
  static var xt_primaryKey: XTKeyPaths { [\Keyed.localID] }
}

private struct TextKeyed: XTModel {
  var code = ""
  static var xt_primaryKey: XTKeyPaths { [\TextKeyed.code] }
}

private struct OptionalKeyed: XTModel {
  var code: String?
  static var xt_primaryKey: XTKeyPaths { [\OptionalKeyed.code] }
}

private struct TokenKeyed: XTModel {
  var token = UUID()
  static var xt_primaryKey: XTKeyPaths { [\TokenKeyed.token] }
}

private struct Composed: XTModel {
  var year = 0
  var code: String?
  static var xt_primaryKey: XTKeyPaths { [\Composed.year, \Composed.code] }
}

private struct Named: XTModel, Identifiable {
  var id = UUID()
  var name = ""
}

private struct Worded: XTModel {
  var plain = ""
  var unique = ""
  var stated = 0
  var nullable = ""
  var needed = ""
  var checked = "x"
  var many = ""
  static var xt_keywords: XTKeywordMap {
    [
      \Worded.unique: .unique, \Worded.stated: "DEFAULT 7", \Worded.nullable: "NULL",
      \Worded.needed: .notNull, \Worded.checked: "CHECK (checked <> 'NOT NULL DEFAULT 1')",
      \Worded.many: [.unique, .noCase, "CHECK (length(many) < 9)"],
    ]
  }
}

private struct Keywords: XTModel {
  var order = 0
  var group = ""
  var from = ""
  var index = 0
  var select = ""
  var `default` = ""
  var table = ""
  var `where` = ""
  static var xt_tableName: String { "a`b c\"d" }
  static var xt_columnNames: XTNameMap { [\Keywords.where: "w h`e're"] }
  static var xt_indexes: [XTIndex] { [XTIndex(\Keywords.order, .desc(\Keywords.where))] }
}

struct TableDefinitionTests {
  private func lines<Model: XTModel>(
    _ type: Model.Type, automaticColumns: Bool = true
  ) throws -> [String] {
    let mapping = try ModelMapping.of(type)
    let sql = try TableDefinition(
      table: mapping.tableName, mapping: mapping, automaticColumns: automaticColumns
    ).createTable()
    return sql.split(separator: "\n").dropFirst().dropLast().map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
    }
  }

  @Test func createTable_plainModel_hasTypesDefaultsAndAutomaticColumns() throws {
    #expect(
      try lines(Plain.self) == [
        "`pkid` INTEGER PRIMARY KEY AUTOINCREMENT",
        "`name` TEXT NOT NULL DEFAULT 'it''s'",
        "`age` INTEGER NOT NULL DEFAULT -3",
        "`score` REAL NOT NULL DEFAULT 1.5",
        "`isGood` BOOLEAN NOT NULL DEFAULT 1",
        "`nick` TEXT",
        "`photo` BLOB NOT NULL DEFAULT X'00FF'",
        "`born` REAL",
        "`token` TEXT",
        "`tags` TEXT NOT NULL DEFAULT '[\"a,b\",\"(c)\"]'",
        "`xt_createTime` REAL",
        "`xt_updateTime` REAL",
        "`xt_isDel` BOOLEAN NOT NULL DEFAULT 0",
      ])
  }

  @Test func createTable_declaredAutomaticColumns_areTheSameOnes() throws {
    let expected = [
      "`pkid` INTEGER PRIMARY KEY AUTOINCREMENT", "`name` TEXT NOT NULL DEFAULT ''",
      "`xt_createTime` REAL", "`xt_updateTime` REAL", "`xt_isDel` BOOLEAN NOT NULL DEFAULT 0",
    ]
    #expect(try lines(Declared.self) == expected)
    #expect(
      try lines(WithMeta.self)
        == expected.map { $0.replacingOccurrences(of: "`name`", with: "`text`") })
  }

  @Test func createTable_automaticColumnsOff_keepsOnlyDeclaredOnes() throws {
    #expect(
      try lines(Declared.self, automaticColumns: false) == [
        "`pkid` INTEGER PRIMARY KEY AUTOINCREMENT", "`name` TEXT NOT NULL DEFAULT ''",
        "`xt_updateTime` REAL", "`xt_isDel` BOOLEAN NOT NULL DEFAULT 0",
      ])
    #expect(
      try lines(Composed.self, automaticColumns: false) == [
        "`year` INTEGER NOT NULL DEFAULT 0", "`code` TEXT NOT NULL",
        "PRIMARY KEY (`year`, `code`)",
      ])
    #expect(
      try lines(Keyed.self, automaticColumns: false) == [
        "`localID` INTEGER PRIMARY KEY AUTOINCREMENT", "`text` TEXT NOT NULL DEFAULT ''",
      ])
  }

  @Test func createTable_integerKey_takesPkidsPlace() throws {
    #expect(
      try lines(Keyed.self).prefix(2) == [
        "`localID` INTEGER PRIMARY KEY AUTOINCREMENT", "`text` TEXT NOT NULL DEFAULT ''",
      ])
    #expect(try !lines(Keyed.self).contains { $0.contains("pkid") })
  }

  @Test func createTable_otherKeys_standBesidePkid() throws {
    #expect(try lines(TextKeyed.self)[1] == "`code` TEXT NOT NULL DEFAULT '' UNIQUE")
    #expect(try lines(OptionalKeyed.self)[1] == "`code` TEXT NOT NULL UNIQUE")
    #expect(try lines(TokenKeyed.self)[1] == "`token` TEXT UNIQUE")
    #expect(try lines(Named.self)[1] == "`id` TEXT UNIQUE")
    #expect(
      try lines(Composed.self)[1...2]
        == ["`year` INTEGER NOT NULL DEFAULT 0", "`code` TEXT NOT NULL"])
    #expect(try lines(Composed.self).last == "UNIQUE (`year`, `code`)")
  }

  @Test func createTable_keywords_areAppendedOrReplaceTheAutomaticClause() throws {
    #expect(
      try lines(Worded.self)[1...7] == [
        "`plain` TEXT NOT NULL DEFAULT ''",
        "`unique` TEXT NOT NULL DEFAULT '' UNIQUE",
        "`stated` INTEGER DEFAULT 7",
        "`nullable` TEXT NULL",
        "`needed` TEXT NOT NULL",
        "`checked` TEXT NOT NULL DEFAULT 'x' CHECK (checked <> 'NOT NULL DEFAULT 1')",
        "`many` TEXT NOT NULL DEFAULT '' UNIQUE COLLATE NOCASE CHECK (length(many) < 9)",
      ])
  }

  @Test(arguments: ["UNIQUE, `evil` TEXT", "CHECK (length(name) > 0", "UNIQUE; DROP TABLE x"])
  func createTable_brokenKeywords_throwsSchema(_ keywords: String) throws {
    let clause = XTKeywords(stringLiteral: keywords)
    let problem = DeclarationToken.tokens(of: clause.text).problem(allowingCommas: false)
    #expect(problem != nil)
  }

  @Test func create_keywordNames_makeTheTableAndItsIndex() throws {
    let file = try SchemaFile()
    try file.create(Keywords.self)
    #expect(
      try file.columns(of: "a`b c\"d").map { $0.prefix { $0 != "|" } } == [
        "pkid", "order", "group", "from", "index", "select", "default", "table", "w h`e're",
        "xt_createTime", "xt_updateTime", "xt_isDel",
      ])
    #expect(
      try file.seen("PRAGMA index_list(`a``b c\"d`)").first
        == "0|a`b c\"d_order_w h`e're_desc_index|0|c|0")
  }

  @Test(arguments: ["sqlite_x", "SQLite_Y", "", "xtlite_tables", "XTLITE_Versions", "a\0b"])
  func create_reservedName_throwsSchema(_ name: String) throws {
    let file = try SchemaFile()
    #expect(schemaErrorKind { try file.create(Plain.self, named: name) } == .schema)
    #expect(try file.seen("SELECT count(*) FROM sqlite_master") == ["0"])
  }

  @Test(arguments: ["work&33-cur", "3a", "a b", "a\"b", "表", "order", "Person_53", "it's"])
  func create_anyName_works(_ name: String) throws {
    let file = try SchemaFile()
    #expect(try file.create(Plain.self, named: name))
    #expect(try file.columns(of: name).count == 13)
    #expect(try !file.create(Plain.self, named: name))
  }

  @Test func create_extremeDefaults_comeBackAsTheyAre() throws {
    struct Extreme: XTModel {
      var smallest = Int64.min
      var largest = Int64.max
      var infinite = -Double.infinity
      var tiny = Double.leastNonzeroMagnitude
      var nul = "a\0b"
      var text = "'),(\n--\"`ü"
      var data = Data()
    }
    let file = try SchemaFile()
    try file.create(Extreme.self, named: "Extreme")
    try file.connection.run("INSERT INTO Extreme DEFAULT VALUES")
    let row = try file.connection.rows(
      "SELECT smallest, largest, infinite, tiny, nul, text, data FROM Extreme")
    #expect(
      row == [
        [
          .integer(.min), .integer(.max), .real(-.infinity), .real(.leastNonzeroMagnitude),
          .text("a\0b"),
          .text("'),(\n--\"`ü"), .blob(Data()),
        ]
      ])
  }
}
