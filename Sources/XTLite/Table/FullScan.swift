import Foundation

/// Looks in debug mode, and where a monitor listens for warnings, whether a query reads all rows of
/// a large table to find some of them. Once for each query that is written.
struct FullScan {
  /// Tables with fewer rows are read in no time.
  static let fewRows = 10_000

  let database: XTDatabase
  let connection: Connection

  var isWanted: Bool {
    database.configuration.debugLog || database.core.signals.wants(.warnings)
  }

  /// A query that says which rows, and finds them by reading all, is told of.
  func check(_ select: SelectParts, _ written: WrittenQuery) {
    // Another's mistake must not become the query's.
    for table in (try? tables(select, written)) ?? [] {
      guard let rows = try? number(table), rows >= Self.fewRows else { continue }
      let warning = Signal.Warning.fullScan(table: table, rows: rows, sql: written.key.sql)
      database.core.signals.keep(.warning(warning))
      if database.configuration.debugLog {
        let text = Self.text(table: table, rows: rows, sql: written.key.sql)
        let line = "[\(database.core.label)] warning: \(text)\n"
        FileHandle.standardError.write(Data(line.utf8))
      }
    }
  }

  static func text(table: String, rows: Int, sql: String) -> String {
    "a query reads all rows of \(table), \(rows) or so, to find some; an index on a column of its "
      + "condition would serve: \(sql)"
  }

  /// The tables, by their names in the file, that are scanned without an index though the query has a
  /// condition on one of their columns.
  private func tables(_ select: SelectParts, _ written: WrittenQuery) throws -> [String] {
    guard let condition = select.condition else { return [] }
    var asked: Set<TableReference> = []
    condition.collectTables(into: &asked)
    let lines = try connection.rows("EXPLAIN QUERY PLAN \(written.key.sql)", written.values)
      .compactMap { $0.count > 3 ? $0[3].string : nil }
    return written.used.compactMap { _, rows in
      let name = rows.shape.table
      guard rows.shape.exists,
        let source = select.sources.first(where: { asked.contains($0.reference) }),
        case .model(let model, let custom) = source.table,
        custom ?? (try? ModelMapping.of(model).tableName) == name
      else { return nil }
      let called = source.reference.alias ?? name
      let isScanned = lines.contains { line in
        ["SCAN \(called)", "SCAN TABLE \(name)", "SCAN TABLE \(name) AS \(called)"].contains(line)
      }
      return isScanned ? name : nil
    }
  }

  private func number(_ table: String) throws -> Int {
    Int(try connection.firstValue("SELECT max(rowid) FROM \(quoted(table))")?.int64 ?? 0)
  }
}

extension ConditionNode {
  /// The tables whose columns are compared with something as they are.
  fileprivate func collectTables(into tables: inout Set<TableReference>) {
    switch form {
    case .text: break
    case .not(let operand): operand.collectTables(into: &tables)
    case .chain(_, let left, let right):
      left.collectTables(into: &tables)
      right.collectTables(into: &tables)
    case .expression(let node):
      if let condition = node.pieces.first, case .condition(let inner) = condition {
        return inner.collectTables(into: &tables)
      }
      for piece in node.pieces {
        if case .node(let operand, _) = piece, let column = operand.column {
          tables.insert(column.table)
        }
      }
    }
  }
}
