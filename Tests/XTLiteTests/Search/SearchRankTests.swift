import Foundation
import Testing

@testable import XTLite

@Suite struct SearchRankTests {
  private let test: TestDatabase
  private let notes: XTTable<SearchNote>
  private let plain: XTTable<SearchPlain>

  init() throws {
    test = try TestDatabase()
    notes = test.table(SearchNote.self)
    plain = test.table(SearchPlain.self)
  }

  /// Texts of a few words, the first ones more often than the others.
  private func texts(_ count: Int) -> [String] {
    var state: UInt64 = 5
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 40) % limit
    }
    return (0..<count).map { _ in
      (0..<random(30)).map { _ in "w\(random(1 + random(20)))" }.joined(separator: " ")
    }
  }

  private func expectRanks(
    _ expected: [[XTValue]], _ hits: [(number: Int64, rank: Double)], _ question: String
  ) {
    let ranks = Dictionary(
      uniqueKeysWithValues: expected.map { ($0[0].int64 ?? 0, $0[1].double ?? 0) })
    #expect(ranks.count == hits.count && !hits.isEmpty, "\(question)")
    for hit in hits {
      let rank = ranks[hit.number] ?? .nan
      #expect(abs(hit.rank - rank) <= abs(rank) * 1e-12, "\(question)")
    }
    #expect(hits.map(\.rank) == hits.map(\.rank).sorted(), "\(question)")
  }

  @Test func rank_isThatOfBM25() throws {
    guard isFTS5 else { return }
    let texts = texts(400)
    try notes.insertList(
      zip(texts, texts.reversed()).map { SearchNote(title: $0, body: $1.isEmpty ? nil : $1) })
    try plain.insertList(texts.map { SearchPlain(text: $0) })
    let reader = try test.reader()
    defer { reader.close() }
    for question in [
      "\"w1\"", "\"w0\"", "\"w1\" \"w7\"", "\"w1 w2\" OR \"w19\"", "\"w1\" *", "title : \"w3\"",
      "NEAR(\"w0\" \"w1\", 2)", "\"w2\" NOT \"w0\"", "\"w4\" \"w4\" OR \"nothing\"",
    ] {
      expectRanks(
        try reader.rows(
          "SELECT rowid, bm25(SearchNote_search, 10, 1) FROM SearchNote_search"
            + " WHERE SearchNote_search MATCH ?", [.text(question)]),
        try notes.search(raw: question).map { ($0.number, $0.rank) }, question)
      if question.hasPrefix("title") { continue }
      expectRanks(
        try reader.rows(
          "SELECT rowid, bm25(SearchPlain_search) FROM SearchPlain_search"
            + " WHERE SearchPlain_search MATCH ?", [.text(question)]),
        try plain.search(raw: question).map { ($0.number, $0.rank) }, question)
    }
  }

  @Test func rank_textOfManyWords_asksForEachPlaceOnce() throws {
    let words = (0..<1_500).map { "word\($0)" }
    let text = words.joined(separator: " ")
    try notes.insertList([
      SearchNote(title: text, body: text + " " + text), SearchNote(title: "word1", body: text),
      SearchNote(title: "word1 word2"),
    ])
    let hits = try notes.search(text)
    #expect(hits.map(\.model.pkid) == [1, 2] && hits[0].rank < hits[1].rank)
    for hit in hits {
      let marked = hit.highlight(\.body, from: "[", to: "]")
      #expect(marked.count { $0 == "[" } == (hit.model.pkid == 1 ? 3_000 : 1_500))
    }
    #expect(hits[1].highlight(\.title, from: "[", to: "]") == "[word1]")
    #expect(try notes.search(query: .any(words.map { .words($0) })).count == 3)
    #expect(try notes.search(text.replacing("word7 ", with: "nothing ")).isEmpty)
  }

  @Test func rank_manyPlaces_areAllMarked() throws {
    let text = repeatElement("a b", count: 5_000).joined(separator: " ")
    try notes.insertList([SearchNote(title: text), SearchNote(title: "a")])
    let hits = try notes.search("a b")
    #expect(hits.count == 1)
    #expect(hits.first?.highlight(\.title, from: "[", to: "]").count { $0 == "[" } == 10_000)
  }
}
