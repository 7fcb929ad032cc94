import Foundation
import Testing

@testable import XTLite

private struct PagedCountry: XTModel, Equatable {
  var code = ""
  var name = ""
  var people: Int?

  static var xt_tableName: String { "Country" }
  static var xt_primaryKey: XTKeyPaths { [\PagedCountry.code] }
  static var xt_indexes: [XTIndex] { [XTIndex(\PagedCountry.name), XTIndex(\PagedCountry.people)] }
}

private struct PagedSeat: XTModel, Equatable {
  var row = 0
  var number = 0
  var price = Decimal()

  static var xt_tableName: String { "Seat" }
  static var xt_primaryKey: XTKeyPaths { [\PagedSeat.row, \PagedSeat.number] }
}

private struct PagedNote: XTModel, Equatable {
  var pkid: Int64?
  var title = ""
  var rank: Int?

  static var xt_tableName: String { "Note" }
  static var xt_indexes: [XTIndex] { [XTIndex(\PagedNote.title), XTIndex(\PagedNote.rank)] }
}

private struct PagedNameless: XTModel {
  var pkid: Int64?
  var code = ""

  static var xt_tableName: String { "Country" }
}

@Suite struct PagesTests {
  let sut: TestDatabase

  init() throws { sut = try TestDatabase() }

  private func walk<Model: XTModel>(
    _ query: XTQuery<Model, Model>, by size: Int = 2
  ) throws -> [Model] {
    var all: [Model] = []
    var last: Model?
    while all.count < 1_000 {
      let page = try query.page(size, after: last)
      #expect(page.count <= size)
      all += page
      guard page.count == size, let end = page.last else { break }
      last = end
    }
    return all
  }

  private func countries(_ isWithoutRowID: Bool) throws -> XTTable<PagedCountry> {
    if isWithoutRowID {
      try sut.outside(
        "CREATE TABLE Country (code TEXT PRIMARY KEY, name TEXT NOT NULL, people INTEGER)"
          + " WITHOUT ROWID")
    }
    let table = sut.table(PagedCountry.self)
    try table.insertList(
      (0..<9).map {
        PagedCountry(code: "c\($0)", name: "n\($0 % 3)", people: $0 % 4 == 0 ? nil : $0 % 2)
      })
    return table
  }

  @Test(arguments: [false, true])
  func pages_ofAModelWithAKeyOfItsOwn_goByIt(isWithoutRowID: Bool) throws {
    let table = try countries(isWithoutRowID)
    let query = table.query()
    let queries = [
      query, query.orderBy(.asc(\.name)), query.orderBy(.desc(\.name)),
      query.orderBy(.asc(\.people)), query.orderBy(.desc(\.people)),
      query.orderBy(.asc(\.people, nulls: .last)), query.orderBy(.desc(\.people, nulls: .first)),
      query.orderBy(.asc(\.name), .desc(\.people)), query.orderBy(.desc(\.name), .desc(\.people)),
      query.orderBy(.desc(\.people), .asc(\.code)), query.orderBy(.desc(\.code)),
    ]
    for query in queries {
      for size in [1, 2, 4, 100] {
        let isDescending = query.parts.orders.last?.isDescending ?? false
        let whole = try query.orderBy(isDescending ? .desc(\.code) : .asc(\.code)).all()
        #expect(try walk(query, by: size) == whole)
      }
    }
  }

  @Test func pages_ofACompositeKey_goByAllOfIt() throws {
    let table = sut.table(PagedSeat.self)
    try table.insertList((0..<12).map { PagedSeat(row: $0 / 4, number: $0 % 4, price: 1) })
    let all = try table.findAll(orderBy: .asc(\.row), .asc(\.number))
    #expect(try walk(table.query(), by: 5) == all)
    #expect(try walk(table.query().orderBy(.asc(\.price)), by: 5) == all)
    #expect(try walk(table.query().orderBy(.desc(\.number)), by: 5).count == 12)
    let sql = try table.query().after(all[4]).sql
    #expect(
      sql.hasSuffix(
        "WHERE (`row`, `number`) > (?, ?) AND `xt_isDel` = 0 ORDER BY `row` ASC, `number` ASC"))
  }

  @Test func pages_ofAQueryThatHasNone_areRefusedFromTheFirst() throws {
    let table = try countries(false)
    let limited = #expect(throws: XTError.self) { try table.query().limit(1).page(3) }
    #expect(limited?.hint?.contains("limit") == true)
    #expect(throws: XTError.self) { try table.query().groupBy(PagedCountry.xt.name).page(3) }
    #expect(throws: XTError.self) {
      try table.query().orderBy(.asc(PagedCountry.xt.name.lower())).page(3)
    }
  }

  @Test func pages_ofATableWithoutNumbers_sayWhatIsMissing() throws {
    _ = try countries(true)
    let error = schemaError { _ = try sut.table(PagedNameless.self).query().page(2) }
    #expect(error?.kind == .noIdentity)
    #expect(error?.hint?.contains("xt_primaryKey") == true)
  }

  @Test func pages_seekInTheIndex() throws {
    let notes = sut.table(PagedNote.self)
    try notes.insertList((0..<50).map { PagedNote(title: "t\($0 % 5)", rank: $0 % 3) })
    let row = PagedNote(pkid: 7, title: "t2", rank: 1)
    let query = notes.query()
    for sorted in [
      query.orderBy(.asc(\.title)), query.orderBy(.desc(\.title)),
      query.orderBy(.asc(\.title), .desc(\.rank)), query.orderBy(.desc(\.title), .asc(\.rank)),
      query.orderBy(.asc(\.rank)), query.orderBy(.asc(\.rank), .desc(\.title)),
    ] {
      let plan = try sorted.after(row).limit(10).explain()
      #expect(
        plan.contains { $0.hasPrefix("SEARCH") && $0.contains("_") && $0.contains("INDEX") },
        "\(plan)")
    }
    // What is NULL stands behind: another statement, so that each can seek.
    var count = 0
    let statements = try sut.statements {
      count = try query.orderBy(.desc(\.rank)).page(40, after: row).count
    }
    #expect(count > 10)
    let plans = try statements.filter { $0.hasPrefix("SELECT") }.map {
      try sut.seen("EXPLAIN QUERY PLAN " + $0.replacingOccurrences(of: "?", with: "1")).joined()
    }
    #expect(plans.count == 2)
    #expect(plans.allSatisfy { $0.contains("SEARCH") && $0.contains("INDEX") }, "\(plans)")
  }
}
