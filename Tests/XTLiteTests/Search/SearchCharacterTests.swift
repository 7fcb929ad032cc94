import Foundation
import Testing

@testable import XTLite

/// Marks and cuts stand between what a reader sees as characters.
@Suite struct SearchCharacterTests {
  private let test: TestDatabase

  init() throws {
    test = try TestDatabase { $0.add(tokenizer: EachByte(), named: "each_byte") }
  }

  private static let texts = [
    "press 1️⃣ or 2️⃣ now", "e\u{301}a\u{20DD}b x\u{301}\u{302}\u{303}", "\u{301}abc \u{301}",
    "👨‍👩‍👧‍👦👩🏽‍🚀 ok", "🇩🇪🇫🇷🇯🇵🇩 flags", "हिन्दी में क्षत्रिय", "กินข้าวแล้ว", "각각 각",
    "a\r\nb\r\n", "\u{600}12 \u{6DD}3", "e\u{301}", "が か\u{3099}き", "plain ASCII, and more of it",
    "x\u{200D}y ❤️‍🔥❤️", String(repeating: "🇩", count: 41),
    "a" + String(repeating: "\u{301}", count: 90),
  ]

  /// The text of marks that no character takes in.
  private func characters(_ marked: String) -> [Character] {
    marked.filter { $0 != "\u{1}" && $0 != "\u{2}" }.map { $0 }
  }

  private func isMarked(_ text: String) -> Bool { text.unicodeScalars.contains("\u{1}") }

  @Test func highlight_tokensOfAnyBytes_cutNoCharacter() throws {
    let table = test.table(SearchBytes.self)
    try table.insertList(Self.texts.map { SearchBytes(text: $0) })
    for size in 1...3 {
      for place in 0..<60 {
        for hit in try table.search("#\(size):\(place)") {
          let marked = hit.highlight(\.text, from: "\u{1}", to: "\u{2}")
          #expect(characters(marked) == Array(hit.model.text), "\(marked.debugDescription)")
          #expect(isMarked(marked), "\(hit.model.text.debugDescription)")
          for words in [1, 4, 9] {
            let part = hit.snippet(
              \.text, words: words, from: "\u{1}", to: "\u{2}", ellipsis: "\u{3}")
            let shown = characters(part).filter { $0 != "\u{3}" }
            #expect(
              contains(Array(hit.model.text), shown) && isMarked(part),
              "\(part.debugDescription)")
          }
        }
      }
    }
  }

  private func contains(_ all: [Character], _ part: [Character]) -> Bool {
    part.isEmpty
      || all.indices.contains { all[$0...].prefix(part.count).elementsEqual(part) }
  }

  @Test func highlight_words_takeInWhatIsSetOnThem() throws {
    let table = test.table(SearchNote.self)
    try table.insertList([SearchNote(title: "press 1️⃣ or a\u{20DD} now", body: "x 1️⃣ y 2 z")])
    let one = try #require(try table.search("1").first)
    #expect(one.highlight(\.title, from: "[", to: "]") == "press [1️⃣] or a\u{20DD} now")
    #expect(one.snippet(\.body, words: 1, from: "[", to: "]") == "…[1️⃣]…")
    let letter = try #require(try table.search("a").first)
    #expect(letter.highlight(\.title, from: "[", to: "]") == "press 1️⃣ or [a\u{20DD}] now")
    #expect(letter.snippet(\.title, words: 1, from: "[", to: "]") == "…[a\u{20DD}]…")
  }

  @Test func highlight_partsOfCharacters_markAllOfThem() throws {
    guard isFTS5, SQLiteLibrary.versionNumber >= 3_034_000 else { return }
    let table = test.table(SearchTrigram.self)
    try table.insertList([SearchTrigram(text: "a 👨‍👩‍👧‍👦 b 🇩🇪🇫🇷 e\u{301}f")])
    func marked(_ text: String) throws -> String? {
      try table.search(query: .phrase(text)).first?.highlight(\.text, from: "[", to: "]")
    }
    #expect(try marked("👩") == "a [👨‍👩‍👧‍👦] b 🇩🇪🇫🇷 e\u{301}f")
    #expect(try marked("\u{1F1EA}\u{1F1EB}") == "a 👨‍👩‍👧‍👦 b [🇩🇪🇫🇷] e\u{301}f")
    #expect(try marked("👨\u{200D}👩\u{200D}👧") == "a [👨‍👩‍👧‍👦] b 🇩🇪🇫🇷 e\u{301}f")
    #expect(try marked("b 🇩") == "a 👨‍👩‍👧‍👦 [b 🇩🇪]🇫🇷 e\u{301}f")
  }

  @Test func bounds_areThoseOfTheText_howeverFarApart() {
    let texts = Self.texts + [Self.texts.joined(), Self.texts.reversed().joined(separator: " ")]
    for text in texts {
      var edges: Set<Int> = [0]
      for index in text.indices {
        edges.insert(text.utf8.distance(from: text.startIndex, to: index))
      }
      let count = text.utf8.count
      edges.insert(count)
      for step in [1, 2, 3, 7, 31] {
        var bounds = CharacterBounds(text)
        for place in stride(from: 0, through: count, by: step) {
          let down = edges.filter { $0 <= place }.max()
          let up = edges.filter { $0 >= place }.min()
          #expect(bounds.down(place) == down && bounds.up(place) == up, "\(text.debugDescription)")
        }
      }
    }
  }

  @Test func outward_rangesInOneCharacter_areOne() {
    #expect(CharacterBounds.outward([0..<1, 2..<3, 4..<5], in: "👍🏽") == [0..<8])
    #expect(CharacterBounds.outward([], in: "a") == [])
    #expect(CharacterBounds.outward([0..<1, 1..<2], in: "ab") == [0..<1, 1..<2])
    let flags = String(repeating: "🇩🇪", count: 20_000)
    let cuts = (0..<20_000).map { ($0 * 8 + 4)..<($0 * 8 + 8) }
    let whole = (0..<20_000).map { ($0 * 8)..<($0 * 8 + 8) }
    #expect(CharacterBounds.outward(cuts, in: flags) == whole)
  }
}

struct SearchBytes: XTModel {
  var text = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchBytes.text], tokenizer: .custom("each_byte"))
  }
}

/// Each byte of a row is the beginning of tokens of one, two and three bytes, whatever they cut.
private struct EachByte: XTTokenizer {
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    if text.hasPrefix("#") {
      return [XTToken(String(text.dropFirst()), at: 0..<text.utf8.count)]
    }
    return (1...3).flatMap { size in
      (0..<text.utf8.count).map { XTToken("\(size):\($0)", at: $0..<($0 + size)) }
    }
  }
}
