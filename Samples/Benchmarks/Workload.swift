import Foundation
import XTLite

/// One question asked of both sides: each side gives a number that must be the same.
struct Workload: Sendable {
  let name: String
  let summary: String
  /// What has to be installed, and may be missing.
  var file: String?
  /// Makes the two sides over files in a folder of their own, filled as the workload needs it.
  let prepare: @Sendable (Bench) throws -> Sides
}

/// The two programs that are measured.
struct Sides {
  var raw: () throws -> Int
  var xt: () throws -> Int
  /// Runs before each repetition and is not measured.
  var setUp: () throws -> Void = {}
}

/// Where and how large.
struct Bench {
  var folder: URL
  var scale: Double

  func count(_ full: Int) -> Int { max(1, Int(Double(full) * scale)) }

  /// Two files of the same content, one for each side, the table made by XTLite.
  ///
  /// The rows are made in SQL: what a loop over models would leave behind is a heap in pieces, on
  /// which both sides then run as slowly as the pieces happen to lie.
  func pair<Model: BenchItem>(
    _ name: String, _ type: Model.Type, rows: Int
  ) throws -> (RawDatabase, XTTable<Model>) {
    let first = folder.appendingPathComponent("\(name)-raw.sqlite")
    let second = folder.appendingPathComponent("\(name)-xt.sqlite")
    let made = try XTDatabase(url: first)
    try made.table(type).create()
    try made.close()
    try fill(first, table: "\(type)", rows: rows)
    try FileManager.default.copyItem(at: first, to: second)
    return (
      try RawDatabase(path: first.path),
      try XTDatabase(url: second, configuration: options.configuration).table(type)
    )
  }

