/// What the index consists of in the file.
extension SearchIndex {
  /// A thing of the schema, by the text with which the file keeps it.
  struct Part: Equatable {
    let type: String
    let name: String
    let sql: String
  }

  var columnList: String { fields.map(\.column.quotedName).joined(separator: ", ") }
  var nameList: String { fields.map { quoted($0.name) }.joined(separator: ", ") }
  var textNames: [String] { fields.indices.map { "`c\($0)`" } }
  var textList: String { textNames.joined(separator: ", ") }
  var pending: String { quoted(pendingName) }
  var sizes: String { quoted(sizesName) }

  /// - Parameters:
  ///   - key: the column of the row's number.
  ///   - unique: the other unique keys of the table.
  ///   - computed: the columns that no statement names, since SQLite makes their values.
  ///   - typeless: the columns that may hold an integer and the real number which equals it: those
  ///     without a type, `ANY` of a STRICT table, and others at the end of the integers.
  ///   - aliases: the names of the row's number that no column has.
  func parts(
    key: String, unique: [UniqueKey], computed: Set<SQLiteName>, typeless: Set<SQLiteName>,
    aliases: [String]
  ) -> [Part] {
    let key = quoted(key)
    return [pendingTable(), view(key), fullText()]
      + triggers(key, unique, computed, typeless, aliases)
  }

  private func pendingTable() -> Part {
    Part(
      type: "table", name: pendingName,
      sql: "CREATE TABLE \(pending) (`id` INTEGER PRIMARY KEY, `isIndexed` INTEGER NOT NULL, "
        + "`number` INTEGER, `claims` INTEGER, \(textList))")
  }

  private func view(_ key: String) -> Part {
    let columns = fields.map {
      $0.column.quotedName == quoted($0.name)
        ? quoted($0.name) : "\($0.column.quotedName) AS \(quoted($0.name))"
    }
    return Part(
      type: "view", name: viewName,
      sql: "CREATE VIEW \(quoted(viewName)) AS SELECT \(key) AS `rowid`, "
        + columns.joined(separator: ", ") + " FROM \(quoted(table)) WHERE \(key) NOT IN"
        + " (SELECT `id` FROM \(pending)) UNION ALL SELECT `id`, \(textList) FROM \(pending)"
        + " WHERE `isIndexed`")
  }

  private func fullText() -> Part {
    let view = viewName.replacing("'", with: "''")
    var options: [String]
    switch engine {
    case .fts5:
      let words = tokenizerWords.map(Self.word).joined(separator: " ")
      options = [
        "content='\(view)'", "content_rowid='rowid'",
        "tokenize='\(words.replacing("'", with: "''"))'",
      ]
      if !prefixes.isEmpty {
        options.append("prefix='\(prefixes.map(String.init).joined(separator: " "))'")
      }
    case .fts4:
      let words = [tokenizerWords[0]] + tokenizerWords.dropFirst().map { "'\($0)'" }
      options = ["content='\(view)'", "tokenize=\(words.joined(separator: " "))"]
      if !prefixes.isEmpty {
        options.append("prefix='\(prefixes.map(String.init).joined(separator: ","))'")
      }
    }
    return Part(
      type: "table", name: name,
      sql: "CREATE VIRTUAL TABLE \(quotedName) USING \(engine == .fts5 ? "fts5" : "fts4")"
        + " (\(nameList), \(options.joined(separator: ", ")))")
  }

  /// A word of FTS5's `tokenize`, in quotes where it needs them.
  private static func word(_ word: String) -> String {
    let isBare = word.utf8.allSatisfy {
      $0 >= 0x80 || $0 == UInt8(ascii: "_") || ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10
    }
    return isBare ? word : "\"\(word.replacing("\"", with: "\"\""))\""
  }
}
