/// Writes a query for FTS4. Its language has no parentheses, and what AND and OR mean depends on how
/// the library was built: so each expression has one kind of connective at most, and SQL puts the
/// expressions together.
struct FTS4Writer {
  let index: SearchIndex
  let tokens: TextTokens
  /// The column of the row's number, in SQL.
  let key: String

  private struct Term {
    var condition: SQLFragment
    /// Expressions of words that a row may be found by.
    var words: [String]
    /// All words that have to be there, where that is all that the term says.
    var plain: String?
  }

  func question(_ node: XTSearchQuery.Node) throws -> SearchQuestion? {
    guard let term = try term(node, field: nil) else { return nil }
    if let plain = term.plain {
      return SearchQuestion(form: .sets(match: plain, condition: nil))
    }
    let words = Self.isPositive(node) ? term.words.joined(separator: " OR ") : nil
    return SearchQuestion(form: .sets(match: words, condition: term.condition))
  }

  /// Whether a row can't be found without one of the words.
  private static func isPositive(_ node: XTSearchQuery.Node) -> Bool {
    switch node {
    case .words, .phrase, .near: true
    case .all(let parts): parts.contains(where: isPositive)
    case .any(let parts): parts.allSatisfy(isPositive)
    case .not: false
    case .property(_, let part): isPositive(part)
    }
  }

  private func term(_ node: XTSearchQuery.Node, field: Int?) throws -> Term? {
    switch node {
    case .words(let text, let lastWordIsPrefix):
      let pieces = SearchQuestion.pieces(of: text)
      let isPrefix = lastWordIsPrefix && SearchQuestion.endsInWord(text)
      let phrases = try pieces.enumerated().compactMap { place, piece in
        try phrase(piece, isPrefix: isPrefix && place == pieces.count - 1)
      }
      return match(phrases, field)
    case .phrase(let text):
      return match([try phrase(text, isPrefix: false)].compactMap(\.self), field)
    case .near(let texts, let distance):
      let phrases = try texts.compactMap { try phrase($0, isPrefix: false) }
      guard phrases.count > 1 else { return match(phrases, field) }
      guard distance >= 0 else { throw FTS5Writer.distanceError(distance) }
      return match([phrases.joined(separator: " NEAR/\(distance) ")], field)
    case .all(let parts):
      return join(try parts.compactMap { try term($0, field: field) }, "AND")
    case .any(let parts):
      return join(try parts.compactMap { try term($0, field: field) }, "OR")
    case .not(let part):
      guard let term = try term(part, field: field) else { return nil }
      return Term(
        condition: SQLFragment("NOT (\(term.condition.text))", term.condition.values), words: [])
    case .property(let reference, let part):
      return try term(part, field: try index.field(reference))
    }
  }

  private func match(_ phrases: [String], _ field: Int?) -> Term? {
    guard !phrases.isEmpty else { return nil }
    let expression = phrases.joined(separator: " ")
    let column = field.map { quoted(index.fields[$0].name) } ?? index.quotedName
    return Term(
      condition: SQLFragment(
        "\(key) IN (SELECT `docid` FROM \(index.quotedName) WHERE \(column) MATCH ?)",
        [.text(expression)]), words: phrases, plain: field == nil ? expression : nil)
  }

  private func join(_ terms: [Term], _ connective: String) -> Term? {
    guard terms.count > 1 else { return terms.first }
    let plain = terms.compactMap(\.plain)
    return Term(
      condition: SQLFragment(
        "(" + terms.map(\.condition.text).joined(separator: " \(connective) ") + ")",
        terms.flatMap(\.condition.values)), words: terms.flatMap(\.words),
      plain: connective == "AND" && plain.count == terms.count
        ? plain.joined(separator: " ") : nil)
  }

  /// In quotes a `*` and a `^` beside a word would still be syntax, and a quote can't be written.
  private func phrase(_ piece: String, isPrefix: Bool) throws -> String? {
    let piece = String(piece.map { "\"*^\0".contains($0) ? " " : $0 })
    guard let last = try index.tokens(of: piece, tokens).last else { return nil }
    let mark = String(decoding: FTS3Tokenizers.questionMark, as: UTF8.self)
    let own = index.tokenizer == .cjk || index.isCustom
    let bytes = Array(piece.utf8)
    let text =
      isPrefix ? String(decoding: bytes[..<min(last.end, bytes.count)], as: UTF8.self) + "*" : piece
    return "\"\(own ? mark : "")\(text)\""
  }
}

extension SearchIndex {
  var isCustom: Bool {
    if case .custom = tokenizer.kind { true } else { false }
  }
}
