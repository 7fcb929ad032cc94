/// One step of an ``XTUpgrade``, as data. Names are looked up when it runs.
enum UpgradeStep: Sendable {
  case add(ColumnReference)
  /// A column that the model doesn't have, by its declaration.
  case addColumn(String, declaration: String)
  case rename(String, to: UpgradeColumn)
  case swap(UpgradeColumn, UpgradeColumn)
  case drop(String)
  case change([ColumnReference], conversion: Conversion?)
  case addIndex(XTIndex)
  case dropIndex(String)
  case dropIndexOver([UpgradeColumn])
  case renameTable(from: String)
  case merge(from: String, conflict: XTConstraint.Conflict?, keepsTable: Bool)
  case fill(ColumnReference, everyRow: Bool, value: Filling)
  case run(XTSQL)
  case runForEach(@Sendable (_ table: String) throws -> XTSQL)
  case addAutomaticColumns

  var isPlainSQL: Bool {
    switch self {
    case .run, .runForEach: true
    default: false
    }
  }

  /// Whether it looks at what is declared and does what is missing, so that it can be taken twice.
  var isOnDeclarations: Bool {
    switch self {
    case .change(_, conversion: nil), .drop, .addIndex, .dropIndex, .dropIndexOver: true
    default: false
    }
  }

  typealias Conversion = @Sendable (XTValue) throws -> XTValue
  typealias Filling = @Sendable (XTUpgradeRow) throws -> XTValue
}

/// A column that a step speaks of: a property of the model, or a name that need not be one.
enum UpgradeColumn: Sendable {
  case property(ColumnReference)
  case name(String)

  func name(in mapping: ModelMapping) throws -> String {
    switch self {
    case .property(let reference): try reference.column(in: mapping).name
    case .name(let name): name
    }
  }
}
