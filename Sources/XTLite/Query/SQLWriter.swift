/// Writes nodes as the text of one statement, with its values.
struct SQLWriter {
  private(set) var fragment = SQLFragment()
  /// Which of the values are still to be given, by their places.
  private(set) var parameters: [PlacedParameter] = []
  /// The tables of the statement and of those around it, the innermost last; none where it is not
  /// known yet which statement it will be.
  var scopes: [SQLScope] = []
  let catalog: any TableCatalog
  /// Values of parameters in the subqueries that are being written.
  var givens: [GivenValues] = []
  /// Whether NULL stands for what could not be made, instead of an error.
  var isLenient = false

  init(_ scope: SQLScope? = nil, catalog: any TableCatalog = DeclaredTables()) {
    self.catalog = catalog
    if let scope { scopes = [scope] }
  }

  mutating func write(_ text: String) {
    fragment.append(text)
  }

  mutating func write(_ fragment: SQLFragment) {
    self.fragment.append(fragment)
  }

  /// An operand, which has no name.
  mutating func write(_ node: SQLNode, atLeast precedence: Precedence) throws {
    let node = node.named.value
    let needsParentheses = node.precedence < precedence
    if needsParentheses { fragment.text += "(" }
    try write(node)
    if needsParentheses { fragment.text += ")" }
  }

  mutating func write(_ node: SQLNode) throws {
    if let error = node.error, !isLenient { throw error }
    try node.need?.check()
    for piece in node.pieces {
      switch piece {
      case .text(let text): fragment.text += text
      case .node(let node, let precedence): try write(node, atLeast: precedence)
      case .value(let value):
        fragment.text += "?"
        fragment.values.append(value)
      case .parameter(let key, let isCount):
        let parameter = PlacedParameter(
          place: fragment.values.count, key: key, isCount: isCount)
        let given = givens.lazy.compactMap { $0[key] }.first
        if let given { try parameter.check(given) } else { parameters.append(parameter) }
        fragment.text += "?"
        fragment.values.append(given ?? .null)
      case .column(let column): fragment.text += try name(of: column)
      case .model(let table): try writeColumns(of: table)
      case .values(let values): fragment.append(values.fragment)
      case .select(let select): try write(select)
      case .condition(let condition): try write(condition)
      case .order(let order): try write(order)
      case .raw(let raw):
        fragment.append(raw)
      }
    }
  }

  mutating func write(list nodes: [SQLNode]) throws {
    for (index, node) in nodes.enumerated() {
      if index > 0 { fragment.text += ", " }
      try write(node)
    }
  }

  /// The results of a SELECT whose rows are compared with each other.
  mutating func write(compared results: [SQLNode]) throws {
    for (index, node) in results.enumerated() {
      if index > 0 { fragment.text += ", " }
      if let table = node.model {
        try writeColumns(of: table, areCompared: true)
        continue
      }
      let (value, name) = node.named
      guard value.collation != nil else {
        try write(node)
        continue
      }
      try write(value.compared)
      if let name { fragment.text += " AS \(name)" }
    }
  }

  // MARK: Columns

  /// Bare where the statement has one table.
  private func name(of column: QueryColumn) throws -> String {
    guard !scopes.isEmpty else {
      let alias = isLenient ? nil : column.table.alias
      return alias.map { "\(quoted($0)).\(column.quotedName)" } ?? column.quotedName
    }
    for (depth, scope) in scopes.reversed().enumerated() {
      guard let table = scope.tables.first(where: { $0.reference == column.table }) else {
        continue
      }
      let name = table.name(of: column)
      let inner = scopes.suffix(depth).flatMap(\.tables)
      if let other = inner.first(where: { $0.goesBy(table.qualifier) }) { throw twice(other) }
      // A name that nobody has looked up would be the outer statement's where the table has none.
      let isSure = scopes.count == 1 || column.column != nil
      return depth == 0 && scope.tables.count == 1 && isSure
        ? name : "\(table.qualifier).\(name)"
    }
    if isLenient { return column.quotedName }
    throw unknown(column)
  }

