// A library that can't be told otherwise takes "nope", where no column has that name, for a text:
// `DELETE … WHERE "nope" != 'x'` empties the table. In backticks it is a name and nothing else.

extension Connection {
  /// The same statement with its double-quoted names in backticks, for such a library.
  ///
  /// What defines something is left as it is: its text stands in the file.
  ///
  /// - Returns: nil where the statement may be used as it is.
  /// - Throws: `unknownColumn` where a double-quoted name names nothing.
  func withExactNames(
    of statement: Statement, kept: Bool, isPacked: Bool
  ) throws -> Statement? {
    guard !SQLiteLibrary.canDisableDoubleQuotedStrings, statement.kind != .schema, !isPacked,
      let exact = Self.withNamesInBackticks(statement.sql)
    else { return nil }
    var pointer: OpaquePointer?
    let (code, _) = notingTables {
      exact.withCString { xt_prepare(handle, $0, -1, kept ? 1 : 0, &pointer, nil) }
    }
    guard code == SQLITE_OK, let pointer else {
      throw noticed(XTError.last(of: handle, code: code, sql: statement.sql, path: path))
    }
    return Statement(sql: statement.sql, pointer: pointer, owner: owner)
  }

  /// - Returns: nil for SQL without double quotes.
  static func withNamesInBackticks(_ sql: String) -> String? {
    guard sql.utf8.contains(UInt8(ascii: "\"")) else { return nil }
    let bytes = Array(sql.utf8)
    let scanner = SQLScanner(sql)
    var exact: [UInt8] = []
    var end = 0
    for token in scanner where token.kind == .doubleQuoted {
      exact += bytes[end..<token.range.lowerBound]
      exact += quoted(scanner.unquoted(token)).utf8
      end = token.range.upperBound
    }
    guard end > 0 else { return nil }
    exact += bytes[end...]
    return String(decoding: exact, as: UTF8.self)
  }
}
