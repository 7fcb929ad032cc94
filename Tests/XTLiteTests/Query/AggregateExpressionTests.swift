import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage

@Suite struct AggregateExpressionTests {
  let sut: TestDatabase

  init() throws {
    sut = try .typed()
  }

  private func check<E: XTExpressible>(
    _ expression: E, _ sql: String, _ value: E.Value, _ location: SourceLocation = #_sourceLocation
  ) throws where E.Value: Equatable {
    #expect(expression.sql == sql, sourceLocation: location)
    #expect(try sut.table(M.self).select(expression) == [value], sourceLocation: location)
  }

  @Test func aggregates_areSQLs() throws {
    try check(M.xt.countAll(), "count(*)", 3)
    try check(M.xt.content.count(), "count(`content`)", 2)
    try check(M.xt.city.count(distinct: true), "count(DISTINCT `city`)", 2)
    try check(M.xt.age.sum(), "sum(`age`)", 90)
    try check(M.xt.rate.sum(), "sum(`rate`)", 3.5)
    try check(M.xt.age.total(), "total(`age`)", 90)
    try check(M.xt.age.avg(), "avg(`age`)", 30)
    try check(M.xt.age.max(), "max(`age`)", 40)
    try check(M.xt.rate.min(), "min(`rate`)", 1)
    try check(M.xt.city.groupConcat(distinct: true), "group_concat(DISTINCT `city`)", "Paris,Rome")
    try check(M.xt.name.groupConcat("; "), "group_concat(`name`, ?)", "Ann; bob; ÉMILE")
    try check(M.xt.age.max() - M.xt.age.min(), "max(`age`) - min(`age`)", 20)
  }

  @Test func aggregates_overNoRows() throws {
    let none = M.xt.age > 1000
    let query = sut.table(M.self).query().where(none)
    #expect(try query.columns(M.xt.age.max()).all() == [nil])
    #expect(try query.columns(M.xt.age.sum()).all() == [nil])
    #expect(try query.columns(M.xt.countAll()).all() == [0])
    // A table that is missing reads as an empty one.
    let rows = try sut.table(TypedCity.self).select(
      TypedCity.xt.countAll(), TypedCity.xt.name.max())
    #expect(rows.map(\.0) == [0])
    #expect(rows.map(\.1) == [nil])
  }

  @Test func filter_leavesRowsOut() throws {
    let count = M.xt.countAll().filter(M.xt.age > 25)
    guard SQLiteLibrary.versionNumber >= 3_030_000 else {
      let error = #expect(throws: XTError.self) { try sut.table(M.self).select(count) }
      #expect(error?.message.contains("3.30.0") == true)
      return
    }
    try check(count, "count(*) FILTER (WHERE `age` > ?)", 2)
  }

  @Test func windows_keepAllRows() throws {
    let rank = XTWindow.rank().over(partitionBy: M.xt.city, orderBy: .desc(M.xt.age))
    guard SQLiteLibrary.versionNumber >= 3_025_000 else {
      let error = #expect(throws: XTError.self) { try sut.table(M.self).select(rank) }
      #expect(error?.message.contains("3.25.0") == true)
      return
    }
    #expect(rank.sql == "rank() OVER (PARTITION BY `city` ORDER BY `age` DESC)")
    let table = sut.table(M.self)
    #expect(try table.select(rank, orderBy: .asc(\.localID)) == [2, 1, 1])
    let running = M.xt.age.sum().over(
      orderBy: .asc(M.xt.localID), frame: .rows(.unboundedPreceding, .currentRow))
    #expect(
      running.sql == "sum(`age`) OVER (ORDER BY `localID` ASC"
        + " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)")
    #expect(
      try table.query().columns(running).orderBy(.asc(\.localID)).all() == [20, 50, 90])
    let last = M.xt.name.lag().over(orderBy: .asc(M.xt.localID))
    #expect(last.sql == "lag(`name`, ?) OVER (ORDER BY `localID` ASC)")
    #expect(try table.select(last, orderBy: .asc(\.localID)) == [nil, "Ann", "bob"])
    let number = XTWindow.rowNumber().over(orderBy: .desc(M.xt.price))
    #expect(
      number.sql == "row_number() OVER (ORDER BY `price` COLLATE xt_decimal DESC)")
    #expect(try table.select(number, orderBy: .asc(\.localID)) == [3, 2, 1])
    let whole = M.xt.age.avg().over()
    #expect(whole.sql == "avg(`age`) OVER ()")
    #expect(try table.query().columns(whole).first() == 30)
    #expect(
      try table.select(
        M.xt.age.lead().over(orderBy: .asc(M.xt.age)),
        XTWindow.ntile(2).over(orderBy: .asc(M.xt.age)),
        orderBy: .asc(\.age)
      ).map(\.1) == [1, 1, 2])
  }

  @Test func group_hasOneRowForEach() throws {
    let rows = try sut.table(M.self).select(
      M.xt.city, M.xt.age.max(), M.xt.countAll(), groupBy: M.xt.city,
      having: M.xt.age.max() > 10, orderBy: .asc(M.xt.city))
    #expect(rows.map(\.0) == ["Paris", "Rome"])
    #expect(rows.map(\.1) == [30, 40])
    #expect(rows.map(\.2) == [2, 1])
  }

  @Test func aggregate_inWHERE_isAnErrorWithTheSQL() throws {
    let error = #expect(throws: XTError.self) {
      try sut.table(M.self).find(where: M.xt.age.max() > 3)
    }
    #expect(error?.sql?.contains("WHERE max(`age`) > ?") == true)
  }
}
