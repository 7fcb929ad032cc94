/// Other names for a table's columns, put into statements of the schema: for a SQLite that has no
/// RENAME COLUMN.
///
/// Only what is sure is rewritten. Whether the rest still works is looked at afterwards.
struct ColumnRenaming {
  let table: String
  private let names: [(old: String, new: String)]

  init(table: String, names: [(old: String, new: String)]) {
    self.table = table
    self.names = names
  }

  var text: String { names.map { "`\($0.old)`" }.joined(separator: ", ") }

  func newName(of column: String) -> String {
    names.first { SQLiteName($0.old) == SQLiteName(column) }?.new ?? column
  }

  // MARK: The table itself

  func applied(to item: TableText.Item) -> TableText.Item {
    var tokens = item.tokens
    var start = 0
    if item.column != nil {
      tokens[0] = renamed(tokens[0], tokens[0].anyName)
      start = 1
    }
    // Of a column's own clauses only what stands in parentheses names columns: CHECK, GENERATED.
    for range in groups(of: tokens, from: start) {
      let before = precedingWords(tokens, range.lowerBound)
      if before.references.map({ SQLiteName($0) != SQLiteName(table) }) ?? false { continue }
      if item.column != nil, before.word == nil, before.references == nil { continue }
      rename(&tokens, in: range)
    }
    return TableText.Item(tokens)
  }

  func applied(_ object: SchemaObject) -> String? {
    var tokens = DeclarationToken.tokens(of: object.sql)
    if object.type == "index" {
      guard let open = tokens.firstIndex(where: { $0.isSymbol("(") }) else { return object.sql }
      rename(&tokens, in: open..<tokens.count)
    } else {
      renameInTrigger(&tokens, by: renamed)
    }
    return tokens.source
  }

  /// A view or trigger whose meaning would be another: it names a column that gets another name where
  /// that is not surely this table's, and nothing would be missing afterwards.
  func unsure(on connection: Connection) throws -> SchemaObject? {
    let olds = Set(names.map { SQLiteName($0.old) })
    let stay = Set(names.map { SQLiteName($0.new) }).intersection(olds)
    return try SchemaReader.objects(naming: table, on: connection).first { object in
      guard object.type != "index" else { return false }
      var tokens = DeclarationToken.tokens(of: object.sql)
      if object.type == "trigger", object.belongs(to: table) {
        renameInTrigger(&tokens, by: { _ in DeclarationToken(kind: .symbol, text: "", gap: " ") })
      }
      return tokens.contains { token in
        guard let name = token.name.map(SQLiteName.init) else { return false }
        // Where the name is gone afterwards, SQLite itself says so, unless it takes it for a text.
        return stay.contains(name) || olds.contains(name) && token.text.hasPrefix("\"")
      }
    }
  }

  /// The columns behind UPDATE OF.
  static func updatedColumns(of trigger: [DeclarationToken]) -> Set<SQLiteName> {
    guard
      let start = trigger.indices.first(where: { index in
        index > 0 && trigger[index].word == "OF" && trigger[index - 1].word == "UPDATE"
      })
    else { return [] }
    let names = trigger[(start + 1)...].prefix { $0.word != "ON" }
    return Set(names.compactMap { $0.anyName.map(SQLiteName.init) })
  }

  /// NEW.name, OLD.name and UPDATE OF name.
  private func renameInTrigger(
    _ tokens: inout [DeclarationToken], by rename: (DeclarationToken) -> DeclarationToken
  ) {
    var isInList = false
    for index in tokens.indices {
      if tokens[index].word == "OF", index > 0, tokens[index - 1].word == "UPDATE" {
        isInList = true
        continue
      }
      if tokens[index].word == "ON" { isInList = false }
      let isOfRow =
        index > 1 && tokens[index - 1].isSymbol(".")
        && ["NEW", "OLD"].contains(tokens[index - 2].name?.uppercased() ?? "")
      if isInList || isOfRow { tokens[index] = rename(tokens[index]) }
    }
  }

  private func rename(_ tokens: inout [DeclarationToken], in range: Range<Int>) {
    for index in range {
      if index > 0, tokens[index - 1].word == "COLLATE" { continue }
      // A function.
      if index + 1 < tokens.count, tokens[index + 1].isSymbol("("), tokens[index].kind == .word {
        continue
      }
      tokens[index] = renamed(tokens[index])
    }
  }

  private func renamed(_ token: DeclarationToken) -> DeclarationToken {
    renamed(token, token.name)
  }

  private func renamed(_ token: DeclarationToken, _ name: String?) -> DeclarationToken {
    guard let name,
      let new = names.first(where: { SQLiteName($0.old) == SQLiteName(name) })?.new
    else { return token }
    return DeclarationToken(kind: .quotedName, text: quoted(new), gap: token.gap)
  }

  private func groups(of tokens: [DeclarationToken], from start: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var depth = 0
    var open = start
    for index in tokens.indices.dropFirst(start) {
      if tokens[index].isSymbol("(") {
        if depth == 0 { open = index }
        depth += 1
      }
      if tokens[index].isSymbol(")") {
        depth -= 1
        if depth == 0 { ranges.append(open..<index) }
      }
    }
    return ranges
  }

  /// What makes a parenthesis one that names columns.
  private func precedingWords(
    _ tokens: [DeclarationToken], _ open: Int
  ) -> (word: String?, references: String?) {
    if open > 1, tokens[open - 2].word == "REFERENCES" {
      return (nil, tokens[open - 1].name)
    }
    let words: Set = ["CHECK", "AS", "KEY", "UNIQUE"]
    guard open > 0, let word = tokens[open - 1].word, words.contains(word) else {
      return (nil, nil)
    }
    return (word, nil)
  }

  // MARK: Other tables

  /// The other tables whose REFERENCES name a column that gets another name, as they are to be.
  func referring(on connection: Connection) throws -> [(table: String, sql: String)] {
    try ForeignReferences.tables(on: connection).compactMap { other, sql in
      guard SQLiteName(other) != SQLiteName(table) else { return nil }
      var tokens = DeclarationToken.tokens(of: sql)
      var isChanged = false
      for index in tokens.indices
      where tokens[index].word == "REFERENCES" && index + 2 < tokens.count
        && tokens[index + 1].name.map(SQLiteName.init) == SQLiteName(table)
        && tokens[index + 2].isSymbol("(")
      {
        let end = tokens[(index + 2)...].firstIndex { $0.isSymbol(")") } ?? tokens.count
        for position in (index + 2)..<end {
          let new = renamed(tokens[position])
          if new != tokens[position] { isChanged = true }
          tokens[position] = new
        }
      }
      return isChanged ? (other, tokens.source) : nil
    }
  }
}
