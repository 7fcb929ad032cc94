import Foundation

/// What went wrong, where, and what to write instead.
///
/// Every failure of this library is one of these. Switch over ``kind`` to react to it; show
/// ``description`` to a developer.
///
/// ```swift
/// do {
///   try person.xt_insert()
/// } catch let error as XTError where error.kind == .constraint(.unique) {
///   print("\(error.column ?? "key") is taken")
/// }
/// ```
///
/// Bound values are not in ``description``. They are in ``debugDescription`` when
/// `XTConfiguration.valuesInErrors` is on.
public struct XTError: Error, Sendable {
  /// The kinds of failure.
  public enum Kind: Hashable, Sendable {
    /// `XTDatabase.shared` was used before `XTDatabase.configure`.
    case notConfigured
    /// The file could not be opened.
    case open
    /// The file is there, but it is no database, or it is encrypted.
    case notADatabase
    /// Another connection or another block held the database for longer than the busy limit.
    case locked
    /// No space is left for the file.
    case diskFull
    /// A write where only reading is possible.
    case readOnly
    /// The file is damaged.
    case corrupt
    /// A constraint of the table refused the row.
    case constraint(Constraint)
    /// The model holds no value that says which row it is.
    case noIdentity
    /// No row matched the model.
    case rowNotFound
    /// A name or a key path that is no column of the table.
    case unknownColumn
    /// A stored value does not fit the property that it is read into.
    case decoding
    /// A value does not fit the column or the property that it is meant for.
    case valueOutOfRange
    /// A property's type cannot be stored.
    case unsupportedProperty
    /// A table is not as the model or the statement needs it.
    case schema
    /// A step of an upgrade could not be done.
    case upgrade
    /// The key is wrong, or there is no encryption in this build.
    case encryption
    /// The statement was interrupted.
    case interrupted
    /// The database was closed.
    case closed
    /// Any other error of SQLite; see ``XTError/code`` and ``XTError/extendedCode``.
    case sqlite
  }

  /// The kinds of constraint.
  public enum Constraint: Hashable, Sendable {
    /// UNIQUE, or a unique index.
    case unique
    /// PRIMARY KEY.
    case primaryKey
    /// NOT NULL.
    case notNull
    /// CHECK.
    case check
    /// FOREIGN KEY.
    case foreignKey
    /// The row's number, or an integer primary key in its place.
    case rowID
    /// A trigger's RAISE.
    case trigger
    /// Any other, such as the datatype of an integer primary key.
    case other
  }

  /// What kind of failure this is.
  public var kind: Kind
  /// SQLite's primary result code; 0 where the error is not SQLite's.
  public var code: Int32
  /// SQLite's extended result code; 0 where the error is not SQLite's.
  public var extendedCode: Int32
  /// The operating system's error number (errno) where a call of its failed under SQLite, such as
  /// an open or a write; else 0.
  public var systemError: Int32
  /// What happened, in one sentence.
  public var message: String
  /// What to write instead, where the library knows.
  public var hint: String?
  /// The table concerned, where it is known.
  public var table: String?
  /// The column concerned, where it is known; several are joined with ", ".
  public var column: String?
  /// The SQL that failed, without bound values.
  public var sql: String?
  /// The database file.
  public var path: String?
  /// The SQL with its bound values, where the configuration wants them kept.
  var boundSQL: String?
  /// Whether it was counted and told of on its way out, which happens once.
  var isNoted = false

  init(
    _ kind: Kind, _ message: String, hint: String? = nil, table: String? = nil,
    column: String? = nil, sql: String? = nil, path: String? = nil, code: Int32 = 0,
    extendedCode: Int32? = nil, systemError: Int32 = 0, boundSQL: String? = nil
  ) {
    self.kind = kind
    self.code = code & 0xFF
    self.extendedCode = extendedCode ?? code
    self.systemError = systemError
    self.message = message
    self.hint = hint
    self.table = table
    self.column = column
    self.sql = sql
    self.path = path
    self.boundSQL = boundSQL
  }
}

extension XTError: CustomStringConvertible {
  /// What happened, where, the hint, the SQL and the file; no bound values.
  public var description: String { text(sql: sql) }

  private func text(sql: String?) -> String {
    var parts = [kind.name + ": " + message]
    if extendedCode != 0 { parts[0] += " (SQLite \(extendedCode))" }
    var place: [String] = []
    if let table, !names(table) { place.append("table \(table)") }
    if let column, !names(column) { place.append("column \(column)") }
    if !place.isEmpty { parts[0] += " [" + place.joined(separator: ", ") + "]" }
    if systemError != 0 {
      parts.append("System: \(String(cString: strerror(systemError))) (errno \(systemError))")
    }
    if let hint { parts.append("Hint: " + hint) }
    if let sql { parts.append("SQL: " + Self.shortened(sql)) }
    if let path { parts.append("File: " + path) }
    return parts.joined(separator: "\n")
  }

  /// Whether the message has the name as a word of its own.
  private func names(_ name: String) -> Bool {
    func isOfWord(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
    guard name.allSatisfy(isOfWord) else { return message.contains(name) }
    return message.split { !isOfWord($0) }.contains { $0 == name }
  }

  /// A list of thousands of parameters tells nobody anything; ``sql`` has all of it.
  private static func shortened(_ sql: String) -> String {
    sql.utf8.count <= 2_000 ? sql : "\(sql.prefix(1_500))… (\(sql.utf8.count) bytes)"
  }
}

extension XTError: CustomDebugStringConvertible {
  /// As ``description``; with the bound values in the SQL where the configuration wants them kept.
  public var debugDescription: String { text(sql: boundSQL ?? sql) }
}

extension XTError: LocalizedError {
  /// The same text as ``description``, for `localizedDescription`.
  public var errorDescription: String? { description }
  /// The same text as ``hint``.
  public var recoverySuggestion: String? { hint }
}

extension XTError.Kind {
  /// "constraint (unique)", "diskFull".
  var name: String {
    if case .constraint(let constraint) = self { return "constraint (\(constraint))" }
    return "\(self)"
  }
}
