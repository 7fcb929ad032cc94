/// What no two rows of a table can agree in, its number aside.
///
/// It says which rows are in the way of a new one: those that a REPLACE takes away, without a trigger.
/// Rather too many than too few.
struct UniqueKey: Equatable {
  /// A column or an expression of the index.
  struct Term: Equatable {
    /// SQL over the row's own columns.
    let text: String
    /// The column; nil for an expression.
    let column: String?
    let collation: String
  }

  let terms: [Term]
  /// What stands behind WHERE of a partial index.
  let scope: String?
  /// The columns by whose change a row can get in another's way.
  let columns: [NewValue]

  /// A column with what a row that is written has in it.
  struct NewValue: Equatable {
    let name: String
    /// SQL, in a trigger.
    let text: String

    init(_ column: SchemaReader.FileColumn) {
      name = column.name
      let value = "new.\(quoted(column.name))"
      // Where NULL is refused, a REPLACE takes the default instead, after the triggers before it.
      guard column.isNotNull, let defaultText = column.defaultText else {
        text = value
        return
      }
      text = "ifnull(\(value), (\(DeclarationToken.tokens(of: defaultText).withTexts(but: []))))"
    }
  }

  /// What is true of a row that is in the way of the new one.
  var condition: String {
    var conditions = terms.map { term in
      "\(term.column.map(quoted) ?? "(\(term.text))") = \(newValue(of: term))"
        + " COLLATE \(quoted(term.collation))"
    }
    if let scope { conditions.append("(\(scope))") }
    return "(\(conditions.joined(separator: " AND ")))"
  }

  private func newValue(of term: Term) -> String {
    if let column = term.column.map(SQLiteName.init) {
      return columns.first { SQLiteName($0.name) == column }?.text ?? "NULL"
    }
    // Its names mean the new row's columns there.
    let values = columns.map { "\($0.text) AS \(quoted($0.name))" }.joined(separator: ", ")
    return "(SELECT \(term.text) FROM (SELECT \(values.isEmpty ? "NULL" : values)))"
  }
}

extension UniqueKey {
  /// All of a table, oldest first.
  static func all(of shape: TableShape, on connection: Connection) throws -> [UniqueKey] {
    try connection.rows("PRAGMA index_list(\(quoted(shape.table)))").reversed()
      .filter { $0[2].int64 == 1 }
      .compactMap { row in
        try UniqueKey(index: row[1].string ?? "", isPartial: row[4].int64 == 1, shape, connection)
      }
  }

  private init?(
    index name: String, isPartial: Bool, _ shape: TableShape, _ connection: Connection
  ) throws {
    let names = Set(shape.fileColumns.map { SQLiteName($0.name) })
    let rows = try connection.rows("PRAGMA index_xinfo(\(quoted(name)))")
      .filter { $0[5].int64 == 1 }
    var used: Set<SQLiteName> = []
    func noteNames(in tokens: some Sequence<DeclarationToken>) {
      used.formUnion(tokens.compactMap { $0.name.map(SQLiteName.init) }.filter(names.contains))
    }
    let scope = isPartial ? try SchemaReader.scope(ofIndex: name, on: connection) : nil
    if let scope { noteNames(in: scope) }
    var texts: [[DeclarationToken]] = []
    if rows.contains(where: { $0[2].string == nil }) {
      texts = try SchemaReader.terms(ofIndex: name, on: connection)
      guard texts.count == rows.count else { return nil }
    }
    terms = rows.enumerated().map { place, row in
      let collation = row[4].string ?? "BINARY"
      if let column = row[2].string {
        used.insert(SQLiteName(column))
        return Term(text: quoted(column), column: column, collation: collation)
      }
      noteNames(in: texts[place])
      return Term(text: texts[place].withTexts(but: names), column: nil, collation: collation)
    }
    self.scope = scope?.withTexts(but: names)
    columns = shape.fileColumns.filter { used.contains(SQLiteName($0.name)) }.map(NewValue.init)
  }
}

extension SchemaReader {
  /// The columns and expressions of an index that SQL made, as they are written there.
  fileprivate static func terms(
    ofIndex name: String, on connection: Connection
  ) throws -> [[DeclarationToken]] {
    let sql = try connection.firstValue(
      "SELECT `sql` FROM `sqlite_master` WHERE `type` = 'index' AND `name` = ?", [.text(name)]
    )?.string
    let tokens = DeclarationToken.tokens(of: sql ?? "")
    guard let start = tokens.firstIndex(where: { $0.isSymbol("(") }) else { return [] }
    var reader = TokenReader(Array(tokens[start...]))
    var list = TokenReader(reader.takeGroup())
    var terms: [[DeclarationToken]] = []
    while !list.isAtEnd {
      var term = list.takeUpToComma()
      if ["ASC", "DESC"].contains(term.last?.word) { term.removeLast() }
      terms.append(term)
    }
    return terms
  }
}

extension Sequence<DeclarationToken> {
  /// The SQL, in which what stands in double quotes and is no column has become the text that older
  /// libraries take it for.
  fileprivate func withTexts(but columns: Set<SQLiteName>) -> String {
    map { token in
      guard token.kind == .quotedName, token.text.hasPrefix("\""), let name = token.name,
        !columns.contains(SQLiteName(name))
      else { return token }
      return DeclarationToken(
        kind: .literal, text: XTValue.text(name).sqlLiteral, gap: token.gap)
    }.source
  }
}
