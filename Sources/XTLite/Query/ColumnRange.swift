extension Column {
  /// True where a value is none that the property can hold; nil where there is no such number.
  func leavesRange(_ value: SQLNode) -> SQLNode? {
    if type.kind == .float {
      let size = SQLNode.call("abs", [value])
      return SQLNode(
        [
          .node(size, atLeast: .comparison), .text(" > "),
          .value(.real(Double(Float.greatestFiniteMagnitude))), .text(" AND "),
          .node(size, atLeast: .comparison), .text(" <= "),
          .value(.real(Double.greatestFiniteMagnitude)),
        ], .and)
    }
    guard let range = type.integerRange else { return nil }
    // Beyond 64 bits SQLite goes on with a real.
    let isReal = SQLNode([.node(.call("typeof", [value]), atLeast: .atom), .text(" = 'real'")])
    if range == Int64.min...Int64.max { return isReal }
    return SQLNode(
      [
        .node(isReal, atLeast: .unknown), .text(" OR "), .node(value, atLeast: .bitwise),
        .text(" NOT BETWEEN "), .value(.integer(range.lowerBound)), .text(" AND "),
        .value(.integer(range.upperBound)),
      ], .or)
  }
}
