extension XTSQL {
  /// What can stand in `\(…)` in SQL.
  public struct StringInterpolation: StringInterpolationProtocol {
    private(set) var text = SQLText()

    /// Called by the compiler.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Called by the compiler.
    public mutating func appendLiteral(_ literal: String) {
      text.append(literal: literal)
    }

    /// A value of any type that a column can hold, bound. A `String` is a value as well.
    public mutating func appendInterpolation<V>(_ value: V) {
      text.append(value: value)
    }

    /// A value that may be nil, which is NULL. SQL compares with NULL by IS: `nick IS \(nick)`.
    public mutating func appendInterpolation<V>(_ value: V?) {
      text.append(value: value)
    }

    /// Values with commas between them: `IN \(list: ids)` or `IN (\(list: ids))`. An empty list
    /// matches nothing. This is plain SQL: a nil in it matches no row, and under NOT IN no row
    /// matches at all.
    public mutating func appendInterpolation<Values: Sequence>(list values: Values) {
      text.append(list: values)
    }

    /// The name of a property's column, quoted: `\(\Person.name)`.
    public mutating func appendInterpolation<M: XTModel>(_ keyPath: PartialKeyPath<M>) {
      text.append(column: keyPath, of: M.self)
    }

    /// The usual name of a model's table, quoted: `\(Person.self)`.
    public mutating func appendInterpolation<M: XTModel>(_ model: M.Type) {
      text.append(tableOf: model)
    }

    /// A name, quoted: `\(identifier: "a b")`.
    public mutating func appendInterpolation(identifier name: String) {
      text.append(identifier: name)
    }

    /// Other SQL, with its values.
    public mutating func appendInterpolation(_ sql: XTSQL) {
      text.append { try sql.resolved() }
    }

    /// A condition, in parentheses, with its values.
    public mutating func appendInterpolation<M: XTModel>(_ condition: XTCondition<M>) {
      text.append { try condition.inParentheses() }
    }

    /// A column or an expression of the typed language, with its values. Columns stand without their
    /// table, unless it goes by another name: `\(boss.age)` is that of `Person.xt.as("boss")`.
    public mutating func appendInterpolation(_ expression: some XTExpressible) {
      text.append { try expression.node.alone() }
    }
  }
}
