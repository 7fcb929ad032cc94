// Few, and on our own types only: each is tried by the compiler in every expression of the program
// that uses its sign. The types of the values are free, so that whatever a column can hold is
// compared without a conformance. NULL on either side of a comparison is no match, except where a
// value that is nil stands on the right of == or !=, which is IS NULL and IS NOT NULL.

// MARK: ==

/// Whether one expression equals another.
public func == <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value {
  XTPredicate(.comparing(left.node, .equal, right.node))
}

/// Whether an expression that may be nil equals another.
public func == <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value? {
  XTPredicate(.comparing(left.node, .equal, right.node))
}

/// Whether an expression equals another that may be nil.
public func == <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value? == R.Value {
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
public func != <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value {
  XTPredicate(.comparing(left.node, .notEqual, right.node))
}

/// Whether an expression that may be nil differs from another.
public func != <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value? {
  XTPredicate(.comparing(left.node, .notEqual, right.node))
}

/// Whether an expression differs from another that may be nil.
public func != <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value? == R.Value {
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
public func < <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value {
  XTPredicate(.comparing(left.node, .less, right.node))
}

/// Whether an expression that may be nil is less than another.
public func < <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value? {
  XTPredicate(.comparing(left.node, .less, right.node))
}

/// Whether an expression is less than another that may be nil.
public func < <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value? == R.Value {
  XTPredicate(.comparing(left.node, .less, right.node))
}

/// Whether an expression is less than a value.
public func < <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .less, value: right))
}

// MARK: <=

/// Whether one expression is at most another.
public func <= <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value {
  XTPredicate(.comparing(left.node, .lessOrEqual, right.node))
}

/// Whether an expression that may be nil is at most another.
public func <= <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value? {
  XTPredicate(.comparing(left.node, .lessOrEqual, right.node))
}

/// Whether an expression is at most another that may be nil.
public func <= <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value? == R.Value {
  XTPredicate(.comparing(left.node, .lessOrEqual, right.node))
}

/// Whether an expression is at most a value.
public func <= <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .lessOrEqual, value: right))
}

// MARK: >

/// Whether one expression is greater than another.
public func > <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value {
  XTPredicate(.comparing(left.node, .greater, right.node))
}

/// Whether an expression that may be nil is greater than another.
public func > <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value? {
  XTPredicate(.comparing(left.node, .greater, right.node))
}

/// Whether an expression is greater than another that may be nil.
public func > <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value? == R.Value {
  XTPredicate(.comparing(left.node, .greater, right.node))
}

/// Whether an expression is greater than a value.
public func > <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greater, value: right))
}

// MARK: >=

/// Whether one expression is at least another.
public func >= <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value {
  XTPredicate(.comparing(left.node, .greaterOrEqual, right.node))
}

/// Whether an expression that may be nil is at least another.
public func >= <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value == R.Value? {
  XTPredicate(.comparing(left.node, .greaterOrEqual, right.node))
}

/// Whether an expression is at least another that may be nil.
public func >= <L: XTExpressible, R: XTExpressible>(left: L, right: R) -> XTPredicate
where L.Value? == R.Value {
  XTPredicate(.comparing(left.node, .greaterOrEqual, right.node))
}

/// Whether an expression is at least a value.
public func >= <L: XTExpressible>(left: L, right: L.Value) -> XTPredicate {
  XTPredicate(.comparing(left.node, .greaterOrEqual, value: right))
}
