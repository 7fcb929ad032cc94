/// A property's column as conditions, orders and assignments write it.
struct ConditionColumn {
  let column: Column
  private let table: TableReference

  /// - Throws: `unknownColumn` where the key path is none of a stored property, and what the
  ///   model's mapping throws.
  init<Model: XTModel>(_ keyPath: PartialKeyPath<Model>) throws {
    self.init(try ModelMapping.of(Model.self).column(for: keyPath), of: Model.self)
  }

  init(_ column: Column, of model: any XTModel.Type) {
    self.column = column
    table = TableReference(model)
  }

  var node: SQLNode { QueryColumn(column, of: table).node }

  /// In backticks.
  var name: String { column.quotedName }

  /// With the collation that its values are compared by, where it is not SQLite's own.
  var compared: String {
    column.collation.map { "\(name) COLLATE \($0)" } ?? name
  }

  /// A value as this column keeps it.
  func value<V>(of value: V) throws -> XTValue {
    try boundValue(of: value, column: column.name)
  }
}

/// A value as SQLite keeps it, of any type that a column can hold, or an `XTValue` as it is.
///
/// - Parameter column: the column that it is for, if that is known.
func boundValue<V>(of value: V, column: String? = nil) throws -> XTValue {
  if V.self == XTValue.self || V.self == XTValue?.self {
    return (value as? XTValue) ?? .null
  }
  do {
    return try ValueCoding.value(of: value)
  } catch let failure as ColumnFailure {
    throw failure.error(table: nil, column: column)
  } catch var error as XTError {
    error.column = error.column ?? column
    throw error
  }
}

extension DecimalOrder {
  /// The collation that values of a type are compared by, where it is not SQLite's own.
  static func collation(of type: Any.Type) -> String? {
    (try? ColumnType.of(type).isDecimal) == true ? collationName : nil
  }
}
