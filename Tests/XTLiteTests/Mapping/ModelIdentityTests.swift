import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Which columns say which row a model is.
  @Suite struct IdentityTests {
    private func unique<Model: XTModel>(of _: Model.Type) throws -> [String] {
      try ModelMapping.of(Model.self).uniqueColumns.map(\.name)
    }

    @Test func identifiableID_isUniqueAndTheIdentity() throws {
      #expect(try unique(of: Country.self) == ["id"])
      let file = try TestDatabase()
      let table = file.table(Country.self)
      var country = Country(id: "CH", name: "Switzerland")
      try table.insert(&country)
      var same = Country(id: "CH", name: "Schweiz")
      #expect(mappingError { try table.insert(&same) }?.kind == .constraint(.unique))
      #expect(try table.upsert(&same) == .updated(pkids: [1]))
      #expect(try table.update(Country(id: "CH", name: "Suisse")) == 1)
      #expect(try table.delete(Country(id: "CH", name: "")))
      #expect(try table.count() == 0)
    }

    @Test func identifiableID_thatIsComputedOrTheObject_isNone() throws {
      #expect(try unique(of: ComputedID.self) == [])
      #expect(try unique(of: ObjectID.self) == [])
      let file = try TestDatabase()
      var model = ComputedID()
      model.name = "n"
      try file.table(ComputedID.self).insert(&model)
      #expect(mappingError { try file.table(ComputedID.self).update(model) }?.kind == .noIdentity)
    }

    @Test func identifiableID_besideOtherKeys_isAnOrdinaryColumn() throws {
      #expect(try unique(of: KeyedIdentifiable.self) == ["code"])
      #expect(try unique(of: OwnKeyIdentifiable.self) == [])
      #expect(try ModelMapping.of(OwnKeyIdentifiable.self).primaryKey.map(\.name) == ["code"])
    }

    @Test func identifiableUUID_isGivenByEachInit() throws {
      #expect(try unique(of: Ticket.self) == ["id"])
      let file = try TestDatabase()
      let table = file.table(Ticket.self)
      let tickets = [Ticket(), Ticket(), Ticket()]
      try table.insertList(tickets)
      try table.update(tickets[1])
      #expect(try Set(table.findAll().map(\.id)) == Set(tickets.map(\.id)))
      // No DEFAULT: one UUID would be every row's.
      #expect(try file.definition(of: "id", in: "Ticket") == "TEXT|0|NULL|0")
    }

    @Test func uniqueByKeyword_inAnySpelling_isFound() throws {
      #expect(try unique(of: Spelled.self) == ["a", "b", "c", "d"])
    }

    @Test func ownIntegerKey_takesThePlaceOfPkid() throws {
      let mapping = try ModelMapping.of(Local.self)
      #expect(mapping.rowIDName == "localID")
      #expect(mapping.automatic(.pkid) == nil)
      let file = try TestDatabase()
      let table = file.table(Local.self)
      var model = Local()
      #expect(try table.insert(&model) == 1)
      #expect(model.localID == 1)
      #expect(try table.find(pkid: 1)?.localID == 1)
      #expect(try file.definition(of: "localID", in: "Local")?.hasSuffix("|1") == true)
      #expect(try !file.columns(of: "Local").contains("pkid"))
      #expect(mappingError { try file.table(LocalWithPkid.self).count() }?.kind == .schema)
    }

    @Test func ownIntegerKey_ofAClass_isItsPkid() throws {
      let file = try TestDatabase()
      let table = file.table(LocalObject.self)
      let object = LocalObject()
      #expect(object.pkid == nil)
      try table.insert(object)
      #expect(object.localID == 1)
      #expect(object.pkid == 1)
      let read = try #require(try table.findFirst())
      #expect(read.localID == 1)
      #expect(read.pkid == 1)
      #expect(read.xt_createTime != nil)
      read.pkid = 5
      #expect(read.localID == 5)
      read.pkid = nil
      #expect(read.localID == 0)
      #expect(read.pkid == nil)
      #expect(try table.insert(read) == 2)
    }

    @Test func keyThatCannotBeStored_isTheLibrarysError_inEveryVerb() throws {
      let file = try TestDatabase()
      let table = file.table(Measured.self)
      var good = Measured()
      try table.insert(&good)
      var bad = Measured()
      bad.reading = .nan
      let verbs: [() throws -> Void] = [
        { try table.insert(&bad) }, { try table.insertOrIgnore(&bad) },
        { try table.insertOrReplace(&bad) }, { try table.update(bad) }, { try table.save(&bad) },
        { try table.upsert(&bad) }, { try table.upsert(&bad, by: \.reading) },
        { try table.update(bad, by: \.reading) }, { try table.update(bad, only: \.reading) },
        { try table.delete(bad) }, { try table.softDelete(bad) }, { try table.updateList([bad]) },
        { try table.upsertList([bad], by: \.reading) },
      ]
      for (index, verb) in verbs.enumerated() {
        let error = mappingError { try verb() }
        #expect(error?.kind == .valueOutOfRange, "\(index)")
        #expect(error?.table == "Measured", "\(index)")
        #expect(error?.column == "reading", "\(index)")
      }
      let large = file.table(LargeKey.self)
      var model = LargeKey()
      model.pkid = .max
      for error in [
        mappingError { try large.insert(&model) }, mappingError { try large.update(model) },
        mappingError { try large.delete(model) }, mappingError { try large.save(&model) },
      ] {
        #expect(error?.kind == .valueOutOfRange)
        #expect(error?.column == "pkid")
      }
      #expect(try table.findAll().map(\.reading) == [0])
    }

    @Test func compositeKey_keepsItsOrder() throws {
      let mapping = try ModelMapping.of(Composite.self)
      #expect(mapping.primaryKey.map(\.name) == ["second", "first"])
      #expect(mapping.rowIDColumn == nil)
      let file = try TestDatabase()
      let table = file.table(Composite.self)
      var model = Composite(first: 1, second: "a", value: 1)
      try table.insert(&model)
      #expect(try table.update(Composite(first: 1, second: "a", value: 2)) == 1)
      #expect(try table.findFirst()?.value == 2)
      #expect(mappingError { try table.insert(&model) }?.kind == .constraint(.unique))
    }
  }
}

