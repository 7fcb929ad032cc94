/// How a connection is opened: what the Database room's configuration means to SQLite.
struct ConnectionSettings: Sendable {
  /// An absolute path; nil for a database in memory.
  var path: String?
  var isReadOnly = false
  /// For a connection that only reads beside the one that writes.
  var isReader = false
  /// Whether the file is read without locks and without its log, which has to be empty.
  var isTakenAsItIs = false
  /// For a connection that only puts the log into the file: it knows nothing of tables.
  var isForCheckpoints = false
  /// Whether closing leaves the log as it is, where the library can do that.
  var keepsLog = false
  /// Whether a file that is not there is made.
  var mayCreate = true
  /// Whether the file keeps the journal mode that it has.
  var keepsJournalMode = false
  /// The words of PRAGMA journal_mode and synchronous.
  var journalMode = "wal"
  var synchronous = "normal"
  /// Seconds that SQLite itself waits for another connection's lock.
  var busyTimeout = 10.0
  var foreignKeys = true
  /// As PRAGMA cache_size takes it: pages, or negative KiB. Nil leaves SQLite's own.
  var cacheSize: Int?
  /// As PRAGMA mmap_size takes it: bytes. Nil leaves SQLite's own.
  var mappedSize: Int?
  /// Nil for a plain file.
  var key: XTKey? = XTKey.initial
  var cipher = XTCipher()
  /// Where the connections of one file have what was derived from the key; nil where each does so
  /// by itself.
  var derivedKey: DerivedKey?
  /// Whether errors keep the SQL with its bound values.
  var valuesInErrors = false
  /// The name of the SQLite VFS to go through; nil for the system's own. Tests break disks with it.
  var vfs: String?
  /// Called with each statement's SQL when it begins to run, without bound values.
  var statementLog: (@Sendable (String) -> Void)?
  /// The program's own; no two replace each other.
  var functions: [XTFunction] = []
  var collations: [XTCollation] = []
  var tokenizers: [NamedTokenizer] = []
  /// What runs on the connection before its first use, in this order.
  var setUps: [XTSetUp] = []
  /// Which state of the settings this is: a connection of another is changed before its next use.
  var generation = 0
  /// The first generation whose connections can be changed to this. Earlier ones have functions of
  /// SQLite's replaced, which only a connection that is opened anew has again.
  var oldestChangeable = 0
}

extension ConnectionSettings {
  /// The same without what is registered on a connection or run on it.
  var withoutAdditions: ConnectionSettings {
    var settings = self
    settings.functions = []
    settings.collations = []
    settings.tokenizers = []
    settings.setUps = []
    return settings
  }
}
