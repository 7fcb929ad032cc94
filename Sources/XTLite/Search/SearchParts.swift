/// What the file has of the index of a table's words, and what stands in its place.
///
/// All is told by name and by what its text says: a table, view or trigger of a program's own may
/// have such a name too, and is never taken away.
struct SearchParts {
  typealias Part = SearchIndex.Part

  let table: String
  /// The full-text table's name.
  let name: String
  /// The index's own, its triggers on whatever table: one that was renamed by plain SQL took them
  /// along.
  private(set) var parts: [Part] = []
  /// The tables in which the full-text table keeps what it knows.
  private(set) var shadows: [Part] = []
  /// What something else has the name of.
  private(set) var taken: [Part] = []
  /// The tables whose triggers this one has, since it had their name before.
  private(set) var formerNames: [String] = []

  init(of table: String, on connection: Connection) throws {
    self.table = table
    name = SearchIndex.name(for: table)
    let found = try Self.found(table, name, on: connection)
    let isThere = found.contains { part, _ in
      SQLiteName(part.name) == SQLiteName(name) && part.isIndex
    }
    for (part, owner) in found {
      guard let role = Role(of: part.name, in: name) else {
        note(part, of: owner)
        continue
      }
      switch role {
      case .shadow where isThere || part.isShadow: shadows.append(part)
      case _ where part.plays(role, in: name): parts.append(part)
      default: taken.append(part)
      }
    }
  }

  var isEmpty: Bool { parts.isEmpty && shadows.isEmpty && formerNames.isEmpty }

  /// Whether the file has just that, and nothing that a table of another name has left.
  func areJust(_ wanted: [Part]) -> Bool {
    formerNames.isEmpty && parts.count == wanted.count && wanted.allSatisfy(parts.contains)
  }

  /// What stands in the way of making an index of these parts.
  func obstacle(to wanted: [Part], _ engine: FullTextEngine) -> Part? {
    let names = Set(
      (wanted.map(\.name) + engine.shadows.map { "\(name)_\($0)" }).map(SQLiteName.init))
    return taken.first { names.contains(SQLiteName($0.name)) }
  }

  private static func found(
    _ table: String, _ name: String, on connection: Connection
  ) throws -> [(Part, owner: String)] {
    try connection.rows(
      "SELECT `type`, `name`, `sql`, `tbl_name` FROM `sqlite_master` WHERE"
        + " substr(`name`, 1, length(?1)) = ?1 COLLATE NOCASE"
        + " OR `type` = 'trigger' AND `tbl_name` = ?2 COLLATE NOCASE"
        + " AND instr(lower(`name`), '_search_') > 0 ORDER BY `rowid`",
      [.text(name), .text(table)]
    ).compactMap { row in
      guard let type = row[0].string, let name = row[1].string else { return nil }
      return (Part(type: type, name: name, sql: row[2].string ?? ""), row[3].string ?? "")
    }
  }

  /// Remembers whose trigger it was, if it belongs to an index.
  private mutating func note(_ part: Part, of owner: String) {
    guard SQLiteName(owner) == SQLiteName(table),
      let other = part.searchedTable.map(SQLiteName.init), other != SQLiteName(table),
      !formerNames.contains(where: { SQLiteName($0) == other })
    else { return }
    formerNames.append(part.searchedTable ?? "")
  }
}

extension SearchParts {
  /// What a name means to an index.
  enum Role {
    case fullText, pending, view, trigger, shadow

    /// - Parameter index: The full-text table's name.
    init?(of name: String, in index: String) {
      let name = SQLiteName(name)
      if name == SQLiteName(index) {
        self = .fullText
      } else if name == SQLiteName("\(index)_pending") {
        self = .pending
      } else if name == SQLiteName("\(index)_rows") {
        self = .view
      } else if Self.triggers.contains(where: { name == SQLiteName("\(index)_\($0)") }) {
        self = .trigger
      } else if FullTextEngine.allShadows.contains(where: { name == SQLiteName("\(index)_\($0)") })
      {
        self = .shadow
      } else {
        return nil
      }
    }

    static let triggers = [
      "before_insert", "after_insert", "after_replace", "before_update", "after_update",
      "before_delete", "after_delete", "after_removal",
    ]
  }
}

