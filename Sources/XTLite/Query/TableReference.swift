/// Which table of a statement a column is of: the columns of `Order.xt` belong to the table that a
/// statement has for `Order`.
struct TableReference: Hashable, Sendable {
  enum Table: Hashable, Sendable {
    case model(ObjectIdentifier)
    /// A table that has no model, a view, or a common table.
    case named(SQLiteName)
  }

  let table: Table
  /// As people know it.
  let name: String
  /// The name that tells it from another of the same table.
  let alias: String?

  static func == (left: TableReference, right: TableReference) -> Bool {
    left.table == right.table && left.alias == right.alias
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    hasher.combine(alias)
  }

  init(_ model: any XTModel.Type, alias: String? = nil) {
    table = .model(ObjectIdentifier(model))
    name = TypeName.display(model)
    self.alias = alias
  }

  init(named name: String, alias: String? = nil) {
    table = .named(SQLiteName(name))
    self.name = name
    self.alias = alias
  }

  /// "Order", or "b (Order)".
  var display: String { alias.map { "\($0) (\(name))" } ?? name }
}

/// A column, before it is known how the statement writes it.
struct QueryColumn: Sendable {
  let table: TableReference
  let name: String
  let quotedName: String
  /// What the model says of it; nil for a column that no model declares.
  let column: Column?

  init(_ column: Column, of table: TableReference) {
    self.table = table
    name = column.name
    quotedName = column.quotedName
    self.column = column
  }

  init(named name: String, of table: TableReference) {
    self.table = table
    self.name = name
    quotedName = quoted(name)
    column = nil
  }

  var node: SQLNode { SQLNode([.column(self)], collation: column?.collation) }
}
