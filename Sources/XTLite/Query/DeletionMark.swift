/// What tells a table's live rows from its soft-deleted ones, as finds and partial indexes write
/// it: SQLite uses a partial index only for a query that says the same, word for word.
///
/// Each row is one or the other, whatever its column holds.
struct DeletionMark: Sendable {
  /// What is true of rows that are not soft-deleted.
  let isLive: String
  /// What is true of rows that are.
  let isDeleted: String

  /// - Parameter isNotNull: Whether `xt_isDel` takes no NULL, as in tables that XTLite makes.
  ///   Another program's table may hold NULL for no.
  init(isNotNull: Bool) {
    let column = ColumnRole.isDel.quotedName
    isLive = column + (isNotNull ? " = 0" : " IS NOT 1")
    isDeleted = column + (isNotNull ? " <> 0" : " = 1")
  }

  /// What is true of the rows in `scope`; nil where that is all.
  func condition(of scope: XTScope) -> String? {
    switch scope {
    case .live: isLive
    case .deleted: isDeleted
    case .all: nil
    }
  }

  /// Of a table that marks none of its rows.
  static func isMissing(in table: String) -> XTError {
    XTError(
      .schema, "\(table) has no column xt_isDel, so no row of it can be soft-deleted",
      hint: "XTLite's own tables have it unless automaticColumns is off; the upgrade step "
        + "$0.addAutomaticColumns() adds it to this one",
      table: table, column: ColumnRole.isDel.automaticName)
  }
}
