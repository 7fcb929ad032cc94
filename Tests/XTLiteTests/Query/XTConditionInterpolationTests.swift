import Foundation
import Testing

@testable import XTLite

private func condition(_ condition: PersonCondition) -> PersonCondition { condition }

private func failure(_ condition: PersonCondition) -> XTError? {
  #expect(throws: XTError.self) { try condition.resolved() }
}

@Suite struct XTConditionInterpolationTests {
  private let who = "O'Brien"

  // MARK: What becomes what

  @Test func value_isBound() {
    let sut = condition("name == \(who) AND age > \(17)")
    #expect(sut.sql == "name == ? AND age > ?")
    #expect(sut.values == [.text("O'Brien"), .integer(17)])
  }

  @Test(arguments: ["';DROP TABLE x;--", "🦊", "?", "%", "_", "\0", "\\(x)", ""])
  func text_ofAnySort_isBoundAsItIs(text: String) {
    let sut = condition("name = \(text)")
    #expect(sut.sql == "name = ?")
    #expect(sut.values == [.text(text)])
  }

  @Test func optional_isBoundOrNull() {
    let none: String? = nil
    let some: Int? = 3
    let sut = condition("nick IS \(none) OR age = \(some)")
    #expect(sut.sql == "nick IS ? OR age = ?")
    #expect(sut.values == [.null, .integer(3)])
  }

  @Test func keyPath_isAQuotedColumn() {
    let name = \QueryPerson.name
    let any: PartialKeyPath<QueryPerson> = \.order
    let sut = condition("\(\.age) = \(1) AND \(name) = \(who) AND \(any) = 2")
    #expect(sut.sql == "`age` = ? AND `name` = ? AND `order` = 2")
  }

  @Test func model_isItsQuotedTable() {
    let sut = condition(
      "pkid IN (SELECT \(\QueryTeam.pkid) FROM \(QueryTeam.self) WHERE title = \(who))")
    #expect(sut.sql == "pkid IN (SELECT `pkid` FROM `QueryTeam` WHERE title = ?)")
    #expect(condition("\(QueryPerson.self).\(\.age) > 3").sql == "`QueryPerson`.`age` > 3")
  }

  @Test func inheritedKeyPath_isTheSubclassColumn() {
    let sut: XTCondition<QueryTruck> = "\(\QueryVehicle.plate) = \(who)"
    #expect(sut.sql == "`plate` = ?")
  }

  @Test func identifier_isQuoted() {
    #expect(condition("\(identifier: "a`b") = 1").sql == "`a``b` = 1")
  }

  @Test func storedTypes_areBoundAsStored() {
    let uid = UUID()
    let sut = condition("a = \(uid) AND b = \(QueryKind.admin) AND c = \(true) AND d = \(["x"])")
    #expect(sut.values == [.text(uid.uuidString), .integer(2), .integer(1), .text(#"["x"]"#)])
  }

  @Test func sqliteValue_isBoundAsItIs() {
    let value = XTValue.blob(Data([1]))
    let none: XTValue? = nil
    #expect(condition("a = \(value) OR b IS \(none)").values == [.blob(Data([1])), .null])
  }

  // MARK: Lists

  @Test func list_withOrWithoutParentheses_isTheSame() {
    let ids = [1, 2]
    #expect(condition("age IN \(list: ids)").sql == "age IN (?, ?)")
    #expect(condition("age in (\(list: ids))").sql == "age in (?, ?)")
    #expect(condition("age IN (0, \(list: Set([7])))").sql == "age IN (0, ?)")
    #expect(condition("age NOT IN \(list: ids) AND 1").sql == "age NOT IN (?, ?) AND 1")
    #expect(condition("max(\(list: ids)) > age").sql == "max(?, ?) > age")
  }

  @Test func emptyList_matchesNothing() {
    #expect(condition("age IN \(list: [Int]())").sql == "age IN ()")
    #expect(condition("age IN (\(list: [Int]()))").sql == "age IN ()")
  }

  @Test func array_whereAListIsMeant_saysSo() {
    #expect(failure("age IN (\([1, 2]))")?.hint?.contains("list:") == true)
    #expect(failure("age IN \([1, 2])")?.hint?.contains("list:") == true)
    #expect(throws: Never.self) { try condition("name IN (\(who))").resolved() }
    #expect(throws: Never.self) { try condition("x IN (\(Data([1])))").resolved() }
  }

  // MARK: Parts

