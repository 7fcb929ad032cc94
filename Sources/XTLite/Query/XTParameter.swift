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
  /// One value and those before it: a query is copied with each, so that a copy is one reference.
  private final class Link: Sendable {
    let key: ParameterKey
    let value: XTValue
    let others: Link?

    init(_ key: ParameterKey, _ value: XTValue, _ others: Link?) {
      self.key = key
      self.value = value
      self.others = others
    }

    /// The same without one parameter's value, which is in it.
    func removing(_ key: ParameterKey) -> Link? {
      self.key === key ? others : Link(self.key, value, others?.removing(key))
    }
  }

  private var last: Link?

  /// The value of a parameter; nil where it has none yet.
  subscript(key: ParameterKey) -> XTValue? {
    // Most queries have one parameter.
    if let last, last.key === key { return last.value }
    return link(of: key)?.value
  }

  mutating func give(_ value: XTValue, to key: ParameterKey) {
    guard let before = last else { return last = Link(key, value, nil) }
    last = Link(key, value, link(of: key) == nil ? before : before.removing(key))
  }

  private func link(of key: ParameterKey) -> Link? {
    var link = last
    while let present = link, present.key !== key { link = present.others }
    return link
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
