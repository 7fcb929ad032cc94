// Few, and only on key paths and on our own types: each global operator is tried by the compiler in
// every expression of the program that uses its sign. The values' type is free, so that whatever a
// column can hold is compared without a conformance. The rarer forms are disfavored: the compiler
// tries them last, and `.none` means a case of the enum before it means nil.

// MARK: A property and a value

/// Rows in which a property equals a value; nil, or a variable that holds nil, is IS NULL.
public func == <M: XTModel, V>(left: KeyPath<M, V>, right: V) -> XTCondition<M> {
  .comparing(left, .equal, right)
}

/// As above, for a value that may be nil where the property may not.
@_disfavoredOverload
public func == <M: XTModel, V>(left: KeyPath<M, V>, right: V?) -> XTCondition<M> {
  .comparing(left, .equal, right)
}

/// Rows in which a property differs from a value; nil, or a variable that holds nil, is IS NOT
/// NULL.
///
/// This is SQL's `!=`: a row that holds NULL neither equals a value nor differs from it. Write
/// `\.nick != "x" || \.nick == nil` to have those rows as well.
public func != <M: XTModel, V>(left: KeyPath<M, V>, right: V) -> XTCondition<M> {
  .comparing(left, .notEqual, right)
}

/// As above, for a value that may be nil where the property may not.
@_disfavoredOverload
public func != <M: XTModel, V>(left: KeyPath<M, V>, right: V?) -> XTCondition<M> {
  .comparing(left, .notEqual, right)
}

/// Rows in which a property is less than a value. NULL, on either side, is no match.
public func < <M: XTModel, V>(left: KeyPath<M, V>, right: V) -> XTCondition<M> {
  .comparing(left, .less, right)
}

/// Rows in which a property is at most a value. NULL, on either side, is no match.
public func <= <M: XTModel, V>(left: KeyPath<M, V>, right: V) -> XTCondition<M> {
  .comparing(left, .lessOrEqual, right)
}

/// Rows in which a property is greater than a value. NULL, on either side, is no match.
public func > <M: XTModel, V>(left: KeyPath<M, V>, right: V) -> XTCondition<M> {
  .comparing(left, .greater, right)
}

/// Rows in which a property is at least a value. NULL, on either side, is no match.
public func >= <M: XTModel, V>(left: KeyPath<M, V>, right: V) -> XTCondition<M> {
  .comparing(left, .greaterOrEqual, right)
}

// MARK: Two properties

/// Rows in which two properties are equal. NULL equals nothing, not even NULL.
public func == <M: XTModel, V>(left: KeyPath<M, V>, right: KeyPath<M, V>) -> XTCondition<M> {
  .comparing(left, .equal, with: right)
}

/// Rows in which two properties differ. NULL differs from nothing.
public func != <M: XTModel, V>(left: KeyPath<M, V>, right: KeyPath<M, V>) -> XTCondition<M> {
  .comparing(left, .notEqual, with: right)
}

/// Rows in which one property is less than another. NULL, on either side, is no match.
public func < <M: XTModel, V>(left: KeyPath<M, V>, right: KeyPath<M, V>) -> XTCondition<M> {
  .comparing(left, .less, with: right)
}

/// Rows in which one property is at most another. NULL, on either side, is no match.
public func <= <M: XTModel, V>(left: KeyPath<M, V>, right: KeyPath<M, V>) -> XTCondition<M> {
  .comparing(left, .lessOrEqual, with: right)
}

/// Rows in which one property is greater than another. NULL, on either side, is no match.
public func > <M: XTModel, V>(left: KeyPath<M, V>, right: KeyPath<M, V>) -> XTCondition<M> {
  .comparing(left, .greater, with: right)
}

/// Rows in which one property is at least another. NULL, on either side, is no match.
public func >= <M: XTModel, V>(left: KeyPath<M, V>, right: KeyPath<M, V>) -> XTCondition<M> {
  .comparing(left, .greaterOrEqual, with: right)
}

// MARK: Conditions together

/// Rows that meet both conditions.
public func && <M: XTModel>(left: XTCondition<M>, right: XTCondition<M>) -> XTCondition<M> {
  XTCondition(.join(left.node, .and, right.node))
}

/// Rows in which a Bool property is true and that meet a condition.
@_disfavoredOverload
public func && <M: XTModel>(left: KeyPath<M, Bool>, right: XTCondition<M>) -> XTCondition<M> {
  XTCondition(left) && right
}

/// Rows that meet a condition and in which a Bool property is true.
@_disfavoredOverload
public func && <M: XTModel>(left: XTCondition<M>, right: KeyPath<M, Bool>) -> XTCondition<M> {
  left && XTCondition(right)
}

/// Rows in which both Bool properties are true.
@_disfavoredOverload
public func && <M: XTModel>(left: KeyPath<M, Bool>, right: KeyPath<M, Bool>) -> XTCondition<M> {
  XTCondition(left) && XTCondition(right)
}

/// Rows that meet one condition or both.
public func || <M: XTModel>(left: XTCondition<M>, right: XTCondition<M>) -> XTCondition<M> {
  XTCondition(.join(left.node, .or, right.node))
}

/// Rows in which a Bool property is true or that meet a condition.
@_disfavoredOverload
public func || <M: XTModel>(left: KeyPath<M, Bool>, right: XTCondition<M>) -> XTCondition<M> {
  XTCondition(left) || right
}

/// Rows that meet a condition or in which a Bool property is true.
@_disfavoredOverload
public func || <M: XTModel>(left: XTCondition<M>, right: KeyPath<M, Bool>) -> XTCondition<M> {
  left || XTCondition(right)
}

/// Rows in which one Bool property is true or both are.
@_disfavoredOverload
public func || <M: XTModel>(left: KeyPath<M, Bool>, right: KeyPath<M, Bool>) -> XTCondition<M> {
  XTCondition(left) || XTCondition(right)
}

/// Rows that don't meet a condition. One that is neither met nor not met, because of a NULL in it,
/// stays so.
public prefix func ! <M: XTModel>(condition: XTCondition<M>) -> XTCondition<M> {
  XTCondition(.not(condition.node))
}

/// Rows in which a Bool property is false.
@_disfavoredOverload
public prefix func ! <M: XTModel>(flag: KeyPath<M, Bool>) -> XTCondition<M> {
  !XTCondition(flag)
}

// MARK: -

/// The signs of comparison, as SQL writes them.
enum Comparison: String, Sendable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// What is written where the value is NULL, to which nothing compares.
  var withNull: String? {
    switch self {
    case .equal: "IS NULL"
    case .notEqual: "IS NOT NULL"
    default: nil
    }
  }
}

extension XTCondition {
  static func comparing<V>(
    _ keyPath: PartialKeyPath<Model>, _ sign: Comparison, _ value: V
  ) -> XTCondition {
    XTCondition {
      .comparing(try ConditionColumn(keyPath).node, sign, value: value)
    }
  }

  static func comparing(
    _ left: PartialKeyPath<Model>, _ sign: Comparison, with right: PartialKeyPath<Model>
  ) -> XTCondition {
    XTCondition {
      .comparing(try ConditionColumn(left).node, sign, try ConditionColumn(right).node)
    }
  }
}
