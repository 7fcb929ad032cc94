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
    #expect(
      sql == [
        isFTS5
          ? "CREATE VIRTUAL TABLE `SearchNote_search` USING fts5 (`title`, `body`,"
            + " content='SearchNote_search_rows', content_rowid='rowid',"
            + " tokenize='unicode61 remove_diacritics 2', prefix='2 3')"
          : "CREATE VIRTUAL TABLE `SearchNote_search` USING fts4 (`title`, `body`,"
            + " content='SearchNote_search_rows', tokenize=unicode61 \"remove_diacritics=1\","
            + " prefix='2,3')"
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

  @Test func names_ofAnyKind_work() throws {
    let test = try TestDatabase()
    for name in ["work&33-cur", "3a", "a b", "a\"b", "表", "it's", "select", "a`b", "a]b"] {
      let table = test.table(SearchNames.self, named: name)
      try table.insertList([
        SearchNames(rank: "first", order: "second", rowid: "third", quote: "fourth")
      ])
      for word in ["first", "second", "third", "fourth"] {
        #expect(try table.search(word).count == 1, "\(name) \(word)")
      }
      #expect(try table.search("first").first?.highlight(\.rank) == "<b>first</b>")
      #expect(try table.search(query: .in(\SearchNames.rank, "first")).count == 1)
      #expect(try table.search(query: .in(\SearchNames.quote, "first")).isEmpty)
      #expect(try table.checkSearch() == 1)
      try table.deleteAll()
      #expect(try table.checkSearch() == 0)
    }
  }

  @Test func ownKey_isTheRowsNumber() throws {
    let test = try TestDatabase()
    let table = test.table(SearchOwnKey.self)
    try table.insertList([
      SearchOwnKey(localID: 40, title: "forty"), SearchOwnKey(localID: -3, title: "minus"),
    ])
    #expect(try table.search("minus").first?.model.localID == -3)
    try table.update(where: \.localID == 40, .set(\.title, to: "four"))
    #expect(try table.search("four").count == 1 && table.checkSearch() == 2)
  }

  @Test func class_itsSubclassesAndObjects_areFound() throws {
    let test = try TestDatabase()
    let table = test.table(SearchObject.self)
    let object = SearchObject()
    object.title = "an object"
    try table.insert(object)
    let hit = try #require(try table.search("object").first)
    #expect(hit.model.title == "an object" && hit.model.pkid == object.pkid)
    #expect(hit.highlight(\.title) == "an <b>object</b>")
    hit.model.title = "changed"
    try table.update(hit.model)
    #expect(try table.search("object").isEmpty && table.search("changed").count == 1)
  }

  @Test func badDeclarations_areErrors() throws {
    let test = try TestDatabase()
    func message<Model: XTModel>(_ type: Model.Type) -> String {
      do {
        _ = try test.table(type).search("x")
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(message(SearchLater.self).contains("has no xt_search"))
    #expect(message(SearchOfNumber.self).contains("age, which is no text but"))
    #expect(message(SearchOfList.self).contains("tags, which is no text"))
    #expect(message(SearchTwice.self).contains("names title twice"))
    #expect(message(SearchOdd.self).contains("prefix of 0"))
    #expect(message(SearchWeightless.self).contains("gives other a weight"))
    #expect(throws: XTError.self) {
      try test.table(SearchOfNumber.self).insertList([SearchOfNumber()])
    }
    let table = test.table(SearchNote.self)
    #expect(throws: XTError.self) { try table.search(query: .in(\SearchNote.age, "x")) }
    try table.insertList([SearchNote(title: "x")])
    #expect(throws: XTError.self) { try table.search(query: .in(\SearchKeyed.title, "x")) }
    let without = try TestDatabase { $0.automaticColumns = false }
    #expect(throws: XTError.self) {
      try without.table(SearchKeyed.self).insertList([SearchKeyed(code: "a", title: "b")])
    }
  }

  @Test func foreignTable_getsAnIndexOnlyWhereAsked() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE SearchKeyed (pkid INTEGER PRIMARY KEY, code TEXT, title TEXT);"
        + "INSERT INTO SearchKeyed (code, title) VALUES ('a', 'theirs')")
    let table = test.table(SearchKeyed.self)
    #expect(throws: XTError.self) { try table.search("theirs") }
    try table.update(where: \.code == "a", .set(\.title, to: "ours"))
    #expect(try test.tables() == ["SearchKeyed"])
    try table.rebuildSearch()
    #expect(try table.search("ours").count == 1 && table.checkSearch() == 1)
  }

  @Test func takenName_isAnError() throws {
    let test = try TestDatabase(after: "CREATE TABLE SearchNote_search (a)")
    let error = #expect(throws: XTError.self) {
      try test.table(SearchNote.self).insertList([SearchNote(title: "x")])
    }
    #expect(error?.message.contains("`SearchNote_search` is taken") == true)
    #expect(try test.tables() == ["SearchNote_search"])
  }

  @Test func readOnly_searches_andMakesNothing() throws {
    let test = try TestDatabase()
    try test.table(SearchNote.self).insertList([SearchNote(title: "x")])
    try test.table(SearchLater.self, named: "Later").insertList([SearchLater(title: "row")])
    try test.database.close()
    var configuration = test.database.configuration
    configuration.readOnly = true
    let other = try XTDatabase(path: test.path, configuration: configuration)
    #expect(try other.table(SearchNote.self).search("x").count == 1)
    #expect(throws: XTError.self) {
      try other.table(SearchLaterA.self, named: "Later").search("row")
    }
  }

  @Test func rebuild_tellsOfProgress_andCanBeCancelled() throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList((0..<5_000).map { SearchNote(title: "row \($0)") })
    let progress = Progress(totalUnitCount: 1)
    try table.rebuildSearch(progress: progress)
    #expect(progress.totalUnitCount == 5_000 && progress.completedUnitCount == 5_000)
    let cancelled = Progress(totalUnitCount: 1)
    cancelled.cancel()
    #expect(throws: CancellationError.self) { try table.rebuildSearch(progress: cancelled) }
    #expect(try table.checkSearch() == 5_000)
  }

  @Test func rebuild_async_isCancelledWithItsTask() async throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList((0..<3_000).map { SearchNote(title: "row \($0)") })
    try await table.rebuildSearch()
    #expect(try table.search("2321").count == 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await table.rebuildSearch()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try table.checkSearch() == 3_000)
  }

  @Test func rebuild_ofFTSItself_isRight() throws {
    let test = try TestDatabase()
    try test.table(SearchNote.self).insertList([SearchNote(title: "one"), SearchNote(title: "two")])
    try test.outside("INSERT INTO SearchNote_search (SearchNote_search) VALUES ('rebuild')")
    try test.outside("INSERT INTO SearchNote_search (SearchNote_search) VALUES ('optimize')")
    #expect(try test.table(SearchNote.self).checkSearch() == 2)
    #expect(try test.table(SearchNote.self).search("two").count == 1)
  }

  @Test func partialUniqueIndex_andReplace_keepTheIndexInStep() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPartial.self)
    try table.insertList([
      SearchPartial(mail: "A@b", title: "one"), SearchPartial(mail: "c", title: "two"),
    ])
    try test.outside("INSERT OR REPLACE INTO SearchPartial (mail, title) VALUES ('a@B', 'three')")
    #expect(try table.search("one").isEmpty && table.search("three").count == 1)
    test.expectIndexFits(SearchPartial.self)
    try table.softDelete(where: \.title == "two")
    try test.outside("INSERT OR REPLACE INTO SearchPartial (mail, title) VALUES ('c', 'four')")
    #expect(try table.searchCount("two", scope: .all) == 1)
    test.expectIndexFits(SearchPartial.self)
  }

  @Test func backup_andVacuum_keepIt() throws {
    let test = try TestDatabase()
    let table = test.table(SearchCJK.self)
    try table.insertList([SearchCJK(text: "苹果树")])
    try test.database.execute("VACUUM")
    #expect(try table.search("苹果").count == 1)
    let folder = try TemporaryFolder()
    let path = folder.path("copy.sqlite")
    try test.database.backup(to: path)
    let copy = try XTDatabase(path: path)
    #expect(try copy.table(SearchCJK.self).search("果树").count == 1)
    #expect(try copy.table(SearchCJK.self).checkSearch() == 1)
  }
}

