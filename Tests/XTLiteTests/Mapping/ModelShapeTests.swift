import Foundation
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
        try columns(of: EveryKind.self) == [
          "pkid", "plain", "fixed", "secret", "observed", "optional",
        ])
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
