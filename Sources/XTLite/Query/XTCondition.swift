/// Which rows: SQL text with its values, as a plain value.
///
/// ```swift
/// let adults: XTCondition<Person> = \.age >= 18 && !(\.nick == nil)
/// let named: XTCondition<Person> = "name = \(who) AND \(\.age) > \(17)"
/// adults.sql      // `age` >= ? AND NOT (`nick` IS NULL)
/// adults.values   // [integer(18)]
/// ```
///
/// It comes from operators on key paths, from methods on key paths
/// (`(\Person.age).in([1, 2])`), or from a literal, whose interpolations are bound as values. A
/// text that the program read from somewhere does not become a condition by accident: the one door
/// is ``init(unsafe:)``.
///
/// What is wrong with a part is thrown where the condition is used: a value that cannot be stored,
/// a key path that is no column, an interpolation inside quotes.
public struct XTCondition<Model: XTModel>: Sendable {
  let node: ConditionNode

  init(_ node: ConditionNode) {
    self.node = node
  }

  /// A typed part.
  init(_ make: () throws -> SQLNode) {
    node = ConditionNode(SQLNode.make(make))
  }

  /// The programmer's own text.
  private init(raw text: SQLText) {
    var text = text
    text.finishCondition()
    node = ConditionNode(text.fragment, .raw, error: text.error)
  }

  /// A condition that the program put together itself, without values: never pass what a user
  /// typed. It is one condition, with its quotes and parentheses closed, and without WHERE.
  public init(unsafe sql: String) {
    var text = SQLText()
    text.append(literal: sql)
    self.init(raw: text)
  }

  /// The rows in which a Bool property is true.
  ///
  /// ```swift
  /// try Person.xt_countWhere(XTCondition(\.isMember))
  /// ```
  public init(_ flag: KeyPath<Model, Bool>) {
    self.init { try ConditionColumn(flag).node }
  }

  /// The SQL text, with `?` for each value. A part that could not be made shows as NULL.
  public var sql: String { shown.text }

  /// The values that are bound, in the order of their placeholders. A list of more than 100 is one
  /// of them, a blob.
  public var values: [XTValue] { shown.values }

  private var shown: SQLFragment {
    var writer = SQLWriter()
    writer.isLenient = true
    try? writer.write(node)
    return writer.fragment
  }

  /// Whether a part is the programmer's own text, which nothing has compared with the model yet.
  var hasRawText: Bool { node.hasRawText }

  /// - Throws: what was wrong with the first part that could not be made.
  func resolved() throws -> SQLFragment {
    var writer = SQLWriter()
    try writer.write(node)
    return try writer.complete()
  }

  /// As it stands in a statement, fit to stand beside AND.
  func resolvedBesideAnd(
    in scope: SQLScope? = nil, _ catalog: any TableCatalog = DeclaredTables()
  ) throws -> SQLFragment {
    var writer = SQLWriter(scope, catalog: catalog)
    try writer.write(node, beside: .and)
    return try writer.complete()
  }

  func inParentheses() throws -> SQLFragment {
    var fragment = try resolved()
    fragment.text = "(\(fragment.text))"
    return fragment
  }
}

extension XTCondition: ExpressibleByStringInterpolation {
  /// The literal as it stands.
  public init(stringLiteral value: String) {
    var text = SQLText()
    text.append(literal: value)
    self.init(raw: text)
  }

  /// The literal with its values bound.
  public init(stringInterpolation: StringInterpolation) {
    self.init(raw: stringInterpolation.text)
  }
}

extension XTCondition: CustomStringConvertible {
  /// The SQL text without values, and what is wrong with it, if anything is.
  public var description: String {
    guard let error = node.error else { return sql }
    return "\(sql) -- \(error)"
  }
}
