import Foundation
import Observation
import Testing

@testable import XTLite

extension MappingTests {
  /// Stored properties that are more than they say: observed, wrapped, automatic, ignored.
  @Suite struct StoredPropertyTests {
    private func columns<Model: XTModel>(of _: Model.Type) throws -> [String] {
      try ModelMapping.of(Model.self).columns.map(\.name)
    }

    // MARK: Observation

    @Test func observableClass_hasItsPublicNames() throws {
      #expect(try columns(of: Settings.self) == ["name", "count", "address", "hidden"])
      let file = try TestDatabase()
      let table = file.table(Settings.self)
      let settings = Settings()
      settings.name = "n"
      settings.count = 3
      settings.address = .init(city: "c")
      settings.cache = ["not kept"]
      try table.insert(settings)
      settings.count += 1
      try table.update(settings)
      let read = try #require(try table.findFirst(where: \.name == "n" && \.count == 4))
      #expect(read.address?.city == "c")
      #expect(read.cache == [])
      #expect(try table.max(of: \.count) == 4)
      try table.updateAll(.set(\.address, to: nil))
      #expect(try table.findFirst()?.address == nil)
      #expect(try file.seen("SELECT `name`, `count`, `address` FROM `Settings`") == ["n|4|NULL"])
    }

    // MARK: Property wrappers

    @Test func wrappers_areColumnsByTheirPublicNames() throws {
      #expect(
        try columns(of: Wrapped.self) == [
          "pkid", "trimmed", "clamped", "counted", "own", "maybe", "_plain",
        ])
      let file = try TestDatabase()
      let table = file.table(Wrapped.self)
      var model = Wrapped()
      model.trimmed = "  text "
      model.clamped = 50
      model.counted = 6
      model.own = 9
      model.maybe = "x"
      try table.insert(&model)
      let read = try #require(try table.findFirst())
      #expect(read.trimmed == "text")
      #expect(read.clamped == 10)
      #expect(read.counted == 6)
      #expect(read.own == 9)
      #expect(read.maybe == "x")
      #expect(
        try file.seen(
          "SELECT `trimmed`, `clamped`, `counted`, `own`, `maybe`, `_plain` FROM `Wrapped`")
          == [#"text|{"limit":10,"number":10}|6|9|x|1"#])
      #expect(try table.count(where: \.trimmed == "text" && \.counted == 6 && \.maybe == "x") == 1)
      try table.updateAll(.set(\.maybe, to: nil))
      #expect(try table.findFirst()?.maybe == nil)
    }

    // MARK: XTMeta

    @Test func meta_carriesTheFourAutomaticColumns() throws {
      #expect(
        try columns(of: Note.self) == [
          "pkid", "xt_createTime", "xt_updateTime", "xt_isDel", "text",
        ])
      let file = try TestDatabase { $0.clock = { Date(timeIntervalSince1970: 1_000) } }
      let table = file.table(Note.self)
      var note = Note()
      note.text = "t"
      try table.insert(&note)
      #expect(note.meta.pkid == 1)
      #expect(note.meta.createTime == Date(timeIntervalSince1970: 1_000))
      #expect(note.meta.updateTime == Date(timeIntervalSince1970: 1_000))
      #expect(try table.findFirst()?.meta == note.meta)
      #expect(try table.count(where: \.meta.pkid == 1) == 1)
      #expect(try table.count(where: \.meta.createTime < Date()) == 1)
      #expect(try table.softDelete(note))
      #expect(try table.find(pkid: 1, scope: .all)?.meta.isDel == true)
      #expect(
        try file.columns(of: "Note").sorted()
          == ["pkid", "text", "xt_createTime", "xt_isDel", "xt_updateTime"])
    }

    @Test func meta_inAClass_isFoundByKeyPath() throws {
      let file = try TestDatabase()
      let table = file.table(OpenNote.self)
      let note = OpenNote()
      try table.insert(note)
      #expect(note.meta.pkid == 1)
      #expect(note.pkid == 1)
      #expect(try table.count(where: \.meta.pkid == 1) == 1)
      #expect(try table.count(where: \.pkid == 1) == 1)
      let other = FinalNote()
      try file.table(FinalNote.self).insert(other)
      #expect(try file.table(FinalNote.self).count(where: \.meta.pkid == 1) == 1)
      #expect(mappingError { try table.find(where: \.meta == XTMeta()) }?.kind == .unknownColumn)
    }

    // MARK: Automatic columns that are declared

    @Test func declaredAutomaticColumns_areThose() throws {
      let file = try TestDatabase { $0.clock = { Date(timeIntervalSince1970: 1_000) } }
      let table = file.table(Declared.self)
      var model = Declared()
      try table.insert(&model)
      #expect(model.pkid == 1)
      #expect(model.xt_createTime == Date(timeIntervalSince1970: 1_000))
      #expect(model.xt_updateTime == 1_000)
      #expect(try table.findFirst()?.xt_updateTime == 1_000)
      #expect(
        try file.columns(of: "Declared").sorted()
          == ["pkid", "text", "xt_createTime", "xt_isDel", "xt_updateTime"])
    }

    @Test func namesThatOnlyResembleAutomaticOnes_areOrdinaryColumns() throws {
      let file = try TestDatabase()
      let table = file.table(Resembling.self)
      var model = Resembling()
      model.parent_pkid = 5
      model.lastcreateTimeText = "yesterday"
      model.xt_createTimeZone = "UTC"
      model.PKID_old = "x"
      try table.insert(&model)
      #expect(model.pkid == 1)
      let read = try #require(try table.findFirst())
      #expect(read.parent_pkid == 5)
      #expect(read.lastcreateTimeText == "yesterday")
      #expect(read.xt_createTimeZone == "UTC")
      #expect(
        try ModelMapping.of(Resembling.self).columns.dropFirst().allSatisfy { $0.role == .property }
      )
      #expect(
        try table.count(where: \.parent_pkid == 5 && \.lastcreateTimeText == "yesterday") == 1)
    }

    @Test func automaticColumn_ofAnotherType_isRefused() throws {
      let file = try TestDatabase()
      for error in [
        mappingError { try file.table(TextPkid.self).count() },
        mappingError { try file.table(TextTime.self).count() },
        mappingError { try file.table(NumberFlag.self).count() },
      ] {
        #expect(error?.kind == .schema)
        #expect(error?.message.contains("automatic column") == true)
        #expect(error?.hint?.contains("another name") == true)
      }
      #expect(mappingError { try file.table(TwicePkid.self).count() }?.kind == .schema)
      #expect(
        mappingError { try file.table(RenamedPkid.self).count() }?.message.contains("id") == true)
    }

    // MARK: Ignored

    @Test func ignoredProperties_areFreshInEveryRow() throws {
      let file = try TestDatabase()
      let table = file.table(Fresh.self)
      try table.insertList([Fresh(), Fresh(), Fresh()])
      for read in [
        try table.findAll(), try table.find(where: "1"), try table.find(pkids: [1, 2, 3]),
      ] {
        #expect(Set(read.map(\.token)).count == 3)
        #expect(Set(read.map { ObjectIdentifier($0.reference) }).count == 3)
        #expect(read.allSatisfy { $0.selected && $0.label == "label" })
      }
      #expect(try file.columns(of: "Fresh").filter { !$0.hasPrefix("xt_") } == ["pkid", "name"])
      // Each way to name one says that it is no column.
      for error in [
        mappingError { try table.find(where: \.selected == true) },
        mappingError { try table.findAll(orderBy: .asc(\.token)) },
        mappingError { try table.updateAll(.set(\.label, to: "x")) },
        mappingError { try table.max(of: \.token) },
        mappingError { try table.select(\.label) },
        mappingError { try table.findAll(only: \.selected) },
      ] {
        #expect(error?.kind == .unknownColumn)
      }
    }
  }
}

