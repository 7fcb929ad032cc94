import Foundation
import Testing

@testable import XTLite

/// What plain SQL does to rows in ways that fire no trigger, or one too many.
@Suite struct SearchTriggerTests {
  private func table(_ script: String) throws -> (TestDatabase, XTTable<SearchMany>) {
    let test = try TestDatabase()
    let table = test.table(SearchMany.self)
    try table.create()
    try test.outside(script)
    // The keys that have come are taken into account by the next write.
    try table.insertList([
      SearchMany(code: "Apple", title: "one"), SearchMany(code: "Pear", title: "two"),
    ])
    return (test, table)
  }

  private func expect(
    _ table: XTTable<SearchMany>, _ titles: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try table.checkSearch() == titles.count, sourceLocation: sourceLocation)
    for title in titles {
      #expect(
        try table.search(title).map(\.model.title) == [title], sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [
    "lower(code)", "lower(`code`) COLLATE NOCASE DESC", "substr(code, 1, 1), age + 0 ASC",
    "CASE WHEN code = 'end' THEN title ELSE upper(code) END", "(code || ',(') COLLATE NOCASE",
  ])
  func replace_overAUniqueExpression_takesTheWordsOfTheOldRow(terms: String) throws {
    let (test, table) = try table("CREATE UNIQUE INDEX u ON SearchMany (\(terms))")
    try expect(table, ["one", "two"])
    try test.outside(
      "INSERT OR REPLACE INTO SearchMany (code, title, age) VALUES ('APPLE', 'three', 0)")
    try expect(table, ["two", "three"])
    try test.outside("UPDATE OR REPLACE SearchMany SET code = 'pear' WHERE title = 'three'")
    #expect(try table.checkSearch() == table.count(scope: .all))
  }

  @Test(arguments: ["rowid", "oid", "_ROWID_", "pkid"])
  func numberThatIsChanged_byWhateverName_isFollowed(name: String) throws {
    let (test, table) = try table("")
    try test.outside("UPDATE SearchMany SET \(name) = 9 WHERE title = 'one'")
    try expect(table, ["one", "two"])
    try test.outside("INSERT INTO SearchMany (pkid, code, title) VALUES (1, 'c', 'three')")
    try expect(table, ["one", "two", "three"])
  }

  /// The notes of refused rows push out the note of the row that is being written.
  @Test(arguments: [
    "BEFORE UPDATE OF title ON SearchMany", "AFTER UPDATE OF title ON SearchMany",
    "BEFORE DELETE ON SearchMany",
  ])
  func refusedRows_insideOfAnotherStatement_leaveTheIndexRight(trigger: String) throws {
    let (test, table) = try table(
      """
      CREATE UNIQUE INDEX u ON SearchMany (code);
      CREATE TRIGGER own \(trigger) BEGIN
        UPDATE OR IGNORE SearchMany SET code = 'taken' WHERE age = 2;
      END
      """)
    try table.insertList(
      (0..<40).map { SearchMany(code: "c\($0)", title: "row", age: 2) }
        + [SearchMany(code: "taken", title: "third")])
    try test.outside("UPDATE SearchMany SET title = 'changed' WHERE title = 'one'")
    #expect(try table.checkSearch() == table.count(scope: .all))
    #expect(try table.search("changed").count == 1 && table.search("one").isEmpty)
    try test.outside("DELETE FROM SearchMany WHERE title = 'two'")
    #expect(try table.checkSearch() == table.count(scope: .all))
    #expect(try table.search("two").isEmpty)
  }

  @Test func replace_thatEntersAPartialKey_takesTheWordsOfTheOtherRow() throws {
    let (test, table) = try table(
      "CREATE UNIQUE INDEX u ON SearchMany (length(code)) WHERE age > 3 AND title <> 'x'")
    try test.outside("UPDATE SearchMany SET age = 4 WHERE title = 'one'")
    try test.outside("UPDATE SearchMany SET code = 'Peach' WHERE title = 'two'")
    // Neither what is searched nor the key changes, only what stands behind WHERE.
    try test.outside("UPDATE OR REPLACE SearchMany SET age = 5 WHERE title = 'two'")
    try expect(table, ["two"])
  }

  @Test func replace_thatTakesADefault_takesTheWordsOfTheOtherRow() throws {
    let (test, table) = try table(
      """
      ALTER TABLE SearchMany ADD COLUMN kind TEXT NOT NULL DEFAULT 'plain';
      CREATE UNIQUE INDEX u ON SearchMany (kind, lower(code))
      """)
    // NULL is no kind: it becomes the default, and the row that has it goes.
    try test.outside(
      "INSERT OR REPLACE INTO SearchMany (code, title, kind) VALUES ('APPLE', 'three', NULL)")
    try expect(table, ["two", "three"])
    try test.outside("UPDATE OR REPLACE SearchMany SET code = 'pear', kind = NULL WHERE pkid = 3")
    try expect(table, ["three"])
  }

