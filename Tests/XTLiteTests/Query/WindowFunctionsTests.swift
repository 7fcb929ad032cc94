import Foundation
import Testing

@testable import XTLite

private typealias M = TypedMessage

/// Functions over windows, in three rows: Ann (20, Paris), bob (30, Paris), ÉMILE (40, Rome).
@Suite(.enabled(if: SQLiteLibrary.versionNumber >= 3_025_000)) struct WindowFunctionsTests {
  let sut: TestDatabase
  private let byID = XTOrdering.asc(M.xt.localID)

  init() throws {
    sut = try .typed()
  }

  private func check<V: Equatable>(
    _ expression: XTExpression<V>, _ sql: String, _ rows: [V],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(expression.sql == sql, sourceLocation: location)
    let found = try sut.table(M.self).select(expression, orderBy: .asc(\.localID))
    #expect(found == rows, sourceLocation: location)
  }

  @Test func otherRows_ofWhatMayBeNil_areNoDoubleOptionals() throws {
    let order = " OVER (ORDER BY `localID` ASC)"
    try check(
      M.xt.content.lag().over(orderBy: byID), "lag(`content`, ?)" + order,
      [nil, "Hello World", nil])
    try check(
      M.xt.content.lead().over(orderBy: byID), "lead(`content`, ?)" + order,
      [nil, "50% off_", nil])
    try check(
      M.xt.rate.nthValue(1).over(orderBy: byID), "nth_value(`rate`, ?)" + order, [2.5, 2.5, 2.5])
    try check(
      M.xt.rate.firstValue().over(orderBy: byID), "first_value(`rate`)" + order, [2.5, 2.5, 2.5])
    try check(
      M.xt.rate.lastValue().over(orderBy: byID), "last_value(`rate`)" + order, [2.5, nil, 1])
    let sums = M.xt.age.sum().lag().over(orderBy: .asc(M.xt.city))
    #expect(sums.sql == "lag(sum(`age`), ?) OVER (ORDER BY `city` ASC)")
    let query = sut.table(M.self).query().groupBy(M.xt.city).orderBy(.asc(\.city))
    #expect(try query.columns(sums).all() == [nil, 50])
  }

  @Test func otherRows_thatAreMissing_haveAnotherValue() throws {
    let order = " OVER (ORDER BY `localID` ASC)"
    try check(
      M.xt.name.lag(default: "-").over(orderBy: byID), "lag(`name`, ?, ?)" + order,
      ["-", "Ann", "bob"])
    try check(
      M.xt.age.lead(2, default: 0).over(orderBy: byID), "lead(`age`, ?, ?)" + order, [40, 0, 0])
    try check(
      M.xt.content.lead(default: "-").over(orderBy: byID), "lead(`content`, ?, ?)" + order,
      [nil, "50% off_", "-"])
  }

  @Test func values_ofAFrame_areSQLs() throws {
    let all = XTFrame.rows(.unboundedPreceding, .unboundedFollowing)
    let frame = " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"
    let window = " OVER (PARTITION BY `city` ORDER BY `age` DESC" + frame
    let city = M.xt.city
    let order = XTOrdering.desc(M.xt.age)
    try check(
      M.xt.name.firstValue().over(partitionBy: city, orderBy: order, frame: all),
      "first_value(`name`)" + window, ["bob", "bob", "ÉMILE"])
    try check(
      M.xt.name.lastValue().over(partitionBy: city, orderBy: order, frame: all),
      "last_value(`name`)" + window, ["Ann", "Ann", "ÉMILE"])
    try check(
      M.xt.name.nthValue(2).over(partitionBy: city, orderBy: order, frame: all),
      "nth_value(`name`, ?)" + window, ["Ann", "Ann", nil])
  }

  @Test func ranks_areSQLs() throws {
    let order = " OVER (ORDER BY `city` ASC)"
    let city = XTOrdering.asc(M.xt.city)
    try check(XTWindow.rank().over(orderBy: city), "rank()" + order, [1, 1, 3])
    try check(XTWindow.denseRank().over(orderBy: city), "dense_rank()" + order, [1, 1, 2])
    try check(XTWindow.percentRank().over(orderBy: city), "percent_rank()" + order, [0, 0, 1])
    try check(
      XTWindow.cumeDist().over(orderBy: city), "cume_dist()" + order, [2.0 / 3, 2.0 / 3, 1])
  }

  @Test func range_isByTheValue() throws {
    let order = XTOrdering.asc(M.xt.city)
    try check(
      M.xt.age.sum().over(orderBy: order, frame: .range(.unboundedPreceding, .currentRow)),
      "sum(`age`) OVER (ORDER BY `city` ASC"
        + " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)", [50, 50, 90])
    let near = M.xt.age.sum().over(
      orderBy: .asc(M.xt.age), frame: .range(.preceding(10), .following(5)))
    guard SQLiteLibrary.versionNumber >= 3_028_000 else {
      let error = #expect(throws: XTError.self) { try sut.table(M.self).select(near) }
      #expect(error?.message.contains("3.28.0") == true)
      return
    }
    try check(
      near, "sum(`age`) OVER (ORDER BY `age` ASC RANGE BETWEEN 10 PRECEDING AND 5 FOLLOWING)",
      [20, 50, 70])
  }

  @Test func rows_haveOffsetsWhereverWindowsAre() throws {
    try check(
      M.xt.age.sum().over(orderBy: byID, frame: .rows(.preceding(1), .currentRow)),
      "sum(`age`) OVER (ORDER BY `localID` ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
      [20, 50, 70])
  }
}
