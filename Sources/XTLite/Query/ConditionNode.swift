/// AND or OR.
enum Connective: String, Sendable {
  case and = "AND"
  case or = "OR"
}

/// A condition as a tree: texts and expressions, joined by AND and OR or negated.
///
/// A chain of one connective is a balanced tree of pairs, so that one more condition costs the same
/// few nodes whether `reduce` adds it at the end, at the beginning, or joins two long chains, and
/// no walk over it goes deep. What is rendered is the flat list of its operands.
final class ConditionNode: Sendable {
  enum Form: Sendable {
    case text(SQLFragment, TextKind)
    case expression(SQLNode)
    case not(ConditionNode)
    case chain(Connective, ConditionNode, ConditionNode)
  }

  enum TextKind: Sendable {
    /// A name, or what else needs no parentheses anywhere.
    case atom
    /// A comparison, which needs none beside AND and OR.
    case comparison
    /// The programmer's own text, which may hold any operator.
    case raw
  }

  let form: Form
  /// The first thing that is wrong with a part.
  let error: (any Error)?
  /// Whether a part is the programmer's own text.
  let hasRawText: Bool
  /// How many pairs deep a chain's tree is.
  private let height: Int
  /// How many times connectives and negations change on the way down.
  private let nesting: Int
  /// How many levels it is, those of the expressions in it included.
  let depth: Int
  /// How many pieces it is written in.
  let size: Int

  /// SQLite's parser gives up earlier; the limit keeps Swift's stack out of it.
  private static let maximumNesting = 200

  private init(
    _ form: Form, error: (any Error)?, hasRawText: Bool, height: Int = 0, nesting: Int = 0
  ) {
    self.form = form
    self.error = error
    self.hasRawText = hasRawText
    self.height = height
    self.nesting = nesting
    switch form {
    case .text:
      depth = 0
      size = 1
    case .expression(let node):
      depth = node.depth
      size = node.size
    case .not(let operand):
      depth = operand.depth + 1
      size = operand.size + 1
    case .chain(let connective, let left, let right):
      depth = max(left.depth(in: connective), right.depth(in: connective))
      size = left.size + right.size
    }
  }

  convenience init(_ fragment: SQLFragment, _ kind: TextKind, error: (any Error)? = nil) {
    self.init(.text(fragment, kind), error: error, hasRawText: kind == .raw)
  }

  convenience init(_ expression: SQLNode) {
    self.init(
      .expression(expression), error: expression.error, hasRawText: expression.hasRawText)
  }

  /// A part that could not be made. What stands in its place matches nothing.
  convenience init(_ error: any Error) {
    self.init(SQLFragment("NULL"), .atom, error: error)
  }

  // MARK: Joining

  static func not(_ operand: ConditionNode) -> ConditionNode {
    if case .not(let inner) = operand.form { return inner }
    guard operand.nesting < maximumNesting, operand.depth < SQLNode.maximumDepth else {
      return tooDeep(operand.error)
    }
    return ConditionNode(
      .not(operand), error: operand.error, hasRawText: operand.hasRawText,
      nesting: operand.nesting + 1)
  }

  static func join(
    _ left: ConditionNode, _ connective: Connective, _ right: ConditionNode
  ) -> ConditionNode {
    let error = left.error ?? right.error
    guard max(left.nesting, right.nesting) < maximumNesting,
      max(left.depth, right.depth) < SQLNode.maximumDepth
    else { return tooDeep(error) }
    guard left.size + right.size <= SQLNode.maximumSize else {
      return ConditionNode(error ?? SQLNode.tooLarge)
    }
    return balanced(left, connective, right)
  }

  private static func tooDeep(_ error: (any Error)?) -> ConditionNode {
    ConditionNode(
      error
        ?? XTError(
          .sqlite, "the condition is nested more than \(maximumNesting) levels deep",
          hint: "a long chain of && alone, or of || alone, is no nesting"))
  }

  private static func pair(
    _ left: ConditionNode, _ connective: Connective, _ right: ConditionNode
  ) -> ConditionNode {
    ConditionNode(
      .chain(connective, left, right), error: left.error ?? right.error,
      hasRawText: left.hasRawText || right.hasRawText,
      height: 1 + max(left.height(in: connective), right.height(in: connective)),
      nesting: max(left.nesting(in: connective), right.nesting(in: connective)))
  }

  /// The join of AVL trees whose leaves are the chain's operands.
  private static func balanced(
    _ left: ConditionNode, _ connective: Connective, _ right: ConditionNode
  ) -> ConditionNode {
    let difference = left.height(in: connective) - right.height(in: connective)
    if difference > 1, case .chain(_, let first, let second) = left.form {
      let rest = balanced(second, connective, right)
      guard rest.height(in: connective) > first.height(in: connective) + 1,
        case .chain(_, let near, let far) = rest.form
      else { return pair(first, connective, rest) }
      if near.height(in: connective) > far.height(in: connective),
        case .chain(_, let nearFirst, let nearSecond) = near.form
      {
        return pair(
          pair(first, connective, nearFirst), connective, pair(nearSecond, connective, far))
      }
      return pair(pair(first, connective, near), connective, far)
    }
    if difference < -1, case .chain(_, let first, let second) = right.form {
      let rest = balanced(left, connective, first)
      guard rest.height(in: connective) > second.height(in: connective) + 1,
        case .chain(_, let far, let near) = rest.form
      else { return pair(rest, connective, second) }
      if near.height(in: connective) > far.height(in: connective),
        case .chain(_, let nearFirst, let nearSecond) = near.form
      {
        return pair(
          pair(far, connective, nearFirst), connective, pair(nearSecond, connective, second))
      }
      return pair(far, connective, pair(near, connective, second))
    }
    return pair(left, connective, right)
  }

  /// An operand of another connective is a leaf of the chain.
  private func height(in connective: Connective) -> Int {
    isChain(of: connective) ? height : 0
  }

  private func nesting(in connective: Connective) -> Int {
    isChain(of: connective) ? nesting : nesting + 1
  }

  /// One more level for an operand that is no part of the chain itself.
  private func depth(in connective: Connective) -> Int {
    isChain(of: connective) ? depth : depth + 1
  }

  func isChain(of connective: Connective) -> Bool {
    if case .chain(connective, _, _) = form { true } else { false }
  }
}

extension ConditionNode {
  var precedence: Precedence {
    switch form {
    case .text(_, .atom): .atom
    case .text(_, .comparison): .equality
    case .text(_, .raw): .unknown
    case .expression(let node): node.precedence
    case .not: .not
    case .chain(.and, _, _): .and
    case .chain(.or, _, _): .or
    }
  }

  /// AND binds closer than OR.
  func needsParentheses(beside connective: Connective) -> Bool {
    precedence < (connective == .and ? .and : .or)
  }

  func collectOperands(of connective: Connective, into operands: inout [ConditionNode]) {
    if case .chain(connective, let left, let right) = form {
      left.collectOperands(of: connective, into: &operands)
      right.collectOperands(of: connective, into: &operands)
    } else {
      operands.append(self)
    }
  }
}
