// A line whose two sides don't go together is told of at once, and why. Without these the compiler
// goes on to look for another meaning of each operator in the line, Swift's own hundreds included:
// it takes seconds, and ends in "unable to type-check this expression in reasonable time". So what
// fits no other operator fits one of these, whose operand has a conformance that is unavailable. What
// the arithmetic ones give goes with no further arithmetic, so that nothing is looked for behind them.
// None of them ever runs.
//
// They must not look better than the operators themselves, whose lines would take seconds then: the
// compiler ranks the forms of an operator by what it knows of the operands, disfavored or not. An
// optional parameter ranks lower, and so does a type whose requirements name another one.

/// An operand that does not go with what stands on the other side of its operator. Nothing conforms
/// to it: the compiler's message of that says what is wrong.
public protocol XTMismatched<Value>: XTExpressible {}

@available(
  *, unavailable,
  message:
    "the two sides are of different types, or of one that has no such operator; .cast(to:) or .optional gives an expression another type"
)
extension XTColumn: XTMismatched {}

@available(
  *, unavailable,
  message:
    "the two sides are of different types, or of one that has no such operator; .cast(to:) or .optional gives an expression another type"
)
extension XTExpression: XTMismatched {}

@available(
  *, unavailable,
  message:
    "the two sides are of different types, or of one that has no such operator; .cast(to:) or .optional gives an expression another type"
)
extension XTAggregate: XTMismatched {}

@available(
  *, unavailable,
  message:
    "the two sides are of different types, or of one that has no such operator; .cast(to:) or .optional gives an expression another type"
)
extension XTParameter: XTMismatched {}

// MARK: Arithmetic

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func + <V, L: XTMismatched<V>, R: XTAddable>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func + <V, L: XTAddable, R: XTMismatched<V>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func + <V, W, L: XTMismatched<V>, R: XTMismatched<W>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func - <V, L: XTMismatched<V>, R: XTAddable>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func - <V, L: XTAddable, R: XTMismatched<V>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func - <V, W, L: XTMismatched<V>, R: XTMismatched<W>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func * <V, L: XTMismatched<V>, R: XTAddable>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func * <V, L: XTAddable, R: XTMismatched<V>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func * <V, W, L: XTMismatched<V>, R: XTMismatched<W>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func / <V, L: XTMismatched<V>, R: XTAddable>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func / <V, L: XTAddable, R: XTMismatched<V>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func / <V, W, L: XTMismatched<V>, R: XTMismatched<W>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func % <V, L: XTMismatched<V>, R: XTAddable>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func % <V, L: XTAddable, R: XTMismatched<V>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func % <V, W, L: XTMismatched<V>, R: XTMismatched<W>>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: what has this sign is no number.
@_disfavoredOverload
public prefix func - <V, Operand: XTMismatched<V>>(operand: Operand?) -> XTPredicate {
  XTPredicate(.value(0))
}

// MARK: Comparisons

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func == <V, L: XTMismatched<V>, R>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func != <V, L: XTMismatched<V>, R>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func < <V, L: XTMismatched<V>, R>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func <= <V, L: XTMismatched<V>, R>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func > <V, L: XTMismatched<V>, R>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

/// Refused: the two sides don't go together.
@_disfavoredOverload
public func >= <V, L: XTMismatched<V>, R>(left: L?, right: R?) -> XTPredicate {
  XTPredicate(.value(0))
}

// MARK: Properties

/// What a comparison of a property with a value of another type would be. Nothing conforms to it:
/// the compiler's message of that says what is wrong.
///
/// The operators below give one wherever the line says that it wants a condition. They are no
/// unavailable ones themselves: that the compiler takes for so bad a choice that it goes on to try
/// all others, in every operator of the line.
public protocol XTMismatchedCondition {
  associatedtype Model: XTModel
  init(unsafe: String)
}

@available(*, unavailable, message: "the value is not of the property's type")
extension XTCondition: XTMismatchedCondition {}

/// Refused: the value is not of the property's type.
@_disfavoredOverload
public func == <C: XTMismatchedCondition, V, R>(left: KeyPath<C.Model, V>, right: R) -> C {
  C(unsafe: "")
}

/// Refused: the value is not of the property's type.
@_disfavoredOverload
public func != <C: XTMismatchedCondition, V, R>(left: KeyPath<C.Model, V>, right: R) -> C {
  C(unsafe: "")
}

/// Refused: the value is not of the property's type.
@_disfavoredOverload
public func < <C: XTMismatchedCondition, V, R>(left: KeyPath<C.Model, V>, right: R) -> C {
  C(unsafe: "")
}

/// Refused: the value is not of the property's type.
@_disfavoredOverload
public func <= <C: XTMismatchedCondition, V, R>(left: KeyPath<C.Model, V>, right: R) -> C {
  C(unsafe: "")
}

/// Refused: the value is not of the property's type.
@_disfavoredOverload
public func > <C: XTMismatchedCondition, V, R>(left: KeyPath<C.Model, V>, right: R) -> C {
  C(unsafe: "")
}

/// Refused: the value is not of the property's type.
@_disfavoredOverload
public func >= <C: XTMismatchedCondition, V, R>(left: KeyPath<C.Model, V>, right: R) -> C {
  C(unsafe: "")
}

// MARK: Properties in a line that says nothing of what it wants

/// Refused: the value is not of the property's type.
@available(*, unavailable, message: "the value is not of the property's type")
@_disfavoredOverload
public func == <M: XTModel, V, R>(left: KeyPath<M, V>, right: R) -> XTCondition<M> {
  XTCondition(unsafe: "")
}

/// Refused: the value is not of the property's type.
@available(*, unavailable, message: "the value is not of the property's type")
@_disfavoredOverload
public func != <M: XTModel, V, R>(left: KeyPath<M, V>, right: R) -> XTCondition<M> {
  XTCondition(unsafe: "")
}

/// Refused: the value is not of the property's type.
@available(*, unavailable, message: "the value is not of the property's type")
@_disfavoredOverload
public func < <M: XTModel, V, R>(left: KeyPath<M, V>, right: R) -> XTCondition<M> {
  XTCondition(unsafe: "")
}

/// Refused: the value is not of the property's type.
@available(*, unavailable, message: "the value is not of the property's type")
@_disfavoredOverload
public func <= <M: XTModel, V, R>(left: KeyPath<M, V>, right: R) -> XTCondition<M> {
  XTCondition(unsafe: "")
}

/// Refused: the value is not of the property's type.
@available(*, unavailable, message: "the value is not of the property's type")
@_disfavoredOverload
public func > <M: XTModel, V, R>(left: KeyPath<M, V>, right: R) -> XTCondition<M> {
  XTCondition(unsafe: "")
}

/// Refused: the value is not of the property's type.
@available(*, unavailable, message: "the value is not of the property's type")
@_disfavoredOverload
public func >= <M: XTModel, V, R>(left: KeyPath<M, V>, right: R) -> XTCondition<M> {
  XTCondition(unsafe: "")
}
