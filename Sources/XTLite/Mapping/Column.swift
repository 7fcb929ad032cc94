/// One column of a model's table, as the model sees it.
final class Column: Sendable {
  /// The stored property; for an automatic column that is not declared, the column's own name.
  let property: String
  let name: String
  /// The name in backticks, as it stands in SQL.
  let quotedName: String
  let type: ColumnType
  let role: ColumnRole
  let keywords: XTKeywords?
  /// No two rows may hold the same value: by its keywords, or as the `id` of an Identifiable model.
  let isUnique: Bool
  /// What `init()` gives, twice the same: the column's DEFAULT. Where it is nil, a property that is
  /// not optional has neither DEFAULT nor NOT NULL in SQL.
  let defaultValue: XTValue?
  /// Where the property is in a model's memory; nil for an automatic column that is not declared.
  let access: FieldAccess?
  /// The value of a class's `let` that is a constant: the program reads it from its own code, so
  /// what a row holds can only be compared.
  let constant: XTValue?

  init(
    property: String, name: String, type: ColumnType, role: ColumnRole, keywords: XTKeywords? = nil,
    isUnique: Bool = false, defaultValue: XTValue? = nil, access: FieldAccess?,
    constant: XTValue? = nil
  ) {
    self.property = property
    self.name = name
    quotedName = quoted(name)
    self.type = type
    self.role = role
    self.keywords = keywords
    self.isUnique = isUnique
    self.defaultValue = defaultValue
    self.access = access
    self.constant = constant
  }

  /// An automatic column that the model does not declare.
  convenience init(undeclared role: ColumnRole, name: String) throws {
    self.init(
      property: name, name: name, type: try ColumnType.of(role.type), role: role,
      defaultValue: role == .isDel ? .integer(0) : nil, access: nil)
  }

  var isOptional: Bool { type.isOptional }

  /// Whether what a row holds goes into the property.
  var isReadBack: Bool { constant == nil }

  /// "INTEGER", "REAL", "TEXT", "BLOB" or "BOOLEAN".
  var declaredType: String { type.declaredType }

  /// Not optional, and without a DEFAULT: NULL is refused on write, though not by the table.
  var isRequiredWithoutDefault: Bool { !isOptional && defaultValue == nil }

  /// The collation that compares and sorts this column in queries; never part of the table.
  var collation: String? { type.isDecimal ? DecimalOrder.collationName : nil }
}

extension Column {
  /// - Throws: `ColumnFailure` where `value` is not what the program has as a constant.
  func compareWithConstant(_ value: XTValue) throws {
    guard let constant, value != constant, normalized(value) != constant else { return }
    throw ColumnFailure(
      kind: .decoding,
      message: "\(value.sqlLiteral) is stored, but the constant is \(constant.sqlLiteral)",
      hint: "declare the property as var to read it")
  }

  /// A value as the property's type would write it again; nil where it is none of the type's.
  private func normalized(_ value: XTValue) -> XTValue? {
    func normalize<Value>(_: Value.Type) -> XTValue? {
      try? ValueCoding.value(of: try ValueCoding.decode(value, as: Value.self))
    }
    return _openExistential(type.swiftType, do: normalize)
  }
}
