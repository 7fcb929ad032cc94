import Foundation
import Testing

@testable import XTLite

private struct FuzzRow: XTModel {
  var pkid: Int64?
  var a = 0
  var b = 0
  var n: Int?
  var x = 0.0
  var s = ""
  var t: String?
}

/// Expressions made by chance, each with the text that a person would write who puts parentheses
/// around everything and values into it: both must give the same in each row.
@Suite struct ExpressionFuzzTests {
  /// The same numbers in each run.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 32) ^ (state << 32)
    }
  }

  private struct Maker {
    var dice: Dice

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }

    mutating func text() -> String {
      let parts = ["a", "B", "é", "%", "_", "'", "\"", "\\", "--", "`", "?", "上", " ", "\0", ""]
      return (0..<pick(4)).map { _ in parts[pick(parts.count)] }.joined()
    }

    mutating func integer() -> Int {
      [0, 1, -1, 2, 7, 100, -50, Int(Int32.max)][pick(8)]
    }

    static func literal(_ text: String) -> String { XTValue.text(text).sqlLiteral }

    mutating func number(_ depth: Int) -> (XTExpression<Int>, String) {
      if depth == 0 || pick(5) == 0 {
        switch pick(4) {
        case 0: return (FuzzRow.xt.a.xt_expression, "a")
        case 1: return (FuzzRow.xt.b.xt_expression, "b")
        default:
          let value = integer()
          return (XTExpression(value), "(\(value))")
        }
      }
      switch pick(17) {
      case 0: return both(depth, "+") { $0 + $1 }
      case 1: return both(depth, "-") { $0 - $1 }
      case 2: return both(depth, "*") { $0 * $1 }
      case 3: return both(depth, "&") { $0.bitAnd($1) }
      case 4: return both(depth, "|") { $0.bitOr($1) }
      case 5:
        let (operand, sql) = number(depth - 1)
        return (-operand, "(-\(sql))")
      case 6:
        let (operand, sql) = number(depth - 1)
        return (operand.bitNot(), "(~\(sql))")
      case 7:
        let (condition, test) = condition(depth - 1)
        let (one, oneSQL) = number(depth - 1)
        let (other, otherSQL) = number(depth - 1)
        return (
          XTCase(when: condition, then: one).else(other),
          "(CASE WHEN \(test) THEN \(oneSQL) ELSE \(otherSQL) END)"
        )
      case 8:
        let (text, sql) = string(depth - 1)
        return (text.length(), "length(\(sql))")
      case 9:
        let (one, oneSQL) = number(depth - 1)
        let (other, otherSQL) = number(depth - 1)
        return (XTSQLFunction.max(one, other), "max(\(oneSQL), \(otherSQL))")
      case 10:
        let value = integer()
        return (FuzzRow.xt.n.ifnull(value), "ifnull(n, \(value))")
      case 11: return both(depth, "/") { $0 / $1 }
      case 12: return both(depth, "%") { $0 % $1 }
      case 13: return both(depth, "<<") { $0.shiftedLeft($1) }
      case 14: return both(depth, ">>") { $0.shiftedRight($1) }
      case 15:
        let (operand, sql) = real(depth - 1)
        return (operand.cast(to: Int.self), "CAST(\(sql) AS INTEGER)")
      default:
        let (text, sql) = string(depth - 1)
        return (text.cast(to: Int.self), "CAST(\(sql) AS INTEGER)")
      }
    }

    private mutating func both(
      _ depth: Int, _ sign: String,
      _ join: (XTExpression<Int>, XTExpression<Int>) -> XTExpression<Int>
    ) -> (XTExpression<Int>, String) {
      let (left, leftSQL) = number(depth - 1)
      let (right, rightSQL) = number(depth - 1)
      return (join(left, right), "(\(leftSQL) \(sign) \(rightSQL))")
    }

    mutating func real(_ depth: Int) -> (XTExpression<Double>, String) {
      if depth == 0 || pick(5) == 0 {
        if pick(2) == 0 { return (FuzzRow.xt.x.xt_expression, "x") }
        let value = Double(integer()) / 4
        return (XTExpression(value), "(\(value))")
      }
      switch pick(7) {
      case 0: return both(depth, "+") { $0 + $1 }
      case 1: return both(depth, "-") { $0 - $1 }
      case 2: return both(depth, "*") { $0 * $1 }
      case 3: return both(depth, "/") { $0 / $1 }
      case 4:
        let (operand, sql) = real(depth - 1)
        return (-operand, "(-\(sql))")
      case 5:
        let (one, oneSQL) = real(depth - 1)
        let (other, otherSQL) = real(depth - 1)
        return (XTSQLFunction.min(one, other), "min(\(oneSQL), \(otherSQL))")
      default:
        let (number, sql) = number(depth - 1)
        return (number.cast(to: Double.self), "CAST(\(sql) AS REAL)")
      }
    }

    private mutating func both(
      _ depth: Int, _ sign: String,
      _ join: (XTExpression<Double>, XTExpression<Double>) -> XTExpression<Double>
    ) -> (XTExpression<Double>, String) {
      let (left, leftSQL) = real(depth - 1)
      let (right, rightSQL) = real(depth - 1)
      return (join(left, right), "(\(leftSQL) \(sign) \(rightSQL))")
    }

    mutating func string(_ depth: Int) -> (XTExpression<String>, String) {
      if depth == 0 || pick(4) == 0 {
        if pick(2) == 0 { return (FuzzRow.xt.s.xt_expression, "s") }
        let value = text()
        return (XTExpression(value), Self.literal(value))
      }
      switch pick(5) {
      case 0:
        let (left, leftSQL) = string(depth - 1)
        let (right, rightSQL) = string(depth - 1)
        return (left + right, "(\(leftSQL) || \(rightSQL))")
      case 1:
        let (text, sql) = string(depth - 1)
        return (text.upper(), "upper(\(sql))")
      case 2:
        let (text, sql) = string(depth - 1)
        return (text.substr(2, 3), "substr(\(sql), 2, 3)")
      case 3:
        let value = text()
        return (FuzzRow.xt.t.ifnull(value), "ifnull(t, \(Self.literal(value)))")
      default:
        let (number, sql) = number(depth - 1)
        return (number.cast(to: String.self), "CAST(\(sql) AS TEXT)")
      }
    }

    mutating func condition(_ depth: Int) -> (XTPredicate, String) {
      if depth == 0 {
        let value = integer()
        return (FuzzRow.xt.a > value, "(a > \(value))")
      }
      switch pick(19) {
      case 0: return compare(depth, "=") { $0 == $1 }
      case 1: return compare(depth, "!=") { $0 != $1 }
      case 2: return compare(depth, "<") { $0 < $1 }
      case 3: return compare(depth, ">=") { $0 >= $1 }
      case 4: return join(depth, "AND") { $0 && $1 }
      case 5: return join(depth, "OR") { $0 || $1 }
      case 6:
        let (test, sql) = condition(depth - 1)
        return (!test, "(NOT \(sql))")
      case 7:
        let (number, sql) = number(depth - 1)
        let (low, high) = (integer(), integer())
        return (number.between(low, high), "(\(sql) BETWEEN (\(low)) AND (\(high)))")
      case 8:
        let (number, sql) = number(depth - 1)
        let values = (0..<pick(4)).map { _ in integer() }
        return (
          number.in(values), "(\(sql) IN (\(values.map(String.init).joined(separator: ", "))))"
        )
      case 9:
        let (text, sql) = string(depth - 1)
        let pattern = self.text()
        return (
          text.like("%" + pattern.xt_escapedForLike + "%", escape: "\\"),
          "(\(sql) LIKE \(Self.literal("%" + pattern.xt_escapedForLike + "%")) ESCAPE '\\')"
        )
      case 10:
        let (left, leftSQL) = string(depth - 1)
        let (right, rightSQL) = string(depth - 1)
        return (left == right, "(\(leftSQL) = \(rightSQL))")
      case 11:
        return pick(2) == 0
          ? (FuzzRow.xt.n == nil, "(n IS NULL)") : (FuzzRow.xt.t != nil, "(t IS NOT NULL)")
      case 12: return compare(depth, "IS") { $0.is($1) }
      case 13: return compare(depth, "IS NOT") { $0.isNot($1) }
      case 14:
        let (number, sql) = number(depth - 1)
        return (FuzzRow.xt.n.is(number), "(n IS \(sql))")
      case 15:
        let (number, sql) = number(depth - 1)
        let values = (0..<pick(4)).map { _ in integer() }
        return (
          number.notIn(values),
          "(\(sql) NOT IN (\(values.map(String.init).joined(separator: ", "))))"
        )
      case 16:
        let (text, sql) = string(depth - 1)
        let (pattern, patternSQL) = string(depth - 1)
        return (text.glob("*" + pattern), "(\(sql) GLOB ('*' || \(patternSQL)))")
      case 17:
        let (left, leftSQL) = real(depth - 1)
        let (right, rightSQL) = real(depth - 1)
        return (left < right, "(\(leftSQL) < \(rightSQL))")
      default:
        let (number, sql) = number(depth - 1)
        return (FuzzRow.xt.n < number, "(n < \(sql))")
      }
    }

    private mutating func compare(
      _ depth: Int, _ sign: String, _ join: (XTExpression<Int>, XTExpression<Int>) -> XTPredicate
    ) -> (XTPredicate, String) {
      let (left, leftSQL) = number(depth - 1)
      let (right, rightSQL) = number(depth - 1)
      return (join(left, right), "(\(leftSQL) \(sign) \(rightSQL))")
    }

    private mutating func join(
      _ depth: Int, _ word: String, _ join: (XTPredicate, XTPredicate) -> XTPredicate
    ) -> (XTPredicate, String) {
      let (left, leftSQL) = condition(depth - 1)
      let (right, rightSQL) = condition(depth - 1)
      return (join(left, right), "(\(leftSQL) \(word) \(rightSQL))")
    }
  }

  @Test(arguments: 1...8) func expressions_giveWhatSQLiteGivesOfLiterals(seed: UInt64) throws {
    var maker = Maker(dice: Dice(state: seed))
    let sut = try TestDatabase()
    let table = sut.table(FuzzRow.self)
    try table.insertList(
      (0..<12).map { _ in
        FuzzRow(
          a: maker.integer(), b: maker.integer(), n: maker.pick(3) == 0 ? nil : maker.integer(),
          x: Double(maker.integer()) / 3, s: maker.text(),
          t: maker.pick(3) == 0 ? nil : maker.text())
      })
    let other = try sut.reader()
    defer { other.close() }
    func compare(_ node: SQLNode, _ sql: String) throws {
      // As a value of any kind, since numbers beyond 64 bits become reals.
      let typed = Result {
        try table.query().columns(XTExpression<XTValue>(node)).orderBy(.asc(\.pkid)).all()
      }
      let plain = Result {
        try other.rows("SELECT \(sql) FROM FuzzRow ORDER BY pkid").map { $0[0] }
      }
      switch (typed, plain) {
      case (.success(let typed), .success(let plain)): #expect(typed == plain, "\(sql)")
      case (.failure, .failure): break
      case (.failure(let error), _): Issue.record("\(sql): \(error)")
      case (_, .failure(let error)): Issue.record("\(sql): \(error)")
      }
    }
    for _ in 0..<150 {
      let (number, numberSQL) = maker.number(4)
      try compare(number.node, numberSQL)
      let (real, realSQL) = maker.real(4)
      try compare(real.node, realSQL)
      let (text, textSQL) = maker.string(4)
      try compare(text.node, textSQL)
      let (condition, conditionSQL) = maker.condition(4)
      try compare(condition.node, conditionSQL)
      let ids = try? other.rows("SELECT pkid FROM FuzzRow WHERE \(conditionSQL) ORDER BY pkid")
        .map { $0[0].int64 }
      guard let ids else { continue }
      #expect(
        try table.find(where: condition, orderBy: .asc(\.pkid)).map(\.pkid) == ids, "\(condition)")
      let parted = try table.query().where(condition).columns(FuzzRow.xt.pkid).all().count
      #expect(parted == ids.count)
    }
  }
}
