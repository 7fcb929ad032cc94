/// Long chains of comparisons of one column with values, as the lists that they are: SQLite takes
/// seconds to prepare tens of thousands of them, and a list is bound as one value.
enum ChainFolding {
  /// Chains up to this stay as they were written.
  private static let longestChain = 50

  /// The operands with `` `a` = ? `` joined by OR, and `` `a` != ? `` joined by AND, as one list for
  /// each column, where its first comparison stood.
  static func folded(
    _ operands: [ConditionNode], _ connective: Connective
  ) -> [ConditionNode] {
    guard operands.count > longestChain else { return operands }
    let sign: Comparison = connective == .or ? .equal : .notEqual
    var lists: [Key: [XTValue]] = [:]
    let comparisons = operands.map { operand -> (key: Key, column: SQLNode)? in
      guard case .expression(let node) = operand.form,
        let (column, value) = node.comparedColumn(sign), let key = Key(column)
      else { return nil }
      lists[key, default: []].append(value)
      return (key, column)
    }
    lists = lists.filter { $0.value.count > longestChain }
    guard !lists.isEmpty else { return operands }
    return zip(operands, comparisons).compactMap { operand, comparison in
      guard let comparison, let values = lists[comparison.key] else { return operand }
      // Given to the first one alone.
      lists[comparison.key] = []
      guard !values.isEmpty else { return nil }
      return ConditionNode(
        .make {
          .membership(
            of: comparison.column, [.values(try ValueList(values))], isNegated: connective == .and)
        })
    }
  }

  private struct Key: Hashable {
    let table: TableReference
    let name: String
    let collation: String?

    init?(_ node: SQLNode) {
      guard let column = node.column else { return nil }
      table = column.table
      name = column.name
      collation = node.collation
    }
  }
}

extension SQLNode {
  /// The two sides of a comparison of a column with a value that is not NULL.
  fileprivate func comparedColumn(_ sign: Comparison) -> (column: SQLNode, value: XTValue)? {
    guard error == nil, pieces.count == 3, case .node(let left, _) = pieces[0],
      case .text(" \(sign.rawValue) ") = pieces[1], case .node(let right, _) = pieces[2],
      right.pieces.count == 1, case .value(let value) = right.pieces[0], value != .null
    else { return nil }
    if left.column != nil { return (left, value) }
    // With the collation that its values are compared by.
    guard left.pieces.count == 2, case .node(let column, _) = left.pieces[0],
      column.column != nil, column.collation != nil
    else { return nil }
    return (column, value)
  }
}
