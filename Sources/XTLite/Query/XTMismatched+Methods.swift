// As with the operators in XTMismatched.swift, for methods that have several forms: an argument that
// fits none of them.

/// What is not of the type of the values that it is looked for in. Nothing conforms to it: the
/// compiler's message of that says what is wrong.
public protocol XTMismatchedValues<Value>: XTExpressible {}

@available(*, unavailable, message: "the values are of another type than what is one of them")
extension XTColumn: XTMismatchedValues {}

@available(*, unavailable, message: "the values are of another type than what is one of them")
extension XTExpression: XTMismatchedValues {}

@available(*, unavailable, message: "the values are of another type than what is one of them")
extension XTAggregate: XTMismatchedValues {}

@available(*, unavailable, message: "the values are of another type than what is one of them")
extension XTParameter: XTMismatchedValues {}

extension XTExpressible {
  /// Refused: the pattern is no text, or what it is looked for in is none.
  @available(*, unavailable, message: "a text is compared with a pattern, or an expression of one")
  @_disfavoredOverload
  public func like<Other>(_ pattern: Other, escape: Character? = nil) -> XTPredicate {
    XTPredicate(node)
  }

  /// Refused: the pattern is no text, or what it is looked for in is none.
  @available(*, unavailable, message: "a text is compared with a pattern, or an expression of one")
  @_disfavoredOverload
  public func notLike<Other>(_ pattern: Other, escape: Character? = nil) -> XTPredicate {
    XTPredicate(node)
  }

  /// Refused: a bound is of another type.
  @available(*, unavailable, message: "a bound is of another type than what is between them")
  @_disfavoredOverload
  public func between<Low, High>(_ low: Low, _ high: High) -> XTPredicate { XTPredicate(node) }

  /// Refused: the values are of another type.
  @_disfavoredOverload
  public func `in`<Values>(_ values: Values) -> XTPredicate
  where Self: XTMismatchedValues { XTPredicate(node) }

  /// Refused: the values are of another type.
  @_disfavoredOverload
  public func notIn<Values>(_ values: Values) -> XTPredicate
  where Self: XTMismatchedValues { XTPredicate(node) }

  /// Refused: the two sides are of different types.
  @available(
    *, unavailable,
    message: "the two sides are of different types; .optional makes one that can't be nil optional"
  )
  @_disfavoredOverload
  public func `is`<Other>(_ other: Other) -> XTPredicate { XTPredicate(node) }

  /// Refused: the two sides are of different types.
  @available(
    *, unavailable,
    message: "the two sides are of different types; .optional makes one that can't be nil optional"
  )
  @_disfavoredOverload
  public func isNot<Other>(_ other: Other) -> XTPredicate { XTPredicate(node) }
}
