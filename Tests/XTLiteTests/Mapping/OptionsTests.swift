import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Options: what a model says about its columns, and what it gets wrong.
  @Suite struct OptionsTests {
    @Test func keyPathGivenTwice_isAnErrorAtFirstUse() throws {
      let file = try TestDatabase()
      for (error, option) in [
        (mappingError { try file.table(TwiceIgnored.self).count() }, "xt_ignored"),
        (mappingError { try file.table(TwiceKeywords.self).count() }, "xt_keywords"),
        (mappingError { try file.table(TwiceNamed.self).count() }, "xt_columnNames"),
        (mappingError { try file.table(TwiceKey.self).count() }, "xt_primaryKey"),
        (mappingError { try file.table(TwiceInherited.self).count() }, "xt_keywords"),
      ] {
        #expect(error?.kind == .schema)
        #expect(error?.message.contains("\(option) names the property name twice") == true)
      }
      #expect(try file.modelTables() == [])
    }

    @Test func keyPathThatIsNoProperty_isAnErrorAtFirstUse() throws {
      let file = try TestDatabase()
      for (error, option) in [
        (mappingError { try file.table(IgnoresComputed.self).count() }, "xt_ignored"),
        (mappingError { try file.table(NamesNested.self).count() }, "xt_columnNames"),
        (mappingError { try file.table(KeywordsOfOther.self).count() }, "xt_keywords"),
        (mappingError { try file.table(KeyOfOther.self).count() }, "xt_primaryKey"),
      ] {
        #expect(error?.kind == .unknownColumn)
        #expect(error?.message.contains(option) == true)
      }
      let key = mappingError { try file.table(IgnoredKey.self).count() }
      #expect(key?.kind == .schema)
      #expect(key?.message.contains("name") == true)
    }

    @Test func primaryKeyAsKeyword_isRefused() throws {
      let file = try TestDatabase()
      let error = mappingError { try file.table(PrimaryKeyword.self).count() }
      #expect(error?.kind == .schema)
      #expect(error?.hint?.contains("xt_primaryKey") == true)
    }

    @Test func staticLets_work() throws {
      let file = try TestDatabase()
      let table = file.table(StaticLets.self)
      try table.insertList([StaticLets()])
      #expect(try table.findFirst()?.token == 3)
      #expect(try file.columns(of: "static lets").contains("NAME"))
    }

    @Test func subclassOptions_addToTheSuperclass() throws {
      let base = try ModelMapping.of(OptionsBase.self)
      let sub = try ModelMapping.of(OptionsSub.self)
      #expect(base.columns.map(\.name) == ["NAME", "number"])
      #expect(sub.columns.map(\.name) == ["NAME", "number", "kept"])
      #expect(base.uniqueColumns.map(\.property) == ["name"])
      #expect(sub.uniqueColumns.map(\.property) == ["name", "kept"])
      let file = try TestDatabase()
      let object = OptionsSub()
      object.draft = "not kept"
      object.name = "n"
      try file.table(OptionsSub.self).insert(object)
      let read = try #require(try file.table(OptionsSub.self).findFirst(where: \.name == "n"))
      #expect(read.draft == "")
      #expect(read.cache == "")
    }

    @Test(arguments: [
      ("UNIQUE", ["UNIQUE"]), ("unique collate nocase", ["UNIQUE", "COLLATE", "NOCASE"]),
      ("CHECK (a UNIQUE b)", ["CHECK"]), ("DEFAULT 'UNIQUE'", ["DEFAULT"]),
      ("DEFAULT '\u{301}UNIQUE' NOT NULL", ["DEFAULT", "NOT", "NULL"]),
      ("DEFAULT 'it''s UNIQUE'", ["DEFAULT"]), ("/* UNIQUE */ NOT NULL", ["NOT", "NULL"]),
      ("NOT NULL -- UNIQUE", ["NOT", "NULL"]),
      ("NOT NULL -- x\nUNIQUE", ["NOT", "NULL", "UNIQUE"]),
      ("UNIQUE1", ["UNIQUE1"]), ("a_UNIQUE", ["A_UNIQUE"]), ("DEFAULT \"UNIQUE\"", ["DEFAULT"]),
      ("DEFAULT `UNIQUE`", ["DEFAULT"]), ("DEFAULT [UNIQUE]", ["DEFAULT"]),
      ("CHECK (x = ')') UNIQUE", ["CHECK", "UNIQUE"]), ("DEFAULT 'open UNIQUE", ["DEFAULT"]),
      ("UNIQUE\u{301}", ["UNIQUE\u{301}"]), ("DEFAULT 1e5 UNIQUE", ["DEFAULT", "UNIQUE"]), ("", []),
    ])
    func keywords_areReadAsSQLiteReadsThem(_ text: String, _ words: [String]) {
      #expect(XTKeywords(stringLiteral: text).words == words)
    }

    // MARK: Defaults

    @Test func defaults_areWhatInitGives() throws {
      let file = try TestDatabase()
      try file.table(Defaults.self).create()
      try file.outside("INSERT INTO `Defaults` (`pkid`) VALUES (1)")
      var read = try #require(try file.table(Defaults.self).findFirst())
      read.pkid = nil
      #expect(read == Defaults())
      #expect(Array(read.quote.utf8) == Array(Defaults().quote.utf8))
      #expect(Array(read.nul.utf8) == Array(Defaults().nul.utf8))
    }

    @Test func defaults_fillTheRowsThereAre() throws {
      let file = try TestDatabase(
        after:
          "CREATE TABLE `Defaults` (`pkid` INTEGER PRIMARY KEY AUTOINCREMENT, `plain` TEXT NOT NULL);"
          + "INSERT INTO `Defaults` (`plain`) VALUES ('old')")
      var properties = Defaults.all
      properties.removeFirst()
      try file.database.upgrade(Defaults.self, add: XTKeyPathsOf(properties), version: 2)
      var expected = Defaults()
      expected.pkid = 1
      expected.plain = "old"
      #expect(try file.table(Defaults.self).findFirst() == expected)
      let changes = try file.statements {
        try file.database.upgrade(Defaults.self, add: XTKeyPathsOf(properties), version: 3)
      }
      #expect(!changes.contains { $0.hasPrefix("ALTER") })
    }

    @Test func defaultsThatDifferEachTime_areNotInTheSchema() throws {
      let file = try TestDatabase()
      try file.table(Varying.self).create()
      for (column, type) in [
        ("uuid", "TEXT"), ("date", "REAL"), ("random", "INTEGER"), ("stamped", "TEXT"),
        ("nested", "TEXT"),
      ] {
        #expect(try file.definition(of: column, in: "Varying") == "\(type)|0|NULL|0")
      }
    }
  }
}

