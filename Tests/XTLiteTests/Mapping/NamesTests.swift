import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Names of properties, whatever they are made of, as SQL identifiers.
  @Suite struct NamesTests {
    // MARK: Properties

    @Test func keywordsAsNames_workInEveryVerb() throws {
      let file = try TestDatabase()
      try file.asCurrent {
        var model = Keywords()
        model.order = 1
        model.group = "g"
        model.from = 2.5
        try model.xt_insert()
        #expect(try Keywords.xt_countWhere(\.order == 1 && \.group == "g" && \.from == 2.5) == 1)
        #expect(
          try Keywords.xt_countWhere("\(\Keywords.order) = \(1) AND \(\Keywords.select) = 0") == 1)
        #expect(
          try Keywords.xt_findAll(orderBy: .desc(\.order), .asc(\.index), .asc(\.table)).count == 1)
        model.default = true
        model.table = ["t"]
        model.where = Data([1])
        try model.xt_update()
        try model.xt_update(only: \.values, \.check)
        try Keywords.xt_updateAll(.set(\.index, to: 7), .add(\.order, 1))
        #expect(try model.xt_upsert(by: \.group) == .updated(pkids: [1]))
        let read = try #require(try Keywords.xt_findFirstWhere((\Keywords.group).contains("g")))
        #expect(read.default)
        #expect(read.table == ["t"])
        #expect(read.where == Data([1]))
        #expect(try Keywords.xt_maxOf(\.order) == 1)
        #expect(try Keywords.xt_sumOf(\.index) == 0)
        #expect(try Keywords.xt_select(\.order, \.group).count == 1)
        #expect(try Keywords.xt_find(pkid: 1)?.select == 0)
        try model.xt_softDelete()
        try model.xt_restore()
        #expect(try model.xt_deleteModel())
      }
      let names = try ModelMapping.of(Keywords.self).columns.map(\.name)
      #expect(
        Set(names).isSubset(
          of: Set(try file.columns(of: "Keywords"))))
    }

    @Test func keywordNames_areAddedByAnUpgrade() throws {
      let file = try TestDatabase(
        after: "CREATE TABLE `Keywords` (`pkid` INTEGER PRIMARY KEY AUTOINCREMENT, `group` TEXT);"
          + "INSERT INTO `Keywords` (`group`) VALUES ('old')")
      try file.database.upgrade(
        Keywords.self, add: [\Keywords.order, \Keywords.from, \Keywords.select, \Keywords.default],
        version: 2)
      #expect(
        try file.seen("SELECT `order`, `from`, `select`, `default` FROM `Keywords`") == [
          "0|0.0|0|0"
        ])
      let again = try file.statements {
        try file.database.upgrade(Keywords.self, add: [\Keywords.order], version: 2)
      }
      #expect(again.allSatisfy { !$0.uppercased().contains("ALTER") })
    }

    @Test func property_keepsItsCase() throws {
      let file = try TestDatabase()
      var model = CaseKept()
      model.userID = 5
      model.URLString = "u"
      try file.table(CaseKept.self).insert(&model)
      #expect(
        try file.columns(of: "CaseKept")
          == [
            "pkid", "userID", "URLString", "ÄußereForm", "xt_createTime", "xt_updateTime",
            "xt_isDel",
          ])
      #expect(try file.table(CaseKept.self).findFirst()?.userID == 5)
      #expect(
        try file.table(CaseKept.self).find(sql: "SELECT USERID, urlstring FROM casekept")[0].userID
          == 5)
    }

    @Test func names_thatDifferOnlyInCase_areRefusedBeforeAnySQL() throws {
      let file = try TestDatabase()
      let statements = try file.statements {
        for error in [
          mappingError { try file.table(NameTwice.self).insertList([NameTwice()]) },
          mappingError { try file.table(NameTwice.self).count() },
          mappingError { try file.table(RenamedTwice.self).create() },
          mappingError { try file.table(ClashesWithAutomatic.self).create() },
          mappingError { try file.table(ShadowsPrivate.self).create() },
        ] {
          #expect(error?.kind == .schema)
          #expect(error?.message.contains("one column") == true)
          #expect(error?.hint?.contains("xt_columnNames") == true)
        }
        let named = mappingError { try file.table(NameTwice.self).count() }
        #expect(named?.message.contains("name") == true)
        #expect(named?.message.contains("Name") == true)
        #expect(named?.message.contains("NameTwice") == true)
      }
      #expect(statements == [])
      #expect(try file.modelTables() == [])
    }

    /// SQLite folds the case of ASCII letters and of no others.
    @Test func names_thatDifferInCaseBeyondASCII_areTwo() throws {
      let file = try TestDatabase()
      var model = Accents()
      model.É = 1
      model.é = 2
      try file.table(Accents.self).insert(&model)
      try file.table(Ähre.self).insertList([Ähre()])
      try file.table(ähre.self).insertList([ähre()])
      #expect(try file.seen("SELECT `É`, `é` FROM `Accents`") == ["1|2"])
      #expect(try file.seen("SELECT `É` FROM `Accents` WHERE `é` = 2") == ["1"])
      #expect(try file.table(Accents.self).find(where: \.é == 2).map(\.É) == [1])
      #expect(
        try file.table(Accents.self).find(sql: "SELECT `É`, `é` FROM `Accents`").map(\.é) == [2])
      #expect(try file.table(Ähre.self).count() == 1 && file.table(ähre.self).count() == 1)
    }

    @Test func columnNames_ofAnyKind_work() throws {
      let file = try TestDatabase()
      let table = file.table(Renamed.self)
      var model = Renamed()
      model.a = 1
      model.b = "b"
      model.g = "g"
      try table.insert(&model)
      let read = try #require(
        try table.findFirst(where: \.a == 1 && \.b == "b" && \.c == 0 && \.d == 0 && \.g == "g"))
      #expect(read.b == "b")
      try table.updateAll(.set(\.d, to: 4), .set(\.e, to: 5), .set(\.f, to: 6))
      #expect(try table.findAll(orderBy: .asc(\.c), .desc(\.d)).map(\.f) == [6])
      #expect(try table.upsert(&model, by: \.b) == .updated(pkids: [1]))
      #expect(
        try file.columns(of: "Renamed")[1...7]
          == ["a b", "a\"b", "a`b", "表", "1'", "order\u{301}", "\u{301}mark"])
      // The file's own definition, read again by a second opening, is understood.
      let again = try XTDatabase(path: file.path)
      #expect(try again.table(Renamed.self).findFirst()?.g == "g")
      var second = Renamed()
      second.b = "c"
      try again.table(Renamed.self).insert(&second)
      #expect(second.pkid == 2)
      #expect(mappingError { try file.table(EmptyColumnName.self).count() }?.kind == .schema)
      #expect(mappingError { try file.table(NullColumnName.self).count() }?.kind == .schema)
    }
  }
}

