/// What has a value in each row of a statement: a column, an expression, an aggregate, a parameter.
///
/// Operators and functions are taken by all of them, and give an ``XTExpression``.
public protocol XTExpressible<Value>: XTArgument {
  /// The Swift type of the value.
  associatedtype Value

  /// The expression that it is.
  var xt_expression: XTExpression<Value> { get }
}

/// A piece of SQL that has a value, with the Swift type of that.
///
/// ```swift
/// let double: XTExpression<Int> = Person.xt.age * 2
/// let isAdult = Person.xt.age >= 18          // an XTPredicate
/// isAdult.sql                                // `age` >= ?
/// isAdult.values                             // [integer(18)]
/// ```
///
/// It is a plain value; nothing runs before a verb or a query uses it. What is wrong with it is
/// thrown there: a value that cannot be stored, a column of a table that the statement doesn't have,
/// a function that the linked SQLite is too old for.
public struct XTExpression<Value>: XTExpressible {
  let node: SQLNode

  init(_ node: SQLNode) {
    self.node = node
  }

  /// A value of any type that a column can hold. It is bound, and never part of the text.
  public init(_ value: Value) {
    node = .value(value).collated(DecimalOrder.collation(of: Value.self))
  }

  /// SQL of the program's own, for what the language has no word for.
  ///
  /// ```swift
  /// let length = XTExpression<Int>(sql: "length(\(\Person.name)) * \(2)")
  /// ```
  ///
  /// It is one expression: its parentheses are closed, and nothing in it ends it, as a comma or a
  /// word such as ORDER does outside of parentheses. A subquery stands in parentheses.
  public init(sql: XTSQL) {
    node = .make {
      let fragment = try sql.resolved()
      try SQLText.checkExpression(fragment.text)
      return SQLNode([.raw(fragment)], .unknown, collation: DecimalOrder.collation(of: Value.self))
    }
  }

  /// Itself.
  public var xt_expression: XTExpression { self }
}

/// A condition: an expression that is true or false.
///
/// Taken wherever a condition is. It comes from comparing expressions, and goes together with
/// others, and with an ``XTCondition``, by `&&`, `||` and `!`.
public typealias XTPredicate = XTExpression<Bool>

extension XTExpressible {
  var node: SQLNode { xt_expression.node }

  /// The SQL text, with `?` for each value and columns without their table. A part that could not
  /// be made shows as NULL.
  public var sql: String { shown.text }

  /// The values that are bound, in the order of their placeholders.
  public var values: [XTValue] { shown.values }

  private var shown: SQLFragment {
    var writer = SQLWriter()
    writer.isLenient = true
    try? writer.write(node)
    return writer.fragment
  }

  /// The same, as a value that may be nil: for a column of a table that a left join may leave out.
  public var optional: XTExpression<Value?> { XTExpression<Value?>(node) }
}

extension XTExpressible {
  /// The same under a name of its own, as a result of a query: `sum(…) AS name`. It stands in
  /// `columns` and `select` alone.
  public func named(_ name: String) -> XTExpression<Value> {
    XTExpression(node.named(name))
  }
}

extension XTExpressible where Value: XTOptional {
  /// The same: it may be nil already.
  public var optional: XTExpression<Value> { xt_expression }
}

extension XTExpression: CustomStringConvertible {
  /// The SQL text without values, and what is wrong with it, if anything is.
  public var description: String {
    guard let error = node.error else { return sql }
    return "\(sql) -- \(error)"
  }
}

/// The optionals.
public protocol XTOptional<Wrapped> {
  /// What it holds where it is not nil.
  associatedtype Wrapped
}

extension Optional: XTOptional {}
