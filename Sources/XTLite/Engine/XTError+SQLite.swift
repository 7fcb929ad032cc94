import Foundation

extension XTError {
  /// The error that SQLite reported with `code` (primary or extended) and `message`.
  init(
    sqliteCode code: Int32, message: String, sql: String? = nil, boundSQL: String? = nil,
    path: String? = nil, systemError: Int32 = 0
  ) {
    let details = Details(code: code, message: message)
    self.init(
      details.kind, message, hint: details.hint, table: details.table, column: details.column,
      sql: sql, path: path, code: code, systemError: systemError, boundSQL: boundSQL)
  }

  /// The database handle's last error; `code` is what the failed call gave.
  @inline(never)
  static func last(
    of handle: OpaquePointer?, code: Int32, sql: String? = nil, boundSQL: String? = nil,
    path: String? = nil
  ) -> XTError {
    var extended = code
    var systemError: Int32 = 0
    var message = String(cString: sqlite3_errstr(code))
    if let handle {
      let latest = sqlite3_extended_errcode(handle)
      // The handle's message belongs to its latest code; after another call it is someone else's.
      if latest & 0xFF == code & 0xFF {
        extended = latest
        message = String(cString: sqlite3_errmsg(handle))
        // SQLite notes the number with these two, and leaves it there afterwards.
        if [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) {
          systemError = sqlite3_system_errno(handle)
        }
      }
    }
    return XTError(
      sqliteCode: extended, message: message, sql: sql, boundSQL: boundSQL, path: path,
      systemError: systemError)
  }
}

/// What SQLite's code and message say, taken apart.
private struct Details {
  var kind: XTError.Kind
  var table: String?
  var column: String?
  var hint: String?

  init(code: Int32, message: String) {
    kind = .sqlite
    switch code & 0xFF {
    case SQLITE_LOCKED:
      kind = .locked
      hint = "a statement of the same connection still reads the table: end the loop over it first"
    case SQLITE_BUSY, SQLITE_PROTOCOL:
      kind = .locked
      hint =
        "another connection holds the file; make its transactions shorter, or raise busyTimeout"
    case SQLITE_FULL:
      kind = .diskFull
      hint =
        "make room on the disk; SQLite may have rolled the whole transaction back; a table that"
        + " has a row of the largest integer as its pkid is full too"
    case SQLITE_READONLY:
      kind = .readOnly
      hint = "open it without readOnly, and make sure that file and folder may be written"
    case SQLITE_CORRUPT:
      kind = .corrupt
      hint =
        code >> 8 == 1
        ? Self.searchDamage
        : "the file is damaged: keep it as it is, copy it, and put a backup in its place;"
          + " checkIntegrity() tells what is wrong with it"
    case SQLITE_NOTADB:
      kind = .notADatabase
      hint = "the file is no SQLite database, or it is encrypted and the key is wrong or missing"
    case SQLITE_INTERRUPT:
      kind = .interrupted
    case SQLITE_CANTOPEN:
      kind = .open
    case SQLITE_TOOBIG:
      kind = .valueOutOfRange
      hint = "a text or blob is longer than SQLite takes"
    case SQLITE_SCHEMA:
      kind = .schema
    case SQLITE_MISMATCH:
      kind = .constraint(.other)
      hint = "an INTEGER PRIMARY KEY takes integers only"
    case SQLITE_CONSTRAINT:
      readConstraint(code: code, message: message)
    case SQLITE_ERROR:
      readMessage(message)
    default:
      break
    }
  }

  private mutating func readConstraint(code: Int32, message: String) {
    kind = .constraint(Self.constraints[code] ?? .other)
    guard let names = message.tail(after: "constraint failed: ") else { return }
    // UNIQUE and NOT NULL name the columns; CHECK names the constraint or quotes its text.
    guard message.hasPrefix("UNIQUE") || message.hasPrefix("NOT NULL"),
      !names.hasPrefix("index ")
    else { return }
    var columns: [String] = []
    for name in names.components(separatedBy: ", ") {
      guard let dot = name.lastIndex(of: ".") else { continue }
      table = String(name[..<dot])
      columns.append(String(name[name.index(after: dot)...]))
    }
    if !columns.isEmpty { column = columns.joined(separator: ", ") }
  }

  private static let searchDamage =
    "what is kept for a search is damaged: checkSearch() tells of a model's, and"
    + " rebuildSearch() makes it anew of the rows"

  private mutating func readMessage(_ message: String) {
    if message.hasPrefix("vtable constructor failed: ")
      || message.hasPrefix("invalid fts5 file format")
    {
      hint = Self.searchDamage
    } else if let name = message.tail(after: "no such column: ") {
      kind = .unknownColumn
      // Newer libraries add advice about quotes after the name.
      readColumn(name.head(before: " - should this be") ?? name)
      hint = "write a property's column name; a text value belongs in an interpolation"
    } else if message.hasPrefix("table "), let name = message.tail(after: " has no column named ") {
      kind = .unknownColumn
      table = message.tail(after: "table ")?.head(before: " has no column named ")
      column = name
    } else if let name = message.tail(after: "no such table: ") {
      kind = .schema
      table = name
      hint = "a model's table is made by its first write, or by xt_createTable()"
    } else if let name = message.tail(after: "duplicate column name: ") {
      kind = .schema
      column = name
    } else if message.hasPrefix("table "), message.hasSuffix(" already exists") {
      kind = .schema
      table = message.tail(after: "table ")?.head(before: " already exists")
    } else if let name = message.tail(after: "no such tokenizer: ")
      ?? message.tail(after: "unknown tokenizer: ")
    {
      kind = .schema
      hint =
        "the file is searched by the tokenizer \(name), which this program has to have on every"
        + " connection: configuration.add(tokenizer: …, named: \"\(name)\"); where nobody searches any"
        + " more, removeSearch() of the table takes the index away"
    } else if message == "too many SQL variables" {
      hint = "this SQLite takes no more values in one statement; ask in parts"
    } else if message == "integer overflow" {
      kind = .valueOutOfRange
    } else if message.hasPrefix("attempt to write a readonly database") {
      kind = .readOnly
    }
  }

  private mutating func readColumn(_ name: String) {
    let bare = name.trimmingQuotes
    if let dot = bare.lastIndex(of: ".") {
      table = String(bare[..<dot])
      column = String(bare[bare.index(after: dot)...])
    } else {
      column = bare
    }
  }

  private static let constraints: [Int32: XTError.Constraint] = {
    func extended(_ number: Int32) -> Int32 { SQLITE_CONSTRAINT | number << 8 }
    return [
      extended(1): .check, extended(3): .foreignKey, extended(5): .notNull,
      extended(6): .primaryKey, extended(7): .trigger, extended(8): .unique,
      extended(10): .rowID,
    ]
  }()
}

extension XTError {
  /// Whether SQLite met the lock of another connection, which may be gone another time.
  var isOfAnothersLock: Bool { code == SQLITE_BUSY || code == SQLITE_PROTOCOL }
}

extension String {
  fileprivate func tail(after marker: String) -> String? {
    range(of: marker).map { String(self[$0.upperBound...]) }
  }

  fileprivate func head(before marker: String) -> String? {
    range(of: marker).map { String(self[..<$0.lowerBound]) }
  }

  fileprivate var trimmingQuotes: String {
    guard count >= 2, let first, first == last, "\"`'".contains(first) else { return self }
    return String(dropFirst().dropLast())
  }
}
