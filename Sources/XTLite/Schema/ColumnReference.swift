/// A column that an option of a model speaks of.
///
/// It is looked up in the mapping that uses it, not where it was written: a subclass may keep an
/// inherited property under another column name. An error waits until then.
struct ColumnReference: Sendable {
  private enum Source: Sendable {
    case keyPath(XTKeyPaths)
    case name(String)
  }

  private let source: Source

  static func keyPath(_ keyPath: AnyKeyPath) -> ColumnReference {
    ColumnReference(source: .keyPath(XTKeyPaths(arrayLiteral: keyPath)))
  }

  static func name(_ name: String) -> ColumnReference {
    ColumnReference(source: .name(name))
  }

  func column(in mapping: ModelMapping) throws -> Column {
    switch source {
    case .keyPath(let list):
      guard let keyPath = list.keyPaths.first else { break }
      return try mapping.column(for: keyPath)
    case .name(let name):
      if let column = mapping.column(named: name) { return column }
      throw XTError(
        .unknownColumn, "\(mapping.typeName) has no column `\(name)`",
        hint: "write a key path, or the name of a column of the model",
        table: mapping.tableName, column: name)
    }
    throw XTError(.unknownColumn, "an option of \(mapping.typeName) names no column")
  }
}
