import Foundation
import Testing

@testable import XTLite

/// Conditions in the programmer's own words: what they can do, and what is refused before it runs.
@Suite struct RawConditionTests {
  let test: TestDatabase
  let samples: XTTable<Sample>

  init() throws {
    test = try TestDatabase()
    samples = test.table(Sample.self)
    try samples.insertList([
      Sample("O'Brien", 30), Sample("50%", 4) { $0.nick = "x" }, Sample(#"a\b"#, 5),
      Sample("?", 6), Sample("';DROP TABLE Sample;--", 7), Sample("🦊", 8), Sample("", 9),
    ])
  }

  private func orders(_ condition: XTCondition<Sample>) throws -> [Int] {
    try samples.find(where: condition, orderBy: .asc(\.order)).map(\.order)
  }

  private func failure(_ condition: XTCondition<Sample>) -> XTError? {
    #expect(throws: XTError.self) { try samples.find(where: condition) }
  }

  // MARK: Values

  @Test(arguments: ["O'Brien", "50%", #"a\b"#, "?", "';DROP TABLE Sample;--", "🦊", ""])
  func text_ofAnySort_isFoundLiterally(text: String) throws {
    let order = try #require(try samples.findFirst(where: \.name == text)).order
    #expect(try orders("name = \(text)") == [order])
    #expect(try orders("\(\.name) = \(text) AND `order` = \(order)") == [order])
    #expect(try orders("name IN \(list: [text])") == [order])
    #expect(try orders("name IN (\(text), \("none"))") == [order])
    #expect(try orders((\Sample.name).in([text])) == [order])
    #expect(try orders(\.name >= text && \.name <= text) == [order])
    #expect(try orders((\Sample.name).between(text, text)) == [order])
    let found: [Int] = try samples.select(\.order, where: "name = \(text)")
    #expect(found == [order])
    #expect(try samples.max(of: \.order, where: "name = \(text)") == order)
    #expect(try samples.find(sql: "SELECT * FROM Sample WHERE name = \(text)").count == 1)
    #expect(try samples.anyFunc(sql: "SELECT \(text)") == .text(text))
    #expect(try samples.count(scope: .all) == 7)
  }

  @Test func nil_inAnInterpolation_isNull() throws {
    let none: String? = nil
    #expect(try orders("nick IS \(none)") == [5, 6, 7, 8, 9, 30].sorted())
    #expect(try orders("nick = \(none)") == [])
    #expect(try orders("nick IS NOT \(none)") == [4])
    let some: String? = "x"
    #expect(try orders("nick IS \(some)") == [4])
  }

  @Test func emptyList_matchesNothing() throws {
    let none: [Int] = []
    #expect(try orders("`order` IN \(list: none)") == [])
    #expect(try orders("`order` IN (\(list: none))") == [])
    #expect(try orders("`order` NOT IN \(list: none)").count == 7)
    #expect(try samples.count(where: (\Sample.order).in([])) == 0)
    #expect(try samples.count(where: (\Sample.order).notIn([])) == 7)
  }

  @Test func list_ofHundreds_isBound() throws {
    let many = Array(-900..<5)
    #expect(try orders("`order` IN \(list: many)") == [4])
    #expect(try orders((\Sample.order).in(many)) == [4])
    #expect(try orders((\Sample.order).in(many) && !(\Sample.name).in(["x"])) == [4])
  }

  @Test func list_ofMoreValuesThanSQLiteTakes_isBoundAsOne() throws {
    let many = Array(5..<300_000)
    #expect(try orders("`order` IN \(list: many)") == [5, 6, 7, 8, 9, 30])
    #expect(try orders((\Sample.order).in(many)) == [5, 6, 7, 8, 9, 30])
    #expect(try orders((\Sample.order).notIn(many)) == [4])
  }

  @Test(arguments: ["'", "\"", "`"])
  func interpolation_insideQuotes_throwsAndSaysSo(quote: String) throws {
    let who = "O'Brien"
    let conditions: [String: XTCondition<Sample>] = [
      "'": "name = '\(who)'", "\"": "name = \"\(who)\"", "`": "`\(who)` = 1",
    ]
    let error = failure(try #require(conditions[quote]))
    #expect(error?.hint?.lowercased().contains("leave the quotes out") == true)
    #expect(failure("name LIKE '%\(who)%'")?.hint?.contains("quotes") == true)
    #expect(failure("name = 'x' -- \(who)") != nil)
    #expect(failure("name = [\(who)]") != nil)
    #expect(try orders("name = 'it''s' OR name = \(who)") == [30])
  }

  // MARK: Mistakes

  static let wrongNames = [
    "\"agee\" != 'x'", "agee != 'x'", "`agee` != 'x'", "[agee] != 'x'",
    "name = \"O'Brien\"", "name = \"x\" OR 1", "lower(\"agee\") = 'x'", "\"draft\" = ''",
  ]

  @Test(arguments: wrongNames)
  func wrongName_inAnyQuotes_isRefusedBeforeARowIsTouched(text: String) throws {
    let condition = XTCondition<Sample>(unsafe: text)
    let calls: [() throws -> Void] = [
      { _ = try samples.find(where: condition) }, { _ = try samples.count(where: condition) },
      { _ = try samples.find(where: condition || \.order > 0, scope: .all) },
      { _ = try samples.has(where: !condition) },
      { try samples.delete(where: condition) },
      { try samples.softDelete(where: condition) },
      { try samples.update(where: condition, .set(\.name, to: "gone")) },
      { _ = try samples.sum(of: \.order, where: condition) },
      { _ = try samples.sum(of: \.price, where: condition) },
      { try samples.forEach(where: condition) { _ in } },
      { _ = try samples.select(\.name, where: condition) },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .unknownColumn)
      #expect(error?.hint != nil)
    }
    #expect(try test.seen("SELECT count(*), sum(xt_isDel) FROM Sample") == ["7|0"])
    #expect(try samples.count(where: \.name == "gone") == 0)
  }

  @Test(arguments: ["name", "NAME", "pkid", "xt_isDel", "xt_createTime", "order"])
  func rightName_inAnyQuotes_isAColumn(name: String) throws {
    for quoted in ["\"\(name)\"", "`\(name)`", "[\(name)]", "Sample.\"\(name)\""] {
      let condition = XTCondition<Sample>(unsafe: "\(quoted) IS NOT NULL")
      #expect(try samples.count(where: condition) == 7, "\(quoted)")
    }
  }

  static let broken = [
    "", "  ", "-- nothing", "WHERE 1", "where name = 'x'", "1; DROP TABLE Sample", "name = 'x",
    "name = \"x", "(1", "1)", "1) OR (1", "name = ?", "name = :who", "name = $1", "1 LIMIT 1",
    "1 ORDER BY name", "1 UNION SELECT 1", "1 GROUP BY name", "name ==== 'x'", "name = 'a' 'b'",
  ]

  @Test(arguments: broken)
  func textThatIsNoCondition_throwsInEveryScope(text: String) throws {
    let condition = XTCondition<Sample>(unsafe: text)
    for scope in [XTScope.live, .deleted, .all] {
      #expect(throws: XTError.self, "\(scope)") { try samples.find(where: condition, scope: scope) }
      #expect(throws: XTError.self, "\(scope)") {
        try samples.delete(where: condition, scope: scope)
      }
    }
    #expect(try test.seen("SELECT count(*) FROM Sample") == ["7"])
  }

  @Test func comments_endWithTheCondition() throws {
    #expect(try orders("`order` = 4 -- or more") == [4])
    #expect(try orders("`order` = 4 /* or more") == [4])
    #expect(try orders("`order` = 4 -- it's" && \.name == "50%") == [4])
    #expect(try samples.delete(where: "`order` = 4 -- AND 0") == 1)
  }

  @Test func orInRawText_staysInsideItsCondition() throws {
    try samples.softDelete(where: \.order == 4)
    #expect(try orders("`order` = 4 OR `order` = 5") == [5])
    #expect(try orders("`order` = 4 OR `order` = 5" && \.name == "none") == [])
    #expect(try orders(!"`order` = 4 OR `order` = 5") == [6, 7, 8, 9, 30])
    #expect(try samples.count(where: "0 OR 1", scope: .deleted) == 1)
  }

  // MARK: Values that can't be stored

  @Test func valueThatNoColumnHolds_throwsWhereItIsUsed() throws {
    struct Unstorable {}
    let conditions: [(XTCondition<Sample>, XTError.Kind)] = [
      (\.score == .nan, .valueOutOfRange), ("score > \(Double.nan)", .valueOutOfRange),
      ((\Sample.score).in([1, .nan]), .valueOutOfRange),
      ((\Sample.score).between(.nan, 1), .valueOutOfRange),
      (!(\.order == 1 || \.score < .nan), .valueOutOfRange),
      ("x = \(UInt64.max)", .valueOutOfRange), ("x = \(Decimal.nan)", .valueOutOfRange),
      ("x = \(Unstorable())", .unsupportedProperty),
      ("x IN \(list: [Unstorable()])", .unsupportedProperty),
    ]
    for (condition, kind) in conditions {
      let calls: [() throws -> Void] = [
        { _ = try samples.find(where: condition) }, { _ = try samples.count(where: condition) },
        { try samples.delete(where: condition, scope: .all) },
        { _ = try samples.max(of: \.order, where: condition) },
      ]
      for call in calls {
        let error = #expect(throws: XTError.self, "\(condition)") { try call() }
        #expect(error?.kind == kind, "\(condition)")
      }
    }
    #expect(try samples.count() == 7)
  }

  @Test func longChain_ofThousands_runs() throws {
    var all: XTCondition<Sample> = \.order > 0
    var any: XTCondition<Sample> = \.order == -1
    for number in 0..<5000 {
      all = all && "`order` != -5"
      any = any || (number % 2 == 0 ? "`order` = 4" : !"`order` = `order`")
    }
    #expect(try samples.count(where: all) == 7)
    #expect(try samples.count(where: any) == 1)
    #expect(try samples.count(where: !(all && any)) == 6)
  }
}
