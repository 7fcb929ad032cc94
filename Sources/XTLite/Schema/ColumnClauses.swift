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

    /// Whether it ends in `ON CONFLICT …`.
    var hasConflictClause: Bool {
      tokens.indices.dropLast().contains {
        tokens[$0].word == "ON" && tokens[$0 + 1].word == "CONFLICT"
      }
    }
  }

  private(set) var clauses: [Clause] = []

  init(_ sql: String) {
    var reader = ClauseReader(tokens: DeclarationToken.tokens(of: sql))
    while let clause = reader.next() { clauses.append(clause) }
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

private struct ClauseReader {
  private let tokens: [DeclarationToken]
  private var position = 0

  init(tokens: [DeclarationToken]) { self.tokens = tokens }

  mutating func next() -> ColumnClauses.Clause? {
    guard position < tokens.count else { return nil }
    let start = position
    if take("CONSTRAINT") { skipOne() }
    let kind = readKind()
    // A lone CONSTRAINT at the end has nothing behind it.
    if position == start { position += 1 }
    return ColumnClauses.Clause(kind: kind, tokens: Array(tokens[start..<position]))
  }

  private mutating func readKind() -> ColumnClauses.Kind {
    if take("NULL") {
      takeConflict()
      return .null
    }
    if word(at: position) == "NOT", word(at: position + 1) == "NULL" {
      position += 2
      takeConflict()
      return .notNull
    }
    if take("DEFAULT") {
      takeValue()
      return .defaultValue
    }
    if take("UNIQUE") {
      takeConflict()
      return .unique
    }
    if word(at: position) == "PRIMARY", word(at: position + 1) == "KEY" {
      position += 2
      if !take("ASC") { _ = take("DESC") }
      takeConflict()
      _ = take("AUTOINCREMENT")
      return .primaryKey
    }
    if take("CHECK") {
      takeGroup()
      return .check
    }
    if take("COLLATE") {
      skipOne()
      return .collate
    }
    if take("REFERENCES") {
      takeReference()
      return .references
    }
    if word(at: position) == "GENERATED" || word(at: position) == "AS" {
      if take("GENERATED") { _ = take("ALWAYS") }
      _ = take("AS")
      takeGroup()
      if !take("STORED") { _ = take("VIRTUAL") }
      return .generated
    }
    skipOne()
    return .other
  }

  private mutating func takeReference() {
    skipOne()
    takeGroup()
    while true {
      if word(at: position) == "ON", ["DELETE", "UPDATE"].contains(word(at: position + 1)) {
        position += 2
        // SET NULL, SET DEFAULT and NO ACTION are two words.
        if !take("SET") { _ = take("NO") }
        skipOne()
      } else if take("MATCH") {
        skipOne()
      } else if word(at: position) == "DEFERRABLE"
        || (word(at: position) == "NOT" && word(at: position + 1) == "DEFERRABLE")
      {
        _ = take("NOT")
        _ = take("DEFERRABLE")
        if take("INITIALLY") { skipOne() }
      } else {
        return
      }
    }
  }

  private mutating func takeValue() {
    if position < tokens.count, tokens[position].isSymbol("(") { return takeGroup() }
    if position < tokens.count, tokens[position].isSymbol("-") || tokens[position].isSymbol("+") {
      position += 1
    }
    skipOne()
  }

  private mutating func takeConflict() {
    guard word(at: position) == "ON", word(at: position + 1) == "CONFLICT" else { return }
    position += 2
    skipOne()
  }

  /// A parenthesis with all that is in it, if one stands here.
  private mutating func takeGroup() {
    guard position < tokens.count, tokens[position].isSymbol("(") else { return }
    var depth = 0
    while position < tokens.count {
      if tokens[position].isSymbol("(") { depth += 1 }
      if tokens[position].isSymbol(")") { depth -= 1 }
      position += 1
      if depth == 0 { return }
    }
  }

  private mutating func take(_ word: String) -> Bool {
    guard self.word(at: position) == word else { return false }
    position += 1
    return true
  }

  private mutating func skipOne() {
    if position < tokens.count { position += 1 }
  }

  private func word(at index: Int) -> String? {
    index < tokens.count ? tokens[index].word : nil
  }
}
