/// Which rows a find asks for.
struct WantedRows<Model: XTModel> {
  var condition: XTCondition<Model>?
  var orders: [XTOrder<Model>]
  var limit: Int?
  var offset: Int?
  var scope: XTScope
  var only: [AnyKeyPath]?
  /// Whether the first row is all that is asked for.
  var isSingle = false

  init(
    _ condition: XTCondition<Model>? = nil, orders: [XTOrder<Model>] = [], limit: Int? = nil,
    offset: Int? = nil, scope: XTScope = .live, only: [AnyKeyPath]? = nil
  ) {
    self.condition = condition
    self.orders = orders
    self.limit = limit
    self.offset = offset
    self.scope = scope
    self.only = only
  }
}

extension WantedRows {
  func orders(in scope: SQLScope, _ catalog: any TableCatalog) throws -> [SQLFragment] {
    try orders.map { try $0.resolved(in: scope, catalog) }
  }

  /// The values of LIMIT and OFFSET, as far as the statement has them.
  func limits() throws -> [XTValue] {
    for number in [limit, offset] {
      guard let number, number < 0 else { continue }
      throw XTError(
        .valueOutOfRange, "\(number) is no number of rows: limit and offset are 0 or more",
        hint: "leave limit out to have all rows")
    }
    guard let offset else { return limit.map { [.integer(Int64($0))] } ?? [] }
    return [.integer(Int64(limit ?? -1)), .integer(Int64(offset))]
  }
}
