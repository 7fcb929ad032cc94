import Foundation
import Testing

@testable import XTLite

/// Pages behind a hit, with writes between them.
@Suite struct SearchPageTests {
  private static let engines: [any Paged.Type] =
    isFTS5 ? [SearchPaged.self, SearchPaged4.self] : [SearchPaged4.self]

  @Test(arguments: engines.indices, 0..<4)
  func pages_betweenWhichRowsAreWritten_giveEachHitOnce(engine: Int, write: Int) throws {
    try pages(Self.engines[engine], write)
  }

  private func pages<Model: Paged>(_ type: Model.Type, _ write: Int) throws {
    let test = try TestDatabase()
    let table = test.table(type)
    // Three of each length: equal ranks are in the order of their numbers.
    try table.insertList(
      (0..<60).map { Model.of("word number\($0)" + String(repeating: " x", count: $0 / 3)) })
    try table.insertList((0..<200).map { Model.of("another row \($0)") })
    var found: [Int64] = []
    var last: XTHit<Model>?
    while true {
      let page = try table.search("word", limit: 7, after: last)
      if page.isEmpty { break }
      #expect(page.map(\.rank) == page.map(\.rank).sorted())
      found += page.compactMap(\.model.pkid)
      last = page.last
      switch write {
      case 0: try table.insertList((0..<50).map { Model.of("other words of row \($0)") })
      case 1 where found.count < 60:
        try table.insertList([Model.of("word"), Model.of("a word x y")])
      case 2: try table.insertList([Model.of(String(repeating: "a long text ", count: 300))])
      // Rows that the words don't find, and those that were given, but for the last.
      default:
        try table.delete(where: \.pkid > 60 && \.pkid <= Int64(60 + found.count))
        try table.delete(where: (\Model.pkid).in(found.dropLast().map { $0 }))
      }
    }
    #expect(found.count == Set(found).count, "one came twice: \(found)")
    #expect(Set(found).isSuperset(of: 1...60), "one is missing: \(found)")
  }

  @Test(arguments: engines.indices)
  func page_behindARowThatIsNoHitAnyMore_goesOnAtItsRank(engine: Int) throws {
    try behindNoHit(Self.engines[engine])
  }

  private func behindNoHit<Model: Paged>(_ type: Model.Type) throws {
    let test = try TestDatabase()
    let table = test.table(type)
    try table.insertList(
      (0..<20).map { Model.of("word" + String(repeating: " x", count: $0 * 3)) })
    try table.insertList((0..<500).map { Model.of("ten words that do not say it, in row \($0)") })
    let page = try table.search("word", limit: 5)
    #expect(page.compactMap(\.model.pkid) == [1, 2, 3, 4, 5])
    try table.update(where: \.pkid == 5, .set(\.text, to: "another"))
    #expect(try table.search("word", limit: 2, after: page.last).map(\.model.pkid) == [6, 7])
    try table.delete(where: \.pkid == 5)
    #expect(try table.search("word", limit: 2, after: page.last).map(\.model.pkid) == [6, 7])
    // A condition takes no row out of the index.
    #expect(
      try table.search("word", where: \.pkid != 3, after: page[2]).first?.model.pkid == 4)
    try table.softDelete(where: \.pkid == 8)
    let hit = try #require(try table.search("word", scope: .deleted).first)
    #expect(try table.search("word", limit: 1, after: hit).map(\.model.pkid) == [9])
  }

  @Test func pages_ofWhatARowDoesNotHave_goByItsNumber() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPaged4.self)
    try table.insertList((0..<20).map { SearchPaged4(text: $0 % 2 == 0 ? "word" : "x \($0)") })
    let page = try table.search(query: .not("word"), limit: 3)
    try table.insertList([SearchPaged4(text: "last")])
    let rest = try table.search(query: .not("word"), after: page.last)
    #expect((page + rest).map(\.model.pkid) == [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21])
  }

  @Test func pages_ofAScan_goByTheRowsNumber() throws {
    guard isFTS5, SQLiteLibrary.versionNumber >= 3_034_000 else { return }
    let test = try TestDatabase()
    let table = test.table(SearchTrigram.self)
    try table.insertList((0..<20).map { SearchTrigram(text: "ab \($0)") })
    let page = try table.search("ab", limit: 3)
    try table.insertList([SearchTrigram(text: "ab last"), SearchTrigram(text: "x")])
    try table.delete(where: "pkid IN (1, 3)")
    let rest = try table.search("ab", after: page.last)
    #expect((page + rest).map(\.model.text) == (0..<20).map { "ab \($0)" } + ["ab last"])
  }
}

private protocol Paged: XTModel {
  var pkid: Int64? { get set }
  var text: String { get set }
}

extension Paged {
  static func of(_ text: String) -> Self {
    var model = Self()
    model.text = text
    return model
  }
}

private struct SearchPaged: Paged {
  var pkid: Int64?
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchPaged.text]) }
}

private struct SearchPaged4: Paged {
  var pkid: Int64?
  var text = ""
  static var xt_search: XTSearch {
    var search = XTSearch([\SearchPaged4.text])
    search.engine = .fts4
    return search
  }
}
