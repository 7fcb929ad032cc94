import Foundation
import Testing

@testable import XTLite

@Suite struct XTSQLTests {
  @Test func statement_withParts_isTextAndValues() {
    let who = "O'Brien"
    let ids = [1, 2]
    let none: String? = nil
    let sut: XTSQL = """
      SELECT \(\QueryPerson.age) FROM \(QueryPerson.self)
      WHERE \(\QueryPerson.name) = \(who) AND age IN \(list: ids) AND nick IS \(none)
      """
    #expect(
      sut.sql == """
        SELECT `age` FROM `QueryPerson`
        WHERE `name` = ? AND age IN (?, ?) AND nick IS ?
        """)
    #expect(sut.values == [.text("O'Brien"), .integer(1), .integer(2), .null])
  }

  @Test func condition_insideAStatement_isParenthesized() throws {
    let inner: PersonCondition = \.age == 1 || \.age == 2
    let sut: XTSQL = "SELECT 1 FROM \(QueryPerson.self) WHERE \(inner) AND 1"
    #expect(
      try sut.resolved().text
        == "SELECT 1 FROM `QueryPerson` WHERE (`age` = ? OR `age` = ?) AND 1")
  }

  @Test func expression_insideAStatement_isItsSQL() throws {
    let other = QueryPerson.xt.as("other")
    let sut: XTSQL = """
      SELECT \(QueryPerson.xt.name), \(QueryPerson.xt.age * 2 + 1) FROM \(QueryPerson.self)
      WHERE \(QueryPerson.xt.age > 18 || QueryPerson.xt.nick.isNull) AND age < \(other.age)
      """
    #expect(
      try sut.resolved().text == """
        SELECT `name`, (`age` * ? + ?) FROM `QueryPerson`
        WHERE (`age` > ? OR `nick` IS NULL) AND age < `other`.`age`
        """)
    #expect(sut.values == [.integer(2), .integer(1), .integer(18)])
    let condition: PersonCondition = "name = 'a' AND \(QueryPerson.xt.age.abs() == 3)"
    #expect(try condition.resolved().text == "name = 'a' AND (abs(`age`) = ?)")
    let open: XTSQL = "SELECT \(QueryPerson.xt.age == XTParameter<Int>("age"))"
    #expect(throws: XTError.self) { try open.resolved() }
  }

  @Test func script_mayHoldSemicolons() throws {
    let sut: XTSQL = "CREATE TABLE a (b); INSERT INTO a VALUES (\(1));"
    #expect(try sut.resolved().values == [.integer(1)])
  }

  @Test func list_asValuesOfARow_isExpanded() {
    let row: [Int?] = [1, nil]
    let sut: XTSQL = "INSERT INTO a VALUES (\(list: row))"
    #expect(sut.sql == "INSERT INTO a VALUES (?, ?)")
    #expect(sut.values == [.integer(1), .null])
  }

  @Test func interpolation_insideQuotes_isAnError() {
    let who = "x"
    let sut: XTSQL = "SELECT '\(who)'"
    let error = #expect(throws: XTError.self) { try sut.resolved() }
    #expect(error?.hint?.contains("leave the quotes out") == true)
  }

  @Test func unsafeText_standsAsItIs() throws {
    let text = "SELECT " + "?1"
    #expect(try XTSQL(unsafe: text).resolved() == SQLFragment("SELECT ?1"))
  }

  @Test func keyPath_thatIsNoColumn_isThrownWhereUsed() {
    let sut: XTSQL = "SELECT \(\QueryPerson.initials)"
    #expect(throws: XTError.self) { try sut.resolved() }
    #expect(sut.sql == "SELECT NULL")
  }
}
