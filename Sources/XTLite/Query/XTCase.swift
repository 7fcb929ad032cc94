/// SQL's CASE: the value of the first condition that is true.
///
/// ```swift
/// let size = XTCase(when: Person.xt.age < 13, then: "child")
///   .when(Person.xt.age < 20, then: "teen")
///   .else("adult")                                   // XTExpression<String>
/// ```
///
/// Without ``else(_:)-(Value)`` it is NULL where no condition is true.
public struct XTCase<Value>: Sendable {
  private let pieces: [SQLNode.Piece]
  private let collation: String?

  private init(_ pieces: [SQLNode.Piece], _ collation: String?) {
    self.pieces = pieces
    self.collation = collation
  }

  /// The value where a condition is true.
  @_disfavoredOverload
  public init(when condition: some XTExpressible<Bool>, then value: Value) {
    self.init(Self.branch(condition.node, .value(value)), DecimalOrder.collation(of: Value.self))
  }

  /// The value of an expression where a condition is true.
  public init(when condition: some XTExpressible<Bool>, then value: some XTExpressible<Value>) {
    self.init(Self.branch(condition.node, value.node), value.node.collation)
  }

  /// The value where another condition is true, and none before it.
  @_disfavoredOverload
  public func when(_ condition: some XTExpressible<Bool>, then value: Value) -> XTCase {
    XTCase(pieces + Self.branch(condition.node, .value(value)), collation)
  }

  /// The value of an expression where another condition is true, and none before it.
  public func when(
    _ condition: some XTExpressible<Bool>, then value: some XTExpressible<Value>
  ) -> XTCase {
    XTCase(pieces + Self.branch(condition.node, value.node), collation ?? value.node.collation)
  }

  /// The value where no condition is true.
  public func `else`(_ value: Value) -> XTExpression<Value> { end(.value(value)) }

  /// The value of an expression where no condition is true.
  public func `else`(_ value: some XTExpressible<Value>) -> XTExpression<Value> {
    end(value.node)
  }

  /// NULL where no condition is true.
  public func end() -> XTExpression<Value?> {
    XTExpression<Value?>(
      SQLNode([.text("CASE")] + pieces + [.text(" END")], collation: collation))
  }

  private func end(_ value: SQLNode) -> XTExpression<Value> {
    XTExpression(
      SQLNode(
        [.text("CASE")] + pieces + [
          .text(" ELSE "), .node(value, atLeast: .unknown), .text(" END"),
        ], collation: collation ?? value.collation))
  }

  private static func branch(_ condition: SQLNode, _ value: SQLNode) -> [SQLNode.Piece] {
    [
      .text(" WHEN "), .node(condition, atLeast: .unknown), .text(" THEN "),
      .node(value, atLeast: .unknown),
    ]
  }
}

extension XTCase where Value: XTOptional {
  /// NULL where no condition is true.
  public func end() -> XTExpression<Value> {
    XTExpression(SQLNode([.text("CASE")] + pieces + [.text(" END")], collation: collation))
  }
}

// MARK: - CASE x WHEN

extension XTExpressible {
  /// SQL's CASE of one subject: the value behind the first value that the subject equals.
  ///
  /// ```swift
  /// let sign = Person.xt.kind.case(.admin, then: "*").when(.guest, then: "?").else("")
  /// // CASE `kind` WHEN ? THEN ? WHEN ? THEN ? ELSE ? END
  /// ```
  ///
  /// NULL equals nothing: a subject that is NULL has the value of `else`.
  @_disfavoredOverload
  public func `case`<Other>(_ subject: Value, then value: Other) -> XTSubjectCase<Value, Other> {
    XTSubjectCase(of: node, subject, .value(value), DecimalOrder.collation(of: Other.self))
  }

  /// The same with the value of an expression.
  public func `case`<Other: XTExpressible>(
    _ subject: Value, then value: Other
  ) -> XTSubjectCase<Value, Other.Value> {
    XTSubjectCase(of: node, subject, value.node, value.node.collation)
  }
}

/// SQL's CASE of one subject, see `case(_:then:)`.
public struct XTSubjectCase<Subject, Value>: Sendable {
  private let pieces: [SQLNode.Piece]
  private let collation: String?

  fileprivate init(
    of node: SQLNode, _ subject: Subject, _ value: SQLNode, _ collation: String?
  ) {
    pieces =
      [.text("CASE "), .node(node.compared, atLeast: .unknown)] + Self.branch(subject, value)
    self.collation = collation
  }

  private init(_ pieces: [SQLNode.Piece], _ collation: String?) {
    self.pieces = pieces
    self.collation = collation
  }

  /// The value where the subject equals another one, and none before it.
  @_disfavoredOverload
  public func when(_ subject: Subject, then value: Value) -> XTSubjectCase {
    XTSubjectCase(pieces + Self.branch(subject, .value(value)), collation)
  }

  /// The value of an expression where the subject equals another one, and none before it.
  public func when(
    _ subject: Subject, then value: some XTExpressible<Value>
  ) -> XTSubjectCase {
    XTSubjectCase(pieces + Self.branch(subject, value.node), collation ?? value.node.collation)
  }

  /// The value where the subject equals none of them.
  public func `else`(_ value: Value) -> XTExpression<Value> { end(.value(value)) }

  /// The value of an expression where the subject equals none of them.
  public func `else`(_ value: some XTExpressible<Value>) -> XTExpression<Value> {
    end(value.node)
  }

  /// NULL where the subject equals none of them.
  public func end() -> XTExpression<Value?> {
    XTExpression<Value?>(SQLNode(pieces + [.text(" END")], collation: collation))
  }

  private func end(_ value: SQLNode) -> XTExpression<Value> {
    XTExpression(
      SQLNode(
        pieces + [.text(" ELSE "), .node(value, atLeast: .unknown), .text(" END")],
        collation: collation ?? value.collation))
  }

  private static func branch(_ subject: Subject, _ value: SQLNode) -> [SQLNode.Piece] {
    [
      .text(" WHEN "), .node(.value(subject), atLeast: .unknown), .text(" THEN "),
      .node(value, atLeast: .unknown),
    ]
  }
}

extension XTSubjectCase where Value: XTOptional {
  /// NULL where the subject equals none of them.
  public func end() -> XTExpression<Value> {
    XTExpression(SQLNode(pieces + [.text(" END")], collation: collation))
  }
}
