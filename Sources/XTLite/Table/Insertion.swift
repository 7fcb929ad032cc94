import Foundation

/// INSERT for one set of columns: its statements, and how a model's values get into them.
final class Insertion: Sendable {
  private let shape: TableShape
  private let writer: RowWriter
  private let bindsRowID: Bool
  private let hasCreateTime: Bool
  private let hasUpdateTime: Bool
  private let fail: StatementKey
  private let ignore: StatementKey
  private let replace: StatementKey

  /// - Parameter only: the columns to bind; nil for all that the table has.
  init(_ shape: TableShape, only: [Column]? = nil) {
    let mapping = shape.mapping
    self.shape = shape
    bindsRowID = only == nil && shape.rowIDName != nil
      && (mapping.isClass || mapping.declared(.pkid) != nil)
    hasCreateTime = shape.has(.createTime)
    hasUpdateTime = shape.has(.updateTime)
    let columns = only ?? shape.columns.filter {
      $0.role != .pkid && $0 !== mapping.rowIDColumn
    }
    writer = RowWriter(
      columns.filter { $0.role != .createTime && $0.role != .updateTime }, table: shape.table)
    var names: [String] = []
    if bindsRowID, let rowID = shape.rowIDName { names.append(quoted(rowID)) }
    names += writer.columns.map(\.quotedName)
    if hasCreateTime { names.append(quoted("xt_createTime")) }
    if hasUpdateTime { names.append(quoted("xt_updateTime")) }
    let given = Set(writer.columns.map { $0.name.lowercased() })
    names += shape.fillers.filter { !given.contains($0.name.lowercased()) }.map { quoted($0.name) }
    func key(_ conflict: StatementBuilder.Conflict) -> StatementKey {
      StatementKey(StatementBuilder.insert(into: shape.table, columns: names, conflict: conflict))
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
    if bindsRowID {
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
    if hasUpdateTime {
      try statement.bind(double: time, at: parameter)
      parameter += 1
    }
    while parameter <= statement.parameterCount {
      try statement.bind(filler(parameter, of: statement), at: parameter)
      parameter += 1
    }
    do {
      _ = try statement.step()
    } catch {
      throw shape.explained(error)
    }
    statement.reset()
    buffer.reuse()
  }

  @inline(never)
  private func filler(_ parameter: Int, of statement: Statement) -> XTValue {
    let given = Set(writer.columns.map { $0.name.lowercased() })
    let fillers = shape.fillers.filter { !given.contains($0.name.lowercased()) }
    return fillers[fillers.count - 1 - (statement.parameterCount - parameter)].value
  }
}

extension TableShape {
  /// UNIQUE spans soft-deleted rows too, which a caller cannot see: the error says so.
  @inline(never)
  func explained(_ error: any Error) -> any Error {
    guard var error = error as? XTError, error.hint == nil, has(.isDel) else { return error }
    guard error.kind == .constraint(.unique) || error.kind == .constraint(.primaryKey) else { return error }
    error.hint = "Soft-deleted rows count too: a row that scope .live does not show may hold the "
      + "value. For a key among live rows only, declare "
      + "XTIndex(…, unique: true, scope: .live) in xt_indexes instead."
    return error
  }
}
