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
}
