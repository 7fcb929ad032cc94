/// The tables that one SELECT, UPDATE or DELETE has.
struct SQLScope: Sendable {
  var tables: [ScopedTable]
}

/// A table as a statement has it.
struct ScopedTable: Sendable {
  let reference: TableReference
  /// What stands before its columns where there are several tables, quoted.
  let qualifier: String
  let facts: TableFactsOfStatement

  init(_ reference: TableReference, _ facts: TableFactsOfStatement) {
    self.reference = reference
    self.facts = facts
    qualifier = quoted(reference.alias ?? facts.table)
  }

  /// Whether the statement knows it by this name.
  func goesBy(_ qualifier: String) -> Bool {
    SQLiteName(self.qualifier) == SQLiteName(qualifier)
  }

  /// A column's name, without the table's.
  func name(of column: QueryColumn) -> String {
    guard let own = column.column, own === facts.mapping?.rowID, let number = facts.rowNumber else {
      return column.quotedName
    }
    return number
  }
}

/// What a statement has to know of one of its tables.
struct TableFactsOfStatement: Sendable {
  /// By its name in the file.
  let table: String
  /// Nil for a table that no model stands for.
  let mapping: ModelMapping?
  /// Its columns behind SELECT, for whole models.
  let selection: [String]
  let deletionMark: DeletionMark?
  /// The row's number, in SQL.
  let rowNumber: String?
  /// As it is in the file; nil where nobody looked.
  let shape: TableShape?

  /// A table that no model stands for.
  init(named table: String) {
    self.table = table
    mapping = nil
    selection = ["*"]
    deletionMark = nil
    rowNumber = nil
    shape = nil
  }

  /// A table as its model declares it.
  init(declaredBy mapping: ModelMapping, table: String) {
    self.table = table
    self.mapping = mapping
    selection =
      mapping.columns.map(\.quotedName)
      + mapping.keptRoles.map { ($0 == .pkid ? mapping.rowID.quotedName : $0.quotedName) }
    deletionMark = DeletionMark(isNotNull: true)
    rowNumber = mapping.rowID.quotedName
    shape = nil
  }

  /// A table as it is in the file.
  init(_ shape: TableShape, selection: [String]) {
    table = shape.table
    mapping = shape.mapping
    self.selection = selection
    deletionMark = shape.deletionMark
    rowNumber = shape.exists ? shape.rowNumberInSource : shape.mapping.rowID.quotedName
    self.shape = shape
  }

  /// What stands behind FROM. A table that is missing reads as one without rows.
  func source(as alias: String?) -> String {
    guard let shape else {
      return alias.map { "\(quoted(table)) AS \(quoted($0))" } ?? quoted(table)
    }
    if shape.exists { return shape.source(as: alias) }
    let automatic = ColumnRole.automatic.compactMap(shape.mapping.automatic)
    var names: [String] = []
    for column in shape.mapping.columns + automatic + [shape.mapping.rowID]
    where !names.contains(column.quotedName) {
      names.append(column.quotedName)
    }
    let columns = names.map { "NULL AS \($0)" }.joined(separator: ", ")
    return "(SELECT \(columns) WHERE 0) AS \(quoted(alias ?? table))"
  }
}

/// Knows the tables of a database, or what models say of them.
protocol TableCatalog {
  func facts(of source: Source) throws -> TableFactsOfStatement
  /// Which database has the tables; nil where there is none yet.
  var database: UInt64? { get }
}

extension TableCatalog {
  var database: UInt64? { nil }
}

/// The tables as their models declare them, before there is a database to look at.
struct DeclaredTables: TableCatalog {
  func facts(of source: Source) throws -> TableFactsOfStatement {
    switch source.table {
    case .model(let model, let customName):
      let mapping = try ModelMapping.of(model)
      return TableFactsOfStatement(declaredBy: mapping, table: customName ?? mapping.tableName)
    case .named(let name):
      return TableFactsOfStatement(named: name)
    case .query:
      return TableFactsOfStatement(named: source.reference.name)
    }
  }
}
