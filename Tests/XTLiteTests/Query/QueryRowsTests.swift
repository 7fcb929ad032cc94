import Foundation
import Testing

@testable import XTLite

typealias RowCondition = XTCondition<QueryRow>

@Suite struct QueryRowsTests {
  // MARK: NULL

  @Test func equality_withNil_findsNullRows() throws {
    let rows = try QueryRows(texts: ["x", nil, ""])
    let none: String? = nil
    #expect(try rows.texts(\.text == nil) == [nil])
    #expect(try rows.texts(\.text == none) == [nil])
    #expect(try rows.texts(\.text != none) == ["x", ""])
    #expect(try rows.texts(!(\.text == nil)) == ["x", ""])
  }

  @Test func inequality_leavesNullRowsOut() throws {
    let rows = try QueryRows(texts: ["x", "y", nil])
    #expect(try rows.texts(\.text != "x") == ["y"])
    #expect(try rows.texts(!(\.text == "x")) == ["y"])
    #expect(try rows.texts(\.text != "x" || \.text == nil) == ["y", nil])
  }

  // MARK: In

  @Test func in_findsItsMembers() throws {
    let rows = try QueryRows(numbers: [1, 2, 3, nil])
    let column = \QueryRow.a
    #expect(try rows.numbers(column.in([1, 3, 3])) == [1, 3])
    #expect(try rows.numbers(column.in([])) == [])
    #expect(try rows.numbers(column.in([1, nil])) == [1, nil])
    #expect(try rows.numbers(column.in([nil])) == [nil])
    #expect(try rows.numbers(column.notIn([1, 3, 3])) == [2])
    #expect(try rows.numbers(column.notIn([])) == [1, 2, 3, nil])
    #expect(try rows.numbers(column.notIn([1, nil])) == [2, 3])
    #expect(try rows.numbers(column.notIn([nil])) == [1, 2, 3])
    #expect(try rows.numbers(!column.in([1, nil])) == [2, 3])
    #expect(try rows.numbers(!column.notIn([1, nil])) == [1, nil])
    #expect(try rows.numbers(!column.in([])) == [1, 2, 3, nil])
  }

  @Test func rawIn_isSQLs() throws {
    let rows = try QueryRows(numbers: [1, 2, nil])
    let some: [Int?] = [1, nil]
    #expect(try rows.numbers("a IN \(list: some)") == [1])
    #expect(try rows.numbers("a NOT IN \(list: some)") == [])
    #expect(try rows.numbers("a NOT IN \(list: [Int]())") == [1, 2, nil])
  }

  // MARK: Text

  static let awkward = [
    "50%", "a_b", #"a\b"#, "';DROP TABLE x;--", "?", "é", "a\0b", "🦊", "*", "[",
  ]

  @Test(arguments: awkward)
  func textSearch_takesEachCharacterLiterally(text: String) throws {
    let all = ["501", "axb"] + Self.awkward
    let rows = try QueryRows(texts: all.map { "<\($0)>" } + all + [nil])
    let column = \QueryRow.text
    #expect(try rows.texts(column.contains(text)) == ["<\(text)>", text])
    #expect(try rows.texts(column.startsWith(text)) == [text])
    #expect(try rows.texts(column.endsWith(text)) == [text])
    #expect(try rows.texts(column.startsWith("<\(text)")) == ["<\(text)>"])
    #expect(try rows.texts(column.endsWith("\(text)>")) == ["<\(text)>"])
    #expect(try rows.texts(\.text == text) == [text])
  }

  @Test func textSearch_forNothing_findsEveryText() throws {
    let rows = try QueryRows(texts: ["", "a", nil])
    let column = \QueryRow.text
    #expect(try rows.texts(column.contains("")) == ["", "a"])
    #expect(try rows.texts(column.startsWith("")) == ["", "a"])
    #expect(try rows.texts(column.endsWith("")) == ["", "a"])
    #expect(try rows.texts(column.endsWith("aa")) == [])
  }

