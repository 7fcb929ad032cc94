import Foundation
import Testing

@testable import XTLite

/// Indexes of words that are damaged in any way, and names that something else has.
@Suite struct SearchDamageTests {
  static let harms5 = [
    "DROP TABLE @_data", "DELETE FROM @_data", "UPDATE @_data SET block = X'00'",
    "UPDATE @_data SET block = NULL", "UPDATE @_data SET block = zeroblob(100)",
    "DELETE FROM @_data WHERE id = 10", "DELETE FROM @_data WHERE id = 1",
    "UPDATE @_data SET block = X'00' WHERE id = 10", "DROP TABLE @_idx", "DELETE FROM @_idx",
    "UPDATE @_idx SET pgno = 77", "DROP TABLE @_config", "DELETE FROM @_config",
    "UPDATE @_config SET v = 99", "UPDATE @_config SET v = 'abc'",
    "INSERT INTO @_config VALUES ('pgsz', 'x'), ('automerge', X'FF')", "DROP TABLE @_docsize",
    "DELETE FROM @_docsize", "UPDATE @_docsize SET sz = X'FF'",
    "DROP TABLE @_data; CREATE TABLE @_data (a, b, c)",
    "DROP TABLE @_config; CREATE TABLE @_config (z)",
    "DROP TABLE @_config; CREATE VIEW @_config AS SELECT 1 AS k, 2 AS v",
    "DROP TABLE @_idx; CREATE VIEW @_idx AS SELECT 1",
    "DROP TABLE @_data; DROP TABLE @_idx; DROP TABLE @_config; DROP TABLE @_docsize",
    "DROP TABLE @_pending", "DROP VIEW @_rows", "DROP TABLE @", "DROP TRIGGER @_after_update",
    "DROP TABLE @_config; DROP TABLE @_pending; DROP VIEW @_rows",
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql ="
      + " replace(sql, 'unicode61', 'nowhere') WHERE name = '@'; PRAGMA schema_version = 5000",
    // A module that this library does not have.
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql ="
      + " replace(replace(sql, 'fts4', 'fts9'), 'fts5', 'fts9') WHERE name = '@';"
      + " PRAGMA schema_version = 5000",
    "PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name = '@';"
      + " PRAGMA schema_version = 5000",
  ]

  static let harms4 = [
    "DROP TABLE @_segments", "DROP TABLE @_segdir", "DELETE FROM @_segdir", "DROP TABLE @_docsize",
    "DELETE FROM @_docsize", "DROP TABLE @_stat", "DELETE FROM @_stat",
    "UPDATE @_segdir SET root = X'00'", "UPDATE @_segdir SET root = NULL",
    "DROP TABLE @_segdir; CREATE TABLE @_segdir (a)",
    "DROP TABLE @_segdir; CREATE VIEW @_segdir AS SELECT 1",
    "DROP TABLE @_segdir; DROP TABLE @_docsize; DROP TABLE @_stat; DROP TABLE @_segments",
    "DROP TABLE @_pending", "DROP VIEW @_rows", "DROP TABLE @", "DROP TRIGGER @_after_update",
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql ="
      + " replace(sql, 'unicode61', 'nowhere') WHERE name = '@'; PRAGMA schema_version = 5000",
    // A module that this library does not have.
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql ="
      + " replace(replace(sql, 'fts4', 'fts9'), 'fts5', 'fts9') WHERE name = '@';"
      + " PRAGMA schema_version = 5000",
    "PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name = '@';"
      + " PRAGMA schema_version = 5000",
  ]

  @Test(arguments: isFTS5 ? harms5 : [])
  func rebuild_mendsAnyDamage(harm: String) throws {
    try mends(SearchHarmed.self, harm)
  }

  @Test(arguments: harms4)
  func rebuild_ofFTS4_mendsAnyDamage(harm: String) throws {
    try mends(SearchHarmed4.self, harm)
  }

