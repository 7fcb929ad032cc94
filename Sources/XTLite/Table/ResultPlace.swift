/// Where a result stands in a row, and how it is read.
struct ResultPlace: Sendable {
  /// The first of its columns.
  let index: Int
  /// What the model says of a column; nil for other expressions.
  var column: Column?
  var table: String?
  var mapping: ModelMapping?
  var standIns = StandIns()
  /// Reads a whole model.
  var reader: RowReader?
  /// How a row tells that a join left the table of this result out of it.
  var absence = Absence.never

  /// An error of the value with where it is.
  func located(_ error: any Error, _ statement: Statement) -> any Error {
    let name = column?.name ?? statement.columnName(index)
    if let failure = error as? ColumnFailure {
      return failure.error(table: table, column: name, sql: statement.sql)
    }
    guard var error = error as? XTError else { return error }
    error.table = error.table ?? table
    error.column = error.column ?? name
    error.sql = error.sql ?? statement.sql
    return error
  }
}