  @Test func textSearch_heedsCaseUnlessToldNotTo() throws {
    let composed = "\u{E9}", decomposed = "e\u{301}"
    let rows = try QueryRows(
      texts: ["É", composed, decomposed, "ТВОРОГ", "творог", "Straße", "abc", "ABC", nil])
    let column = \QueryRow.text
    #expect(try rows.texts(column.contains("ТВО")) == ["ТВОРОГ"])
    let both = ["ТВОРОГ", "творог"]
    #expect(try rows.texts(column.contains("тво", caseInsensitive: true)) == both)
    #expect(try rows.texts(column.startsWith("Тво", caseInsensitive: true)) == both)
    #expect(try rows.texts(column.endsWith("ОГ", caseInsensitive: true)) == both)
    #expect(try rows.texts(column.endsWith("SSE", caseInsensitive: true)) == ["Straße"])
    #expect(try rows.texts(column.equalsIgnoringCase("aBc")) == ["abc", "ABC"])
    // Swift's own == takes the two forms for the same text, so bytes are compared.
    func bytes(_ condition: RowCondition) throws -> [[UInt8]] {
      try rows.texts(condition).map { Array(($0 ?? "").utf8) }
    }
    #expect(try bytes(column.contains(composed)) == [Array(composed.utf8)])
    #expect(try bytes(column.contains(decomposed)) == [Array(decomposed.utf8)])
    #expect(
      try bytes(column.contains(decomposed, caseInsensitive: true))
        == [Array("É".utf8), Array(composed.utf8), Array(decomposed.utf8)])
  }

  @Test func like_isSQLites() throws {
    let rows = try QueryRows(texts: ["Abc", "abc", "50%", "501"])
    let column = \QueryRow.text
    #expect(try rows.texts(column.like("A_%")) == ["Abc", "abc"])
    #expect(try rows.texts(column.like(#"50\%"#, escape: "\\")) == ["50%"])
  }

  // MARK: Decimal

  @Test func decimal_comparesAndSortsAsANumber() throws {
    let prices: [Decimal] = [10, 9, -1, 100.5, 0, 0.5]
    let rows = try QueryRows(prices.map { QueryRow(price: $0) })
    #expect(try rows.find(\.price >= 9).map(\.price) == [10, 9, 100.5])
    #expect(try rows.find((\QueryRow.price).between(0, 9)).map(\.price) == [9, 0, 0.5])
    #expect(try rows.find((\QueryRow.price).in([9, 0.5])).map(\.price) == [9, 0.5])
    #expect(try rows.find("1", orderBy: .desc(\.price)).map(\.price) == [100.5, 10, 9, 0.5, 0, -1])
  }

  // MARK: Together

  @Test func longChain_ofConditions_runs() throws {
    let rows = try QueryRows(numbers: Array(0..<6_000))
    // 999 values are the most that older builds of SQLite bind in one statement.
    let parts = (0..<900).map { \QueryRow.a == $0 * 5 }
    #expect(try rows.numbers(parts.dropFirst().reduce(parts[0], ||)).count == 900)
    let all = (0..<5_000).map { _ in RowCondition("a < 10") }
    #expect(try rows.numbers(all.dropFirst().reduce(all[0], &&)).count == 10)
    #expect(try rows.numbers(all.dropFirst().reduce(all[0], ||)).count == 10)
  }

  @Test func rawOr_besideScope_findsNoDeletedRow() throws {
    let rows = try QueryRows(numbers: [1, 2])
    let second = try #require(try rows.find(\.a == 2).first)
    try rows.table.softDelete(second)
    #expect(try rows.numbers("a = 1 OR a = 2") == [1])
    #expect(try rows.numbers(\.a == 1 || \.a == 2) == [1])
    #expect(try rows.numbers("a = 1 OR a = 2 -- both") == [1])
  }

  @Test func randomConditions_findWhatSwiftFinds() throws {
    var generator = SystemRandomNumberGenerator()
    let values: [Int?] = [nil, 0, 1, 2]
    let models = values.flatMap { a in
      values.flatMap { b in [true, false].map { QueryRow(a: a, b: b, flag: $0) } }
    }
    let rows = try QueryRows(models)
    for _ in 0..<300 {
      let condition = RandomCondition(depth: 4, &generator)
      let found = try rows.find(condition.sql).map { [$0.a, $0.b, $0.flag ? 1 : 0] }
      let expected = models.filter { condition.holds($0) == true }
        .map { [$0.a, $0.b, $0.flag ? 1 : 0] }
      #expect(found == expected, "\(condition.sql)")
    }
  }

  // MARK: Assignments

  @Test func add_beyondTheRange_changesNoRow() throws {
    let rows = try QueryRows(numbers: [1, .max, nil])
    let error = #expect(throws: XTError.self) { try rows.table.update(where: nil, .add(\.a, 1)) }
    #expect(error?.kind == .valueOutOfRange)
    #expect(try rows.numbers("1") == [1, .max, nil])
    #expect(try rows.table.update(where: \.a < 10, .add(\.a, -3)) == 1)
    #expect(try rows.numbers("1") == [-2, .max, nil])
  }

  @Test func add_toDecimal_isExact() throws {
    let rows = try QueryRows([QueryRow(price: 0.1)])
    try rows.table.update(where: nil, .add(\.price, 0.2))
    #expect(try rows.find("1").map(\.price) == [0.3])
  }
}

/// A condition beside what it means in SQL's logic of true, false and unknown.
private struct RandomCondition {
  let sql: RowCondition
  let holds: (QueryRow) -> Bool?

  init(depth: Int, _ generator: inout SystemRandomNumberGenerator) {
    guard depth > 0 else {
      self = RandomCondition(leaf: &generator)
      return
    }
    let left = RandomCondition(depth: Int.random(in: 0..<depth, using: &generator), &generator)
    let right = RandomCondition(depth: Int.random(in: 0..<depth, using: &generator), &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0, 1:
      sql = left.sql && right.sql
      holds = { Self.and(left.holds($0), right.holds($0)) }
    case 2, 3:
      sql = left.sql || right.sql
      holds = { Self.and(left.holds($0).map(!), right.holds($0).map(!)).map(!) }
    default:
      sql = !left.sql
      holds = { left.holds($0).map(!) }
    }
  }

  private static func and(_ left: Bool?, _ right: Bool?) -> Bool? {
    if left == false || right == false { return false }
    return left == nil || right == nil ? nil : true
  }

  private init(leaf generator: inout SystemRandomNumberGenerator) {
    let number = Int.random(in: 0...2, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      sql = \.a == number
      holds = { $0.a.map { $0 == number } }
    case 1:
      sql = \.a < \.b
      holds = { row in row.a.flatMap { a in row.b.map { a < $0 } } }
    case 2:
      sql = \.b == nil
      holds = { $0.b == nil }
    case 3:
      sql = XTCondition(\.flag)
      holds = { $0.flag }
    case 4:
      sql = "a = \(number) OR b = \(number)"
      holds = { row in
        let equal = (row.a.map { $0 == number }, row.b.map { $0 == number })
        return Self.and(equal.0.map(!), equal.1.map(!)).map(!)
      }
    case 5:
      sql = (\QueryRow.a).in([number, nil])
      holds = { $0.a == nil || $0.a == number }
    case 6:
      sql = (\QueryRow.b).notIn([number])
      holds = { $0.b.map { $0 != number } }
    default:
      sql = (\QueryRow.a).between(number, 2)
      holds = { $0.a.map { (number...2).contains($0) } }
    }
  }
}
