import Foundation
import Testing
import XTLite

@Suite struct OrderByTests {
  private let samples = [
    Sample("b", 1), Sample("a", 2) { $0.nick = "x" }, Sample("c", 1) { $0.nick = "w" },
    Sample("d", 2),
  ]

  @Test func orderBy_keepsTheOrderOfEquals_inBothDirections() {
    #expect(samples.xt_orderBy(\.order).map(\.name) == ["b", "c", "a", "d"])
    #expect(samples.xt_orderBy(\.order, descending: true).map(\.name) == ["a", "d", "b", "c"])
    #expect(samples.map(\.name) == ["b", "a", "c", "d"])
    let many = (0..<1000).map { Sample("\($0)", $0 % 3) }
    let sorted = many.xt_orderBy(\.order)
    #expect(sorted.map(\.order) == sorted.map(\.order).sorted())
    let zeros = sorted.filter { $0.order == 0 }.compactMap { Int($0.name) }
    #expect(zeros == zeros.sorted())
  }

  @Test func orderBy_nil_comesBeforeAllElse_asInSQL() throws {
    #expect(samples.xt_orderBy(\.nick).map(\.name) == ["b", "d", "c", "a"])
    #expect(samples.xt_orderBy(\.nick, descending: true).map(\.name) == ["a", "c", "b", "d"])
    let test = try TestDatabase()
    let table = test.table(Sample.self)
    try table.insertList(samples)
    #expect(
      try table.findAll(orderBy: .asc(\.nick), .asc(\.pkid)).map(\.name)
        == samples.xt_orderBy(\.nick).map(\.name))
  }

  @Test func orderBy_anythingComparable_works() {
    #expect(samples.xt_orderBy(\.name).map(\.name) == ["a", "b", "c", "d"])
    #expect(samples.xt_orderBy(\.draft).count == 4)
    #expect([Sample]().xt_orderBy(\.name).isEmpty)
  }
}
