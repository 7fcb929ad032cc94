import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Rows are made in raw memory: whatever the layout of a type is, its neighbours stay whole.
  @Suite struct LayoutTests {
    @Test func typesThatTakeNoRoom_areColumns() throws {
      let file = try TestDatabase()
      #expect(try file.roundTrip([Only.one, .one]) == [.one, .one])
      #expect(try file.stored(Only.self) == ["text|'one'", "text|'one'"])
      #expect(try file.roundTrip([Only?.some(.one), nil]) == [.one, nil])
      #expect(try file.roundTrip([Unit(), Unit()]) == [Unit(), Unit()])
      #expect(try file.stored(Unit.self) == ["text|'{}'", "text|'{}'"])
      let table = file.table(One<Only>.self)
      #expect(try table.count(where: \.value == .one) == 2)
      #expect(try table.select(\.value).map(\.rawValue) == ["one", "one"])
      #expect(try table.max(of: \.value) == .one)
      #expect(mappingError { try file.read("'two'", as: Only.self) }?.kind == .decoding)
    }

    @Test func model_thatTakesNoRoom_isStored() throws {
      #expect(MemoryLayout<NoRoom>.size == 0)
      let file = try TestDatabase()
      let table = file.table(NoRoom.self)
      try table.insertList([NoRoom(), NoRoom()])
      #expect(try table.findAll().count == 2)
      #expect(try table.findFirst() != nil)
      #expect(try table.find(pkid: 2) != nil)
      #expect(try file.seen("SELECT `only`, `unit` FROM `NoRoom`") == ["one|{}", "one|{}"])
      try file.outside("UPDATE `NoRoom` SET `only` = 'two' WHERE `pkid` = 2")
      #expect(mappingError { try table.findAll() }?.column == "only")
    }

    @Test func fieldsOfEveryAlignment_keepTheirNeighbours() throws {
      let file = try TestDatabase()
      let table = file.table(Packed.self)
      var packed = Packed()
      packed.a = true
      packed.b = -1
      packed.c = 255
      packed.d = .some(true)
      packed.e = .max
      packed.f = .two
      packed.g = "sixteen bytes long"
      packed.h = .some(.one)
      packed.i = 0.5
      packed.j = [1, 2]
      packed.k = .some(nil ?? 7)
      packed.l = SIMD4(1, 2, 3, 4)
      packed.m = false
      try table.insertList([packed, Packed(), packed])
      #expect(
        try table.findAll(orderBy: .asc(\.pkid)).map(\.withoutPkid) == [packed, Packed(), packed])
      #expect(try table.find(pkid: 3)?.withoutPkid == packed)
    }

    @Test func structWithWeakReferences_isMadeByInit() throws {
      #expect(try !ModelMapping.of(HasWeak.self).coversMemory)
      let file = try TestDatabase()
      let table = file.table(HasWeak.self)
      let owner = HasWeak.Owner()
      var model = HasWeak()
      model.owner = owner
      model.name = "n"
      try table.insert(&model)
      #expect(model.owner === owner)
      let read = try table.findAll()
      #expect(read.map(\.name) == ["n"])
      #expect(read[0].owner == nil)
    }

    @Test func largeModel_ofManyColumns_comesBack() throws {
      let file = try TestDatabase()
      let table = file.table(Wide.self)
      var wide = Wide()
      wide.first.values = (0..<100).map { "\($0)" }
      wide.z9 = "last"
      try table.insert(&wide)
      let read = try #require(try table.findFirst(where: \.z9 == "last"))
      #expect(read.first.values == wide.first.values)
      #expect(read.z0 == 0)
    }

    @Test func optionalsInTheBitsOfTheirTypes_areNil() throws {
      // Types whose nil is a value that they do not use themselves.
      let file = try TestDatabase()
      #expect(try file.roundTrip([Choice?.some(.one), .some(.two), nil]) == [.one, .two, nil])
      #expect(try file.roundTrip([Bool?.some(false), nil, true]) == [false, nil, true])
      #expect(try file.roundTrip([[Choice?.some(.two), nil]]) == [[.two, nil]])
      #expect(try file.roundTrip([[Int]?.none, []]) == [nil, []])
      #expect(try file.roundTrip([URL?.none, URL(string: "x:")]) == [nil, URL(string: "x:")])
      #expect(try file.roundTrip([XTJSON?.none, .some(nil), "x"]) == [nil, .some(nil), "x"])
    }
  }
}

private enum Only: String, Codable, Equatable, Defaulted {
  case one
  init() { self = .one }
}

private enum Choice: Int, Codable, Defaulted {
  case one, two
  init() { self = .one }
}

private struct Unit: Codable, Equatable, Defaulted {}

private struct NoRoom: XTModel {
  var only = Only.one
  var unit = Unit()
  static var xt_tableName: String { "NoRoom" }
}

private struct Packed: XTModel, Equatable {
  var a = false
  var b: Int8 = 0
  var pkid: Int64?
  var c: UInt8?
  var d: Bool?
  var e: Int16 = 0
  var f = Choice.one
  var g = ""
  var h: Choice?
  var i: Float?
  var j: [Int] = []
  var k: Int32?
  var l = SIMD4<Double>(0, 0, 0, 0)
  var m = true

  var withoutPkid: Packed {
    var packed = self
    packed.pkid = nil
    return packed
  }
}

private struct HasWeak: XTModel {
  final class Owner {}

  var pkid: Int64?
  weak var owner: Owner?
  var name = ""
}

private struct Wide: XTModel {
  struct Part: Codable {
    var values: [String] = []
    var table: [String: Int] = [:]
  }

  var pkid: Int64?
  var first = Part()
  var a0 = "", a1 = "", a2 = "", a3 = "", a4 = "", a5 = "", a6 = "", a7 = "", a8 = "", a9 = ""
  var b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0, b7 = 0, b8 = 0, b9 = 0
  var c0: Int?, c1: Int?, c2: Int?, c3: Int?, c4: Int?, c5: Int?, c6: Int?, c7: Int?, c8: Int?
  var d0 = Data(), d1 = Data(), d2 = Data(), d3 = Data(), d4 = Data(), d5 = Data(), d6 = Data()
  var e0: String?, e1: String?, e2: String?, e3: String?, e4: String?, e5: String?, e6: String?
  var z0 = 0, z1 = 0.0, z2 = false, z3 = Data(), z4: Date?, z5: UUID?, z6: URL?, z7 = Decimal()
  var z8: [Int]?, z9 = ""
}
