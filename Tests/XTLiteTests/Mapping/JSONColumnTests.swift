import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Codable values and containers, kept as JSON text.
  @Suite struct JSONColumnTests {
    @Test func codableStruct_isJSONWithSortedKeys() throws {
      let file = try TestDatabase()
      let value = Address(
        street: "a/b \"c\"", zip: nil, when: Date(timeIntervalSince1970: 1.5), key: Data([0, 255]),
        price: 0.1, link: URL(string: "http://h/p"))
      #expect(try file.roundTrip([value, Address()]) == [value, Address()])
      #expect(
        try file.seen("SELECT `value` FROM `One_Address` WHERE `pkid` = 1") == [
          #"{"key":"AP8=","link":"http://h/p","price":0.1,"street":"a/b \"c\"","when":1.5}"#
        ])
      #expect(try file.roundTrip([value, nil] as [Address?]) == [value, nil])
      #expect(try file.definition(in: "One_Address")?.hasPrefix("TEXT|1|") == true)
    }

    @Test func containers_ofEveryKind_comeBack() throws {
      let file = try TestDatabase()
      func check<Value: Defaulted & Equatable>(
        _ value: Value, _ json: String, _ location: SourceLocation = #_sourceLocation
      ) throws {
        #expect(try file.roundTrip([value]) == [value], sourceLocation: location)
        let stored = try file.seen("SELECT `value` FROM `\(try file.table(One<Value>.self).name)`")
        #expect(stored == [json], sourceLocation: location)
        #expect(
          try file.roundTrip([value, nil] as [Value?]) == [value, nil], sourceLocation: location)
      }
      try check([3, 1, 2], "[3,1,2]")
      try check([1, nil, 3] as [Int?], "[1,null,3]")
      try check([[1], [], [2, 3]], "[[1],[],[2,3]]")
      try check(["b": [2], "a": []], #"{"a":[],"b":[2]}"#)
      try check(["x": nil, "y": 1] as [String: Int?], #"{"x":null,"y":1}"#)
      try check([10: "ten", 9: "nine"], #"{"10":"ten","9":"nine"}"#)
      try check([true, false], "[true,false]")
      try check([Data([1]), Data()], #"["AQ==",""]"#)
      try check([UInt64.max, 0], "[18446744073709551615,0]")
      try check([Int64.min, .max], "[-9223372036854775808,9223372036854775807]")
      try check([Float(0.1)], "[0.1]")
      try check(
        [Decimal(string: "123456789012345678901234567890.5")!], "[123456789012345678901234567890.5]"
      )
      try check([UUID?.none], "[null]")
      try check([Set([3]), Set()], "[[3],[]]")
    }

    @Test func setsAndDictionaries_areOrderedByTheirText() throws {
      let file = try TestDatabase()
      let numbers = Set(1...200)
      // The same elements, put in otherwise, with another capacity.
      var others = Set<Int>(minimumCapacity: 5_000)
      for number in (1...200).reversed() { others.insert(number) }
      try file.roundTrip([numbers, others])
      let stored = try file.stored(Set<Int>.self)
      #expect(stored[0] == stored[1])
      let texts = (1...200).map(String.init).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(stored[0] == "text|'[\(texts.joined(separator: ","))]'")
      try file.roundTrip([Set([Corner.north, .south, .east])])
      #expect(try file.stored(Set<Corner>.self) == [#"text|'["east","north","south"]'"#])
      try file.roundTrip([Set(["b", "a", "\u{301}x", "é"])])
      #expect(
        try file.table(One<Set<String>>.self).findAll().map(\.value) == [
          ["a", "b", "\u{301}x", "é"]
        ])
      // Keys that are no texts stand before their values.
      let ranks: [Corner: Int] = [.south: 2, .east: 1, .north: 0]
      #expect(try file.roundTrip([ranks]) == [ranks])
      #expect(try file.stored([Corner: Int].self) == [#"text|'["east",1,"north",0,"south",2]'"#])
      try file.roundTrip([Set([Address(street: "b"), Address(street: "a")])])
      let first = try file.stored(Set<Address>.self)
      #expect(first[0].range(of: "\"a\"")!.lowerBound < first[0].range(of: "\"b\"")!.lowerBound)
    }

    @Test func equalSets_areFoundAndUnique() throws {
      let file = try TestDatabase()
      try file.roundTrip([Set(1...50)])
      let table = file.table(One<Set<Int>>.self)
      #expect(try table.count(where: \.value == Set((1...50).reversed())) == 1)
      #expect(try table.count(where: \.value == Set(1...49)) == 0)
    }

    @Test func infinities_inJSON_areTexts() throws {
      let file = try TestDatabase()
      let values = [Double.infinity, -.infinity, 1.5]
      #expect(try file.roundTrip([values]) == [values])
      #expect(try file.stored([Double].self) == [#"text|'["inf","-inf",1.5]'"#])
      #expect(try file.roundTrip([["a": Float.infinity]]) == [["a": .infinity]])
      #expect(try file.roundTrip([["inf", "-inf", "nan"]]) == [["inf", "-inf", "nan"]])
      #expect(try file.roundTrip([XTJSON.number(.infinity)]) == ["inf"])
    }

    @Test func xtjson_keepsEveryKind() throws {
      let file = try TestDatabase()
      let json: XTJSON = [
        "null": nil, "yes": true, "no": false, "zero": 0, "one": 1.0, "half": 0.5,
        "least": .integer(.min), "most": .integer(.max), "text": "a/b\"\0", "list": [1, [], [:]],
        "object": ["a": ["b": "c"]], "": "empty",
      ]
      #expect(try file.roundTrip([json, nil, "x", 5, []]) == [json, nil, "x", 5, []])
      #expect(
        try file.stored(XTJSON.self)[1...] == [
          "text|'null'", #"text|'"x"'"#, "text|'5'", "text|'[]'",
        ])
      #expect(try file.roundTrip([XTJSON?.some(nil), nil]) == [.some(nil), nil])
      #expect(try file.stored(XTJSON?.self) == ["text|'null'", "null|NULL"])
      let read = try file.roundTrip([json])[0]
      #expect(read["list"]?[0]?.integer == 1)
      #expect(read["object"]?["a"]?["b"]?.string == "c")
      #expect(read["half"]?.number == 0.5)
      #expect(read["one"]?.integer == 1)
      #expect(read["yes"]?.bool == true)
      #expect(read["list"]?[9] == nil)
    }

    @Test func xtjson_hasOneKindOfNumber() {
      #expect(XTJSON.integer(1) == .number(1))
      #expect(XTJSON.integer(1).hashValue == XTJSON.number(1).hashValue)
      #expect(XTJSON.integer(9_007_199_254_740_993) != .number(9_007_199_254_740_992))
      #expect(XTJSON.integer(.max) != .number(9_223_372_036_854_775_808))
      #expect(XTJSON.number(0.5) != .number(0.25))
      #expect(XTJSON.bool(true) != .integer(1))
      #expect(XTJSON.null != .bool(false))
      #expect(Set<XTJSON>([[1], [1.0], [2], ["a": 1], ["a": 1.0], "1"]).count == 4)
      #expect(["a": 1, "b": [2]] as XTJSON == ["b": [2.0], "a": 1.0])
    }

    @Test func brokenJSON_throwsWithColumnAndPlace() throws {
      let file = try TestDatabase()
      for text in ["", "{", "[1,]", "nothing", "{\"street\":5}", "[\"a\"]", "\"\\ud800\""] {
        let error = mappingError { try file.read("'\(text)'", as: Address.self) }
        #expect(error?.kind == .decoding)
        #expect(error?.column == "value")
      }
      let error = mappingError { try file.read(#"'{"street":"s","price":"x"}'"#, as: Address.self) }
      #expect(error?.message.contains("price") == true)
      #expect(mappingError { try file.read("5", as: [Int].self) }?.kind == .decoding)
      #expect(mappingError { try file.read("X'5B5D'", as: [Int].self) }?.kind == .decoding)
    }

    @Test func codableThatThrows_failsTheWriteWithItsError_andLeavesNothing() throws {
      let file = try TestDatabase()
      let table = file.table(One<Picky>.self)
      #expect(throws: Picky.Refusal.self) {
        try table.insertList([One(Picky(number: 1)), One(Picky(number: 13))])
      }
      #expect(try table.count() == 0)
      let error = mappingError { try file.read("'13'", as: Picky.self) }
      #expect(error?.kind == .decoding)
      #expect(error?.message.contains("Refusal") == true)
    }

    @Test func enumWithPayloads_isItsCodableJSON() throws {
      let file = try TestDatabase()
      let shapes: [Shape] = [.point, .circle(radius: 1.5), .group([.point, .circle(radius: 2)])]
      #expect(try file.roundTrip(shapes) == shapes)
      #expect(try file.stored(Shape.self)[1] == #"text|'{"circle":{"radius":1.5}}'"#)
    }

    @Test func typesNamedLikeScalars_areNotThose() throws {
      let file = try TestDatabase()
      let table = file.table(Diary.self)
      var diary = Diary()
      diary.appointment = Appointment(name: "dentist")
      diary.hint = Hint(name: "floss")
      diary.point = Point()
      try table.insert(&diary)
      #expect(try table.findFirst()?.appointment.name == "dentist")
      for column in ["appointment", "hint", "point", "integer", "boolean"] {
        #expect(try file.definition(of: column, in: "Diary")?.hasPrefix("TEXT|") == true)
      }
      #expect(try ModelMapping.of(Diary.self).columns.dropFirst().allSatisfy { !$0.type.isInteger })
    }

    @Test func foundationTypes_thatAreCodable_comeBack() throws {
      let file = try TestDatabase()
      func check<Value: Codable & Equatable & Sendable>(
        _ value: Value, _ location: SourceLocation = #_sourceLocation
      ) throws {
        let read = try file.roundTrip([Kept(value: value)])
        #expect(read.map(\.value) == [value], sourceLocation: location)
      }
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      try check(calendar)
      try check(Locale(identifier: "de_CH"))
      try check(TimeZone.gmt)
      try check(DateComponents(year: 2020, month: 2))
      try check(DateInterval(start: Date(timeIntervalSince1970: 0), duration: 5))
      try check(IndexSet([1, 2, 9]))
      try check(IndexPath(indexes: [1, 2]))
      try check(CharacterSet(charactersIn: "abc"))
      try check(Measurement(value: 5, unit: UnitLength.meters))
      try check(URLComponents(string: "http://h/p?q"))
      try check(CGRect(x: 1, y: 2, width: 3, height: 4))
      try check(1..<5)
      try check(1...5)
      try check(ContiguousArray([1, 2]))
      try check(SIMD3<Float>(1, 2, 3))
      try check(Duration.seconds(1.5))
      try check(PersonNameComponents(givenName: "A", familyName: "B"))
    }
  }
}

