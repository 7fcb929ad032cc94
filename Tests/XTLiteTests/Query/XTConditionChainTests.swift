import Foundation
import Testing

@testable import XTLite

private func depth(of text: String) -> Int {
  var depth = 0
  var deepest = 0
  for byte in text.utf8 {
    if byte == UInt8(ascii: "(") { depth += 1 }
    if byte == UInt8(ascii: ")") { depth -= 1 }
    deepest = max(deepest, depth)
  }
  return deepest
}

private func numbers(_ range: Range<Int>) -> [PersonCondition] {
  range.map { \QueryPerson.age == $0 }
}

private func integers(_ range: Range<Int>) -> [XTValue] {
  range.map { .integer(Int64($0)) }
}

/// The levels of SQLite's expression tree: a flat chain has one for each of its connectives.
private func height(of text: String) -> Int {
  struct Level { var operators = 0, deepest = 0 }
  var levels = [Level()]
  func close(_ level: Level) -> Int { level.operators + level.deepest }
  var word = ""
  for character in text + " " {
    switch character {
    case "(": levels.append(Level())
    case ")":
      let inner = close(levels.removeLast())
      levels[levels.count - 1].deepest = max(levels[levels.count - 1].deepest, inner)
    case " ":
      if word == "OR" || word == "AND" { levels[levels.count - 1].operators += 1 }
    default: break
    }
    word = character.isLetter ? word + String(character) : ""
  }
  return close(levels[0])
}

@Suite struct XTConditionChainTests {
  @Test func chain_upTo32_isFlat() {
    let sut = numbers(0..<32).dropFirst().reduce(numbers(0..<1)[0], ||)
    #expect(sut.sql == Array(repeating: "`age` = ?", count: 32).joined(separator: " OR "))
  }

  @Test(arguments: [33, 1_000, 5_000, 33_000])
  func longChain_isBalanced_andKeepsItsOrder(count: Int) throws {
    let parts = (0..<count).map { \QueryPerson.age > $0 }
    let sut = try parts.dropFirst().reduce(parts[0], ||).resolved()
    #expect(sut.values == integers(0..<count))
    #expect(height(of: sut.text) < 200)
    #expect(depth(of: sut.text) <= 3)
    #expect(sut.text.count(where: { $0 == "?" }) == count)
  }

  @Test func longChain_builtFromTheEnd_isBalanced() throws {
    let parts = numbers(0..<5_000)
    let sut = try parts.dropLast().reversed().reduce(parts[4_999]) { $1 && $0 }.resolved()
    #expect(sut.values == integers(0..<5_000))
    #expect(height(of: sut.text) < 200)
  }

  @Test func longChains_joined_areOneChain() throws {
    func chain(_ range: Range<Int>) -> PersonCondition {
      numbers(range).dropFirst().reduce(numbers(range)[0], &&)
    }
    let sut = try (chain(0..<1_000) && chain(1_000..<1_003) && chain(1_003..<3_000)).resolved()
    #expect(sut.values == integers(0..<3_000))
    #expect(height(of: sut.text) < 200)
  }

  @Test func longChain_growsInProportion() {
    func time(_ count: Int) -> Duration {
      let parts = numbers(0..<count)
      // The best of several: what else the machine does must not count.
      return (0..<5).map { _ in
        ContinuousClock().measure { _ = parts.dropFirst().reduce(parts[0], &&).sql }
      }.min() ?? .zero
    }
    _ = time(1_000)
    // Quadratic growth would give 256.
    #expect(time(64_000) < time(4_000) * 100)
  }

  @Test func earlierValue_ofAGrowingChain_staysAsItWas() {
    let short: PersonCondition = \.age == 1 && \.age == 2
    let long = short && \.age == 3
    let other = short && \.age == 4
    #expect(short.values == integers(1..<3))
    #expect(long.values == integers(1..<4))
    #expect(other.values == [.integer(1), .integer(2), .integer(4)])
  }

  @Test func alternation_withoutEnd_isAnErrorAndNoCrash() throws {
    var sut: PersonCondition = \.age == 0
    for number in 0..<20_000 {
      sut = number.isMultiple(of: 2) ? sut && \.age == number : sut || \.age == number
    }
    let error = #expect(throws: XTError.self) { try sut.resolved() }
    #expect(error?.message.contains("levels deep") == true)
  }

  @Test func negation_repeated_isNoNesting() throws {
    var sut: PersonCondition = \.age == 0
    for _ in 0..<100_001 { sut = !sut }
    #expect(try sut.resolved().text == "NOT (`age` = ?)")
  }
}
