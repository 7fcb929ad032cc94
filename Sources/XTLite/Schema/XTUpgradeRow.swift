/// A row as it is while an upgrade runs, by the names of its columns in the file.
///
/// ```swift
/// $0.fill(\.email) { row in "\(row["name"] as String? ?? "")@example.org" }
/// ```
public struct XTUpgradeRow {
  private let table: String
  private let columns: [SQLiteName: Int]
  private let values: [XTValue]
  private let failure = Failure()

  private final class Failure {
    var error: XTError?
  }

  init(table: String, columns: [SQLiteName: Int], values: [XTValue]) {
    self.table = table
    self.columns = columns
    self.values = values
  }

  /// What the row holds in a column; nil for NULL.
  ///
  /// A column that the table doesn't have, and a value that is none of the type's, give nil here and
  /// make the step throw afterwards: nothing is written then.
  public subscript<Value>(_ column: String) -> Value? {
    guard let index = columns[SQLiteName(column)] else {
      note(
        XTError(
          .unknownColumn, "`\(table)` has no column `\(column)` at this step", table: table,
          column: column))
      return nil
    }
    if values[index].isNull { return nil }
    do {
      return try ValueCoding.decode(values[index], as: Value.self)
    } catch let failure as ColumnFailure {
      note(failure.error(table: table, column: column))
    } catch let error as XTError {
      note(error)
    } catch {
      note(XTError(.decoding, XTError.text(of: error), table: table, column: column))
    }
    return nil
  }

  /// What the row holds in a column, as SQLite keeps it; nil where there is no such column.
  public func value(_ column: String) -> XTValue? {
    columns[SQLiteName(column)].map { values[$0] }
  }

  private func note(_ error: XTError) {
    if failure.error == nil { failure.error = error }
  }

  /// - Throws: what went wrong when the row was asked.
  func check() throws {
    if let error = failure.error { throw error }
  }
}
