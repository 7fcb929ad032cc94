import Foundation
import Testing

@testable import XTLite

private enum CardColour: String, Codable { case red, green }
private enum CardSize: Double, Codable { case small = 0.1, large = 2.5 }
private enum CardRank: Int, Codable { case low = 1, high = 2 }

private struct Card: Codable, Equatable {
  var bytes = Data()
  var date = Date(timeIntervalSince1970: 0)
  var uid = UUID()
  var price = Decimal()
  var url = URL(fileURLWithPath: "/")
  var colour = CardColour.red
  var size = CardSize.small
  var rank = CardRank.low
  var float: Float = 0
  var double = 0.0
  var flag = false
  var list: [Data] = []
  var text: String?
  var nick: Data?
}

private struct CardHolder: XTModel {
  var pkid: Int64?
  var card: Card?

  static var xt_tableName: String { "Holder" }
}

@Suite struct JSONValueTests {
  private typealias H = CardHolder
  let sut: TestDatabase
  private let card: Card
  private var holders: XTTable<CardHolder> { sut.table(CardHolder.self) }

  init() throws {
    sut = try TestDatabase()
    card = Card(
      bytes: Data([0, 255, 62, 63, 10]), date: Date(timeIntervalSince1970: 1_785_500_000.123_456),
      uid: UUID(), price: try #require(Decimal(string: "12345678901234567890.1234567890123456")),
      url: try #require(URL(string: "https://a.b/c?d=é%20/e")), colour: .green, size: .small,
      rank: .high, float: 0.1, double: -.infinity, flag: true, list: [Data([1]), Data()],
      text: "a\"b", nick: nil)
    try sut.table(CardHolder.self).insertList([
      CardHolder(card: card), CardHolder(card: Card()), CardHolder(card: nil),
    ])
  }

  private func check<V: Equatable>(
    _ path: String, _ value: V, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let column = H.xt.card.json(path, as: V.self)
    #expect(try holders.count(where: column == value) == 1, sourceLocation: location)
    #expect(
      try holders.query().orderBy(.asc(\.pkid)).columns(column).all().first == .some(value),
      sourceLocation: location)
    #expect(try holders.count(where: column.in([value])) == 1, sourceLocation: location)
  }

  @Test func values_compareAndReadAsAColumnOfTheirType() throws {
    try check("$.bytes", card.bytes)
    try check("$.date", card.date)
    try check("$.uid", card.uid)
    try check("$.price", card.price)
    try check("$.url", card.url)
    try check("$.colour", card.colour)
    try check("$.rank", card.rank)
    try check("$.float", card.float)
    try check("$.double", card.double)
    try check("$.flag", card.flag)
    try check("$.list[0]", card.list[0])
    try check("$.text", try #require(card.text))
    try check("$.text", XTJSON.string("a\"b"))
    try check("$.colour", XTJSON.string("green"))
    try check("$.rank", XTJSON.integer(2))
    try check("$.list", XTJSON.array([.string("AQ=="), .string("")]))
  }
}

extension JSONValueTests {
  @Test func enumOfDoubles_andOrders_goByTheNumber() throws {
    #expect(try holders.count(where: H.xt.card.json("$.size", as: CardSize.self) == .small) == 2)
    #expect(try holders.count(where: H.xt.card.json("$.price", as: Decimal.self) > 9) == 1)
    #expect(
      try holders.count(
        where: H.xt.card.json("$.date", as: Date.self) > Date(timeIntervalSince1970: 5)) == 1)
    #expect(try holders.count(where: H.xt.card.json("$.double", as: Double.self) < 0) == 1)
  }

  @Test func whatIsNotThere_isNil() throws {
    let nick = H.xt.card.json("$.nick", as: Data.self)
    let other = H.xt.card.json("$.other", as: Decimal.self)
    #expect(try holders.query().columns(nick).all() == [nil, nil, nil])
    #expect(try holders.query().columns(other).all() == [nil, nil, nil])
    #expect(try holders.count(where: nick == nil) == 3)
  }

  @Test func whatIsNoValueOfTheType_isAnError() throws {
    let bytes = H.xt.card.json("$.text", as: Data.self)
    let error = schemaError { _ = try holders.query().where(\.pkid == 1).columns(bytes).all() }
    #expect(error?.kind == .decoding)
    #expect(try holders.count(where: bytes == Data([1])) == 0)
    #expect(
      schemaError { _ = try holders.count(where: H.xt.card.json("a", as: Data.self) == Data()) }
        != nil)
  }

  /// What libraries without the operator go by gives the same.
  @Test(
    arguments: [
      "1.5", "12345678901234567890.1234567890123456", "0.1", "-3", "\"inf\"", "\"-inf\"",
      "null", "true", "\"AP8+Pwo=\"", "\"a\\\"b\"", "\"\"", "[1,\"x/y\"]", "{\"a\":1}",
    ])
  func functionOfAPath_givesWhatTheOperatorDoes(json: String) throws {
    let whole = XTValue.text("{\"a\":{\"b\":[0,\(json)]}}")
    for kind in ["bytes", "real", "float", "decimal", "json"] {
      let value = try sut.database.anyFunc(
        sql: "SELECT xt_json_value(\(whole), \(kind), \("$.a.b[1]"))")
      #expect(value == JSONValue(rawValue: kind)?.value(of: json), "\(kind)")
      guard JSONValue.hasOperator else { continue }
      let other = try sut.database.anyFunc(
        sql: "SELECT xt_json_value(\(whole) -> \("$.a.b[1]"), \(kind))")
      #expect(value == other, "\(kind)")
    }
  }
}
