/// A condition's tree as SQL text.
///
/// A chain is written flat, `a AND b AND c`. SQLite builds one level of its expression tree for
/// each operator of a flat chain and gives up at 1,000, so a long one is written in groups of
/// groups.
struct ConditionRenderer {
  private(set) var fragment = SQLFragment()

  /// The most operands that are written without grouping.
  private static let width = 32

  init(_ node: ConditionNode) {
    write(node)
  }

  private mutating func write(_ node: ConditionNode) {
    switch node.form {
    case .text(let text, _):
      fragment.append(text)
    case .membership(let subject, let isNegated, let values):
      fragment.append(subject)
      fragment.append(isNegated ? " NOT IN " : " IN ")
      fragment.append(values.inParentheses)
    case .not(let operand):
      fragment.append("NOT ")
      write(operand, inParentheses: !operand.isAtom)
    case .chain(let connective, _, _):
      var operands: [ConditionNode] = []
      node.collectOperands(of: connective, into: &operands)
      write(operands[...], connective)
    }
  }

  private mutating func write(_ node: ConditionNode, inParentheses: Bool) {
    if inParentheses { fragment.append("(") }
    write(node)
    if inParentheses { fragment.append(")") }
  }

  private mutating func write(_ operands: ArraySlice<ConditionNode>, _ connective: Connective) {
    var size = 1
    while size * Self.width < operands.count { size *= Self.width }
    var rest = operands
    while !rest.isEmpty {
      let group = rest.prefix(size)
      rest = rest.dropFirst(size)
      if group.count == 1, let operand = group.first {
        write(operand, inParentheses: operand.needsParentheses(beside: connective))
      } else {
        fragment.append("(")
        write(group, connective)
        fragment.append(")")
      }
      if !rest.isEmpty { fragment.append(" \(connective.rawValue) ") }
    }
  }
}

extension ConditionNode {
  var isAtom: Bool {
    if case .text(_, .atom) = form { true } else { false }
  }

  /// AND binds closer than OR.
  func needsParentheses(beside connective: Connective) -> Bool {
    switch form {
    case .text(_, let kind): kind == .raw
    case .membership, .not: false
    case .chain(let own, _, _): own == .or && connective == .and
    }
  }

  fileprivate func collectOperands(
    of connective: Connective, into operands: inout [ConditionNode]
  ) {
    if case .chain(connective, let left, let right) = form {
      left.collectOperands(of: connective, into: &operands)
      right.collectOperands(of: connective, into: &operands)
    } else {
      operands.append(self)
    }
  }
}
