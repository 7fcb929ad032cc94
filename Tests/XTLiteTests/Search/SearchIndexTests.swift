import Foundation
import Testing

@testable import XTLite

@Suite struct SearchIndexTests {
  @Test func index_isMadeWithTheTable_overTheModelsRows() throws {
    let test = try TestDatabase()
    #expect(try test.table(SearchNote.self).create())
    #expect(
      try test.tables().filter {
        $0.hasPrefix("SearchNote") && !$0.contains("search_d")
          && !$0.contains("search_i") && !$0.contains("search_c") && !$0.contains("search_s")
      }
        == [
          "SearchNote", "SearchNote_search", "SearchNote_search_pending", "SearchNote_search_rows",
        ])
    let sql = try test.seen("SELECT sql FROM sqlite_master WHERE name = 'SearchNote_search'")
    let marks = try #require(try FullTextEngine.linked.words(of: .words).last)
    #expect(
      sql == [
        isFTS5
          ? "CREATE VIRTUAL TABLE `SearchNote_search` USING fts5 (`title`, `body`,"
            + " content='SearchNote_search_rows', content_rowid='rowid',"
            + " tokenize='unicode61 remove_diacritics 2 tokenchars \(marks)', prefix='2 3')"
          : "CREATE VIRTUAL TABLE `SearchNote_search` USING fts4 (`title`, `body`,"
            + " content='SearchNote_search_rows', tokenize=unicode61 'remove_diacritics=1'"
            + " '\(marks)', prefix='2,3')"
      ])
    #expect(try test.table(SearchNote.self).search("x").isEmpty)
    #expect(try test.table(SearchNote.self).checkSearch() == 0)
    let statements = try test.statements {
      try test.table(SearchNote.self).insertList([SearchNote(title: "a")])
    }
    #expect(!statements.contains { $0.hasPrefix("CREATE") })
  }

  @Test func verbs_eachOne_keepsTheIndexInStep() throws {
    let test = try TestDatabase()
    let table = test.table(SearchKeyed.self)
    func expect(_ word: String, _ count: Int, line: Int = #line) throws {
      #expect(try table.search(word).count == count, "line \(line)")
      test.expectIndexFits(SearchKeyed.self)
    }
    var first = SearchKeyed(code: "a", title: "one two")
    try table.insert(&first)
    try expect("one", 1)
    #expect(try table.insertOrIgnore(&first) == false)
    try expect("one", 1)
    first.title = "three"
    try table.update(first, by: \.code)
    try expect("one", 0)
    try expect("three", 1)
    first.title = "four"
    try table.insertOrReplace(&first)
    try expect("three", 0)
    var other = SearchKeyed(code: "a", title: "five")
    try table.upsert(&other, by: \.code)
    try expect("four", 0)
    try expect("five", 1)
    try table.update(where: \.code == "a", .set(\.title, to: "six"))
    try expect("six", 1)
    try table.insertList((0..<20).map { SearchKeyed(code: "n\($0)", title: "many \($0)") })
    try expect("many", 20)
    try table.delete(where: \.code == "n1")
    try expect("many", 19)
    try table.deleteAll()
    try expect("many", 0)
    #expect(try test.seen("SELECT count(*) FROM SearchKeyed_search_pending") == ["0"])
  }

  @Test func rawSQL_andOtherPrograms_count() throws {
    let test = try TestDatabase()
    let table = test.table(SearchKeyed.self)
    try table.insertList([
      SearchKeyed(code: "a", title: "one"), SearchKeyed(code: "b", title: "two"),
    ])
    func expect(_ word: String, _ codes: [String], line: Int = #line) throws {
      #expect(try table.search(word).map(\.model.code).sorted() == codes, "line \(line)")
      test.expectIndexFits(SearchKeyed.self)
    }
    try test.database.execute("UPDATE SearchKeyed SET title = 'three' WHERE code = 'a'")
    try expect("one", [])
    try expect("three", ["a"])
    // REPLACE fires no trigger for the rows that it takes away.
    try test.outside("INSERT OR REPLACE INTO SearchKeyed (code, title) VALUES ('a', 'four')")
    try expect("three", [])
    try expect("four", ["a"])
    try test.outside("REPLACE INTO SearchKeyed (pkid, code, title) VALUES (2, 'a', 'five')")
    try expect("four", [])
    try expect("two", [])
    try expect("five", ["a"])
    try test.outside("INSERT INTO SearchKeyed (code, title) VALUES ('c', 'six')")
    try test.outside("UPDATE OR REPLACE SearchKeyed SET code = 'a' WHERE code = 'c'")
    try expect("five", [])
    try expect("six", ["a"])
    try test.outside("UPDATE SearchKeyed SET pkid = 77")
    try expect("six", ["a"])
    try test.outside("INSERT OR IGNORE INTO SearchKeyed (code, title) VALUES ('a', 'seven')")
    try expect("seven", [])
    try expect("six", ["a"])
    try test.outside("BEGIN; DELETE FROM SearchKeyed; ROLLBACK")
    try expect("six", ["a"])
    try test.outside("DELETE FROM SearchKeyed")
    try expect("six", [])
  }

  @Test func keyNamedID_withATriggerOfTheProgram_keepsTheIndexInStep() throws {
    let test = try TestDatabase()
    let table = test.table(SearchIded.self)
    var (first, second) = (SearchIded(id: 1, title: "one"), SearchIded(id: 2, title: "two"))
    try table.insert(&first)
    try test.database.execute(
      """
      CREATE TRIGGER zz AFTER INSERT ON SearchIded BEGIN
        UPDATE SearchIded SET title = title || ' added' WHERE id = new.id;
      END
      """)
    try table.insert(&second)
    test.expectIndexFits(SearchIded.self)
    try table.delete(where: \.id == 2)
    second.title = "three"
    try table.insert(&second)
    test.expectIndexFits(SearchIded.self)
    #expect(try table.search("added").map(\.model.title) == ["three added"])
    #expect(try table.search("two").isEmpty)
  }

  @Test func text_ofOneWordManyTimes_isAskedForOnce() throws {
    let test = try TestDatabase()
    let table = test.table(SearchIded.self)
    let text = String(repeating: "word ", count: 20_000)
    var row = SearchIded(id: 1, title: text)
    try table.insert(&row)
    #expect(try table.search(text).count == 1)
    #expect(SearchQuestion.pieces(of: "b a b c b") == ["a", "c", "b"])
    #expect(SearchQuestion.pieces(of: "a a") == ["a", "a"])
  }

  @Test func rollback_takesWordsBack() throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList([SearchNote(title: "kept")])
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try test.database.transaction {
        try table.insertList([SearchNote(title: "gone")])
        #expect(try table.search("gone").count == 1)
        try? test.database.savepoint {
          try table.deleteAll()
          #expect(try table.search("kept").isEmpty)
          throw Stop()
        }
        #expect(try table.search("kept").count == 1)
        throw Stop()
      }
    }
    #expect(try table.search("gone").isEmpty && table.search("kept").count == 1)
    test.expectIndexFits(SearchNote.self)
    // The table and the index with it.
    #expect(throws: Stop.self) {
      try test.database.transaction {
        try test.table(SearchKeyed.self).insertList([SearchKeyed(code: "a", title: "b")])
        #expect(try test.table(SearchKeyed.self).search("b").count == 1)
        throw Stop()
      }
    }
    #expect(try test.table(SearchKeyed.self).search("b").isEmpty)
    try test.table(SearchKeyed.self).insertList([SearchKeyed(code: "a", title: "b")])
    #expect(try test.table(SearchKeyed.self).search("b").count == 1)
  }

  @Test func declaration_thatComesLater_isFollowed() throws {
    let test = try TestDatabase()
    let plain = test.table(SearchLater.self, named: "Later")
    try plain.insertList([SearchLater(title: "old row", note: "Süß")])
    // A find makes nothing, a search does.
    let searched = test.table(SearchLaterA.self, named: "Later")
    #expect(try searched.findAll().count == 1)
    #expect(try test.tables() == ["Later", "xtlite_columns", "xtlite_tables", "xtlite_versions"])
    #expect(try searched.search("old").count == 1)
    #expect(try searched.checkSearch() == 1)
    // What no longer declares it goes on with it.
    try plain.insertList([SearchLater(title: "old too", note: "")])
    #expect(try searched.search("old").count == 2)
    // Another declaration.
    let other = test.table(SearchLaterB.self, named: "Later")
    #expect(throws: XTError.self) { try other.checkSearch() }
    #expect(try other.search("sus").isEmpty && other.search("süß").count == 1)
    #expect(try other.checkSearch() == 2)
    let sql = try test.seen("SELECT sql FROM sqlite_master WHERE name = 'Later_search'")
    #expect(sql.count == 1 && sql[0].contains("`note`"))
  }

  @Test func declaration_thatComesLater_isMadeByAWriteToo_andNotInARead() throws {
    let test = try TestDatabase()
    try test.table(SearchLater.self, named: "Later").insertList([SearchLater(title: "row")])
    let searched = test.table(SearchLaterA.self, named: "Later")
    let refusal = #expect(throws: XTError.self) {
      try test.database.read { try searched.search("row") }
    }
    #expect(refusal?.kind == .schema && refusal?.hint?.contains("rebuildSearch") == true)
    try searched.insertList([SearchLaterA(title: "row two")])
    #expect(try test.database.read { try searched.search("row") }.count == 2)
    #expect(try searched.checkSearch() == 2)
  }

  /// What else the model has gained is an upgrade's, which may mean to rename a column to it.
  @Test func search_inATableThatLacksOtherProperties_addsNone() throws {
    let test = try TestDatabase()
    try test.table(SearchLater.self, named: "Later").insertList([SearchLater(title: "row")])
    func columns() throws -> [String] {
      try test.database.rows("PRAGMA table_info(Later)").map { try $0["name"] }
    }
    let before = try columns()
    let searched = test.table(SearchLaterC.self, named: "Later")
    #expect(try searched.search("row").map(\.model.added) == ["new"])
    #expect(try columns() == before)
    #expect(try searched.checkSearch() == 1)
    // One that is searched has to be there.
    let all = test.table(SearchLaterD.self, named: "Later")
    #expect(try all.search("new").count == 1)
    #expect(try columns() == before + ["added"])
  }

  @Test func triggers_thatWereDropped_areMissed() throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList([SearchNote(title: "one")])
    try test.outside(
      "DROP TRIGGER SearchNote_search_after_insert; INSERT INTO SearchNote (title) VALUES ('two')")
    #expect(throws: XTError.self) { try table.checkSearch() }
    #expect(try table.search("two").count == 1)
    #expect(try table.checkSearch() == 2)
    // The whole index.
    try test.outside("DROP TABLE SearchNote_search")
    #expect(throws: XTError.self) { try table.checkSearch() }
    try table.rebuildSearch()
    #expect(try table.search("two").count == 1 && table.checkSearch() == 2)
  }

  @Test func difference_isFound_andRebuiltAway() throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList((0..<50).map { SearchNote(title: "row \($0)") })
    let name = "SearchNote_search"
    let harms = [
      isFTS5
        ? "INSERT INTO \(name) (\(name), rowid, title, body) VALUES ('delete', 7, 'row 6', NULL)"
        : "DELETE FROM \(name) WHERE docid = 7",
      "INSERT INTO \(name) (rowid, title) VALUES (999, 'nobody')",
      "DELETE FROM \(name)_docsize WHERE \(isFTS5 ? "id" : "docid") = 3",
    ]
    for harm in harms {
      try test.outside(harm)
      let error = #expect(throws: XTError.self, "\(harm)") { try table.checkSearch() }
      #expect(error?.kind == .corrupt && error?.hint?.contains("rebuildSearch") == true)
      try table.rebuildSearch()
      #expect(try table.checkSearch() == 50)
    }
  }

  @Test func damagedIndex_saysSo() throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList((0..<50).map { SearchNote(title: "row \($0)") })
    try test.outside(
      isFTS5
        ? "UPDATE SearchNote_search_data SET block = x'00ff00ff' WHERE id > 10"
        : "UPDATE SearchNote_search_segdir SET root = x'00ff00ff'")
    let error = #expect(throws: XTError.self) {
      for text in ["row", "7", "nothing"] { _ = try table.search(text) }
      _ = try table.checkSearch()
    }
    #expect(
      error?.kind == .corrupt && error?.hint?.contains("rebuildSearch") == true,
      "\(String(describing: error))")
    try table.rebuildSearch()
    #expect(try table.checkSearch() == 50 && table.search("row").count == 50)
    #expect(try test.database.checkIntegrity().isEmpty)
  }

  @Test func drop_andRename_takeTheIndexAlong() throws {
    let test = try TestDatabase()
    let table = test.table(SearchKeyed.self)
    try table.insertList([SearchKeyed(code: "a", title: "one")])
    try table.alterRename(to: "Renamed")
    let renamed = test.table(SearchKeyed.self, named: "Renamed")
    #expect(try renamed.search("one").count == 1 && renamed.checkSearch() == 1)
    #expect(try test.tables().contains { $0.hasPrefix("SearchKeyed") } == false)
    try renamed.drop()
    #expect(try test.tables() == ["xtlite_columns", "xtlite_tables", "xtlite_versions"])
    // Raw SQL takes the triggers along, and leaves the index.
    try table.insertList([SearchKeyed(code: "a", title: "one")])
    try test.outside("DROP TABLE SearchKeyed")
    #expect(try table.search("one").isEmpty)
    try table.insertList([SearchKeyed(code: "b", title: "two")])
    #expect(try table.search("one").isEmpty && table.search("two").count == 1)
    test.expectIndexFits(SearchKeyed.self)
  }
}