  private func mends<Model: Harmed>(_ type: Model.Type, _ harm: String) throws {
    let test = try TestDatabase()
    let table = test.table(type)
    var models = (0..<60).map { number in
      var model = Model()
      model.text = "row \(number)"
      return model
    }
    try table.insertList(&models)
    #expect(try table.search("row").count == 60)
    try test.outside(harm.replacing("@", with: "Harmed_search"))
    // Until then there is either no harm to see, or an error that says what is to be done.
    for attempt in 0..<4 {
      do {
        switch attempt {
        case 0: try test.database.read { _ = try table.search("row 7") }
        case 1: try table.update(where: \.number == 7, .set(\.text, to: "row 7"))
        case 2: try table.insertList([models[0].another()])
        default: try test.database.transaction { try table.delete(where: \.number == 60) }
        }
      } catch let error as XTError {
        #expect(
          error.hint?.contains("rebuildSearch()") == true
            && [.corrupt, .schema].contains(error.kind),
          "\(harm), \(attempt): \(error)")
      }
    }
    try table.rebuildSearch()
    let count = try table.count()
    #expect(count >= 59)
    #expect(try table.checkSearch() == count, "\(harm)")
    #expect(try table.search("row", limit: 100).count == count)
    #expect(try test.database.checkIntegrity().isEmpty)
    try table.insertList([models[0].another()])
    try table.delete(where: \.number == 3)
    let now = try table.count()
    #expect(try table.checkSearch() == now)
    #expect(
      try test.seen("SELECT count(*) FROM Harmed_search WHERE Harmed_search MATCH 'row'")
        == ["\(now)"])
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
  }

  @Test func damage_isNamed_inWritesThatWouldSayAnotherThing() throws {
    guard isFTS5 else { return }
    let test = try TestDatabase()
    let table = test.table(SearchHarmed.self)
    try table.insertList([SearchHarmed(text: "row")])
    try test.outside("UPDATE Harmed_search_data SET block = X'00'")
    let error = #expect(throws: XTError.self) { try table.insertList([SearchHarmed(text: "more")]) }
    #expect(error?.kind == .corrupt && error?.table == "Harmed")
    #expect(error?.message.contains("the index of the words of `Harmed` is damaged") == true)
    // Its own constraints are still told as what they are.
    try table.rebuildSearch()
    try test.outside("CREATE UNIQUE INDEX u ON Harmed (text)")
    let other = #expect(throws: XTError.self) { try table.insertList([SearchHarmed(text: "row")]) }
    #expect(other?.kind == .constraint(.unique))
  }

  @Test func readers_seeTheIndexThatWasMadeAnew() throws {
    guard isFTS5 else { return }
    let test = try TestDatabase()
    let table = test.table(SearchHarmed.self)
    try table.insertList([SearchHarmed(text: "row")])
    let other = try test.reader()
    defer { other.close() }
    let search = "SELECT count(*) FROM Harmed_search WHERE Harmed_search MATCH 'row'"
    #expect(try other.firstValue(search) == .integer(1))
    try test.outside("DROP TABLE Harmed_search_config")
    try table.rebuildSearch()
    try table.insertList([SearchHarmed(text: "row two")])
    #expect(try other.firstValue(search) == .integer(2))
    #expect(try table.search("row").count == 2)
    #expect(try test.database.read { try table.search("two").count } == 1)
  }

  @Test func rebuild_thatIsCancelled_leavesTheDamagedIndex() throws {
    guard isFTS5 else { return }
    let test = try TestDatabase()
    let table = test.table(SearchHarmed.self)
    try table.insertList([SearchHarmed(text: "row")])
    try test.outside("DROP TABLE Harmed_search_config")
    let before = try test.seen("SELECT name, sql FROM sqlite_master ORDER BY name")
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    #expect(throws: CancellationError.self) { try table.rebuildSearch(progress: progress) }
    #expect(try test.seen("SELECT name, sql FROM sqlite_master ORDER BY name") == before)
    #expect(throws: XTError.self) { try table.search("row") }
    try table.rebuildSearch()
    #expect(try table.search("row").count == 1)
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
  }

  // MARK: Names

  @Test(arguments: [
    "TABLE Harmed_search_data (a)", "TABLE Harmed_search_docsize (a, b)",
    "VIEW Harmed_search_rows AS SELECT 1", "TABLE Harmed_search_pending (mine)",
    "TABLE Harmed_search (mine)", "VIEW harmed_SEARCH AS SELECT 1",
    "VIRTUAL TABLE Harmed_search USING fts4 (mine)",
  ])
  func nameThatIsTaken_isAnError_andNothingIsTouched(object: String) throws {
    guard isFTS5 else { return }
    let test = try TestDatabase(after: "CREATE \(object)")
    let name = object.split(separator: " ").first { $0.lowercased().hasPrefix("harmed") } ?? ""
    let error = #expect(throws: XTError.self) {
      try test.table(SearchHarmed.self).insertList([SearchHarmed(text: "x")])
    }
    #expect(error?.kind == .schema && error?.message.contains("`\(name)` is taken") == true)
    #expect(error?.hint?.contains("another name") == true)
    #expect(try test.tables().contains("\(name)") && !test.tables().contains("Harmed"))
    // In the way of one that is there.
    let later = try TestDatabase()
    let table = later.table(SearchHarmed.self)
    try table.insertList([SearchHarmed(text: "x")])
    try later.outside("DROP TABLE Harmed_search; DROP VIEW Harmed_search_rows")
    try later.outside("DROP TABLE Harmed_search_pending; CREATE \(object)")
    let other = #expect(throws: XTError.self) { try table.rebuildSearch() }
    #expect(other?.message.contains("`\(name)` is taken") == true)
    #expect(try later.seen("SELECT count(*) FROM sqlite_master WHERE name = '\(name)'") == ["1"])
  }

  @Test func triggerOfTheProgram_withSuchAName_isKept() throws {
    let test = try TestDatabase()
    let table = test.table(SearchHarmed.self)
    try table.create()
    try test.outside(
      "CREATE TRIGGER Harmed_search_mine AFTER INSERT ON Harmed BEGIN SELECT 1; END")
    try table.insertList([SearchHarmed(text: "x")])
    try table.rebuildSearch()
    #expect(
      try test.seen("SELECT count(*) FROM sqlite_master WHERE name = 'Harmed_search_mine'") == ["1"]
    )
    let statements = try test.statements { try table.insertList([SearchHarmed(text: "y")]) }
    #expect(!statements.contains { $0.hasPrefix("CREATE") })
  }

  @Test(arguments: ["", "_rows", "_pending", "_docsize"])
  func namesOfAnIndex_areNoModels(suffix: String) throws {
    let test = try TestDatabase()
    let table = test.table(SearchHarmed.self)
    try table.insertList([SearchHarmed(text: "x")])
    let before = try test.seen("SELECT name, sql FROM sqlite_master ORDER BY name")
    let other = test.table(SearchLater.self, named: "harmed_search\(suffix)")
    var row = SearchLater(title: "title", note: "note")
    let attempts: [() throws -> Void] = [
      { try other.insert(&row) }, { try other.create() }, { try other.drop() },
      { try other.deleteAll() }, { try other.alterRename(to: "Elsewhere") },
      { try other.update(where: nil, .set(\.title, to: "x")) },
      {
        try test.database.upgrade {
          XTUpgrade(SearchLater.self, to: 2, named: "harmed_search\(suffix)") { $0.add(\.note) }
        }
      },
    ]
    for (place, attempt) in attempts.enumerated() {
      let error = #expect(throws: XTError.self, "\(place)") { try attempt() }
      #expect(error?.kind == .schema, "\(place): \(String(describing: error))")
    }
    let after = try test.seen("SELECT name, sql FROM sqlite_master ORDER BY name")
      .filter { !$0.hasPrefix("xtlite_versions") }
    #expect(after == before.filter { !$0.hasPrefix("xtlite_versions") })
    #expect(try table.checkSearch() == 1)
  }

  @Test func tablesOfAProgramsOwnFullTextTable_areNoModels() throws {
    let test = try TestDatabase(after: "CREATE VIRTUAL TABLE mail USING fts4 (title, note)")
    var row = SearchLater(title: "title", note: "note")
    try test.table(SearchLater.self, named: "mail").insertList([row])
    let error = #expect(throws: XTError.self) {
      try test.table(SearchLater.self, named: "mail_content").insert(&row)
    }
    #expect(error?.message.contains("`mail_content` belongs to the full-text table `mail`") == true)
    // One that only is called so.
    try test.table(SearchLater.self, named: "post_content").insert(&row)
    try test.table(SearchLater.self, named: "my_search").insert(&row)
    try test.table(SearchLater.self, named: "my_search_rows").insert(&row)
  }

  // MARK: Renamed and dropped by others

  @Test func renameByPlainSQL_isFollowed() throws {
    let test = try TestDatabase()
    let table = test.table(SearchHarmed.self)
    try table.insertList([SearchHarmed(text: "one")])
    try test.outside("ALTER TABLE Harmed RENAME TO Moved")
    // The old name is free for a new table.
    try table.insertList([SearchHarmed(text: "two")])
    #expect(try table.search("two").count == 1 && table.search("one").isEmpty)
    #expect(try table.checkSearch() == 1)
    let moved = test.table(SearchHarmed.self, named: "Moved")
    try moved.insertList([SearchHarmed(text: "three")])
    #expect(try moved.search("one").count == 1 && moved.search("three").count == 1)
    #expect(try moved.checkSearch() == 2 && table.checkSearch() == 1)
    let statements = try test.statements {
      try moved.insertList([SearchHarmed(text: "four")])
      try table.insertList([SearchHarmed(text: "five")])
    }
    #expect(!statements.contains { $0.hasPrefix("CREATE") || $0.hasPrefix("DROP") })
  }

  @Test func renameByPlainSQL_thenUseByTheNewName_leavesNothingOfTheOld() throws {
    let test = try TestDatabase()
    try test.table(SearchHarmed.self).insertList([SearchHarmed(text: "one")])
    try test.outside("ALTER TABLE Harmed RENAME TO Moved")
    let moved = test.table(SearchHarmed.self, named: "Moved")
    try moved.update(where: nil, .set(\.text, to: "two"))
    #expect(try moved.search("one").isEmpty && moved.search("two").count == 1)
    #expect(try moved.checkSearch() == 1)
    #expect(
      try test.seen("SELECT name FROM sqlite_master WHERE lower(name) LIKE '%harmed%'").isEmpty)
  }

  @Test func swapByPlainSQL_isFollowed() throws {
    let test = try TestDatabase()
    let (first, second) = (
      test.table(SearchHarmed.self), test.table(SearchHarmed.self, named: "Second")
    )
    try first.insertList([SearchHarmed(text: "one")])
    try second.insertList([SearchHarmed(text: "two"), SearchHarmed(text: "three")])
    try test.outside(
      "ALTER TABLE Harmed RENAME TO t; ALTER TABLE Second RENAME TO Harmed;"
        + " ALTER TABLE t RENAME TO Second")
    try first.insertList([SearchHarmed(text: "four")])
    #expect(try first.search("two").count == 1 && first.checkSearch() == 3)
    try second.insertList([SearchHarmed(text: "five")])
    #expect(try second.search("one").count == 1 && second.checkSearch() == 2)
    #expect(try first.checkSearch() == 3)
  }

  @Test func tableDroppedByPlainSQL_leavesNothingInTheWay() throws {
    let test = try TestDatabase()
    let table = test.table(SearchHarmed.self)
    let other = test.table(SearchLater.self, named: "Other")
    try table.insertList([SearchHarmed(text: "one")])
    try other.insertList([SearchLater(title: "row")])
    try test.outside("DROP TABLE Harmed")
    // A view of a table that is missing keeps SQLite from renaming any.
    #expect(try other.alterRename(to: "Another"))
    #expect(
      try test.seen("SELECT name FROM sqlite_master WHERE lower(name) LIKE '%harmed%'").isEmpty)
    // Made again, by the model and by others.
    try table.insertList([SearchHarmed(text: "two")])
    #expect(try table.search("one").isEmpty && table.checkSearch() == 1)
    let sql = try test.seen("SELECT sql FROM sqlite_master WHERE name = 'Harmed'")
    try test.outside("DROP TABLE Harmed; \(sql[0])")
    try test.outside("INSERT INTO Harmed (text) VALUES ('three'), ('four')")
    #expect(try table.search("two").isEmpty && table.search("three").count == 1)
    #expect(try table.checkSearch() == 2)
    // Dropped by both.
    try test.outside("DROP TABLE Harmed")
    #expect(try table.drop() == false)
    #expect(
      try test.seen("SELECT name FROM sqlite_master WHERE lower(name) LIKE '%harmed%'").isEmpty)
  }

  @Test func upgrade_besideATableThatWasDropped_works() throws {
    let test = try TestDatabase()
    try test.table(SearchHarmed.self).insertList([SearchHarmed(text: "one")])
    try test.table(SearchUpgradedOld.self, named: "SearchUpgraded").insertList([
      SearchUpgradedOld(name: "apple", text: "pie")
    ])
    try test.outside("DROP TABLE Harmed")
    try test.database.upgrade {
      XTUpgrade(SearchUpgraded.self, to: 2) {
        $0.rename("text", to: \.body)
        $0.add(\.extra)
      }
    }
    #expect(try test.table(SearchUpgraded.self).search("apple").count == 1)
  }
}

protocol Harmed: XTModel {
  var text: String { get set }
  var number: Int { get set }
}

extension Harmed {
  func another() -> Self {
    var other = Self()
    other.text = "row another"
    return other
  }
}

struct SearchHarmed: XTModel, Harmed {
  static var xt_tableName: String { "Harmed" }
  var text = ""
  var number = 0
  static var xt_search: XTSearch { XTSearch([\SearchHarmed.text]) }
}

struct SearchHarmed4: XTModel, Harmed {
  static var xt_tableName: String { "Harmed" }
  var text = ""
  var number = 0
  static var xt_search: XTSearch {
    var search = XTSearch([\SearchHarmed4.text])
    search.engine = .fts4
    return search
  }
}
