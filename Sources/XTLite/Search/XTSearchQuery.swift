/// What is searched for, put together of parts.
///
/// ```swift
/// try Note.xt_searchWhere(.all("apple", .prefix("pi")) && .not("crust"))
/// try Note.xt_searchWhere(.in(\Note.title, "apple" || .phrase("sour cherry")))
/// ```
///
/// Every text in it is text and never syntax: quotes, `*`, `-` and parentheses mean nothing. A text
/// without a word, such as "" or "?!", says nothing: the rest of the query holds without it, and a
/// query that says nothing at all finds nothing.
public struct XTSearchQuery: Sendable, ExpressibleByStringInterpolation {
  indirect enum Node: Sendable {
    case words(String, lastWordIsPrefix: Bool)
    case phrase(String)
    case near([String], within: Int)
    case all([Node])
    case any([Node])
    case not(Node)
    case property(ColumnReference, Node)
  }

  let node: Node
  /// How many levels deep it is.
  let depth: Int

  private init(_ node: Node, depth: Int = 1) {
    self.node = node
    self.depth = depth
  }

  /// Rows that have all words of the text, as `.words(_:)`.
  public init(stringLiteral value: String) {
    self.init(.words(value, lastWordIsPrefix: false))
  }

  /// Rows that have all words of the text, in whatever order and property.
  ///
  /// - Parameters:
  ///   - text: The words, with blanks between them. What is written in one piece, such as
  ///     `user-friendly`, has to stand in the row as one.
  ///   - lastWordIsPrefix: Whether the last word may go on, as while somebody types. A blank at the
  ///     text's end says that it is whole.
  public static func words(_ text: String, lastWordIsPrefix: Bool = false) -> XTSearchQuery {
    XTSearchQuery(.words(text, lastWordIsPrefix: lastWordIsPrefix))
  }

  /// Rows that have the words one behind the other.
  public static func phrase(_ text: String) -> XTSearchQuery { XTSearchQuery(.phrase(text)) }

  /// Rows that have words which begin so. Of several words the last one is the beginning of a word.
  public static func prefix(_ text: String) -> XTSearchQuery {
    .words(text, lastWordIsPrefix: true)
  }

  /// Rows in a property of which the words, or phrases, stand near each other.
  ///
  /// - Parameters:
  ///   - texts: Two or more.
  ///   - distance: The most words that may stand between the first and the last of them.
  public static func near(_ texts: String..., within distance: Int = 10) -> XTSearchQuery {
    XTSearchQuery(.near(texts, within: distance))
  }

  /// Rows that meet all of the parts.
  public static func all(_ parts: XTSearchQuery...) -> XTSearchQuery { .all(parts) }

  /// Rows that meet all of the parts.
  public static func all(_ parts: [XTSearchQuery]) -> XTSearchQuery {
    XTSearchQuery(.all(parts.map(\.node)), depth: depth(of: parts))
  }

  /// Rows that meet one of the parts or more.
  public static func any(_ parts: XTSearchQuery...) -> XTSearchQuery { .any(parts) }

  /// Rows that meet one of the parts or more.
  public static func any(_ parts: [XTSearchQuery]) -> XTSearchQuery {
    XTSearchQuery(.any(parts.map(\.node)), depth: depth(of: parts))
  }

  /// Rows that don't meet a part.
  public static func not(_ part: XTSearchQuery) -> XTSearchQuery {
    XTSearchQuery(.not(part.node), depth: part.depth + 1)
  }

  /// Rows that meet a part in one property. Inside of one property nothing is found in another.
  ///
  /// - Parameters:
  ///   - property: One of those that the model's `xt_search` names.
  ///   - part: What is to be found there.
  public static func `in`(_ property: AnyKeyPath, _ part: XTSearchQuery) -> XTSearchQuery {
    XTSearchQuery(.property(.keyPath(property), part.node), depth: part.depth + 1)
  }

  /// Rows that meet both.
  public static func && (left: XTSearchQuery, right: XTSearchQuery) -> XTSearchQuery {
    if case .all(let parts) = left.node {
      return XTSearchQuery(.all(parts + [right.node]), depth: max(left.depth, right.depth + 1))
    }
    return .all(left, right)
  }

  /// Rows that meet one of them, or both.
  public static func || (left: XTSearchQuery, right: XTSearchQuery) -> XTSearchQuery {
    if case .any(let parts) = left.node {
      return XTSearchQuery(.any(parts + [right.node]), depth: max(left.depth, right.depth + 1))
    }
    return .any(left, right)
  }

  /// Rows that don't meet it.
  public static prefix func ! (part: XTSearchQuery) -> XTSearchQuery { .not(part) }

  private static func depth(of parts: [XTSearchQuery]) -> Int {
    (parts.map(\.depth).max() ?? 0) + 1
  }
}
