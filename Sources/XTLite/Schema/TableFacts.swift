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
    guard let text = TableText(sql) else { return nil }
    for item in text.items {
      var reader = TokenReader(item.tokens)
      guard reader.isAtTableConstraint else {
        add(column: item.tokens)
        continue
      }
      while !reader.isAtEnd { addConstraint(from: &reader) }
    }
  }

  private mutating func add(column tokens: [DeclarationToken]) {
    guard let name = tokens.first?.anyName else { return }
    var reader = TokenReader(Array(tokens.dropFirst()))
    let type = reader.takeType()
    let clauses = ColumnClauses(reader.rest.source)
    columns.append(
      Column(
        name: name, declaredType: type.source, clauses: clauses, source: tokens.source))
    for clause in clauses.clauses { add(clause, of: name) }
  }

  private mutating func add(_ clause: ColumnClauses.Clause, of column: String) {
    var reader = TokenReader(clause.tokens)
    if reader.take("CONSTRAINT") { reader.skip() }
    switch clause.kind {
    case .primaryKey:
      primaryKey = Key(
        columns: [column], conflict: clause.conflict,
        isAutoincrement: clause.tokens.last?.word == "AUTOINCREMENT")
    case .unique:
      uniqueKeys.append(Key(columns: [column], conflict: clause.conflict))
    case .check:
      reader.skip()
      checks.append(reader.takeGroup())
    case .references:
      foreignKeys.append(reader.takeReference(from: [column]))
    default: break
    }
  }

  private mutating func addConstraint(from reader: inout TokenReader) {
    if reader.take("CONSTRAINT") { reader.skip() }
    if reader.take("PRIMARY"), reader.take("KEY") {
      let group = reader.takeGroup()
      primaryKey = Key(
        columns: group.columnNames, conflict: reader.takeConflict(),
        isAutoincrement: group.contains { $0.word == "AUTOINCREMENT" })
    } else if reader.take("UNIQUE") {
      let names = reader.takeGroup().columnNames
      uniqueKeys.append(Key(columns: names, conflict: reader.takeConflict()))
    } else if reader.take("CHECK") {
      checks.append(reader.takeGroup())
      _ = reader.takeConflict()
    } else if reader.take("FOREIGN"), reader.take("KEY") {
      let names = reader.takeGroup().columnNames
      foreignKeys.append(reader.takeReference(from: names))
    } else {
      reader.skip()
    }
  }
}

extension ColumnClauses.Clause {
  /// The word behind ON CONFLICT; nil where there is none, and for ABORT.
  var conflict: String? {
    var reader = TokenReader(tokens)
    while !reader.isAtEnd {
      if let conflict = reader.takeConflict() { return conflict }
      reader.skip()
    }
    return nil
  }
}

extension TokenReader {
  /// REFERENCES and what belongs to it.
  mutating func takeReference(from columns: [String]) -> TableFacts.ForeignKey {
    var key = TableFacts.ForeignKey(columns: columns)
    guard take("REFERENCES") else { return key }
    key.parent = takeOne().first?.anyName ?? ""
    if isAtSymbol("(") { key.parentColumns = takeGroup().columnNames }
    while !isAtEnd {
      let isDelete = take("ON", "DELETE")
      if isDelete || take("ON", "UPDATE") {
        var action = takeOne()
        if ["SET", "NO"].contains(action.first?.word) { action += takeOne() }
        let text = action.compactMap(\.word).joined(separator: " ")
        if isDelete { key.onDelete = text } else { key.onUpdate = text }
      } else if take("MATCH") {
        skip()
      } else if take("NOT", "DEFERRABLE") {
        if take("INITIALLY") { skip() }
      } else if take("DEFERRABLE") {
        if take("INITIALLY") { key.isDeferred = takeOne().first?.word == "DEFERRED" }
      } else {
        return key
      }
    }
    return key
  }
}
