import Foundation
import Testing

@testable import XTLite

/// Words of scripts that are written with marks.
@Suite struct SearchScriptTests {
  private struct Script {
    var name: String
    /// Different words, of which none is the beginning of another.
    var words: [String]
    /// What is no word of these, though it has some of their letters.
    var parts: [String]
  }

  private static let scripts = [
    Script(
      name: "Devanagari", words: ["हिन्दी", "कुल", "कल", "कील", "कूल", "में", "क़लम"],
      parts: ["ह", "क", "ल", "दी", "हनद", "कुला"]),
    Script(name: "Bengali", words: ["বাংলা", "কলা", "কালো"], parts: ["ব", "ল", "কল"]),
    Script(name: "Tamil", words: ["தமிழ்", "தாமழ", "கல்", "கால்"], parts: ["தம", "ழ", "கல"]),
    Script(name: "Telugu", words: ["తెలుగు", "తలగ"], parts: ["త", "గు"]),
    Script(name: "Malayalam", words: ["മലയാളം", "മലയളം"], parts: ["മലയ", "ളം"]),
    Script(name: "Sinhala", words: ["සිංහල", "සංහල"], parts: ["හල", "ස"]),
    Script(name: "Thai", words: ["กิน", "กัน", "กนก", "ข้าว"], parts: ["ก", "น", "กน", "าว"]),
    Script(name: "Lao", words: ["ກິນ", "ກັນ"], parts: ["ກ", "ນ", "ກນ"]),
    Script(name: "Khmer", words: ["ភាសា", "ភសា", "ខ្មែរ"], parts: ["ភ", "ស", "រ"]),
    Script(name: "Burmese", words: ["မြန်မာ", "မန်မာ"], parts: ["မ", "န"]),
    Script(name: "Tibetan", words: ["བོད", "བད"], parts: ["བ", "ད"]),
    Script(name: "Arabic", words: ["كِتَاب", "كُتُب"], parts: ["ك", "اب", "تَاب"]),
    Script(name: "Hebrew", words: ["שָׁלוֹם", "שָׁלֵם"], parts: ["ש", "לו", "ם"]),
    Script(name: "Adlam", words: ["𞤀𞤁\u{1E944}𞤂", "𞤀𞤁𞤂"], parts: ["𞤀", "𞤂"]),
  ]

