import Foundation
import XTLite

extension Workload {
  /// A file whose schema alone is large. Closing is not measured.
  static let manyTables = Workload(
    name: "W10", summary: "open a database that has 50,000 tables, first find on one of them"
  ) { bench in
    let (raw, table) = try bench.pair("W10", Item.self, rows: 100)
    let paths = [raw.path, table.database.path]
    try table.database.close()
    for path in paths { try addTables(bench.count(50_000), path) }
    // Kept until the next repetition, so that closing falls between the two.
    nonisolated(unsafe) var rawThread: RawThread?
    nonisolated(unsafe) var database: XTDatabase?
    return Sides(
      raw: {
        let thread = try RawThread(path: paths[0])
        rawThread = thread
        return try thread.find(Item.self, [50])
      },
      xt: {
        let opened = try XTDatabase(path: paths[1])
        database = opened
        return try opened.table(Item.self).find(pkid: 50)?.checksum ?? 0
      },
      setUp: {
        rawThread = nil
        try database?.close()
        database = nil
      })
  }

  /// Each is the table that is there under another name, and empty.
  ///
  /// Not by CREATE TABLE, which reads the whole schema each time and so takes minutes: the rows of
  /// the schema are written by one statement, and the tables' empty first pages put after the end
  /// of the file.
  private static func addTables(_ count: Int, _ path: String) throws {
    let file = try RawDatabase(path: path)
    // A number that takes as much room as those which replace it, so that no page is split then.
    let placeholder = 1_000_000
    try file.run("PRAGMA writable_schema = ON")
    try file.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(count))
      INSERT INTO sqlite_master
      SELECT 'table', 'Item_' || i, 'Item_' || i, \(placeholder) + i,
        replace(sql, '`Item`', '`Item_' || i || '`')
      FROM n, (SELECT sql FROM sqlite_master WHERE name = 'Item')
      """)
    let pages = try file.number("PRAGMA page_count")
    try file.run(
      """
      UPDATE sqlite_master SET rootpage = rootpage - \(placeholder) + \(pages)
      WHERE rootpage > \(placeholder)
      """)
    try file.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try append(count - 1, after: pages, size: file.number("PRAGMA page_size"), path)
  }

  private static func append(_ count: Int, after pages: Int, size: Int, _ path: String) throws {
    var page = Data(count: size)
    page[0] = 13  // the leaf of a table
    page.replaceSubrange(5..<7, with: bytes(UInt16(truncatingIfNeeded: size)))
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    for _ in 0..<count { try handle.write(contentsOf: page) }
    // The header's own count of pages.
    try handle.seek(toOffset: 28)
    try handle.write(contentsOf: bytes(UInt32(pages + count)))
    try handle.close()
  }

  private static func bytes(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data($0) }
  }
}
