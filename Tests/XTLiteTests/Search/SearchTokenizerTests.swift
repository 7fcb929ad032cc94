import Foundation
import Testing

@testable import XTLite

@Suite struct SearchTokenizerTests {
  private func found<Model: XTModel>(
    _ table: XTTable<Model>, _ text: String, _ property: KeyPath<Model, String>
  ) throws -> [String] {
    try table.search(text).map { $0.model[keyPath: property] }.sorted()
  }

  @Test func cjk_findsEachPart() throws {
    let test = try TestDatabase()
    let table = test.table(SearchCJK.self)
    let texts = [
      "这是一颗苹果树", "123456", "iPhone15是手机", "사과나무가 있다", "リンゴの木", "ﾘﾝｺﾞ", "Über Café 咖啡",
      "苹 果", "２０２６年", "神\u{FE00}社", "が", "か\u{3099}", "don't stop", "xia人",
    ]
    try table.insertList(texts.map { SearchCJK(text: $0) })
    #expect(try found(table, "苹果", \.text) == ["这是一颗苹果树"])
    #expect(try found(table, "苹果树", \.text) == ["这是一颗苹果树"])
    #expect(try found(table, "树", \.text) == ["这是一颗苹果树"])
    #expect(try found(table, "果苹", \.text) == [])
    #expect(try found(table, "45", \.text) == ["123456"])
    #expect(try found(table, "46", \.text) == [])
    #expect(try found(table, "iphone15", \.text) == ["iPhone15是手机"])
    #expect(try found(table, "15是手", \.text) == ["iPhone15是手机"])
    #expect(try found(table, "iphone 手机", \.text) == ["iPhone15是手机"])
    #expect(try found(table, "phone", \.text) == [])
    #expect(try found(table, "사과", \.text) == ["사과나무가 있다"])
    #expect(try found(table, "나무가", \.text) == ["사과나무가 있다"])
    #expect(try found(table, "リンゴ", \.text) == ["リンゴの木", "ﾘﾝｺﾞ"].sorted())
    #expect(try found(table, "uber cafe", \.text) == ["Über Café 咖啡"])
    #expect(try found(table, "2026年", \.text) == ["２０２６年"])
    #expect(try found(table, "神社", \.text) == ["神\u{FE00}社"])
    #expect(try found(table, "が", \.text).count == 2)
    #expect(try found(table, "xia人", \.text) == ["xia人"])
    #expect(try table.search("caf", lastWordIsPrefix: true).count == 1)
    #expect(try table.search("苹", lastWordIsPrefix: true).count == 2)
    test.expectIndexFits(SearchCJK.self)
  }

  @Test func cjk_bytesOfAnyKind_areTaken() throws {
    let test = try TestDatabase()
    let table = test.table(SearchCJK.self)
    try table.insertList([SearchCJK(text: "")])
    // What is no UTF-8 comes by another program.
    try test.database.execute(
      "UPDATE SearchCJK SET text = CAST(x'E88BE69E9CFFC080EDA080F0' AS TEXT)")
    test.expectIndexFits(SearchCJK.self)
    #expect(try test.database.anyFunc(sql: "SELECT count(*) FROM SearchCJK_search_docsize") == 1)
  }

  @Test func cjk_tokens_areCharactersAndPairs() {
    func tokens(_ text: String, question: Bool) -> [String] {
      var tokens: [String] = []
      Array(text.utf8).withUnsafeBufferPointer {
        CJKTokenizer().tokenize($0, isQuestion: question) { bytes, start, end, isSynonym in
          tokens.append(
            "\(String(decoding: bytes, as: UTF8.self))@\(start)-\(end)\(isSynonym ? "=" : "")")
          return true
        }
      }
      return tokens
    }
    #expect(
      tokens("一颗树 A1b", question: false) == [
        "一@0-3", "一颗@0-6=", "颗@3-6", "颗树@3-9=", "树@6-9", "a@10-11", "1@11-12", "b@12-13",
      ])
    #expect(tokens("一颗树", question: true) == ["一颗@0-6", "颗树@3-9"])
    #expect(tokens("树", question: true) == ["树@0-3"])
    #expect(tokens("一颗a", question: true) == ["一颗@0-6", "颗@3-6", "a@6-7"])
    #expect(tokens("", question: true) == [] && tokens(" ?", question: false) == [])
  }

  @Test func words_andWordsExact_differInDiacritics() throws {
    let test = try TestDatabase()
    let (plain, exact) = (test.table(SearchPlain.self), test.table(SearchExact.self))
    try plain.insertList([SearchPlain(text: "Über Café")])
    try exact.insertList([SearchExact(text: "Über Café")])
    #expect(try plain.search("cafe").count == 1 && plain.search("CAFÉ").count == 1)
    #expect(try exact.search("cafe").isEmpty && exact.search("CAFÉ").count == 1)
  }

  @Test func porter_findsStems() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPorter.self)
    try table.insertList([SearchPorter(text: "A connection was lost")])
    let hit = try #require(try table.search("connected").first)
    #expect(hit.highlight(\.text) == "A <b>connection</b> was lost")
    test.expectIndexFits(SearchPorter.self)
  }
}

struct SearchPlain: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchPlain.text]) }
}

struct SearchExact: XTModel {
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchExact.text], tokenizer: .wordsExact) }
}

struct SearchPorter: XTModel {
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchPorter.text], tokenizer: .porter) }
}
