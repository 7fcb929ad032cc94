import Foundation

/// Looks in debug mode, and where a monitor listens for warnings, whether a query reads all rows of
/// a large table to find some of them. Once for each statement that is prepared for a verb, and for
/// each query that is written.
struct FullScan {
  /// Tables with fewer rows are read in no time.
  static let fewRows = 10_000

  let database: XTDatabase
  let connection: Connection

  /// A table as the statement has it.
  private struct Table {
    let reference: TableReference
    /// By its name in the file.
    let name: String
    var alias: String?

    /// As plans call it, in the words of newer libraries and of older ones.
    var names: [String] {
      guard let alias else { return [name, "TABLE \(name)"] }
      return [alias, "TABLE \(name) AS \(alias)"]
    }
  }

  private var isWanted: Bool {
    database.core.signals.wants(.warnings) || database.configuration.debugLog
  }

  /// Of a query of the typed language.
  @inline(never)
  func check(_ select: SelectParts, _ written: WrittenQuery) {
    guard isWanted else { return }
    let conditions = ([select.condition] + select.sources.map(\.on)).compactMap { $0 }
    let names = written.used.filter(\.rows.shape.exists).map(\.rows.shape.table)
    let tables = select.sources.compactMap { source -> Table? in
      guard case .model(let model, let custom) = source.table,
        let name = custom ?? (try? ModelMapping.of(model).tableName), names.contains(name)
      else { return nil }
      return Table(reference: source.reference, name: name, alias: source.reference.alias)
    }
    check(tables, conditions, SQLFragment(written.sql, written.values))
  }

  /// Of a verb's statement.
  @inline(never)
  func check(_ condition: ConditionNode?, _ rows: RowPlan, _ fragment: SQLFragment) {
    guard isWanted, let condition, rows.shape.exists else { return }
    let table = Table(reference: TableReference(rows.mapping.modelType), name: rows.shape.table)
    check([table], [condition], fragment)
  }

  /// A query that says which rows, and finds them by reading all, is told of.
  private func check(_ tables: [Table], _ conditions: [ConditionNode], _ fragment: SQLFragment) {
    var asked = AskedTables()
    for condition in conditions { asked.add(condition) }
    // Another's mistake must not become the query's.
    for table in (try? scanned(tables, asked, fragment)) ?? [] {
      guard let rows = try? number(table), rows >= Self.fewRows else { continue }
      let warning = Signal.Warning.fullScan(table: table, rows: rows, sql: fragment.text)
      database.core.signals.keep(.warning(warning))
      if database.configuration.debugLog {
        let text = Self.text(table: table, rows: rows, sql: fragment.text)
        let line = "[\(database.core.label)] warning: \(text)\n"
        FileHandle.standardError.write(Data(line.utf8))
      }
    }
  }

  static func text(table: String, rows: Int, sql: String) -> String {
    "a query reads all rows of \(table), \(rows) or so, to find some; an index on a column of its "
      + "condition would serve: \(sql)"
  }

  /// The tables, by their names in the file, that are read whole without an index though one on a
  /// column of a condition would serve.
  private func scanned(
    _ all: [Table], _ asked: AskedTables, _ fragment: SQLFragment
  ) throws -> [String] {
    guard all.contains(where: { asked.tables.contains($0.reference) }) else { return [] }
    let lines = try connection.rows("EXPLAIN QUERY PLAN \(fragment.text)", fragment.values)
      .compactMap { $0.count > 3 ? $0[3].string : nil }
    // The loops, from the outermost to the innermost. "SCAN TABLE Person AS other" begins as a line
    // about Person does.
    let named = all.filter { $0.alias != nil } + all.filter { $0.alias == nil }
    let loops = lines.compactMap { line in
      named.first { table in table.names.contains { line.begins("SCAN \($0)", "SEARCH \($0)") } }
        .map { (table: $0, line: line) }
    }
    return loops.enumerated().compactMap { place, loop in
      guard asked.tables.contains(loop.table.reference) else { return nil }
      // Of the smallest and the largest value it says SEARCH also where it uses nothing for that.
      let isWhole = loop.table.names.contains {
        ["SCAN \($0)", "SEARCH \($0)"].contains(loop.line)
      }
      // An index that is made for the one statement is of all rows.
      let isIndexed = loop.line.contains(" USING AUTOMATIC ")
      let isInner = place > 0 && asked.byColumn.contains(loop.table.reference)
      let isAsked = isInner || asked.byValue.contains(loop.table.reference)
      return isIndexed || isWhole && isAsked ? loop.table.name : nil
    }
  }

  private func number(_ table: String) throws -> Int {
    Int(try connection.firstValue("SELECT max(rowid) FROM \(quoted(table))")?.int64 ?? 0)
  }
}

/// The tables whose columns a condition compares with something in a way that an index could follow.
private struct AskedTables {
  /// With what is no column.
  var byValue: Set<TableReference> = []
  /// With a column of another table, as joins do.
  var byColumn: Set<TableReference> = []

  var tables: Set<TableReference> { byValue.union(byColumn) }

  mutating func add(_ condition: ConditionNode) {
    switch condition.form {
    // Of what the programmer wrote nobody knows what it is about; and an index tells what is there.
    case .text, .not: break
    case .chain(.and, let left, let right):
      add(left)
      add(right)
    case .chain(.or, let left, let right): addBoth(left, right)
    case .expression(let node):
      if let condition = node.pieces.first, case .condition(let inner) = condition {
        return add(inner)
      }
      if node.followsIndexes { add(node.operands.compactMap(\.column)) }
    }
  }

  /// Of two tests each needs its index.
  private mutating func addBoth(_ left: ConditionNode, _ right: ConditionNode) {
    var (one, other) = (AskedTables(), AskedTables())
    one.add(left)
    other.add(right)
    guard !one.tables.isEmpty, !other.tables.isEmpty else { return }
    byValue.formUnion(one.byValue.union(other.byValue))
    byColumn.formUnion(one.byColumn.union(other.byColumn))
  }

  private mutating func add(_ columns: [QueryColumn]) {
    let tables = Set(columns.map(\.table))
    if tables.count > 1 {
      byColumn.formUnion(tables)
    } else if columns.count < 2 {
      byValue.formUnion(tables)
    }
  }
}

extension SQLNode {
  fileprivate var operands: [SQLNode] {
    pieces.compactMap { piece in
      if case .node(let operand, _) = piece { operand } else { nil }
    }
  }

  /// Whether it is a test for one value, some values or a range.
  fileprivate var followsIndexes: Bool {
    guard pieces.count > 1, case .text(let text) = pieces[1] else { return false }
    return [" = ", " < ", " <= ", " > ", " >= ", " IS ", " IS NULL", " IN (", " BETWEEN "]
      .contains(text)
  }
}

extension String {
  /// Whether one of these words stands at the beginning.
  fileprivate func begins(_ words: String...) -> Bool {
    words.contains { self == $0 || hasPrefix("\($0) ") }
  }
}
