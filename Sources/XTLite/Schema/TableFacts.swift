/// What a `CREATE TABLE` says, in facts that can be compared: checks, collations, conflict clauses
/// and the like, of which no PRAGMA tells.
///
/// A constraint behind a column and the same one behind all columns are one thing here.
struct TableFacts: Sendable {
  struct Column: Sendable {
    let name: String
    let declaredType: String
    let clauses: ColumnClauses
    /// As it was written.
    let source: String
  }

  /// PRIMARY KEY or UNIQUE.
  struct Key: Sendable {
    let columns: [String]
    /// The word behind ON CONFLICT; nil for ABORT, which is what SQLite does anyway.
    var conflict: String?
    var isAutoincrement = false
  }

  struct ForeignKey: Sendable {
    let columns: [String]
    var parent = ""
    /// None where the parent's primary key is meant.
    var parentColumns: [String] = []
    /// What stands behind ON DELETE and ON UPDATE; "NO ACTION" where nothing does.
    var onDelete = "NO ACTION"
    var onUpdate = "NO ACTION"
    var isDeferred = false
  }

  private(set) var columns: [Column] = []
  private(set) var primaryKey: Key?
  private(set) var uniqueKeys: [Key] = []
  /// The expressions of CHECK, without their parentheses.
  private(set) var checks: [[DeclarationToken]] = []
  private(set) var foreignKeys: [ForeignKey] = []

  /// - Returns: nil where `sql` makes no ordinary table.
  init?(_ sql: String) {
    let tokens = DeclarationToken.tokens(of: sql)
    guard tokens.first?.word == "CREATE",
      let open = tokens.firstIndex(where: { $0.isSymbol("(") }),
      tokens[..<open].contains(where: { $0.word == "TABLE" }),
      !tokens[..<open].contains(where: { $0.word == "VIRTUAL" })
    else { return nil }
    var reader = TokenReader(Array(tokens[open...]))
    var parts = TokenReader(reader.takeGroup())
    while !parts.isAtEnd, !parts.isAtTableConstraint {
      add(column: parts.takeUpToComma())
    }
    while !parts.isAtEnd { addConstraint(from: &parts) }
  }

  private mutating func add(column tokens: [DeclarationToken]) {
    guard let name = tokens.first?.anyName else { return }
    var reader = TokenReader(Array(tokens.dropFirst()))
    var type: [DeclarationToken] = []
    while !reader.isAtEnd, !reader.isAtColumnConstraint {
      type += reader.isAtSymbol("(") ? reader.takeGroupWithParentheses() : reader.takeOne()
    }
    let clauses = ColumnClauses(reader.rest.source)
    columns.append(
      Column(
        name: name, declaredType: type.source, clauses: clauses, source: tokens.source))
    for clause in clauses.clauses { add(clause, of: name) }
  }

  private mutating func add(_ clause: ColumnClauses.Clause, of column: String) {
    var reader = TokenReader(clause.tokens)
    if reader.take("CONSTRAINT") { _ = reader.takeOne() }
    switch clause.kind {
    case .primaryKey:
      primaryKey = Key(
        columns: [column], conflict: clause.conflict,
        isAutoincrement: clause.tokens.last?.word == "AUTOINCREMENT")
    case .unique:
      uniqueKeys.append(Key(columns: [column], conflict: clause.conflict))
    case .check:
      _ = reader.takeOne()
      checks.append(reader.takeGroup())
    case .references:
      foreignKeys.append(reader.takeReference(from: [column]))
    default: break
    }
  }

  private mutating func addConstraint(from reader: inout TokenReader) {
    if reader.take("CONSTRAINT") { _ = reader.takeOne() }
    if reader.take("PRIMARY"), reader.take("KEY") {
      let group = reader.takeGroup()
      primaryKey = Key(
        columns: group.names, conflict: reader.takeConflict(),
        isAutoincrement: group.contains { $0.word == "AUTOINCREMENT" })
    } else if reader.take("UNIQUE") {
      let names = reader.takeGroup().names
      uniqueKeys.append(Key(columns: names, conflict: reader.takeConflict()))
    } else if reader.take("CHECK") {
      checks.append(reader.takeGroup())
      _ = reader.takeConflict()
    } else if reader.take("FOREIGN"), reader.take("KEY") {
      let names = reader.takeGroup().names
      foreignKeys.append(reader.takeReference(from: names))
    } else {
      _ = reader.takeOne()
    }
  }
}