  /// The rows of `BenchItem.make`.
  private func fill(_ file: URL, table: String, rows: Int) throws {
    guard rows > 0 else { return }
    let database = try RawDatabase(path: file.path)
    try database.run(
      """
      WITH RECURSIVE item(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM item WHERE i + 1 < \(rows))
      INSERT INTO \(table) (\(SQL.columns), xt_createTime, xt_updateTime)
      SELECT
        'item number ' || (1000000 + i), i * 0.5, i % 100, 1700000000000 + i,
        replace('11111', '1', 'note ' || (i % 10) || ' of the item, '),
        CAST(printf('%032d', i) AS BLOB), i % 3 = 0, iif(i % 2 = 0, 'nick ' || i, NULL),
        1700000000.5, 1700000000.5
      FROM item
      """)
    try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

enum SQL {
  static let columns = "name, score, age, createTime, note, data, flag, nick"

  static func insert(_ table: Any.Type) -> String {
    """
    INSERT INTO \(table) (pkid, \(columns), xt_createTime, xt_updateTime)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  }

  static func all(_ table: Any.Type) -> String {
    "SELECT pkid, \(columns) FROM \(table) WHERE xt_isDel = 0"
  }

  static func byPkid(_ table: Any.Type) -> String {
    "SELECT pkid, \(columns) FROM \(table) WHERE pkid = ? AND xt_isDel = 0"
  }

  static func update(_ table: Any.Type) -> String {
    """
    UPDATE \(table) SET name = ?, score = ?, age = ?, createTime = ?, note = ?, data = ?, flag = ?,
    nick = ?, xt_updateTime = ? WHERE pkid = ?
    """
  }
}

extension Workload {
  static let all: [Workload] =
    [
      insertList("W1", "insert 100,000 models, one list call", Item.self),
      insertEach,
      fetchAll("W3", "fetch 100,000 models", Item.self),
      findByPkid("W4", "20,000 finds by pkid inside one read block", Item.self),
      findTyped,
      findEach,
      findEachTyped,
      scan,
      updateList("W6", "update 50,000 models by pkid, one list call", Item.self),
      aggregates,
      insertContainers,
      fetchContainers,
      readersBesideWriter,
      manyTables,
      twoWriters,
      rowByRow,

      insertList("W1p", "W1 for a class that declares pkid", PlainObject.self),
      fetchAll("W3p", "W3 for a class that declares pkid", PlainObject.self),
      findByPkid("W4p", "W4 for a class that declares pkid", PlainObject.self),
      updateList("W6p", "W6 for a class that declares pkid", PlainObject.self),

      insertList("W1c", "W1 for a class without pkid", ItemObject.self),
      fetchAll("W3c", "W3 for a class without pkid", ItemObject.self),
      findByPkid("W4c", "W4 for a class without pkid", ItemObject.self),
      updateList("W6c", "W6 for a class without pkid", ItemObject.self),
    ] + tuples + keeping + searching + searchingTexts
}

// What a side has written is in the file when its time ends: SQLite sees to that in the commits of the
// hand-written loop, and XTLite a little later, on a thread of its own.
//
// Each is inlined into the list above, so that the loops are compiled for the type at hand as a
// hand-written one would be.
extension Workload {
  @inline(__always)
  private static func insertList<Model: BenchItem>(
    _ name: String, _ summary: String, _ type: Model.Type
  ) -> Workload {
    Workload(name: name, summary: summary) { bench in
      let (raw, table) = try bench.pair(name, type, rows: 0)
      // Objects learn the number of their row, so that they could not be inserted a second time.
      let count = bench.count(100_000)
      nonisolated(unsafe) var (rawItems, xtItems) = ([Model](), [Model]())
      return Sides(
        raw: { try insert(rawItems, raw) },
        xt: {
          let count = try table.insertList(xtItems)
          try table.database.checkpoint()
          return count
        },
        setUp: {
          if rawItems.isEmpty || Model.self is AnyClass {
            (rawItems, xtItems) = ([], [])
            (rawItems, xtItems) = (Model.make(count), Model.make(count))
          }
          try raw.run("DELETE FROM \(Model.self)")
          try table.deleteAll()
          try table.database.checkpoint()
        })
    }
  }

  @inline(__always)
  private static func insert<Model: BenchItem>(_ items: [Model], _ raw: RawDatabase) throws -> Int {
    let statement = try raw.statement(SQL.insert(Model.self))
    try raw.run("BEGIN IMMEDIATE")
    let now = Date().timeIntervalSince1970
    for item in items {
      sqlite3_bind_null(statement, 1)
      sqlite3_bind_double(statement, 10, now)
      sqlite3_bind_double(statement, 11, now)
      try item.bound(statement, 2) { try raw.check(sqlite3_step(statement)) }
      sqlite3_reset(statement)
      item.wasInserted(pkid: sqlite3_last_insert_rowid(raw.handle))
    }
    try raw.run("COMMIT")
    return items.count
  }

  @inline(__always)
  private static func fetchAll<Model: BenchItem>(
    _ name: String, _ summary: String, _ type: Model.Type
  ) -> Workload {
    Workload(name: name, summary: summary) { bench in
      let (raw, table) = try bench.pair(name, type, rows: bench.count(100_000))
      return Sides(
        raw: { Model.checksum(try fetch(raw)) },
        xt: { Model.checksum(try table.findAll()) })
    }
  }

  @inline(__always)
  private static func fetch<Model: BenchItem>(_ raw: RawDatabase) throws -> [Model] {
    let statement = try raw.statement(SQL.all(Model.self))
    var items: [Model] = []
    while sqlite3_step(statement) == SQLITE_ROW { items.append(try Model(row: statement)) }
    sqlite3_reset(statement)
    return items
  }

  @inline(__always)
  private static func findByPkid<Model: BenchItem>(
    _ name: String, _ summary: String, _ type: Model.Type
  ) -> Workload {
    Workload(name: name, summary: summary) { bench in
      let rows = bench.count(100_000)
      let finds = bench.count(20_000)
      let (raw, table) = try bench.pair(name, type, rows: rows)
      return Sides(
        raw: { try find(type, finds, of: rows, raw) },
        xt: {
          try table.database.read {
            var sum = 0
            for index in 0..<finds {
              sum &+= try table.find(pkid: pkid(index, of: rows))?.checksum ?? 0
            }
            return sum
          }
        })
    }
  }

  /// Where the finds are, all over the file.
  @inline(__always)
  private static func pkid(_ index: Int, of rows: Int) -> Int64 {
    Int64((index &* 7_919) % rows) + 1
  }

  @inline(__always)
  private static func find<Model: BenchItem>(
    _ type: Model.Type, _ finds: Int, of rows: Int, _ raw: RawDatabase
  ) throws -> Int {
    let statement = try raw.statement(SQL.byPkid(Model.self))
    var sum = 0
    try raw.run("BEGIN")
    for index in 0..<finds {
      sqlite3_bind_int64(statement, 1, pkid(index, of: rows))
      if sqlite3_step(statement) == SQLITE_ROW { sum &+= try Model(row: statement).checksum }
      sqlite3_reset(statement)
    }
    try raw.run("COMMIT")
    return sum
  }

  /// The finds of W4 by a query of the typed language that is kept, with a parameter.
  private static let findTyped = Workload(
    name: "W4t", summary: "W4 by a typed query with a parameter"
  ) { bench in
    let rows = bench.count(100_000)
    let finds = bench.count(20_000)
    let (raw, table) = try bench.pair("W4t", Item.self, rows: rows)
    let number = XTParameter<Int64?>("pkid")
    let query = table.query().where(Item.xt.pkid == number)
    return Sides(
      raw: { try find(Item.self, finds, of: rows, raw) },
      xt: {
        try table.database.read {
          var sum = 0
          for index in 0..<finds {
            sum &+= try query.with(number, pkid(index, of: rows)).first()?.checksum ?? 0
          }
          return sum
        }
      })
  }

  @inline(__always)
  private static func updateList<Model: BenchItem>(
    _ name: String, _ summary: String, _ type: Model.Type
  ) -> Workload {
    Workload(name: name, summary: summary) { bench in
      let rows = bench.count(50_000)
      let (raw, table) = try bench.pair(name, type, rows: rows)
      let items = try table.findAll()
      // The numbers beside the items: one of the three types has no place for them.
      let pkids = (1...Int64(rows)).map { $0 }
      return Sides(
        raw: { try update(items, pkids, raw) },
        xt: {
          let count = try table.updateList(items)
          try table.database.checkpoint()
          return count
        })
    }
  }

  @inline(__always)
  private static func update<Model: BenchItem>(
    _ items: [Model], _ pkids: [Int64], _ raw: RawDatabase
  ) throws -> Int {
    let statement = try raw.statement(SQL.update(Model.self))
    try raw.run("BEGIN IMMEDIATE")
    let now = Date().timeIntervalSince1970
    var count = 0
    for (item, pkid) in zip(items, pkids) {
      sqlite3_bind_double(statement, 9, now)
      sqlite3_bind_int64(statement, 10, pkid)
      try item.bound(statement, 1) { try raw.check(sqlite3_step(statement)) }
      sqlite3_reset(statement)
      count += Int(sqlite3_changes(raw.handle))
    }
    try raw.run("COMMIT")
    return count
  }
}