  @Test func condition_insideText_isParenthesized() {
    let inner: PersonCondition = \.age == 1 || \.age == 2
    let sut = condition("\(inner) AND name = \(who)")
    #expect(sut.sql == "(`age` = ? OR `age` = ?) AND name = ?")
    #expect(sut.values == [.integer(1), .integer(2), .text("O'Brien")])
  }

  @Test func sql_insideText_standsAsItIs() {
    let inner: XTSQL = "age + \(1)"
    let sut = condition("\(inner) > \(2)")
    #expect(sut.sql == "age + ? > ?")
    #expect(sut.values == [.integer(1), .integer(2)])
  }

  @Test func failure_ofAPart_comesOut() {
    let inner: PersonCondition = \.score == .nan
    #expect(failure("\(inner) AND 1")?.kind == .valueOutOfRange)
    #expect(failure("score = \(Double.nan)")?.kind == .valueOutOfRange)
    struct Unstorable {}
    #expect(failure("x = \(Unstorable())")?.kind == .unsupportedProperty)
    #expect(failure("\(\.initials) = 1")?.kind == .unknownColumn)
  }

  // MARK: Quotes and comments

  @Test func interpolation_insideQuotes_saysToLeaveThemOut() {
    for sut in [
      condition("name = '\(who)'"), condition("name = 'it''s \(who)'"),
      condition("name LIKE '%\(who)%'"), condition("name = \"\(who)\""),
      condition("`\(who)` = 1"), condition("[\(who)] = 1"), condition("name = '\(\.age)'"),
      condition("name IN ('\(list: ["a"])')"), condition("name = '\(XTSQL("1"))'"),
    ] {
      #expect(failure(sut)?.hint?.contains("leave the quotes out") == true, "\(sut.sql)")
    }
  }

  @Test func interpolation_besideQuotes_isFine() throws {
    let sut = try condition(
      "a = 'it''s' AND b = \(1) AND \"c\" = '?' AND [d] = \(2) AND `e``f` = '--'"
    ).resolved()
    #expect(sut.values == [.integer(1), .integer(2)])
  }

  @Test func interpolation_insideAComment_isAnError() {
    #expect(failure("age = 1 -- \(who)")?.message.contains("comment") == true)
    #expect(failure("age = 1 /* \(who) */")?.message.contains("comment") == true)
    #expect(throws: Never.self) { try condition("/* why */ age = \(1) /* so */").resolved() }
    #expect(throws: Never.self) { try condition("-- why\nage = \(1)").resolved() }
  }

  @Test func comment_atTheEnd_endsThere() {
    #expect(condition("age = 1 -- one" && \.isMember).sql == "(age = 1 -- one\n) AND `isMember`")
    #expect(condition("age = 1 /* one" && \.isMember).sql == "(age = 1 /* one */) AND `isMember`")
  }

  @Test func placeholder_withoutValue_isAnError() {
    for sut in [
      condition("age = ?"), condition("age = ?1"), condition("age = :age"),
      condition("age = @age"), condition("age = $age"), XTCondition(unsafe: "age = ?"),
    ] {
      #expect(failure(sut)?.hint?.contains("write the value") == true, "\(sut.sql)")
    }
    #expect(throws: Never.self) { try condition("a = '?:a@b$c' AND a$b = 1").resolved() }
  }

  @Test func digit_behindAValue_doesNotJoinIt() {
    #expect(condition("age = \(1)0").sql == "age = ? 0")
  }

  // MARK: One condition and no more

  @Test func text_thatIsNoCondition_isAnError() {
    #expect(failure("")?.message.contains("empty") == true)
    #expect(failure("  -- nothing")?.message.contains("empty") == true)
    #expect(failure("WHERE age = 1")?.hint?.contains("WHERE") == true)
    #expect(failure("age = 1; DELETE FROM x")?.message.contains("semicolon") == true)
    #expect(failure("age = 1) OR (1 = 1")?.message.contains("parentheses") == true)
    #expect(failure("(age = 1")?.message.contains("parentheses") == true)
    #expect(failure("name = 'x")?.message.contains("quote") == true)
    #expect(throws: Never.self) { try condition("name = ');('").resolved() }
  }

  @Test func unsafe_isCheckedAsALiteralIs() throws {
    let text = "age = 1"
    #expect(try PersonCondition(unsafe: text).resolved() == SQLFragment("age = 1"))
    #expect(throws: XTError.self) { try PersonCondition(unsafe: "age = 1)").resolved() }
  }
}
