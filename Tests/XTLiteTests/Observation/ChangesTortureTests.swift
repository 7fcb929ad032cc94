import Foundation
import Testing

@testable import XTLite

/// A copy that is kept by what `changes` tells equals the tables after each of many random
/// transactions; all of them with `make torture`, a tenth else.
@Suite struct ChangesTortureTests {
  static let schema = """
    CREATE TABLE c0 (id INTEGER PRIMARY KEY, v);
    CREATE TABLE c1 (id INTEGER PRIMARY KEY, v UNIQUE ON CONFLICT REPLACE);
    CREATE TABLE c2 (v, w REFERENCES c0 (id) ON DELETE CASCADE ON UPDATE CASCADE);
    CREATE TABLE c3 (id TEXT PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE c4 (v REAL, w);
    CREATE TRIGGER fire AFTER UPDATE ON c0 BEGIN
      INSERT INTO c4 VALUES (new.id, old.v); DELETE FROM c1 WHERE id = old.id;
    END;
    CREATE TABLE mark (a);
    """
  static let tables = ["c0", "c1", "c2", "c3", "c4"]

  private func statement(_ random: inout some RandomNumberGenerator) -> String {
    func number(_ limit: Int) -> Int { Int.random(in: 1...limit, using: &random) }
    let table = Self.tables[number(5) - 1]
    let (id, value) = (number(30), number(12))
    let columns = ["c2": "v, w", "c4": "v, w"][table] ?? "id, v"
    let key = columns == "v, w" ? "rowid" : "id"
    switch number(12) {
    case 1...4: return "INSERT OR REPLACE INTO \(table) (\(columns)) VALUES (\(id), \(value))"
    case 5: return "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(id), 1), (\(value), 2)"
    case 6: return "UPDATE OR REPLACE \(table) SET v = v + \(value) WHERE \(key) < \(id)"
    case 7: return "UPDATE OR IGNORE \(table) SET \(key) = \(value) WHERE \(key) = \(id)"
    case 8: return "DELETE FROM \(table) WHERE \(key) > \(id)"
    case 9: return "DELETE FROM \(table)"
    case 10: return "INSERT OR REPLACE INTO c1 SELECT id, v FROM c0"
    case 11: return "INSERT INTO c4 SELECT v, w FROM c2"
    default: return "INSERT INTO \(table) (\(columns)) VALUES (\(id), \(value)), (\(id), \(value))"
    }
  }

  private func transaction(
    _ database: XTDatabase, _ random: inout some RandomNumberGenerator
  ) -> [String] {
    var script = [["BEGIN", "SAVEPOINT outer"].randomElement(using: &random) ?? "BEGIN"]
    var open: [String] = []
    for step in 0..<Int.random(in: 1...8, using: &random) {
      switch Int.random(in: 0...6, using: &random) {
      case 0:
        open.append("s\(step)")
        script.append("SAVEPOINT s\(step)")
      case 1:
        if let name = open.randomElement(using: &random) {
          script.append("ROLLBACK TO \(name)")
          open.removeSubrange(((open.firstIndex(of: name) ?? 0) + 1)...)
        }
      case 2:
        if let name = open.popLast() { script.append("RELEASE \(name)") }
      default: script.append(statement(&random))
      }
    }
    let isKept = Int.random(in: 0...4, using: &random) > 0
    script.append(isKept ? "COMMIT" : "ROLLBACK")
    return script
  }

  @Test func copyThatIsKeptByChanges_equalsTheTables() async throws {
    guard XTChange.tellsValues else { return }
    let test = try TestDatabase { $0.statementLog = nil }
    let database = test.database
    try database.executeScript(Self.schema)
    var iterator = database.changes.makeAsyncIterator()
    var random = SplitMix(state: 8)
    var copy: [String: Set<String>] = [:]
    var unknown = 0
    for step in 0..<Torture.part(of: 3_000) {
      let script =
        Bool.random(using: &random) ? [statement(&random)] : transaction(database, &random)
      try blocking {
        try database.write {
          // Some of them fail, which changes nothing.
          for sql in script { _ = try? database.executeScript(sql) }
        }
      }
      try database.executeScript("INSERT INTO mark VALUES (1)")
      var unspecified: Set<String> = []
      while let change = await iterator.next(), change.table != "mark" {
        let table = try #require(change.table)
        if change.kind == .unspecified {
          unspecified.insert(table)
          continue
        }
        if let old = change.old {
          let row = Self.text(change.oldPkid, old)
          #expect(
            unspecified.contains(table) || copy[table]?.remove(row) != nil, "\(step) \(script)")
        }
        if let new = change.new { copy[table, default: []].insert(Self.text(change.pkid, new)) }
      }
      unknown += unspecified.count
      for table in Self.tables {
        let number = table == "c3" ? "NULL" : "rowid"
        let rows = try blocking {
          try database.rows(XTSQL(unsafe: "SELECT \(number), * FROM \(table)"))
        }
        let now = Set(
          rows.map { row in
            row.values.map(\.sqlLiteral).joined(separator: ",")
          })
        if unspecified.contains(table) { copy[table] = now }
        #expect(copy[table] ?? [] == now, "\(step) \(table) \(script)")
        copy[table] = now
      }
    }
    // Of a statement that failed, and had fired a trigger.
    #expect(unknown < Torture.part(of: 3_000) / 10)
  }

  private static func text(_ number: Int64?, _ row: XTRow) -> String {
    ([number.map { "\($0)" } ?? "NULL"] + row.values.map(\.sqlLiteral)).joined(separator: ",")
  }
}
