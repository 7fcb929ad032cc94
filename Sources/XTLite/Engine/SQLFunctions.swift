/// The functions and the collations of our own that queries use. They never stand in the definition
/// of a table or an index, where they would shut every other tool out.
enum SQLFunctions {
  /// Makes them known to a connection; every one that is opened needs them.
  static func register(on connection: Connection) throws {
    try connection.createCollation(DecimalOrder.collationName, DecimalOrder.compare)
    try connection.createFunction(TrigramFolding.functionName, arguments: 1) { values in
      values.first.map { TrigramFolding.folded($0.value) } ?? .null
    }
    try connection.createFunction(CaseFolding.functionName, arguments: 1) { values in
      values.first.map { CaseFolding.folded($0.value) } ?? .null
    }
    try connection.createFunction(DecimalSum.functionName, arguments: 2) { values in
      values.count == 2 ? DecimalSum.sum(values[0].value, values[1].value) : .null
    }
    try connection.registerLists()
    try connection.createCollation(CaseFolding.collationName, CaseFolding.compare)
    try DecimalArithmetic.register(on: connection)
    try DateParts.register(on: connection)
    try RegularExpressions.register(on: connection)
    try JSONValue.register(on: connection)
    try connection.registerSearch()
    try connection.createFunction(SearchRank.functionName, arguments: nil) { SearchRank.rank($0) }
    if !SQLiteLibrary.hasJSON { try JSONExtract.register(on: connection) }
  }
}

extension SQLFunctions {
  /// The name of a function or collation of SQLite's own that was replaced, and is not any more.
  /// Taking the replacement away does not bring it back on an open connection: SQLite keeps an empty
  /// entry of that name.
  static func nameThatComesBack(
    from old: ConnectionSettings, to new: ConnectionSettings
  ) throws -> String? {
    for collation in old.collations where !new.collations.contains(where: collation.isReplaced) {
      if ["NOCASE", "RTRIM"].contains(where: { SQLiteName($0) == SQLiteName(collation.name) }) {
        return collation.name
      }
    }
    let gone = old.functions.filter { !new.functions.contains(where: $0.isReplaced) }
    if gone.isEmpty { return nil }
    let connection = try Connection(ConnectionSettings())
    defer { connection.close() }
    return gone.first { hides($0, connection) }?.name
  }

  /// Whether a plain connection has a function that this one stands in front of.
  private static func hides(_ function: XTFunction, _ connection: Connection) -> Bool {
    let marks = repeatElement("?", count: function.arguments ?? 0).joined(separator: ", ")
    do {
      _ = try connection.prepare("SELECT \(quoted(function.name))(\(marks))", kept: false)
      return true
    } catch {
      let message = XTError.text(of: error)
      if message.hasPrefix("no such function") { return false }
      return function.arguments == nil || !message.hasPrefix("wrong number of arguments")
    }
  }
}
