/// The tables of a database as one connection sees them, for a statement that is being written.
final class LiveTables: TableCatalog {
  private let owner: XTDatabase
  private let connection: Connection
  /// Whether tables may be looked at; else one that has to be throws `HasToLook`.
  private let mayLook: Bool
  /// What the statement was written for.
  private(set) var used: [(plan: TablePlan, rows: RowPlan)] = []

  /// A table has to be looked at before the statement can be written.
  struct HasToLook: Error {}

  init(_ database: XTDatabase, _ connection: Connection, mayLook: Bool = true) {
    owner = database
    self.connection = connection
    self.mayLook = mayLook
  }

  var database: UInt64? { owner.identity }

  func facts(of source: Source) throws -> TableFactsOfStatement {
    switch source.table {
    case .named, .query:
      return try DeclaredTables().facts(of: source)
    case .model(let model, let customName):
      func rows<Model: XTModel>(_: Model.Type) throws -> RowPlan {
        let plan = try XTTable<Model>(database: owner, name: customName).plan()
        guard let rows = plan.knownRows(connection) else {
          if !mayLook { throw HasToLook() }
          let rows = try plan.rowsForReading(connection)
          used.append((plan, rows))
          return rows
        }
        used.append((plan, rows))
        return rows
      }
      return TableFactsOfStatement(try rows(model))
    }
  }

  /// The rows of a model's table, as the statement has them.
  func rows(of source: Source) throws -> RowPlan? {
    guard case .model(let model, let customName) = source.table else { return nil }
    func rows<Model: XTModel>(_: Model.Type) throws -> RowPlan {
      try XTTable<Model>(database: owner, name: customName).plan().rowsForReading(connection)
    }
    return try rows(model)
  }
}

extension TableFactsOfStatement {
  /// A table as it is in the file.
  init(_ shape: TableShape, selection: [String]) {
    self.init(table: shape.table)
    mapping = shape.mapping
    self.selection = selection
    deletionMark = shape.deletionMark
    rowNumber = shape.exists ? shape.rowNumberInSource : shape.mapping.rowID.quotedName
    hiddenNumber = shape.rowIDName == nil ? shape.rowIDExpression : nil
    subquery = shape.subquery
    isMissing = !shape.exists
  }

  init(_ rows: RowPlan) {
    self.init(rows.shape, selection: rows.selection)
  }
}
