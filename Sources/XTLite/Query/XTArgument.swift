import Foundation

/// What a function takes beside its subject: an expression, or a plain value that is bound.
///
/// ```swift
/// Person.xt.name.replace("-", with: Person.xt.city)
/// XTSQLFunction.printf("%s is %d", Person.xt.name, 5)
/// ```
///
/// The types of the plain values are those that SQL itself has literals for, and dates. A value of
/// any other type goes as `XTExpression(value)`.
public protocol XTArgument<Value>: Sendable {
  /// The Swift type of the value.
  associatedtype Value

  /// The expression that it is.
  var xt_expression: XTExpression<Value> { get }
}

extension XTArgument {
  var argument: SQLNode { xt_expression.node }
}

extension String: XTArgument {
  /// The text, bound.
  public var xt_expression: XTExpression<String> { XTExpression(self) }
}

extension Int: XTArgument {
  /// The number, bound.
  public var xt_expression: XTExpression<Int> { XTExpression(self) }
}

extension Int64: XTArgument {
  /// The number, bound.
  public var xt_expression: XTExpression<Int64> { XTExpression(self) }
}

extension Double: XTArgument {
  /// The number, bound.
  public var xt_expression: XTExpression<Double> { XTExpression(self) }
}

extension Bool: XTArgument {
  /// The value, bound.
  public var xt_expression: XTExpression<Bool> { XTExpression(self) }
}

extension Date: XTArgument {
  /// The date, bound.
  public var xt_expression: XTExpression<Date> { XTExpression(self) }
}

extension Data: XTArgument {
  /// The bytes, bound.
  public var xt_expression: XTExpression<Data> { XTExpression(self) }
}
