// SQL's functions of numbers, under their own names. Each is nil where the number is.
extension XTExpressible where Value: XTSummable {
  /// The number without its sign.
  public func abs() -> XTExpression<Value> {
    if node.collation != nil {
      return XTExpression(
        .call(DecimalArithmetic.sizeName, [node], collation: node.collation))
    }
    return XTExpression(.call("abs", [node]))
  }

  // MARK: Mathematics

  /// The number rounded to so many digits behind the point.
  public func round(_ digits: Int = 0) -> XTExpression<Double?> {
    XTExpression(.call("round", digits == 0 ? [node] : [node, .value(digits)]))
  }

  /// What is left of a division by `divisor`, with the number's sign, as `truncatingRemainder` gives
  /// it; nil of a division by 0. The operator `%` is for integers. SQLite 3.35, built with its math
  /// functions; so are those that follow.
  public func mod(_ divisor: Double) -> XTExpression<Double?> { math("mod", [.value(divisor)]) }

  /// The remainder of a division by another number, of whatever type.
  public func mod<Divisor: XTExpressible>(_ divisor: Divisor) -> XTExpression<Double?>
  where Divisor.Value: XTSummable {
    math("mod", [divisor.node])
  }

  /// The largest integer that is not larger.
  public func floor() -> XTExpression<Double?> { math("floor") }
  /// The smallest integer that is not smaller.
  public func ceil() -> XTExpression<Double?> { math("ceil") }
  /// The square root; nil of a negative number.
  public func sqrt() -> XTExpression<Double?> { math("sqrt") }
  /// e to the power of the number.
  public func exp() -> XTExpression<Double?> { math("exp") }
  /// The natural logarithm.
  public func ln() -> XTExpression<Double?> { math("ln") }
  /// The logarithm to the base 10.
  public func log10() -> XTExpression<Double?> { math("log10") }
  /// The sine of an angle in radians.
  public func sin() -> XTExpression<Double?> { math("sin") }
  /// The cosine of an angle in radians.
  public func cos() -> XTExpression<Double?> { math("cos") }
  /// The tangent of an angle in radians.
  public func tan() -> XTExpression<Double?> { math("tan") }
  /// The number to a power.
  public func pow(_ exponent: Double) -> XTExpression<Double?> {
    math("pow", [.value(exponent)])
  }

  /// The number to the power of another one, of whatever type.
  public func pow<Exponent: XTExpressible>(_ exponent: Exponent) -> XTExpression<Double?>
  where Exponent.Value: XTSummable {
    math("pow", [exponent.node])
  }

  private func math(_ function: String, _ more: [SQLNode] = []) -> XTExpression<Double?> {
    XTExpression(
      SQLNode(
        [.text("\(function)(")] + SQLNode.list([node] + more) + [.text(")")],
        need: .math(function)))
  }
}

// Bits.
extension XTExpressible where Value: XTIntegral {
  /// The bits that both have.
  public func bitAnd(_ other: Value) -> XTExpression<Value> { bits("&", .value(other)) }

  /// The bits that both have.
  public func bitAnd(_ other: some XTExpressible<Value>) -> XTExpression<Value> {
    bits("&", other.node)
  }

  /// The bits that one of both has.
  public func bitOr(_ other: Value) -> XTExpression<Value> { bits("|", .value(other)) }

  /// The bits that one of both has.
  public func bitOr(_ other: some XTExpressible<Value>) -> XTExpression<Value> {
    bits("|", other.node)
  }

  /// The bits moved to the left.
  public func shiftedLeft(_ count: some XTArgument<Int>) -> XTExpression<Value> {
    bits("<<", count.argument)
  }

  /// The bits moved to the right.
  public func shiftedRight(_ count: some XTArgument<Int>) -> XTExpression<Value> {
    bits(">>", count.argument)
  }

  /// The other bits.
  public func bitNot() -> XTExpression<Value> {
    XTExpression(SQLNode([.text("~"), .node(node, atLeast: .atom)], .unary))
  }

  private func bits(_ sign: String, _ other: SQLNode) -> XTExpression<Value> {
    // Of one level with the shifts: a person would put parentheses there.
    XTExpression(
      SQLNode(
        [
          .node(node, atLeast: .additive), .text(" \(sign) "), .node(other, atLeast: .additive),
        ], .bitwise))
  }
}
