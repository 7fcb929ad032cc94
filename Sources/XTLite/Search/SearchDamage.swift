/// Errors that come from an index which is damaged, and do not say so.
///
/// SQLite tells of them as it meets them: a table of the index's own that is missing, a constraint
/// that a row of the model seems to break.
enum SearchDamage {
  /// A trigger deletes the row that is being updated, of which SQLite says no more than that.
  private static let pinned: Int32 = 2835

  /// - Parameter connection: Where a file is looked at whose index another model declares.
  static func explained(
    _ error: any Error, _ table: String, _ mapping: ModelMapping, on connection: Connection?
  ) -> any Error {
    guard let error = error as? XTError, let isCertain = suspicion(error, of: table) else {
      return error
    }
    let isSearched =
      isCertain || mapping.modelType.xt_search.isDeclared
      || connection.map { hasIndex(table, on: $0) } == true
    return isSearched ? damage(error, of: table) : error
  }

  private static func hasIndex(_ table: String, on connection: Connection) -> Bool {
    let file = try? SearchParts(of: table, on: connection)
    return file?.parts.contains(where: \.isIndex) == true
  }

  /// - Returns: nil where it has nothing to do with the index; else whether only an index can be
  ///   what is meant.
  static func suspicion(_ error: XTError, of table: String) -> Bool? {
    let message = error.message
    guard [1, 11, 19].contains(error.code & 0xFF), !message.hasPrefix(beginning(table)),
      error.extendedCode != pinned
    else { return nil }
    let name = SearchIndex.name(for: table)
    let certain = ["vtable constructor failed: \(name)", "invalid fts5 file format"]
    if certain.contains(where: { message.hasPrefix($0) }) { return true }
    if message.hasPrefix("no such table: ") {
      let missing = message.dropFirst("no such table: ".count)
      let isOwn = ([""] + FullTextEngine.allShadows + ["pending", "rows"]).contains { suffix in
        let own = suffix.isEmpty ? name : "\(name)_\(suffix)"
        return missing == own || missing == "main.\(own)"
      }
      if isOwn { return true }
    }
    // A virtual table that is corrupt, and what has no words of its own.
    let vague = [
      "constraint failed", "SQL logic error", "SQL logic error or missing database",
      Connection.unreadablePage,
    ]
    return error.extendedCode == 267 || vague.contains(message) ? false : nil
  }

  private static func beginning(_ table: String) -> String {
    "the index of the words of `\(table)` is damaged"
  }

  static func damage(_ error: XTError, of table: String) -> XTError {
    var damage = error
    damage.kind = .corrupt
    damage.message = "\(beginning(table)): \(error.message)"
    damage.hint = "rebuildSearch() makes it anew of the rows, which are whole"
    if error.message == Connection.unreadablePage {
      damage.hint = "rebuildSearch() makes it anew; where that fails, the file itself is damaged"
    }
    damage.table = table
    damage.column = nil
    return damage
  }
}
