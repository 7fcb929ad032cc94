/// A model's table as it should be: the text of `CREATE TABLE` and of its indexes.
struct TableDefinition: Sendable {
  let table: String
  let mapping: ModelMapping
  let columns: [ColumnDefinition]
  let constraints: [XTConstraint]

  private let composedKey: [String]
  private let hasRowID: Bool

  /// - Parameter automaticColumns: Whether automatic columns that the model doesn't declare are in
  ///   the table.
  init(table: String, mapping: ModelMapping, automaticColumns: Bool) throws {
    self.table = table
    self.mapping = mapping

    hasRowID = automaticColumns || mapping.declared(.pkid) != nil
    var columns: [ColumnDefinition] = []
    if hasRowID { columns.append(try .rowID(mapping.rowID, mapping: mapping)) }

    let key = mapping.rowIDColumn == nil ? mapping.primaryKey : []
    for column in mapping.columns where column.role == .property && column !== mapping.rowIDColumn {
      let isKey = key.contains { $0 === column }
      let definition = try ColumnDefinition.property(
        column, mapping: mapping, isKey: isKey, isWholeKey: isKey && key.count == 1)
      if hasRowID, definition.clauses.has(.primaryKey) {
        throw XTError(
          .schema,
          "`\(column.property)` of \(mapping.typeName) has the keyword PRIMARY KEY, but the table"
            + " has its key already",
          hint: "name the property in xt_primaryKey", table: table, column: column.name)
      }
      columns.append(definition)
    }

    for role in [ColumnRole.createTime, .updateTime, .isDel] {
      guard let column = automaticColumns ? mapping.automatic(role) : mapping.declared(role)
      else { continue }
      columns.append(try .automatic(column, mapping: mapping))
    }
    self.columns = columns
    composedKey = key.count > 1 ? key.map(\.name) : []
    constraints = mapping.modelType.xt_constraints
    try checkColumns()
  }

  /// The text of `CREATE TABLE`.
  func createTable() throws -> String {
    var lines = columns.map(\.sql)
    if !composedKey.isEmpty {
      lines.append("\(hasRowID ? "UNIQUE" : "PRIMARY KEY") (\(composedKey.quotedList))")
    }
    lines += try constraints.map { try $0.sql(table: table, mapping: mapping) }
    return "CREATE TABLE \(quoted(table)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  /// The indexes that the model declares.
  ///
  /// - Parameter mark: How the table marks deleted rows; nil where it doesn't.
  func indexes(mark: DeletionMark?) throws -> [IndexDefinition] {
    try mapping.modelType.xt_indexes.map {
      try IndexDefinition($0, table: table, mapping: mapping, mark: mark)
    }
  }

  /// How the table marks deleted rows; nil where it doesn't.
  var deletionMark: DeletionMark? {
    columns.first { $0.column.role == .isDel }.map {
      DeletionMark(isNotNull: $0.isNotNull || $0.clauses.has(.notNull))
    }
  }

  /// The models whose tables this one refers to.
  var parents: [any XTModel.Type] {
    constraints.compactMap {
      guard case .foreignKey(let key) = $0.rule else { return nil }
      return key.parent
    }
  }

  func definition(of column: Column) -> ColumnDefinition? {
    columns.first { $0.isNamed(column.name) }
  }

  private func checkColumns() throws {
    guard !columns.isEmpty else {
      throw XTError(
        .schema, "\(mapping.typeName) has no columns",
        hint: "give it a stored property, or leave the automatic columns on", table: table)
    }
  }

  /// Refuses names that no model's table can have.
  static func checkName(_ table: String) throws {
    let name = SQLiteName(table)
    var problem: String?
    if table.isEmpty { problem = "a table's name is empty" }
    if table.utf8.contains(0) { problem = "a table's name holds a NUL character" }
    if name.hasPrefix(SQLiteName("sqlite_")) {
      problem = "names that begin with sqlite_ are SQLite's own"
    }
    if SchemaRecord.tableNames.contains(name) {
      problem = "`\(table)` is a table that XTLite keeps itself"
    }
    guard let problem else { return }
    throw XTError(.schema, problem, hint: "state another name in xt_tableName", table: table)
  }
}
