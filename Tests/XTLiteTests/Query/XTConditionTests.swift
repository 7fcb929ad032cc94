import Foundation
import Testing

@testable import XTLite

/// A condition whose type the verbs would give.
private func condition(_ condition: PersonCondition) -> PersonCondition { condition }

@Suite struct XTConditionTests {
  // MARK: Comparisons

  @Test func comparison_withValue_bindsIt() {
    let sut = condition(\.name == "O'Brien")
    #expect(sut.sql == "`name` = ?")
    #expect(sut.values == [.text("O'Brien")])
  }

  @Test func comparison_eachSign_isSQLs() {
    #expect(condition(\.age == 1).sql == "`age` = ?")
    #expect(condition(\.age != 1).sql == "`age` != ?")
    #expect(condition(\.age < 1).sql == "`age` < ?")
    #expect(condition(\.age <= 1).sql == "`age` <= ?")
    #expect(condition(\.age > 1).sql == "`age` > ?")
    #expect(condition(\.age >= 1).sql == "`age` >= ?")
  }

  @Test func comparison_ofTwoProperties_bindsNothing() {
    let sut = condition(\.age < \.limit && \.age == \.limit && \.age != \.limit)
    #expect(sut.sql == "`age` < `limit` AND `age` = `limit` AND `age` != `limit`")
    #expect(sut.values.isEmpty)
    #expect(
      condition(\.age <= \.limit || \.age >= \.limit || \.age > \.limit).sql
        == "`age` <= `limit` OR `age` >= `limit` OR `age` > `limit`")
  }

  @Test func comparison_ofTwoKeyPathsWithRoots_isACondition() {
    let sut: PersonCondition = \QueryPerson.age == \QueryPerson.limit
    #expect(sut.sql == "`age` = `limit`")
    // Swift's own comparison of key paths stays what it was.
    let same: Bool = \QueryPerson.age == \QueryPerson.limit
    #expect(!same)
  }

  @Test func equality_withNil_isIsNull() {
    #expect(condition(\.nick == nil).sql == "`nick` IS NULL")
    #expect(condition(\.nick != nil).sql == "`nick` IS NOT NULL")
    #expect(condition(\.nick == nil).values.isEmpty)
  }

  @Test func equality_withVariableThatHoldsNil_isIsNull() {
    let none: String? = nil
    #expect(condition(\.nick == none).sql == "`nick` IS NULL")
    #expect(condition(\.nick != none).sql == "`nick` IS NOT NULL")
    #expect(condition(\.name == none).sql == "`name` IS NULL")
    #expect(condition(\.name != none).sql == "`name` IS NOT NULL")
  }

  @Test func equality_withVariableThatHoldsAValue_bindsIt() {
    let some: String? = "x"
    for sut in [condition(\.nick == some), condition(\.nick == "x")] {
      #expect(sut.sql == "`nick` = ?")
      #expect(sut.values == [.text("x")])
    }
    #expect(condition(\.name == some).values == [.text("x")])
    #expect(condition(\.name != some).sql == "`name` != ?")
  }

  @Test func order_withNil_bindsNull() {
    let none: Int? = nil
    #expect(condition(\.count < none).sql == "`count` < ?")
    #expect(condition(\.count < none).values == [.null])
  }

  @Test func comparison_ofEachType_bindsWhatStorageKeeps() {
    let date = Date(timeIntervalSince1970: 1.5)
    let uid = UUID()
    #expect(condition(\.score > 3).values == [.real(3)])
    #expect(condition(\.level == 200).values == [.integer(200)])
    #expect(condition(\.kind == .admin).values == [.integer(2)])
    #expect(condition(\.kind == .none).values == [.integer(0)])
    #expect(condition(\.maybeKind == .admin).values == [.integer(2)])
    #expect(condition(\.colour == .green).values == [.text("green")])
    #expect(condition(\.modified < date).values == [.real(1.5)])
    #expect(condition(\.seen < date).values == [.real(1.5)])
    #expect(condition(\.uid == uid).values == [.text(uid.uuidString)])
    #expect(condition(\.tags == ["a"]).values == [.text(#"["a"]"#)])
    #expect(condition(\.isMember == true).values == [.integer(1)])
  }

  @Test func decimal_isComparedByItsCollation() {
    #expect(condition(\.price > 1.5).sql == "`price` COLLATE xt_decimal > ?")
    #expect(condition(\.price == 1.5).values == [.text("1.5")])
    #expect(condition(\.maybePrice == nil).sql == "`maybePrice` IS NULL")
    #expect((\QueryPerson.price).between(1, 2).sql == "`price` COLLATE xt_decimal BETWEEN ? AND ?")
    #expect((\QueryPerson.price).in([1]).sql == "`price` COLLATE xt_decimal IN (?)")
  }

  // MARK: Together

  @Test func chain_ofOneConnective_isWrittenFlat() {
    let sut = condition(\.name == "a" && \.age > 17 && \.nick == nil)
    #expect(sut.sql == "`name` = ? AND `age` > ? AND `nick` IS NULL")
    #expect(sut.values == [.text("a"), .integer(17)])
    #expect(condition(\.name == "a" && (\.age > 17 && \.nick == nil)).sql == sut.sql)
  }

  @Test func or_insideAnd_isParenthesized() {
    #expect(
      condition((\.age == 1 || \.age == 2) && \.name == "a").sql
        == "(`age` = ? OR `age` = ?) AND `name` = ?")
    #expect(
      condition(\.name == "a" && (\.age == 1 || \.age == 2)).sql
        == "`name` = ? AND (`age` = ? OR `age` = ?)")
  }

  @Test func and_insideOr_needsNoParentheses() {
    #expect(
      condition(\.age == 1 && \.name == "a" || \.age == 2).sql
        == "`age` = ? AND `name` = ? OR `age` = ?")
  }

  @Test func values_ofParts_keepTheirOrder() {
    let sut = condition(!(\.age == 1 || \.age == 2) && (\.age == 3 || \.age == 4))
    #expect(sut.values == [.integer(1), .integer(2), .integer(3), .integer(4)])
  }

  @Test func negation_wrapsWhatItNegates() {
    #expect(condition(!(\.nick == nil)).sql == "NOT (`nick` IS NULL)")
    #expect(condition(!(\.age == 1 || \.age == 2)).sql == "NOT (`age` = ? OR `age` = ?)")
    #expect(condition(!"age = 1").sql == "NOT (age = 1)")
    #expect(condition(!(!(\.age == 1))).sql == "`age` = ?")
  }

  @Test func boolKeyPath_byItself_isACondition() {
    #expect(XTCondition(\QueryPerson.isMember).sql == "`isMember`")
    #expect(condition(!\.isMember).sql == "NOT `isMember`")
    #expect(condition(\.isMember && \.isOld).sql == "`isMember` AND `isOld`")
    #expect(condition(\.isMember || \.isOld).sql == "`isMember` OR `isOld`")
    #expect(condition(\.isMember && \.age > 3).sql == "`isMember` AND `age` > ?")
    #expect(condition(\.age > 3 && \.isMember).sql == "`age` > ? AND `isMember`")
    #expect(condition(\.age > 3 || !\.isMember).sql == "`age` > ? OR NOT `isMember`")
    #expect(
      condition(\.isMember || \.age > 3 && !(\.isOld)).sql
        == "`isMember` OR `age` > ? AND NOT `isOld`")
  }

  @Test func rawText_besideOthers_isParenthesized() {
    #expect(
      condition("age = 1 OR age = 2" && \.isMember).sql
        == "(age = 1 OR age = 2) AND `isMember`")
    #expect(condition(\.isMember || "age = 1").sql == "`isMember` OR (age = 1)")
    #expect(condition("age = 1 OR age = 2").sql == "age = 1 OR age = 2")
  }

  @Test func condition_ofKeyword_isQuoted() {
    #expect(condition(\.order == 1).sql == "`order` = ?")
  }

  @Test func condition_onInheritedProperty_isTheSubclassColumn() {
    let sut: XTCondition<QueryTruck> = \.plate == "x" && \.load > 1
    #expect(sut.sql == "`plate` = ? AND `load` > ?")
  }

  // MARK: What is wrong with it

  @Test func value_thatCannotBeStored_isThrownWhereTheConditionIsUsed() throws {
    let sut = condition(\.age == 1 && \.score == .nan && \.age == 2)
    let error = #expect(throws: XTError.self) { try sut.resolved() }
    #expect(error?.kind == .valueOutOfRange)
    #expect(error?.column == "score")
    #expect(sut.sql == "`age` = ? AND NULL AND `age` = ?")
  }

  @Test func keyPath_thatIsNoColumn_isThrownWhereTheConditionIsUsed() {
    let error = #expect(throws: XTError.self) { try condition(\.initials == "a").resolved() }
    #expect(error?.kind == .unknownColumn)
    #expect(throws: XTError.self) { try condition(!(\.initials == "a")).resolved() }
    #expect(throws: XTError.self) { try condition(\.age == 1 || \.initials == "a").resolved() }
  }

  @Test func keyPath_intoANestedValue_isThrown() {
    #expect(throws: XTError.self) { try condition(\.home?.city == "x").resolved() }
    #expect(throws: XTError.self) { try condition(\.name.count == 1).resolved() }
  }

  @Test func description_isTheSQLWithoutValues() {
    #expect("\(condition(\.name == "secret"))" == "`name` = ?")
    #expect("\(condition(\.score == .nan))".contains("NaN"))
  }

  @Test func hasRawText_isTrueWhereAPartIsText() {
    #expect(!condition(\.age == 1 && !\.isMember).hasRawText)
    #expect(condition(\.age == 1 && !"age = 1").hasRawText)
  }

  @Test func resolvedBesideAnd_parenthesizesWhatBindsLess() throws {
    #expect(try condition(\.age == 1).resolvedBesideAnd().text == "`age` = ?")
    #expect(
      try condition(\.age == 1 && \.age == 2).resolvedBesideAnd().text
        == "`age` = ? AND `age` = ?")
    #expect(
      try condition(\.age == 1 || \.age == 2).resolvedBesideAnd().text
        == "(`age` = ? OR `age` = ?)")
    #expect(try condition("age = 1 OR 1").resolvedBesideAnd().text == "(age = 1 OR 1)")
  }
}
