/// A condition in the programmer's own words is compared with the model also where the table is
/// missing and nothing would be read: a mistake must not wait for the first row to be noticed.
enum MissingTable {
  static func check(_ fragment: SQLFragment, _ plan: TablePlan) throws {
    let scratch = try Connection(ConnectionSettings(path: nil))
    defer { scratch.close() }
    try TableMaker.create(
      table: plan.table, mapping: plan.mapping,
      automaticColumns: plan.settings.automaticColumns, on: scratch)
    let sql = StatementBuilder.select(["1"], from: quoted(plan.table), where: fragment.text)
    do {
      try scratch.withStatement(sql) { try $0.bind(fragment.values) }
    } catch let error as XTError where error.mayBeRightElsewhere {
      // The real database has tables and functions of its own.
    }
  }
}

extension XTError {
  fileprivate var mayBeRightElsewhere: Bool {
    kind == .schema || kind != .unknownColumn && message.hasPrefix("no such ")
  }
}
