import Foundation
import Testing
import TortureWork

@testable import XTLite

/// Headers that are whole, and wrong.
@Suite(.enabled(if: !TestKey.isSet)) struct LyingHeaderTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("file.sqlite")
  }

  private func make(_ script: String) throws -> [UInt8] {
    var settings = ConnectionSettings(path: path)
    settings.journalMode = "delete"
    let connection = try Connection(settings)
    try connection.executeScript(script)
    connection.close()
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func salvage(_ bytes: [UInt8]) throws -> XTSalvageReport {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let report = try XTRepair.salvage(path, to: folder.path(UUID().uuidString))
    return report
  }

  private static let rows = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
    WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 3000)
      INSERT INTO t SELECT i, 'text number ' || i FROM c;
    """

  @Test(arguments: [512, 1024, 8192, 65_536])
  func page_size_that_no_page_has_is_not_believed(size: Int) throws {
    var bytes = try make(Self.rows)
    let stated = size == 65_536 ? 1 : size
    bytes[16] = UInt8(stated >> 8)
    bytes[17] = UInt8(stated & 255)
    let report = try salvage(bytes)
    #expect(report.tables.first { $0.name == "t" }?.rows == 3_000, "\(report)")
  }

  @Test(arguments: [1, 2, 7, 20])
  func page_count_that_leaves_pages_of_trees_out_is_not_believed(count: Int) throws {
    var bytes = try make(Self.rows)
    for position in 28..<32 { bytes[position] = 0 }
    bytes[31] = UInt8(count)
    let report = try salvage(bytes)
    #expect(report.tables.first { $0.name == "t" }?.rows == 3_000, "\(report)")
    #expect(report.pages == bytes.count / 4_096 && report.score == 1)
  }

  @Test func file_of_which_nothing_came_back_has_no_score() throws {
    var bytes = try make("CREATE TABLE t (a)")
    for position in 100..<4_096 { bytes[position] = 0xEE }
    let report = try salvage(bytes)
    #expect(report.rows == 0 && report.score == 0, "\(report)")
  }

  @Test func blobs_of_zeros_are_no_damage() throws {
    let bytes = try make(
      "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(20000)), (zeroblob(9000)), ('x')")
    let report = try salvage(bytes)
    #expect(report.tables.first?.rows == 3 && report.score == 1, "\(report)")
    // Where something else was, they are.
    var other = try make(
      "DELETE FROM t; VACUUM; INSERT INTO t VALUES (CAST(replace(hex(zeroblob(6000)), '00', 'abc') AS BLOB))"
    )
    let last = other.count - 4_096
    for position in last..<other.count { other[position] = 0 }
    #expect(try salvage(other).tables.first?.rows == 0)
  }

  @Test(arguments: [1, 2]) func vacuum_mode_stays(mode: Int64) throws {
    let bytes = try make("PRAGMA auto_vacuum = \(mode);" + Self.rows)
    let report = try salvage(bytes)
    let saved = try Connection(ConnectionSettings(path: report.newPath))
    defer { saved.close() }
    #expect(try saved.firstValue("PRAGMA auto_vacuum") == .integer(mode))
    #expect(report.rows == 3_000)
  }
}

/// Logs that are beside a file and not of it.
@Suite(.enabled(if: !TestKey.isSet)) struct ForeignLogTests {
  /// A file of 2,000 rows, and its log with other rows in the same pages.
  private func make(
    _ folder: TemporaryFolder, table: String, key: XTKey? = nil, set: String = ""
  ) throws -> (file: Data, log: Data) {
    let path = folder.path(UUID().uuidString)
    var settings = ConnectionSettings(path: path)
    settings.key = key
    settings.journalMode = "delete"
    let connection = try Connection(settings)
    defer { connection.close() }
    try connection.executeScript(
      """
      \(set) PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE \(table) (id INTEGER PRIMARY KEY, a TEXT);
      WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 2000)
        INSERT INTO \(table) SELECT i, '\(table) ' || i FROM c;
      PRAGMA wal_checkpoint(TRUNCATE);
      UPDATE \(table) SET a = a || ' changed'; CREATE INDEX i_\(table) ON \(table) (a);
      """)
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    return (try Data(contentsOf: URL(fileURLWithPath: path)), log)
  }

  private func salvage(
    _ folder: TemporaryFolder, _ file: Data, _ log: Data, key: XTKey? = nil
  ) throws -> XTSalvageReport {
    let path = folder.path(UUID().uuidString)
    try file.write(to: URL(fileURLWithPath: path))
    try log.write(to: URL(fileURLWithPath: path + "-wal"))
    return try XTRepair.salvage(path, to: path + "-saved", key: key)
  }

  @Test func log_of_another_file_is_left_out_and_that_is_told() throws {
    let folder = try TemporaryFolder()
    let mine = try make(folder, table: "mine")
    let logs = [
      try make(folder, table: "another").log,
      try make(folder, table: "mine", set: "PRAGMA page_size = 1024;").log,
    ]
    for log in logs {
      let report = try salvage(folder, mine.file, log)
      #expect(report.tables.map(\.name) == ["mine"] && report.rows == 2_000, "\(report)")
      #expect(report.problems.contains { $0.contains("another file's") })
    }
    let own = try salvage(folder, mine.file, mine.log)
    #expect(own.rows == 2_000 && own.problems == [], "\(own)")
    let saved = try Connection(ConnectionSettings(path: own.newPath))
    defer { saved.close() }
    #expect(try saved.firstValue("SELECT a FROM mine") == "mine 1 changed")
  }

  #if SQLCipher
    @Test func log_that_the_key_does_not_open_is_left_out() throws {
      let folder = try TemporaryFolder()
      let key = XTKey.passphrase("k")
      // The same tables and the same key; the salt is another file's.
      let mine = try make(folder, table: "mine", key: key)
      let other = try make(folder, table: "mine", key: key)
      let report = try salvage(folder, mine.file, other.log, key: key)
      #expect(report.rows == 2_000 && report.unreadablePages == 0, "\(report)")
      #expect(report.problems.contains { $0.contains("another file's") })
      #expect(try salvage(folder, mine.file, mine.log, key: key).problems == [])
    }

    @Test func key_for_a_plain_file_says_so() throws {
      let folder = try TemporaryFolder()
      let mine = try make(folder, table: "mine")
      let error = try #require(throws: XTError.self) {
        try salvage(folder, mine.file, mine.log, key: .passphrase("k"))
      }
      #expect(error.kind == .encryption && error.message.contains("not encrypted"))
    }

    /// All but the first page is in the log, and that one is damaged.
    @Test func file_whose_pages_are_all_in_the_log_is_opened_by_them() throws {
      let folder = try TemporaryFolder()
      let path = folder.path("young.sqlite")
      var settings = ConnectionSettings(path: path)
      settings.key = .passphrase("k")
      let connection = try Connection(settings)
      try connection.executeScript(
        "PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES ('here')")
      var file = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
      connection.close()
      for position in 16..<file.count { file[position] = 0xEE }
      let report = try salvage(folder, Data(file), log, key: .passphrase("k"))
      #expect(report.tables.first { $0.name == "t" }?.rows == 1, "\(report)")
    }
  #endif
}
