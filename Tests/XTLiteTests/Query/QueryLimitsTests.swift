import Foundation
import Testing

@testable import XTLite

/// What must stay in the place that it is put into.
@Suite struct QueryLimitsTests {
  private typealias M = TypedMessage
  let sut: TestDatabase
  private var messages: XTTable<TypedMessage> { sut.table(TypedMessage.self) }

  init() throws { sut = try .typed() }

  @Test func limitByAParameter_refusesWhatIsNoNumberOfRows() throws {
    let count = XTParameter<Int>("count"), offset = XTParameter<Int>("offset")
    let query = messages.query().orderBy(.asc(\.localID)).limit(count, offset: offset)
    #expect(try query.with(count, 2).with(offset, 1).all().map(\.localID) == [2, 3])
    for (number, start) in [(-1, 0), (1, -1), (Int.min, 0)] {
      let error = schemaError { _ = try query.with(count, number).with(offset, start).all() }
      #expect(error?.kind == .valueOutOfRange)
    }
    let inner = try messages.query().columns(M.xt.localID).limit(count).with(count, -1)
    #expect(
      schemaError { _ = try messages.find(where: M.xt.localID.in(inner)) }?.kind
        == .valueOutOfRange)
    #expect(try query.with(count, 0).with(offset, 0).all().isEmpty)
  }

  @Test(
    arguments: [
      "1) OR (1", "(1", "1)", "1, 2", "1; DELETE FROM Message", "", "-- nothing",
      "1 UNION SELECT 2", "age FROM Message", "1 ORDER BY 1", "SELECT 1", "1 LIMIT 1",
    ])
  func rawExpression_thatIsMoreOrLessThanOne_isRefused(sql: String) throws {
    let expression = XTExpression<Int>(sql: XTSQL(unsafe: sql))
    for body in [
      { _ = try messages.query().columns(expression).all() },
      { _ = try messages.delete(where: expression == 1) },
      { _ = try messages.query().orderBy(.asc(expression)).all() },
      { _ = try messages.updateAll(.set(\.age, to: expression)) },
    ] {
      #expect(schemaError(body)?.message.contains("expression") == true)
    }
    #expect(try messages.count() == 3)
  }

  @Test(
    arguments: [
      "age + 1", "(SELECT count(*) FROM Message)", "coalesce(age, 1)", "age IN (1, 2)",
      "age IS NOT NULL", "CASE WHEN age > 1 THEN 2 ELSE 3 END", "1 -- a, b; c)",
      "length('a, b; c)')", "/* ( */ 1", "`age`", "CAST(age AS INTEGER)",
    ])
  func rawExpression_thatIsOne_isTaken(sql: String) throws {
    #expect(
      try messages.query().columns(XTExpression<Int>(sql: XTSQL(unsafe: sql))).all().count == 3)
  }

  @Test func otherSQL_inACondition_staysInItsParentheses() throws {
    let piece = XTSQL(unsafe: "1) OR (1")
    let error = schemaError { _ = try messages.delete(where: "age > \(100) AND (\(piece))") }
    #expect(error?.message.contains("parentheses") == true)
    let rest = XTSQL(unsafe: "1; DELETE FROM Message")
    #expect(schemaError { _ = try messages.delete(where: "age > 1000 AND \(rest)") } != nil)
    let whole = XTSQL(unsafe: "(age > 1)")
    #expect(try messages.count(where: "(\(whole))") == 3)
    #expect(try messages.count() == 3)
  }

  @Test func remainder_isOfIntegers() throws {
    #expect(
      try messages.query().orderBy(.asc(\.localID)).columns(M.xt.age % 7).all() == [6, 2, 5])
    guard SQLiteLibrary.isBuilt(with: "ENABLE_MATH_FUNCTIONS") else { return }
    #expect(
      try messages.query().orderBy(.asc(\.localID)).columns(M.xt.score.mod(1)).all()
        == [0.5, 0.25, 0])
    #expect(
      try messages.query().orderBy(.asc(\.localID)).columns(M.xt.score.mod(M.xt.score)).all()
        == [0, 0, 0])
  }
}
