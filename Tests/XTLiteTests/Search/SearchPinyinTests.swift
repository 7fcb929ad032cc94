import Foundation
import Testing

@testable import XTLite

@Suite struct SearchPinyinTests {
  private func found<Model: XTModel>(
    _ table: XTTable<Model>, _ text: String, _ property: KeyPath<Model, String>
  ) throws -> [String] {
    try table.search(text).map { $0.model[keyPath: property] }.sorted()
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
    for word in [
      "", "'", "ß", "3g", "a4", "a45", "v1", "n:", "\u{304}a", "a.b",
      String(repeating: "xian", count: 16),
    ] {
      #expect(Pinyin.readings(of: word, isPrefix: true) == [], "\(word)")
    }
    let long = Pinyin.readings(of: String(repeating: "xian", count: 15), isPrefix: true)
    #expect(!long.isEmpty && long.count <= 8)
    #expect(
      Pinyin.readings(of: String(repeating: "ange", count: 14) + "zzzz", isPrefix: true) == [])
  }

  @Test func pinyin_tonesAndÜ_areReadHoweverTheyAreTyped() throws {
    func readings(_ word: String, isPrefix: Bool = false) -> [[String]] {
      Pinyin.readings(of: word, isPrefix: isPrefix)
    }
    for word in [
      "nihao", "nǐhǎo", "ni3hao3", "NI3HAO", "nǐ hǎo", "nǐhǎo".decomposedStringWithCanonicalMapping,
      "ni hao", "nĭhăo", "ｎｉｈａｏ",
    ] {
      #expect(readings(word).first == ["ni", "hao"], "\(word)")
    }
    for word in ["lvse", "lüse", "lu:se", "lǜsè", "lv4se4", "lu:4se4", "LÜSE", "lü4 se4"] {
      #expect(readings(word) == [["lv", "se"]], "\(word)")
    }
    for word in ["nve", "nüe", "nue", "nüè", "nu:e4"] {
      #expect(readings(word).first == ["nve"], "\(word)")
    }
    for word in ["qu", "qü", "qv", "qǜ", "qu4"] { #expect(readings(word) == [["qu"]], "\(word)") }
    // A tone ends its syllable.
    #expect(
      readings("xi1an1") == [["xi", "an"]] && readings("xian1") == [["xian"], ["xi", "an"]])
    #expect(readings("xi1an") == [["xi", "an"]] && readings("xi an") == [["xi", "an"]])
    #expect(readings("ni3ha", isPrefix: true).contains(["ni", "ha"]))
    #expect(readings("pin1g", isPrefix: true) == [["pin", "g"]])
    #expect(readings("pi1", isPrefix: true) == [["pi"]] && readings("gu").first == ["gu"])
    #expect(readings("lu") == [["lu"]] && readings("nu") == [["nu"]])
  }

  @Test func pinyin_mixedTexts_areFoundByEachOfTheirParts() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPinyin.self)
    let texts = ["我的iPhone15很好，买于2026年", "绿色旅行", "女生学习", "你好world", "iPad在桌上"]
    try table.insertList(texts.map { SearchPinyin(text: $0) })
    for (typed, place) in [
      ("wode", 0), ("wǒde", 0), ("iphone", 0), ("iphone15", 0), ("15", 0), ("henhao", 0),
      ("mai", 0),
      ("2026", 0), ("nian", 0), ("wode iphone henhao", 0), ("很好", 0), ("hěn hǎo", 0),
      ("iphone15很好", 0),
      ("lüse", 1), ("lvse", 1), ("lu:se", 1), ("lǜsè", 1), ("lǚxíng", 1), ("lv3xing2", 1),
      ("nǚshēng", 2), ("nvsheng", 2), ("nü3sheng1", 2), ("xuéxí", 2), ("xuexi", 2),
      ("nihao", 3), ("nǐ hǎo", 3), ("ni3hao3", 3), ("ni hao", 3), ("world nihao", 3),
      ("你好world", 3),
      ("ipad", 4), ("zhuōshàng", 4), ("ipad zhuo1shang4", 4),
    ] {
      #expect(try found(table, typed, \.text) == [texts[place]], "\(typed)")
    }
    #expect(try table.search(query: .phrase("ni hao")).map(\.model.text) == [texts[3]])
    #expect(try table.search(query: .phrase("hao ni")).isEmpty)
    #expect(
      try table.search("nǐhǎo").first?.highlight(\.text, from: "[", to: "]") == "[你好]world")
    // Initials alone are no reading.
    #expect(try table.searchCount("nh") == 0 && table.searchCount("nsh") == 0)
    test.expectIndexFits(SearchPinyin.self)
  }

  /// More than SQLite takes in one flat list.
  @Test func pinyin_thousandWords_areFound() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPinyin.self)
    let syllables = [
      "ping", "guo", "shu", "ma", "li", "tian", "hua", "niao", "ren", "shan", "shui", "yun",
      "feng", "yu", "xue", "mei", "lan", "zhu", "ju", "song", "he", "long", "hu", "tu", "yang",
      "hou", "ji", "gou", "zhong", "guang", "ming", "xin", "nian", "chun", "qiu",
    ]
    let words = syllables.flatMap { first in syllables.map { first + $0 } }
    #expect(words.count > 1_000)
    let all = words.joined(separator: " ")
    try table.insertList(["苹果", "太阳", all].map { SearchPinyin(text: $0) })
    let any = try table.search(query: .any(words.map { .words($0) }))
    #expect(Set(any.map(\.model.text)) == ["苹果", all])
    #expect(try table.search(query: .all(words.map { .words($0) })).map(\.model.text) == [all])
    #expect(try table.search(all).map(\.model.text) == [all])
    #expect(try table.searchCount(query: .not(.any(words.map { .words($0) }))) == 1)
  }

}

struct SearchPinyin: XTModel {
  var text = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchPinyin.text], tokenizer: .cjk(pinyin: true))
  }
}
