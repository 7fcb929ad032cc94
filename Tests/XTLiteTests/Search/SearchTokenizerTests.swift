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

  @Test func pinyin_findsChineseByItsReadings() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPinyin.self)
    try table.insertList(
      ["这是一颗苹果树", "西安的音乐", "pingguo in Latin", "银行很行", "先生", "女儿"].map { SearchPinyin(text: $0) })
    #expect(try found(table, "pingguo", \.text) == ["pingguo in Latin", "这是一颗苹果树"])
    #expect(try found(table, "PingGuoShu", \.text) == ["这是一颗苹果树"])
    #expect(try found(table, "guoping", \.text) == [])
    // Xi'an and xian are written the same.
    #expect(try found(table, "xian", \.text) == ["先生", "西安的音乐"].sorted())
    #expect(try found(table, "yinyue", \.text) == ["西安的音乐"])
    #expect(try found(table, "yinhang", \.text) == ["银行很行"])
    #expect(try found(table, "henxing", \.text) == ["银行很行"])
    #expect(try found(table, "nver", \.text) == ["女儿"])
    #expect(try found(table, "苹果 shu", \.text) == ["这是一颗苹果树"])
    #expect(try found(table, "苹果", \.text) == ["这是一颗苹果树"])
    #expect(try table.search("pinggu", lastWordIsPrefix: true).count == 2)
    #expect(try table.search("yinh", lastWordIsPrefix: true).count == 1)
    #expect(try table.search("yinh").isEmpty && table.search("pinyin").isEmpty)
    #expect(try table.search("\u{1}ping").count == 1 && table.search("'ping'guo").count == 1)
    #expect(
      try table.search("pingguo").map { $0.highlight(\.text, from: "[", to: "]") }.sorted()
        == ["[pingguo] in Latin", "这是一颗[苹果]树"])
    #expect(try table.searchCount(query: .not("pingguo")) == 4)
    #expect(try table.searchCount(query: .in(\SearchPinyin.text, "pingguo shu")) == 1)
    test.expectIndexFits(SearchPinyin.self)
  }

  @Test func pinyin_readings_areAllThatAWordMayBe() {
    #expect(Pinyin.readings(of: "xian", isPrefix: false) == [["xian"], ["xi", "an"]])
    #expect(Pinyin.readings(of: "Xi'an", isPrefix: false) == [["xi", "an"]])
    #expect(Pinyin.readings(of: "'xi’an'", isPrefix: false) == [["xi", "an"]])
    #expect(Pinyin.readings(of: "pingg", isPrefix: true) == [["ping", "g"]])
    #expect(Pinyin.readings(of: "pingg", isPrefix: false) == [])
    for word in ["", "'", "é", "a b", "v1", String(repeating: "xian", count: 16)] {
      #expect(Pinyin.readings(of: word, isPrefix: true) == [], "\(word)")
    }
    let long = Pinyin.readings(of: String(repeating: "xian", count: 15), isPrefix: true)
    #expect(!long.isEmpty && long.count <= 8)
    #expect(
      Pinyin.readings(of: String(repeating: "ange", count: 14) + "zzzz", isPrefix: true) == [])
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

  @Test func custom_isOnEveryConnection_andMissedByName() throws {
    let test = try TestDatabase { $0.add(tokenizer: Slashes(), named: "slashes") }
    let table = test.table(SearchCustom.self)
    try table.insertList([SearchCustom(path: "usr/Local bin/x"), SearchCustom(path: "local/y")])
    #expect(try found(table, "\"LOCAL", \.path).isEmpty)
    #expect(try table.search(query: .phrase("local bin")).count == 1)
    #expect(try table.search(query: .phrase("LOCAL")).first?.highlight(\.path) == "<b>local</b>/y")
    #expect(try test.database.read { try table.search(query: .phrase("y")).count } == 1)
    test.expectIndexFits(SearchCustom.self)
    try test.database.close()

    var configuration = test.database.configuration
    configuration.removeTokenizer("slashes")
    let other = try XTDatabase(path: test.path, configuration: configuration)
    let write = #expect(throws: XTError.self) {
      try other.execute("INSERT INTO SearchCustom (path) VALUES ('z')")
    }
    #expect(
      write?.kind == .schema && write?.description.contains("slashes") == true,
      "\(String(describing: write))")
    let search = #expect(throws: XTError.self) {
      try other.table(SearchCustom.self).search("z")
    }
    #expect(search?.description.contains("slashes") == true)
    #expect(search?.hint?.contains("add(tokenizer:") == true)
    #expect(try other.anyFunc(sql: "SELECT count(*) FROM SearchCustom") == 2)
    // It comes while the database is open.
    try other.reconfigure { $0.add(tokenizer: Slashes(), named: "slashes") }
    #expect(try other.table(SearchCustom.self).search(query: .phrase("y")).count == 1)
  }

  @Test func custom_names_areChecked() throws {
    for name in ["", "xt_mine", "unicode61", "Porter", "a\0b"] {
      #expect(throws: XTError.self, "\(name)") {
        try TestDatabase { $0.add(tokenizer: Slashes(), named: name) }
      }
    }
    var configuration = XTConfiguration()
    configuration.add(tokenizer: Slashes(), named: "s")
    configuration.add(tokenizer: Slashes(), named: "S")
    #expect(configuration.tokenizers.count == 1 && configuration.removeTokenizer("s"))
  }

  @Test func custom_thatLies_harmsNothing() throws {
    let test = try TestDatabase { $0.add(tokenizer: Liar(), named: "liar") }
    let table = test.table(SearchLiar.self)
    try table.insertList([SearchLiar(text: "Something"), SearchLiar(text: "")])
    for hit in try table.search("Something") {
      _ = hit.highlight(\.text)
      _ = hit.snippet(\.text, words: 1)
    }
    test.expectIndexFits(SearchLiar.self)
  }
}

struct SearchPinyin: XTModel {
  var text = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchPinyin.text], tokenizer: .cjk(pinyin: true))
  }
}

struct SearchPlain: XTModel {
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

struct SearchTrigram: XTModel {
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchTrigram.text], tokenizer: .trigram) }
}

struct SearchCustom: XTModel {
  var path = ""
  static var xt_search: XTSearch { XTSearch([\SearchCustom.path], tokenizer: .custom("slashes")) }
}

struct SearchLiar: XTModel {
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchLiar.text], tokenizer: .custom("liar")) }
}

private struct Slashes: XTTokenizer {
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    var tokens: [XTToken] = []
    var start = 0
    for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      tokens.append(XTToken(String(Substring(part)).lowercased(), at: start..<(start + part.count)))
      start += part.count + 1
    }
    return tokens
  }
}

private struct Liar: XTTokenizer {
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    [
      XTToken("", at: 0..<1), XTToken("syn", at: -5 ..< -3, isSynonym: true),
      XTToken("far", at: 100..<200), XTToken("mid", at: 3..<500), XTToken(text, at: 2..<2),
    ]
  }
}
