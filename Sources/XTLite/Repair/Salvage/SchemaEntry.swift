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
    if let sql, sql.utf8.count < 8 || !sql.uppercased().hasPrefix("CREATE") { return nil }
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

  var isVirtual: Bool {
    let words = DeclarationToken.tokens(of: sql ?? "").prefix(2)
    return isTable && words.last?.word == "VIRTUAL"
  }

  /// What SQLite makes by itself.
  var isInternal: Bool { SQLiteName(name).hasPrefix("sqlite_") }
}
