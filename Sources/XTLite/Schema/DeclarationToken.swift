/// One token of a declaration: what ``SQLScanner`` gives, with numbers and blobs in one piece.
struct DeclarationToken: Sendable, Equatable {
  enum Kind: Sendable {
    /// A keyword or a bare name.
    case word
    /// A name in backticks, double quotes or brackets.
    case quotedName
    /// A text or blob literal.
    case literal
    case number
    /// One character, parentheses and commas included.
    case symbol
    /// Quotes that never close.
    case unterminated
  }

  private(set) var kind: Kind
  /// The token as it was written.
  private(set) var text: String
  /// The blanks and comments before it.
  let gap: String

  /// The word in upper case; nil for everything that is not a bare word.
  var word: String? { kind == .word ? text.uppercased() : nil }

  /// What the token names, without quotes; nil for what can be no name.
  var name: String? {
    switch kind {
    case .word: return text
    case .quotedName:
      var scanner = SQLScanner(text)
      return scanner.next().map(scanner.unquoted)
    default: return nil
    }
  }

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

  /// Whether a statement of the schema makes a virtual table.
  static func makesVirtualTable(_ sql: String) -> Bool {
    tokens(of: sql).prefix(2).last?.word == "VIRTUAL"
  }

  /// The tokens of `sql`. Comments are no tokens.
  static func tokens(of sql: String) -> [DeclarationToken] {
    let scanner = SQLScanner(sql)
    let bytes = Array(sql.utf8)
    var tokens: [DeclarationToken] = []
    var end = 0
    for token in scanner where !token.isComment {
      let next = DeclarationToken(
        kind: Kind(token, text: scanner.text(of: token)), text: scanner.text(of: token),
        gap: String(decoding: bytes[end..<token.range.lowerBound], as: UTF8.self))
      end = token.range.upperBound
      if tokens.last?.joins(next) == true {
        tokens[tokens.count - 1].join(next)
      } else {
        tokens.append(next)
      }
    }
    return tokens
  }

  /// Whether `next` goes on with this literal: `1` `.` `5`, `1e` `-` `5`, `x` `'00'`.
  private func joins(_ next: DeclarationToken) -> Bool {
    guard next.gap.isEmpty else { return false }
    if word == "X" { return next.kind == .literal }
    let isAfterExponent = text.last.map { "eE".contains($0) } ?? false
    switch (kind, next.kind) {
    case (.number, .number): return true
    case (.number, .symbol):
      return next.text == "." || (isAfterExponent && "+-".contains(next.text))
    case (.symbol, .number): return text == "."
    default: return false
    }
  }

  private mutating func join(_ next: DeclarationToken) {
    text += next.text
    kind = next.kind == .literal ? .literal : .number
  }
}

extension DeclarationToken.Kind {
  fileprivate init(_ token: SQLScanner.Token, text: String) {
    if !token.isClosed {
      self = .unterminated
      return
    }
    switch token.kind {
    case .word: self = .word
    case .number: self = .number
    case .text: self = .literal
    case .name, .doubleQuoted: self = .quotedName
    default: self = .symbol
    }
  }
}

extension Sequence<DeclarationToken> {
  /// The SQL from the first token to the last, with what stood between them.
  var source: String {
    var text = ""
    var isFirst = true
    for token in self {
      text += isFirst ? token.text : token.gap + token.text
      isFirst = false
    }
    return text
  }

  /// Why the tokens are not one piece of a declaration; nil where they are.
  func problem(allowingCommas: Bool) -> String? {
    var depth = 0
    var isEmpty = true
    for token in self {
      isEmpty = false
      if token.kind == .unterminated { return "has a quote that does not close" }
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if depth < 0 { return "closes a parenthesis too many" }
      if token.isSymbol(";") { return "has a semicolon" }
      if token.isSymbol(","), depth == 0, !allowingCommas { return "has a comma" }
    }
    if depth > 0 { return "has a parenthesis that does not close" }
    return isEmpty ? "is empty" : nil
  }
}