  @Test func recursiveTriggers_withADeleteTriggerOfTheProgram_keepTheIndexInStep() throws {
    let (test, table) = try table(
      """
      CREATE TRIGGER mine AFTER DELETE ON SearchMany BEGIN
        UPDATE SearchMany SET body = 'left ' || old.title WHERE age = old.age;
      END;
      CREATE UNIQUE INDEX u ON SearchMany (code);
      CREATE UNIQUE INDEX v ON SearchMany (age) WHERE age > 10
      """)
    try test.outside(
      """
      INSERT INTO SearchMany (code, title, age) VALUES ('a', 'three', 11);
      INSERT INTO SearchMany (code, title, age) VALUES ('b', 'four', 12);
      PRAGMA recursive_triggers = 1;
      REPLACE INTO SearchMany (pkid, code, title, age) VALUES (1, 'a', 'five', 12)
      """)
    try expect(table, ["two", "five"])
    #expect(try table.search("left").map(\.model.body) == ["left one"])
    try test.outside(
      """
      PRAGMA recursive_triggers = 1;
      REPLACE INTO SearchMany (pkid, code, title, age) VALUES (1, 'c', 'six', 0)
      """)
    try expect(table, ["two", "six"])
  }

  @Test(arguments: ["DELETE", "UPDATE OF title", "INSERT"])
  func trigger_ofTheProgram_beforeAWrite_mayChangeTheSameRow(event: String) throws {
    let (test, table) = try table(
      """
      CREATE UNIQUE INDEX u ON SearchMany (code);
      CREATE TRIGGER mine BEFORE \(event) ON SearchMany BEGIN
        UPDATE SearchMany SET body = 'changed' WHERE code = 'Apple' AND body IS NOT 'changed';
      END
      """)
    try table.rebuildSearch()
    for script in [
      "REPLACE INTO SearchMany (code, title) VALUES ('Apple', 'three')",
      "UPDATE SearchMany SET title = 'four' WHERE code = 'Apple'",
      "DELETE FROM SearchMany WHERE code = 'Apple'",
    ] {
      try test.outside(script)
      try expect(table, table.findAll().map(\.title))
    }
    try expect(table, ["two"])
  }

  @Test func generatedColumn_inAUniqueKey_isWatched() throws {
    guard SQLiteLibrary.versionNumber >= 3_031_000 else { return }
    let (test, table) = try table(
      """
      ALTER TABLE SearchMany ADD COLUMN small TEXT AS (lower(code));
      CREATE UNIQUE INDEX u ON SearchMany (small)
      """)
    try test.outside("INSERT OR REPLACE INTO SearchMany (code, title) VALUES ('APPLE', 'three')")
    try expect(table, ["two", "three"])
    try test.outside("UPDATE OR REPLACE SearchMany SET code = 'PEAR' WHERE title = 'three'")
    try expect(table, ["three"])
  }

  @Test func rowsThatWereRefused_areForgotten_andRewritesStayRight() throws {
    let (test, table) = try table("CREATE UNIQUE INDEX u ON SearchMany (code)")
    try table.insertList((0..<200).map { SearchMany(code: "k\($0)", title: "row\($0)") })
    try test.outside(
      "INSERT OR IGNORE INTO SearchMany (code, title) SELECT code, 'x' FROM SearchMany")
    try test.outside("UPDATE OR IGNORE SearchMany SET code = 'Pear'")
    #expect(try table.checkSearch() == 202)
    #expect(try test.seen("SELECT count(*) <= 16 FROM SearchMany_search_pending") == ["1"])
    try test.outside("UPDATE SearchMany SET title = 'all'")
    #expect(try table.checkSearch() == 202 && table.searchCount("all") == 202)
    try test.outside("DELETE FROM SearchMany")
    #expect(try test.seen("SELECT count(*) FROM SearchMany_search_pending") == ["0"])
  }

  @Test(arguments: ["new", "old", "xt_row", "xt_found"])
  func tableName_thatTriggersUseThemselves_works(name: String) throws {
    let test = try TestDatabase()
    let table = test.table(SearchMany.self, named: name)
    try table.insertList([SearchMany(code: "a", title: "one"), SearchMany(code: "b", title: "two")])
    try test.outside("UPDATE `\(name)` SET title = 'three' WHERE code = 'a'")
    try test.outside("REPLACE INTO `\(name)` (pkid, title) VALUES (2, 'four')")
    #expect(try table.checkSearch() == 2)
    #expect(try table.search("three").map(\.model.code) == ["a"])
    #expect(try table.search("two").isEmpty && table.searchCount("one") == 0)
  }

