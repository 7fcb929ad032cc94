/// What a table lacks of its model's columns and indexes: found and checked first, written then.
///
/// What the schema and the number of rows tell is refused by `init`, before anything is written.
struct TableAdditions {
  /// A column to be added.
  struct NewColumn {
    let column: Column
    /// What stands behind ADD COLUMN.
    let sql: String
    /// Whether rows may hold NULL there though the property is not optional: each gets the value of
    /// an `init()` of its own.
    let isLenient: Bool
  }

  let shape: TableShape
  private let definition: TableDefinition
  private let columns: [NewColumn]
  private let uniqueIndexes: [IndexDefinition]
  private let indexes: [IndexDefinition]
  /// Checks over several columns that the additions bring, as expressions.
  private let checks: [String]

  /// What `apply` runs, in order; the filling of rows stands for all of them.
  var statements: [(sql: String, fillsRows: Bool)] {
    let filler = TableFiller(shape: shape)
    return columns.flatMap { column in
      let add = "ALTER TABLE \(quoted(shape.table)) ADD COLUMN \(column.sql)"
      let fill = column.isLenient ? filler.statement(filling: column.column) : nil
      return [(add, false)] + (fill.map { [($0, true)] } ?? [])
    } + (uniqueIndexes + indexes).map { ($0.sql(named: $0.name), false) }
  }

  var isEmpty: Bool { columns.isEmpty && indexes.isEmpty }

  /// - Parameters:
  ///   - wanted: The columns to be added; those that the table has are passed over.
  ///   - includesIndexes: Whether the model's indexes are added too.
  init(
    of wanted: [ColumnDefinition], to shape: TableShape, definition: TableDefinition,
    includesIndexes: Bool, on connection: Connection
  ) throws {
    self.shape = shape
    self.definition = definition
    let missing = wanted.filter { !shape.has(column: $0.name) }
    var planner = AdditionPlanner(
      shape: shape, table: definition, missing: missing,
      rowCount: missing.isEmpty ? 0 : try Self.rowCount(of: shape.table, on: connection))
    columns = try missing.map { try planner.plan($0) }
    uniqueIndexes = planner.uniqueIndexes
    checks = planner.checks
    var lacking: [IndexDefinition] = []
    if includesIndexes {
      let isMarkNew = missing.contains { $0.column.role == .isDel }
      let wanted = try definition.indexes(
        mark: isMarkNew ? definition.deletionMark : shape.deletionMark)
      if !wanted.isEmpty {
        let existing = try SchemaReader.indexes(of: shape.table, on: connection)
        lacking = wanted.filter { index in !existing.contains { $0.satisfies(index) } }
      }
    }
    indexes = lacking
  }

  /// Writes the additions and their record, inside the caller's transaction.
  ///
  /// - Parameter advance: Told how many rows were given a value of their own since it was last.
  func apply(
    automaticColumns: Bool, on connection: Connection,
    advance: (Int64) throws -> Void = { _ in }
  ) throws {
    if !columns.isEmpty {
      try TableMaker.createParents(
        of: definition, automaticColumns: automaticColumns, on: connection)
    }
    for column in columns {
      let name = column.column.name
      do {
        try connection.run("ALTER TABLE \(quoted(shape.table)) ADD COLUMN \(column.sql)")
      } catch let error as XTError
        where error.kind == .constraint(.check) || (error.kind == .sqlite && error.code == 1)
      {
        throw Self.refusal(of: name, table: shape.table, because: error.message, sql: error.sql)
      }
      try SchemaRecord.addColumn(
        name, isLenient: column.isLenient, to: shape.table, on: connection)
      if column.isLenient {
        try TableFiller(shape: shape).fill(column.column, on: connection, advance: advance)
      }
    }
    // Older libraries don't look at the rows there are.
    for check in checks {
      guard
        try connection.firstValue(
          "SELECT 1 FROM \(quoted(shape.table)) WHERE NOT (\(check)) LIMIT 1") != nil
      else { continue }
      throw Self.refusal(
        of: columns.last?.column.name ?? "", table: shape.table,
        because: "rows there are would break the check \(check)")
    }
    for index in uniqueIndexes + indexes {
      try TableMaker.createIndex(index, on: connection)
    }
  }

  /// 0, 1, or 2 for more.
  static func rowCount(of table: String, on connection: Connection) throws -> Int64 {
    try connection.firstValue("SELECT count(*) FROM (SELECT 1 FROM \(quoted(table)) LIMIT 2)")?
      .int64 ?? 0
  }

  /// The error for what needs an upgrade step of its own.
  static func refusal(
    of column: String, table: String, because reason: String, sql: String? = nil
  ) -> XTError {
    XTError(
      .upgrade, "`\(column)` cannot be added to `\(table)` by itself: \(reason)",
      hint: "write an upgrade step for `\(column)` of `\(table)`: $0.add(\\.\(column)); where it is"
        + " unique or has no value for the rows there are, $0.add(column: \"\(column)\", \"…\"),"
        + " $0.fill(\\.\(column)) { row in … } and $0.change(\\.\(column))",
      table: table, column: column, sql: sql)
  }

  static func noRowIDRefusal(of column: String, table: String) -> XTError {
    refusal(
      of: column, table: table,
      because: "each row needs a value of its own, and the table has no rowid to tell rows apart")
  }
}
