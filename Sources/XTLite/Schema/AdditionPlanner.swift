/// Decides how one column after another can be added, or why it can't.
struct AdditionPlanner {
  private let shape: TableShape
  private let table: TableDefinition
  private let missing: [ColumnDefinition]
  /// How many rows there are: 0, 1, or 2 for more.
  private let rowCount: Int64
  private(set) var uniqueIndexes: [IndexDefinition] = []
  /// The expressions of checks over several columns that were written beside a column.
  private(set) var checks: [String] = []

  init(
    shape: TableShape, table: TableDefinition, missing: [ColumnDefinition], rowCount: Int64
  ) {
    self.shape = shape
    self.table = table
    self.missing = missing
    self.rowCount = rowCount
  }

  /// UNIQUE, which SQLite doesn't take behind ADD COLUMN, becomes an index.
  mutating func plan(_ column: ColumnDefinition) throws -> TableAdditions.NewColumn {
    let mapping = table.mapping
    if column.isRowID || column.clauses.has(.primaryKey)
      || mapping.primaryKey.contains(where: { $0 === column.column })
    {
      throw refusal(of: column, because: "it belongs to the primary key")
    }
    let extra = try constraints(over: column)
    if column.hasDefault, extra.references != nil || column.clauses.has(.references) {
      throw refusal(of: column, because: "SQLite adds no REFERENCES beside a default")
    }
    var ownDefault = column.defaultLiteral
    if column.clauses.has(.notNull), !column.hasDefault {
      guard let value = column.column.defaultValue, !value.isNull else {
        throw refusal(
          of: column, because: "it is NOT NULL and has no default for the rows there are")
      }
      ownDefault = value.sqlLiteral
    }
    let hasDefault = column.hasDefault || ownDefault != nil
    if column.isUnique {
      try checkUnique(column, hasDefault: hasDefault)
      addUniqueIndex([column.name])
    }
    let sql = column.sql(
      column.isNotNull ? "NOT NULL" : "", ownDefault.map { "DEFAULT \($0)" } ?? "",
      column.clauses.without(.unique).text, extra.references ?? "",
      extra.checks.joined(separator: " "))
    let isLenient = !hasDefault && !column.column.isOptional
    if isLenient, shape.rowIDExpression == nil, rowCount > 0 {
      throw TableAdditions.noRowIDRefusal(of: column.name, table: shape.table)
    }
    return TableAdditions.NewColumn(column: column.column, sql: sql, isLenient: isLenient)
  }

  private func checkUnique(_ column: ColumnDefinition, hasDefault: Bool) throws {
    if column.clauses.first(.unique)?.conflict != nil {
      throw refusal(of: column, because: "a unique index takes no conflict clause")
    }
    if hasDefault, rowCount > 1 {
      throw refusal(
        of: column, because: "it is unique, and all rows there are would get the same default")
    }
  }

  /// A table's constraints cannot be added to it; what one over this column asks for is written
  /// beside the column instead, or refused.
  private mutating func constraints(
    over column: ColumnDefinition
  ) throws -> (references: String?, checks: [String]) {
    var references: String?
    var inlineChecks: [String] = []
    for constraint in table.constraints {
      let names = try constraint.columns(in: table.mapping)
      guard names.contains(where: { column.isNamed($0) }) else { continue }
      switch constraint.rule {
      case .check(let expression):
        // Of several new columns the last one carries it: the others are there by then.
        let last = missing.last { new in names.contains { new.isNamed($0) } }
        guard last?.isNamed(column.name) == true else { break }
        inlineChecks.append(try constraint.sql(table: shape.table, mapping: table.mapping))
        checks.append(DeclarationToken.tokens(of: expression).source)
      case .unique(_, let conflict):
        try checkUnique(names, conflict, column)
        addUniqueIndex(names)
      case .foreignKey(let key):
        guard names.count == 1, references == nil else {
          throw refusal(of: column, because: "it belongs to a foreign key over several columns")
        }
        references = try key.references(table: shape.table, mapping: table.mapping)
      }
    }
    return (references, inlineChecks)
  }

  private func checkUnique(
    _ names: [String], _ conflict: XTConstraint.Conflict?, _ column: ColumnDefinition
  ) throws {
    if conflict != nil {
      throw refusal(of: column, because: "a unique index takes no conflict clause")
    }
    let areAllNew = names.allSatisfy { name in
      missing.contains { $0.isNamed(name) && $0.hasDefault }
    }
    if areAllNew, rowCount > 1 {
      throw refusal(
        of: column, because: "it is unique, and all rows there are would get the same default")
    }
  }

  private mutating func addUniqueIndex(_ columns: [String]) {
    let index = IndexDefinition.unique(columns, of: shape.table)
    if !uniqueIndexes.contains(where: { $0.terms == index.terms }) { uniqueIndexes.append(index) }
  }

  private func refusal(of column: ColumnDefinition, because reason: String) -> XTError {
    TableAdditions.refusal(of: column.name, table: shape.table, because: reason)
  }
}
