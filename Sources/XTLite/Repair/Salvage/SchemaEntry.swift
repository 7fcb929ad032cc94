/// A row of the table in which SQLite keeps what a file has.
struct SchemaEntry: Hashable, Sendable {
  /// "table", "index", "trigger" or "view".
  let type: String
  let name: String
  let table: String
  /// 0 for what has no tree: a view, a trigger, a virtual table.
  let root: Int
  /// Nil for an index that a constraint made.
  let sql: String?

  /// - Returns: nil for what can be no row of that table.
  init?(_ record: Record, _ encoding: TextEncoding, pageCount: Int) {
    guard record.values.count == 5, let type = record.text(0, encoding),
      ["table", "index", "trigger", "view"].contains(type),
      let name = record.text(1, encoding), !name.isEmpty, let table = record.text(2, encoding)
    else { return nil }
    let sql = record.text(4, encoding)
    guard sql != nil || type == "index" else { return nil }
    if let sql, sql.utf8.count > Self.longestSQL { return nil }
    var root = 0
    switch record.values[3] {
    case .null: break
    case .integer(let number):
      guard number >= 0 else { return nil }
      // A root that can't be is a row that can: the table is found by its looks.
      root = number <= Int64(pageCount) ? Int(number) : 0
    default: return nil
    }
    self.init(type: type, name: name, table: table, root: root, sql: sql)
  }

  init(type: String, name: String, table: String, root: Int, sql: String?) {
    self.type = type
    self.name = name
    self.table = table
    self.root = root
    self.sql = sql
  }

  var isTable: Bool { type == "table" }

  /// Bytes of text that an entry can have: taking it apart takes many times that.
  private static let longestSQL = 4 << 20

  var isVirtual: Bool {
    isTable && DeclarationToken.makesVirtualTable(sql ?? "")
  }

  /// Whether the text makes what the entry says, and does nothing else: running it is safe whoever
  /// wrote it.
  var isReadable: Bool {
    guard let sql else { return true }
    let tokens = DeclarationToken.tokens(of: sql)
    guard tokens.first?.word == "CREATE" else { return false }
    let kinds = tokens.dropFirst().prefix(2).compactMap(\.word)
    switch type {
    case "table":
      if kinds.first == "VIRTUAL" { return kinds.last == "TABLE" }
      guard kinds.first == "TABLE", let text = TableText(sql),
        SQLiteName(text.name) == SQLiteName(name)
      else { return false }
      // CREATE TABLE … AS would run a SELECT.
      let head = tokens.prefix { !$0.isSymbol("(") }
      return !head.contains { $0.word == "AS" || $0.word == "SELECT" }
    case "index": return kinds.first == "INDEX" || kinds == ["UNIQUE", "INDEX"]
    case "view": return kinds.first == "VIEW"
    default: return kinds.first == "TRIGGER"
    }
  }

  /// What SQLite makes by itself.
  var isInternal: Bool { SQLiteName(name).hasPrefix(SQLiteName("sqlite_")) }
}
