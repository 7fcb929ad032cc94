import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Names of properties and types, whatever they are made of, as SQL identifiers.
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
        #expect(try Keywords.xt_countWhere("\(\Keywords.order) = \(1) AND \(\Keywords.select) = 0") == 1)
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
          of: Set(try file.seen("SELECT `name` FROM pragma_table_info('Keywords')"))))
    }

    @Test func keywordNames_areAddedByAnUpgrade() throws {
      let file = try TestDatabase(
        after: "CREATE TABLE `Keywords` (`pkid` INTEGER PRIMARY KEY AUTOINCREMENT, `group` TEXT);"
          + "INSERT INTO `Keywords` (`group`) VALUES ('old')")
      try file.database.upgrade(
        Keywords.self, add: [\Keywords.order, \Keywords.from, \Keywords.select, \Keywords.default],
        version: 2)
      #expect(
        try file.seen("SELECT `order`, `from`, `select`, `default` FROM `Keywords`") == ["0|0.0|0|0"])
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
        try file.seen("SELECT `name` FROM pragma_table_info('CaseKept') LIMIT 4")
          .filter { $0 != "pkid" } == ["userID", "URLString", "ÄußereForm"])
      #expect(try file.table(CaseKept.self).findFirst()?.userID == 5)
      #expect(try file.table(CaseKept.self).find(sql: "SELECT USERID, urlstring FROM casekept")[0].userID == 5)
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
        try file.seen("SELECT `name` FROM pragma_table_info('Renamed') LIMIT 1, 7")
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

    // MARK: Tables

    static let tableNames = [
      "work&33-cur", "3a", "a b", "a\"b", "a`b", "``", "a'b", "表", "🏀", "e\u{301}", "'\u{301}x",
      "`\u{301}", "\u{301}", "[x]", "a;b", "a--b", "a/*b*/", "%", "?", "order", "table", "main.x",
      "temp", "main", " ", "\n", "Straße", "İ", "x)", "(", "\\",
    ]

    @Test(arguments: tableNames)
    func tableName_ofAnyKind_works(_ name: String) throws {
      let file = try TestDatabase()
      let table = file.table(Plain.self, named: name)
      #expect(try table.create())
      #expect(try table.exists())
      var model = Plain(name: "n", unique: "u")
      try table.insert(&model)
      model.name = "changed"
      #expect(try table.update(model) == 1)
      #expect(try table.upsert(&model, by: \.unique) == .updated(pkids: [1]))
      #expect(try table.find(pkid: 1)?.name == "changed")
      #expect(try table.find(where: \.name == "changed", orderBy: .asc(\.name)).count == 1)
      #expect(try table.updateAll(.set(\.name, to: "x")) == 1)
      #expect(try file.modelTables() == [name])
      #expect(try file.seen("SELECT `name` FROM \(quoted(name))") == ["x"])
      // Another opening finds its record of the table, and adds to it.
      let again = try XTDatabase(path: file.path)
      var other = Plain(name: "n", unique: "v")
      try again.table(Plain.self, named: name).insert(&other)
      #expect(other.pkid == 2)
      let grown = again.table(GrownPlain.self, named: name)
      try grown.insertList([GrownPlain()])
      #expect(try grown.findAll(orderBy: .asc(\.pkid)).map(\.added) == [5, 5, 5])
      #expect(try table.deleteAll() == 3)
      #expect(try table.drop())
      #expect(try file.modelTables() == [])
    }

    @Test(arguments: ["", "a\0b", "sqlite_x", "SQLite_X"])
    func tableName_thatSQLiteRefuses_isAnError(_ name: String) throws {
      let file = try TestDatabase()
      #expect(mappingError { try file.table(Plain.self, named: name).create() }?.kind == .schema)
      #expect(mappingError { try file.table(Plain.self, named: name).count() }?.kind == .schema)
    }

    @Test func statedTableName_isQuotedEverywhere() throws {
      let file = try TestDatabase()
      try file.asCurrent {
        var model = Stated()
        model.value = "v"
        let statements = try file.statements {
          try model.xt_insert()
          _ = try Stated.xt_findWhere(\.value == "v")
          try model.xt_update()
          try model.xt_deleteModel()
        }
        #expect(statements.allSatisfy { !$0.contains("\"work") && !$0.contains("'work") })
        #expect(statements.contains { $0.contains("`work``&\"33-cur`") })
      }
      #expect(try file.modelTables() == ["work`&\"33-cur"])
    }

    // MARK: Types

    private enum A { struct Item: XTModel { var name = "a" } }
    private enum B { struct Item: XTModel { var name = "b" } }

    @Test func nestedAndGenericTypes_haveTablesOfTheirOwn() throws {
      let file = try TestDatabase()
      try file.table(Box<Int>.self).insertList([Box<Int>()])
      try file.table(Box<String>.self).insertList([Box<String>()])
      try file.table(Box<[Int]>.self).insertList([Box<[Int]>()])
      try file.table(Box<Int?>.self).insertList([Box<Int?>()])
      try file.table(Box<[String: [Int]]>.self).insertList([Box<[String: [Int]]>()])
      try file.table(A.Item.self).insertList([A.Item()])
      try file.table(B.Item.self).insertList([B.Item()])
      try file.table(Outer<Int>.Inner.self).insertList([Outer<Int>.Inner()])
      #expect(
        Set(try file.modelTables()) == [
          "Box_Int", "Box_String", "Box_Array_Int", "Box_Optional_Int",
          "Box_Dictionary_String_Array_Int", "MappingTests_NamesTests_A_Item",
          "MappingTests_NamesTests_B_Item", "Outer_Int_Inner",
        ])
      #expect(try file.table(Box<Int>.self).count() == 1)
      #expect(try file.table(A.Item.self).findFirst()?.name == "a")
      #expect(try file.table(B.Item.self).findFirst()?.name == "b")
    }

    @Test func typeLocalToAFunction_hasAStableName() throws {
      struct Local: XTModel { var name = "" }
      let file = try TestDatabase()
      try file.table(Local.self).insertList([Local()])
      try insertLocal(into: file)
      #expect(try file.modelTables() == ["FreeLocal", "MappingTests_NamesTests_Local"])
      #expect(TypeName.display(Local.self) == "XTLiteTests.MappingTests.NamesTests.Local")
      #expect(
        TypeName.tableName(of: Box<Local?>.self) == "Box_Optional_MappingTests_NamesTests_Local")
    }

    @Test func typesWhoseNamesComeOutTheSame_areRefusedWithBothNames() throws {
      let file = try TestDatabase()
      func first() throws {
        struct Same: XTModel { var one = 1 }
        try file.table(Same.self).insertList([Same()])
      }
      func second() throws {
        struct Same: XTModel { var two = 2 }
        try file.table(Same.self).insertList([Same()])
      }
      try first()
      try first()
      let error = mappingError { try second() }
      #expect(error?.kind == .schema)
      #expect(error?.message.components(separatedBy: "Same").count ?? 0 > 3)
      #expect(error?.hint?.contains("xt_tableName") == true)
      try file.table(Box<Int>.self).insertList([Box<Int>()])
      let clash = mappingError { try file.table(Box_Int.self).count() }
      #expect(clash?.message.contains("Box<Swift.Int>") == true)
      #expect(clash?.message.contains("Box_Int") == true)
      // In another database there is no clash.
      let other = try TestDatabase()
      try other.table(Box_Int.self).insertList([Box_Int()])
    }

    @Test func typesThatStateATableName_mayShareIt() throws {
      let file = try TestDatabase()
      try file.table(SharedOne.self).insertList([SharedOne()])
      try file.table(SharedTwo.self).insertList([SharedTwo()])
      #expect(try file.modelTables() == ["shared"])
      #expect(try file.seen("SELECT `name`, `extra` FROM `shared`") == ["one|2", "two|2"])
    }

    @Test func subclassThatInheritsAStatedTableName_throwsWithTheHint() throws {
      let file = try TestDatabase()
      try file.table(StatedBase.self).insert(StatedBase())
      for error in [
        mappingError { try file.table(InheritsName.self).count() },
        mappingError { try file.table(StatedBase.self).insert(InheritsName()) },
        mappingError { try file.table(InheritsFromOwn.self).count() },
        mappingError { try file.table(InheritsUnseen.self).count() },
      ] {
        #expect(error?.kind == .schema)
        #expect(error?.message.contains("inherits the table name") == true)
        #expect(error?.hint?.contains("override class var xt_tableName") == true)
      }
      let own = StatesOwn()
      try file.table(StatesOwn.self).insert(own)
      #expect(try file.modelTables() == ["base", "own"])
    }
  }
}

