extension SQLWriter {
  /// A whole SELECT, without parentheses.
  mutating func write(_ select: SelectNode) throws {
    if let made = select.database, let database = catalog.database, made != database {
      throw XTError(
        .schema, "a query of another database is part of the statement",
        hint:
          "make it by xt_query(), or by the same database's table; rows of two databases meet in"
          + " the program")
    }
    givens.append(select.given)
    defer { givens.removeLast() }
    try write(select.parts)
  }

  mutating func write(_ select: SelectParts) throws {
    if let error = select.error { throw error }
    try writeCommonTables(select.commonTables)
    let scope = SQLScope(
      tables: try select.sources.map { ScopedTable($0.reference, try catalog.facts(of: $0)) })
    try checkNames(scope)
    scopes.append(scope)
    defer { scopes.removeLast() }
    write("SELECT \(select.isDistinct ? "DISTINCT " : "")")
    if select.results.isEmpty {
      write("NULL")
    } else if select.comparesResults {
      try write(compared: select.results)
    } else {
      try write(list: select.results)
    }
    try writeSources(select, scope)
    try writeClause(" GROUP BY ", select.groups.map(\.named.value.compared))
    if let having = select.having {
      if select.groups.isEmpty { try LibraryNeed.havingAlone.check() }
      write(" HAVING ")
      try write(having)
    }
    for (word, other) in select.compounds {
      write(" \(word) ")
      try write(compound: other)
    }
    try writeOrders(select.orders, over: select.results)
    try writeLimits(select.limit, select.offset)
  }

  private mutating func writeCommonTables(_ tables: [CommonTable]) throws {
    guard !tables.isEmpty else { return }
    write(tables.contains(where: \.isRecursive) ? "WITH RECURSIVE " : "WITH ")
    for (index, table) in tables.enumerated() {
      if index > 0 { write(", ") }
      let columns = table.columns.map(quoted).joined(separator: ", ")
      write("\(quoted(table.name))\(columns.isEmpty ? "" : " (\(columns))") AS (")
      try write(table.select)
      write(")")
    }
    write(" ")
  }

  /// A part of a compound can't have an order or a limit of its own.
  private mutating func write(compound select: SelectNode) throws {
    let parts = select.parts
    let isWhole =
      !parts.orders.isEmpty || parts.limit != nil || parts.offset != nil
      || !parts.compounds.isEmpty || !parts.commonTables.isEmpty
    if isWhole { write("SELECT * FROM (") }
    try write(select)
    if isWhole { write(")") }
  }

  private func checkNames(_ scope: SQLScope) throws {
    for (index, table) in scope.tables.enumerated() {
      let name = table.reference.alias ?? table.facts.table
      let isTaken = scope.tables.prefix(index).contains {
        // Nor one model twice by other names: its columns would be those of the first.
        SQLiteName($0.reference.alias ?? $0.facts.table) == SQLiteName(name)
          || $0.reference == table.reference
      }
      guard isTaken else { continue }
      throw twice(table)
    }
  }

  func twice(_ table: ScopedTable) -> XTError {
    XTError(
      .schema,
      "the statement has two tables that go by \(table.reference.alias ?? table.facts.table)",
      hint: "give one of them a name of its own: let other = "
        + "\(table.reference.name).xt.as(\"other\"), and use its columns",
      table: table.facts.table)
  }