  func unknown(_ column: QueryColumn) -> XTError {
    let tables = scopes.last?.tables.map(\.reference.display) ?? []
    return XTError(
      .unknownColumn,
      "\(column.name) is a column of \(column.table.display), which the statement doesn't have: it "
        + "is about \(tables.joined(separator: ", "))",
      hint: "join \(column.table.name), or use a column of the statement's own tables; one alias "
        + "has to be used throughout",
      table: column.table.name, column: column.name)
  }

  private mutating func writeColumns(
    of table: TableReference, areCompared: Bool = false
  ) throws {
    guard let scoped = scopes.last?.tables.first(where: { $0.reference == table }) else {
      throw XTError(
        .unknownColumn, "\(table.display) is no table of the statement", table: table.name)
    }
    let isBare = scopes.last?.tables.count == 1
    var names = scoped.facts.selection.map { isBare ? $0 : "\(scoped.qualifier).\($0)" }
    if areCompared, let columns = scoped.facts.mapping?.columns {
      for (index, column) in columns.enumerated() where names.indices.contains(index) {
        guard let collation = column.collation else { continue }
        names[index] += " COLLATE \(collation) AS \(column.quotedName)"
      }
    }
    fragment.text += names.joined(separator: ", ")
  }

  // MARK: Conditions

  /// A chain is written flat, `a AND b AND c`. SQLite builds one level of its expression tree for
  /// each operator of a flat chain and gives up at 1,000, so a long one is written in groups of
  /// groups.
  private static let width = 32

  mutating func write(_ node: ConditionNode) throws {
    if let error = node.error, !isLenient { throw error }
    switch node.form {
    case .text(let text, _):
      fragment.append(text)
    case .expression(let node):
      try write(node)
    case .not(let operand):
      fragment.text += "NOT "
      try write(operand, inParentheses: operand.precedence < .atom)
    case .chain(let connective, _, _):
      var operands: [ConditionNode] = []
      node.collectOperands(of: connective, into: &operands)
      try write(ChainFolding.folded(operands, connective)[...], connective)
    }
  }

  mutating func write(_ node: ConditionNode, beside connective: Connective) throws {
    try write(node, inParentheses: node.needsParentheses(beside: connective))
  }

  private mutating func write(_ node: ConditionNode, inParentheses: Bool) throws {
    if inParentheses { fragment.text += "(" }
    try write(node)
    if inParentheses { fragment.text += ")" }
  }

  private mutating func write(
    _ operands: ArraySlice<ConditionNode>, _ connective: Connective
  ) throws {
    var size = 1
    while size * Self.width < operands.count { size *= Self.width }
    var rest = operands
    while !rest.isEmpty {
      let group = rest.prefix(size)
      rest = rest.dropFirst(size)
      if group.count == 1, let operand = group.first {
        try write(operand, beside: connective)
      } else {
        fragment.text += "("
        try write(group, connective)
        fragment.text += ")"
      }
      if !rest.isEmpty { fragment.text += " \(connective.rawValue) " }
    }
  }
}

extension SQLWriter {
  /// A condition in no statement yet: columns bare.
  static func fragment(of condition: ConditionNode, in scope: SQLScope?) throws -> SQLFragment {
    var writer = SQLWriter(scope)
    try writer.write(condition)
    return try writer.complete()
  }

  /// - Throws: where a value is still to be given, which a verb has no way for.
  func complete() throws -> SQLFragment {
    guard let parameter = parameters.first else { return fragment }
    throw XTError(
      .sqlite, "the parameter \(parameter.key.name) has no value",
      hint: "parameters are for queries: xt_query().where(…).with(parameter, value)",
      sql: fragment.text)
  }
}

extension SQLNode {
  /// As a part of SQL of the programmer's own, whose tables nobody knows: in parentheses unless it
  /// needs none anywhere.
  func alone() throws -> SQLFragment {
    var writer = SQLWriter()
    try writer.write(self, atLeast: .atom)
    return try writer.complete()
  }
}