/// A type local to a function that is in no type.
private func insertLocal(into file: TestDatabase) throws {
  struct FreeLocal: XTModel { var name = "" }
  try file.table(FreeLocal.self).insertList([FreeLocal()])
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

private struct Plain: XTModel {
  var pkid: Int64?
  var name = ""
  var unique = ""

  init() {}
  init(name: String, unique: String) {
    self.name = name
    self.unique = unique
  }

  static var xt_keywords: XTKeywordMap { [\Plain.unique: .unique] }
  static var xt_indexes: [XTIndex] { [XTIndex(\Plain.name)] }
}

private struct GrownPlain: XTModel {
  var pkid: Int64?
  var name = ""
  var unique = ""
  var added = 5
}

private struct Stated: XTModel {
  var pkid: Int64?
  var value = ""
  static var xt_tableName: String { "work`&\"33-cur" }
}

private struct Box<Value: Defaulted>: XTModel { var value = Value() }
private struct Box_Int: XTModel { var number = 0 }
private struct Outer<Value> { struct Inner: XTModel { var number = 0 } }

private struct SharedOne: XTModel {
  var name = "one"
  static var xt_tableName: String { "shared" }
}

private struct SharedTwo: XTModel {
  var name = "two"
  var extra = 2
  static var xt_tableName: String { "shared" }
}

private class StatedBase: XTModel {
  var number = 0
  required init() {}
  class var xt_tableName: String { "base" }
}

private class InheritsName: StatedBase {}

private class StatesOwn: StatedBase {
  override class var xt_tableName: String { "own" }
}

private final class InheritsFromOwn: StatesOwn {}

/// A class that shows nothing of its superclass to a Mirror.
private final class InheritsUnseen: StatedBase, CustomReflectable {
  var customMirror: Mirror { Mirror(self, children: [], ancestorRepresentation: .suppressed) }
}
