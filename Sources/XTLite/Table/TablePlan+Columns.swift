extension TablePlan {
  func columns(_ keyPaths: [AnyKeyPath]) throws -> [Column] {
    try keyPaths.map { try mapping.column(for: $0) }
  }

  /// The columns of `keyPaths` whose values a model carries: those that it declares, and the number
  /// of an object's row, which is kept beside it.
  func writtenColumns(_ keyPaths: [AnyKeyPath]) throws -> [Column] {
    let columns = try columns(keyPaths)
    let isNumberKept = mapping.isClass
    if let other = columns.first(where: {
      $0.access == nil && !(isNumberKept && $0 === mapping.rowID)
    }) {
      throw XTError(
        .unknownColumn, "\(mapping.typeName) does not declare \(other.name)",
        hint: "declare it as a stored property", table: table, column: other.name)
    }
    return columns
  }

  /// The columns that `only:` names, each once. What an object keeps beside itself is read anyway.
  func readColumns(_ keyPaths: [AnyKeyPath]) throws -> [Column] {
    var columns: [Column] = []
    for column in try self.columns(keyPaths) where column.access != nil {
      if !columns.contains(where: { $0 === column }) { columns.append(column) }
    }
    return columns
  }
}