private struct TwiceIgnored: XTModel {
  var name = ""
  var other = ""
  static var xt_ignored: XTKeyPaths { [\TwiceIgnored.name, \TwiceIgnored.name] }
}

private struct TwiceKeywords: XTModel {
  var name = ""
  static var xt_keywords: XTKeywordMap {
    [\TwiceKeywords.name: .unique, \TwiceKeywords.name: .notNull]
  }
}

private struct TwiceNamed: XTModel {
  var name = ""
  static var xt_columnNames: XTNameMap { [\TwiceNamed.name: "a", \TwiceNamed.name: "b"] }
}

private struct TwiceKey: XTModel {
  var name = ""
  static var xt_primaryKey: XTKeyPaths { [\TwiceKey.name, \TwiceKey.name] }
}

private class OnceKeywords: XTModel {
  var name = ""
  required init() {}
  class var xt_keywords: XTKeywordMap { [\OnceKeywords.name: .unique] }
}

/// Names the same property by its own key path, which is another one.
private final class TwiceInherited: OnceKeywords {
  var own = ""
  override class var xt_keywords: XTKeywordMap {
    super.xt_keywords + [\TwiceInherited.name: .notNull]
  }
}

private struct IgnoresComputed: XTModel {
  var name = ""
  var computed: Int { 5 }
  static var xt_ignored: XTKeyPaths { [\IgnoresComputed.computed] }
}

