import Foundation
import Testing

@testable import XTLite

extension MappingTests {
  /// Models inside of models, that are not Codable: JSON of their stored properties.
  @Suite struct NestedModelTests {
    private func garage() -> Garage {
      var garage = Garage()
      garage.main = Wheel(size: 17)
      garage.spare = Wheel(size: 18)
      garage.list = [Wheel(size: 1), Wheel(size: 2)]
      garage.sparse = [Wheel(size: 3), nil]
      garage.matrix = [[Wheel(size: 4)], []]
      garage.set = [Wheel(size: 5)]
      garage.byName = ["b": Wheel(size: 6), "a": Wheel(size: 7)]
      garage.byNumber = [10: Wheel(size: 8), 9: Wheel(size: 9)]
      garage.bySide = [.right: Wheel(size: 10), .left: Wheel(size: 11)]
      garage.lists = ["x": [Wheel(size: 12)]]
      garage.engine = Engine()
      garage.engine.power = 99
      return garage
    }

    @Test func nestedModels_ofEveryContainer_comeBack() throws {
      let file = try TestDatabase()
      let table = file.table(Garage.self)
      var garage = garage()
      try table.insert(&garage)
      let read = try #require(try table.findFirst())
      #expect(read.main == garage.main)
      #expect(read.spare == garage.spare)
      #expect(read.list == garage.list)
      #expect(read.optionalList == nil)
      #expect(read.sparse == garage.sparse)
      #expect(read.matrix == garage.matrix)
      #expect(read.set == garage.set)
      #expect(read.byName == garage.byName)
      #expect(read.byNumber == garage.byNumber)
      #expect(read.bySide == garage.bySide)
      #expect(read.lists == garage.lists)
      #expect(read.engine.power == 99)
      garage.spare = nil
      garage.optionalList = []
      try table.update(garage)
      #expect(try file.seen("SELECT `spare` IS NULL, `optionalList` FROM `Garage`") == ["1|[]"])
    }

    @Test func nestedModels_areJSONWithSortedKeysAndColumnNames() throws {
      let file = try TestDatabase()
      var garage = garage()
      try file.table(Garage.self).insert(&garage)
      let wheel = { (size: Int) in #"{"Grösse":\#(size),"old":false}"# }
      #expect(
        try file.seen("SELECT `main`, `list`, `sparse` FROM `Garage`") == [
          "\(wheel(17))|[\(wheel(1)),\(wheel(2))]|[\(wheel(3)),null]"
        ])
      #expect(
        try file.seen("SELECT `byName`, `byNumber`, `bySide` FROM `Garage`") == [
          #"{"a":\#(wheel(7)),"b":\#(wheel(6))}|{"10":\#(wheel(8)),"9":\#(wheel(9))}"#
            + #"|["left",\#(wheel(11)),"right",\#(wheel(10))]"#
        ])
      #expect(try file.definition(of: "main", in: "Garage")?.hasPrefix("TEXT|1|") == true)
    }

    @Test func nestedModel_keepsEveryValueExactly() throws {
      let file = try TestDatabase()
      let table = file.table(One<[Precise]>.self)
      var precise = Precise()
      precise.big = .max
      precise.least = .min
      precise.double = 0.1 + 0.2
      precise.tiny = .leastNonzeroMagnitude
      precise.infinite = -.infinity
      precise.float = 0.1
      precise.text = "q\"\\/\n\0\u{1}🏀'\u{301}"
      precise.data = Data([0, 255])
      precise.date = Date(timeIntervalSince1970: 1_580_926_214.25)
      precise.uuid = UUID()
      precise.price = Decimal(string: "12345678901234567890.123456789")!
      // Numbers that a Double would round, in what is Codable inside of the model.
      precise.prices = [Decimal(string: "0.1234567890123456789012345678")!]
      precise.numbers = ["n": .max]
      precise.json = ["a": [1, 2.5, nil, true, "x"], "b": .integer(.max)]
      precise.side = .right
      precise.flags = [true: false]
      try table.insertList([One([precise, Precise()])])
      let read = try #require(try table.findFirst()).value
      #expect(read == [precise, Precise()])
      #expect(Array(read[0].text.utf8) == Array(precise.text.utf8))
      let first = try file.stored([Precise].self)
      try table.updateList(table.findAll())
      #expect(try file.stored([Precise].self) == first)
      // It is JSON to everyone else.
      let text = try #require(try file.seen("SELECT `value` FROM `One_Array_Precise`").first)
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect((json as? [[String: Any]])?.first?["text"] as? String == precise.text)
    }