extension ColumnClauses.Clause {
  /// The word behind ON CONFLICT; nil where there is none, and for ABORT.
  var conflict: String? {
    var reader = TokenReader(tokens)
    while !reader.isAtEnd {
      if let conflict = reader.takeConflict() { return conflict }
      _ = reader.takeOne()
    }
    return nil
  }
}

extension DeclarationToken {
  /// What the token names where nothing but a name can stand: SQLite takes a text for one too.
  var anyName: String? {
    guard kind == .literal else { return name }
    var scanner = SQLScanner(text)
    return scanner.next().map(scanner.unquoted)
  }
}

extension [DeclarationToken] {
  /// The columns of a list, without COLLATE and the order behind each.
  fileprivate var names: [String] {
    var reader = TokenReader(self)
    var names: [String] = []
    while !reader.isAtEnd {
      if let name = reader.takeUpToComma().first?.anyName { names.append(name) }
    }
    return names
  }
}

private struct TokenReader {
  private let tokens: [DeclarationToken]
  private var position = 0

  init(_ tokens: [DeclarationToken]) {
    self.tokens = tokens
  }

  var isAtEnd: Bool { position >= tokens.count }
  var rest: ArraySlice<DeclarationToken> { tokens[position...] }

  var isAtTableConstraint: Bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains(word)
  }

  var isAtColumnConstraint: Bool {
    [
      "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE",
      "REFERENCES", "GENERATED", "AS",
    ].contains(word)
  }

  private var word: String? { isAtEnd ? nil : tokens[position].word }

  func isAtSymbol(_ symbol: String) -> Bool { !isAtEnd && tokens[position].isSymbol(symbol) }

  mutating func take(_ word: String) -> Bool {
    guard self.word == word else { return false }
    position += 1
    return true
  }

  mutating func takeOne() -> [DeclarationToken] {
    guard !isAtEnd else { return [] }
    position += 1
    return [tokens[position - 1]]
  }

  /// All up to the next comma outside of parentheses, which is passed over.
  mutating func takeUpToComma() -> [DeclarationToken] {
    let start = position
    var depth = 0
    while !isAtEnd {
      if isAtSymbol("(") { depth += 1 }
      if isAtSymbol(")") { depth -= 1 }
      position += 1
      if depth == 0, tokens[position - 1].isSymbol(",") {
        return Array(tokens[start..<(position - 1)])
      }
    }
    return Array(tokens[start...])
  }

  /// A parenthesis with all that is in it, if one stands here.
  mutating func takeGroupWithParentheses() -> [DeclarationToken] {
    guard isAtSymbol("(") else { return [] }
    let start = position
    var depth = 0
    while !isAtEnd {
      if isAtSymbol("(") { depth += 1 }
      if isAtSymbol(")") { depth -= 1 }
      position += 1
      if depth == 0 { break }
    }
    return Array(tokens[start..<position])
  }

  /// What stands inside a parenthesis.
  mutating func takeGroup() -> [DeclarationToken] {
    let group = takeGroupWithParentheses()
    guard group.last?.isSymbol(")") == true else { return Array(group.dropFirst()) }
    return Array(group.dropFirst().dropLast())
  }

  /// The word behind ON CONFLICT; nil where there is none, and for ABORT.
  mutating func takeConflict() -> String? {
    guard position + 2 < tokens.count, tokens[position].word == "ON",
      tokens[position + 1].word == "CONFLICT"
    else { return nil }
    position += 3
    let word = tokens[position - 1].word
    return word == "ABORT" ? nil : word
  }

  /// REFERENCES and what belongs to it.
  mutating func takeReference(from columns: [String]) -> TableFacts.ForeignKey {
    var key = TableFacts.ForeignKey(columns: columns)
    guard take("REFERENCES") else { return key }
    key.parent = takeOne().first?.anyName ?? ""
    if isAtSymbol("(") { key.parentColumns = takeGroup().names }
    while !isAtEnd {
      if take("ON") {
        let isDelete = take("DELETE")
        if !isDelete { _ = take("UPDATE") }
        var action = takeOne()
        if ["SET", "NO"].contains(action.first?.word) { action += takeOne() }
        let text = action.compactMap(\.word).joined(separator: " ")
        if isDelete { key.onDelete = text } else { key.onUpdate = text }
      } else if take("MATCH") {
        _ = takeOne()
      } else if take("NOT") {
        _ = take("DEFERRABLE")
        if take("INITIALLY") { _ = takeOne() }
      } else if take("DEFERRABLE") {
        if take("INITIALLY") { key.isDeferred = takeOne().first?.word == "DEFERRED" }
      } else {
        return key
      }
    }
    return key
  }
}
