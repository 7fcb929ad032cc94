/// A place in a query for a value that is given later: the query is kept in a constant, and run with
/// other values without being written anew.
///
/// ```swift
/// let age = XTParameter<Int>("age")
/// let older = Person.xt_query().where(Person.xt.age > age)
/// try older.with(age, 18).all()
/// try older.with(age, 65).all()
/// ```
///
/// `==` with a parameter whose value is nil matches nothing, as in SQL; use `is(_:)` where it may
/// be.
public struct XTParameter<Value>: XTExpressible {
  let key: ParameterKey

  /// - Parameter name: what errors call it.
  public init(_ name: String) {
    key = ParameterKey(name)
  }

  /// The parameter as an expression.
  public var xt_expression: XTExpression<Value> {
    XTExpression(
      SQLNode([.parameter(key, isCount: false)], collation: DecimalOrder.collation(of: Value.self)))
  }
}

/// Tells one parameter from another.
final class ParameterKey: Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

/// A parameter where it stands in a statement.
struct PlacedParameter: Sendable {
  let place: Int
  let key: ParameterKey
  /// Whether it is the number of rows of LIMIT or OFFSET.
  let isCount: Bool

  /// - Throws: `valueOutOfRange` for what is no number of rows: SQLite takes one below 0 for all.
  func check(_ value: XTValue) throws {
    guard isCount else { return }
    if case .integer(let count) = value, count >= 0 { return }
    throw XTError(
      .valueOutOfRange,
      "\(key.name) is \(value), which is no number of rows: limit and offset are 0 or more",
      hint: "leave limit out to have all rows")
  }
}
