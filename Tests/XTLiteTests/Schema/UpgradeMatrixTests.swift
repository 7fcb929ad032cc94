import Foundation
import Testing

@testable import XTLite

/// Every step, and every two in a row, against what the same does to rows in memory.
struct UpgradeMatrixTests {
  @Test(arguments: [0, 3]) func step_alone_doesWhatItSays(_ rows: Int) throws {
    for step in MatrixStep.all { try check([step], rows: rows) }
  }

  @Test func step_aloneOnManyRows_doesWhatItSays() throws {
    for step in MatrixStep.all { try check([step], rows: Torture.part(of: 100_000)) }
  }

  @Test(arguments: [0, 3]) func steps_anyTwoInARow_doWhatTheySay(_ rows: Int) throws {
    for (row, first) in MatrixStep.all.enumerated() {
      for (column, second) in MatrixStep.all.enumerated() {
        // A part of the pairs, each step before and behind some.
        guard Torture.isFull || (row + 2 * column + rows) % 5 == 0 else { continue }
        try check([first, second], rows: rows)
      }
    }
  }

  /// Those that make the table anew twice, or change what the other looks at.
  @Test func steps_tenPairsOnManyRows_doWhatTheySay() throws {
    let pairs = [
      ("addAndFill", "change size"), ("swap", "change spare"), ("rename", "drop"),
      ("merge", "change size"), ("drop", "change spare"), ("renameTable", "change size"),
      ("change size", "fill"), ("add token", "merge"), ("run", "addIndex"), ("swap", "rename"),
    ]
    for (first, second) in pairs {
      let steps = try [first, second].map { name in
        try #require(MatrixStep.all.first { $0.name == name })
      }
      try check(steps, rows: Torture.part(of: 100_000))
    }
  }

  private func check(_ steps: [MatrixStep], rows count: Int) throws {
    let table = steps.contains { $0.name == "renameTable" } ? "UpCell0" : "UpCell"
    let database = try TestDatabase()
    try database.table(OldUpCell.self, named: table).create()
    try database.outside(Self.content(of: table, count))
    var expected = Sheet(rows: count)
    try database.database.upgrade {
      XTUpgrade(UpCell.self, to: 2) { list in
        for step in steps {
          step.steps(&list)
          step.effect(&expected)
        }
      }
    }
    let names = steps.map(\.name).joined(separator: ", ")
    let columns = try database.columns(of: "UpCell").filter {
      !$0.hasPrefix("xt_") && $0 != "pkid"
    }
    #expect(Set(columns) == Set(expected.columns.keys), "\(names)")
    let compared = expected.columns.keys.filter { $0 != "token" }.sorted()
    let found = try database.seen(
      "SELECT \(compared.quotedList) FROM UpCell ORDER BY pkid")
    let wanted = expected.rows.map { row in
      compared.map { (row[$0] ?? .null).description }.joined(separator: "|")
    }
    #expect(found == wanted, "\(names)")
    if expected.columns["token"] != nil {
      #expect(
        try database.seen("SELECT count(DISTINCT token) FROM UpCell") == ["\(wanted.count)"],
        "\(names)")
    }
    // What hangs on the table.
    #expect(
      try database.seen("SELECT count(*) FROM cell_child JOIN UpCell ON pkid = cell") == [
        "\(count)"
      ],
      "\(names)")
    #expect(try database.seen("SELECT count(*) FROM cell_sizes") == ["\(wanted.count)"], "\(names)")
    #expect(
      try database.seen("SELECT seq FROM sqlite_sequence WHERE name = 'UpCell'")
        == ["\(wanted.count + 1)"], "\(names)")
    #expect(try database.seen("PRAGMA integrity_check") == ["ok"], "\(names)")
    #expect(try database.seen("PRAGMA foreign_key_check") == [], "\(names)")
    #expect(try database.database.anyFunc(sql: "PRAGMA foreign_keys") == 1)
  }

  private static func content(of table: String, _ count: Int) -> String {
    """
    ALTER TABLE \(table) ADD COLUMN spare INTEGER;
    ALTER TABLE \(table) ADD COLUMN color2;
    CREATE INDEX by_spare ON \(table) (spare);
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(count))
      INSERT INTO \(table) (name, size, color, spare)
      SELECT 'n' || i, i, 'c' || i, i * 10 FROM n WHERE \(count) > 0;
    CREATE TABLE cell_child (cell INTEGER REFERENCES \(table) (pkid) ON DELETE CASCADE);
    INSERT INTO cell_child SELECT pkid FROM \(table);
    CREATE VIEW cell_sizes AS SELECT pkid, size FROM \(table);
    -- The counter is ahead of the rows.
    INSERT INTO \(table) (pkid, name) VALUES (\(count + 1), '');
    DELETE FROM \(table) WHERE pkid = \(count + 1);
    CREATE TABLE UpCellOld (name TEXT, size INTEGER);
    INSERT INTO UpCellOld SELECT 'o' || name, size + 1000 FROM \(table) LIMIT 3;
    """
  }
}

