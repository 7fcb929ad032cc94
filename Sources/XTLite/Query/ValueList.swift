/// The values of an IN, as they stand in its parentheses: a placeholder for each, or, where there
/// are many, one for all of them.
///
/// SQLite bounds the number of placeholders, and each number of them is another statement to
/// prepare. An index serves both forms. NULL stays in the list: SQL's IN with one in it is never
/// false, and NOT IN never true.
struct ValueList: Sendable {
  let fragment: SQLFragment

  /// The most values that have a placeholder each.
  static let mostPlaceholders = 100

  /// - Throws: `valueOutOfRange` for NaN in a list that is bound as one.
  init(_ values: [XTValue]) throws {
    fragment =
      values.count <= Self.mostPlaceholders
      ? SQLFragment(SQLFragment.placeholders(values.count), values)
      : SQLFragment(PackedValues.selection, [try PackedValues.pack(values)])
  }

  var inParentheses: SQLFragment { SQLFragment("(\(fragment.text))", fragment.values) }
}
