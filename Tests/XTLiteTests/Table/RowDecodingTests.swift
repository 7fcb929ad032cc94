import Foundation
import Testing

@testable import XTLite

private enum Shade: String, Codable { case dark, light }
private enum Level: Int, Codable { case low = 1, high }

private struct Address: Codable, Equatable {
  var city = ""
  var lines: [String] = []
}

private struct Summary: Decodable, Equatable {
  var name: String
  var count: Int
  var nick: String?
  var born: Date?
  var uuid: UUID
  var link: URL
  var price: Decimal
  var bytes: Data
  var shade: Shade
  var level: Level?
  var home: Address
  var tags: [String]
  var extra: [String: Int]?
  var share: Double
  var half: Float
  var small: UInt8
  var isOn: Bool
}

/// Read, and never written.
private struct OnlyDecodable: Decodable {
  struct Part: Decodable { var a: Int }
  var part: Part
  var parts: [Part]?
}

private class Base: Decodable {
  var a: Int
}

private final class Derived: Base {
  var b: String

  private enum Keys: String, CodingKey { case b }

  required init(from decoder: any Decoder) throws {
    b = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .b)
    try super.init(from: decoder.container(keyedBy: Keys.self).superDecoder())
  }
}

private struct Wrapped<Value: Decodable>: Decodable {
  var value: Value

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

private struct ByHand: Decodable {
  var city: String
  var first: Int
  var names: Set<String>

  private enum Keys: String, CodingKey { case home, list }
  private enum HomeKeys: String, CodingKey { case city }

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Keys.self)
    names = Set(row.allKeys.map(\.stringValue))
    city = try row.nestedContainer(keyedBy: HomeKeys.self, forKey: .home)
      .decode(String.self, forKey: .city)
    var list = try row.nestedUnkeyedContainer(forKey: .list)
    first = try list.decode(Int.self)
  }
}

private struct Refusing: Decodable {
  struct No: Error {}
  var a: Int

  private enum Keys: CodingKey { case a }

  init(from decoder: any Decoder) throws {
    a = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .a)
    if a == 1 { throw No() }
    if a == 2 {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [Keys.a], debugDescription: "two is too many"))
    }
  }
}

private struct DecodedModel: XTModel, Codable, Equatable {
  var pkid: Int64?
  var name = "default"
  var tags: [String] = []
  static var xt_columnNames: XTNameMap { [\DecodedModel.name: "title"] }
}

/// Rows as Decodable values and as tuples.
@Suite struct RowDecodingTests {
  private let test: TestDatabase
  private var database: XTDatabase { test.database }

  init() throws { test = try TestDatabase() }

  private static let date = Date(timeIntervalSince1970: 1_700_000_000.25)
  private static let uuid = UUID()

  private var everything: XTSQL {
    """
    SELECT 'n' AS NAME, 3 AS count, NULL AS nick, \(Self.date) AS born, \(Self.uuid) AS uuid,
    'https://example.org' AS link, '0.10' AS price, X'00FF' AS bytes, 'light' AS shade, 2 AS level,
    \(Address(city: "上海", lines: ["a"])) AS home, '["x","y"]' AS tags, '{"k":1}' AS extra,
    2 AS share, 0.5 AS half, 255 AS small, 1 AS isOn, 'unknown' AS unknown
    """
  }