  @Test func columns_thatSearchesUseThemselves_areTheModelsOwn() throws {
    let test = try TestDatabase()
    let table = test.table(SearchOwnNames.self)
    try table.insertList([
      SearchOwnNames(title: "apple", xt_rank: 7, xt_number: 8, xt_places: "here", xt_found: "a"),
      SearchOwnNames(
        title: "apple pie", xt_rank: 1, xt_number: 2, xt_places: "there", xt_found: "b"),
    ])
    let hits = try table.search("apple")
    #expect(hits.map(\.model.xt_rank) == [7, 1] && hits[0].rank < 0)
    #expect(try table.search("apple", where: \.xt_rank < 5).map(\.model.xt_number) == [2])
    #expect(try table.search("apple", where: "xt_rank > 5 AND xt_found = 'a'").count == 1)
    #expect(
      try table.search("apple", orderBy: .asc(\.xt_rank)).map(\.model.xt_places)
        == ["there", "here"])
    #expect(try table.search("apple", limit: 1, after: hits[0]).map(\.model.xt_found) == ["b"])
    #expect(try table.searchCount("apple") == 2)
    #expect(try table.search(query: .not("pie")).map(\.model.xt_rank) == [7])
    #expect(hits[1].highlight(\.title) == "<b>apple</b> pie")
  }

  @Test func hits_moreThanAStatementHasParameters_haveTheirPlaces() throws {
    let test = try TestDatabase()
    let table = test.table(SearchOlder.self)
    try table.insertList((0..<2_500).map { SearchOlder(text: "apple \($0)") })
    let hits = try table.search("apple")
    #expect(hits.count == 2_500)
    #expect(hits.allSatisfy { $0.highlight(\.text).hasPrefix("<b>apple</b>") })
  }

  /// They are equal, and two texts.
  @Test func numberOfAnotherType_inAColumnWithoutAType_isFollowed() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE SearchTypeless (pkid INTEGER PRIMARY KEY, text);"
        + " INSERT INTO SearchTypeless (text) VALUES ('word'), (1), (2.0)")
    let table = test.table(SearchTypeless.self)
    try table.rebuildSearch()
    #expect(try table.checkSearch() == 3)
    try test.outside(
      "UPDATE SearchTypeless SET text = 1.0 WHERE text = 1;"
        + " UPDATE SearchTypeless SET text = 2 WHERE text = 2")
    #expect(try table.checkSearch() == 3)
    #expect(try table.searchCount(query: .phrase("1.0")) == 1)
    try test.outside(
      "UPDATE SearchTypeless SET text = 'word' WHERE text = 1; DELETE FROM SearchTypeless")
    #expect(try table.checkSearch() == 0)
  }

  @Test(arguments: ["NUMERIC", "INTEGER", "ANY", "BLOB"])
  func numberOfAnotherType_inAColumnOfNumbers_isFollowed(type: String) throws {
    let isStrict = type == "ANY" && SQLiteLibrary.versionNumber >= 3_037_000
    let test = try TestDatabase(
      after: "CREATE TABLE SearchTypeless (pkid INTEGER PRIMARY KEY, text \(type))"
        + (isStrict ? " STRICT" : "")
        + "; INSERT INTO SearchTypeless (text) VALUES (1), (-9223372036854775808), (2.5)")
    let table = test.table(SearchTypeless.self)
    try table.rebuildSearch()
    try test.outside(
      "UPDATE SearchTypeless SET text = 1.0 WHERE pkid = 1;"
        + " UPDATE SearchTypeless SET text = -9223372036854775808.0 WHERE pkid = 2")
    #expect(try table.checkSearch() == 3)
    try test.outside("UPDATE SearchTypeless SET text = 'x'; DELETE FROM SearchTypeless")
    #expect(try table.checkSearch() == 0)
  }
}

struct SearchMany: XTModel {
  var pkid: Int64?
  var code = ""
  var title = ""
  var body: String?
  var age = 0
  static var xt_search: XTSearch { XTSearch([\SearchMany.title, \SearchMany.body]) }
}

struct SearchOwnNames: XTModel {
  var title = ""
  var xt_rank = 0
  var xt_number = 0
  var xt_places = ""
  var xt_found = ""
  static var xt_search: XTSearch { XTSearch([\SearchOwnNames.title]) }
}

/// On the older FTS, whatever the library has.
struct SearchOlder: XTModel {
  var text = ""
  static var xt_search: XTSearch {
    var search = XTSearch([\SearchOlder.text])
    search.engine = .fts4
    return search
  }
}

private struct SearchTypeless: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchTypeless.text]) }
}