private struct OldUpCell: XTModel {
  var name = ""
  var size = 1
  var color = "c"
}

private struct UpCell: XTModel {
  var name = ""
  var size = 1
  var color = "c"
  var spare: String?
  var tag = "t"
  var token = UUID()
}

/// A table in memory.
private struct Sheet {
  /// Each column with its default.
  var columns: [String: XTValue] = [
    "name": "", "size": 1, "color": "c", "spare": .null, "color2": .null,
  ]
  var rows: [[String: XTValue]]
  private(set) var others: [[String: XTValue]]

  init(rows count: Int) {
    rows = (0..<count).map { row in
      [
        "name": .text("n\(row)"), "size": .integer(Int64(row)), "color": .text("c\(row)"),
        "spare": .integer(Int64(row * 10)), "color2": .null,
      ]
    }
    others = rows.prefix(3).map { row in
      [
        "name": .text("o\(row["name"]?.string ?? "")"),
        "size": .integer((row["size"]?.int64 ?? 0) + 1000),
      ]
    }
  }

  mutating func add(_ column: String, _ value: XTValue) {
    guard columns[column] == nil else { return }
    columns[column] = value
    for index in rows.indices { rows[index][column] = value }
  }

  mutating func rename(_ names: [String: String]) {
    func renamed(_ row: [String: XTValue]) -> [String: XTValue] {
      Dictionary(uniqueKeysWithValues: row.map { (names[$0] ?? $0, $1) })
    }
    columns = renamed(columns)
    rows = rows.map(renamed)
  }

  mutating func update(_ column: String, _ body: ([String: XTValue]) -> XTValue) {
    for index in rows.indices { rows[index][column] = body(rows[index]) }
  }

  mutating func drop(_ column: String) {
    columns[column] = nil
    for index in rows.indices { rows[index][column] = nil }
  }

  mutating func merge() {
    rows += others.map { columns.merging($0) { $1 } }
    others = []
  }
}

/// A step beside what it does.
private struct MatrixStep {
  let name: String
  let steps: (inout XTUpgradeSteps<UpCell>) -> Void
  let effect: (inout Sheet) -> Void

  static var all: [MatrixStep] {
    [
      MatrixStep(
        name: "add column", steps: { $0.add(column: "extra", "TEXT DEFAULT 'x'") },
        effect: { $0.add("extra", "x") }),
      MatrixStep(name: "add", steps: { $0.add(\.tag) }, effect: { $0.add("tag", "t") }),
      MatrixStep(
        name: "add token", steps: { $0.add(\.token) }, effect: { $0.add("token", .null) }),
      MatrixStep(
        name: "addAndFill",
        steps: {
          $0.add(\.tag)
          $0.fill(\.tag) { row in "t-\(row["name"] as String? ?? "")" }
        },
        effect: {
          $0.add("tag", "t")
          $0.update("tag") { row in
            row["tag"] == "t" ? .text("t-\(row["name"]?.string ?? "")") : row["tag"] ?? .null
          }
        }),
      MatrixStep(
        name: "rename", steps: { $0.rename("color", to: "paint") },
        effect: { $0.rename(["color": "paint"]) }),
      MatrixStep(
        name: "swap", steps: { $0.swap("name", "color2") },
        effect: { $0.rename(["name": "color2", "color2": "name"]) }),
      MatrixStep(name: "drop", steps: { $0.drop("spare") }, effect: { $0.drop("spare") }),
      MatrixStep(
        name: "change size", steps: { $0.change(\.size) { old in Int(old.int64 ?? 0) + 1 } },
        effect: { $0.update("size") { .integer(($0["size"]?.int64 ?? 0) + 1) } }),
      MatrixStep(
        name: "change spare", steps: { $0.change(\.spare) },
        effect: {
          $0.add("spare", .null)
          $0.update("spare") { row in
            row["spare"].flatMap(\.int64).map { .text("\($0)") } ?? row["spare"] ?? .null
          }
        }),
      MatrixStep(name: "addIndex", steps: { $0.addIndex(\.size) }, effect: { _ in }),
      MatrixStep(name: "dropIndex", steps: { $0.dropIndex("by_spare") }, effect: { _ in }),
      MatrixStep(
        name: "fill",
        steps: { $0.fill(\.size, everyRow: true) { row in (row["size"] as Int? ?? 0) + 100 } },
        effect: { $0.update("size") { .integer(($0["size"]?.int64 ?? 0) + 100) } }),
      MatrixStep(
        name: "run",
        steps: { $0.run { table in "UPDATE \(identifier: table) SET size = size * 2" } },
        effect: { $0.update("size") { .integer(($0["size"]?.int64 ?? 0) * 2) } }),
      MatrixStep(
        name: "merge", steps: { $0.merge(from: "UpCellOld") }, effect: { $0.merge() }),
      MatrixStep(
        name: "addAutomaticColumns", steps: { $0.addAutomaticColumns() }, effect: { _ in }),
      MatrixStep(
        name: "renameTable", steps: { $0.renameTable(from: "UpCell0") }, effect: { _ in }),
    ]
  }
}
