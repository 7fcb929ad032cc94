// The one file that imports a C module. Exported, so that the other files of this room, and a
// program that uses the C API beside XTLite, call the same library.
#if SQLCipher
  @_exported import CSQLCipher
#else
  @_exported import CSQLite
#endif

/// The SQLite that this program runs on: what is linked at run time, not what the header says.
enum SQLiteLibrary {
  /// 3040001 for 3.40.1.
  static let versionNumber = Int(sqlite3_libversion_number())

  /// Whether "nope" in double quotes can be made an error where no such column exists. Older
  /// libraries take it for a text.
  static var canDisableDoubleQuotedStrings: Bool { versionNumber >= 3_029_000 }

  /// Whether a PRAGMA about a table looks first whether another program has changed the schema.
  /// Older libraries answer from memory until a statement that reads rows makes them look.
  static var looksBeforePragmas: Bool { versionNumber >= 3_030_000 }

  /// Whether the authorizer is told of a table of which no column is read, as in `SELECT count(*)`.
  static var tellsOfTablesWithoutColumns: Bool { versionNumber >= 3_020_000 }

  /// Whether there is a PRAGMA that lists generated columns too. Libraries without it open no table
  /// that has any.
  static var showsGeneratedColumns: Bool { versionNumber >= 3_026_000 }

  /// Whether a statement that a function ends midway leaves nothing behind in its transaction.
  /// Older libraries keep the rows that it had changed by then.
  static let undoesEndedStatements: Bool = {
    guard let connection = try? Connection(ConnectionSettings()) else { return false }
    defer { connection.close() }
    _ = try? connection.executeScript(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1), (-9223372036854775808); BEGIN")
    // The smallest number has no absolute value.
    _ = try? connection.executeScript("UPDATE t SET a = abs(a) + 1")
    return (try? connection.firstValue("SELECT a FROM t WHERE a > 0")) == 1
  }()

  /// Whether the rows of a table WITHOUT ROWID are counted that is emptied at one stroke.
  static let countsRowsOfEmptiedTables: Bool = {
    guard let connection = try? Connection(ConnectionSettings()) else { return false }
    defer { connection.close() }
    _ = try? connection.executeScript(
      "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1)")
    let before = sqlite3_total_changes(connection.handle)
    _ = try? connection.executeScript("DELETE FROM t")
    return sqlite3_total_changes(connection.handle) != before
  }()

  /// Whether a check of the file looks at each row of each table. Older libraries do so only with
  /// the rows of those that have an index.
  static var checksEachRow: Bool { versionNumber >= 3_033_000 }

  /// Whether a log can be read where its index (-shm) can't be written.
  static var readsWithoutWritingTheIndex: Bool { versionNumber >= 3_022_000 }

  /// Whether it was built with an option: `ENABLE_MATH_FUNCTIONS`.
  static func isBuilt(with option: String) -> Bool { sqlite3_compileoption_used(option) == 1 }

  /// Whether it has FTS5, by an interface that 3.20 brought.
  static let hasFTS5: Bool = {
    guard let connection = try? Connection(ConnectionSettings()) else { return false }
    defer { connection.close() }
    return xt_fts5(connection.handle) != nil
  }()

  /// Whether it has JSON functions: built in since 3.38, an option before.
  static let hasJSON =
    versionNumber >= 3_038_000
    ? !isBuilt(with: "OMIT_JSON") : versionNumber >= 3_031_000 && isBuilt(with: "ENABLE_JSON1")
}
