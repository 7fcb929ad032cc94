import Foundation
import Testing

@testable import XTLite

@Suite struct XTConditionKeyPathMethodsTests {
  // MARK: In

  @Test func in_withValues_bindsEach() {
    let sut = (\QueryPerson.age).in([1, 2, 2])
    #expect(sut.sql == "`age` IN (?, ?, ?)")
    #expect(sut.values == [.integer(1), .integer(2), .integer(2)])
    #expect((\QueryPerson.age).notIn([1]).sql == "`age` NOT IN (?)")
  }

  @Test func in_withNothing_isAnEmptyList() {
    // SQLite takes it, and it is false, or true with NOT, for NULL as well.
    #expect((\QueryPerson.age).in([]).sql == "`age` IN ()")
    #expect((\QueryPerson.count).in([]).sql == "`count` IN ()")
    #expect((\QueryPerson.count).notIn([]).sql == "`count` NOT IN ()")
  }

  @Test func in_withNil_matchesNullAsWell() {
    let sut = (\QueryPerson.count).in([1, nil])
    #expect(sut.sql == "`count` IN (?) OR `count` IS NULL")
    #expect(sut.values == [.integer(1)])
    #expect((sut && \.age > 1).sql == "(`count` IN (?) OR `count` IS NULL) AND `age` > ?")
    #expect((\QueryPerson.count).in([nil]).sql == "`count` IS NULL")
  }

  @Test func notIn_withNil_leavesNullOut() {
    let sut = (\QueryPerson.count).notIn([1, nil])
    #expect(sut.sql == "`count` NOT IN (?) AND `count` IS NOT NULL")
    #expect((\QueryPerson.count).notIn([nil, nil]).sql == "`count` IS NOT NULL")
  }

  @Test func in_withEverySortOfSequence_compiles() {
    let ids = [1, 2]
    let some: [Int?] = [1, nil]
    let set: Set<Int> = [7]
    #expect((\QueryPerson.age).in(ids).sql == "`age` IN (?, ?)")
    #expect((\QueryPerson.age).in(set).values == [.integer(7)])
    #expect((\QueryPerson.age).in(1...3).sql == "`age` IN (?, ?, ?)")
    #expect((\QueryPerson.age).in(ids.lazy.map { $0 + 1 }).values == [.integer(2), .integer(3)])
    #expect((\QueryPerson.age).in(some).sql == "`age` IN (?) OR `age` IS NULL")
    #expect((\QueryPerson.count).in(ids).sql == "`count` IN (?, ?)")
    #expect((\QueryPerson.count).in(set).values == [.integer(7)])
    #expect((\QueryPerson.count).in(some).sql == "`count` IN (?) OR `count` IS NULL")
    #expect((\QueryPerson.count).notIn(ids).sql == "`count` NOT IN (?, ?)")
    #expect((\QueryPerson.count).notIn(set).values == [.integer(7)])
    #expect((\QueryPerson.age).notIn(some).sql == "`age` NOT IN (?) AND `age` IS NOT NULL")
    #expect((\QueryPerson.kind).in([.user, .admin]).values == [.integer(1), .integer(2)])
    #expect((\QueryPerson.maybeKind).in([.user, nil]).values == [.integer(1)])
  }

  @Test func in_withUUIDs_bindsThemAsStored() {
    let uid = UUID()
    #expect((\QueryPerson.uid).in([uid]).values == [.text(uid.uuidString)])
  }

  @Test func in_withValueThatCannotBeStored_throwsWhereUsed() {
    let error = #expect(throws: XTError.self) {
      try (\QueryPerson.score).in([1, .nan]).resolved()
    }
    #expect(error?.kind == .valueOutOfRange)
  }

  // MARK: Between, null

  @Test func between_bindsBothBounds() {
    let sut = (\QueryPerson.age).between(3, 5)
    #expect(sut.sql == "`age` BETWEEN ? AND ?")
    #expect(sut.values == [.integer(3), .integer(5)])
    #expect((sut && sut).sql == "`age` BETWEEN ? AND ? AND `age` BETWEEN ? AND ?")
    #expect((!sut).sql == "NOT (`age` BETWEEN ? AND ?)")
    #expect((\QueryPerson.count).between(3, 5).values == [.integer(3), .integer(5)])
  }

  @Test func isNull_isIsNull() {
    #expect((\QueryPerson.nick).isNull.sql == "`nick` IS NULL")
    #expect((\QueryPerson.nick).isNotNull.sql == "`nick` IS NOT NULL")
    #expect((\QueryPerson.price).isNull.sql == "`price` IS NULL")
  }

  // MARK: Text

  @Test func textSearch_isExactAndBindsItsText() {
    #expect((\QueryPerson.name).contains("50%").sql == "instr(`name`, ?) > 0")
    #expect((\QueryPerson.name).contains("50%").values == [.text("50%")])
    #expect((\QueryPerson.nick).startsWith("a_b").sql == "instr(`nick`, ?) = 1")
    let end = (\QueryPerson.nick).endsWith(#"a\b"#)
    #expect(
      end.sql == "substr(CAST(`nick` AS BLOB), -length(CAST(? AS BLOB))) = CAST(? AS BLOB)")
    #expect(end.values == [.text(#"a\b"#), .text(#"a\b"#)])
  }

  @Test func endsWith_nothing_isEveryText() {
    #expect((\QueryPerson.name).endsWith("").sql == "`name` IS NOT NULL")
  }

  @Test func textSearch_withoutCase_foldsBothSides() {
    let sut = (\QueryPerson.name).contains("ТВОРОГ", caseInsensitive: true)
    #expect(sut.sql == "instr(xt_casefold(`name`), ?) > 0")
    #expect(sut.values == [.text("творог")])
    #expect((\QueryPerson.nick).startsWith("É", caseInsensitive: true).values == [.text("é")])
    #expect((\QueryPerson.nick).endsWith("É", caseInsensitive: true).sql.contains("xt_casefold"))
    #expect((\QueryPerson.name).equalsIgnoringCase("É").sql == "xt_casefold(`name`) = ?")
  }

  @Test func like_isRaw() {
    let sut = (\QueryPerson.name).like("A_%")
    #expect(sut.sql == "`name` LIKE ?")
    #expect(sut.values == [.text("A_%")])
    let escaped = (\QueryPerson.nick).like(#"50\%"#, escape: "\\")
    #expect(escaped.sql == "`nick` LIKE ? ESCAPE ?")
    #expect(escaped.values == [.text(#"50\%"#), .text(#"\"#)])
  }
}
