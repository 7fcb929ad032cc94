import Foundation
import Testing

@testable import XTLite

private struct ScannedRow: XTModel {
  var pkid: Int64?
  var number = 0
  var kept = 0
  var text: String?

  static var xt_indexes: [XTIndex] { [XTIndex(\ScannedRow.kept)] }
}

@Suite struct FullScanTests {
  let sut: TestDatabase

  init() throws {
    sut = try TestDatabase()
    try sut.table(ScannedRow.self).insertList(
      (0..<FullScan.fewRows).map { ScannedRow(number: $0, kept: $0) })
  }

  /// Others may be told of meanwhile, such as many connections.
  private func scans(_ ears: Ears) -> [XTWarning] {
    ears.take().warnings.filter { if case .fullScan = $0 { true } else { false } }
  }

  private var table: XTTable<ScannedRow> { sut.table(ScannedRow.self) }

  @Test func scan_ofALargeTable_isWarnedOf() throws {
    let ears = Ears(sut, .warnings)
    let query = table.query().where(ScannedRow.xt.number == 7)
    _ = try query.all()
    let warning = try #require(scans(ears).first)
    guard case .fullScan(let name, let rows, let sql) = warning else {
      Issue.record("\(warning)")
      return
    }
    #expect(name == "ScannedRow")
    #expect(rows == FullScan.fewRows)
    #expect(sql.contains("WHERE `number` = ?"))
    #expect("\(warning)".contains("index"))
    // Once for a query that is kept.
    _ = try query.all()
    #expect(scans(ears).isEmpty)
  }

  @Test func query_thatAnIndexServesOrThatAsksForAll_isNotWarnedOf() throws {
    let ears = Ears(sut, .warnings)
    _ = try table.query().where(ScannedRow.xt.kept == 7).all()
    _ = try table.query().where(ScannedRow.xt.pkid == 7).all()
    _ = try table.query().count()
    _ = try table.query().where(ScannedRow.xt.number + 1 == 7 && ScannedRow.xt.kept > 1000).first()
    try table.delete(where: ScannedRow.xt.number > 100)
    try table.insert(into: \.number, from: table.query().columns(ScannedRow.xt.number + 1).limit(1))
    #expect(scans(ears).isEmpty)
  }

  @Test(arguments: [
    ScannedRow.xt.text.like("%9%"), ScannedRow.xt.number != 5, ScannedRow.xt.text.isNotNull,
    ScannedRow.xt.number.notIn([1]), ScannedRow.xt.text.glob("*9"), ScannedRow.xt.text.regexp("9$"),
    !(ScannedRow.xt.number == 5), ScannedRow.xt.number == 5 || ScannedRow.xt.text.like("%9%"),
  ])
  func test_thatNoIndexCouldFollow_isNotWarnedOf(condition: XTPredicate) throws {
    let ears = Ears(sut, .warnings)
    _ = try table.query().where(condition).count()
    #expect(scans(ears).isEmpty)
    _ = try table.query().where(condition && ScannedRow.xt.number.between(1, 2)).count()
    #expect(scans(ears).count == 1)
  }

  @Test(arguments: [
    ScannedRow.xt.number == 5, ScannedRow.xt.number.in([1, 2]), ScannedRow.xt.text.isNull,
    ScannedRow.xt.number == 5 || ScannedRow.xt.text == "a", ScannedRow.xt.text.is("a"),
  ])
  func test_thatAnIndexCouldFollow_isWarnedOf(condition: XTPredicate) throws {
    let ears = Ears(sut, .warnings)
    _ = try table.query().where(condition).count()
    #expect(scans(ears).count == 1)
  }

  @Test func verb_isWarnedOfOnceForItsStatement() throws {
    let ears = Ears(sut, .warnings)
    let verbs: [() throws -> Void] = [
      { _ = try table.find(where: \.number == 7) },
      { _ = try table.findFirst(where: \.number == 7 && \.number < 9) },
      { _ = try table.count(where: \.number == 7) }, { _ = try table.has(where: \.number == -1) },
      { _ = try table.max(of: \.number, where: \.number > 7) },
      { _ = try table.select(\.kept, where: \.number == 7) },
      { try table.forEach(where: \.number == 8 && \.pkid != nil) { _ in } },
    ]
    for (index, verb) in verbs.enumerated() {
      try verb()
      #expect(scans(ears).count == 1, "\(index)")
    }
    _ = try table.find(where: \.number == 8)
    _ = try table.find(where: \.kept == 8)
    _ = try table.count()
    #expect(scans(ears).isEmpty)
  }

  @Test func joinedTable_thatIsReadWhole_isWarnedOf() throws {
    let ears = Ears(sut, .warnings)
    let other = ScannedRow.xt.as("other")
    // By an index on the one side, and without one on the other.
    _ = try table.query().join(other, on: other.number == ScannedRow.xt.kept)
      .where(ScannedRow.xt.pkid == 7).count()
    #expect(scans(ears).count == 1)
    _ = try table.query().join(other, on: other.kept == ScannedRow.xt.number)
      .where(ScannedRow.xt.pkid > 7).count()
    #expect(scans(ears).isEmpty)
    _ = try table.query().join(other, on: other.kept == ScannedRow.xt.number)
      .where(ScannedRow.xt.pkid == 7).count()
    #expect(scans(ears).isEmpty)
    _ = try table.query().join(other, on: other.kept == ScannedRow.xt.kept)
      .where(other.number == 7).count()
    #expect(scans(ears).count == 1)
    // Each row of one table is asked for.
    _ = try table.query().join(other, on: other.kept == ScannedRow.xt.kept).count()
    #expect(scans(ears).isEmpty)
  }
}