extension SearchIndex.Part {
  fileprivate var tokens: [DeclarationToken] { DeclarationToken.tokens(of: sql) }

  /// The words of the declaration behind the name, in one way of writing.
  private var declaration: String {
    tokens.dropFirst(3).map { $0.text.uppercased() }.joined(separator: " ")
  }

  private var isVirtual: Bool {
    type == "table" && DeclarationToken.makesVirtualTable(sql)
  }

  /// Whether it is the full-text table of an index: its texts are those of the view beside it.
  ///
  /// By whatever module, which the library may lack.
  var isIndex: Bool {
    let view = SQLiteName("\(name)_rows")
    return isVirtual
      && tokens.contains { token in
        token.kind == .literal
          && SQLiteName(String(token.text.dropFirst().dropLast()).replacing("''", with: "'"))
            == view
      }
  }

  /// Whether it is any full-text table.
  var isFullText: Bool {
    guard isVirtual else { return false }
    let tokens = tokens
    guard let using = tokens.firstIndex(where: { $0.word == "USING" }), using + 1 < tokens.count
    else { return false }
    return ["FTS3", "FTS4", "FTS5"].contains(tokens[using + 1].name?.uppercased())
  }

  /// Whether it is declared as a full-text table declares what it keeps.
  fileprivate var isShadow: Bool {
    type == "table" && FullTextEngine.shadowDeclarations.contains(declaration)
  }

  /// Whether it is what an index has by that name.
  ///
  /// - Parameter index: The full-text table's name.
  fileprivate func plays(_ role: SearchParts.Role, in index: String) -> Bool {
    switch role {
    case .fullText: isIndex
    case .pending:
      type == "table"
        && declaration.hasPrefix("( `ID` INTEGER PRIMARY KEY , `ISINDEXED` INTEGER NOT NULL ,")
    case .view: type == "view" && speaks(of: "\(index)_pending")
    case .trigger: type == "trigger" && speaks(of: "\(index)_pending")
    case .shadow: false
    }
  }

  private func speaks(of name: String) -> Bool {
    tokens.contains { $0.anyName.map(SQLiteName.init) == SQLiteName(name) }
  }

  /// The table for which the trigger was made; nil where it is no index's.
  fileprivate var searchedTable: String? {
    guard type == "trigger" else { return nil }
    for suffix in SearchParts.Role.triggers {
      guard name.lowercased().hasSuffix("_search_\(suffix)") else { continue }
      let table = String(name.dropLast("_search_\(suffix)".count))
      return speaks(of: "\(SearchIndex.name(for: table))_pending") ? table : nil
    }
    return nil
  }
}

extension FullTextEngine {
  /// What the names of the tables end with in which a full-text table keeps what it knows.
  var shadows: [String] {
    switch self {
    case .fts5: ["data", "idx", "docsize", "config"]
    case .fts4: ["segments", "segdir", "docsize", "stat"]
    }
  }

  static let allShadows = [
    "data", "idx", "docsize", "config", "segments", "segdir", "stat",
  ]

  /// How these tables are declared.
  fileprivate static let shadowDeclarations: Set = [
    "( ID INTEGER PRIMARY KEY , BLOCK BLOB )",
    "( SEGID , TERM , PGNO , PRIMARY KEY ( SEGID , TERM ) ) WITHOUT ROWID",
    "( ID INTEGER PRIMARY KEY , SZ BLOB )",
    "( ID INTEGER PRIMARY KEY , SZ BLOB , ORIGIN INTEGER )",
    "( K PRIMARY KEY , V ) WITHOUT ROWID",
    "( BLOCKID INTEGER PRIMARY KEY , BLOCK BLOB )",
    "( LEVEL INTEGER , IDX INTEGER , START_BLOCK INTEGER , LEAVES_END_BLOCK INTEGER , END_BLOCK"
      + " INTEGER , ROOT BLOB , PRIMARY KEY ( LEVEL , IDX ) )",
    "( DOCID INTEGER PRIMARY KEY , SIZE BLOB )",
    "( ID INTEGER PRIMARY KEY , VALUE BLOB )",
  ]
}