@Observable private final class Settings: XTModel {
  struct Address: Codable { var city = "" }

  var name = ""
  var count = 0
  var address: Address?
  @ObservationIgnored var hidden = 1
  var cache: [String] = []

  static var xt_ignored: XTKeyPaths { [\Settings.cache] }
}

@propertyWrapper private struct Trimmed {
  private var text = ""
  init(wrappedValue: String) { self.wrappedValue = wrappedValue }
  var wrappedValue: String {
    get { text }
    set { text = newValue.trimmingCharacters(in: .whitespaces) }
  }
}

@propertyWrapper private struct Clamped: Codable {
  private var number = 0
  private var limit = 10
  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
  var wrappedValue: Int {
    get { number }
    set { number = min(newValue, limit) }
  }
}

@propertyWrapper private struct Counted<Value: Defaulted> {
  var wrappedValue: Value
}

@propertyWrapper private struct OwnWrapper: XTColumnValue {
  var wrappedValue: Int64
  var other = ""
  init(wrappedValue: Int64) { self.wrappedValue = wrappedValue }
  static var xt_storageClass: XTStorageClass { .integer }
  var xt_columnValue: XTValue { .integer(wrappedValue) }
  init(xt_columnValue value: XTValue) throws { wrappedValue = value.int64 ?? 0 }
}

private struct Wrapped: XTModel {
  var pkid: Int64?
  @Trimmed var trimmed = ""
  @Clamped var clamped = 0
  @Counted var counted = 5
  @OwnWrapper var own = 1
  @Counted var maybe: String?
  // A name of one's own that only looks like a wrapper's.
  var _plain = 1

  static var xt_tableName: String { "Wrapped" }
}

private struct Note: XTModel {
  var meta = XTMeta()
  var text = ""
}

private class OpenNote: XTModel {
  var text = ""
  var meta = XTMeta()
  required init() {}
}

private final class FinalNote: XTModel {
  var text = ""
  var meta = XTMeta()
}

private struct Declared: XTModel {
  var xt_isDel = false
  var xt_updateTime: Double?
  var text = ""
  var xt_createTime: Date?
  var pkid = 0
}

private struct Resembling: XTModel {
  var pkid: Int64?
  var parent_pkid: Int64?
  var lastcreateTimeText = ""
  var createTime = Date(timeIntervalSince1970: 0)
  var xt_createTimeZone = ""
  var isDel: String?
  var PKID_old = ""
}

private struct TextPkid: XTModel { var pkid = "" }
private struct TextTime: XTModel { var xt_createTime = "" }
private struct NumberFlag: XTModel { var xt_isDel = 0 }
private struct TwicePkid: XTModel {
  var pkid: Int64?
  var meta = XTMeta()
}
private struct RenamedPkid: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_columnNames: XTNameMap { [\RenamedPkid.pkid: "id"] }
}

private final class Reference {}

private struct Fresh: XTModel {
  var pkid: Int64?
  var name = ""
  var token = UUID()
  var reference = Reference()
  var selected = true
  var label = "label"

  static var xt_ignored: XTKeyPaths {
    [\Fresh.token, \Fresh.reference, \Fresh.selected] + [\Fresh.label]
  }
}
