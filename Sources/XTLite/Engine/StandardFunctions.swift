extension Connection {
  /// The collation and the functions that XTLite's own queries use. None of them ever stands in a
  /// table or an index, or no other program could use the file.
  func registerStandardFunctions() throws {
    try createCollation("xt_decimal") { DecimalOrder.compare($0, $1) }
    try createFunction(CaseFolding.functionName, arguments: 1) { CaseFolding.folded($0[0].value) }
    try createFunction(DecimalSum.functionName, arguments: 2) {
      DecimalSum.sum($0[0].value, $0[1].value)
    }
  }
}
