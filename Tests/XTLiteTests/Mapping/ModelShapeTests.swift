import Foundation
import Observation
import Testing

@testable import XTLite

extension MappingTests {
  /// Which properties of a type are columns, however they are declared.
  @Suite struct ModelShapeTests {
    private func columns<Model: XTModel>(of _: Model.Type) throws -> [String] {
      try ModelMapping.of(Model.self).columns.map(\.name)
    }

    @Test func struct_withEveryKindOfProperty_hasItsStoredOnesAsColumns() throws {
      #expect(
        try columns(of: EveryKind.self) == ["pkid", "plain", "fixed", "secret", "observed", "optional"])
      let file = try TestDatabase()
      let table = file.table(EveryKind.self)
      var model = EveryKind(fixed: "changed", secret: 7)
      model.observed = "seen"
      #expect(model.seen == 1)
      #expect(model.later == 3)
      model.later = 4
      try table.insert(&model)
      let read = try #require(try table.findFirst())
      #expect(read.fixed == "changed")
      #expect(read.secretForTest == 7)
      #expect(read.observed == "seen")
      // Reading goes to memory: no observer runs, and what is no column is what init() gives.
      #expect(read.seen == 0)
      var copy = read
      #expect(copy.later == 3)
    }

    @Test func finalClass_withEveryKindOfProperty_hasItsStoredOnesAsColumns() throws {
      #expect(
        try columns(of: FinalKind.self) == ["name", "secret", "observed", "identifier"])
      let file = try TestDatabase()
      let table = file.table(FinalKind.self)
      let owner = FinalKind.Owner()
      let object = FinalKind()
      object.owner = owner
      object.keeper = owner
      object.name = "n"
      object.observed = "o"
      #expect(object.later == 3)
      try table.insert(object)
      #expect(object.pkid == 1)
      let read = try #require(try table.findFirst())
      #expect(read.name == "n")
      #expect(read.observed == "o")
      #expect(read.seen == 0)
      #expect(read.identifier == object.identifier)
      #expect(read.owner == nil)
      #expect(read.pkid == 1)
    }

    @Test func subclasses_inheritColumns_andHaveTablesOfTheirOwn() throws {
      #expect(try columns(of: Vehicle.self) == ["plate", "wheels", "secret"])
      #expect(try columns(of: Truck.self) == ["plate", "wheels", "secret", "load", "cargo"])
      #expect(try columns(of: Trailer.self) == ["plate", "wheels", "secret", "load", "cargo"])
      let file = try TestDatabase()
      let truck = Truck()
      truck.plate = "T"
      truck.load = 3.5
      truck.cargo = ["a"]
      let vehicle: Vehicle = truck
      try file.asCurrent {
        // An object goes to the table of its own class, whatever the variable's type is.
        try vehicle.xt_insert()
        try Vehicle.xt_insertList([Vehicle(), Trailer()] as [Vehicle])
        #expect(try Vehicle.xt_count() == 1)
        #expect(try Truck.xt_count() == 1)
        #expect(try Trailer.xt_count() == 1)
        let read = try #require(try Truck.xt_findFirst())
        #expect(read.plate == "T")
        #expect(read.load == 3.5)
        #expect(read.cargo == ["a"])
        #expect(try Truck.xt_countWhere(\.plate == "T" && \.load > 3) == 1)
      }
      #expect(try file.modelTables() == ["Trailer", "Truck", "Vehicle"])
    }

    @Test func superclassThatIsNoModel_givesItsColumns() throws {
      #expect(try columns(of: Derived.self) == ["inherited", "fixed", "own"])
      let file = try TestDatabase()
      let object = Derived()
      object.inherited = 9
      try file.table(Derived.self).insert(object)
      #expect(try file.table(Derived.self).findFirst()?.inherited == 9)
      #expect(try file.table(Derived.self).count(where: \.inherited == 9) == 1)
    }

    @Test func genericClass_hasTheColumnsOfItsArguments() throws {
      let file = try TestDatabase()
      let number = Pair<Int, String?>()
      number.first = 5
      try file.table(Pair<Int, String?>.self).insert(number)
      let read = try #require(try file.table(Pair<Int, String?>.self).findFirst())
      #expect(read.first == 5)
      #expect(read.second == nil)
      #expect(try file.table(Pair<Int, String?>.self).count(where: \.first == 5) == 1)
      #expect(try file.tables().contains("Pair_Int_Optional_String"))
    }

    @Test func classLet_thatIsAConstant_isWrittenAndCompared() throws {
      let file = try TestDatabase()
      let table = file.table(Constants.self)
      try table.insert(Constants())
      #expect(
        try file.seen("SELECT `version`, `note`, `none`, quote(`made`) FROM `Constants`")
          == ["7|fixed|NULL|86400.0"])
      let read = try #require(try table.findFirst())
      #expect(read.version == 7)
      #expect(read.number == 1)
      for change in [
        "`version` = 8", "`note` = 'other'", "`note` = NULL", "`none` = 1", "`made` = 5",
        "`version` = 'text'",
      ] {
        let table = file.table(Constants.self, named: "changed")
        try file.outside(
          "DROP TABLE IF EXISTS `changed`; CREATE TABLE `changed` AS SELECT * FROM `Constants`;"
            + "UPDATE `changed` SET \(change)")
        let error = mappingError { try table.findAll() }
        #expect(error?.kind == .decoding, "\(change)")
        #expect(error?.column.map(change.contains) == true)
        #expect(error?.hint?.contains("var") == true)
      }
      // The same number in another storage class is the same.
      try file.outside(
        "CREATE TABLE `loose` (`pkid` INTEGER PRIMARY KEY, `version`, `note`, `none`, `made`, `number`);"
          + "INSERT INTO `loose` VALUES (1, 7.0, 'fixed', NULL, '1970-01-02', 4)")
      #expect(try file.table(Constants.self, named: "loose").findFirst()?.number == 4)
    }

    @Test func classLet_thatDiffersEachTime_isReadBack() throws {
      let file = try TestDatabase()
      let object = FinalKind()
      try file.table(FinalKind.self).insert(object)
      #expect(try file.table(FinalKind.self).find(pkid: 1)?.identifier == object.identifier)
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
        try columns(of: Wrapped.self) == ["pkid", "trimmed", "clamped", "counted", "own", "maybe", "_plain"])
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
        try file.seen("SELECT `trimmed`, `clamped`, `counted`, `own`, `maybe`, `_plain` FROM `Wrapped`")
          == [#"text|{"limit":10,"number":10}|6|9|x|1"#])
      #expect(try table.count(where: \.trimmed == "text" && \.counted == 6 && \.maybe == "x") == 1)
      try table.updateAll(.set(\.maybe, to: nil))
      #expect(try table.findFirst()?.maybe == nil)
    }

    // MARK: XTMeta

    @Test func meta_carriesTheFourAutomaticColumns() throws {
      #expect(
        try columns(of: Note.self) == ["pkid", "xt_createTime", "xt_updateTime", "xt_isDel", "text"])
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
        try file.seen("SELECT group_concat(`name`) FROM pragma_table_info('Note')")
          == ["pkid,text,xt_createTime,xt_updateTime,xt_isDel"]
          || file.seen("SELECT count(*) FROM pragma_table_info('Note')") == ["5"])
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
        try file.seen("SELECT count(*) FROM pragma_table_info('Declared')") == ["5"])
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
      #expect(try ModelMapping.of(Resembling.self).columns.dropFirst().allSatisfy { $0.role == .property })
      #expect(try table.count(where: \.parent_pkid == 5 && \.lastcreateTimeText == "yesterday") == 1)
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
      #expect(mappingError { try file.table(RenamedPkid.self).count() }?.message.contains("id") == true)
    }

    // MARK: Ignored

    @Test func ignoredProperties_areFreshInEveryRow() throws {
      let file = try TestDatabase()
      let table = file.table(Fresh.self)
      try table.insertList([Fresh(), Fresh(), Fresh()])
      for read in [try table.findAll(), try table.find(where: "1"), try table.find(pkids: [1, 2, 3])] {
        #expect(Set(read.map(\.token)).count == 3)
        #expect(Set(read.map { ObjectIdentifier($0.reference) }).count == 3)
        #expect(read.allSatisfy { $0.selected && $0.label == "label" })
      }
      #expect(
        try file.seen("SELECT count(*) FROM pragma_table_info('Fresh') WHERE `name` NOT LIKE 'xt%'") == ["2"])
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

