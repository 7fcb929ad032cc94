/// The clauses of one column's declaration: what stands behind its name and type.
///
/// Words are read where they act: the NULL of `ON DELETE SET NULL`, or a DEFAULT inside a text or a
/// check, is no clause.
struct ColumnClauses: Sendable {
  enum Kind: Sendable {
    case null, notNull, defaultValue, unique, primaryKey, check, collate, references, generated
    /// Anything else, kept as it stands.
    case other
  }

  struct Clause: Sendable {
    let kind: Kind
    let tokens: [DeclarationToken]
    var text: String { tokens.source }
  }

  private(set) var clauses: [Clause] = []

  init(_ sql: String) {
    var reader = TokenReader(DeclarationToken.tokens(of: sql))
    while let clause = reader.takeClause() { clauses.append(clause) }
  }

  private init(_ clauses: [Clause]) { self.clauses = clauses }

  func has(_ kind: Kind) -> Bool { clauses.contains { $0.kind == kind } }

  func first(_ kind: Kind) -> Clause? { clauses.first { $0.kind == kind } }

  func without(_ kinds: Kind...) -> ColumnClauses {
    ColumnClauses(clauses.filter { !kinds.contains($0.kind) })
  }

  /// Whether NULL, NOT NULL or DEFAULT is stated, which replaces the automatic clause.
  var statesNullability: Bool { has(.null) || has(.notNull) || has(.defaultValue) }

  /// Whether the stated default is anything but NULL.
  var hasDefaultOtherThanNull: Bool {
    first(.defaultValue).map { $0.tokens.last?.word != "NULL" } ?? false
  }

  var text: String { clauses.map(\.text).joined(separator: " ") }
}

extension TokenReader {
  /// The clause that stands here; nil at the end.
  fileprivate mutating func takeClause() -> ColumnClauses.Clause? {
    if isAtEnd { return nil }
    let start = rest
    if take("CONSTRAINT") { skip() }
    let kind = takeKind()
    return ColumnClauses.Clause(kind: kind, tokens: Array(start.dropLast(rest.count)))
  }

  private mutating func takeKind() -> ColumnClauses.Kind {
    if take("NULL") {
      _ = takeConflict()
      return .null
    }
    if take("NOT", "NULL") {
      _ = takeConflict()
      return .notNull
    }
    if take("DEFAULT") {
      takeValue()
      return .defaultValue
    }
    if take("UNIQUE") {
      _ = takeConflict()
      return .unique
    }
    if take("PRIMARY", "KEY") {
      if !take("ASC") { _ = take("DESC") }
      _ = takeConflict()
      _ = take("AUTOINCREMENT")
      return .primaryKey
    }
    if take("CHECK") {
      skipGroup()
      return .check
    }
    if take("COLLATE") {
      skip()
      return .collate
    }
    if isAt("REFERENCES") {
      _ = takeReference(from: [])
      return .references
    }
    if isAt("GENERATED") || isAt("AS") {
      if take("GENERATED") { _ = take("ALWAYS") }
      _ = take("AS")
      skipGroup()
      if !take("STORED") { _ = take("VIRTUAL") }
      return .generated
    }
    skip()
    return .other
  }

  private mutating func takeValue() {
    if isAtSymbol("(") {
      skipGroup()
      return
    }
    if isAtSymbol("-") || isAtSymbol("+") { skip() }
    skip()
  }
}
