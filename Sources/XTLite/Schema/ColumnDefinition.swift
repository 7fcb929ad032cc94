/// One column of a table's declaration, as `CREATE TABLE` and `ADD COLUMN` write it.
struct ColumnDefinition: Sendable {
  let name: String
  let declaredType: String
  /// Whether it is the table's `INTEGER PRIMARY KEY AUTOINCREMENT`.
  var isRowID = false
  /// Whether XTLite writes NOT NULL by itself.
  var isNotNull = false
  /// What XTLite writes behind DEFAULT by itself.
  var defaultLiteral: String?
  /// The model's keywords. Where they state NULL, NOT NULL or DEFAULT, the two above are not set.
  let clauses: ColumnClauses
  /// Whether the column is unique by itself, whoever says so.
  var isUnique: Bool
  let column: Column

  /// The declaration as it stands in `CREATE TABLE`.
  var sql: String {
    sql(
      isNotNull ? "NOT NULL" : "", defaultLiteral.map { "DEFAULT \($0)" } ?? "", clauses.text,
      isUnique && !clauses.has(.unique) ? "UNIQUE" : "")
  }

  /// Name, type and the `parts` that are not empty.
  func sql(_ parts: String...) -> String {
    let key = isRowID ? "PRIMARY KEY AUTOINCREMENT" : ""
    return ([quoted(name), declaredType, key] + parts).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// Whether SQLite takes `name` for this column's.
  func isNamed(_ name: String) -> Bool { SQLiteName(self.name) == SQLiteName(name) }

  /// Whether a row that leaves the column out gets a value.
  var hasDefault: Bool { defaultLiteral != nil || clauses.hasDefaultOtherThanNull }
}

extension ColumnDefinition {
  /// A property's column. `isKey`: it is, or is part of, a key that stands beside `pkid`.
  static func property(
    _ column: Column, mapping: ModelMapping, isKey: Bool, isWholeKey: Bool
  ) throws -> ColumnDefinition {
    let clauses = try clauses(of: column, mapping: mapping)
    var definition = ColumnDefinition(
      name: column.name, declaredType: column.declaredType, clauses: clauses,
      isUnique: isWholeKey || clauses.has(.unique)
        || mapping.uniqueColumns.contains { $0 === column },
      column: column)
    guard !clauses.statesNullability else { return definition }
    let value = column.defaultValue ?? .null
    if !value.isNull { definition.defaultLiteral = value.sqlLiteral }
    definition.isNotNull =
      column.isOptional ? isKey && !column.type.isVolatile : !value.isNull
    return definition
  }

  /// `pkid`, or the integer key in its place.
  static func rowID(_ column: Column, mapping: ModelMapping) throws -> ColumnDefinition {
    // The key is unique, never NULL and numbered by SQLite, whatever the keywords say.
    let clauses = try clauses(of: column, mapping: mapping)
      .without(.primaryKey, .unique, .notNull, .null, .defaultValue)
    return ColumnDefinition(
      name: column.name, declaredType: "INTEGER", isRowID: true, clauses: clauses,
      isUnique: false, column: column)
  }

  /// `xt_createTime`, `xt_updateTime` or `xt_isDel`.
  static func automatic(_ column: Column, mapping: ModelMapping) throws -> ColumnDefinition {
    let clauses = try clauses(of: column, mapping: mapping)
    let isFlag = column.role == .isDel
    var definition = ColumnDefinition(
      name: column.name, declaredType: isFlag ? "BOOLEAN" : "REAL", clauses: clauses,
      isUnique: clauses.has(.unique), column: column)
    if isFlag, !clauses.statesNullability {
      definition.isNotNull = true
      definition.defaultLiteral = "0"
    }
    return definition
  }

  private static func clauses(of column: Column, mapping: ModelMapping) throws -> ColumnClauses {
    guard let keywords = column.keywords else { return ColumnClauses("") }
    let text = keywords.text
    let tokens = DeclarationToken.tokens(of: text)
    if !tokens.isEmpty, let problem = tokens.problem(allowingCommas: false) {
      throw XTError(
        .schema,
        "the keywords of `\(column.property)` of \(mapping.typeName) have a mistake: the text"
          + " \(problem): \(text)",
        hint: "write what stands behind a column's type, such as \"CHECK (age >= 0)\"; what is"
          + " over several columns goes into xt_constraints",
        table: mapping.tableName, column: column.name)
    }
    return ColumnClauses(text)
  }
}
