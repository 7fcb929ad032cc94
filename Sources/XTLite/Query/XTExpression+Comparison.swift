// Few, and on our own types only: each is tried by the compiler in every expression of the program
// that uses its sign. The types of the values are free, so that whatever a column can hold is
// compared without a conformance. NULL on either side of a comparison is no match, except where a
// value that is nil stands beside == or !=, which is IS NULL and IS NOT NULL.
//
// How the operands are written decides how long the compiler takes: see XTExpression+Arithmetic.swift.

// MARK: ==

/// Whether one expression equals another.
public func == <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .equal, right.node))
}

/// Whether an expression that may be nil equals another.
public func == <V>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .equal, right.node))
}

/// Whether an expression equals another that may be nil.
public func == <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .equal, right.node))
}

/// Whether an expression equals a value.
public func == <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .equal, value: right))
}

/// Whether an expression equals a value that may be nil.
@_disfavoredOverload
public func == <L: XTExpressible>(left: L, right: L.Value?) -> XTPredicate {
  XTPredicate(.comparing(left.node, .equal, optional: right))
}

// MARK: !=

/// Whether one expression differs from another.
public func != <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .notEqual, right.node))
}

/// Whether an expression that may be nil differs from another.
public func != <V>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .notEqual, right.node))
}

/// Whether an expression differs from another that may be nil.
public func != <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .notEqual, right.node))
}

/// Whether an expression differs from a value.
public func != <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .notEqual, value: right))
}

/// Whether an expression differs from a value that may be nil.
@_disfavoredOverload
public func != <L: XTExpressible>(left: L, right: L.Value?) -> XTPredicate {
  XTPredicate(.comparing(left.node, .notEqual, optional: right))
}

// MARK: <

/// Whether one expression is less than another.
public func < <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .less, right.node))
}

/// Whether an expression that may be nil is less than another.
public func < <V>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .less, right.node))
}

/// Whether an expression is less than another that may be nil.
public func < <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .less, right.node))
}

/// Whether an expression is less than a value.
public func < <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .less, value: right))
}

// MARK: <=

/// Whether one expression is at most another.
public func <= <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .lessOrEqual, right.node))
}

/// Whether an expression that may be nil is at most another.
public func <= <V>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .lessOrEqual, right.node))
}

/// Whether an expression is at most another that may be nil.
public func <= <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .lessOrEqual, right.node))
}

/// Whether an expression is at most a value.
public func <= <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .lessOrEqual, value: right))
}

// MARK: >

/// Whether one expression is greater than another.
public func > <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greater, right.node))
}

/// Whether an expression that may be nil is greater than another.
public func > <V>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greater, right.node))
}

/// Whether an expression is greater than another that may be nil.
public func > <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greater, right.node))
}

/// Whether an expression is greater than a value.
public func > <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greater, value: right))
}

// MARK: >=

/// Whether one expression is at least another.
public func >= <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greaterOrEqual, right.node))
}

/// Whether an expression that may be nil is at least another.
public func >= <V>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greaterOrEqual, right.node))
}

/// Whether an expression is at least another that may be nil.
public func >= <V>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greaterOrEqual, right.node))
}

/// Whether an expression is at least a value.
public func >= <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greaterOrEqual, value: right))
}

// MARK: A number or a text on the left

/// Whether a value equals an expression.
@_disfavoredOverload
public func == <R: XTExpressible>(left: R.Value, right: R) -> XTPredicate
where R.Value: XTAddable {
  XTPredicate(.comparing(value: left, .equal, right.node))
}

/// Whether a value differs from an expression.
@_disfavoredOverload
public func != <R: XTExpressible>(left: R.Value, right: R) -> XTPredicate
where R.Value: XTAddable {
  XTPredicate(.comparing(value: left, .notEqual, right.node))
}

/// Whether a value is less than an expression.
@_disfavoredOverload
public func < <R: XTExpressible>(left: R.Value, right: R) -> XTPredicate
where R.Value: XTAddable {
  XTPredicate(.comparing(value: left, .less, right.node))
}

/// Whether a value is at most an expression.
@_disfavoredOverload
public func <= <R: XTExpressible>(left: R.Value, right: R) -> XTPredicate
where R.Value: XTAddable {
  XTPredicate(.comparing(value: left, .lessOrEqual, right.node))
}

/// Whether a value is greater than an expression.
@_disfavoredOverload
public func > <R: XTExpressible>(left: R.Value, right: R) -> XTPredicate
where R.Value: XTAddable {
  XTPredicate(.comparing(value: left, .greater, right.node))
}

/// Whether a value is at least an expression.
@_disfavoredOverload
public func >= <R: XTExpressible>(left: R.Value, right: R) -> XTPredicate
where R.Value: XTAddable {
  XTPredicate(.comparing(value: left, .greaterOrEqual, right.node))
}

extension SQLNode {
  /// A comparison of a value with an expression; nil is NULL, and is tested for.
  fileprivate static func comparing<V>(
    value: V, _ sign: Comparison, _ right: SQLNode
  ) -> SQLNode {
    make {
      let value = try boundValue(of: value, column: right.column?.name)
      if value == .null, let test = sign.withNull { return right.followed(by: test) }
      return comparing(SQLNode([.value(value)]), sign, right)
    }
  }
}
