/// One way to find a model's row, with the statements that do it: by the row's number, or by
/// columns that hold the same as the model does.
final class RowKey: Sendable {
  /// None where the row's number is the key.
  let columns: [Column]
  /// UPDATE of all that the model holds.
  let change: Change
  /// The same, and a soft-deleted row is live again.
  let restoringChange: Change
  /// SELECT of the numbers and creation times of the rows that there are.
  let lookup: StatementKey
  let deletion: StatementKey
  /// UPDATE that marks the row as deleted, or takes the mark away, where that changes it.
  let softDeletion: StatementKey
  let restoration: StatementKey

  private let shape: TableShape
  private let condition: String
  private let writer: RowWriter
  private let partialChanges = Mutex<[[ObjectIdentifier]: Change]>([:])

  /// - Parameters:
  ///   - columns: the columns that find the rows; none where their number does.
  ///   - number: SQL for a row's number; nil where rows have none.
  init(_ shape: TableShape, columns: [Column], number: String?) {
    self.shape = shape
    self.columns = columns
    let names = columns.isEmpty ? [number ?? "NULL"] : columns.map(\.quotedName)
    let condition = StatementBuilder.equal(names).joined(separator: " AND ")
    self.condition = condition
    writer = RowWriter(columns, table: shape.table)
    change = Change(shape, only: nil, keys: columns, condition: condition, restores: false)
    restoringChange = Change(shape, only: nil, keys: columns, condition: condition, restores: true)
    let createTime = shape.has(.createTime) ? RowPlan.createTime : "NULL"
    lookup = StatementKey(
      StatementBuilder.select(
        [number ?? "NULL", createTime], from: quoted(shape.table), where: condition))
    deletion = StatementKey(StatementBuilder.delete(from: shape.table, where: condition))
    func marking(_ isDeleted: Bool) -> StatementKey {
      let set = UpdateTime(shape).assignments(["\(RowPlan.isDel) = \(isDeleted ? 1 : 0)"])
      let isOther = isDeleted ? shape.deletionMark?.isLive : shape.deletionMark?.isDeleted
      return StatementKey(
        StatementBuilder.update(shape.table, set: set, where: "\(condition) AND \(isOther ?? "0")"))
    }
    softDeletion = marking(true)
    restoration = marking(false)
  }

  /// UPDATE of some of the columns, kept with its statements; of all for nil.
  func change(only columns: [Column]?) -> Change {
    guard let columns else { return change }
    return partialChanges.withLock { changes in
      let list = columns.map(ObjectIdentifier.init)
      if let known = changes[list] { return known }
      let made = Change(
        shape, only: columns, keys: self.columns, condition: condition, restores: false)
      changes[list] = made
      return made
    }
  }

  /// Binds the columns of the model at `base` to the parameters from `first` on.
  func bind(
    from base: UnsafeRawPointer, to statement: Statement, at first: Int,
    through buffer: BindingBuffer
  ) throws {
    _ = try writer.bind(from: base, to: statement, at: first, through: buffer)
  }
}
