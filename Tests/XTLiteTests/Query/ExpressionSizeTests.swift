import Foundation
import Testing

@testable import XTLite

/// Very deep and very wide expressions are written, or are errors; they never end the process.
@Suite struct ExpressionSizeTests {
  private typealias M = TypedMessage
  let sut: TestDatabase
  private var messages: XTTable<TypedMessage> { sut.table(TypedMessage.self) }

  init() throws { sut = try .typed() }

  private func message(_ condition: XTPredicate) -> String? {
    schemaError { _ = try messages.count(where: condition) }?.message
  }

  @Test func conditionsInExpressionsInConditions_areTooDeepTogether() throws {
    var condition = M.xt.age > 0
    for _ in 0..<400 {
      for step in 0..<190 {
        condition = step.isMultiple(of: 2) ? condition && M.xt.age > 1 : condition || M.xt.age > 2
      }
      condition = XTSQLFunction.iif(condition, M.xt.flag, else: M.xt.flag)
    }
    #expect(message(condition)?.contains("levels deep") == true)
    var chosen = XTExpression(M.xt.age.node) as XTExpression<Int>
    for _ in 0..<100_000 { chosen = XTSQLFunction.iif(chosen > 1, chosen, else: M.xt.age) }
    #expect(message(chosen > 1) != nil)
  }

  @Test func chains_of100_000_areWrittenOrErrors() throws {
    var (all, any) = (M.xt.age > 0, M.xt.age > 100)
    var sum = M.xt.age + 1
    var query = messages.query()
    for number in 0..<100_000 {
      all = all && M.xt.age > -number
      any = any || M.xt.age > 100 + number
      sum = sum + 1
      if number < 2_000 { query = query.where(M.xt.age >= 0) }
    }
    #expect(any.values.count == 100_001)
    #expect(all.values.count == 100_001)
    #expect(message(sum > 1)?.contains("levels deep") == true)
    #expect(try query.count() == 3)
  }

  @Test func aPartThatIsUsedTwice_againAndAgain_isTooLarge() throws {
    var sum = M.xt.age + 1
    var both = M.xt.age > 0
    var price = M.xt.price + 1
    for number in 0..<200 {
      sum = sum + sum
      both = both && both
      // SQLite's own parser takes fewer than a hundred.
      if number < 20 { price = price.abs() }
    }
    #expect(message(sum > 1)?.contains("parts") == true)
    #expect(message(both)?.contains("parts") == true)
    #expect(try messages.count(where: price > 0) == 3)
  }

  // MARK: Long chains of one column

  @Test func chainOfEqualities_upTo50_isWrittenAsItIs() {
    let chain = (1..<50).map { M.xt.age == $0 }.reduce(M.xt.age == 0, ||)
    #expect(chain.sql.contains("`age` = ? OR `age` = ?"))
    #expect(!chain.sql.contains("IN"))
    #expect(chain.values.count == 50)
  }

  @Test func longerChain_isAList() throws {
    let chain = (1..<60).map { M.xt.age == $0 }.reduce(M.xt.age == 0, ||)
    #expect(chain.sql.hasPrefix("`age` IN (?, ?"))
    #expect(chain.values == (0..<60).map { .integer(Int64($0)) })
    #expect(try messages.count(where: chain) == 3)
    let mixed = chain || M.xt.city == "Rome" || M.xt.content.isNull
    #expect(mixed.sql.hasSuffix(") OR `city` = ? OR `content` IS NULL"))
    #expect(try messages.count(where: M.xt.flag == true && mixed) == 1)
    let keyPaths = (0..<60).dropFirst().map { XTCondition<TypedMessage>(M.xt.age == $0) }
      .reduce(\.age == 0, ||)
    #expect(keyPaths.sql.hasPrefix("`age` IN ("))
  }

  @Test func longChains_keepWhatNullMeans() throws {
    let texts = (0..<60).map { "t\($0)" }
    let isOne = texts.dropFirst().map { M.xt.content == $0 }.reduce(M.xt.content == "t0", ||)
    let isNone = texts.dropFirst().map { M.xt.content != $0 }.reduce(M.xt.content != "t0", &&)
    #expect(isNone.sql.hasPrefix("`content` NOT IN ("))
    #expect(try messages.count(where: isOne) == 0)
    #expect(try messages.count(where: isNone) == 2)
    #expect(try messages.count(where: !isOne) == 2)
    #expect(try messages.count(where: isOne || M.xt.content == nil) == 1)
    let prices = (0..<60).map { M.xt.price == Decimal($0) }.reduce(M.xt.price == 9.5, ||)
    try sut.outside("UPDATE Message SET price = '10.00' WHERE price = '10'")
    #expect(prices.sql.contains("COLLATE xt_decimal IN ("))
    #expect(try messages.count(where: prices) == 2)
  }

  @Test func chainOf30_000Equalities_isOneValue() throws {
    let chain = (0..<30_000).map { M.xt.age == $0 }.reduce(M.xt.age == -1, ||)
    #expect(chain.values.count == 1)
    #expect(try messages.count(where: chain) == 3)
  }
}
