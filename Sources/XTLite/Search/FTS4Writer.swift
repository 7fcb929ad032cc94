/// Writes a query for FTS4. Its language has no parentheses, and what AND and OR mean depends on how
/// the library was built: so each expression has one kind of connective at most, and SQL puts the
/// expressions together.
struct FTS4Writer {
  let index: SearchIndex
  let tokens: TextTokens
  /// The column of the row's number, in SQL.
  let key: String

  /// What FTS4 takes: a balanced tree of twelve levels, and a chain of `NEAR`s as long.
  static let limits =
    "at most 4,095 different words in a search, and 13 in a .near; leave some out, or take an SQLite"
    + " that was built with FTS5"

  /// In place of a property: the one inside of another, in which nothing can be.
  private static let nowhere = -1

  private struct Phrase {
    var text: String
    var found: SearchQuestion.Phrase

    init(text: String, extras: [Int]) {
      self.text = text
      found = SearchQuestion.Phrase(extras: extras)
    }

    func of(_ field: Int?) -> Phrase {
      var phrase = self
      phrase.found.field = field
      return phrase
    }
  }

  private struct Term {
    var condition: SQLFragment
    /// What a row may be found by.
    var phrases: [Phrase]
    /// All that has to be there, where that is all that the term says.
    var isPlain = false
    /// The one property in which all of the phrases have to be, where that is all.
    var field: Int?
    var plain: String? { isPlain ? FTS4Writer.all(phrases) : nil }
  }

  private static func all(_ phrases: [Phrase]) -> String {
    phrases.map(\.text).joined(separator: " ")
  }

  func question(_ node: XTSearchQuery.Node) throws -> SearchQuestion? {
    guard let term = try term(node, field: nil) else { return nil }
    let phrases = term.phrases.map(\.found)
    if let plain = term.plain {
      return SearchQuestion(form: .sets(match: plain, condition: nil), phrases: phrases)
    }
    guard Self.isPositive(node), !phrases.isEmpty else {
      return SearchQuestion(form: .sets(match: nil, condition: term.condition))
    }
    let words = term.phrases.map(\.text).joined(separator: " OR ")
    return SearchQuestion(form: .sets(match: words, condition: term.condition), phrases: phrases)
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
      let terms = try pieces.enumerated().compactMap { place, piece in
        try word(piece, isPrefix: isPrefix && place == pieces.count - 1, field)
      }
      return join(terms, "AND")
    case .phrase(let text):
      return try word(text, isPrefix: false, field)
    case .near(let texts, let distance):
      let phrases = try texts.compactMap { try phrase($0, isPrefix: false) }
      guard phrases.count > 1 else { return match(phrases, field) }
      guard distance >= 0 else { throw FTS5Writer.distanceError(distance) }
      let within = min(distance, FTS5Writer.farthest)
      let near = phrases.map(\.text).joined(separator: " NEAR/\(within) ")
      var term = match(phrases, field)
      term?.condition = condition(near, field)
      term?.isPlain = false
      term?.field = nil
      return term
    case .all(let parts):
      return join(try parts.compactMap { try term($0, field: field) }, "AND")
    case .any(let parts):
      return join(try parts.compactMap { try term($0, field: field) }, "OR")
    case .not(let part):
      guard let term = try term(part, field: field) else { return nil }
      return Term(
        condition: SQLFragment("NOT (\(term.condition.text))", term.condition.values), phrases: [])
    case .property(let reference, let part):
      let inner = try index.field(reference)
      return try term(part, field: field == nil || field == inner ? inner : Self.nowhere)
    }
  }

  private func condition(_ expression: String, _ field: Int?) -> SQLFragment {
    if field == Self.nowhere { return SQLFragment("0") }
    let column = field.map { quoted(index.fields[$0].name) } ?? index.quotedName
    return SQLFragment(
      "\(key) IN (SELECT `docid` FROM \(index.quotedName) WHERE \(column) MATCH ?)",
      [.text(expression)])
  }

  private func match(_ phrases: [Phrase], _ field: Int?) -> Term? {
    guard !phrases.isEmpty else { return nil }
    if field == Self.nowhere { return Term(condition: condition("", field), phrases: []) }
    return Term(
      condition: condition(Self.all(phrases), field), phrases: phrases.map { $0.of(field) },
      isPlain: field == nil, field: field)
  }

  private func join(_ terms: [Term], _ connective: String) -> Term? {
    guard terms.count > 1 else { return terms.first }
    let phrases = terms.flatMap(\.phrases)
    let arePlain = terms.allSatisfy(\.isPlain)
    if arePlain, connective == "AND" { return match(phrases, nil) }
    if connective == "AND", let field = terms[0].field,
      terms.allSatisfy({ $0.field == field })
    {
      return match(phrases, field)
    }
    // SQL's own ORs could be too many.
    if arePlain, terms.allSatisfy({ $0.phrases.count == 1 }) {
      return Term(
        condition: condition(phrases.map(\.text).joined(separator: " OR "), nil), phrases: phrases)
    }
    return SQLFragment.joined(terms.map(\.condition), by: connective)
      .map { Term(condition: $0, phrases: phrases) }
  }

  /// A phrase, or what sounds like it.
  private func word(_ piece: String, isPrefix: Bool, _ field: Int?) throws -> Term? {
    let mark = String(decoding: FTS3Tokenizers.questionMark, as: UTF8.self)
    let readings = index.readings(of: piece, isPrefix: isPrefix).map { reading in
      let count = reading.utf8.count { $0 == Pinyin.questionMark }
      return Phrase(
        text: "\"\(mark)\(reading)\(isPrefix ? "*" : "")\"",
        extras: [Int](repeating: 0, count: count))
    }
    let phrases = [try phrase(piece, isPrefix: isPrefix)].compactMap { $0 } + readings
    guard phrases.count > 1, field != Self.nowhere else { return match(phrases, field) }
    return Term(
      condition: condition(phrases.map(\.text).joined(separator: " OR "), field),
      phrases: phrases.map { $0.of(field) })
  }

  /// In quotes a `*` and a `^` beside a word would still be syntax, and a quote can't be written.
  private func phrase(_ piece: String, isPrefix: Bool) throws -> Phrase? {
    let piece = String(index.withoutMarks(piece).map { "\"*^\0".contains($0) ? " " : $0 })
    let found = try tokens.tokens(of: piece, isQuestion: true)
    guard let last = found.last else { return nil }
    let mark = String(decoding: FTS3Tokenizers.questionMark, as: UTF8.self)
    let own = index.tokenizer.isCJK || index.isCustom
    let bytes = Array(piece.utf8)
    let text =
      isPrefix ? String(decoding: bytes[..<min(last.end, bytes.count)], as: UTF8.self) + "*" : piece
    return Phrase(
      text: "\"\(own ? mark : "")\(text)\"", extras: found.map { index.extra([$0], of: piece) })
  }
}

extension SearchIndex {
  var isCustom: Bool {
    if case .custom = tokenizer.kind { true } else { false }
  }
}
