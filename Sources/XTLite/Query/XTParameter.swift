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
    key = ParameterKey(name, of: Value.self)
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
  /// How its values are kept; nil for a type that no column can hold.
  private let access: FieldAccess?

  init<Value>(_ name: String, of type: Value.Type) {
    self.name = name
    access = try? FieldAccess(of: type)
  }

  /// A value of its type, as SQLite keeps it.
  func bound<Value>(_ value: Value) throws -> XTValue {
    guard let access else { return try boundValue(of: value) }
    do {
      return try access.value(of: value)
    } catch let failure as ColumnFailure {
      throw failure.error(table: nil, column: nil)
    }
  }
}

/// What was given to a query's parameters.
struct GivenValues: Sendable {
  private struct Given: Sendable {
    let key: ParameterKey
    let value: XTValue
  }

  /// By itself: most queries have one parameter, and are copied with each value.
  private var first: Given?
  private var others: [Given] = []

  /// The value of a parameter; nil where it has none yet.
  subscript(key: ParameterKey) -> XTValue? {
    if let first, first.key === key { return first.value }
    return others.first { $0.key === key }?.value
  }

  mutating func give(_ value: XTValue, to key: ParameterKey) {
    let given = Given(key: key, value: value)
    if first.map({ $0.key === key }) ?? true {
      first = given
    } else if let place = others.firstIndex(where: { $0.key === key }) {
      others[place] = given
    } else {
      others.append(given)
    }
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
