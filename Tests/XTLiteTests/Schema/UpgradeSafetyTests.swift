import Foundation
import Testing

@testable import XTLite

/// What a step must not take along, and what it must not let pass.
struct UpgradeSafetyTests {
  private func file(_ script: String) throws -> TestDatabase { try TestDatabase(after: script) }

  @discardableResult
  private func upgrade<Model: XTModel>(
    _ test: TestDatabase, _ type: Model.Type, to version: Int = 2,
    _ steps: (inout XTUpgradeSteps<Model>) -> Void
  ) throws -> XTError? {
    let upgrade = XTUpgrade(type, to: version, steps)
    let before = try test.seen("SELECT type, name, sql FROM sqlite_master ORDER BY name")
    let error = schemaError { try test.database.upgrade(allowingNewer: true) { upgrade } }
    if error != nil {
      #expect(try test.seen("SELECT type, name, sql FROM sqlite_master ORDER BY name") == before)
    }
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
    #expect(try test.database.anyFunc(sql: "PRAGMA foreign_keys") == 1)
    return error
  }

  /// Values of the first row, of a file beside the database.
  @discardableResult
  private func beside(_ path: String, _ script: String) throws -> [XTValue] {
    let connection = try Connection(ConnectionSettings(path: path))
    defer { connection.close() }
    connection.takeDoubleQuotedTexts(true)
    if script.hasPrefix("SELECT") { return try connection.rows(script).first ?? [] }
    try connection.executeScript(script)
    return []
  }

  // MARK: Keys

