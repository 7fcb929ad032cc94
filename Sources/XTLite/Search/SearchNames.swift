/// The names that belong to indexes of words, and to nobody's model.
enum SearchNames {
  /// - Throws: `schema` where the name is that of an index, or of what an index keeps in the file.
  static func refuse(_ name: String, on connection: Connection) throws {
    for table in candidates(for: name) {
      let file = try SearchParts(of: table, on: connection)
      guard file.parts.contains(where: \.isIndex),
        (file.parts + file.shadows).contains(where: {
          $0.type != "trigger" && SQLiteName($0.name) == SQLiteName(name)
        })
      else { continue }
      throw refusal(name, "belongs to the index of the words of `\(table)`")
    }
    for owner in owners(of: name) {
      let sql = try SchemaReader.sql(of: owner, on: connection) ?? ""
      guard SearchIndex.Part(type: "table", name: owner, sql: sql).isFullText,
        try SchemaReader.tableExists(name, on: connection)
      else { continue }
      throw refusal(name, "belongs to the full-text table `\(owner)`")
    }
  }

  private static func refusal(_ name: String, _ what: String) -> XTError {
    XTError(
      .schema, "`\(name)` \(what), and takes no rows",
      hint: "give the model another table name, by xt_tableName or named:", table: name)
  }

  /// The tables whose index may have something of that name.
  private static func candidates(for name: String) -> [String] {
    let bytes = Array(name.utf8)
    let mark = Array("_search".utf8)
    guard bytes.count > mark.count else { return [] }
    return (1...(bytes.count - mark.count)).compactMap { start in
      let end = start + mark.count
      guard zip(bytes[start..<end], mark).allSatisfy({ $0 | 0x20 == $1 | 0x20 }),
        end == bytes.count || bytes[end] == UInt8(ascii: "_")
      else { return nil }
      return String(decoding: bytes[..<start], as: UTF8.self)
    }
  }

  /// The full-text tables that may keep something by that name.
  private static func owners(of name: String) -> [String] {
    (FullTextEngine.allShadows + ["content"]).compactMap { suffix in
      let suffix = "_\(suffix)"
      guard name.utf8.count > suffix.utf8.count,
        SQLiteName(String(name.suffix(suffix.count))) == SQLiteName(suffix)
      else { return nil }
      return String(name.dropLast(suffix.count))
    }
  }
}
