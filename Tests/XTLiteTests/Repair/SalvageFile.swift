import Foundation

@testable import XTLite

/// A database of eight tables with long rows, deleted rows and a log that is not in the file yet; and
/// what is in it.
final class SalvageFile {
  let folder: TemporaryFolder
  /// The sound file, with its log beside it.
  let path: String
  /// The same as one file without a log, to compare with.
  let truth: String
  /// For each page, the rows that it holds a part of.
  private(set) var rows: [Int: [Row]] = [:]
  let pageSize: Int

  struct Row: Hashable {
    let table: String
    /// Its number, or its key in a table WITHOUT ROWID.
    let key: XTValue
  }

  static let tables = [
    "people", "messages", "files", "events", "settings", "points", "links", "logs",
  ]
  static let schema = """
    CREATE TABLE people (pkid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL DEFAULT '',
      age INTEGER NOT NULL DEFAULT 0, height REAL, note TEXT, UNIQUE (name, age));
    CREATE TABLE messages (id INTEGER PRIMARY KEY, sender INTEGER NOT NULL, body TEXT NOT NULL,
      sent REAL);
    CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT, content BLOB);
    CREATE TABLE events (kind TEXT, payload TEXT);
    CREATE TABLE settings (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE points (x REAL, y REAL, z REAL);
    CREATE TABLE links (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
    CREATE TABLE logs (id INTEGER PRIMARY KEY, level INTEGER, text TEXT);
    CREATE INDEX people_by_age ON people (age, name);
    CREATE INDEX logs_by_level ON logs (level);
    CREATE VIEW grown AS SELECT name FROM people WHERE age >= 18;
    CREATE TRIGGER old AFTER DELETE ON people BEGIN
      DELETE FROM links WHERE a = old.pkid;
    END;
    """