private struct Address: Codable, Hashable, Defaulted {
  var street = ""
  var zip: Int?
  var when = Date(timeIntervalSince1970: 0)
  var key = Data()
  var price = 0.0
  var link: URL?
}

private enum Corner: String, Codable { case north, east, south }

private indirect enum Shape: Codable, Equatable, Defaulted {
  case point
  case circle(radius: Double)
  case group([Shape])
  init() { self = .point }
}

private struct Picky: Codable, Defaulted {
  struct Refusal: Error {}
  var number = 0

  init() {}
  init(number: Int) { self.number = number }

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
    guard number != 13 else { throw Refusal() }
  }

  func encode(to encoder: any Encoder) throws {
    guard number != 13 else { throw Refusal() }
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

private struct Appointment: Codable { var name = "" }
private final class Hint: Codable {
  var name: String
  init(name: String = "") { self.name = name }
}
private struct Point: Codable { var x = 0 }
private struct Integer: Codable { var digits = "" }
private enum Boolean: Codable { case yes(String) }

private struct Diary: XTModel {
  var pkid: Int64?
  var appointment = Appointment()
  var hint = Hint()
  var point: Point?
  var integer = Integer()
  var boolean = Boolean.yes("")

  static var xt_tableName: String { "Diary" }
}

/// A value of a type that has no `init()`.
private struct Kept<Value: Codable & Equatable & Sendable>: Codable, Defaulted {
  var value: Value?
}
