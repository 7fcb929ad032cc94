import Foundation
import Testing

@testable import XTLite

/// Queries that mean the same whatever answers them, and what the one of them can't take.
@Suite struct SearchQueryTests {
  @Test func propertyInsideOfAnother_isFoundInNone() throws {
    let test = try TestDatabase()
    if isFTS5 { try nested(test, SearchTwo.self) }
    try nested(test, SearchTwo4.self)
    if isFTS5, SQLiteLibrary.versionNumber >= 3_034_000 { try nested(test, SearchTwoParts.self) }
  }

  private func nested<Model: TwoTexts>(_ test: TestDatabase, _ type: Model.Type) throws {
    let table = test.table(type)
    for texts in [("apple ab", "pie cd"), ("pie cd", "apple ab"), ("plum", "plum")] {
      var model = Model()
      (model.first, model.second) = texts
      try table.insert(&model)
    }
    func found(_ query: XTSearchQuery) throws -> Set<Int64> {
      let hits = try table.search(query: query)
      #expect(try table.searchCount(query: query) == hits.count)
      for hit in hits { _ = hit.highlight(\.first) + hit.snippet(\.second) }
      return Set(hits.compactMap(\.model.pkid))
    }
    func first(_ part: XTSearchQuery) -> XTSearchQuery { .in(\Model.first, part) }
    func second(_ part: XTSearchQuery) -> XTSearchQuery { .in(\Model.second, part) }
    // Two letters are what trigrams don't have.
    for word in ["apple", "ab"] as [XTSearchQuery] {
      #expect(try found(first(word)) == [1])
      #expect(try found(first(first(word))) == [1])
      #expect(try found(second(first(word))) == [])
      #expect(try found(second(first(word)) || "pie") == [1, 2])
      #expect(try found("pie" || second(first(word))) == [1, 2])
      #expect(try found("pie" && second(first(word))) == [])
      #expect(try found(second(first(word) || "pie")) == [1])
      #expect(try found(second(.not(first(word)))) == [1, 2, 3])
      #expect(try found("pie" && .not(second(first(word)))) == [1, 2])
      #expect(try found(second(first(word && "pie"))) == [])
    }
    #expect(try found(second(first(.near("apple", "pie")))) == [])
    #expect(try found(second(first("apple" || "pie"))) == [])
    #expect(try found(second(first(""))) == [])
  }

  @Test func near_withinAnyNumber_isFound() throws {
    let test = try TestDatabase()
    func check<Model: TwoTexts>(_ type: Model.Type) throws {
      var model = Model()
      model.first = "apple and pie"
      try test.table(type).insert(&model)
      for distance in [1, 1_000_000, Int(Int32.max), .max] {
        let query = XTSearchQuery.near("apple", "pie", within: distance)
        #expect(try test.table(type).searchCount(query: query) == 1, "\(distance)")
      }
      #expect(throws: XTError.self) {
        try test.table(type).search(query: .near("apple", "pie", within: -1))
      }
    }
    if isFTS5 { try check(SearchTwo.self) }
    try check(SearchTwo4.self)
  }

  @Test func fts4_moreWordsThanItTakes_isAnErrorThatSaysSo() throws {
    let test = try TestDatabase()
    let table = test.table(SearchTwo4.self)
    var model = SearchTwo4()
    model.first = "w1 w2 w5000"
    try table.insert(&model)
    let words = (1...5_000).map { "w\($0)" }
    #expect(try table.searchCount(query: .any(words.prefix(4_095).map { .words($0) })) == 1)
    #expect(try table.searchCount(words.prefix(4_095).joined(separator: " ")) == 0)
    let tooMany: [() throws -> Void] = [
      { _ = try table.search(words.joined(separator: " ")) },
      { _ = try table.searchCount(words.prefix(4_096).joined(separator: " ")) },
      { _ = try table.search(query: .any(words.map { .words($0) })) },
      { _ = try table.search(raw: words.joined(separator: " OR ")) },
      {
        let near = words.prefix(14).map { "\"\($0)\"" }.joined(separator: " NEAR/3 ")
        _ = try table.search(raw: near)
      },
    ]
    for search in tooMany {
      let error = #expect(throws: XTError.self) { try search() }
      #expect(error?.kind == .valueOutOfRange && error?.table == "SearchTwo4")
      #expect(error?.message.contains("FTS4") == true)
      #expect(error?.hint?.contains("4,095") == true)
    }
  }
}

private protocol TwoTexts: XTModel {
  var pkid: Int64? { get set }
  var first: String { get set }
  var second: String { get set }
}

private struct SearchTwo: TwoTexts {
  var pkid: Int64?
  var first = ""
  var second = ""
  static var xt_tableName: String { "SearchTwo" }
  static var xt_search: XTSearch { XTSearch([\SearchTwo.first, \SearchTwo.second]) }
}

private struct SearchTwo4: TwoTexts {
  var pkid: Int64?
  var first = ""
  var second = ""
  static var xt_tableName: String { "SearchTwo4" }
  static var xt_search: XTSearch {
    var search = XTSearch([\SearchTwo4.first, \SearchTwo4.second])
    search.engine = .fts4
    return search
  }
}

private struct SearchTwoParts: TwoTexts {
  var pkid: Int64?
  var first = ""
  var second = ""
  static var xt_tableName: String { "SearchTwoParts" }
  static var xt_search: XTSearch {
    XTSearch([\SearchTwoParts.first, \SearchTwoParts.second], tokenizer: .trigram)
  }
}
