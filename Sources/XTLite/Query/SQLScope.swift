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
  var mapping: ModelMapping?
  /// Its columns behind SELECT, for whole models.
  var selection = ["*"]
  var deletionMark: DeletionMark?
  /// The row's number, in SQL.
  var rowNumber: String?
  /// The same where no column of the table stands for it, so that `*` leaves it out.
  var hiddenNumber: String?
  /// The SELECT that stands for the table, where it has not all that its model may ask for; nil for
  /// the table as it is.
  var subquery: String?
  /// Whether it is known that the file has no such table, so that there are no rows to tell apart.
  var isMissing = false

  init(table: String) {
    self.table = table
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
  }

  /// What stands behind FROM.
  func source(as alias: String?) -> String {
    StatementBuilder.source(table, subquery, as: alias)
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
      return TableFactsOfStatement(table: name)
    case .query:
      return TableFactsOfStatement(table: source.reference.name)
    }
  }
}
