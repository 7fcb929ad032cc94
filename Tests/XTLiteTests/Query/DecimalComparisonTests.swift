import Foundation
import Testing

@testable import XTLite

private struct PricedItem: XTModel, Equatable {
  var name = ""
  var price = Decimal()
  var other = Decimal()

  static var xt_tableName: String { "Priced" }
}

private struct PriceOnly: Decodable, Equatable { var price: Decimal }

private func number(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }

/// Decimals that other programs wrote in other ways are the same numbers.
@Suite struct DecimalComparisonTests {
  private typealias P = PricedItem
  let sut: TestDatabase
  private var items: XTTable<PricedItem> { sut.table(PricedItem.self) }

  init() throws {
    sut = try TestDatabase()
    try sut.table(PricedItem.self).insertList([
      PricedItem(name: "a", price: 1.5, other: 1.5), PricedItem(name: "a", price: 10, other: 2),
      PricedItem(name: "a", price: 9, other: 9),
    ])
    try sut.outside(
      "INSERT INTO Priced (name, price, other) VALUES ('a', '1.50', '10.0'), ('a', '10.00', '2.0')")
  }

  @Test func distinct_goesByTheNumber() throws {
    let price = P.xt.price
    #expect(try items.query().columns(price).distinct().all().sorted() == [1.5, 9, 10])
    #expect(
      try items.query().columns(price.named("price")).distinct().all().sorted() == [1.5, 9, 10])
    #expect(try items.query().columns(price + 1).distinct().all().sorted() == [2.5, 10, 11])
    #expect(
      try items.query().columns(price).distinct().orderBy(.desc(\.price)).all() == [10, 9, 1.5])
    #expect(try items.query().columns(price, P.xt.name).distinct().count() == 3)
    #expect(
      try items.query().columns(price).distinct().orderBy(.asc(\.price)).all(as: PriceOnly.self)
        == [PriceOnly(price: 1.5), PriceOnly(price: 9), PriceOnly(price: 10)])
    let selected: [Decimal] = try items.select(\PricedItem.price, distinct: true)
    #expect(selected.sorted() == [1.5, 9, 10])
    #expect(try items.select(price, distinct: true).sorted() == [1.5, 9, 10])
    // Whole rows: 1.5 with 1.5 and 10, 10 with 2, 9 with 9.
    #expect(try items.query().distinct().all().count == 4)
    #expect(try items.query().columns(price.count(distinct: true)).all() == [3])
    #expect(try items.query().columns(price.sum(distinct: true)).all() == [20.5])
    #expect(try items.query().columns(price.avg(distinct: true)).first() ?? 0 == 20.5 / 3)
  }

  @Test func compounds_goByTheNumber() throws {
    let prices = items.query().columns(P.xt.price)
    let others = items.query().columns(P.xt.other)
    #expect(try prices.union(others).all().sorted() == [1.5, 2, 9, 10])
    #expect(try prices.intersect(others).all().sorted() == [1.5, 9, 10])
    #expect(try prices.except(others).all() == [])
    #expect(try others.except(prices).all() == [2])
    #expect(try prices.union(others).orderBy(.desc(\.price)).all() == [10, 9, 2, 1.5])
    #expect(try prices.unionAll(others).all().count == 10)
    let some = items.query().columns(P.xt.price).orderBy(.asc(\.price)).limit(3)
    #expect(try some.union(others).all().sorted() == [1.5, 2, 9, 10])
    #expect(try items.query().union(items.query()).all().count == 4)
  }

  @Test func windows_goByTheNumber() throws {
    guard SQLiteLibrary.versionNumber >= 3_025_000 else {
      let error = schemaError {
        _ = try items.query().columns(P.xt.price.sum().over(partitionBy: P.xt.price)).all()
      }
      #expect(error?.message.contains("3.25.0") == true)
      return
    }
    let rows = try items.query().orderBy(.asc(\.price)).columns(
      P.xt.price, XTWindow.rowNumber().over(partitionBy: P.xt.price, orderBy: .asc(P.xt.name)),
      XTWindow.rank().over(orderBy: .asc(P.xt.price)),
      P.xt.price.count().over(partitionBy: P.xt.price)
    ).all()
    #expect(rows.map(\.0) == [1.5, 1.5, 9, 10, 10])
    #expect(rows.map(\.1).sorted() == [1, 1, 1, 2, 2])
    #expect(rows.map(\.2) == [1, 1, 3, 4, 4])
    #expect(rows.map(\.3) == [2, 2, 1, 2, 2])
  }

  @Test func sum_overAWindow_isExact() throws {
    guard SQLiteLibrary.versionNumber >= 3_025_000 else { return }
    try sut.outside("DELETE FROM Priced")
    let numbers = try ["0.1", "0.2", "12345678901234567890.00000000001", "-0.3"].map(number)
    try items.insertList(numbers.map { PricedItem(name: "x", price: $0) })
    let price = P.xt.price
    let rows = try items.query().columns(
      price.sum().over(),
      price.sum().over(orderBy: .asc(XTExpression<Int>(sql: "rowid"))),
      price.sum().over(
        orderBy: .asc(XTExpression<Int>(sql: "rowid")),
        frame: .rows(.preceding(1), .currentRow))
    ).all()
    let all = try number("12345678901234567890.00000000001")
    #expect(rows.map(\.0) == [all, all, all, all])
    #expect(try rows.map(\.1) == [numbers[0], number("0.3"), all + number("0.3"), all])
    #expect(
      try rows.map(\.2) == [
        numbers[0], number("0.3"), all + number("0.2"), all - number("0.3"),
      ])
    let none = try items.query().columns(
      price.sum().over(frame: .rows(.preceding(2), .preceding(1)))
    ).all()
    #expect(none.filter { $0 == nil }.count == 1)
    #expect(try items.query().columns(price.sum()).all() == [all])
  }
}
