// On concrete types first of all: with these the compiler is done with a chain of ten in a few
// milliseconds. The generic forms are for columns that hold Bool and are tried last.

/// Whether both conditions are true.
public func && (left: XTPredicate, right: XTPredicate) -> XTPredicate {
  .joined(left.node, .and, right.node)
}

/// Whether both conditions are true.
@_disfavoredOverload
public func && <L: XTExpressible<Bool>, R: XTExpressible<Bool>>(left: L, right: R) -> XTPredicate {
  .joined(left.node, .and, right.node)
}

/// Whether one condition is true or both are.
public func || (left: XTPredicate, right: XTPredicate) -> XTPredicate {
  .joined(left.node, .or, right.node)
}

/// Whether one condition is true or both are.
@_disfavoredOverload
public func || <L: XTExpressible<Bool>, R: XTExpressible<Bool>>(left: L, right: R) -> XTPredicate {
  .joined(left.node, .or, right.node)
}

/// Whether a condition is not true. One that is neither true nor false, because of a NULL in it,
/// stays so.
public prefix func ! (condition: XTPredicate) -> XTPredicate {
  XTPredicate(SQLNode(.not(condition.node.condition)))
}

/// Whether a Bool column is not true.
@_disfavoredOverload
public prefix func ! <Operand: XTExpressible<Bool>>(condition: Operand) -> XTPredicate {
  !condition.xt_expression
}

extension XTExpression where Value == Bool {
  fileprivate static func joined(
    _ left: SQLNode, _ connective: Connective, _ right: SQLNode
  ) -> XTPredicate {
    XTPredicate(SQLNode(.join(left.condition, connective, right.condition)))
  }
}

// MARK: With conditions on key paths

extension XTCondition {
  /// A predicate as a condition of a model's verbs.
  ///
  /// ```swift
  /// var condition = XTCondition<Person>(Person.xt.age > 17)
  /// ```
  public init(_ predicate: some XTExpressible<Bool>) {
    node = predicate.node.condition
  }
}

/// Rows that meet a condition and for which a predicate is true.
public func && <M: XTModel>(left: XTCondition<M>, right: XTPredicate) -> XTCondition<M> {
  left && XTCondition(right)
}

/// Rows for which a predicate is true and that meet a condition.
public func && <M: XTModel>(left: XTPredicate, right: XTCondition<M>) -> XTCondition<M> {
  XTCondition(left) && right
}

/// Rows in which a Bool property is true, and for which a predicate is.
@_disfavoredOverload
public func && <M: XTModel>(left: KeyPath<M, Bool>, right: XTPredicate) -> XTCondition<M> {
  XTCondition(left) && XTCondition(right)
}

/// Rows for which a predicate is true, and in which a Bool property is.
@_disfavoredOverload
public func && <M: XTModel>(left: XTPredicate, right: KeyPath<M, Bool>) -> XTCondition<M> {
  XTCondition(left) && XTCondition(right)
}

/// Rows that meet a condition or for which a predicate is true.
public func || <M: XTModel>(left: XTCondition<M>, right: XTPredicate) -> XTCondition<M> {
  left || XTCondition(right)
}

/// Rows for which a predicate is true or that meet a condition.
public func || <M: XTModel>(left: XTPredicate, right: XTCondition<M>) -> XTCondition<M> {
  XTCondition(left) || right
}

/// Rows in which a Bool property is true, or for which a predicate is.
@_disfavoredOverload
public func || <M: XTModel>(left: KeyPath<M, Bool>, right: XTPredicate) -> XTCondition<M> {
  XTCondition(left) || XTCondition(right)
}

/// Rows for which a predicate is true, or in which a Bool property is.
@_disfavoredOverload
public func || <M: XTModel>(left: XTPredicate, right: KeyPath<M, Bool>) -> XTCondition<M> {
  XTCondition(left) || XTCondition(right)
}
