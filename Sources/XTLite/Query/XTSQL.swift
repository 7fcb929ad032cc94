/// SQL text with its values: a whole statement, or a piece of one.
///
/// ```swift
/// let who = "O'Brien"
/// let sql: XTSQL = "SELECT \(\Person.age) FROM \(Person.self) WHERE \(\Person.name) = \(who)"
/// sql.sql      // SELECT `age` FROM `Person` WHERE `name` = ?
/// sql.values   // [text("O'Brien")]
/// ```
///
/// It is written as a literal. Whatever is interpolated is bound as a value; key paths, models,
/// lists and other SQL are told apart by their types, see ``StringInterpolation``. A text that the
/// program read from somewhere does not become SQL by accident: the one door is ``init(unsafe:)``.
///
/// What is wrong with it is thrown where it is used: a value that cannot be stored, a key path that
/// is no column, an interpolation inside quotes.
public struct XTSQL: Sendable {
  private let text: SQLText

  private init(_ text: SQLText) {
    var text = text
    text.finish()
    self.text = text
  }

  /// SQL that the program put together itself, without values. Nothing in it is checked or escaped:
  /// never pass what a user typed.
  public init(unsafe sql: String) {
    var text = SQLText()
    text.append(literal: sql, allowsParameters: true)
    self.init(text)
  }

  /// The SQL text, with `?` for each value. A part that could not be made shows as NULL.
  public var sql: String { text.fragment.text }

  /// The values that are bound, in the order of their placeholders. A list of more than 100 behind
  /// IN is one of them, a blob.
  public var values: [XTValue] { text.fragment.values }

  /// - Throws: what was wrong with the first part that could not be made.
  func resolved() throws -> SQLFragment {
    if let error = text.error { throw error }
    return text.fragment
  }
}

extension XTSQL: ExpressibleByStringInterpolation {
  /// The literal as it stands.
  public init(stringLiteral value: String) {
    var text = SQLText()
    text.append(literal: value)
    self.init(text)
  }

  /// The literal with its values bound.
  public init(stringInterpolation: StringInterpolation) {
    self.init(stringInterpolation.text)
  }
}

extension XTSQL: CustomStringConvertible {
  /// The same text as ``sql``.
  public var description: String { sql }
}
