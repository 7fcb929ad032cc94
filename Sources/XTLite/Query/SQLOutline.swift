/// What of a piece of SQL could reach beyond it.
struct SQLOutline {
  /// How many more parentheses are opened than closed.
  private(set) var depth = 0
  /// Whether one is closed that was opened before the piece.
  private(set) var leavesParentheses = false
  private(set) var hasSemicolon = false
  private(set) var isEmpty = true
  /// What ends an expression outside of all parentheses: a comma, or a clause's first word.
  private(set) var end: String?

  private static let clauses: Set = [
    "SELECT", "VALUES", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW", "UNION",
    "INTERSECT", "EXCEPT", "RETURNING",
  ]

  init(_ text: String) {
    let scanner = SQLScanner(text)
    var last: (kind: SQLScanner.Token.Kind, word: String)?
    for token in scanner where !token.isComment {
      isEmpty = false
      let word = token.kind == .word ? scanner.text(of: token).uppercased() : ""
      switch token.kind {
      case .openParenthesis: depth += 1
      case .closeParenthesis:
        depth -= 1
        if depth < 0 { leavesParentheses = true }
      case .semicolon: hasSemicolon = true
      case .other where depth == 0 && end == nil && scanner.text(of: token) == ",": end = ","
      case .word where depth == 0 && end == nil && Self.clauses.contains(word):
        // `a IS DISTINCT FROM b`, and a column's name behind its table's.
        if last?.word != "DISTINCT", last?.kind != .dot { end = word }
      default: break
      }
      last = (token.kind, word)
    }
  }
}

extension SQLText {
  /// - Throws: `sqlite` where a text is more, or less, than one expression.
  static func checkExpression(_ text: String) throws {
    let outline = SQLOutline(text)
    let (message, hint): (String, String)
    if outline.isEmpty {
      (message, hint) = ("the expression is empty", "write NULL for no value")
    } else if outline.hasSemicolon {
      (message, hint) = (
        "an expression cannot hold a semicolon", "run statements with execute"
      )
    } else if outline.leavesParentheses || outline.depth != 0 {
      (message, hint) = (
        "the parentheses of the expression don't match", "close each one that is opened"
      )
    } else if let end = outline.end {
      (message, hint) = (
        "an expression ends before \(end)",
        "write one expression for each value, and a subquery in parentheses"
      )
    } else {
      return
    }
    throw XTError(.sqlite, message, hint: hint, sql: text)
  }
}
