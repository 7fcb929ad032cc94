/// UPDATE of single rows for one set of columns, found by the row's number or by other columns.
final class Change: Sendable {
  let shape: TableShape
  private let writer: RowWriter
  private let keyWriter: RowWriter
  private let findsByRowID: Bool
  private let hasUpdateTime: Bool
  private let fail: StatementKey
  private let replace: StatementKey

  /// - Parameters:
  ///   - only: the columns to write; nil for all that the table has but the keys.
  ///   - keys: the columns that find the row; empty to find it by its number.
  ///   - restores: whether a soft-deleted row becomes live.
  /// - Returns: nil where the row is to be found by a number that the table doesn't have.
  init?(_ shape: TableShape, only: [Column]?, keys: [Column], restores: Bool) {
    let mapping = shape.mapping
    self.shape = shape
    hasUpdateTime = shape.has(.updateTime)
    let columns = (only ?? shape.columns).filter { column in
      switch column.role {
      case .pkid, .createTime, .updateTime: false
      case .isDel: !restores
      case .property: only != nil || !keys.contains { $0 === column }
      }
    }
    writer = RowWriter(columns.filter { $0 !== mapping.rowIDColumn }, table: shape.table)
    keyWriter = RowWriter(keys, table: shape.table)
    findsByRowID = keys.isEmpty
    var assignments = StatementBuilder.equal(writer.columns.map(\.quotedName))
    if restores, shape.has(.isDel) { assignments.append("\(RowPlan.isDel) = 0") }
    if hasUpdateTime { assignments.append("\(quoted("xt_updateTime")) = ?") }
    let condition: String
    if keys.isEmpty {
      guard let rowID = shape.rowNumber else { return nil }
      condition = "\(rowID) = ?"
      if assignments.isEmpty { assignments = ["\(rowID) = \(rowID)"] }
    } else {
      condition = StatementBuilder.equal(keys.map(\.quotedName)).joined(separator: " AND ")
      if assignments.isEmpty { assignments = ["\(keys[0].quotedName) = \(keys[0].quotedName)"] }
    }
    fail = StatementKey(
      StatementBuilder.update(shape.table, set: assignments, where: condition))
    replace = StatementKey(
      StatementBuilder.update(shape.table, set: assignments, where: condition, conflict: .replace))
  }

  func statement(_ conflict: StatementBuilder.Conflict = .fail) -> StatementKey {
    conflict == .replace ? replace : fail
  }

  /// Binds the model at `base` and runs the statement.
  ///
  /// - Returns: how many rows were changed.
  @inline(__always)
  func run(
    _ statement: Statement, _ base: UnsafeRawPointer, rowID: Int64?, time: Double,
    through buffer: BindingBuffer, on connection: Connection
  ) throws -> Int {
    var parameter = try writer.bind(from: base, to: statement, at: 1, through: buffer)
    if hasUpdateTime {
      try statement.bind(double: time, at: parameter)
      parameter += 1
    }
    if findsByRowID, let rowID {
      try statement.bind(int64: rowID, at: parameter)
    } else {
      _ = try keyWriter.bind(from: base, to: statement, at: parameter, through: buffer)
    }
    do {
      _ = try statement.step()
    } catch {
      throw shape.explained(error)
    }
    statement.reset()
    buffer.reuse()
    return connection.changes
  }
}
