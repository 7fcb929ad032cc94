/// UPDATE of single rows for one set of columns, found by the row's number or by other columns.
final class Change: Sendable {
  private let shape: TableShape
  private let writer: RowWriter
  private let keyWriter: RowWriter
  private let findsByNumber: Bool
  private let updateTime: UpdateTime
  private let fail: StatementKey
  private let replace: StatementKey

  /// - Parameters:
  ///   - only: the columns to write; nil for all that the table has.
  ///   - keys: the columns that find the rows; none where the row's number does.
  ///   - condition: what stands behind WHERE.
  ///   - restores: whether a soft-deleted row becomes live.
  init(
    _ shape: TableShape, only: [Column]?, keys: [Column], condition: String, restores: Bool
  ) {
    let mapping = shape.mapping
    self.shape = shape
    updateTime = UpdateTime(shape)
    let columns = (only ?? shape.columns).filter { column in
      switch column.role {
      case .pkid, .createTime, .updateTime: false
      case .isDel: !restores
      // What found the row is in it already, unless texts that differ count as equal.
      case .property: only != nil || shape.isCollated(column) || !keys.contains { $0 === column }
      }
    }
    writer = RowWriter(
      columns.filter { $0 !== mapping.rowIDColumn && !shape.isComputed($0) }, table: shape.table)
    keyWriter = RowWriter(keys, table: shape.table)
    findsByNumber = keys.isEmpty
    var assignments = StatementBuilder.equal(
      writer.columns.map(\.quotedName), values: shape.writtenValues)
    if restores, shape.has(.isDel) { assignments.append("\(RowPlan.isDel) = 0") }
    assignments = updateTime.assignments(assignments)
    if assignments.isEmpty, let column = shape.fileColumns.first(where: \.isWritable) {
      // Nothing to write; whether there is such a row is still a question.
      assignments = ["\(quoted(column.name)) = \(quoted(column.name))"]
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
  /// - Parameter rowID: the row's number where that finds it.
  /// - Returns: how many rows were changed.
  @inline(__always)
  func run(
    _ statement: Statement, _ base: UnsafeRawPointer, rowID: Int64?, time: Double,
    through buffer: BindingBuffer, on connection: Connection
  ) throws -> Int {
    var parameter = try writer.bind(from: base, to: statement, at: 1, through: buffer)
    parameter = try updateTime.bind(time, to: statement, at: parameter)
    if findsByNumber, let rowID {
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
