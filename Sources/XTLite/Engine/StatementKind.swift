/// What a statement is for, by its first keyword.
enum StatementKind {
  /// INSERT, UPDATE, DELETE, REPLACE, WITH: `sqlite3_changes` speaks of it.
  case change
  /// May change the schema: CREATE, ALTER, DROP, VACUUM, PRAGMA …
  case schema
  /// BEGIN.
  case begin
  /// SAVEPOINT.
  case savepoint
  /// RELEASE of a savepoint; of the outermost it is a COMMIT.
  case release
  /// COMMIT and END.
  case commit
  /// ROLLBACK of the whole transaction.
  case rollback
  /// ROLLBACK TO a savepoint.
  case rollbackTo
  /// Everything else.
  case other

  init(sql: String) {
    var words = Words(sql.utf8[...])
    switch words.next() {
    case "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH":
      self = .change
    case "CREATE", "ALTER", "DROP", "VACUUM", "ATTACH", "DETACH", "PRAGMA":
      self = .schema
    case "BEGIN":
      self = .begin
    case "SAVEPOINT":
      self = .savepoint
    case "RELEASE":
      self = .release
    case "COMMIT", "END":
      self = .commit
    case "ROLLBACK":
      var next = words.next()
      if next == "TRANSACTION" { next = words.next() }
      // What SQLite allows there as a transaction's name.
      if next != "TO", next != "" { next = words.next() }
      self = next == "TO" ? .rollbackTo : .rollback
    default:
      self = .other
    }
  }
}

extension StatementKind {
  /// Whether a BEGIN leaves the lock for writing to the first statement that writes.
  static func isDeferred(begin sql: String) -> Bool {
    var words = Words(sql.utf8[...])
    _ = words.next()
    return ["", "TRANSACTION", "DEFERRED"].contains(words.next())
  }
}

/// SQL's leading words, upper case; blanks, comments and semicolons are passed over.
struct Words {
  private var rest: Substring.UTF8View

  init(_ text: Substring.UTF8View) {
    rest = text
  }

  /// Whether nothing but blanks, comments and semicolons is left.
  var isAtEnd: Bool {
    mutating get {
      skip()
      return rest.isEmpty
    }
  }

  mutating func next() -> String {
    skip()
    let word = rest.prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    rest = rest.dropFirst(word.count)
    return String(Substring(word)).uppercased()
  }

  private mutating func skip() {
    while let first = rest.first {
      if first == UInt8(ascii: " ") || (9...13).contains(first) || first == UInt8(ascii: ";") {
        rest = rest.dropFirst()
      } else if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        return
      }
    }
  }
}
