/// The virtual tables of the main file, as far as others have to know of what stands behind them.
struct VirtualTables {
  /// The tables that each one reads beside its own, where its definition names them.
  var reads: [SQLiteName: TableSet] = [:]
  /// The tables in which virtual ones keep what they hold, and all of which a search index is made.
  var hidden: Set<SQLiteName> = []

  /// What is read with some tables.
  func readBehind(_ tables: Set<SQLiteName>) -> TableSet {
    var behind = TableSet()
    if reads.isEmpty { return behind }
    for table in tables { if let more = reads[table] { behind.add(more) } }
    return behind
  }
}

extension Connection {
  /// The virtual tables that there are now.
  func virtualTables() throws -> VirtualTables {
    try withoutNotingReads {
      var tables = VirtualTables()
      let rows = try rows(
        "SELECT `name`, `sql` FROM main.`sqlite_master` WHERE `type` = 'table'"
          + " AND `sql` LIKE 'CREATE VIRTUAL TABLE%'")
      for row in rows {
        guard let name = row[0].string, let sql = row[1].string,
          let definition = VirtualTableDefinition(sql)
        else { continue }
        for suffix in definition.suffixes { tables.hidden.insert(SQLiteName("\(name)_\(suffix)")) }
        if name.lowercased().hasSuffix("_search"), let source = definition.source,
          SQLiteName(source) == SQLiteName("\(name)_rows"), try isView(source)
        {
          // A full-text table over a view of its own is the library's.
          for part in [name, "\(name)_rows", "\(name)_pending"] {
            tables.hidden.insert(SQLiteName(part))
          }
        }
        if let source = definition.source { tables.reads[SQLiteName(name)] = reads(of: source) }
      }
      return tables
    }
  }

  private func isView(_ name: String) throws -> Bool {
    try firstValue(
      "SELECT 1 FROM main.`sqlite_master` WHERE `type` = 'view' AND `name` = ? COLLATE NOCASE",
      [.text(name)]) != nil
  }

  /// Which tables are read with a table or view.
  private func reads(of source: String) -> TableSet {
    var reads = TableSet(names: [SQLiteName(source)])
    if let statement = try? prepare("SELECT * FROM main.\(quoted(source))", kept: false),
      let use = statement.tables
    {
      reads.names.formUnion(use.reads)
    }
    return reads
  }
}

/// What the text says by which a virtual table was made.
struct VirtualTableDefinition {
  /// The table or view of which it is, where it keeps no texts of its own or shows another one.
  private(set) var source: String?
  /// What the names of the tables end with in which it keeps what it holds.
  private(set) var suffixes: [String] = []

  /// - Parameter sql: `CREATE VIRTUAL TABLE … USING module(…)`, as the file has it.
  init?(_ sql: String) {
    var scanner = SQLScanner(sql)
    guard let module = Self.module(&scanner) else { return nil }
    let arguments = Self.arguments(scanner)
    switch module {
    case "fts3":
      suffixes = ["content", "segments", "segdir"]
    case "fts4":
      suffixes = ["content", "segments", "segdir", "docsize", "stat"]
      takeContent(arguments)
    case "fts5":
      suffixes = ["data", "idx", "content", "docsize", "config"]
      takeContent(arguments)
    case "rtree", "rtree_i32", "geopoly":
      suffixes = ["node", "rowid", "parent"]
    case "fts5vocab":
      source = Self.shown(arguments, after: arguments.count > 2)
    case "fts4aux":
      source = Self.shown(arguments, after: arguments.count > 1)
    default:
      break
    }
  }

  /// The module's name, in small letters; the scanner is behind it then.
  private static func module(_ scanner: inout SQLScanner) -> String? {
    while let token = scanner.next() {
      guard token.kind == .word, scanner.text(of: token).lowercased() == "using" else { continue }
      while let token = scanner.next() {
        if token.isComment { continue }
        return scanner.name(of: token)?.lowercased()
      }
    }
    return nil
  }

  /// The arguments as lists of names and signs, without comments.
  private static func arguments(_ rest: SQLScanner) -> [[String]] {
    var arguments: [[String]] = [[]]
    var depth = 0
    for token in rest where !token.isComment {
      switch token.kind {
      case .openParenthesis: depth += 1
      case .closeParenthesis: depth -= 1
      default: break
      }
      if depth == 0 { break }
      let text = rest.text(of: token)
      if depth == 1, text == "," {
        arguments.append([])
      } else if depth > 1 || token.kind != .openParenthesis {
        arguments[arguments.count - 1].append(rest.name(of: token) ?? text)
      }
    }
    return arguments
  }

  /// Takes what `content=…` names, which may be nothing: the table keeps no texts then.
  private mutating func takeContent(_ arguments: [[String]]) {
    let content = arguments.last {
      $0.count == 3 && $0[0].lowercased() == "content" && $0[1] == "="
    }
    guard let content else { return }
    suffixes.removeAll { $0 == "content" }
    source = content[2].isEmpty ? nil : content[2]
  }

  /// - Parameter isPlaced: Whether the schema's name stands before the table's.
  private static func shown(_ arguments: [[String]], after isPlaced: Bool) -> String? {
    let place = isPlaced ? 1 : 0
    guard arguments.indices.contains(place), arguments[place].count == 1 else { return nil }
    return arguments[place][0]
  }
}
