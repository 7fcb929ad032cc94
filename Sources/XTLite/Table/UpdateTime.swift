/// The time of a change, which a statement that writes a row writes beside what it is about, where
/// the table has a column for it.
struct UpdateTime {
  /// Whether the table has.
  let isKept: Bool

  private static let assignment = "\(ColumnRole.updateTime.quotedName) = ?"

  init(_ shape: TableShape) {
    isKept = shape.has(.updateTime)
  }

  /// What stands behind SET: the time comes last.
  func assignments(_ others: [String]) -> [String] {
    isKept ? others + [Self.assignment] : others
  }

  /// The time as a value of the statement, if it has one.
  ///
  /// - Parameter time: seconds since 1970.
  func values(_ time: Double) -> [XTValue] {
    isKept ? [.real(time)] : []
  }

  /// Binds the time.
  ///
  /// - Returns: the parameter after it; `parameter` itself where the statement has no time.
  @inline(__always)
  func bind(_ time: Double, to statement: Statement, at parameter: Int) throws -> Int {
    guard isKept else { return parameter }
    try statement.bind(double: time, at: parameter)
    return parameter + 1
  }
}
