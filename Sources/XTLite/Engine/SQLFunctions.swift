/// The functions and the collation of our own that queries use. They never stand in the definition
/// of a table or an index, where they would shut every other tool out.
enum SQLFunctions {
  /// Makes them known to a connection; every one that is opened needs them.
  static func register(on connection: Connection) throws {
    try connection.createCollation(DecimalOrder.collationName, DecimalOrder.compare)
    try connection.createFunction(CaseFolding.functionName, arguments: 1) { values in
      values.first.map { CaseFolding.folded($0.value) } ?? .null
    }
    try connection.createFunction(DecimalSum.functionName, arguments: 2) { values in
      values.count == 2 ? DecimalSum.sum(values[0].value, values[1].value) : .null
    }
  }
}
