import Foundation
import Testing

@testable import XTLite

private func resolve(
  _ assignments: XTAssignment<QueryPerson>...
) throws -> [XTAssignment<QueryPerson>.Resolved] {
  try assignments.map { try $0.resolved() }
}

private struct QueryNumbers: XTModel {
  var tiny: Int8 = 0
  var byte: UInt8 = 0
  var large: UInt64 = 0
  var single: Float = 0
  var number = 0
}

@Suite struct XTAssignmentTests {
  @Test func set_bindsTheValue() throws {
    let sut = try resolve(.set(\.nick, to: nil), .set(\.nick, to: "x"), .set(\.kind, to: .admin))
    #expect(
      sut.map(\.fragment) == [
        SQLFragment("`nick` = ?", [.null]), SQLFragment("`nick` = ?", [.text("x")]),
        SQLFragment("`kind` = ?", [.integer(2)]),
      ])
    #expect(sut.map(\.column.name) == ["nick", "nick", "kind"])
    #expect(sut.allSatisfy { $0.leavesRange == nil })
  }

  @Test func set_valueThatCannotBeStored_isThrownWhereUsed() {
    let error = #expect(throws: XTError.self) { try resolve(.set(\.score, to: .nan)) }
    #expect(error?.kind == .valueOutOfRange)
    #expect(error?.column == "score")
    #expect(throws: XTError.self) { try resolve(.set(\.initials, to: "x")) }
  }

  @Test func add_toIntegers_movesTheBound() throws {
    let sut = try resolve(.add(\.level, 3), .add(\.age, -1), .add(\.count, 1), .add(\.age, 0))
    #expect(sut[0].fragment == SQLFragment("`level` = `level` + ?", [.integer(3)]))
    #expect(sut[0].leavesRange == SQLFragment("`level` > ?", [.integer(252)]))
    #expect(sut[1].leavesRange == SQLFragment("`age` < ?", [.integer(.min + 1)]))
    #expect(sut[2].leavesRange == SQLFragment("`count` > ?", [.integer(.max - 1)]))
    #expect(sut[3].leavesRange == nil)
  }

  @Test func add_toSmallTypes_knowsTheirRange() throws {
    typealias Assignment = XTAssignment<QueryNumbers>
    #expect(
      try Assignment.add(\.tiny, -100).resolved().leavesRange
        == SQLFragment("`tiny` < ?", [.integer(-28)]))
    #expect(
      try Assignment.add(\.large, 1).resolved().leavesRange
        == SQLFragment("`large` > ?", [.integer(.max - 1)]))
    #expect(
      try Assignment.add(\.number, .min).resolved().leavesRange
        == SQLFragment("`number` < ?", [.integer(0)]))
    #expect(throws: XTError.self) { try Assignment.add(\.large, .max).resolved() }
  }

  @Test func add_toReals_refusesWhatIsNoNumber() throws {
    let sut = try resolve(.add(\.score, 1.5), .add(\.rate, -1))
    #expect(sut[0].fragment == SQLFragment("`score` = `score` + ?", [.real(1.5)]))
    #expect(sut[0].leavesRange?.text == "(`score` IS NOT NULL AND `score` + ? IS NULL)")
    #expect(sut[1].fragment.values == [.real(-1)])
    let single = try XTAssignment<QueryNumbers>.add(\.single, 1).resolved()
    #expect(single.leavesRange?.values.count == 4)
    #expect(throws: XTError.self) { try resolve(.add(\.score, .nan)) }
  }

  @Test func add_toDecimal_isExact() throws {
    let sut = try resolve(.add(\.price, 1.1))
    #expect(sut[0].fragment == SQLFragment("`price` = xt_decimal_add(`price`, ?)", [.text("1.1")]))
  }

  @Test func sum_ofDecimals_isExactOrNull() {
    #expect(DecimalSum.sum(.text("0.1"), .text("0.2")) == .text("0.3"))
    #expect(DecimalSum.sum(.text("1.50"), .integer(-1)) == .text("0.5"))
    #expect(
      DecimalSum.sum(.text("12345678901234567890.01"), .text("0.01"))
        == .text("12345678901234567890.02"))
    #expect(DecimalSum.sum(.null, .text("1")) == .null)
    #expect(DecimalSum.sum(.text("x"), .text("1")) == .null)
    #expect(DecimalSum.sum(.text("1e120"), .text("1e-120")) == .null)
  }
}
