import Foundation
import Testing

@testable import XTLite

@Suite struct SearchHitTests {
  private let test: TestDatabase
  private let notes: XTTable<SearchNote>

  init() throws {
    test = try TestDatabase()
    notes = test.table(SearchNote.self)
  }

  @Test func highlight_marksWhatWasFound() throws {
    try notes.insertList([
      SearchNote(title: "An Apple, an ÁPPLE pie", body: "one apple two three pie")
    ])
    let hit = try #require(try notes.search("apple pie").first)
    #expect(hit.highlight(\.title) == "An <b>Apple</b>, an <b>ÁPPLE</b> <b>pie</b>")
    #expect(hit.highlight(\.body, from: "[", to: "]") == "one [apple] two three [pie]")
    #expect(hit.highlight(\.age) == "")
    let phrase = try #require(try notes.search(query: .phrase("apple pie")).first)
    #expect(phrase.highlight(\.title) == "An Apple, an <b>ÁPPLE pie</b>")
    #expect(phrase.highlight(\.body) == "one apple two three pie")
    let prefix = try #require(try notes.search("app", lastWordIsPrefix: true).first)
    #expect(prefix.highlight(\.body) == "one <b>apple</b> two three pie")
  }

  @Test func highlight_notFoundOrNil_isTheText() throws {
    try notes.insertList([SearchNote(title: "apple", body: nil)])
    let hit = try #require(try notes.search("apple").first)
    #expect(hit.highlight(\.body) == "" && hit.snippet(\.body) == "")
    let other = try #require(try notes.search(query: .not("pear")).first)
    #expect(other.highlight(\.title) == "apple" && other.rank == 0)
  }

  @Test func snippet_isTheBestPart() throws {
    let filler = (1...40).map { "w\($0)" }.joined(separator: " ")
    try notes.insertList([
      SearchNote(title: "x", body: "apple \(filler) apple pie apple \(filler) end")
    ])
    let hit = try #require(try notes.search("apple pie").first)
    #expect(
      hit.snippet(\.body, words: 5)
        == "…w40 <b>apple</b> <b>pie</b> <b>apple</b> w1…")
    #expect(
      hit.snippet(\.body, words: 3, from: "«", to: "»", ellipsis: "...")
        == "...«apple» «pie» «apple»...")
    #expect(hit.snippet(\.title) == "x")
    #expect(hit.snippet(\.body, words: 500) == hit.highlight(\.body))
    #expect(hit.snippet(\.body, words: 0).contains("apple"))
  }

  @Test func highlight_cjk_marksWholeWords() throws {
    let table = test.table(SearchCJK.self)
    try table.insertList([SearchCJK(text: "这是一颗苹果树，苹果很甜 apple 123456")])
    func marked(_ text: String) throws -> String? {
      try table.search(text).first?.highlight(\.text, from: "[", to: "]")
    }
    #expect(try marked("苹果") == "这是一颗[苹果]树，[苹果]很甜 apple 123456")
    #expect(try marked("苹果树") == "这是一颗[苹果树]，苹果很甜 apple 123456")
    #expect(try marked("树") == "这是一颗苹果[树]，苹果很甜 apple 123456")
    #expect(try marked("345 apple") == "这是一颗苹果树，苹果很甜 [apple] 12[345]6")
    let hit = try #require(try table.search("很甜").first)
    #expect(hit.snippet(\.text, words: 4, from: "[", to: "]") == "…果[很甜] apple…")
  }

  @Test func highlight_ofAValueOfOnesOwn_isItsStoredText() throws {
    let table = test.table(SearchTagged.self)
    try table.insertList([SearchTagged(tag: Tag(words: ["red", "apple"]), other: nil)])
    let hit = try #require(try table.search("apple").first)
    #expect(hit.model.tag.words == ["red", "apple"])
    #expect(hit.highlight(\.tag) == "red <b>apple</b>")
    #expect(hit.snippet(\.tag) == "red <b>apple</b>")
    #expect(hit.highlight(\.other) == "")
    try table.insertList([SearchTagged(tag: Tag(words: []), other: Tag(words: ["a", "pear"]))])
    #expect(try table.search("pear").first?.highlight(\.other) == "a <b>pear</b>")
  }

  @Test func highlight_ofAWordThatIsAskedOfOneProperty_isInThatAlone() throws {
    try notes.insertList([SearchNote(title: "apple and pear", body: "pear and apple, apple pie")])
    let queries: [(XTSearchQuery, title: String, body: String)] = [
      (
        .in(\SearchNote.title, "apple") && "pear", "[apple] and [pear]",
        "[pear] and apple, apple pie"
      ),
      (
        .in(\SearchNote.body, .phrase("apple pie")) && .in(\SearchNote.title, "pear"),
        "apple and [pear]", "pear and apple, [apple pie]"
      ),
      (.in(\SearchNote.title, "apple" || "pie"), "[apple] and pear", "pear and apple, apple pie"),
    ]
    for (query, title, body) in queries {
      let hit = try #require(try notes.search(query: query).first)
      #expect(hit.highlight(\.title, from: "[", to: "]") == title)
      #expect(hit.highlight(\.body, from: "[", to: "]") == body)
    }
  }
}

private struct Tag: XTColumnValue, Equatable {
  var words: [String] = []
  static var xt_storageClass: XTStorageClass { .text }
  var xt_columnValue: XTValue { .text(words.joined(separator: " ")) }

  init(words: [String]) { self.words = words }

  init(xt_columnValue value: XTValue) throws {
    words = (value.string ?? "").split(separator: " ").map(String.init)
  }
}

private struct SearchTagged: XTModel {
  var pkid: Int64?
  var tag = Tag(words: [])
  var other: Tag?
  static var xt_search: XTSearch { XTSearch([\SearchTagged.tag, \SearchTagged.other]) }
}
