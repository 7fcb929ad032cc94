/// Properties of a model, written as a literal: `[\Person.isSelected, \Person.cache]`.
public struct XTKeyPaths: ExpressibleByArrayLiteral, @unchecked Sendable {
  // Unchecked: key paths are immutable objects, and those that name a stored property, the only
  // ones that a model's options can use, capture nothing.
  let keyPaths: [AnyKeyPath]

  /// The properties `elements`.
  public init(arrayLiteral elements: AnyKeyPath...) {
    keyPaths = elements
  }

  private init(_ keyPaths: [AnyKeyPath]) {
    self.keyPaths = keyPaths
  }

  /// The properties of both, for a subclass that adds to its superclass's:
  /// `super.xt_ignored + [\Truck.draft]`.
  public static func + (left: XTKeyPaths, right: XTKeyPaths) -> XTKeyPaths {
    XTKeyPaths(left.keyPaths + right.keyPaths)
  }
}

/// Column keywords by property: `[\Person.name: .unique, \Person.age: "CHECK (age >= 0)"]`.
///
/// A property that is given twice is an error when the model is first used.
public struct XTKeywordMap: ExpressibleByDictionaryLiteral, @unchecked Sendable {
  // Unchecked: see XTKeyPaths.
  let entries: [(keyPath: AnyKeyPath, keywords: XTKeywords)]

  /// The keywords of each property.
  public init(dictionaryLiteral elements: (AnyKeyPath, XTKeywords)...) {
    entries = elements.map { (keyPath: $0.0, keywords: $0.1) }
  }

  private init(_ entries: [(keyPath: AnyKeyPath, keywords: XTKeywords)]) {
    self.entries = entries
  }

  /// The entries of both, for a subclass that adds to its superclass's.
  public static func + (left: XTKeywordMap, right: XTKeywordMap) -> XTKeywordMap {
    XTKeywordMap(left.entries + right.entries)
  }
}

/// Column names by property: `[\Person.id: "person_id"]`.
///
/// A property that is given twice is an error when the model is first used.
public struct XTNameMap: ExpressibleByDictionaryLiteral, @unchecked Sendable {
  // Unchecked: see XTKeyPaths.
  let entries: [(keyPath: AnyKeyPath, name: String)]

  /// The column name of each property.
  public init(dictionaryLiteral elements: (AnyKeyPath, String)...) {
    entries = elements.map { (keyPath: $0.0, name: $0.1) }
  }

  private init(_ entries: [(keyPath: AnyKeyPath, name: String)]) {
    self.entries = entries
  }

  /// The entries of both, for a subclass that adds to its superclass's.
  public static func + (left: XTNameMap, right: XTNameMap) -> XTNameMap {
    XTNameMap(left.entries + right.entries)
  }
}

/// SQL that is added to one column's definition: a literal such as `"UNIQUE COLLATE NOCASE"`, a
/// ready case such as `.unique`, or an array of them.
///
/// Keywords that state `NULL`, `NOT NULL` or `DEFAULT` replace what XTLite would have written.
public struct XTKeywords: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, Hashable, Sendable
{
  let pieces: [String]

  /// SQL as it is to stand behind the column's type.
  public init(stringLiteral value: String) {
    pieces = [value]
  }

  /// Several keywords, in order.
  public init(arrayLiteral elements: XTKeywords...) {
    pieces = elements.flatMap(\.pieces)
  }

  /// No two rows may hold the same value; NULL may be there often.
  public static let unique: XTKeywords = "UNIQUE"

  /// No row may hold NULL.
  public static let notNull: XTKeywords = "NOT NULL"

  /// ASCII letters compare without regard to case.
  public static let noCase: XTKeywords = "COLLATE NOCASE"

  /// The SQL text of all keywords.
  var text: String { pieces.joined(separator: " ") }

  /// The bare words outside of parentheses, quotes and comments, in upper case.
  var words: [String] { Self.words(of: text) }

  var isUnique: Bool { words.contains("UNIQUE") }

  static func words(of sql: String) -> [String] {
    let scanner = SQLScanner(sql)
    var words: [String] = []
    var depth = 0
    for token in scanner {
      switch token.kind {
      case .openParenthesis: depth += 1
      case .closeParenthesis: depth -= 1
      case .word where depth == 0: words.append(scanner.text(of: token).uppercased())
      default: break
      }
    }
    return words
  }
}
