extension RowPlan {
  /// What stands behind WHERE for a condition and a scope; nil for all rows.
  ///
  /// - Throws: what is wrong with the condition; `schema` where the scope asks for soft-deleted rows
  ///   of a table that has none.
  func filter<Model: XTModel>(
    _ condition: XTCondition<Model>?, _ scope: XTScope
  ) throws -> SQLFragment? {
    if let condition, condition.hasRawText, !SQLiteLibrary.canDisableDoubleQuotedStrings {
      let names = shape.fileColumns.map(\.name)
      try checkDoubleQuoted(try condition.resolved().text) { name in
        mapping.column(named: name) != nil
          || names.contains { $0.lowercased() == name.lowercased() }
      }
    }
    guard let scopeText = try text(of: scope) else { return try condition?.resolved() }
    guard let condition else { return SQLFragment(scopeText) }
    var fragment = try condition.resolvedBesideAnd()
    fragment.text += " AND \(scopeText)"
    return fragment
  }

  private func text(of scope: XTScope) throws -> String? {
    switch scope {
    case .all: return nil
    case .live: return shape.has(.isDel) ? "\(Self.isDel) = 0" : nil
    case .deleted:
      guard shape.exists else { return nil }
      guard shape.has(.isDel) else { throw noSoftDelete() }
      return "\(Self.isDel) = 1"
    }
  }

  func noSoftDelete() -> XTError {
    XTError(
      .schema, "\(shape.table) has no column xt_isDel, so no row of it can be soft-deleted.",
      hint: "XTLite's own tables have it unless automaticColumns is off; add it to this one by an "
        + "upgrade step.",
      table: shape.table, column: "xt_isDel")
  }
}

/// A condition in the programmer's own words is compared with the model also where the table is
/// missing and nothing would be read: a wrong name must not wait for the first row to be noticed.
enum MissingTable {
  static func check(_ fragment: SQLFragment, _ plan: TablePlan) throws {
    let scratch = try Connection(ConnectionSettings(path: nil))
    defer { scratch.close() }
    try TableMaker.create(
      table: plan.table, mapping: plan.mapping,
      automaticColumns: plan.settings.automaticColumns, on: scratch)
    let sql = StatementBuilder.select(["1"], from: quoted(plan.table), where: fragment.text)
    do {
      scratch.finish(try scratch.statement(sql))
    } catch let error as XTError where error.kind == .unknownColumn {
      throw error
    } catch {
      // Functions and tables that only the real database has are no fault of the condition.
    }
  }
}
