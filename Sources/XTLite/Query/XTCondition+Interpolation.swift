extension XTCondition {
  /// What can stand in `\(…)` in a condition.
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
    /// matches at all; `(\Person.age).notIn(…)` knows about nil.
    public mutating func appendInterpolation<Values: Sequence>(list values: Values) {
      text.append(list: values)
    }

    /// The name of a property's column, quoted: `\(\.name)`.
    public mutating func appendInterpolation(_ keyPath: PartialKeyPath<Model>) {
      text.append(column: keyPath, of: Model.self)
    }

    /// The name of another model's column, quoted, for a SELECT inside the condition; of a
    /// superclass's property, the model's own column.
    public mutating func appendInterpolation<M: XTModel>(_ keyPath: PartialKeyPath<M>) {
      text.append(column: keyPath, of: Model.self is M.Type ? Model.self : M.self)
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

    /// Another condition, in parentheses, with its values.
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
