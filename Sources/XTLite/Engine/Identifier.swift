extension String {
  /// The name as an SQL identifier: in backticks, with a backtick inside doubled.
  ///
  /// Never in double quotes: where no column of that name exists, SQLite takes `"name"` for a text
  /// and the statement runs with another meaning.
  var quotedIdentifier: String {
    var result = "`"
    result.reserveCapacity(utf8.count + 2)
    for scalar in unicodeScalars {
      if scalar == "`" { result.unicodeScalars.append("`") }
      result.unicodeScalars.append(scalar)
    }
    result.append("`")
    return result
  }
}

/// `name` as an SQL identifier, see ``Swift/String/quotedIdentifier``.
func quoted(_ identifier: String) -> String {
  identifier.quotedIdentifier
}

extension Sequence<String> {
  /// The names as identifiers, joined by commas.
  var quotedList: String { map(quoted).joined(separator: ", ") }
}
