// What conditions on key paths and the longer language have in common.

extension SQLNode {
  /// The name of the column that it is, for errors.
  var name: String? { column?.name }

  static func between(_ node: SQLNode, _ low: SQLNode, _ high: SQLNode) -> SQLNode {
    let node = node.collated(node.collation ?? low.collation ?? high.collation)
    return SQLNode(
      [
        .node(node.compared, atLeast: .bitwise), .text(" BETWEEN "),
        .node(low, atLeast: .bitwise), .text(" AND "), .node(high, atLeast: .bitwise),
      ], .equality)
  }

  /// SQL's IN with NULL in the list is never false, and NOT IN never true: NULL is tested apart.
  static func membership<V>(
    of node: SQLNode, in values: some Sequence<V>, isNegated: Bool = false
  ) -> SQLNode {
    make {
      let all = try values.map { try boundValue(of: $0, column: node.name) }
      let values = all.filter { $0 != .null }
      let list = membership(of: node, [.values(try ValueList(values))], isNegated: isNegated)
      guard values.count < all.count else { return list }
      let test = node.followed(by: isNegated ? "IS NOT NULL" : "IS NULL")
      if values.isEmpty { return test }
      return SQLNode(.join(ConditionNode(list), isNegated ? .and : .or, ConditionNode(test)))
    }
  }

  /// - Parameter list: what stands in the parentheses.
  static func membership(of node: SQLNode, _ list: [Piece], isNegated: Bool) -> SQLNode {
    SQLNode(
      [.node(node.compared, atLeast: .bitwise), .text(isNegated ? " NOT IN (" : " IN (")] + list
        + [.text(")")], .equality)
  }

  static func like(
    _ node: SQLNode, _ sign: String, _ pattern: SQLNode, escape: Character? = nil
  ) -> SQLNode {
    var pieces: [Piece] = [
      .node(node, atLeast: .bitwise), .text(" \(sign) "), .node(pattern, atLeast: .bitwise),
    ]
    if let escape { pieces += [.text(" ESCAPE "), .value(.text(String(escape)))] }
    return SQLNode(pieces, .equality)
  }

  // MARK: Texts in texts

  static func folded(_ node: SQLNode, _ isFolded: Bool) -> SQLNode {
    isFolded ? .call(CaseFolding.functionName, [node]) : node
  }

  static func containing(_ text: SQLNode, _ part: SQLNode) -> SQLNode {
    comparing(.call("instr", [text, part]), .greater, SQLNode("0"))
  }

  static func starting(_ text: SQLNode, _ start: SQLNode) -> SQLNode {
    comparing(.call("instr", [text, start]), .equal, SQLNode("1"))
  }

  /// As blobs, because substr and length of a text stop at a NUL in it.
  static func ending(_ text: SQLNode, _ end: SQLNode) -> SQLNode {
    func bytes(_ node: SQLNode) -> SQLNode { cast(node, "BLOB") }
    let length = SQLNode(
      [.text("-"), .node(.call("length", [bytes(end)]), atLeast: .atom)], .unary)
    return comparing(.call("substr", [bytes(text), length]), .equal, bytes(end))
  }

  static func cast(_ node: SQLNode, _ type: String, collation: String? = nil) -> SQLNode {
    SQLNode(
      [.text("CAST("), .node(node, atLeast: .unknown), .text(" AS \(type))")],
      collation: collation)
  }
}
