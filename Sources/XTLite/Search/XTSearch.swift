/// What of a model is found by its words.
///
/// ```swift
/// static var xt_search: XTSearch { XTSearch([\Note.title, \Note.body], prefixes: [2, 3]) }
///
/// let hits = try Note.xt_search("apple pie", limit: 20)
/// ```
///
/// The index over the words is made with the table, and follows every write to it, also of raw SQL
/// and of other programs. Where the declaration differs from what the file has, the index is made
/// anew of the rows at the next write or search. See <doc:Search>.
public struct XTSearch: Sendable {
  let columns: [ColumnReference]
  let tokenizer: XTSearchTokenizer
  let prefixes: [Int]
  let weights: [(column: ColumnReference, weight: Double)]
  /// The FTS that the index is made of; tests take the older one.
  var engine = FullTextEngine.linked

  /// The properties whose words are found.
  ///
  /// - Parameters:
  ///   - properties: Properties that are text: `String`, `String?`, or an enum of these. Another one
  ///     makes the first use throw `schema`.
  ///   - tokenizer: How a text is taken apart into words.
  ///   - prefixes: Lengths of beginnings, in characters, that are kept as well: with 2 and 3 `ap*` and
  ///     `app*` are found as fast as a word. It makes the index larger.
  ///   - weights: How much a word in a property counts, 1 where nothing is said:
  ///     `[\Note.title: 10]`.
  public init(
    _ properties: XTKeyPaths, tokenizer: XTSearchTokenizer = .words, prefixes: [Int] = [],
    weights: XTSearchWeights = [:]
  ) {
    columns = properties.keyPaths.map { .keyPath($0) }
    self.tokenizer = tokenizer
    self.prefixes = prefixes
    self.weights = weights.entries
  }

  /// Nothing: the model is not searched.
  public static let none = XTSearch([])

  var isDeclared: Bool { !columns.isEmpty }
}

/// How much a word counts by the property in which it stands: `[\Note.title: 10, \Note.body: 1]`.
public struct XTSearchWeights: ExpressibleByDictionaryLiteral, Sendable {
  let entries: [(column: ColumnReference, weight: Double)]

  /// The weight of each property: a finite number, not negative.
  public init(dictionaryLiteral elements: (AnyKeyPath, Double)...) {
    entries = elements.map { (column: .keyPath($0.0), weight: $0.1) }
  }
}

/// How a text is taken apart into the words that a search finds.
public struct XTSearchTokenizer: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case words, wordsExact, porter, trigram
    case cjk(pinyin: Bool)
    case custom(String)
  }

  let kind: Kind

  /// Words of every script that puts spaces between them, without case and diacritics: `cafe` finds
  /// `Café`. Vowel signs, as those of Hindi, and the points of Arabic and Hebrew count.
  public static let words = XTSearchTokenizer(kind: .words)
  /// Words without case; diacritics count.
  public static let wordsExact = XTSearchTokenizer(kind: .wordsExact)
  /// English words by their stems: `connected` finds `connection`.
  public static let porter = XTSearchTokenizer(kind: .porter)
  /// Any part of a text, without case. A search for less than three characters looks through all
  /// rows. It needs FTS5 and SQLite 3.34. Every program that has those can write the table.
  public static let trigram = XTSearchTokenizer(kind: .trigram)
  /// Chinese, Japanese, Korean and digits by any part of the text; other scripts by their words,
  /// without case and diacritics, nor the points of Arabic and Hebrew; vowel signs count. Only
  /// programs with XTLite can write the table.
  public static let cjk = XTSearchTokenizer(kind: .cjk(pinyin: false))

  /// The same, and Chinese by its readings, too: `pingguo` finds 苹果. The readings are those of
  /// Unicode's tables, without tones, of the 27,584 characters that are in common use; a character of
  /// several readings is found by each. Tones may be typed, as `nǐhǎo` or `ni3hao3`, and `ü` as `ü`, `v` or
  /// `u:`. The index is about twice as large.
  public static func cjk(pinyin: Bool) -> XTSearchTokenizer {
    XTSearchTokenizer(kind: .cjk(pinyin: pinyin))
  }

  var isCJK: Bool { if case .cjk = kind { true } else { false } }
  var hasPinyin: Bool { kind == .cjk(pinyin: true) }

  /// One of the program's own, by the name under which ``XTConfiguration/add(tokenizer:named:)`` has
  /// got it. Only programs that have it can write the table.
  public static func custom(_ name: String) -> XTSearchTokenizer {
    XTSearchTokenizer(kind: .custom(name))
  }
}