  /// - Parameters:
  ///   - rows: About how many there are in the end.
  ///   - set: Settings of a file that is made: `PRAGMA page_size = …;`.
  init(rows: Int, set: String = "", key: XTKey? = nil) throws {
    folder = try TemporaryFolder()
    path = folder.path("sound.sqlite")
    truth = folder.path("truth.sqlite")
    var settings = ConnectionSettings(path: folder.path("work.sqlite"))
    settings.journalMode = "delete"
    settings.key = key
    settings.synchronous = "off"
    let connection = try Connection(settings)
    defer { connection.close() }
    if !set.isEmpty { try connection.executeScript(set) }
    // What was deleted stays on its pages.
    try connection.executeScript("PRAGMA secure_delete = OFF")
    try connection.executeScript("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    try connection.executeScript(Self.schema)
    // A seventh too many, of which a seventh goes.
    let count = rows / 7
    try Self.fill(connection, from: 1, to: count)
    // Rows that were there before a column was.
    try connection.executeScript(
      "ALTER TABLE logs ADD COLUMN origin TEXT DEFAULT 'none';"
        + "ALTER TABLE logs ADD COLUMN weight INTEGER NOT NULL DEFAULT 7")
    try connection.executeScript(
      """
      INSERT INTO logs SELECT id + \(count), level, text, 'later', id % 100 FROM logs
        WHERE id <= \(count / 20);
      """)
    for table in Self.tables where table != "settings" {
      // Whole pages in one place, single rows in another.
      try connection.executeScript(
        """
        DELETE FROM \(table) WHERE rowid BETWEEN \(count / 3) AND \(count / 3 + count / 20);
        DELETE FROM \(table) WHERE rowid > \(count / 2) AND rowid % 23 = 5;
        """)
    }
    try connection.executeScript("DELETE FROM settings WHERE length(value) % 9 = 3")
    try connection.executeScript("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.executeScript(
      """
      UPDATE people SET age = age + 1000 WHERE pkid % 50 = 1;
      UPDATE messages SET body = body || ' (changed)' WHERE id % 40 = 2;
      DELETE FROM events WHERE rowid % 100 = 7;
      """)
    try Self.fill(connection, from: count + count / 10, to: count + count / 10 + count / 25)
    try connection.executeScript("PRAGMA wal_checkpoint(PASSIVE)")
    try connection.executeScript(
      """
      DELETE FROM files WHERE id BETWEEN 10 AND 14;
      UPDATE logs SET text = 'in the log: ' || text WHERE id % 60 = 3;
      """)
    try Self.fill(connection, from: count * 2, to: count * 2 + count / 20)
    // All leaves of a table that is gone.
    try connection.executeScript(
      "CREATE TABLE gone (id INTEGER PRIMARY KEY, level INTEGER, text TEXT);"
        + "INSERT INTO gone SELECT id, level, 'gone ' || text FROM logs; DROP TABLE gone")
    // Leaves of these stay in the file as free pages, with all that was in them.
    for table in Self.tables where table != "settings" {
      try connection.executeScript(
        "DELETE FROM \(table) WHERE rowid BETWEEN \(count / 6) AND \(count / 6 + count / 15)")
    }
    pageSize = Int(try connection.pragma("page_size")?.settingNumber ?? 0)
    try FileManager.default.copyItem(atPath: settings.path ?? "", toPath: path)
    try FileManager.default.copyItem(atPath: (settings.path ?? "") + "-wal", toPath: path + "-wal")
    try FileManager.default.copyItem(atPath: path, toPath: truth)
    try FileManager.default.copyItem(atPath: path + "-wal", toPath: truth + "-wal")
    settings.path = truth
    let other = try Connection(settings)
    try other.executeScript("PRAGMA journal_mode = DELETE")
    other.close()
    try findRows(key: key)
  }

  private static func fill(_ connection: Connection, from first: Int, to last: Int) throws {
    try connection.inTransaction {
      try connection.executeScript(
        """
        CREATE TEMP TABLE IF NOT EXISTS n (i INTEGER PRIMARY KEY);
        DELETE FROM n;
        WITH RECURSIVE c (i) AS (VALUES (\(first)) UNION ALL SELECT i + 1 FROM c WHERE i < \(last))
          INSERT INTO n SELECT i FROM c;
        INSERT INTO people (pkid, name, age, height, note)
          SELECT i, 'Person ' || i, i % 90, 1.5 + (i % 50) / 100.0,
            CASE WHEN i % 3 = 0 THEN NULL ELSE 'note of ' || i || ' é' END FROM n;
        INSERT INTO messages (id, sender, body, sent)
          SELECT i, i * 7 % 1000, 'Message ' || i || substr(
            replace(hex(zeroblob(3000)), '00', i || ','), 1,
            CASE WHEN i % 25 = 0 THEN 9000 WHEN i % 10 = 0 THEN 1500 ELSE 60 END),
            1600000000.5 + i FROM n;
        INSERT INTO files (id, name, content)
          SELECT i, 'file' || i || '.bin', CAST(substr(
            replace(hex(zeroblob(8000)), '00', i || 'x'), 1,
            CASE WHEN i % 40 = 0 THEN 20000 ELSE i % 300 END) AS BLOB) FROM n;
        INSERT INTO events (rowid, kind, payload)
          SELECT i, 'kind' || (i % 12), '{"number": ' || i || ', "of": "' || (i * 31 % 997) || '"}' FROM n;
        INSERT INTO settings (key, value)
          SELECT 'key ' || (i * 7919 % 1000003) || '/' || i, 'value ' || i FROM n;
        INSERT INTO points (rowid, x, y, z) SELECT i, i / 3.0, i * 1.25, -i / 7.0 FROM n;
        INSERT INTO links (rowid, a, b) SELECT i, i % 500, i * 3 FROM n;
        INSERT INTO logs (id, level, text)
          SELECT i, i % 5, 'log line ' || i || ' says ' || (i * 17 % 1009) FROM n;
        """)
    }
  }

  /// Saves hints, of the file that has the same pages and no log.
  func saveHints(_ change: (inout XTConfiguration) -> Void = { _ in }) throws {
    var configuration = XTConfiguration()
    change(&configuration)
    let database = try XTDatabase(path: truth, configuration: configuration)
    try database.saveRepairHints()
    try database.close()
  }

  /// A copy to be damaged, with its log.
  func copy(_ name: String, hints: Bool) throws -> String {
    let copy = folder.path(name + ".sqlite")
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    try? FileManager.default.removeItem(atPath: copy + "-hints")
    if hints {
      try FileManager.default.copyItem(atPath: truth + "-hints", toPath: copy + "-hints")
    }
    return copy
  }

  /// The pages of the newest state, as a salvage sees them.
  func opened(key: XTKey? = nil) throws -> PagedFile {
    var known = PagedFile.Knowledge()
    if let key = try key?.engineBytes() {
      known.cipher = { [path] in
        try CipherSearch(key: key, settings: XTCipher(), salt: nil).run(
          $0, log: $1, path: path)
      }
    }
    return try PagedFile(
      ReadOnlyFile(path: path), log: ReadOnlyFile(path: path + "-wal"), knowing: known, path: path
    ) {}
  }

  private func findRows(key: XTKey?) throws {
    let file = try opened(key: key)
    var map = PageMap(file) { _ in }
    var settings = ConnectionSettings(path: truth)
    settings.key = key
    let connection = try Connection(settings)
    defer { connection.close() }
    let payloads = PayloadReader(store: file.store)
    for entry in try SchemaEntry.all(on: connection) where Self.tables.contains(entry.name) {
      var pages: [Int] = []
      if entry.name == "settings" {
        var walk = IndexWalk()
        walk.run(from: entry.root, owner: 1, store: file.store, in: &map, fits: { _ in true }) {}
        pages = walk.pages
      } else {
        var walk = TreeWalk(store: file.store, owner: 1) { _ in true }
        walk.run(from: entry.root, in: &map) {}
        pages = walk.leaves.map(\.page)
      }
      for number in pages { add(number, entry.name, file, payloads, &map) }
    }
    let count = try Self.tables.reduce(0) {
      $0 + Int(try connection.firstValue("SELECT count(*) FROM \($1)")?.int64 ?? 0)
    }
    // Where this does not hold nothing that is measured means anything.
    guard Set(rows.values.flatMap { $0 }).count == count else {
      throw XTError(.corrupt, "the rows' pages were not all found")
    }
  }

  private func add(
    _ number: Int, _ table: String, _ file: PagedFile, _ payloads: PayloadReader,
    _ map: inout PageMap
  ) {
    guard let page = file.store.tree(number) else { return }
    for index in 0..<page.cellCount {
      guard let cell = page.cell(index),
        case .whole(let payload, _) = payloads.payload(of: cell, on: page, &map),
        let record = Record(payload)
      else { continue }
      let key: XTValue =
        cell.rowID.map { .integer($0) } ?? .text(record.text(0, file.encoding) ?? "")
      let row = Row(table: table, key: key)
      rows[number, default: []].append(row)
      var next = cell.overflow
      while next != 0 {
        rows[next, default: []].append(row)
        next = file.store.page(next)?.uint32(at: 0) ?? 0
      }
    }
  }
}