  @Test(arguments: [
    "code TEXT NOT NULL PRIMARY KEY, a INT, b TEXT", "code TEXT, a INT, b TEXT, PRIMARY KEY (code)",
    "code INTEGER PRIMARY KEY, a INT, b TEXT", "code INT, a INT, b TEXT, PRIMARY KEY (code, b)",
  ])
  func keyOfTheFile_thatAnotherTakesThePlaceOf_keepsItsValues(_ columns: String) throws {
    let test = try file(
      "CREATE TABLE UpSafe (\(columns));"
        + "INSERT INTO UpSafe VALUES (10, 1, 'x'), (20, 2, 'y')")
    #expect(try upgrade(test, Safe.self) { $0.add(\.pkid) } == nil)
    #expect(try test.seen("SELECT code, a, b FROM UpSafe ORDER BY a") == ["10|1|x", "20|2|y"])
    #expect(throws: XTError.self) {
      try test.outside("INSERT INTO UpSafe (code, b) VALUES (10, 'x')")
    }
    #expect(try test.table(Safe.self).findAll().count == 2)
  }

  @Test func keyOfTheFile_thatIsTheModels_staysTheKey() throws {
    for columns in ["name TEXT PRIMARY KEY, v INT", "name TEXT, v INT, PRIMARY KEY (name)"] {
      for options in ["", " WITHOUT ROWID"] {
        let test = try file(
          "CREATE TABLE UpKeyed (\(columns))\(options); INSERT INTO UpKeyed VALUES ('a', 1)")
        #expect(try upgrade(test, Keyed.self) { $0.change(\.name, \.v) } == nil)
        #expect(try test.columns(of: "UpKeyed") == ["name", "v"])
        #expect(
          try test.seen("SELECT sql FROM sqlite_master WHERE name = 'UpKeyed'")[0]
            .contains("PRIMARY KEY"))
        #expect(try test.seen("SELECT * FROM UpKeyed") == ["a|1"])
        #expect(throws: XTError.self) { try test.outside("INSERT INTO UpKeyed VALUES ('a', 2)") }
      }
    }
  }

  @Test func rowNumber_isGivenByNoClosure() throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT);"
        + "INSERT INTO UpSafe (a, b) VALUES (1, 'x')")
    #expect(try upgrade(test, Safe.self) { $0.change(\.pkid) { _ in 7 } }?.kind == .upgrade)
    #expect(
      try upgrade(test, Safe.self) { $0.fill(\.pkid, everyRow: true) { _ in 7 } }?.kind == .upgrade)
  }

  // MARK: Rows

  @Test func conflictClauses_takeNoRowsAway() throws {
    let rows = "INSERT INTO UpSafe (a, b) VALUES ('1', 'x'), ('01', 'y'), (NULL, 'z'), ('9', 'w')"
    for conflict in ["REPLACE", "IGNORE"] {
      let test = try file("CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a TEXT, b TEXT); \(rows)")
      if conflict == "REPLACE" {
        #expect(try upgrade(test, Replacing.self) { $0.change(\.a) }?.kind == .upgrade)
        #expect(try upgrade(test, Replacing.self) { $0.change(\.a) { _ in 0 } }?.kind == .upgrade)
      } else {
        #expect(try upgrade(test, Ignoring.self) { $0.change(\.a) }?.kind == .upgrade)
        #expect(try upgrade(test, Ignoring.self) { $0.change(\.a) { _ in 0 } }?.kind == .upgrade)
      }
      #expect(try test.seen("SELECT count(*) FROM UpSafe") == ["4"])
      let filled = try file(
        "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT UNIQUE ON CONFLICT \(conflict), b TEXT);"
          + "INSERT INTO UpSafe (a) VALUES (1), (2), (3)")
      #expect(try upgrade(filled, Safe.self) { $0.fill(\.a, everyRow: true) { _ in 5 } } != nil)
      #expect(try filled.seen("SELECT count(*) FROM UpSafe") == ["3"])
      let merged = try file(
        "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT NOT NULL,"
          + " b TEXT NOT NULL ON CONFLICT \(conflict) DEFAULT 'd',"
          + " c INT DEFAULT 1 UNIQUE ON CONFLICT \(conflict));"
          + "INSERT INTO UpSafe (a, b) VALUES (1, 'x'); CREATE TABLE Old (a INT, b TEXT);"
          + "INSERT INTO Old VALUES (1, 'o'), (2, 'p')")
      #expect(try upgrade(merged, Safe.self) { $0.merge(from: "Old") } != nil)
      #expect(
        try merged.seen("SELECT count(*) FROM UpSafe UNION SELECT count(*) FROM Old").count == 2)
    }
  }

  @Test func merge_thatATriggerKeepsRowsOutOf_isRefused() throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT);"
        + "CREATE TRIGGER strict BEFORE INSERT ON UpSafe WHEN NEW.a > 1"
        + " BEGIN SELECT RAISE(IGNORE); END;"
        + "CREATE TABLE Old (a INT, b TEXT); INSERT INTO Old VALUES (1, 'o'), (2, 'p')")
    let error = try upgrade(test, Safe.self) { $0.merge(from: "Old") }
    #expect(error?.message.contains("would lose 1 rows") == true)
    #expect(try test.seen("SELECT count(*) FROM Old") == ["2"])
  }

  @Test func merge_ofAKeyThatTheTableHasNot_isRefused() throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT);"
        + "CREATE TABLE Old (code TEXT PRIMARY KEY, a INT, b TEXT); INSERT INTO Old VALUES ('k', 1, 'o')"
    )
    #expect(try upgrade(test, Safe.self) { $0.merge(from: "Old") }?.column == "code")
  }

  @Test func merge_convertsAsAChangeDoes() throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT);"
        + "CREATE TABLE Old (a TEXT, b); INSERT INTO Old VALUES ('12', 7), (NULL, NULL)")
    #expect(try upgrade(test, Safe.self) { $0.merge(from: "Old") } == nil)
    #expect(try test.seen("SELECT a, b FROM UpSafe") == ["12|7", "0|"])
    #expect(try test.table(Safe.self).findAll().map(\.b) == ["7", ""])
    let bad = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT);"
        + "CREATE TABLE Old (a TEXT, b); INSERT INTO Old VALUES ('abc', 7)")
    #expect(
      try upgrade(bad, Safe.self) { $0.merge(from: "Old") }?.message.contains("'abc'") == true)
  }

  @Test func fill_behindAMerge_runsAlsoInATableThatWasMadeJustNow() throws {
    for isThere in [false, true] {
      let test = try file(
        (isThere ? "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT);" : "")
          + "CREATE TABLE Old (a INT); INSERT INTO Old VALUES (1), (2)")
      try test.database.upgrade {
        XTUpgrade(Safe.self, to: 2) { $0.merge(from: "Old") }
        XTUpgrade(Safe.self, to: 3) {
          $0.fill(\.b, everyRow: true) { row in "b\(row["a"] as Int? ?? 0)" }
          $0.change(\.a) { old in Int(old.int64 ?? 0) * 10 }
        }
      }
      #expect(try test.seen("SELECT a, b FROM UpSafe") == ["10|b1", "20|b2"])
    }
  }

  @Test func change_ofAGeneratedColumn_keepsItsValues() throws {
    guard SQLiteLibrary.versionNumber >= 3_031_000 else { return }
    for kind in ["STORED", "VIRTUAL"] {
      let test = try file(
        "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT AS (a * 2) \(kind));"
          + "INSERT INTO UpSafe (a) VALUES (4)")
      #expect(try upgrade(test, Safe.self) { $0.change(\.b) } == nil)
      #expect(try test.seen("SELECT a, b FROM UpSafe") == ["4|8"])
      try test.outside("UPDATE UpSafe SET b = 'free'")
    }
  }

  @Test func change_ofAnUnchangedDeclaration_looksAtTheValuesAllTheSame() throws {
    struct Tokens: XTModel {
      var pkid: Int64?
      var b: UUID?
      static var xt_tableName: String { "UpSafe" }
    }
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, b TEXT); INSERT INTO UpSafe (b) VALUES ('zz')"
    )
    #expect(try upgrade(test, Tokens.self) { $0.change(\.b) }?.message.contains("'zz'") == true)
    try test.outside("UPDATE UpSafe SET b = '5f0c9e4a-6d1f-4a52-9b7e-0c8f6f4c1a2b'")
    #expect(try upgrade(test, Tokens.self) { $0.change(\.b) } == nil)
    #expect(try test.seen("SELECT b FROM UpSafe") == ["5F0C9E4A-6D1F-4A52-9B7E-0C8F6F4C1A2B"])
  }

  @Test func change_takesNoConstraintOfOthers() throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a TEXT, b TEXT, x INT, y INT,"
        + " CHECK (a < x), UNIQUE (a, x) CHECK (length(b) < 5), UNIQUE (y));"
        + "INSERT INTO UpSafe (a, b, x) VALUES ('1', 'b', 9)")
    #expect(
      try upgrade(test, Safe.self) {
        $0.change(\.a)
        $0.drop("y")
      } == nil)
    let sql = try test.seen("SELECT sql FROM sqlite_master WHERE name = 'UpSafe'")[0]
    for part in ["CHECK (a < x)", "UNIQUE (a, x)", "CHECK (length(b) < 5)"] {
      #expect(sql.contains(part))
    }
    #expect(!sql.contains("(y)"))
  }

  @Test func theProgramsOwnError_comesOutAsItWas() throws {
    struct Mine: Error, Equatable {}
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT); INSERT INTO UpSafe (a) VALUES (1)"
    )
    #expect(throws: Mine()) {
      try test.database.upgrade {
        XTUpgrade(Safe.self, to: 2) { $0.change(\.a) { _ in throw Mine() } }
      }
    }
  }

  @Test(arguments: ["0x10", "inf", "nan", "1e400", "12abc"])
  func textThatIsNoNumber_isNone(_ text: String) throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO UpSafe (a) VALUES ('\(text)')"
    )
    #expect(try upgrade(test, Safe.self) { $0.change(\.a) }?.message.contains(text) == true)
  }

  // MARK: What hangs on the table

  @Test func hiddenUses_areRefusedByTheirNames() throws {
    let table =
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT, legacy INT);"
      + "INSERT INTO UpSafe (a) VALUES (1); CREATE TABLE log (x);"
    for (name, object) in [
      (
        "of_legacy",
        "CREATE TRIGGER of_legacy AFTER UPDATE OF legacy ON UpSafe BEGIN INSERT INTO log VALUES (1); END"
      ),
      ("part", "CREATE INDEX part ON UpSafe (a) WHERE legacy > 1"),
      ("viewed", "CREATE VIEW viewed AS SELECT legacy FROM UpSafe"),
    ] {
      let test = try file(table + object)
      let error = try upgrade(test, Safe.self) { $0.drop("legacy") }
      #expect(error?.message.contains("`\(name)`") == true, "\(error.debugDescription)")
    }
    let quoted = try file(table + "CREATE VIEW viewed AS SELECT \"legacy\" FROM UpSafe")
    #expect(
      try upgrade(quoted, Safe.self) { $0.drop("legacy") }?.message.contains("viewed") == true)
    let check = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT CHECK (\"legacy\" IS NOT a), legacy INT)"
    )
    #expect(try upgrade(check, Safe.self) { $0.drop("legacy") }?.kind == .upgrade)
  }

  @Test func swap_underAView_showsTheSameOrIsRefused() throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a, b);"
        + "INSERT INTO UpSafe (a, b) VALUES (5, 'x');"
        + "CREATE VIEW v AS SELECT a AS aa FROM UpSafe")
    let error = try upgrade(test, Safe.self) { $0.swap("a", "b") }
    #expect(try test.seen("SELECT aa FROM v") == ["5"])
    #expect(error == nil || error?.message.contains("`v`") == true)
  }

  @Test func add_thatBreaksATrigger_isRefused() throws {
    let test = try file(
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT);"
        + "CREATE TABLE log (x, y);"
        + "CREATE TRIGGER logged AFTER INSERT ON UpSafe BEGIN INSERT INTO log SELECT * FROM UpSafe; END"
    )
    #expect(try upgrade(test, Safe.self) { $0.add(\.b) }?.message.contains("`logged`") == true)
  }

  @Test func textsInDoubleQuotes_ofOtherPrograms_areMadeAgain() throws {
    guard SQLiteLibrary.canDisableDoubleQuotedStrings else { return }
    let test = try TestDatabase()
    try beside(
      test.path,
      "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a TEXT, b TEXT CHECK (b IN (\"abc\")));"
        + "INSERT INTO UpSafe (a, b) VALUES ('1', 'abc')")
    #expect(try upgrade(test, Safe.self) { $0.change(\.a) } == nil)
    #expect(try test.seen("SELECT a, typeof(a), b FROM UpSafe") == ["1|integer|abc"])
  }

  @Test func change_thatBringsAForeignKey_makesTheParent() throws {
    let test = try file(
      "CREATE TABLE UpLeaf (pkid INTEGER PRIMARY KEY, node INT); INSERT INTO UpLeaf (node) VALUES (NULL)"
    )
    #expect(try upgrade(test, UpLeaf.self) { $0.change(\.node) } == nil)
    #expect(try test.tables().contains("UpNode"))
    var leaf = UpLeaf()
    try test.table(UpLeaf.self).insert(&leaf)
  }

  @Test func danglingRows_areComparedOneByOne() throws {
    let base =
      "PRAGMA foreign_keys = off; CREATE TABLE P (p INTEGER PRIMARY KEY); INSERT INTO P VALUES (1), (2);"
      + "CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT REFERENCES P (p), b TEXT);"
      + "INSERT INTO UpSafe (a) VALUES (1), (9);"
    let swapped = try file(base)
    #expect(
      try upgrade(swapped, Safe.self) {
        $0.run("UPDATE UpSafe SET a = 2 WHERE a = 9")
        $0.run("DELETE FROM P WHERE p = 1")
      }?.kind == .upgrade)
    // Another table's foreign key that names no key blinds nobody.
    let blind = try file(base + "CREATE TABLE Bad (z REFERENCES P (q)); INSERT INTO Bad VALUES (1)")
    #expect(
      try upgrade(blind, Safe.self) { $0.run("DELETE FROM P WHERE p = 1") }?.kind == .upgrade)
    let before = try file(base)
    #expect(try upgrade(before, Safe.self) { $0.change(\.b) } == nil)
    struct Renamed: XTModel {
      var pkid: Int64?
      var a = 0
    }
    #expect(try upgrade(before, Renamed.self) { $0.renameTable(from: "UpSafe") } == nil)
  }

  @Test func plan_writesToNoOtherFile() throws {
    let test = try file("CREATE TABLE UpSafe (pkid INTEGER PRIMARY KEY, a INT, b TEXT)")
    let other = test.path + ".other"
    try beside(other, "CREATE TABLE log (x)")
    let plan = try test.database.upgradePlan {
      XTUpgrade(Safe.self, to: 2) {
        $0.run("ATTACH \(other) AS z")
        $0.run("INSERT INTO z.log VALUES ('once')")
      }
    }
    #expect(plan.openEnd != nil)
    #expect(try beside(other, "SELECT count(*) FROM log") == [0])
  }

  /// A verb made the table as it is now; the steps of old files have nothing to do.
  @Test func renameChain_inATableThatAVerbMade_countsAsDone() throws {
    let test = try TestDatabase()
    var safe = Safe()
    try test.table(Safe.self).insert(&safe)
    #expect(
      try upgrade(test, Safe.self) {
        $0.rename("x", to: "y")
        $0.rename("y", to: \.b)
      } == nil)
  }
}

private struct Safe: XTModel {
  var pkid: Int64?
  var a = 0
  var b = ""
  static var xt_tableName: String { "UpSafe" }
}

private struct Keyed: XTModel {
  var name = ""
  var v = 0
  static var xt_tableName: String { "UpKeyed" }
  static var xt_primaryKey: XTKeyPaths { [\Keyed.name] }
}

private struct Replacing: XTModel {
  var pkid: Int64?
  var a = 0
  static var xt_tableName: String { "UpSafe" }
  static var xt_keywords: XTKeywordMap { [\Replacing.a: "UNIQUE ON CONFLICT REPLACE"] }
}

private struct Ignoring: XTModel {
  var pkid: Int64?
  var a = 0
  static var xt_tableName: String { "UpSafe" }
  static var xt_keywords: XTKeywordMap { [\Ignoring.a: "UNIQUE ON CONFLICT IGNORE"] }
}

private struct UpNode: XTModel { var title = "" }

private struct UpLeaf: XTModel {
  var pkid: Int64?
  var node: Int64?
  static var xt_constraints: [XTConstraint] {
    [.foreignKey(\UpLeaf.node, references: UpNode.self)]
  }
}
