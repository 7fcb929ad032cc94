// What the verbs read from. Columns of the model that a table lacks are added to it on the way, so
// that conditions, orders, aggregates and whole rows all see what `init()` gives.

extension TableShape {
  /// The row's number as the model means it: the column that pkid, or the model's own integer key,
  /// is kept in; where the table has none of that name, what else numbers its rows. Nil where
  /// nothing does.
  var rowNumber: String? { number ?? rowIDExpression }

  /// The same for a statement that reads from ``source``.
  var rowNumberInSource: String? {
    addsColumns && rowIDExpression != nil ? mapping.rowID.quotedName : rowNumber
  }

  /// What stands behind FROM: the table, or a subquery that goes by its name.
  var source: String { exists ? StatementBuilder.source(table, subquery, as: nil) : quoted(table) }

  /// The SELECT that finds read from in the table's place; nil where they read from the table. One
  /// that is missing reads as one without rows.
  var subquery: String? {
    guard exists else { return noRows }
    guard addsColumns else { return nil }
    var added = missingColumns.filter { $0 !== missingRowNumber }.map {
      "\(reading(of: $0).sqlLiteral) AS \($0.quotedName)"
    }
    if let missingRowNumber {
      added.append("\(rowIDExpression ?? "NULL") AS \(missingRowNumber.quotedName)")
    }
    let hidden = fileColumns.filter(\.isHidden).map { SQLiteName($0.name) }
    added += columns.filter { hidden.contains(SQLiteName($0.name)) }
      .map { "\($0.quotedName) AS \($0.quotedName)" }
    // A subquery has no rowid of its own.
    if let rowIDExpression {
      if !has(column: "rowid") {
        added.append("\(rowIDExpression) AS rowid")
      } else if rowIDName == nil {
        added.append("\(rowIDExpression) AS \(rowIDExpression)")
      }
    }
    return "SELECT *, \(added.joined(separator: ", ")) FROM \(quoted(table))"
  }

  private var noRows: String {
    let automatic = ColumnRole.automatic.compactMap(mapping.automatic)
    var names: [String] = []
    for column in mapping.columns + automatic + [mapping.rowID]
    where !names.contains(column.quotedName) {
      names.append(column.quotedName)
    }
    return "SELECT \(names.map { "NULL AS \($0)" }.joined(separator: ", ")) WHERE 0"
  }

  /// The column of the row's number where the table has none of its name.
  private var missingRowNumber: Column? {
    has(column: mapping.rowID.name) ? nil : mapping.rowID
  }

  /// Whether the table lacks something that the model may ask for. Every object has a pkid.
  private var addsColumns: Bool {
    guard exists else { return false }
    return !missingColumns.isEmpty
      || mapping.isClass && missingRowNumber != nil && rowIDExpression != nil
  }

  /// The columns that ``source`` adds.
  var addedColumns: [Column] {
    guard addsColumns else { return [] }
    let isMissing = missingColumns.contains { $0 === missingRowNumber }
    return missingColumns + (isMissing ? [] : [missingRowNumber].compactMap { $0 })
  }

  /// What a column that the table lacks holds in every row. NULL stands for a value of its own in
  /// each row, which the reader makes.
  private func reading(of column: Column) -> XTValue {
    if let value = column.defaultValue { return value }
    guard !column.isOptional, let value = try? mapping.freshValue(of: column) else { return .null }
    // The clock may tick between two instances; a date is what `init()` gives all the same.
    if column.type.kind == .date { return value }
    return value == (try? mapping.freshValue(of: column)) ? value : .null
  }
}
