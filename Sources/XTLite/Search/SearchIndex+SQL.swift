/// What the index consists of in the file.
extension SearchIndex {
  /// A thing of the schema, by the text with which the file keeps it.
  struct Part: Equatable {
    let type: String
    let name: String
    let sql: String
  }

  private var columnList: String { fields.map(\.column.quotedName).joined(separator: ", ") }
  private var nameList: String { fields.map { quoted($0.name) }.joined(separator: ", ") }
  private var textNames: [String] { fields.indices.map { "`c\($0)`" } }
  private var textList: String { textNames.joined(separator: ", ") }
  private var pending: String { quoted(pendingName) }
  private var sizes: String { quoted(sizesName) }

  /// - Parameters:
  ///   - key: the column of the row's number.
  ///   - unique: the other unique keys of the table.
  func parts(key: String, unique: [UniqueKey]) -> [Part] {
    let key = quoted(key)
    return [pendingTable(), view(key), fullText()] + triggers(key, unique)
  }

  private func pendingTable() -> Part {
    Part(
      type: "table", name: pendingName,
      sql: "CREATE TABLE \(pending) (`id` INTEGER PRIMARY KEY, `isIndexed` INTEGER NOT NULL, "
        + "\(textList))")
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

  // MARK: Triggers

  private func triggers(_ key: String, _ unique: [UniqueKey]) -> [Part] {
    let table = quoted(table)
    let conflict = ["\(key) = new.\(key)"] + unique.map { $0.condition }
    let columns = fields.map(\.column.quotedName)
    let watched = columns + [key] + unique.flatMap { $0.columns.map { quoted($0) } }
    var names: Set<String> = []
    let list = watched.filter { names.insert($0).inserted }
    let change = list.map { "old.\($0) IS NOT new.\($0) COLLATE BINARY" }
      .joined(separator: " OR ")
    let update = "UPDATE OF \(list.joined(separator: ", ")) ON \(table) WHEN \(change)"
    let inTheWay =
      "EXISTS (SELECT 1 FROM \(table) WHERE \(conflict.joined(separator: " OR ")))"
    let isPending = "EXISTS (SELECT 1 FROM \(pending))"
    return [
      trigger(
        "before_insert", "BEFORE INSERT ON \(table) WHEN \(inTheWay)", [stash(key, conflict)]),
      // Mostly the first: there is nothing to settle but the new row. Whichever runs first, the other
      // finds nothing left to do.
      trigger(
        "after_insert",
        "AFTER INSERT ON \(table) WHEN NOT \(isPending) AND NOT \(isIndexed("new.\(key)"))",
        putIn(key)),
      trigger(
        "after_replace", "AFTER INSERT ON \(table) WHEN \(isPending)", settle(key)),
      trigger(
        "before_update", "BEFORE \(update)", [stash(key, ["\(key) = old.\(key)"] + conflict)]),
      trigger("after_update", "AFTER \(update)", settle(key)),
    ] + afterDelete(key)
  }

  private func isIndexed(_ key: String) -> String {
    "EXISTS (SELECT 1 FROM \(sizes) WHERE \(engine.sizeKey) = \(key))"
  }

  private func trigger(_ suffix: String, _ head: String, _ statements: [String]) -> Part {
    let triggerName = "\(name)_\(suffix)"
    return Part(
      type: "trigger", name: triggerName,
      sql: "CREATE TRIGGER \(quoted(triggerName)) \(head) BEGIN "
        + statements.map { $0 + "; " }.joined() + "END")
  }

  /// Notes what the index holds of rows that the statement may change or take away.
  private func stash(_ key: String, _ conditions: [String]) -> String {
    // By the table's name too: what keeps the sizes has a column by the name of `id`.
    "INSERT INTO \(pending) (`id`, `isIndexed`, \(textList)) SELECT \(key),"
      + " \(isIndexed("\(quoted(table)).\(key)")), \(columnList)"
      + " FROM \(quoted(table)) WHERE (\(conditions.joined(separator: " OR ")))"
      + " AND \(key) NOT IN (SELECT `id` FROM \(pending))"
  }

  /// Makes the index hold what the rows are.
  private func settle(_ key: String) -> [String] {
    [
      "INSERT INTO \(pending) (`id`, `isIndexed`) SELECT new.\(key), 0 WHERE new.\(key) NOT IN"
        + " (SELECT `id` FROM \(pending)) AND NOT \(isIndexed("new.\(key)"))",
      takeOut(where: "`isIndexed`"),
      "UPDATE \(pending) SET `isIndexed` = 0 WHERE `isIndexed`",
      "INSERT INTO \(quotedName) (`rowid`, \(nameList)) SELECT \(key), \(columnList)"
        + " FROM \(quoted(table)) WHERE \(key) IN (SELECT `id` FROM \(pending))",
      "DELETE FROM \(pending)",
    ]
  }

  /// A row that the index doesn't have.
  private func putIn(_ key: String) -> [String] {
    [
      "INSERT INTO \(pending) (`id`, `isIndexed`) VALUES (new.\(key), 0)",
      "INSERT INTO \(quotedName) (`rowid`, \(nameList)) SELECT \(key), \(columnList)"
        + " FROM \(quoted(table)) WHERE \(key) = new.\(key)",
      "DELETE FROM \(pending) WHERE `id` = new.\(key)",
    ]
  }

  /// The row is gone.
  private func afterDelete(_ key: String) -> [Part] {
    let table = quoted(table)
    let old = fields.map { "old.\($0.column.quotedName)" }.joined(separator: ", ")
    let isPending = "old.\(key) IN (SELECT `id` FROM \(pending))"
    let takeOutPending = [
      takeOut(where: "`isIndexed` AND `id` = old.\(key)"),
      "DELETE FROM \(pending) WHERE `id` = old.\(key)",
    ]
    if engine == .fts4 {
      // It takes out what the view gives, and no other texts.
      let note =
        "INSERT INTO \(pending) (`id`, `isIndexed`, \(textList)) SELECT old.\(key), 1, \(old)"
        + " WHERE NOT \(isPending) AND \(isIndexed("old.\(key)"))"
      return [trigger("after_delete", "AFTER DELETE ON \(table)", [note] + takeOutPending)]
    }
    let takeOutOld =
      "INSERT INTO \(quotedName) (\(quotedName), `rowid`, \(nameList))"
      + " SELECT 'delete', old.\(key), \(old) WHERE \(isIndexed("old.\(key)"))"
    return [
      trigger("after_delete", "AFTER DELETE ON \(table) WHEN NOT \(isPending)", [takeOutOld]),
      trigger("after_removal", "AFTER DELETE ON \(table) WHEN \(isPending)", takeOutPending),
    ]
  }

  private func takeOut(where condition: String) -> String {
    switch engine {
    case .fts5:
      "INSERT INTO \(quotedName) (\(quotedName), `rowid`, \(nameList)) SELECT 'delete', `id`,"
        + " \(textList) FROM \(pending) WHERE \(condition)"
    case .fts4:
      "DELETE FROM \(quotedName) WHERE `docid` IN (SELECT `id` FROM \(pending)"
        + " WHERE \(condition))"
    }
  }
}

/// Columns in which no two rows of a table can agree, its number aside.
struct UniqueKey: Equatable {
  let columns: [String]
  let collations: [String]
  /// What stands behind WHERE of a partial index.
  let scope: String?

  /// What is true of a row that is in the way of the new one.
  var condition: String {
    var terms = zip(columns, collations).map { column, collation in
      "\(quoted(column)) = new.\(quoted(column)) COLLATE \(quoted(collation))"
    }
    if let scope { terms.append("(\(scope))") }
    return "(\(terms.joined(separator: " AND ")))"
  }
}