private struct Country: XTModel, Identifiable {
  var id = ""
  var name = ""
  init() {}
  init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

private struct ComputedID: XTModel, Identifiable {
  var name = ""
  var id: String { name }
}

private final class ObjectID: XTModel, Identifiable {
  var name = ""
}

private struct KeyedIdentifiable: XTModel, Identifiable {
  var id = 0
  var code = ""
  static var xt_keywords: XTKeywordMap { [\KeyedIdentifiable.code: .unique] }
}

private struct OwnKeyIdentifiable: XTModel, Identifiable {
  var id = 0
  var code = ""
  static var xt_primaryKey: XTKeyPaths { [\OwnKeyIdentifiable.code] }
}

private struct Ticket: XTModel, Identifiable {
  var id = UUID()
  var text = ""
  static var xt_tableName: String { "Ticket" }
}

private struct Spelled: XTModel {
  var a = 0
  var b = 0
  var c = 0
  var d = 0
  var e = 0
  var f = 0
  static var xt_keywords: XTKeywordMap {
    [
      \Spelled.a: .unique, \Spelled.b: "collate nocase unique on conflict fail",
      \Spelled.c: [.notNull, .unique], \Spelled.d: "/* c */UNIQUE", \Spelled.e: "DEFAULT 'UNIQUE'",
      \Spelled.f: .notNull,
    ]
  }
}

private struct Local: XTModel {
  var name = ""
  var localID = 0
  static var xt_tableName: String { "Local" }
  static var xt_primaryKey: XTKeyPaths { [\Local.localID] }
}

private struct LocalWithPkid: XTModel {
  var pkid: Int64?
  var localID = 0
  static var xt_primaryKey: XTKeyPaths { [\LocalWithPkid.localID] }
}

private final class LocalObject: XTModel {
  var localID = 0
  var name = ""
  static var xt_primaryKey: XTKeyPaths { [\LocalObject.localID] }
}

private struct Measured: XTModel {
  var reading = 0.0
  static var xt_tableName: String { "Measured" }
  static var xt_keywords: XTKeywordMap { [\Measured.reading: .unique] }
}

private struct LargeKey: XTModel {
  var pkid: UInt64?
  var name = ""
}

private struct Composite: XTModel {
  var first = 0
  var second = ""
  var value = 0
  init() {}
  init(first: Int, second: String, value: Int) {
    self.first = first
    self.second = second
    self.value = value
  }
  static var xt_primaryKey: XTKeyPaths { [\Composite.second, \Composite.first] }
}
