extension TableShape {
  /// SQL for a row's number as statements that write have it: the column that the model has for it,
  /// else whatever SQLite numbers the rows by. Nil where rows have none.
  var number: String? {
    guard exists else { return mapping.rowID.quotedName }
    return numberColumn ?? (mapping.rowIDColumn == nil ? rowIDExpression : nil)
  }

  /// The column that holds a row's number, quoted; nil where the number is in none.
  var numberColumn: String? {
    if has(column: mapping.rowID.name) { return mapping.rowID.quotedName }
    // A key of the model's own is a property: where it is missing nothing else stands for it.
    return mapping.rowIDColumn == nil ? rowIDName.map(quoted) : nil
  }

  /// Whether what numbers the rows goes by another name than pkid, and models want to know it.
  var renamesNumber: Bool {
    guard exists, let number, number != mapping.rowID.quotedName else { return false }
    return mapping.isClass || !missingColumns.isEmpty
  }

  /// SQL that is true of rows that are not soft-deleted.
  var isLive: String {
    let column = fileColumns.first { SQLiteName($0.name) == SQLiteName("xt_isDel") }
    // In tables of other programs NULL may stand there.
    return column.map(\.isNotNull) ?? true ? "\(RowPlan.isDel) = 0" : "\(RowPlan.isDel) IS NOT 1"
  }
}