private struct NamesNested: XTModel {
  struct Part: Codable { var x = 0 }
  var part = Part()
  static var xt_columnNames: XTNameMap { [\NamesNested.part.x: "x"] }
}

private struct Stranger: XTModel { var name = "" }

private struct KeywordsOfOther: XTModel {
  var name = ""
  static var xt_keywords: XTKeywordMap { [\Stranger.name: .unique] }
}

private struct KeyOfOther: XTModel {
  var name = ""
  static var xt_primaryKey: XTKeyPaths { [\Stranger.name] }
}

private struct IgnoredKey: XTModel {
  var name = ""
  var other = ""
  static var xt_ignored: XTKeyPaths { [\IgnoredKey.name] }
  static var xt_primaryKey: XTKeyPaths { [\IgnoredKey.name] }
}

private struct PrimaryKeyword: XTModel {
  var name = ""
  static var xt_keywords: XTKeywordMap { [\PrimaryKeyword.name: "primary key"] }
}

private struct StaticLets: XTModel {
  var name = ""
  var token = 3
  static let xt_tableName = "static lets"
  static let xt_ignored: XTKeyPaths = [\StaticLets.token]
  static let xt_keywords: XTKeywordMap = [\StaticLets.name: .unique]
  static let xt_columnNames: XTNameMap = [\StaticLets.name: "NAME"]
}

private class OptionsBase: XTModel {
  var name = ""
  var number = 0
  var cache = ""
  required init() {}
  class var xt_ignored: XTKeyPaths { [\OptionsBase.cache] }
  class var xt_keywords: XTKeywordMap { [\OptionsBase.name: .unique] }
  class var xt_columnNames: XTNameMap { [\OptionsBase.name: "NAME"] }
}

private final class OptionsSub: OptionsBase {
  var draft = ""
  var kept = ""
  override class var xt_ignored: XTKeyPaths { super.xt_ignored + [\OptionsSub.draft] }
  override class var xt_keywords: XTKeywordMap { super.xt_keywords + [\OptionsSub.kept: .unique] }
}

private struct Defaults: XTModel, Equatable {
  var pkid: Int64?
  var plain = "plain"
  var quote = "it's '\u{301} \"`"
  var nul = "a\0b"
  var emoji = "🏀👨‍👩‍👧"
  var empty = ""
  var data = Data([0, 255, 39])
  var emptyData = Data()
  var number = Int64.min
  var largest = Int64.max
  var real = 0.1
  var small = -1e-7
  var infinite = -Double.infinity
  var flag = true
  var price = Decimal(sign: .plus, exponent: -3, significand: 12_345_678_901_234_567)
  var url = URL(filePath: "/it's/here")
  var list = ["a'b", "\0"]
  var optional: Int?

  static var xt_tableName: String { "Defaults" }

  static var all: [PartialKeyPath<Defaults>] {
    [
      \.plain, \.quote, \.nul, \.emoji, \.empty, \.data, \.emptyData, \.number, \.largest, \.real,
      \.small, \.infinite, \.flag, \.price, \.url, \.list, \.optional,
    ]
  }
}

/// Several properties as options take them.
private func XTKeyPathsOf(_ keyPaths: [AnyKeyPath]) -> XTKeyPaths {
  keyPaths.reduce([]) { $0 + [$1] }
}

private struct Varying: XTModel {
  struct Stamped: Codable { var date = Date() }
  struct Nested: XTModel { var token = UUID() }

  var uuid = UUID()
  var date = Date(timeIntervalSince1970: 0)
  var random = Int.random(in: 0..<Int.max)
  var stamped = Stamped()
  var nested = [Nested()]

  static var xt_tableName: String { "Varying" }
}
