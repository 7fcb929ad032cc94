import Foundation
import Testing
import TortureWork

@testable import XTLite

// Plain files are what it is about, also where every other database of the tests is encrypted.
@Suite(.enabled(if: !TestKey.isSet)) struct XTRepairTests {
  @Test func sound_file_comes_back_whole_with_all_that_is_in_it() throws {
    let patient = try RepairPatient(
      """
      PRAGMA user_version = 7; PRAGMA application_id = 99;
      CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT NOT NULL, r REAL, b BLOB, n);
      INSERT INTO a VALUES (1, 'x', 1.5, x'00ff', NULL), (5, '', 3, x'', 9), (-4, 'é😀', -0.0, NULL,
        9223372036854775807), (1000, 'gone', 1, NULL, 1);
      DELETE FROM a WHERE id = 1000;
      CREATE TABLE `odd ``name` (`a b` TEXT COLLATE NOCASE UNIQUE, rowid TEXT);
      INSERT INTO `odd ``name` VALUES ('Q', 'r');
      CREATE UNIQUE INDEX i ON a (t) WHERE n IS NOT NULL;
      CREATE VIEW v AS SELECT t FROM a;
      CREATE TRIGGER g AFTER INSERT ON a BEGIN UPDATE a SET n = 1 WHERE id = new.id; END;
      """)
    let report = try patient.salvage()
    #expect(report.score == 1 && report.rows == 4 && report.problems == [])
    #expect(
      try patient.saved("SELECT id, t, r, hex(b), n FROM a ORDER BY id") == [
        "-4|é😀|0.0||9223372036854775807", "1|x|1.5|00FF|NULL", "5||3.0||9",
      ])
    #expect(try patient.saved("SELECT typeof(b) FROM a WHERE id = 5") == ["blob"])
    #expect(try patient.saved("SELECT * FROM `odd ``name`") == ["Q|r"])
    #expect(try patient.saved("SELECT seq FROM sqlite_sequence") == ["1000"])
    #expect(try patient.saved("PRAGMA user_version") == ["7"])
    #expect(try patient.saved("PRAGMA application_id") == ["99"])
    #expect(
      try patient.saved("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1, 2")
        == [
          "index|i", "table|a", "table|odd `name", "table|sqlite_sequence", "trigger|g", "view|v",
        ])
    #expect(try patient.problems() == ["ok"])
  }

  @Test(arguments: [512, 1024, 4096, 8192, 65_536], ["UTF-8", "UTF-16le", "UTF-16be"])
  func each_page_size_and_encoding_is_read_without_its_header(
    pageSize: Int, encoding: String
  ) throws {
    let patient = try RepairPatient(
      """
      PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding)';
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      \(salvageSeries) INSERT INTO t SELECT i, 'Wörter ' || i, substr(hex(zeroblob(700)), 1, i % 700) FROM c;
      """)
    try patient.damage { for position in 0..<100 { $0[position] = 0 } }
    let report = try patient.salvage()
    #expect(report.tables.map(\.name) == ["t"])
    #expect(report.rows == 3_000 && report.tables.first?.rows == 3_000)
    let length = (1...3_000).reduce(0) { $0 + $1 % 700 }
    #expect(
      try patient.saved("SELECT count(*), sum(length(b)), max(a) FROM t WHERE a = 'Wörter ' || id")
        == ["3000|\(length)|Wörter 999"])
    #expect(try patient.saved("PRAGMA encoding") == [encoding])
    #expect(try patient.saved("PRAGMA page_size") == ["\(pageSize)"])
  }

  @Test func reserved_bytes_and_a_header_that_is_wrong_about_them_are_seen_in_the_pages() throws {
    let patient = try RepairPatient(
      "CREATE TABLE t (a TEXT);"
        + "\(salvageSeries) INSERT INTO t SELECT 'text number ' || i FROM c;")
    try patient.damage { $0[20] = 32 }
    let report = try patient.salvage()
    #expect(report.tables.first?.rows == 3_000)
  }

  @Test(arguments: [1, 2])
  func autovacuum_maps_lead_orphans_to_their_table(mode: Int) throws {
    // Two tables that look the same: only the maps tell them apart.
    let patient = try RepairPatient(
      """
      PRAGMA page_size = 512; PRAGMA auto_vacuum = \(mode);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT);
      \(salvageSeries) INSERT INTO t SELECT i, 'text ' || i FROM c;
      \(salvageSeries) INSERT INTO u SELECT i + 5000, 'text ' || i FROM c;
      """)
    let roots = [try patient.root(of: "t"), try patient.root(of: "u")]
    try patient.damage { bytes in
      for root in roots {
        for position in ((root - 1) * 512)..<(root * 512) { bytes[position] = 0xEE }
      }
    }
    let report = try patient.salvage()
    #expect(report.tables.map(\.rows) == [3_000, 3_000], "\(report)")
    #expect(try patient.saved("SELECT min(id), max(id), count(*) FROM t") == ["1|3000|3000"])
    #expect(try patient.saved("SELECT min(id), max(id), count(*) FROM u") == ["5001|8000|3000"])
    #expect(try patient.saved("PRAGMA auto_vacuum") == ["\(mode)"])
  }

  @Test func lost_root_is_made_up_for_by_what_the_rows_look_like() throws {
    let patient = try RepairPatient(
      """
      PRAGMA page_size = 512;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE u (id INTEGER PRIMARY KEY, a REAL);
      \(salvageSeries) INSERT INTO t SELECT i, 'text ' || i FROM c;
      \(salvageSeries) INSERT INTO u SELECT i, i / 2.5 FROM c;
      """)
    let roots = [try patient.root(of: "t"), try patient.root(of: "u")]
    try patient.damage { bytes in
      for root in roots {
        for position in ((root - 1) * 512)..<(root * 512) { bytes[position] = 0 }
      }
    }
    let report = try patient.salvage()
    #expect(report.tables.map(\.rows) == [3_000, 3_000], "\(report)")
    #expect(report.score < 1 || report.unreadablePages == 2)
    #expect(try patient.saved("SELECT count(*) FROM t WHERE a = 'text ' || id") == ["3000"])
    #expect(try patient.saved("SELECT count(*) FROM u WHERE a = id / 2.5") == ["3000"])
  }

  @Test func tables_that_look_the_same_are_told_apart_by_hints_and_doubted_without() throws {
    let patient = try RepairPatient(
      """
      PRAGMA page_size = 512;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT);
      \(salvageSeries) INSERT INTO t SELECT i, 'text ' || i FROM c;
      \(salvageSeries) INSERT INTO u SELECT i, 'text ' || -i FROM c;
      """)
    let database = try XTDatabase(path: patient.path)
    try database.saveRepairHints()
    try database.close()
    let roots = [try patient.root(of: "t"), try patient.root(of: "u")]
    try patient.damage { bytes in
      for root in roots {
        for position in ((root - 1) * 512)..<(root * 512) { bytes[position] = 0 }
      }
    }
    let report = try patient.salvage()
    #expect(report.hasHints && report.tables.map(\.rows) == [3_000, 3_000], "\(report)")
    #expect(try patient.saved("SELECT count(*) FROM t WHERE a = 'text ' || id") == ["3000"])
    #expect(try patient.saved("SELECT count(*) FROM u WHERE a = 'text ' || -id") == ["3000"])

    try FileManager.default.removeItem(atPath: patient.newPath)
    let blind = try patient.salvage { $0.hints = "/nowhere" }
    #expect(!blind.hasHints && blind.tables.map(\.rows) == [0, 0], "\(blind)")
    #expect(blind.doubts[.guessedTable] == blind.rows && blind.rows > 0)
  }

  @Test func deleted_rows_do_not_come_back() throws {
    let patient = try RepairPatient(
      """
      PRAGMA page_size = 512;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      \(salvageSeries) INSERT INTO t SELECT i, 'text ' || i FROM c;
      DELETE FROM t WHERE id BETWEEN 500 AND 1500 OR id % 7 = 3;
      """)
    let root = try patient.root(of: "t")
    let expected = 3_000 - (1...3_000).count { (500...1_500).contains($0) || $0 % 7 == 3 }
    #expect(try patient.salvage().tables.first?.rows == expected)
    // Not even where nothing leads to the table's leaves any more: the list of free pages is there.
    try FileManager.default.removeItem(atPath: patient.newPath)
    try patient.damage { bytes in
      for position in ((root - 1) * 512)..<(root * 512) { bytes[position] = 0 }
    }
    let report = try patient.salvage()
    #expect(report.tables.first?.rows == expected && report.rows == expected, "\(report)")
    // Where that is damaged too, they are doubtful.
    try FileManager.default.removeItem(atPath: patient.newPath)
    try patient.damage { bytes in
      let head = bytes.uint32(at: 32) ?? 2
      for position in ((head - 1) * 512)..<(head * 512) { bytes[position] = 0xAA }
    }
    let blind = try patient.salvage()
    #expect(blind.tables.first?.rows == 0 && blind.rows >= expected, "\(blind)")
    #expect(blind.doubts[.maybeDeleted] == blind.rows)
  }

  @Test func rows_of_a_table_that_was_emptied_do_not_come_back() throws {
    // Emptied at once, its pages are free with all that was on them.
    let patient = try RepairPatient(
      """
      PRAGMA page_size = 512; PRAGMA secure_delete = OFF;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      \(salvageSeries) INSERT INTO t SELECT i, 'old ' || i FROM c;
      DELETE FROM t;
      \(salvageSeries) INSERT INTO t SELECT i, 'new ' || i FROM c WHERE i <= 1000;
      """)
    let root = try patient.root(of: "t")
    let old = try #require(FileManager.default.contents(atPath: patient.path))
    #expect(old.range(of: Data("old 2".utf8)) != nil)
    try patient.damage { bytes in
      for position in ((root - 1) * 512)..<(root * 512) { bytes[position] = 0 }
    }
    let report = try patient.salvage()
    #expect(report.tables.first?.rows == 1_000 && report.rows == 1_000, "\(report)")
    #expect(try patient.saved("SELECT count(*) FROM t WHERE a = 'new ' || id") == ["1000"])
    // Without the list of free pages nobody knows which are which, and the report says so.
    try FileManager.default.removeItem(atPath: patient.newPath)
    try patient.damage { bytes in
      let head = bytes.uint32(at: 32) ?? 2
      for position in ((head - 1) * 512)..<(head * 512) { bytes[position] = 0xAA }
    }
    let blind = try patient.salvage()
    #expect(blind.tables.first?.rows == 0 && blind.rows > 1_000, "\(blind)")
    #expect(blind.doubts[.maybeDeleted] == blind.rows)
  }

  @Test func damaged_leaf_costs_itself_and_old_copies_of_it_stay_out() throws {
    let patient = try RepairPatient(
      """
      PRAGMA page_size = 512;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      \(salvageSeries) INSERT INTO t SELECT i, 'text ' || i FROM c;
      """)
    let leaf = try patient.root(of: "t") + 20
    var copy: [UInt8] = []
    try patient.damage { bytes in
      copy = Array(bytes[((leaf - 1) * 512)..<(leaf * 512)])
      for position in ((leaf - 1) * 512)..<(leaf * 512) { bytes[position] = 0x55 }
      // As a page that a program had put there by mistake.
      bytes += copy
    }
    let cells = try #require(BTreePage(copy, number: leaf, usable: 512)).cellCount
    let report = try patient.salvage()
    #expect(report.tables.first?.rows == 3_000 - cells && report.rows == 3_000 - cells)
    #expect(report.unreadablePages == 1 && report.tables.first?.lostPages == 1)
    #expect(report.score > 0.98 && report.score < 1)
  }

  @Test func short_records_take_the_defaults_of_columns_that_came_later() throws {
    let patient = try RepairPatient(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'old');
      ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'given'; ALTER TABLE t ADD COLUMN c INTEGER NOT NULL
        DEFAULT 4; ALTER TABLE t ADD COLUMN d; INSERT INTO t VALUES (2, 'new', NULL, 5, 6);
      """)
    try patient.salvage()
    #expect(
      try patient.saved("SELECT * FROM t ORDER BY id") == ["1|old|given|4|NULL", "2|new|NULL|5|6"])
  }

  @Test func tables_without_rowid_come_back_in_their_own_order_of_columns() throws {
    let patient = try RepairPatient(
      """
      PRAGMA page_size = 512;
      CREATE TABLE w (a TEXT, b INTEGER, c REAL, d, PRIMARY KEY (c, a)) WITHOUT ROWID;
      \(salvageSeries) INSERT INTO w SELECT 'text ' || i, i, i / 4.0, substr(hex(zeroblob(400)), 1, i % 700) FROM c;
      CREATE INDEX by_b ON w (b);
      """)
    let report = try patient.salvage()
    #expect(report.tables.first?.rows == 3_000)
    #expect(
      try patient.saved(
        "SELECT count(*) FROM w WHERE a = 'text ' || b AND c = b / 4.0 AND length(d) = b % 700")
        == ["3000"])
  }

  /// By its looks its tree is an index's, whose entries end in the number of a row.
  @Test func table_without_rowid_that_ends_in_a_number_is_no_index_where_none_is_missing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file.sqlite")
    var settings = ConnectionSettings(path: path)
    settings.journalMode = "delete"
    let connection = try Connection(settings)
    try connection.executeScript(
      """
      CREATE TABLE w (k TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a);
      WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 3000)
        INSERT INTO w SELECT 'key number ' || i, i FROM c;
      INSERT INTO t SELECT n, k FROM w;
      """)
    let root = Int(
      try connection.firstValue("SELECT rootpage FROM sqlite_master WHERE name = 'w'")?.int64 ?? 0)
    connection.close()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for position in ((root - 1) * 4096)..<(root * 4096) { bytes[position] = 0xEE }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let report = try XTRepair.salvage(path, to: folder.path("saved.sqlite"))
    let table = try #require(report.tables.first { $0.name == "w" })
    // The root had some itself.
    #expect(table.rows > 2_900 && table.doubtfulRows == 0, "\(report)")
    #expect(report.tables.first { $0.name == "t" }?.rows == 3_000)
  }

  @Test func generated_columns_are_computed_anew() throws {
    guard SQLiteLibrary.versionNumber >= 3_031_000 else { return }
    let patient = try RepairPatient(
      """
      CREATE TABLE t (a INTEGER, v AS (a * 2), b TEXT, s INTEGER AS (a + 1) STORED, c TEXT);
      INSERT INTO t (a, b, c) VALUES (1, 'x', 'y'), (2, 'z', NULL);
      """)
    let report = try patient.salvage()
    #expect(report.score == 1 && report.problems == [])
    #expect(try patient.saved("SELECT * FROM t") == ["1|2|x|2|y", "2|4|z|3|NULL"])
  }

  @Test func full_text_index_comes_back_with_its_tables() throws {
    let connection = try Connection(ConnectionSettings())
    let hasFTS = (try? connection.executeScript("CREATE VIRTUAL TABLE f USING fts4(a)")) != nil
    connection.close()
    guard hasFTS else { return }
    let patient = try RepairPatient(
      """
      CREATE VIRTUAL TABLE f USING fts4(a); INSERT INTO f VALUES ('hello world'), ('good bye');
      """)
    let report = try patient.salvage()
    #expect(report.problems == [])
    #expect(try patient.saved("SELECT a FROM f WHERE f MATCH 'world'") == ["hello world"])
  }

  @Test func row_that_the_table_refuses_is_left_out_and_one_against_a_check_is_doubted() throws {
    let patient = try RepairPatient(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER CHECK (a < 10)); INSERT INTO t VALUES (1, 2);
      PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (2, 20);
      CREATE TABLE u (a TEXT NOT NULL); INSERT INTO u VALUES ('x'), ('y');
      """)
    let root = try patient.root(of: "u")
    try patient.damage { bytes in
      // The type of the last row's text becomes NULL's.
      let page = (root - 1) * 4096
      let cell = page + (bytes.uint16(at: page + 10) ?? 0)
      bytes[cell] = 2
      bytes[cell + 3] = 0
    }
    let report = try patient.salvage()
    #expect(report.tables.map(\.rows) == [1, 0], "\(report)")
    #expect(report.doubts[.oddValue] == 1 && report.tables[1].rowsLeftOut == 1)
    #expect(try patient.saved("SELECT id, a FROM t") == ["1|2", "2|20"])
    #expect(
      report.doubtfulRows.first { $0.table == "t" }
        == XTSalvageReport.Row(table: "t", rowID: 2, doubts: [.oddValue]))
  }
}
