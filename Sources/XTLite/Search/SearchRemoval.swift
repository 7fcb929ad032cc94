/// Takes the index of a table's words out of the file, whatever state it is in.
enum SearchRemoval {
  /// All that is left of the index, its triggers on a table that was renamed included, and the index
  /// that the table had by a former name.
  static func remove(from table: String, on connection: Connection) throws {
    let file = try SearchParts(of: table, on: connection)
    guard !file.isEmpty else { return }
    try connection.inTransaction {
      for part in file.parts where part.type == "trigger" { try drop(part, on: connection) }
      if let fullText = file.parts.first(where: \.isIndex) {
        try drop(fullText, file.shadows, on: connection)
      } else {
        for shadow in file.shadows { try drop(shadow, on: connection) }
      }
      for part in file.parts where part.type == "view" { try drop(part, on: connection) }
      for part in file.parts where part.type == "table" && !part.isIndex {
        try drop(part, on: connection)
      }
      // Those have no triggers but the ones on this table, and so no index that holds.
      for name in file.formerNames { try remove(from: name, on: connection) }
    }
  }

  /// The indexes of tables that are gone: other programs drop a table and leave the rest, and a view
  /// of a table that is missing keeps SQLite from renaming any other.
  static func removeOrphans(on connection: Connection) throws {
    let views = try connection.rows(
      "SELECT `name` FROM `sqlite_master` WHERE `type` = 'view'"
        + " AND substr(lower(`name`), -12) = '_search_rows'")
    for row in views {
      guard let table = row[0].string.map({ String($0.dropLast(12)) }),
        try !SchemaReader.tableExists(table, on: connection)
      else { continue }
      let file = try SearchParts(of: table, on: connection)
      // Where there are triggers, the table has another name.
      guard !file.parts.contains(where: { $0.type == "trigger" }) else { continue }
      try remove(from: table, on: connection)
    }
  }

  private static func drop(_ part: SearchIndex.Part, on connection: Connection) throws {
    try connection.run("DROP \(part.type.uppercased()) \(quoted(part.name))")
  }

  /// SQLite opens a virtual table before it drops it, for which everything has to be right.
  private static func drop(
    _ fullText: SearchIndex.Part, _ shadows: [SearchIndex.Part], on connection: Connection
  ) throws {
    do {
      return try connection.inTransaction { try drop(fullText, on: connection) }
    } catch let error as XTError where [.corrupt, .sqlite, .schema].contains(error.kind) {
      // Its module or its tokenizer may be missing too.
    }
    try connection.forgetVirtualTable(fullText.name)
    for shadow in shadows { try drop(shadow, on: connection) }
  }
}