    @Test func nestedModel_readsWhatOthersWrite() throws {
      let file = try TestDatabase()
      func read(_ json: String) throws -> [Wheel]? { try file.read("'\(json)'", as: [Wheel].self) }
      // Members in any order, unknown ones, missing ones, blanks, escapes.
      let text = #" [ { "old" : true , "unknown" : [ { } ] , "Gr\u00f6sse" : 5.0 } , { } ] "#
      #expect(try read(text) == [Wheel(size: 5, old: true), Wheel()])
      #expect(try read("[]") == [])
      for bad in [
        "", "{}", "[", "[1]", "[{]", #"[{"old":1.5}]"#, #"[{"old":"x"}]"#, #"[{"Grösse":null}]"#,
        #"[{"Grösse":300e300}]"#, #"[{"Grösse":1.5}]"#, #"[{"Grösse":true}]"#, "[{}]x", #"[{"a"}]"#,
        #"[{"a":}]"#, #"[{"Grösse":--5}]"#, "[{},]", "null", "[null]",
      ] {
        let error = mappingError { try read(bad) }
        #expect(error?.kind == .decoding || error?.kind == .valueOutOfRange)
        #expect(error?.column == "value")
      }
      let named = mappingError { try read(#"[{"Grösse":"x"}]"#) }
      #expect(named?.message.contains("size") == true)
    }

    @Test func ignoredPropertiesOfANestedModel_keepWhatInitGives() throws {
      let file = try TestDatabase()
      let first = Labelled()
      let read = try file.roundTrip([[first, Labelled()]])[0]
      #expect(read[0].token != first.token)
      #expect(read[0].token != read[1].token)
      #expect(read.map(\.label) == ["new", "new"])
    }

    @Test func nan_insideANestedModel_throwsAndNamesTheProperty() throws {
      let file = try TestDatabase()
      let table = file.table(One<[Precise]>.self)
      try table.create()
      var precise = Precise()
      precise.double = .nan
      let error = mappingError { try table.insertList([One([precise])]) }
      #expect(error?.kind == .valueOutOfRange)
      #expect(error?.column == "value")
      #expect(error?.message.contains("double") == true)
      #expect(try table.count() == 0)
    }

    @Test func nestedModel_thatCannotBeKept_isRefusedAtFirstUse() throws {
      let file = try TestDatabase()
      for error in [
        mappingError { try file.table(HasBroken.self).count() },
        mappingError { try file.table(HasBrokenList.self).count() },
      ] {
        #expect(error?.kind == .unsupportedProperty)
        #expect(error?.message.contains("callback") == true)
        #expect(error?.message.contains("Broken") == true)
      }
    }

    @Test func modelsThatNestEachOther_haveMappings() throws {
      let file = try TestDatabase()
      let author = Author()
      author.books = [Book()]
      author.books[0].title = "t"
      let table = file.table(Author.self)
      try table.insert(author)
      #expect(try table.findFirst()?.books.map(\.title) == ["t"])
      #expect(try file.table(Book.self).count() == 0)
    }
  }
}

private struct Wheel: XTModel, Hashable {
  var size = 16
  var old = false

  init() {}
  init(size: Int, old: Bool = false) {
    self.size = size
    self.old = old
  }

  static var xt_columnNames: XTNameMap { [\Wheel.size: "Grösse"] }
}

private class Engine: XTModel {
  var power = 1
  required init() {}
}

private enum Side: String, Codable { case left, right }

private struct Garage: XTModel {
  var pkid: Int64?
  var main = Wheel()
  var spare: Wheel?
  var list: [Wheel] = []
  var optionalList: [Wheel]?
  var sparse: [Wheel?] = []
  var matrix: [[Wheel]] = []
  var set: Set<Wheel> = []
  var byName: [String: Wheel] = [:]
  var byNumber: [Int: Wheel] = [:]
  var bySide: [Side: Wheel] = [:]
  var lists: [String: [Wheel]]?
  var engine = Engine()
}

private struct Precise: XTModel, Equatable {
  var big: Int64 = 0
  var least: Int64?
  var double = 0.0
  var tiny: Double?
  var infinite = 0.0
  var float: Float = 0
  var text = ""
  var data = Data()
  var date: Date?
  var uuid: UUID?
  var price = Decimal()
  var prices: [Decimal] = []
  var numbers: [String: UInt64] = [:]
  var json: XTJSON = nil
  var side = Side.left
  var flags: [Bool: Bool]?
  var url: URL?
}

private struct Labelled: XTModel {
  var number = 0
  var token = UUID()
  var label = "new"

  static var xt_ignored: XTKeyPaths { [\Labelled.token, \Labelled.label] }
}

private struct Broken: XTModel {
  var number = 0
  var callback: (() -> Void)?
}

private struct HasBroken: XTModel {
  var broken: Broken?
}

private struct HasBrokenList: XTModel {
  var brokens: [String: [Broken]]?
}

private final class Author: XTModel {
  var books: [Book] = []
}

private final class Book: XTModel {
  var title = ""
  var authors: [Author] = []
}
