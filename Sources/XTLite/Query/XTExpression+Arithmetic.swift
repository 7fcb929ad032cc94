// Arithmetic as SQLite does it: NULL on either side gives NULL, and a sum of integers that is beyond
// 64 bits is a real number. Decimals are reckoned exactly, by functions of XTLite's own.
//
// How the operands are written decides how long the compiler takes. It ranks the forms of an operator
// by what it knows of the operands, and tries the best alone: a form that takes `some` is the best
// where both sides are expressions, one that takes the other's `Value` where one side is a value. All
// but two of each operator are disfavored, and tried last among equals.

// MARK: +

/// The sum of two numbers, or two texts one behind the other.
public func + <V: XTAddable>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTExpression<V> {
  XTExpression(.arithmetic(left.node, .add, right.node, V.self))
}

/// As above; nil where the left side is nil.
@_disfavoredOverload
public func + <V: XTAddable>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .add, right.node, V.self))
}

/// As above; nil where the right side is nil.
@_disfavoredOverload
public func + <V: XTAddable>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .add, right.node, V.self))
}

/// As above, with a value on the right.
public func + <L: XTExpressible>(left: L, right: L.Value) -> XTExpression<L.Value>
where L.Value: XTAddable {
  XTExpression(.arithmetic(left.node, .add, .value(right), L.Value.self))
}

/// As above, with a value on the left.
@_disfavoredOverload
public func + <R: XTExpressible>(left: R.Value, right: R) -> XTExpression<R.Value>
where R.Value: XTAddable {
  XTExpression(.arithmetic(.value(left), .add, right.node, R.Value.self))
}

// MARK: -

/// The difference of two numbers.
public func - <V: XTSummable>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTExpression<V> {
  XTExpression(.arithmetic(left.node, .subtract, right.node, V.self))
}

/// As above; nil where the left side is nil.
@_disfavoredOverload
public func - <V: XTSummable>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .subtract, right.node, V.self))
}

/// As above; nil where the right side is nil.
@_disfavoredOverload
public func - <V: XTSummable>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .subtract, right.node, V.self))
}

/// As above, with a value on the right.
public func - <L: XTExpressible>(left: L, right: L.Value) -> XTExpression<L.Value>
where L.Value: XTSummable {
  XTExpression(.arithmetic(left.node, .subtract, .value(right), L.Value.self))
}

/// As above, with a value on the left.
@_disfavoredOverload
public func - <R: XTExpressible>(left: R.Value, right: R) -> XTExpression<R.Value>
where R.Value: XTSummable {
  XTExpression(.arithmetic(.value(left), .subtract, right.node, R.Value.self))
}

// MARK: *

/// The product of two numbers.
public func * <V: XTSummable>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTExpression<V> {
  XTExpression(.arithmetic(left.node, .multiply, right.node, V.self))
}

/// As above; nil where the left side is nil.
@_disfavoredOverload
public func * <V: XTSummable>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .multiply, right.node, V.self))
}

/// As above; nil where the right side is nil.
@_disfavoredOverload
public func * <V: XTSummable>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .multiply, right.node, V.self))
}

/// As above, with a value on the right.
public func * <L: XTExpressible>(left: L, right: L.Value) -> XTExpression<L.Value>
where L.Value: XTSummable {
  XTExpression(.arithmetic(left.node, .multiply, .value(right), L.Value.self))
}

/// As above, with a value on the left.
@_disfavoredOverload
public func * <R: XTExpressible>(left: R.Value, right: R) -> XTExpression<R.Value>
where R.Value: XTSummable {
  XTExpression(.arithmetic(.value(left), .multiply, right.node, R.Value.self))
}

// MARK: /

/// The quotient of two numbers; of integers without its fraction, and NULL where the divisor is 0.
public func / <V: XTSummable>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTExpression<V> {
  XTExpression(.arithmetic(left.node, .divide, right.node, V.self))
}

/// As above; nil where the left side is nil.
@_disfavoredOverload
public func / <V: XTSummable>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .divide, right.node, V.self))
}

/// As above; nil where the right side is nil.
@_disfavoredOverload
public func / <V: XTSummable>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .divide, right.node, V.self))
}

/// As above, with a value on the right.
public func / <L: XTExpressible>(left: L, right: L.Value) -> XTExpression<L.Value>
where L.Value: XTSummable {
  XTExpression(.arithmetic(left.node, .divide, .value(right), L.Value.self))
}

/// As above, with a value on the left.
@_disfavoredOverload
public func / <R: XTExpressible>(left: R.Value, right: R) -> XTExpression<R.Value>
where R.Value: XTSummable {
  XTExpression(.arithmetic(.value(left), .divide, right.node, R.Value.self))
}

// MARK: %

/// The remainder of a division of integers; NULL where the divisor is 0. SQLite would cut the
/// fractions of other numbers off: for them there is `mod(_:)`.
public func % <V: XTIntegral>(
  left: some XTExpressible<V>, right: some XTExpressible<V>
) -> XTExpression<V> {
  XTExpression(.arithmetic(left.node, .remainder, right.node, V.self))
}

/// As above; nil where the left side is nil.
@_disfavoredOverload
public func % <V: XTIntegral>(
  left: some XTExpressible<V?>, right: some XTExpressible<V>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .remainder, right.node, V.self))
}

/// As above; nil where the right side is nil.
@_disfavoredOverload
public func % <V: XTIntegral>(
  left: some XTExpressible<V>, right: some XTExpressible<V?>
) -> XTExpression<V?> {
  XTExpression(.arithmetic(left.node, .remainder, right.node, V.self))
}

/// As above, with a value on the right.
public func % <L: XTExpressible>(left: L, right: L.Value) -> XTExpression<L.Value>
where L.Value: XTIntegral {
  XTExpression(.arithmetic(left.node, .remainder, .value(right), L.Value.self))
}

/// As above, with a value on the left.
@_disfavoredOverload
public func % <R: XTExpressible>(left: R.Value, right: R) -> XTExpression<R.Value>
where R.Value: XTIntegral {
  XTExpression(.arithmetic(.value(left), .remainder, right.node, R.Value.self))
}

/// The number with the other sign.
public prefix func - <Operand: XTExpressible>(operand: Operand) -> XTExpression<Operand.Value>
where Operand.Value: XTSummable {
  if operand.node.collation != nil {
    return XTExpression(
      .arithmetic(.value(0), .subtract, operand.node, Operand.Value.self))
  }
  return XTExpression(SQLNode([.text("-"), .node(operand.node, atLeast: .atom)], .unary))
}