struct SearchLater: XTModel {
  var title = ""
  var note = ""
}

struct SearchLaterA: XTModel {
  var title = ""
  var note = ""
  static var xt_search: XTSearch { XTSearch([\SearchLaterA.title]) }
}

struct SearchLaterB: XTModel {
  var title = ""
  var note = ""
  static var xt_search: XTSearch { XTSearch([\SearchLaterB.note], tokenizer: .wordsExact) }
}

struct SearchNames: XTModel {
  var rank = ""
  var order = ""
  var rowid = ""
  var quote = ""
  static var xt_columnNames: XTNameMap { [\SearchNames.quote: "a \"b`, 'c] d"] }
  static var xt_search: XTSearch {
    XTSearch([\SearchNames.rank, \SearchNames.order, \SearchNames.rowid, \SearchNames.quote])
  }
}

struct SearchOwnKey: XTModel {
  var localID = 0
  var title = ""
  static var xt_primaryKey: XTKeyPaths { [\SearchOwnKey.localID] }
  static var xt_search: XTSearch { XTSearch([\SearchOwnKey.title]) }
}

final class SearchObject: XTModel {
  var title = ""
  init() {}
  static var xt_search: XTSearch { XTSearch([\SearchObject.title]) }
}

struct SearchOfNumber: XTModel {
  var age = 0
  static var xt_search: XTSearch { XTSearch([\SearchOfNumber.age]) }
}

struct SearchOfList: XTModel {
  var tags: [String] = []
  static var xt_search: XTSearch { XTSearch([\SearchOfList.tags]) }
}

struct SearchTwice: XTModel {
  var title = ""
  static var xt_search: XTSearch { XTSearch([\SearchTwice.title, \SearchTwice.title]) }
}

struct SearchOdd: XTModel {
  var title = ""
  static var xt_search: XTSearch { XTSearch([\SearchOdd.title], prefixes: [0]) }
}

struct SearchWeightless: XTModel {
  var title = ""
  var other = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchWeightless.title], weights: [\SearchWeightless.other: 2])
  }
}

struct SearchPartial: XTModel {
  var mail = ""
  var title = ""
  static var xt_keywords: XTKeywordMap { [\SearchPartial.mail: .noCase] }
  static var xt_indexes: [XTIndex] { [XTIndex(\SearchPartial.mail, unique: true, scope: .live)] }
  static var xt_search: XTSearch { XTSearch([\SearchPartial.title]) }
}
