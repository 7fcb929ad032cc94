import Foundation

/// INSERT for one set of columns: its statements, and how a model's values get into them.
final class Insertion: Sendable {
  /// Whether the row's number is bound: the model's own, or NULL for the next one.
  let bindsNumber: Bool
  private let shape: TableShape
  private let writer: RowWriter
  private let hasCreateTime: Bool
  private let updateTime: UpdateTime
  private let fillers: [TableShape.Filler]
  private let fail: StatementKey
  private let ignore: StatementKey
  private let replace: StatementKey

  /// - Parameter only: the columns to bind; nil for all that the table has. Properties for which
  ///   the table has no default, and that can't be NULL, are bound in any case.
  init(_ shape: TableShape, only: [Column]? = nil) {
    let mapping = shape.mapping
    self.shape = shape
    func isBound(_ column: Column) -> Bool {
      guard let only else { return true }
      return column.isRequiredWithoutDefault || only.contains { $0 === column }
    }
    let number =
      isBound(mapping.rowID) && (mapping.isClass || mapping.declared(.pkid) != nil)
      ? shape.numberColumn : nil
    bindsNumber = number != nil
    hasCreateTime = shape.has(.createTime)
    updateTime = UpdateTime(shape)
    writer = RowWriter(
      shape.columns.filter { !shape.isComputed($0) }.filter { column in
        switch column.role {
        case .pkid, .createTime, .updateTime: false
        case .isDel, .property: column !== mapping.rowIDColumn && isBound(column)
        }
      }, table: shape.table)
    var names = number.map { [$0] } ?? []
    names += writer.columns.map(\.quotedName)
    if hasCreateTime { names.append(RowPlan.createTime) }
    if updateTime.isKept { names.append(ColumnRole.updateTime.quotedName) }
    fillers = shape.fillers
    names += fillers.map { quoted($0.name) }
    func key(_ conflict: StatementBuilder.Conflict) -> StatementKey {
      StatementKey(
        StatementBuilder.insert(
          into: shape.table, columns: names, values: shape.writtenValues, conflict: conflict))
    }
    fail = key(.fail)
    ignore = key(.ignore)
    replace = key(.replace)
  }

  func statement(_ conflict: StatementBuilder.Conflict) -> StatementKey {
    switch conflict {
    case .fail: fail
    case .ignore: ignore
    case .replace: replace
    }
  }

  /// Binds the model at `base` and runs the statement.
  ///
  /// - Parameters:
  ///   - rowID: the row's number where the model has one.
  ///   - time: now, in seconds since 1970.
  @inline(__always)
  func run(
    _ statement: Statement, _ base: UnsafeRawPointer, rowID: Int64?, time: Double,
    through buffer: BindingBuffer
  ) throws {
    var parameter = 1
    if bindsNumber {
      if let rowID {
        try statement.bind(int64: rowID, at: 1)
      } else {
        try statement.bindNull(at: 1)
      }
      parameter = 2
    }
    parameter = try writer.bind(from: base, to: statement, at: parameter, through: buffer)
    if hasCreateTime {
      try statement.bind(double: time, at: parameter)
      parameter += 1
    }
    parameter = try updateTime.bind(time, to: statement, at: parameter)
    if !fillers.isEmpty { try bindFillers(to: statement, at: parameter) }
    do {
      _ = try statement.step()
    } catch {
      throw shape.explained(error)
    }
    statement.reset()
    buffer.reuse()
  }

  @inline(never)
  private func bindFillers(to statement: Statement, at first: Int) throws {
    for (position, filler) in fillers.enumerated() {
      try statement.bind(filler.value, at: first + position)
    }
  }
}
