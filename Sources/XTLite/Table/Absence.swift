/// How a row tells that a join left a table out of it: what stands for NULL in the table's rows must
/// not be given for a row that is none.
enum Absence: Sendable {
  /// No join leaves the table out.
  case never
  /// The file has no such table, so that there are no rows of it.
  case always
  /// Where all of these results are NULL.
  case allNull(Range<Int>)

  static func null(_ index: Int) -> Absence { .allNull(index..<(index + 1)) }

  func isTold(by statement: Statement) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .allNull(let indexes): indexes.allSatisfy { statement.column($0).isNull }
    }
  }
}

/// The tables of a query that joins may leave out of rows.
struct Absences {
  /// Results that stand behind the query's own, each NULL where its table is left out.
  private(set) var markers: [SQLNode] = []
  private var left: [TableReference: Absence] = [:]
  private var unmarked: Set<TableReference> = []

  /// - Throws: what keeps a table from being looked at.
  init(of whole: SelectParts, _ tables: LiveTables) throws {
    let select = whole.innermost
    // Behind a union's results, and around a query that is one, there is no place for another.
    let hasRoom = whole.core == nil && whole.compounds.isEmpty
    var width = 0
    for result in select.results {
      width +=
        try result.model.flatMap { try tables.rows(of: $0, in: select) }?.selection.count ?? 1
    }
    for (index, source) in select.sources.enumerated() where select.mayLeaveOut(index) {
      guard let rows = try tables.rows(of: source) else { continue }
      let table = source.reference
      guard rows.shape.exists else {
        left[table] = .always
        continue
      }
      guard hasRoom, rows.shape.rowNumberInSource != nil,
        select.results.contains(where: { $0.needsMarker(of: table, rows) })
      else {
        unmarked.insert(table)
        continue
      }
      let number = QueryColumn(rows.mapping.rowID, of: table).node
      left[table] = .null(width + markers.count)
      markers.append(
        SQLNode([
          .text("CASE WHEN "), .node(number, atLeast: .equality), .text(" IS NOT NULL THEN 1 END"),
        ]))
    }
  }

  func absence(of table: TableReference, _ rows: RowPlan, modelAt index: Int) -> Absence {
    if let known = left[table] { return known }
    guard unmarked.contains(table) else { return .never }
    if let number = rows.placeOfNumber { return .null(index + number) }
    return .allNull(index..<(index + rows.selection.count))
  }

  /// Without a marker, NULL is taken for a row that is left out: a value that nobody stored must not
  /// be made up.
  func absence(of table: TableReference, valueAt index: Int) -> Absence {
    left[table] ?? (unmarked.contains(table) ? .null(index) : .never)
  }
}

extension SelectParts {
  /// The query whose results this one gives as they are.
  var innermost: SelectParts { core?.parts.innermost ?? self }

  fileprivate func mayLeaveOut(_ index: Int) -> Bool {
    ["LEFT JOIN", "FULL JOIN"].contains(sources[index].join)
      || sources.dropFirst(index + 1).contains(where: \.leavesOutTheFirst)
  }
}

extension SQLNode {
  /// Whether what it gives of a table's row doesn't tell that there is one.
  fileprivate func needsMarker(of table: TableReference, _ rows: RowPlan) -> Bool {
    if model == table { return rows.placeOfNumber == nil }
    guard let column, column.table == table, let known = column.column else { return false }
    return rows.standIns.readsNullAsFresh(known)
  }
}

extension LiveTables {
  /// The rows of one of a query's tables; nil where no model stands for it.
  func rows(of table: TableReference, in select: SelectParts) throws -> RowPlan? {
    try select.sources.first { $0.reference == table }.flatMap { try rows(of: $0) }
  }
}
