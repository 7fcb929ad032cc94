/// What a program asks for, before it is known which table it is asked of.
enum SearchRequest {
  case query(XTSearchQuery)
  /// In FTS's own language.
  case raw(String)

  var isRaw: Bool { if case .raw = self { true } else { false } }
}

/// What is asked of one table's index.
struct SearchQuestion {
  enum Form {
    /// One expression of the full-text table; what it does not find, for `isComplement`.
    case match(String, isComplement: Bool)
    /// FTS4: the words that a row is ranked by, where there are any that have to be there, and what
    /// is true of its number besides.
    case sets(match: String?, condition: SQLFragment?)
    /// What is true of its texts, by a look at each row.
    case scan(SQLFragment)
  }

  /// What FTS4 looks for, of whose parts it tells each place.
  struct Phrase: Sendable {
    /// For each of its tokens how many words it has behind its first.
    var extras: [Int]
    /// The one property in which it is asked for; nil for all.
    var field: Int?
  }

  var form: Form
  /// For each phrase of the expression, how many words it has behind what its tokens are counted as.
  var extras: [Int] = []
  /// The same for each token of each phrase, for FTS4.
  var phrases: [Phrase] = []
  /// What is looked for in the texts, for a scan.
  var pieces: [ScanPiece] = []

  /// The expression by which the full-text table finds rows and ranks them, where there is one.
  var match: String? {
    switch form {
    case .match(let expression, let isComplement): isComplement ? nil : expression
    case .sets(let match, _): match
    case .scan: nil
    }
  }

  private static let maximumDepth = 100

  /// - Parameter key: The column of the row's number, in SQL.
  /// - Returns: nil for a question that says nothing.
  static func of(
    _ request: SearchRequest, _ index: SearchIndex, _ tokens: TextTokens, key: String
  ) throws -> SearchQuestion? {
    switch request {
    case .raw(let text):
      if text.utf8.allSatisfy({ $0 <= 0x20 }) { return nil }
      // SQLite would read no further.
      guard !text.utf8.contains(0) else {
        throw XTError(.sqlite, "the search expression holds a NUL character", table: index.table)
      }
      return index.engine == .fts5
        ? SearchQuestion(form: .match(text, isComplement: false))
        : SearchQuestion(form: .sets(match: text, condition: nil))
    case .query(let query):
      guard query.depth <= maximumDepth else {
        throw XTError(
          .sqlite, "the search is nested more than \(maximumDepth) levels deep",
          hint: "give .all and .any lists", table: index.table)
      }
      if index.tokenizer == .trigram {
        var scan = ScanWriter(index: index)
        if let question = try scan.question(query.node) { return question }
      }
      switch index.engine {
      case .fts5:
        return try FTS5Writer(index: index, tokens: tokens).question(query.node)
      case .fts4:
        return try FTS4Writer(index: index, tokens: tokens, key: key).question(query.node)
      }
    }
  }

  /// A text's pieces, each once, the last one at the end: what stands between blanks. A NUL, at which
  /// SQLite would stop, is one too.
  ///
  /// A word that is asked for several times would be counted as often, at each of its places.
  static func pieces(of text: String) -> [String] {
    let all = allPieces(of: text)
    guard all.count > 2, let last = all.last else { return all }
    var known: Set<String> = [last]
    return all.filter { known.insert($0).inserted } + [last]
  }

  private static func allPieces(of text: String) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.utf8.split { $0 <= 0x20 }.map { String(Substring($0)) }
    }
    return text.split { $0.isWhitespace || $0.unicodeScalars.contains("\0") }.map(String.init)
  }

  /// Whether the text's last word is the beginning of one.
  static func endsInWord(_ text: String) -> Bool { text.last.map { !$0.isWhitespace } ?? false }
}

extension SearchIndex {
  func field(_ reference: ColumnReference) throws -> Int {
    let column = try reference.column(in: mapping)
    if let place = fields.firstIndex(where: { $0.column === column }) { return place }
    throw XTError(
      .unknownColumn, "\(column.name) is not searched: \(mapping.typeName).xt_search names it not",
      hint: "name it there, and the index is made anew", table: table, column: column.name)
  }

  /// The words of a piece in a question; nil where it has some and nobody needs to know which.
  func tokens(of piece: String, _ tokens: TextTokens) throws -> [TextTokens.Token]? {
    switch tokenizer.kind {
    case .words where engine == .fts5, .wordsExact where engine == .fts5,
      .porter where engine == .fts5:
      let hasWord = piece.utf8.contains { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
      if hasWord { return nil }
    default: break
    }
    return try tokens.tokens(of: piece, isQuestion: true)
  }

  /// What a typed word may stand for by its sounds, as the tokenizer takes it from a question.
  func readings(of piece: String, isPrefix: Bool) -> [String] {
    guard tokenizer.hasPinyin else { return [] }
    let mark = String(decoding: [Pinyin.questionMark], as: UTF8.self)
    return Pinyin.readings(of: piece, isPrefix: isPrefix).map { syllables in
      syllables.map { mark + $0 }.joined()
    }
  }

  /// A piece without what only the library itself writes into questions.
  func withoutMarks(_ piece: String) -> String {
    guard tokenizer.hasPinyin, piece.utf8.contains(Pinyin.questionMark) else { return piece }
    return String(
      piece.unicodeScalars.map { $0.value == UInt32(Pinyin.questionMark) ? " " : Character($0) })
  }

  /// How many places a phrase has behind its last token: a pair of characters counts as one.
  func extra(_ found: [TextTokens.Token], of piece: String) -> Int {
    guard tokenizer.isCJK, let last = found.last else { return 0 }
    let text = Array(piece.utf8)[last.start..<last.end]
    let characters = CJKTokenizer.tokenCount(of: Array(text))
    return max(characters - 1, 0)
  }
}
