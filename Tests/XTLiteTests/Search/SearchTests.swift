import Foundation
import Testing

@testable import XTLite

@Suite struct SearchTests {
  private let test: TestDatabase
  private let notes: XTTable<SearchNote>

  init() throws {
    test = try TestDatabase()
    notes = test.table(SearchNote.self)
    try notes.insertList([
      SearchNote(title: "Apple pie", body: "Butter, sugar and a sour apple", age: 1),
      SearchNote(title: "Cherry cake", body: "no apple at all, but a pie crust", age: 5),
      SearchNote(title: "Café crème", body: nil, age: 9),
      SearchNote(title: "Apfelstrudel", body: "", age: 4),
    ])
  }

  @Test func search_words_findsRowsThatHaveAll_bestFirst() throws {
    let hits = try notes.search("apple PIE", limit: 20)
    #expect(hits.titles == ["Apple pie", "Cherry cake"])
    #expect(hits[0].rank < hits[1].rank && hits[1].rank < 0)
    #expect(hits[0].model.pkid == 1 && hits[0].model.age == 1)
    #expect(try notes.search("cafe").titles == ["Café crème"])
    #expect(try notes.search("apple nothing").isEmpty)
  }

  @Test func search_plain_isOneStatement() throws {
    _ = try notes.search("apple", limit: 2)
    let statements = try test.statements { _ = try notes.search("apple", limit: 2) }
    // SQLite tells of the full-text table's own too.
    let own = statements.filter { $0.contains("SearchNote_search` MATCH") }
    #expect(own.count == (isFTS5 ? 1 : 2))
    #expect(statements.first == "PRAGMA schema_version")
    if isFTS5 {
      #expect(
        own.first?.hasSuffix(
          "FROM (SELECT `rowid` AS `xt_number`, xt_rank(`SearchNote_search`, 10.0, 1.0) AS `xt_rank`,"
            + " xt_marks(`SearchNote_search`) AS `xt_places` FROM `SearchNote_search` WHERE"
            + " `SearchNote_search` MATCH ? ORDER BY 2, 1 LIMIT -1) AS `xt_found` CROSS JOIN"
            + " `SearchNote` ON `SearchNote`.`pkid` = `xt_found`.`xt_number` WHERE `xt_isDel` = 0"
            + " LIMIT ?") == true)
    }
  }

  @Test func search_model_sameByTheXTVerbs() throws {
    try test.asCurrent { () throws -> Void in
      #expect(try SearchNote.xt_search("apple").titles == ["Apple pie", "Cherry cake"])
      #expect(
        try SearchNote.xt_searchWhere(
          .all("apple", .prefix("pi")) && .not("crust"), where: \.age < 3
        )
        .titles == ["Apple pie"])
      #expect(try SearchNote.xt_searchCount("apple") == 2)
      #expect(try SearchNote.xt_searchCountWhere("apple" || "cafe") == 3)
      #expect(try SearchNote.xt_searchRaw("title : app*").titles == (isFTS5 ? ["Apple pie"] : []))
      #expect(try SearchNote.xt_checkSearch() == 4)
    }
  }

  @Test func search_condition_isJoined() throws {
    #expect(try notes.search("apple", where: \.age > 3).titles == ["Cherry cake"])
    #expect(
      try notes.search("apple", where: "title LIKE \("A%") OR age = \(77)").titles == ["Apple pie"])
    #expect(try notes.searchCount("apple", where: \.age > 3) == 1)
    #expect(
      try notes.search("apple", orderBy: .desc(\.age)).titles == ["Cherry cake", "Apple pie"])
  }

  @Test func search_pages_giveEachHitOnce() throws {
    let many = test.table(SearchNote.self, named: "Many")
    try many.insertList(
      (0..<500).map {
        SearchNote(title: "word \($0 % 7)", body: String(repeating: "x ", count: $0 % 13))
      })
    let all = try many.search("word").compactMap(\.model.pkid)
    #expect(Set(all).count == 500)
    var pages: [Int64] = []
    while true {
      let page = try many.search("word", limit: 37, offset: pages.count)
      if page.isEmpty { break }
      pages += page.compactMap(\.model.pkid)
    }
    #expect(pages == all)
    var last: XTHit<SearchNote>?
    var after: [Int64] = []
    while true {
      let page = try many.search("word", limit: 37, after: last)
      if page.isEmpty { break }
      after += page.compactMap(\.model.pkid)
      last = page.last
    }
    #expect(after == all)
    #expect(throws: XTError.self) { try many.search("word", limit: -1) }
  }

  @Test func search_softDeleted_isFoundInItsScope() throws {
    try notes.softDelete(try #require(try notes.find(pkid: 1)))
    #expect(try notes.search("apple").titles == ["Cherry cake"])
    #expect(try notes.search("apple", scope: .deleted).titles == ["Apple pie"])
    #expect(try notes.search("apple", scope: .all).count == 2)
    #expect(try notes.searchCount("apple") == 1)
    try notes.restore(try #require(try notes.find(pkid: 1, scope: .all)))
    #expect(try notes.search("apple").count == 2)
    test.expectIndexFits(SearchNote.self)
  }

  @Test func search_weights_decideTheOrder() throws {
    let weighted = test.table(SearchWeighted.self)
    try weighted.insertList([
      SearchWeighted(title: "x", body: "word"), SearchWeighted(title: "word", body: "x"),
    ])
    #expect(try weighted.search("word").map(\.model.title) == ["x", "word"])
    #expect(try notes.search("pie").titles == ["Apple pie", "Cherry cake"])
  }

  @Test func search_whatIsTyped_isNeverSyntax() throws {
    let typed = [
      "apple\"", "\"apple", "apple*", "*", "-apple", "apple -pie", "title:apple", "(apple",
      "apple)",
      "^apple", "apple AND", "OR", "NOT apple", "NEAR(apple pie)", "{title} : apple", "+", "apple'",
      "';DROP TABLE SearchNote;--", "🍎", "apple 🍎", "\\", "%", "_", "?", "a\0b", "\0", "\u{FEFF}",
      "\"\"", "\"\"\"", "apple:", ":apple", "a.b.c", "＊", "“apple”", "apple\npie",
      String(decoding: [0xEF, 0xB7, 0x90] + Array("apple".utf8), as: UTF8.self),
      String(repeating: "apple ", count: 2_000), String(repeating: "(", count: 5_000),
    ]
    for text in typed {
      for lastWordIsPrefix in [false, true] {
        let hits = try notes.search(text, lastWordIsPrefix: lastWordIsPrefix)
        let count = try notes.searchCount(text, lastWordIsPrefix: lastWordIsPrefix)
        #expect(count == hits.count, "\(text.prefix(40))")
        for hit in hits { _ = hit.highlight(\.title) + hit.snippet(\.body) }
      }
    }
    for text in ["apple*", "\"apple", "-apple", "apple)", "^apple", "apple 🍎", "+apple"] {
      #expect(try notes.search(text).count == 2, "\(text)")
    }
    #expect(try notes.search("title:apple").isEmpty)
    #expect(try notes.search("OR").isEmpty)
  }

  @Test func search_blank_findsNothing() throws {
    for text in ["", " ", "\n\t ", "🍎", "?!", "\""] {
      #expect(try notes.search(text).isEmpty)
      #expect(try notes.searchCount(text) == 0)
      #expect(try notes.search(query: .not(.words(text))).isEmpty)
    }
    #expect(try notes.search(query: .all("apple", "", .not(""))).count == 2)
    #expect(try notes.search(query: .any("", "cafe")).count == 1)
    #expect(try notes.search(query: .all([])).isEmpty && notes.search(query: .any([])).isEmpty)
    #expect(try notes.search(raw: " \n").isEmpty)
  }

  @Test func search_lastWord_mayBeAPrefix() throws {
    #expect(try notes.search("app").isEmpty)
    #expect(try notes.search("app", lastWordIsPrefix: true).titles == ["Apple pie", "Cherry cake"])
    #expect(try notes.search("pie app", lastWordIsPrefix: true).count == 2)
    #expect(try notes.search("app pie", lastWordIsPrefix: true).isEmpty)
    #expect(try notes.search("app ", lastWordIsPrefix: true).isEmpty)
    #expect(try notes.search("a", lastWordIsPrefix: true).count == 3)
  }

  @Test func search_raw_throwsOnBadSyntax() throws {
    for text in ["\"apple", "apple AND", "nope : apple", "*"] where isFTS5 || text == "\"apple" {
      let error = #expect(throws: XTError.self) { try notes.search(raw: text) }
      #expect(error?.hint?.contains("FTS") == true, "\(String(describing: error))")
    }
    #expect(try notes.search(raw: "apple OR cherry").count == 2)
  }

  @Test func query_parts_meanWhatTheySay() throws {
    func titles(_ query: XTSearchQuery) throws -> Set<String> {
      Set(try notes.search(query: query).titles)
    }
    let (pie, cake, cafe, strudel) = ("Apple pie", "Cherry cake", "Café crème", "Apfelstrudel")
    #expect(try titles(.any("cafe", "strudel", "cherry")) == [cake, cafe])
    #expect(try titles(.phrase("sour apple")) == [pie])
    #expect(try titles(.phrase("apple sour")) == [])
    #expect(try titles(.near("butter", "apple", within: 4)) == [pie])
    #expect(try titles(.near("butter", "apple", within: 2)) == [])
    #expect(try titles("apple" && !("crust" as XTSearchQuery)) == [pie])
    #expect(try titles(.not("apple")) == [cafe, strudel])
    #expect(try titles(.not("apple") && .not("cafe")) == [strudel])
    #expect(try titles(.not("apple") || "sugar") == [pie, cafe, strudel])
    #expect(try titles(.not(.not("apple"))) == [pie, cake])
    #expect(try titles(.in(\SearchNote.title, "apple")) == [pie])
    #expect(try titles(.in(\SearchNote.title, .phrase("apple pie"))) == [pie])
    #expect(try titles(.in(\SearchNote.body, "apple" && "pie")) == [cake])
    #expect(try titles(.in(\SearchNote.title, .not("apple"))) == [cake, cafe, strudel])
    #expect(try titles(.in(\SearchNote.title, .prefix("ap"))) == [pie, strudel])
    #expect(
      try titles(.any(.in(\SearchNote.title, "cake"), .in(\SearchNote.body, "sugar"))) == [
        pie, cake,
      ])
    #expect(try notes.search(query: .not("apple"), limit: 1).count == 1)
    #expect(try notes.searchCount(query: .not("apple")) == 2)
    let word = "apple"
    #expect(try titles("\(word)") == [pie, cake])
  }

  @Test func query_deeplyNested_isAnError_andLongOneWorks() throws {
    var query: XTSearchQuery = "apple"
    for _ in 0..<300 { query = .not(.all(query, "pie")) }
    #expect(throws: XTError.self) { try notes.search(query: query) }
    let long = (0..<3_000).map { XTSearchQuery.words("w\($0)") } + ["cafe"]
    #expect(try notes.search(query: .any(long)).count == 1)
    #expect(try notes.search(query: long.reduce("cherry") { $0 || $1 }).count == 2)
  }
}

let isFTS5 = FullTextEngine.linked == .fts5

struct SearchWeighted: XTModel {
  var title = ""
  var body = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchWeighted.title, \SearchWeighted.body], weights: [\SearchWeighted.body: 5])
  }
}
