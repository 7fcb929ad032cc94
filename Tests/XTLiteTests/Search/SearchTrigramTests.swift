import Foundation
import Testing

@testable import XTLite

@Suite struct SearchTrigramTests {
  private func found<Model: XTModel>(
    _ table: XTTable<Model>, _ text: String, _ property: KeyPath<Model, String>
  ) throws -> [String] {
    try found(table, query: .words(text), property)
  }

  private func found<Model: XTModel>(
    _ table: XTTable<Model>, query: XTSearchQuery, _ property: KeyPath<Model, String>
  ) throws -> [String] {
    try table.search(query: query).map { $0.model[keyPath: property] }.sorted()
  }

  @Test func trigram_findsAnyPart_orSaysWhatItNeeds() throws {
    let test = try TestDatabase()
    let table = test.table(SearchTrigram.self)
    guard isFTS5, SQLiteLibrary.versionNumber >= 3_034_000 else {
      let error = #expect(throws: XTError.self) { try table.search("abc") }
      #expect(error?.message.contains(".trigram needs") == true)
      #expect(throws: XTError.self) { try table.insertList([SearchTrigram(text: "x")]) }
      return
    }
    try table.insertList(
      ["Abstract", "a_b%c", "苹果树", "xy", "É", "Straße"].map { SearchTrigram(text: $0) })
    #expect(try found(table, "STRA", \.text) == ["Abstract", "Straße"])
    #expect(try found(table, "b%c", \.text) == ["a_b%c"])
    #expect(try found(table, "苹果", \.text) == ["苹果树"])
    #expect(try found(table, "X", \.text) == ["xy"])
    #expect(try found(table, "é", \.text) == ["É"])
    #expect(try found(table, "%", \.text) == ["a_b%c"])
    #expect(try found(table, "st ra", \.text) == ["Abstract", "Straße"])
    #expect(try table.searchCount("s") == 2)
    #expect(
      try table.search(query: .not("a") && "x").map(\.model.text) == ["xy"])
    #expect(try table.search("st").first?.highlight(\.text) == "Ab<b>st</b>ract")
    #expect(try table.search("stra").first?.highlight(\.text).contains("<b>") == true)
    test.expectIndexFits(SearchTrigram.self)
  }

  @Test func trigram_thousandsOfPieces_orANUL_areAnswered() throws {
    guard isFTS5, SQLiteLibrary.versionNumber >= 3_034_000 else { return }
    let test = try TestDatabase()
    let table = test.table(SearchTrigram.self)
    let words = (0..<1_500).map { "word\($0)" }
    let all = words.joined(separator: " ") + " ab"
    try table.insertList([SearchTrigram(text: all), SearchTrigram(text: "ab word1")])
    #expect(try table.search(all).map(\.model.text) == [all])
    #expect(try table.searchCount(all) == 1)
    #expect(try table.searchCount(query: .any(words.map { .words($0) } + ["ab"])) == 2)
    #expect(try table.searchCount(query: .not(.any(words.map { .words($0 + "!") } + ["!!"]))) == 2)
    let error = #expect(throws: XTError.self) {
      try table.search((0..<40_000).map { "\($0)" }.joined(separator: " "))
    }
    #expect(error?.kind == .valueOutOfRange && error?.hint != nil)

    try table.deleteAll()
    let texts = ["one\0two three", "one two three", "\0", "two", "x\0y"]
    try table.insertList(texts.map { SearchTrigram(text: $0) })
    test.expectIndexFits(SearchTrigram.self)
    // A NUL parts what is typed, and is a character of a phrase.
    #expect(try found(table, "one\0thr", \.text) == ["one two three"])
    #expect(try table.search(query: .phrase("one\0two")).map(\.model.text) == [texts[0]])
    #expect(try table.search(query: .phrase("e\0t")).map(\.model.text) == [texts[0]])
    #expect(
      try table.search(query: .phrase("one\0two")).first?.highlight(\.text, from: "[", to: "]")
        == "[one\0two] three")
    #expect(try table.search(query: .phrase("\0")).count == 3)
    #expect(try table.searchCount("\0") == 0)
    #expect(throws: XTError.self) { try table.search(query: .near("one\0", "three")) }
    try test.database.execute("UPDATE SearchTrigram SET text = 'z' || text")
    try test.database.execute("DELETE FROM SearchTrigram WHERE text = 'ztwo'")
    test.expectIndexFits(SearchTrigram.self)
  }

  /// Short texts are looked for in each row, and longer ones in the index.
  @Test func trigram_lettersOfAnyLength_areTheSameInAnyCase() throws {
    guard isFTS5, SQLiteLibrary.versionNumber >= 3_034_000 else { return }
    let test = try TestDatabase()
    let table = test.table(SearchTrigram.self)
    let texts = [
      "Straße", "STRASSE", "strasse", "ΣΊΣΥΦΟΣ", "σίσυφος", "Cafe\u{301} noir", "Café noir",
      "İstanbul", "istanbul", "ISTANBUL", "ıstanbul", "\u{212A}elvin", "kelvin", "ﬁsch", "FISCH",
      "ЁЖИК", "ёжик", "Ǆungla", "ǆungla", "ſoft", "SOFT", "𐐀𐐁𐐂𐐃", "𐐨𐐩𐐪𐐫", "Ꭰꭰꭱ", "ẞßa", "日本語",
    ]
    try table.insertList(texts.map { SearchTrigram(text: $0) })
    for text in texts {
      let scalars = Array(text.unicodeScalars)
      for start in scalars.indices.dropLast(2) {
        func part(_ count: Int) -> String {
          var part = String.UnicodeScalarView()
          part.append(contentsOf: scalars[start..<(start + count)])
          return String(part)
        }
        // Who has three of them has the two.
        let long = try found(table, query: .phrase(part(3)), \.text)
        let short = try found(table, query: .phrase(part(2)), \.text)
        #expect(Set(short).isSuperset(of: long) && long.contains(text), "\(part(3))")
        // And the scan of the three, for which something short is asked too, finds the same.
        let both: XTSearchQuery = .phrase(part(3)) && .not("~")
        #expect(try found(table, query: both, \.text) == long, "\(part(3))")
        for hit in try table.search(query: both) {
          #expect(hit.highlight(\.text, from: "[", to: "]").contains("["))
        }
      }
    }
    #expect(try found(table, "ss", \.text) == ["STRASSE", "strasse"])
    #expect(try found(table, "σς", \.text) == [])
    #expect(try found(table, "ος", \.text) == ["ΣΊΣΥΦΟΣ", "σίσυφος"])
    #expect(
      try table.search(query: .phrase("ΟΣ")).map { $0.highlight(\.text, from: "[", to: "]") }
        == ["ΣΊΣΥΦ[ΟΣ]", "σίσυφ[ος]"])
  }

  @Test func trigram_shortWordOfOneProperty_isMarkedInThatAlone() throws {
    guard isFTS5, SQLiteLibrary.versionNumber >= 3_034_000 else { return }
    let test = try TestDatabase()
    let table = test.table(SearchTwoTrigrams.self)
    try table.insertList([SearchTwoTrigrams(first: "xy and ab", second: "ab and xy")])
    let query: XTSearchQuery = .in(\SearchTwoTrigrams.first, "ab") && "xy"
    let hit = try #require(try table.search(query: query).first)
    #expect(hit.highlight(\.first) == "<b>xy</b> and <b>ab</b>")
    #expect(hit.highlight(\.second) == "ab and <b>xy</b>")
    #expect(hit.snippet(\.second) == "ab and <b>xy</b>")
  }

}

struct SearchTrigram: XTModel {
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchTrigram.text], tokenizer: .trigram) }
}

private struct SearchTwoTrigrams: XTModel {
  var pkid: Int64?
  var first = ""
  var second = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchTwoTrigrams.first, \SearchTwoTrigrams.second], tokenizer: .trigram)
  }
}