private struct EveryKind: XTModel {
  var pkid: Int64?
  var plain = 1
  let fixed: String
  private var secret: Int
  var observed = "" {
    didSet { seen += 1 }
  }
  var seen = 0
  var optional: Int?
  lazy var later = 3
  var computed: String { plain.description }
  static let shared = 5
  nonisolated(unsafe) static var count = 0

  var secretForTest: Int { secret }

  init() { self.init(fixed: "", secret: 0) }
  init(fixed: String, secret: Int) {
    self.fixed = fixed
    self.secret = secret
  }

  static var xt_ignored: XTKeyPaths { [\EveryKind.seen] }
}

private final class FinalKind: XTModel {
  final class Owner {}

  var name = ""
  private var secret = 1
  var observed = "" {
    willSet { seen += 1 }
  }
  var seen = 0
  let identifier = UUID()
  lazy var later = 3
  weak var owner: Owner?
  unowned(unsafe) var keeper: Owner = FinalKind.nobody
  unowned var other: Owner = FinalKind.nobody
  var computed: Int { 5 }
  private static let nobody: Owner = Owner()

  static var xt_ignored: XTKeyPaths { [\FinalKind.seen] }
}

extension FinalKind.Owner: @unchecked Sendable {}

private class Vehicle: XTModel {
  var plate = ""
  var wheels = 4
  private var secret: Int? = 5
  required init() {}
}

private class Truck: Vehicle {
  var load = 0.0
  var cargo: [String]?
}

private final class Trailer: Truck {}

private class PlainBase {
  var inherited = 1
  let fixed = "f"
  init() {}
}

private final class Derived: PlainBase, XTModel {
  var own = ""
  override init() {}
}

private class Pair<First: Defaulted, Second: Defaulted>: XTModel {
  var first = First()
  var second = Second()
  required init() {}
}

private final class Constants: XTModel {
  let version = 7
  let note: String? = "fixed"
  let none: Int? = nil
  let made = Date(timeIntervalSince1970: 86_400)
  var number = 1

  static var xt_tableName: String { "Constants" }
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
