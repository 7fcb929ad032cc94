/// Writes a query in the language of FTS5, in which every text stands in quotes.
struct FTS5Writer {
  let index: SearchIndex
  let tokens: TextTokens

  /// A part of the expression, with the extras of its phrases in their order.
  private struct Term {
    var text: String
    var extras: [Int]
    /// Whether the part is what the expression does not find: FTS5 has no NOT of one operand.
    var isComplement = false
  }

  func question(_ node: XTSearchQuery.Node) throws -> SearchQuestion? {
    try term(node).map {
      SearchQuestion(
        form: .match($0.text, isComplement: $0.isComplement), extras: $0.extras)
    }
  }

  private func term(_ node: XTSearchQuery.Node) throws -> Term? {
    switch node {
    case .words(let text, let lastWordIsPrefix):
      let pieces = SearchQuestion.pieces(of: text)
      let isPrefix = lastWordIsPrefix && SearchQuestion.endsInWord(text)
      let terms = try pieces.enumerated().compactMap { place, piece in
        try word(piece, isPrefix: isPrefix && place == pieces.count - 1)
      }
      return join(terms, "AND")
    case .phrase(let text):
      return try word(text, isPrefix: false)
    case .near(let texts, let distance):
      let terms = try texts.compactMap { try phrase($0, isPrefix: false) }
      guard terms.count > 1 else { return terms.first }
      guard distance >= 0 else { throw Self.distanceError(distance) }
      return Term(
        text: "NEAR(\(terms.map(\.text).joined(separator: " ")), \(min(distance, Self.farthest)))",
        extras: terms.flatMap(\.extras))
    case .all(let parts):
      return conjunction(try parts.compactMap(term))
    case .any(let parts):
      // What one of them or another finds is what not all of their opposites find.
      return conjunction(try parts.compactMap(term).map(opposite)).map(opposite)
    case .not(let part):
      return try term(part).map(opposite)
    case .property(let reference, let part):
      let field = try index.field(reference)
      guard var term = try term(part) else { return nil }
      let name = index.fields[field].name.replacing("\"", with: "\"\"")
      term.text = "{\"\(name)\"} : (\(term.text))"
      return term
    }
  }

  /// SQLite counts in 32 bits.
  static let farthest = 1_000_000_000

  static func distanceError(_ distance: Int) -> XTError {
    XTError(
      .valueOutOfRange, "\(distance) is no distance between words", hint: "0 or more")
  }

  /// A phrase, or what sounds like it.
  private func word(_ piece: String, isPrefix: Bool) throws -> Term? {
    let readings = index.readings(of: piece, isPrefix: isPrefix).map {
      Term(text: "\"\($0)\"\(isPrefix ? " *" : "")", extras: [0])
    }
    return join([try phrase(piece, isPrefix: isPrefix)].compactMap { $0 } + readings, "OR")
  }

  private func phrase(_ piece: String, isPrefix: Bool) throws -> Term? {
    var piece = index.withoutMarks(piece)
    if piece.utf8.contains(0) { piece = piece.replacing("\0", with: " ") }
    let found = try index.tokens(of: piece, tokens)
    if found?.isEmpty == true { return nil }
    let extra = found.map { index.extra($0, of: piece) } ?? 0
    if piece.utf8.contains(UInt8(ascii: "\"")) {
      piece = piece.replacing("\"", with: "\"\"")
    }
    return Term(text: "\"\(piece)\"\(isPrefix ? " *" : "")", extras: [extra])
  }

  private func opposite(_ term: Term) -> Term {
    var term = term
    term.isComplement.toggle()
    return term
  }

  private func join(_ terms: [Term], _ connective: String) -> Term? {
    guard terms.count > 1 else { return terms.first }
    return Term(
      text: "(\(terms.map(\.text).joined(separator: " \(connective) ")))",
      extras: terms.flatMap(\.extras))
  }

  private func conjunction(_ terms: [Term]) -> Term? {
    let positive = join(terms.filter { !$0.isComplement }, "AND")
    // None of them: the opposite of one or another.
    guard var negative = join(terms.filter(\.isComplement), "OR") else { return positive }
    guard let positive else {
      negative.isComplement = true
      return negative
    }
    return Term(
      text: "(\(positive.text) NOT \(negative.text))", extras: positive.extras + negative.extras)
  }
}