private struct Keywords: XTModel {
  var pkid: Int64?
  var order = 0
  var group = ""
  var from = 0.0
  var index = 0
  var select = 0
  var `default` = false
  var table: [String] = []
  var `where`: Data?
  var limit = 0
  var offset = 0
  var values = ""
  var check = ""
  var unique = 0
  var primary = 0
  var key = 0
  var references = 0
  var foreign = 0
  var null: Int?
  var not = false
  var and = false
  var or = false
  var `in` = false
  var `is` = false
  var like = ""
  var between = 0
  var `case` = 0
  var when = 0
  var then = 0
  var `else` = 0
  var end = 0
  var join = 0
  var on = false
  var using = ""
  var union = ""
  var all = false
  var distinct = false
  var having = ""
  var by = 0
  var asc = 0
  var desc = 0
  var create = 0
  var drop = 0
  var alter = 0
  var add = 0
  var column = 0
  var collate = ""
  var constraint = ""
  var transaction = 0
  var commit = 0
  var rowid = 0
  var oid = 0
  var _rowid_ = 0
  var current_time = 0
  var `true` = 0
  var abort = 0
  var with = 0
  var `self` = 0
  var hash = 0
  var description = ""

  static var xt_tableName: String { "Keywords" }
}

private struct CaseKept: XTModel {
  var userID = 0
  var URLString = ""
  var ÄußereForm = 0
}

private struct NameTwice: XTModel {
  var name = ""
  var Name = ""
}

private struct Accents: XTModel {
  var É = 0
  var é = 0
}

private struct Ähre: XTModel { var a = 1 }
private struct ähre: XTModel { var b = 2 }

private struct RenamedTwice: XTModel {
  var first = ""
  var second = ""
  static var xt_columnNames: XTNameMap { [\RenamedTwice.second: "FIRST"] }
}

private struct ClashesWithAutomatic: XTModel {
  var PKID = ""
}

private class HasPrivate: XTModel {
  private var secret = 1
  required init() {}
}

private class ShadowsPrivate: HasPrivate {
  private var secret = 2
}

private struct Renamed: XTModel {
  var pkid: Int64?
  var a = 0
  var b = ""
  var c = 0
  var d = 0
  var e = 0
  var f = 0
  var g = ""

  static var xt_tableName: String { "Renamed" }
  static var xt_columnNames: XTNameMap {
    [
      \Renamed.a: "a b", \Renamed.b: "a\"b", \Renamed.c: "a`b", \Renamed.d: "表", \Renamed.e: "1'",
      \Renamed.f: "order\u{301}", \Renamed.g: "\u{301}mark",
    ]
  }
  static var xt_keywords: XTKeywordMap { [\Renamed.b: .unique] }
}

private struct EmptyColumnName: XTModel {
  var a = 0
  static var xt_columnNames: XTNameMap { [\EmptyColumnName.a: ""] }
}

private struct NullColumnName: XTModel {
  var a = 0
  static var xt_columnNames: XTNameMap { [\NullColumnName.a: "a\0b"] }
}