  private mutating func writeSources(_ select: SelectParts, _ scope: SQLScope) throws {
    // Marks of tables whose join has no condition of its own.
    var marks: [String] = []
    // Behind a join that gives rows without the first table, its mark would take these away.
    let marksFirst = select.sources.contains(where: \.leavesOutTheFirst)
    if marksFirst { try LibraryNeed.outerJoins.check() }
    for (index, (source, table)) in zip(select.sources, scope.tables).enumerated() {
      let own = try mark(
        of: table, source.scope, isBare: marksFirst || scope.tables.count == 1)
      let mark = marksFirst ? nil : own
      if index == 0 {
        write(" FROM ")
        try write(source, table, markedBy: marksFirst ? own : nil)
        if let mark { marks.append(mark) }
        continue
      }
      write(" \(source.join) ")
      try write(source, table, markedBy: marksFirst ? own : nil)
      guard let on = source.on else {
        if let mark { marks.append(mark) }
        continue
      }
      write(" ON ")
      if let mark {
        try write(on, beside: .and)
        write(" AND \(mark)")
      } else {
        try write(on)
      }
    }
    if let condition = select.condition {
      write(" WHERE ")
      // Its own words stand in parentheses also alone, or more than a condition would pass for one.
      if marks.isEmpty, condition.precedence != .unknown {
        try write(condition)
      } else {
        try write(condition, beside: .and)
      }
      for mark in marks { write(" AND \(mark)") }
    } else if !marks.isEmpty {
      write(" WHERE \(marks.joined(separator: " AND "))")
    }
  }

  /// - Parameter mark: what its rows are found by before they are joined.
  private mutating func write(
    _ source: Source, _ table: ScopedTable, markedBy mark: String?
  ) throws {
    guard case .query(let select) = source.table else {
      guard let mark else { return write(table.facts.source(as: table.reference.alias)) }
      // A subquery has no rowid of its own.
      let number = table.facts.hiddenNumber
      return write(
        "(SELECT *\(number.map { ", \($0) AS \($0)" } ?? "") FROM \(table.facts.source(as: nil))"
          + " WHERE \(mark)) AS \(table.qualifier)")
    }
    write("(")
    try write(select)
    write(") AS \(table.qualifier)")
  }

  private func mark(of table: ScopedTable, _ scope: XTScope, isBare: Bool) throws -> String? {
    if table.facts.isMissing { return nil }
    guard let mark = table.facts.deletionMark else {
      guard scope == .deleted, table.facts.mapping != nil else { return nil }
      throw DeletionMark.isMissing(in: table.facts.table)
    }
    let text = mark.condition(of: scope)
    return isBare ? text : text.map { "\(table.qualifier).\($0)" }
  }

  private mutating func writeClause(_ words: String, _ nodes: [SQLNode]) throws {
    guard !nodes.isEmpty else { return }
    write(words)
    try write(list: nodes)
  }

  /// - Parameter results: what a term may mean by its name.
  mutating func writeOrders(_ orders: [OrderNode], over results: [SQLNode] = []) throws {
    guard !orders.isEmpty else { return }
    let names = Set(results.compactMap(\.ownName).map(SQLiteName.init))
    for (index, order) in orders.enumerated() {
      write(index == 0 ? " ORDER BY " : ", ")
      guard let column = order.node.column, column.column == nil, case .model = column.table.table,
        names.contains(SQLiteName(column.quotedName))
      else {
        try write(order)
        continue
      }
      try write(order.of(SQLNode(column.quotedName)))
    }
  }

  /// SQLite has NULL before everything else, and NULLS FIRST and LAST since 3.30.
  mutating func write(_ order: OrderNode) throws {
    let isAsked = order.nulls.map { ($0 == .first) == order.isDescending } ?? false
    let hasWords = SQLiteLibrary.versionNumber >= 3_030_000
    if isAsked, !hasWords {
      try write(
        order.node.named.value.followed(by: order.nulls == .first ? "IS NOT NULL" : "IS NULL"))
      write(", ")
    }
    try write(order.node.named.value.compared)
    write(order.isDescending ? " DESC" : " ASC")
    if isAsked, hasWords { write(order.nulls == .first ? " NULLS FIRST" : " NULLS LAST") }
  }

  mutating func writeLimits(_ limit: SQLNode?, _ offset: SQLNode?) throws {
    guard limit != nil || offset != nil else { return }
    write(" LIMIT ")
    try write(limit ?? SQLNode([.value(.integer(-1))]))
    guard let offset else { return }
    write(" OFFSET ")
    try write(offset)
  }
}