  /// Each word is found by itself, and by none of the others nor by a part of it.
  private func expectWhole<Model: XTModel>(
    _ table: XTTable<Model>, _ text: WritableKeyPath<Model, String>, _ make: (String) -> Model,
    _ scripts: [Script]
  ) throws {
    for script in scripts {
      try table.deleteAll()
      try table.insertList(script.words.map(make))
      for word in script.words {
        let hits = try table.search(word)
        #expect(hits.map { $0.model[keyPath: text] } == [word], "\(script.name)")
        #expect(hits.first?.highlight(text, from: "[", to: "]") == "[\(word)]", "\(script.name)")
      }
      for part in script.parts {
        #expect(
          try table.search(part).map { $0.model[keyPath: text] } == [], "\(script.name): \(part)")
      }
    }
  }

  @Test func words_keepTheirSigns() throws {
    let test = try TestDatabase()
    try expectWhole(
      test.table(SearchPlain.self), \.text, { SearchPlain(text: $0) }, Self.scripts)
    try expectWhole(
      test.table(SearchExact.self), \.text, { SearchExact(text: $0) }, Self.scripts)
    test.expectIndexFits(SearchPlain.self)
    test.expectIndexFits(SearchExact.self)
    if isFTS5 {
      try expectWhole(
        test.table(SearchPorter.self), \.text, { SearchPorter(text: $0) }, Self.scripts)
    }
  }

  @Test func cjk_keepsVowelSigns_andLeavesOutPoints() throws {
    let test = try TestDatabase()
    let table = test.table(SearchCJK.self)
    let pointed: Set<String> = ["Arabic", "Hebrew"]
    try expectWhole(
      table, \.text, { SearchCJK(text: $0) }, Self.scripts.filter { !pointed.contains($0.name) })
    try table.deleteAll()
    try table.insertList(
      ["كِتَاب", "كتاب", "שָׁלוֹם", "שלום", "क\u{93C}लम"].map { SearchCJK(text: $0) })
    #expect(try table.searchCount("كتاب") == 2 && table.searchCount("كِتَاب") == 2)
    #expect(try table.searchCount("שלום") == 2 && table.searchCount("שָׁלוֹם") == 2)
    // Composed and decomposed are one.
    #expect(try table.searchCount("\u{958}लम") == 1 && table.searchCount("कलम") == 0)
    test.expectIndexFits(SearchCJK.self)
  }

  @Test func words_diacritics_areLeftOut_composedOrNot() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPlain.self)
    let texts = [
      "café", "cafe\u{301}", "cafe", "CAFÉ", "Tiếng Việt",
      "Tiếng Việt".decomposedStringWithCanonicalMapping,
      "Ünïcödé".decomposedStringWithCanonicalMapping, "Ελληνικά", "ёлка", "е\u{308}лка",
    ]
    try table.insertList(texts.map { SearchPlain(text: $0) })
    for word in ["cafe", "café", "cafe\u{301}", "CAFÉ"] {
      #expect(try table.searchCount(word) == 4, "\(word)")
    }
    for word in ["tieng viet", "Tiếng Việt", "TIẾNG".decomposedStringWithCanonicalMapping] {
      // An older SQLite leaves letters with two diacritics as they are.
      let count = SQLiteLibrary.versionNumber >= 3_027_000 ? 2 : 1
      #expect(try table.searchCount(word) == count, "\(word)")
    }
    #expect(try table.searchCount("unicode") == 1)
    test.expectIndexFits(SearchPlain.self)
  }

  @Test func words_signsThatAreNoLetters_areNoWords() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPlain.self)
    try table.insertList(
      ["I ❤️ apple", "1️⃣ apple", "葛\u{E0100}城", "x \u{301} y"].map { SearchPlain(text: $0) })
    #expect(try table.searchCount("apple ❤️") == 2 && table.searchCount("❤️ ☀️ 👨‍👩‍👧‍👦 apple") == 2)
    #expect(try table.searchCount("1") == 1 && table.searchCount("1️⃣") == 1)
    #expect(try table.searchCount("\u{FE0F}") == 0 && table.searchCount("\u{301}") == 0)
    #expect(try table.searchCount("x y \u{301}") == 1)
    test.expectIndexFits(SearchPlain.self)
  }

  @Test func texts_withANUL_areReadBehindIt_andNeverDrift() throws {
    let test = try TestDatabase()
    func expect<Model: XTModel>(
      _ table: XTTable<Model>, _ text: WritableKeyPath<Model, String>, _ make: (String) -> Model
    ) throws {
      try table.insertList(["one\0two three", "two", "\0", "\0one"].map(make))
      // FTS4's own check reads on behind a NUL, where its index ends.
      if isFTS5 { test.expectIndexFits(Model.self) }
      #expect(try table.searchCount("two") == (isFTS5 ? 2 : 1))
      #expect(try table.searchCount("one") == (isFTS5 ? 2 : 1))
      #expect(try table.searchCount("one\0two") == (isFTS5 ? 1 : 0))
      #expect(try table.searchCount("\0") == 0)
      if isFTS5 {
        let hit = try #require(try table.search("three").first)
        #expect(hit.highlight(text, from: "[", to: "]") == "one\0two [three]")
      }
      try test.outside("UPDATE \(table.name) SET text = 'x' || text")
      try test.outside("DELETE FROM \(table.name) WHERE pkid = 1")
      if isFTS5 { test.expectIndexFits(Model.self) }
      #expect(try table.searchCount("xone") == 0 && table.searchCount("two") == 0)
      #expect(try table.searchCount("xtwo") == 1 && table.searchCount("x") == 2)
    }
    try expect(test.table(SearchPlain.self), \.text) { SearchPlain(text: $0) }
    try expect(test.table(SearchPorter.self), \.text) { SearchPorter(text: $0) }
    try expect(test.table(SearchCJK.self), \.text) { SearchCJK(text: $0) }
  }

  @Test func index_ofAnOlderTokenizer_isMadeAnew() throws {
    let test = try TestDatabase()
    let table = test.table(SearchCJK.self)
    try table.insertList([SearchCJK(text: "कुल 苹果"), SearchCJK(text: "कल")])
    #expect(try table.searchCount("कल") == 1)
    for (old, version) in [("xt_cjk", 1_001), ("xt_cjk_pinyin", 1_002)] {
      try test.outside(
        """
        PRAGMA writable_schema = 1;
        UPDATE sqlite_master SET sql = replace(sql, 'xt_cjk2', '\(old)')
        WHERE name = 'SearchCJK_search';
        PRAGMA schema_version = \(version)
        """)
      try test.database.execute(
        "INSERT INTO SearchCJK_search (SearchCJK_search) VALUES ('rebuild')")
      let sql = try test.seen("SELECT sql FROM sqlite_master WHERE name = 'SearchCJK_search'")
      #expect(sql.first?.contains(old) == true)
      try test.database.execute("INSERT INTO SearchCJK (text) VALUES ('树')")
      #expect(try table.searchCount("कल") == 1 && table.searchCount("苹果") == 1)
      test.expectIndexFits(SearchCJK.self)
    }
    #expect(try table.searchCount("树") == 2)
  }
}
