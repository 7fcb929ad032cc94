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

  /// By bytes, as SQLite reads: a quote with a combining mark behind it is still a quote.
  static func words(of sql: String) -> [String] {
    let bytes = Array(sql.utf8)
    var words: [String] = []
    var depth = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if let end = endOfSkipped(bytes, at: index) {
        index = end
      } else if isWordByte(byte) {
        let end = bytes[index...].firstIndex { !isWordByte($0) } ?? bytes.count
        if depth == 0, !isDigit(byte) {
          words.append(String(decoding: bytes[index..<end], as: UTF8.self).uppercased())
        }
        index = end
      } else {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        index += 1
      }
    }
    return words
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || isDigit(byte) || byte >= 0x80
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
  }

  /// Where a quoted text, name or comment that begins at `start` ends; nil where none begins.
  private static func endOfSkipped(_ bytes: [UInt8], at start: Int) -> Int? {
    func end(after closing: [UInt8], from index: Int) -> Int {
      var index = index
      while index < bytes.count {
        if bytes[index...].starts(with: closing) { return index + closing.count }
        index += 1
      }
      return bytes.count
    }
    let rest = bytes[start...]
    switch bytes[start] {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      // A doubled quote ends one text and begins the next, which comes to the same here.
      return end(after: [bytes[start]], from: start + 1)
    case UInt8(ascii: "["): return end(after: Array("]".utf8), from: start + 1)
    case UInt8(ascii: "-") where rest.starts(with: "--".utf8):
      return end(after: Array("\n".utf8), from: start + 2)
    case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
      return end(after: Array("*/".utf8), from: start + 2)
    default: return nil
    }
  }
}
