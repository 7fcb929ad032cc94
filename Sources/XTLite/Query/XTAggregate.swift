/// A function of the rows of a group: `Person.xt.age.max()`.
///
/// It is an expression like any other, may leave rows out, and may stand over a window.
///
/// ```swift
/// Order.xt.total.sum().filter(Order.xt.isPaid == true)
/// Order.xt.total.sum().over(partitionBy: Order.xt.userID, orderBy: .asc(Order.xt.pkid))
/// ```
public struct XTAggregate<Value>: XTExpressible {
  private let name: String
  private let arguments: [SQLNode]
  private let isDistinct: Bool
  private let condition: SQLNode?
  private let collation: String?

  init(
    _ name: String, _ arguments: SQLNode..., isDistinct: Bool = false, collation: String? = nil
  ) {
    self.init(name, arguments, isDistinct, nil, collation)
  }

  private init(
    _ name: String, _ arguments: [SQLNode], _ isDistinct: Bool, _ condition: SQLNode?,
    _ collation: String?
  ) {
    self.name = name
    self.arguments = arguments
    self.isDistinct = isDistinct
    self.condition = condition
    self.collation = collation
  }

  /// The aggregate as an expression.
  public var xt_expression: XTExpression<Value> { XTExpression(call) }

  private var call: SQLNode {
    var pieces: [SQLNode.Piece] = [.text("\(name)(\(isDistinct ? "DISTINCT " : "")")]
    pieces += SQLNode.list(arguments) + [.text(")")]
    guard let condition else { return SQLNode(pieces, collation: collation) }
    pieces += [.text(" FILTER (WHERE "), .node(condition, atLeast: .unknown), .text(")")]
    return SQLNode(pieces, collation: collation, need: .filter)
  }

  /// The same over the rows only that meet a condition. SQLite 3.30.
  public func filter(_ condition: some XTExpressible<Bool>) -> XTAggregate {
    XTAggregate(name, arguments, isDistinct, condition.node, collation)
  }

  /// The same over a window of rows around each row, which all stay. SQLite 3.25.
  ///
  /// - Parameters:
  ///   - groups: what is the same in all rows of a window; all rows where there is none.
  ///   - orders: how the rows of a window are sorted.
  ///   - frame: which of them count; where it is nil, those up to the row where there is an order.
  public func over(
    partitionBy groups: any XTExpressible..., orderBy orders: XTOrdering...,
    frame: XTFrame? = nil
  ) -> XTExpression<Value> {
    XTExpression(.over(call, groups, orders, frame))
  }
}

extension XTExpressible {
  /// How many rows have a value that is not NULL.
  public func count(distinct: Bool = false) -> XTAggregate<Int> {
    XTAggregate("count", distinct ? node.compared : node, isDistinct: distinct)
  }

  /// The largest value; nil where there is none.
  public func max() -> XTAggregate<Value?> {
    XTAggregate("max", node.compared, collation: node.collation)
  }

  /// The smallest value; nil where there is none.
  public func min() -> XTAggregate<Value?> {
    XTAggregate("min", node.compared, collation: node.collation)
  }

  /// The values as text with something between them; in no order that could be relied on.
  public func groupConcat(_ separator: String? = nil) -> XTAggregate<String?> {
    guard let separator else { return XTAggregate("group_concat", node) }
    return XTAggregate("group_concat", node, .value(separator))
  }

  /// The different values as text with commas between them.
  public func groupConcat(distinct: Bool) -> XTAggregate<String?> {
    XTAggregate("group_concat", distinct ? node.compared : node, isDistinct: distinct)
  }
}

extension XTExpressible where Value: XTOptional {
  /// The largest value; nil where there is none.
  public func max() -> XTAggregate<Value> {
    XTAggregate("max", node.compared, collation: node.collation)
  }

  /// The smallest value; nil where there is none.
  public func min() -> XTAggregate<Value> {
    XTAggregate("min", node.compared, collation: node.collation)
  }
}

extension XTExpressible where Value: XTSummable {
  /// The sum; nil where there is no value. Of integers it is an error where it is beyond 64 bits;
  /// of decimals it is exact.
  public func sum(distinct: Bool = false) -> XTAggregate<Value.XTSum?> {
    XTAggregate(
      node.collation == nil ? "sum" : DecimalArithmetic.sumName,
      distinct ? node.compared : node, isDistinct: distinct,
      collation: node.collation)
  }

  /// The sum as a real number; 0 where there is no value.
  public func total() -> XTAggregate<Double> { XTAggregate("total", node) }

  /// The average; nil where there is no value.
  public func avg(distinct: Bool = false) -> XTAggregate<Double?> {
    XTAggregate("avg", distinct ? node.compared : node, isDistinct: distinct)
  }
}

// What the compiler says of texts, instead of a protocol that they don't conform to.
extension XTExpressible where Value: XTText {
  /// Texts have no sum.
  @available(
    *, unavailable, message: "sum() is for numbers; cast(to: Int.self).sum() reads texts as such"
  )
  public func sum() -> XTAggregate<Double?> { XTAggregate("sum", node) }

  /// Texts have no sum.
  @available(
    *, unavailable,
    message: "total() is for numbers; cast(to: Int.self).total() reads texts as such"
  )
  public func total() -> XTAggregate<Double> { XTAggregate("total", node) }

  /// Texts have no average.
  @available(
    *, unavailable, message: "avg() is for numbers; cast(to: Int.self).avg() reads texts as such"
  )
  public func avg() -> XTAggregate<Double?> { XTAggregate("avg", node) }
}