  @Test func row_becomesAValue_asStorageMapsIt() throws {
    let sut = try #require(try database.firstRow(everything, as: Summary.self))
    #expect(
      sut
        == Summary(
          name: "n", count: 3, nick: nil, born: Self.date, uuid: Self.uuid,
          link: try #require(URL(string: "https://example.org")),
          price: try #require(Decimal(string: "0.1")), bytes: Data([0, 0xFF]), shade: .light,
          level: .high, home: Address(city: "上海", lines: ["a"]), tags: ["x", "y"],
          extra: ["k": 1], share: 2, half: 0.5, small: 255, isOn: true))
    #expect(try database.rows(everything, as: Summary.self) == [sut])
    #expect(try database.firstRow(everything)?.decode(as: Summary.self) == sut)
  }

  @Test func missingColumn_isNilOrAnError() throws {
    struct Two: Decodable { var a: Int; var b: Int? }
    #expect(try database.firstRow("SELECT 1 AS a", as: Two.self)?.b == nil)
    let error = #expect(throws: XTError.self) {
      try database.firstRow("SELECT 1 AS b", as: Two.self)
    }
    #expect(error?.kind == .unknownColumn && error?.column == "a" && error?.sql == "SELECT 1 AS b")
    #expect(try database.rows("SELECT 1 AS b WHERE 0", as: Two.self).isEmpty)
  }

  @Test func wrongValue_namesColumnAndType() throws {
    let wrong: [(XTSQL, String, String)] = [
      ("SELECT 'x' AS a", "a", "Int"), ("SELECT NULL AS a", "a", "Int"),
      ("SELECT 1.5 AS a", "a", "Int"), ("SELECT X'00' AS a", "a", "Int"),
      ("SELECT 1 AS a, 'x' AS date", "date", "Date"), ("SELECT 1 AS a, 7 AS id", "id", "UUID"),
      ("SELECT 1 AS a, 'blue' AS shade", "shade", "Shade"),
      ("SELECT 1 AS a, '{' AS home", "home", "Address"),
      ("SELECT 1 AS a, '{\"lines\":[]}' AS home", "home", "Address"),
      ("SELECT 1 AS a, 2 AS isOn", "isOn", "Bool"),
      ("SELECT 1 AS a, CAST(X'FF' AS TEXT) AS text", "text", "UTF-8"),
    ]
    struct Row: Decodable {
      var a: Int
      var date: Date?
      var id: UUID?
      var shade: Shade?
      var home: Address?
      var isOn: Bool?
      var text: String?
    }
    for (sql, column, type) in wrong {
      let error = #expect(throws: XTError.self, "\(sql)") {
        try database.firstRow(sql, as: Row.self)
      }
      #expect(error?.kind == .decoding && error?.column == column, "\(sql)")
      #expect(error?.message.contains(type) == true, "\(String(describing: error))")
    }
    let range = #expect(throws: XTError.self) {
      struct Small: Decodable { var a: Int8 }
      _ = try database.firstRow("SELECT 128 AS a", as: Small.self)
    }
    #expect(range?.kind == .valueOutOfRange && range?.column == "a")
  }

  @Test func typeThatIsOnlyDecodable_isReadFromJSON() throws {
    let sut = try #require(
      try database.firstRow(
        "SELECT '{\"a\":1}' AS part, '[{\"a\":2}]' AS parts", as: OnlyDecodable.self))
    #expect(sut.part.a == 1 && sut.parts?.map(\.a) == [2])
    let error = #expect(throws: XTError.self) {
      try database.firstRow("SELECT 7 AS part", as: OnlyDecodable.self)
    }
    #expect(error?.kind == .decoding && error?.column == "part")
    #expect(throws: XTError.self) {
      try database.firstRow("SELECT NULL AS part", as: OnlyDecodable.self)
    }
  }

  @Test func classesWrappersAndHandwrittenDecoding_work() throws {
    let derived = try #require(
      try database.firstRow("SELECT 1 AS a, 'x' AS b", as: Derived.self))
    #expect(derived.a == 1 && derived.b == "x")
    #expect(
      try database.firstRow("SELECT 'c' AS city, '[]' AS lines", as: Wrapped<Address>.self)?
        .value == Address(city: "c"))
    #expect(try database.firstRow("SELECT 5", as: Wrapped<Int>.self)?.value == 5)
    #expect(throws: XTError.self) {
      try database.firstRow("SELECT 5, 6", as: Wrapped<Int>.self)
    }
    let byHand = try #require(
      try database.firstRow(
        "SELECT '{\"city\":\"c\"}' AS home, '[4,5]' AS list, 1 AS other", as: ByHand.self))
    #expect(byHand.city == "c" && byHand.first == 4 && byHand.names == ["home", "list"])
  }

  @Test func singleValue_isReadFromTheOneColumn() throws {
    #expect(try database.rows("SELECT 1 UNION ALL SELECT 2", as: Int.self) == [1, 2])
    #expect(try database.firstRow("SELECT \(Self.date)", as: Date.self) == Self.date)
    #expect(try database.rows("SELECT NULL", as: String?.self) == [nil])
    #expect(try database.rows("SELECT 'dark'", as: Shade.self) == [.dark])
    #expect(try database.rows("SELECT '[1,2]'", as: [Int].self) == [[1, 2]])
    #expect(throws: XTError.self) { try database.rows("SELECT 1, 2", as: Int.self) }
    #expect(throws: XTError.self) { try database.rows("SELECT 1, 2", as: [Int].self) }
  }

  @Test func optionalRow_isNilWhereAllIsNull() throws {
    let rows = try database.rows(
      "SELECT 'c' AS city, '[]' AS lines UNION ALL SELECT NULL, NULL", as: Address?.self)
    #expect(rows == [Address(city: "c"), nil])
  }

  @Test func errorsOfTheTypeItself_comeOut() throws {
    #expect(throws: Refusing.No.self) {
      try database.firstRow("SELECT 1 AS a", as: Refusing.self)
    }
    let error = #expect(throws: XTError.self) {
      try database.firstRow("SELECT 2 AS a", as: Refusing.self)
    }
    #expect(error?.kind == .decoding && error?.message.contains("two is too many") == true)
  }

  @Test func model_goesByItsMapping() throws {
    let table = test.table(DecodedModel.self)
    try table.insertList([
      DecodedModel(pkid: nil, name: "a", tags: ["t"]), DecodedModel(pkid: nil, name: "b"),
    ])
    let found = try database.rows(
      "SELECT pkid, title FROM \(DecodedModel.self) ORDER BY pkid", as: DecodedModel.self)
    #expect(found == [DecodedModel(pkid: 1, name: "a"), DecodedModel(pkid: 2, name: "b")])
    func generic<Value: Decodable>(_ type: Value.Type) throws -> Value? {
      try database.firstRow("SELECT * FROM DecodedModel", as: type)
    }
    #expect(try generic(DecodedModel.self) == DecodedModel(pkid: 1, name: "a", tags: ["t"]))
    var seen: [String] = []
    try database.forEachRow("SELECT * FROM DecodedModel", as: DecodedModel.self) {
      seen.append($0.name)
    }
    #expect(seen == ["a", "b"])
  }

  // MARK: Tuples

  @Test func tuple_isOfTheTypesAskedFor() throws {
    let rows = try database.select(
      "SELECT 'a', 1, NULL, 'dark', \(Self.date), '[1]' UNION ALL SELECT 'b', 2, 3, 'light', 0, '[]'",
      as: String.self, Int.self, Int?.self, Shade.self, Date.self, [Int].self)
    #expect(rows.map(\.0) == ["a", "b"] && rows.map(\.1) == [1, 2] && rows.map(\.2) == [nil, 3])
    #expect(rows.map(\.3) == [.dark, .light] && rows[0].4 == Self.date && rows[0].5 == [1])
    let names: [String] = try database.select("SELECT 'x'", as: String.self)
    #expect(names == ["x"])
    let pair = try #require(
      try database.selectFirst("SELECT 1, 'x'", as: Int.self, XTValue.self))
    #expect(pair == (1, .text("x")))
    #expect(try database.selectFirst("SELECT 1 WHERE 0", as: Int.self) == nil)
    let nulls = try database.select("SELECT NULL", as: XTValue?.self)
    #expect(nulls == [Optional<XTValue>.none])
  }

  @Test func tuple_ofAnotherNumberOfColumns_isRefused() throws {
    for sql in ["SELECT 1", "SELECT 1, 2, 3", "SELECT 1, 2, 3 WHERE 0"] as [XTSQL] {
      let error = #expect(throws: XTError.self, "\(sql)") {
        _ = try database.select(sql, as: Int.self, Int.self)
      }
      #expect(error?.kind == .decoding && error?.hint != nil)
    }
  }

  @Test func tuple_ofAWrongValue_namesColumnAndType() throws {
    let error = #expect(throws: XTError.self) {
      _ = try database.select("SELECT 1 AS a, 'x' AS b", as: Int.self, Int.self)
    }
    #expect(error?.kind == .decoding && error?.column == "b")
    let null = #expect(throws: XTError.self) {
      _ = try database.select("SELECT NULL AS a", as: String.self)
    }
    #expect(null?.message == "NULL is no String" && null?.column == "a")
    let unsupported = #expect(throws: XTError.self) {
      _ = try database.select("SELECT 1 AS a", as: TestDatabase.self)
    }
    #expect(unsupported?.kind == .unsupportedProperty)
  }

  @Test func sameText_isPreparedOnce() throws {
    _ = try database.rows("SELECT \(0) AS a")
    let before = database.statistics.preparedStatements
    for number in 1...5 {
      #expect(try database.select("SELECT \(number) AS a", as: Int.self) == [number])
      _ = try database.rows("SELECT \(number) AS a", as: Wrapped<Int>.self)
    }
    #expect(database.statistics.preparedStatements == before)
  }
}
