/// A constraint over columns of a model's table, written into the table when it is made.
///
/// ```swift
/// static var xt_constraints: [XTConstraint] {
///   [
///     .unique(\Order.year, \Order.number),
///     .check("total >= discount"),
///     .foreignKey(\Order.userID, references: User.self, \.pkid, onDelete: .cascade),
///   ]
/// }
/// ```
///
/// A table that is there keeps the constraints that it has: a later change needs an upgrade step.
public struct XTConstraint: Sendable {
  /// What a statement does when it meets a row that breaks the constraint.
  public enum Conflict: String, Sendable {
    /// The transaction is rolled back.
    case rollback = "ROLLBACK"
    /// The statement is undone; what SQLite does where nothing is said.
    case abort = "ABORT"
    /// The statement stops and keeps what it had done.
    case fail = "FAIL"
    /// The row is left out.
    case ignore = "IGNORE"
    /// The rows in the way are deleted.
    case replace = "REPLACE"
  }

  /// What becomes of a row when the row that it refers to is deleted or changes its key.
  public enum Action: String, Sendable {
    /// The change is an error if the reference still dangles when the statement ends.
    case noAction = "NO ACTION"
    /// The change is an error at once.
    case restrict = "RESTRICT"
    /// The reference becomes NULL.
    case setNull = "SET NULL"
    /// The reference becomes the column's default.
    case setDefault = "SET DEFAULT"
    /// The row is deleted too, or follows the key.
    case cascade = "CASCADE"
  }

  enum Rule: Sendable {
    case unique([ColumnReference], Conflict?)
    case check(String)
    case foreignKey(ForeignKey)
  }

  struct ForeignKey: Sendable {
    let columns: [ColumnReference]
    let parent: any XTModel.Type
    let parentColumns: [ColumnReference]
    let onDelete: Action?
    let onUpdate: Action?
    let isDeferred: Bool
  }

  let rule: Rule
  let name: String?

  /// No two rows may hold the same values in `columns`; a row with NULL in one of them may stand
  /// beside any other.
  ///
  /// - Parameters:
  ///   - columns: One key path or more.
  ///   - conflict: What a statement does at a row that breaks it; by default it fails.
  ///   - name: The constraint's name in the file.
  public static func unique(
    _ columns: AnyKeyPath..., onConflict conflict: Conflict? = nil, name: String? = nil
  ) -> XTConstraint {
    XTConstraint(rule: .unique(columns.map { .keyPath($0) }, conflict), name: name)
  }

  /// Every row must make `expression` true or NULL.
  ///
  /// - Parameters:
  ///   - expression: SQL over column names, such as `"age >= 0 AND age < 150"`. SQLite takes no
  ///     conflict clause for it.
  ///   - name: The constraint's name in the file, which the error then names.
  public static func check(_ expression: String, name: String? = nil) -> XTConstraint {
    XTConstraint(rule: .check(expression), name: name)
  }

  /// The values of `columns` must be those of a row of another model's table, or NULL.
  ///
  /// The other table is made with this one where it is missing. A model that refers to itself means
  /// the table that the row is in, also where that is a `named:` one.
  ///
  /// - Parameters:
  ///   - columns: Key paths of this model.
  ///   - parent: The model that is referred to.
  ///   - parentColumns: Its columns, as many as `columns` and unique together; by default its
  ///     `pkid` or the integer key in its place.
  ///   - onDelete: What happens here when the other row is deleted.
  ///   - onUpdate: What happens here when the other row changes its key.
  ///   - deferrable: Whether the check waits for the end of the transaction.
  ///   - name: The constraint's name in the file.
  public static func foreignKey<Parent: XTModel>(
    _ columns: AnyKeyPath..., references parent: Parent.Type,
    _ parentColumns: PartialKeyPath<Parent>..., onDelete: Action? = nil, onUpdate: Action? = nil,
    deferrable: Bool = false, name: String? = nil
  ) -> XTConstraint {
    let key = ForeignKey(
      columns: columns.map { .keyPath($0) }, parent: parent,
      parentColumns: parentColumns.map { .keyPath($0) }, onDelete: onDelete, onUpdate: onUpdate,
      isDeferred: deferrable)
    return XTConstraint(rule: .foreignKey(key), name: name)
  }
}

extension XTConstraint {
  /// The constraint as a clause of `CREATE TABLE`, in `table` as `mapping` sees it.
  func sql(table: String, mapping: ModelMapping) throws -> String {
    let prefix = name.map { "CONSTRAINT \(quoted($0)) " } ?? ""
    switch rule {
    case .unique(let references, let conflict):
      let columns = try names(of: references, mapping: mapping)
      let clause = conflict.map { " ON CONFLICT \($0.rawValue)" } ?? ""
      return prefix + "UNIQUE (\(columns.quotedList))" + clause
    case .check(let text):
      return prefix + "CHECK (\(try expression(text, mapping: mapping)))"
    case .foreignKey(let key):
      let columns = try names(of: key.columns, mapping: mapping)
      return prefix + "FOREIGN KEY (\(columns.quotedList)) "
        + (try key.references(table: table, mapping: mapping))
    }
  }

  /// The columns that the constraint is over.
  func columns(in mapping: ModelMapping) throws -> [String] {
    switch rule {
    case .unique(let references, _): try names(of: references, mapping: mapping)
    case .foreignKey(let key): try names(of: key.columns, mapping: mapping)
    case .check(let text):
      DeclarationToken.tokens(of: text).compactMap { token in
        token.name.flatMap { mapping.column(named: $0)?.name }
      }
    }
  }

  private func names(of references: [ColumnReference], mapping: ModelMapping) throws -> [String] {
    guard !references.isEmpty else {
      throw XTError(
        .schema, "a constraint of \(mapping.typeName) has no columns", table: mapping.tableName)
    }
    return try references.map { try $0.column(in: mapping).name }
  }

  private func expression(_ text: String, mapping: ModelMapping) throws -> String {
    let tokens = DeclarationToken.tokens(of: text)
    guard let problem = tokens.problem(allowingCommas: true) else { return tokens.source }
    throw XTError(
      .schema, "a check of \(mapping.typeName) \(problem): \(text)",
      hint: "write one SQL expression, such as \"age >= 0\"", table: mapping.tableName)
  }
}

extension XTConstraint.ForeignKey {
  /// `REFERENCES … ON DELETE …`, as it stands behind a column or behind `FOREIGN KEY (…)`.
  func references(table: String, mapping: ModelMapping) throws -> String {
    let parentMapping = try ModelMapping.of(parent)
    let isSelf = ObjectIdentifier(parent) == ObjectIdentifier(mapping.modelType)
    let parentTable = isSelf ? table : parentMapping.tableName
    var names = try parentColumns.map { try $0.column(in: parentMapping).name }
    if names.isEmpty { names = [parentMapping.rowIDName] }
    guard names.count == columns.count else {
      throw XTError(
        .schema,
        "a foreign key of \(mapping.typeName) has \(columns.count) columns and refers to"
          + " \(names.count) of \(parentMapping.typeName)",
        hint: "name as many columns behind `references:` as before it", table: mapping.tableName)
    }
    var sql = "REFERENCES \(quoted(parentTable)) (\(names.quotedList))"
    if let onDelete { sql += " ON DELETE \(onDelete.rawValue)" }
    if let onUpdate { sql += " ON UPDATE \(onUpdate.rawValue)" }
    if isDeferred { sql += " DEFERRABLE INITIALLY DEFERRED" }
    return sql
  }
}
