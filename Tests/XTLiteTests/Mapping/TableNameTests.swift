import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// The names of tables: stated ones, and those that types get by themselves.
  @Suite struct TableNameTests {
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

    @Test func statedTableName_thatSQLiteRefuses_isAnError() throws {
      let file = try TestDatabase()
      for error in [
        mappingError { try file.table(StatesReserved.self).count() },
        mappingError { try file.table(StatesReserved.self).create() },
        mappingError { try file.database.upgrade(StatesReserved.self, add: [], version: 1) },
      ] {
        #expect(error?.kind == .schema)
        #expect(error?.hint?.contains("xt_tableName") == true)
      }
      #expect(try file.modelTables() == [])
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
          "Box_Dictionary_String_Array_Int", "MappingTests_TableNameTests_A_Item",
          "MappingTests_TableNameTests_B_Item", "Outer_Int_Inner",
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
      #expect(try file.modelTables() == ["FreeLocal", "MappingTests_TableNameTests_Local"])
      #expect(TypeName.display(Local.self) == "XTLiteTests.MappingTests.TableNameTests.Local")
      #expect(
        TypeName.tableName(of: Box<Local?>.self) == "Box_Optional_MappingTests_TableNameTests_Local"
      )
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

private struct StatesReserved: XTModel {
  var value = ""
  static var xt_tableName: String { "SQLite_x" }
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
