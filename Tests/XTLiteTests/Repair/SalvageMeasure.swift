import Foundation

@testable import XTLite

/// How much of a damaged file came back, and how much of that is wrong.
struct SalvageMeasure: CustomStringConvertible {
  /// Rows of which no part was on a damaged page.
  var expected = 0
  /// Those of them that are in the new file as they were.
  var right = 0
  /// Rows of the new file that were never there so, and that the report says nothing of. The first
  /// number is of all, the second of those that have no part on a damaged page.
  var unreported = 0
  var unreportedElsewhere = 0
  /// Rows with a part on a damaged page that came back as they were.
  var rightOnDamaged = 0
  var examples: [String] = []

  var share: Double { expected == 0 ? 1 : Double(right) / Double(expected) }

  var description: String {
    let percent = Int(share * 100_000)
    return "\(percent / 1000).\(percent % 1000) % of \(expected), \(rightOnDamaged) more, "
      + "\(unreported) wrong unreported (\(unreportedElsewhere) on sound pages)"
      + examples.map { "\n  \($0)" }.joined()
  }

  init(
    _ report: XTSalvageReport, of file: SalvageFile, damaged: Set<Int>, key: XTKey? = nil
  ) throws {
    var settings = ConnectionSettings(path: report.newPath)
    settings.key = key
    let connection = try Connection(settings)
    defer { connection.close() }
    if let key {
      try connection.run(
        "ATTACH ? AS truth KEY ?",
        [.text(file.truth), .blob(key.engineBytes().withBytes { Data($0) })])
    } else {
      try connection.run("ATTACH ? AS truth", [.text(file.truth)])
    }
    try connection.executeScript(
      """
      CREATE TEMP TABLE touched (name TEXT, key, PRIMARY KEY (name, key)) WITHOUT ROWID;
      CREATE TEMP TABLE doubted (name TEXT, key INTEGER);
      CREATE INDEX temp.doubts ON doubted (name, key);
      BEGIN
      """)
    for page in damaged {
      for row in file.rows[page] ?? [] {
        try connection.run(
          "INSERT OR IGNORE INTO touched VALUES (?, ?)", [.text(row.table), row.key])
      }
    }
    for row in report.doubtfulRows {
      try connection.run(
        "INSERT INTO doubted VALUES (?, ?)",
        [.text(row.table), row.rowID.map { .integer($0) } ?? .null])
    }
    let names = Set(report.tables.map(\.name))
    for table in SalvageFile.tables {
      try add(table, isThere: names.contains(table), report, connection)
    }
    for table in report.tables where !table.isKnown { try addUnknown(table.name, connection) }
  }

  private mutating func add(
    _ table: String, isThere: Bool, _ report: XTSalvageReport, _ connection: Connection
  ) throws {
    let key = table == "settings" ? "key" : "rowid"
    func number(_ sql: String) throws -> Int {
      Int(try connection.firstValue(sql)?.int64 ?? 0)
    }
    let untouched = "NOT IN (SELECT key FROM touched WHERE name = '\(table)')"
    expected += try number("SELECT count(*) FROM truth.\(table) WHERE \(key) \(untouched)")
    guard isThere else { return }
    let columns = try SchemaReader.columns(of: table, on: connection).map(\.name)
    let same = columns.map { "a.\(quoted($0)) IS b.\(quoted($0))" }.joined(separator: " AND ")
    let join = "main.\(table) a JOIN truth.\(table) b ON a.\(key) = b.\(key) AND \(same)"
    right += try number("SELECT count(*) FROM \(join) WHERE a.\(key) \(untouched)")
    rightOnDamaged += try number("SELECT count(*) FROM \(join) WHERE NOT a.\(key) \(untouched)")
    let doubted =
      key == "key"
      ? "(SELECT count(*) FROM doubted WHERE name = '\(table)') > 0"
      : "a.rowid IN (SELECT key FROM doubted WHERE name = '\(table)')"
    let wrong = """
      FROM main.\(table) a WHERE NOT \(doubted) AND NOT EXISTS (
        SELECT 1 FROM truth.\(table) b WHERE a.\(key) = b.\(key) AND \(same))
      """
    unreported += try number("SELECT count(*) \(wrong)")
    unreportedElsewhere += try number("SELECT count(*) \(wrong) AND a.\(key) \(untouched)")
    for row in try connection.rows("SELECT a.\(key), a.* \(wrong) LIMIT 2") {
      examples.append("\(table): " + row.map { String("\($0)".prefix(60)) }.joined(separator: "|"))
    }
  }

  /// Rows of a table whose name was lost, compared with the table that most of them are in.
  private mutating func addUnknown(_ name: String, _ connection: Connection) throws {
    let width = try SchemaReader.columns(of: name, on: connection).count - 1
    var best = (right: 0, damaged: 0, table: "")
    // SQLite's own counters are none of the file's rows.
    if width == 2 {
      let counters = try connection.firstValue(
        "SELECT count(*) FROM \(name) a, truth.sqlite_sequence b WHERE a.c0 IS b.name AND a.c1 IS b.seq"
      )?.int64
      if counters == 1 { return }
    }
    for table in SalvageFile.tables {
      let own = try connection.rows("PRAGMA truth.table_info(\(table))").compactMap { $0[1].string }
      guard own.count >= width else { continue }
      let key = table == "settings" ? "key" : "rowid"
      let alias = ["people": "pkid", "messages": "id", "files": "id", "logs": "id"][table]
      let same = own.enumerated().compactMap { index, column -> String? in
        if column == alias { return nil }
        let value = index < width ? "a.c\(index)" : "NULL"
        if table == "logs", index >= 3 {
          // Short rows have the default, which nobody knows any more.
          let fallback = index == 3 ? "'none'" : "7"
          return "coalesce(\(value), \(fallback)) IS b.\(quoted(column))"
        }
        return "\(value) IS b.\(quoted(column))"
      }.joined(separator: " AND ")
      let on = key == "key" ? "a.c0 = b.key" : "a.id = b.rowid"
      let join = "main.\(name) a JOIN truth.\(table) b ON \(on) AND \(same)"
      let touched = "IN (SELECT key FROM touched WHERE name = '\(table)')"
      let rows = try connection.rows(
        "SELECT count(*), coalesce(sum(b.\(key) \(touched)), 0) FROM \(join)")
      let all = Int(rows.first?[0].int64 ?? 0)
      let damaged = Int(rows.first?[1].int64 ?? 0)
      if all > best.right + best.damaged { best = (all - damaged, damaged, table) }
    }
    right += best.right
    rightOnDamaged += best.damaged
    let count = Int(try connection.firstValue("SELECT count(*) FROM \(name)")?.int64 ?? 0)
    let doubted = Int(
      try connection.firstValue("SELECT count(*) FROM doubted WHERE name = ?", [.text(name)])?
        .int64 ?? 0)
    unreported += max(count - best.right - best.damaged - doubted, 0)
    unreportedElsewhere += max(count - best.right - best.damaged - doubted, 0)
    if count > best.right + best.damaged + doubted {
      examples.append("\(name): \(count) rows, \(best)")
    }
  }
}
