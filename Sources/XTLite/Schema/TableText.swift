/// A table as its `CREATE TABLE` says it, in pieces that can be exchanged: how a table is made anew
/// with all that nobody asked to change.
struct TableText: Sendable {
  struct Item: Sendable {
    /// The column's name; nil for a constraint of the table.
    let column: String?
    var tokens: [DeclarationToken]

    /// What stands behind a column's name.
    var clauses: ColumnClauses { ColumnClauses(tokens.dropFirst().source) }

    var isGenerated: Bool { column != nil && clauses.has(.generated) }
    var isPrimaryKey: Bool { column != nil && clauses.has(.primaryKey) }
  }

  let name: String
  var items: [Item]
  /// What stands behind the closing parenthesis: WITHOUT ROWID, STRICT.
  let options: [DeclarationToken]

  /// - Returns: nil for what is no CREATE TABLE with columns.
  init?(_ sql: String) {
    let tokens = DeclarationToken.tokens(of: sql)
    guard let open = tokens.firstIndex(where: { $0.isSymbol("(") }), open > 1,
      tokens[0].word == "CREATE", tokens[..<open].contains(where: { $0.word == "TABLE" }),
      !tokens[..<open].contains(where: { $0.word == "VIRTUAL" }),
      let name = tokens[open - 1].anyName
    else { return nil }
    var reader = TokenReader(Array(tokens[open...]))
    let group = reader.takeGroupWithParentheses()
    guard group.count(where: { $0.isSymbol("(") }) == group.count(where: { $0.isSymbol(")") })
    else {
      return nil
    }
    var inner = TokenReader(Array(group.dropFirst().dropLast()))
    var items: [Item] = []
    while !inner.isAtEnd { Self.append(inner.takeUpToComma(), to: &items) }
    self.name = name
    self.items = items
    options = Array(reader.rest)
  }

  /// A column, or constraints of the table, which may stand behind one another without a comma.
  private static func append(_ tokens: [DeclarationToken], to items: inout [Item]) {
    var reader = TokenReader(tokens)
    guard reader.isAtTableConstraint else {
      if !tokens.isEmpty { items.append(Item(tokens)) }
      return
    }
    while !reader.isAtEnd {
      var part: [DeclarationToken] = []
      if reader.isAt("CONSTRAINT") { part += reader.takeOne() + reader.takeOne() }
      repeat {
        part += reader.isAtSymbol("(") ? reader.takeGroupWithParentheses() : reader.takeOne()
      } while !reader.isAtEnd && !reader.isAtTableConstraint
      items.append(Item(part))
    }
  }

  func sql(named name: String) -> String {
    let lines = items.map(\.tokens.source).joined(separator: ",\n  ")
    let end = options.isEmpty ? "" : " " + options.source
    return "CREATE TABLE \(quoted(name)) (\n  \(lines)\n)\(end)"
  }

  var columns: [String] { items.compactMap(\.column) }
  /// The columns that rows are written with.
  var storedColumns: [String] { items.filter { !$0.isGenerated }.compactMap(\.column) }

  var isWithoutRowID: Bool { options.contains { $0.word == "WITHOUT" } }

  func index(of column: String) -> Int? {
    items.firstIndex { $0.column.map(SQLiteName.init) == SQLiteName(column) }
  }

  func item(of column: String) -> Item? { index(of: column).map { items[$0] } }

  func has(column: String) -> Bool { index(of: column) != nil }

  /// The column that is the row's number: INTEGER PRIMARY KEY.
  var rowIDName: String? {
    if isWithoutRowID { return nil }
    if let item = items.first(where: \.isPrimaryKey) {
      guard item.tokens.count > 1, item.tokens[1].word == "INTEGER", item.tokens.count > 2,
        !item.tokens.contains(where: { $0.word == "DESC" })
      else { return nil }
      // A type of several words is no INTEGER.
      return ["PRIMARY", "CONSTRAINT", "NOT", "UNIQUE", "DEFAULT", "CHECK", "COLLATE"]
        .contains(item.tokens[2].word) ? item.column : nil
    }
    guard let key = items.first(where: { $0.kind == .primaryKey }), key.keyColumns.count == 1,
      let item = item(of: key.keyColumns[0]), item.tokens.count > 1,
      item.tokens[1].word == "INTEGER", item.tokens.count == 2 || item.tokens[2].word != nil
    else { return nil }
    return item.column
  }

  /// SQL for a row's number, also where no column is that; nil where rows have none, or columns take
  /// all its names.
  var rowIDExpression: String? {
    if isWithoutRowID { return nil }
    return rowIDName.map(quoted) ?? ["rowid", "_rowid_", "oid"].first { !has(column: $0) }
  }

  var isAutoincrement: Bool {
    items.contains { $0.tokens.contains { $0.word == "AUTOINCREMENT" } }
  }
}

extension TableText.Item {
  enum Kind { case column, primaryKey, unique, check, foreignKey, other }

  init(_ tokens: [DeclarationToken]) {
    column = TokenReader(tokens).isAtTableConstraint ? nil : tokens.first?.anyName
    self.tokens = tokens
  }

  var kind: Kind {
    if column != nil { return .column }
    let start = tokens.first?.word == "CONSTRAINT" ? 2 : 0
    switch tokens.count > start ? tokens[start].word : nil {
    case "PRIMARY": return .primaryKey
    case "UNIQUE": return .unique
    case "CHECK": return .check
    case "FOREIGN": return .foreignKey
    default: return .other
    }
  }

  /// The columns that a constraint of the table is over; of a check all names in it.
  var keyColumns: [String] {
    guard column == nil, let open = tokens.firstIndex(where: { $0.isSymbol("(") }) else {
      return []
    }
    if kind == .check { return tokens[open...].compactMap(\.name) }
    var reader = TokenReader(Array(tokens[open...]))
    return reader.takeGroup().columnNames
  }

  func names(_ column: String) -> Bool {
    keyColumns.contains { SQLiteName($0) == SQLiteName(column) }
  }
}

extension TableText {
  /// A table of the file.
  ///
  /// - Throws: `upgrade` for a view and a virtual table.
  static func of(_ table: String, on connection: Connection) throws -> TableText {
    let row = try connection.rows(
      "SELECT `type`, `sql` FROM `sqlite_master` WHERE `name` = ? COLLATE NOCASE"
        + " AND `type` IN ('table', 'view')", [.text(table)]
    ).first
    if let row, row[0].string == "table", let text = row[1].string.flatMap(TableText.init) {
      return text
    }
    let what = row?[0].string == "view" ? "a view" : row == nil ? "no table" : "a virtual table"
    throw XTError(
      .upgrade, "`\(table)` is \(what), which no step can change",
      hint: "write what is to be done as SQL: $0.run(\"…\")", table: table)
  }
}
