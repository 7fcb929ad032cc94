// Functions of several expressions, and of none. Free of a subject, they are named for what they
// are in SQL.

/// SQL's functions that have no subject.
///
/// ```swift
/// XTSQLFunction.max(Person.xt.age, Person.xt.limit)
/// XTSQLFunction.coalesce(Person.xt.nick, Person.xt.name)
/// ```
public enum XTSQLFunction {
  /// The first that is not NULL; nil where all are.
  public static func coalesce<V>(
    _ first: some XTExpressible<V?>, _ more: any XTExpressible<V?>..., else last: V
  ) -> XTExpression<V> {
    call("coalesce", [first.node] + more.map(\.node) + [.value(last)])
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

  /// The smallest of several in each row; NULL where one of them is.
  public static func min<V>(
    _ first: some XTExpressible<V>, _ second: some XTExpressible<V>, _ more: any XTExpressible<V>...
  ) -> XTExpression<V> {
    comparing("min", [first.node, second.node] + more.map(\.node))
  }

  /// A number of 64 bits by chance, another in each row.
  public static func random() -> XTExpression<Int64> { call("random", []) }

  /// Values in a text with places for them, as in C: `"%d of %s"`.
  public static func printf(
    _ format: String, _ values: any XTExpressible...
  ) -> XTExpression<String> {
    call("printf", [.value(format)] + values.map(\.node))
  }

  /// A function of the program's own, see ``XTConfiguration/add(_:)-(XTFunction)``, or of SQLite's
  /// that has no word here.
  public static func call<V>(
    _ name: String, _ arguments: any XTExpressible..., as type: V.Type
  ) -> XTExpression<V> {
    call(quoted(name), arguments.map(\.node))
  }

  /// One value for rows that meet a condition, another for those that don't: `CASE WHEN … THEN …
  /// ELSE … END`.
  public static func iif<V>(
    _ condition: some XTExpressible<Bool>, _ value: some XTExpressible<V>,
    else other: some XTExpressible<V>
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
