/// A list of tokens, read from its beginning to its end.
struct TokenReader {
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

  func isAt(_ word: String) -> Bool { self.word == word }

  /// Passes the words over where all of them stand here, in this order.
  mutating func take(_ words: String...) -> Bool {
    guard tokens[position...].prefix(words.count).map(\.word) == words else { return false }
    position += words.count
    return true
  }

  /// Passes one token over, if there is one.
  mutating func skip() {
    if !isAtEnd { position += 1 }
  }

  /// Passes a parenthesis over with all that is in it, if one stands here.
  ///
  /// Not by dropping what `takeGroupWithParentheses` gives: the optimizer of Swift 6.3 takes such an
  /// array away, and releases its tokens once too often.
  mutating func skipGroup() {
    guard isAtSymbol("(") else { return }
    var depth = 0
    repeat {
      if isAtSymbol("(") { depth += 1 }
      if isAtSymbol(")") { depth -= 1 }
      skip()
    } while depth > 0 && !isAtEnd
  }

  mutating func takeOne() -> [DeclarationToken] {
    guard !isAtEnd else { return [] }
    position += 1
    return [tokens[position - 1]]
  }

  /// A column's type: all up to its first clause.
  mutating func takeType() -> [DeclarationToken] {
    var type: [DeclarationToken] = []
    while !isAtEnd, !isAtColumnConstraint {
      type += isAtSymbol("(") ? takeGroupWithParentheses() : takeOne()
    }
    return type
  }

  /// All up to the next comma outside of parentheses, which is passed over.
  mutating func takeUpToComma() -> [DeclarationToken] {
    let start = position
    while !isAtEnd, !isAtSymbol(",") {
      if isAtSymbol("(") { skipGroup() } else { skip() }
    }
    defer { skip() }
    return Array(tokens[start..<position])
  }

  /// A parenthesis with all that is in it, if one stands here.
  mutating func takeGroupWithParentheses() -> [DeclarationToken] {
    let start = position
    skipGroup()
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
}

extension DeclarationToken {
  /// What the token names where nothing but a name can stand: SQLite takes a text for one too.
  var anyName: String? {
    guard kind == .literal else { return name }
    var scanner = SQLScanner(text)
    return scanner.next().map(scanner.unquoted)
  }
}

extension DeclarationToken {
  /// Whether it is a name in double quotes, for which SQLite takes a text where there is no such
  /// column.
  func isDoubleQuoted(_ name: String) -> Bool {
    text.hasPrefix("\"") && self.name.map(SQLiteName.init) == SQLiteName(name)
  }
}

extension [DeclarationToken] {
  /// The columns of a list, without COLLATE and the order behind each.
  var columnNames: [String] {
    var reader = TokenReader(self)
    var names: [String] = []
    while !reader.isAtEnd {
      if let name = reader.takeUpToComma().first?.anyName { names.append(name) }
    }
    return names
  }
}
