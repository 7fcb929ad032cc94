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
  @inline(__always)
  func bound<Value>(_ value: Value) throws -> XTValue {
    try withUnsafePointer(to: value) { try bound(at: $0) } ?? boundValue(of: value)
  }

  /// The value in memory; nil where no column can hold it.
  private func bound(at base: UnsafeRawPointer) throws -> XTValue? {
    do {
      return try access?.value(from: base)
    } catch let failure as ColumnFailure {
      throw failure.error(table: nil, column: nil)
    }
  }
}

/// What was given to a query's parameters.
struct GivenValues: Sendable {
  /// By itself: most queries have one parameter, and are copied with each value.
  private var first: ParameterKey?
  private var firstValue: XTValue
  private var others: Others?

  /// Behind a reference that is nil for most queries.
  private final class Others: Sendable {
    let values: [(key: ParameterKey, value: XTValue)]

    init(_ values: [(key: ParameterKey, value: XTValue)]) { self.values = values }
  }

  /// No value.
  init() {
    firstValue = .null
  }

  private init(first key: ParameterKey, _ value: XTValue) {
    first = key
    firstValue = value
  }

  /// The value of a parameter; nil where it has none yet.
  @inline(__always)
  subscript(key: ParameterKey) -> XTValue? {
    if first === key { return firstValue }
    return others?.values.first { $0.key === key }?.value
  }

  /// These, with a parameter's value.
  @inline(__always)
  func giving(_ value: XTValue, to key: ParameterKey) -> GivenValues {
    guard others == nil, first == nil || first === key else { return adding(value, to: key) }
    return GivenValues(first: key, value)
  }

  @inline(never)
  private func adding(_ value: XTValue, to key: ParameterKey) -> GivenValues {
    var given = self
    if first === key {
      given.firstValue = value
      return given
    }
    var values = others?.values ?? []
    values.removeAll { $0.key === key }
    values.append((key, value))
    given.others = Others(values)
    return given
  }
}

/// A parameter where it stands in a statement.
struct PlacedParameter: Sendable {
  let place: Int
  let key: ParameterKey
  /// Whether it is the number of rows of LIMIT or OFFSET.
  let isCount: Bool

  /// - Throws: `valueOutOfRange` for what is no number of rows: SQLite takes one below 0 for all.
  @inline(__always)
  func check(_ value: XTValue) throws {
    if isCount { try checkCount(value) }
  }

  @inline(never)
  private func checkCount(_ value: XTValue) throws {
    if case .integer(let count) = value, count >= 0 { return }
    throw XTError(
      .valueOutOfRange,
      "\(key.name) is \(value), which is no number of rows: limit and offset are 0 or more",
      hint: "leave limit out to have all rows")
  }
}
