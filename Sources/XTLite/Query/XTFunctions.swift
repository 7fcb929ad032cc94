// Functions of several expressions, and of none. Free of a subject, they are named for what they
// are in SQL.

/// SQL's functions that have no subject.
///
/// ```swift
/// XTSQLFunction.max(Person.xt.age, 18)
/// XTSQLFunction.coalesce(Person.xt.nick, Person.xt.name)
/// ```
public enum XTSQLFunction {
  /// The first that is not NULL; `last` where all are.
  public static func coalesce<V>(
    _ first: some XTExpressible<V?>, _ more: any XTExpressible<V?>..., else last: V
  ) -> XTExpression<V> {
    call("coalesce", [first.node] + more.map(\.node) + [.value(last)])
  }

  /// The first that is not NULL; `last` where all others are.
  public static func coalesce<V>(
    _ first: some XTExpressible<V?>, _ more: any XTExpressible<V?>...,
    else last: some XTExpressible<V>
  ) -> XTExpression<V> {
    call("coalesce", [first.node] + more.map(\.node) + [last.node])
  }

  /// The first where it is not NULL, else the second, which never is.
  public static func coalesce<V>(
    _ first: some XTExpressible<V?>, _ last: some XTExpressible<V>
  ) -> XTExpression<V> {
    call("coalesce", [first.node, last.node])
  }

  /// The first of both that is not NULL, else the third, which never is.
  public static func coalesce<V>(
    _ first: some XTExpressible<V?>, _ second: some XTExpressible<V?>,
    _ last: some XTExpressible<V>
  ) -> XTExpression<V> {
    call("coalesce", [first.node, second.node, last.node])
  }

  /// The first that is not NULL; nil where all are.
  public static func coalesce<V>(
    _ first: some XTExpressible<V?>, _ more: any XTExpressible<V?>...
  ) -> XTExpression<V?> {
    call("coalesce", [first.node] + more.map(\.node))
  }

  /// The largest of several in each row; NULL where one of them is.
  public static func max<V>(
    _ first: some XTExpressible<V>, _ second: some XTExpressible<V>, _ more: any XTExpressible<V>...
  ) -> XTExpression<V> {
    comparing("max", [first.node, second.node] + more.map(\.node))
  }

  /// The larger one of an expression and a value in each row; NULL where the expression is.
  @_disfavoredOverload
  public static func max<V>(_ first: some XTExpressible<V>, _ value: V) -> XTExpression<V> {
    comparing("max", [first.node, .value(value)])
  }

  /// The larger of two, the second of which may be nil; NULL where it is.
  @_disfavoredOverload
  public static func max<V>(
    _ first: some XTExpressible<V>, _ second: some XTExpressible<V?>
  ) -> XTExpression<V?> {
    comparing("max", [first.node, second.node])
  }

  /// The larger of two, the first of which may be nil; NULL where it is.
  @_disfavoredOverload
  public static func max<V>(
    _ first: some XTExpressible<V?>, _ second: some XTExpressible<V>
  ) -> XTExpression<V?> {
    comparing("max", [first.node, second.node])
  }

  /// The smallest of several in each row; NULL where one of them is.
  public static func min<V>(
    _ first: some XTExpressible<V>, _ second: some XTExpressible<V>, _ more: any XTExpressible<V>...
  ) -> XTExpression<V> {
    comparing("min", [first.node, second.node] + more.map(\.node))
  }

  /// The smaller one of an expression and a value in each row; NULL where the expression is.
  @_disfavoredOverload
  public static func min<V>(_ first: some XTExpressible<V>, _ value: V) -> XTExpression<V> {
    comparing("min", [first.node, .value(value)])
  }

  /// The smaller of two, the second of which may be nil; NULL where it is.
  @_disfavoredOverload
  public static func min<V>(
    _ first: some XTExpressible<V>, _ second: some XTExpressible<V?>
  ) -> XTExpression<V?> {
    comparing("min", [first.node, second.node])
  }

  /// The smaller of two, the first of which may be nil; NULL where it is.
  @_disfavoredOverload
  public static func min<V>(
    _ first: some XTExpressible<V?>, _ second: some XTExpressible<V>
  ) -> XTExpression<V?> {
    comparing("min", [first.node, second.node])
  }

  /// A number of 64 bits by chance, another in each row.
  public static func random() -> XTExpression<Int64> { call("random", []) }

  /// Values in a text with places for them, as in C: `"%d of %s"`.
  public static func printf(
    _ format: String, _ values: any XTArgument...
  ) -> XTExpression<String> {
    call("printf", [.value(format)] + values.map(\.argument))
  }

  /// A function of the program's own, see ``XTConfiguration/add(_:)-(XTFunction)``, or of SQLite's
  /// that has no word here.
  public static func call<V>(
    _ name: String, _ arguments: any XTArgument..., as type: V.Type
  ) -> XTExpression<V> {
    call(quoted(name), arguments.map(\.argument))
  }

  /// One value for rows that meet a condition, another for those that don't: `CASE WHEN … THEN …
  /// ELSE … END`.
  public static func iif<V>(
    _ condition: some XTExpressible<Bool>, _ value: some XTExpressible<V>,
    else other: some XTExpressible<V>
  ) -> XTExpression<V> {
    XTCase(when: condition, then: value).else(other)
  }

  /// The same of an expression and a value.
  @_disfavoredOverload
  public static func iif<V>(
    _ condition: some XTExpressible<Bool>, _ value: some XTExpressible<V>, else other: V
  ) -> XTExpression<V> {
    XTCase(when: condition, then: value).else(other)
  }

  /// The same of a value and an expression.
  @_disfavoredOverload
  public static func iif<V>(
    _ condition: some XTExpressible<Bool>, _ value: V, else other: some XTExpressible<V>
  ) -> XTExpression<V> {
    XTCase(when: condition, then: value).else(other)
  }

  /// The same of two values.
  @_disfavoredOverload
  public static func iif<V>(
    _ condition: some XTExpressible<Bool>, _ value: V, else other: V
  ) -> XTExpression<V> {
    XTCase(when: condition, then: value).else(other)
  }

  /// SQLite takes the first collation that an argument has.
  private static func comparing<V>(_ name: String, _ arguments: [SQLNode]) -> XTExpression<V> {
    let collation = arguments.lazy.compactMap(\.collation).first
    let first = arguments.first.map { $0.collated(collation).compared }
    return call(name, [first].compactMap { $0 } + arguments.dropFirst(), collation)
  }

  private static func call<V>(
    _ name: String, _ arguments: [SQLNode], _ collation: String? = nil
  ) -> XTExpression<V> {
    XTExpression(
      .call(name, arguments, collation: collation ?? arguments.lazy.compactMap(\.collation).first))
  }
}
