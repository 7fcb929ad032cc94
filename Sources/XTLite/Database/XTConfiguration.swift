import Foundation

/// How a database is opened and used. All values have defaults.
///
/// ```swift
/// var configuration = XTConfiguration()
/// configuration.label = "people"
/// configuration.busyTimeout = 2
/// try XTDatabase.configure(path: "people.sqlite", configuration: configuration)
/// ```
public struct XTConfiguration: Sendable {
  /// How hard SQLite makes sure that what it wrote has reached the disk.
  public enum Synchronous: String, Sendable {
    /// Never waits for the disk.
    case off
    /// In WAL: a crash of the system may lose the latest commits, never the file.
    case normal
    /// Every commit is on the disk before it returns.
    case full
    /// As `full`, and the folder's entry too.
    case extra
  }

  /// Where SQLite keeps what a rollback needs.
  public enum JournalMode: String, Sendable {
    /// A write-ahead log: readers and the writer do not wait for each other.
    case wal
    /// A rollback journal, deleted after each transaction.
    case delete
    /// A rollback journal, emptied after each transaction.
    case truncate
    /// A rollback journal, overwritten after each transaction.
    case persist
    /// A rollback journal in memory: a crash in a transaction destroys the file.
    case memory
  }

  /// A name for errors and logs; the file's name where it is nil.
  public var label: String?

  /// Opens the file for reading only; it must be there. Off by default.
  public var readOnly = false

  /// How hard commits wait for the disk. `.normal` by default.
  public var synchronous = Synchronous.normal

  /// Where the journal is kept. `.wal` by default.
  public var journalMode = JournalMode.wal

  /// Seconds that a call waits for another block, thread or process before it throws `locked`. 10
  /// by default.
  public var busyTimeout: Double = 10

  /// How long the file of the write-ahead log may stay, in bytes; 64 MiB by default.
  ///
  /// The log is put into the database file behind the program's back, and then written from its
  /// beginning again. A log that one large transaction, or a reader that stayed for long, has made
  /// longer than this is also made empty, so that the room on the disk is given back.
  public var walLimit = 64 << 20

  /// The most connections that read at one time.
  public var maximumReaders = 4

  /// Whether REFERENCES is enforced. On by default.
  public var foreignKeys = true

  /// SQLite's page cache for a connection, in bytes; nil leaves SQLite's own size, 2 MB as a rule.
  ///
  /// Pays where the same pages are read again and again from a file that is larger: with 64 MB over
  /// 100,000 rows (30 MB) a find by number took 0.74 of its time and an aggregate over all rows 0.76;
  /// a fetch of all rows, and what writes, gained nothing.
  public var cacheSize: Int?

  /// How many bytes of the file are read by way of a memory map instead of the page cache; nil leaves
  /// SQLite's own setting, which is none as a rule. Nothing is gained over an encrypted file.
  ///
  /// Pays where a file is read more than it is written: mapped whole, over 100,000 rows, a find by
  /// number took 0.75 of its time and an aggregate over all rows 0.74; a fetch of all rows, and what
  /// writes, gained nothing.
  ///
  /// - Warning: Where the file is cut short by another program, or its disk fails, the system ends a
  ///   program that reads the map with SIGBUS, while without a map there is an error.
  public var mappedSize: Int?

  /// The key of an encrypted file; nil for a plain one. See <doc:Encryption>.
  public var key: XTKey? = XTKey.initial

  /// How an encrypted file is encrypted; says nothing without a key.
  public var cipher = XTCipher()

  /// Whether the file is looked through for damage when it is opened, which reads all of it. Not by
  /// default. See <doc:Backups>.
  public var openingCheck = OpeningCheck.none

  /// What is done with a damaged file that ``openingCheck`` has found; `.fail` by default.
  ///
  /// A plain file whose first bytes are damaged can't always be told from one that is encrypted, or
  /// is no database: unless it still begins as one or with zeros, it stays, and the opening throws.
  /// So does an encrypted one without its first 16 bytes, which the key needs. Where the
  /// configuration has ``salvageOnDamage(_:told:)``, the other pages tell, or repair hints.
  public var onDamage = OnDamage.fail

  /// Told when a damaged file was set aside, before the opening returns.
  public var damageFound: (@Sendable (XTDamage) -> Void)?

  /// Whether tables that the library makes get pkid, times and the mark of soft deletion. On by
  /// default.
  public var automaticColumns = true

  /// Whether write verbs make missing tables and columns. On by default.
  public var automaticAdditions = true

  /// Whether errors carry the bound values, in `debugDescription` only. Off by default.
  public var valuesInErrors = false

  /// Whether each statement's SQL is printed to standard error as it begins to run, without values
  /// and times. Off by default. ``XTMonitor`` prints more, when the call is over.
  public var debugLog = false

  /// Seconds inside SQLite from which on a statement is told of as slow, to those who listen by
  /// ``XTMonitor``; nil for never. 1 by default.
  public var slowStatement: Double? = 1

  /// Seconds from which on those who listen by ``XTMonitor`` are warned of a call that kept its
  /// connection; nil for never. 5 by default.
  public var longHold: Double? = 5

  /// The SQL functions of the program's own; see ``add(_:)-(XTFunction)``.
  public private(set) var functions: [XTFunction] = []

  /// The collations of the program's own; see ``add(_:)-(XTCollation)``.
  public private(set) var collations: [XTCollation] = []

  /// The tokenizers of the program's own, by their names; see ``add(tokenizer:named:)``.
  private(set) var tokenizers: [NamedTokenizer] = []

  /// What each connection does before its first use; see ``add(_:)-(XTSetUp)``.
  public private(set) var setUps: [XTSetUp] = []

  /// What time it is, for the automatic times.
  var clock: @Sendable () -> Date = { Date() }

  /// Called with each statement's SQL as it runs, on top of `debugLog`.
  package var statementLog: (@Sendable (String) -> Void)?

  /// Makes a new file, at the path that it is given, of one that was set aside. Set by the room that
  /// can.
  var refill: (@Sendable (XTDamage, String, XTConfiguration) throws -> Void)?

  /// Whether the file at a path that SQLite takes for none, or that the key does not open, is a
  /// damaged one. Set by the room that can tell.
  var isDamaged: (@Sendable (String, XTConfiguration) -> Bool)?

  /// The SQLite VFS to go through; nil for the system's own.
  var vfs: String?

  /// All defaults.
  public init() {}
}

extension XTConfiguration {
  /// Gives every connection a function; in the place of one of the same name with as many
  /// arguments. A name that can't be used is an error when the database is opened or reconfigured.
  public mutating func add(_ function: XTFunction) {
    functions.replaceOrAppend(function) { $0.isReplaced(by: function) }
  }

  /// Gives every connection a collation; in the place of one of the same name. A name that can't be
  /// used is an error when the database is opened or reconfigured.
  public mutating func add(_ collation: XTCollation) {
    collations.replaceOrAppend(collation) { $0.isReplaced(by: collation) }
  }

  /// Gives every connection a tokenizer for full-text search; in the place of one of the same name. A
  /// name that can't be used is an error when the database is opened or reconfigured.
  ///
  /// ```swift
  /// configuration.add(tokenizer: Lines(), named: "lines")
  /// // static var xt_search: XTSearch { XTSearch([\Note.body], tokenizer: .custom("lines")) }
  /// ```
  ///
  /// A file whose tables are searched by it can be written only where it is there.
  public mutating func add(tokenizer: some XTTokenizer, named name: String) {
    let tokenizer = NamedTokenizer(name, tokenizer)
    tokenizers.replaceOrAppend(tokenizer) { $0.isReplaced(by: tokenizer) }
  }

  /// Has every connection do something before its first use; in the place of the set-up of the same
  /// name, else after the others.
  public mutating func add(_ setUp: XTSetUp) {
    setUps.replaceOrAppend(setUp) { $0.name == setUp.name }
  }

  /// Takes away the functions of that name, whatever their number of arguments; those of SQLite's
  /// own that they had replaced are back then.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func removeFunction(_ name: String) -> Bool {
    functions.removeReporting { SQLiteName($0.name) == SQLiteName(name) }
  }

  /// Takes away a collation; the one of SQLite's own that it had replaced is back then.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func removeCollation(_ name: String) -> Bool {
    collations.removeReporting { SQLiteName($0.name) == SQLiteName(name) }
  }

  /// Takes away a tokenizer.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func removeTokenizer(_ name: String) -> Bool {
    tokenizers.removeReporting { SQLiteName($0.name) == SQLiteName(name) }
  }

  /// Takes away a set-up: connections that are opened from now on do without it.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func removeSetUp(_ name: String) -> Bool {
    setUps.removeReporting { $0.name == name }
  }
}

extension Array {
  fileprivate mutating func replaceOrAppend(
    _ element: Element, _ isReplaced: (Element) -> Bool
  ) {
    if let index = firstIndex(where: isReplaced) {
      self[index] = element
    } else {
      append(element)
    }
  }

  fileprivate mutating func removeReporting(_ isRemoved: (Element) -> Bool) -> Bool {
    let before = count
    removeAll(where: isRemoved)
    return count < before
  }
}

extension XTConfiguration {
  /// The seconds to wait, made safe for clocks: not negative, not NaN, at most three years.
  var waitLimit: Double {
    busyTimeout > 0 ? min(busyTimeout, 1e8) : 0
  }

  /// What a connection to `path` needs of it; nil for a database in memory.
  func connectionSettings(path: String?) throws -> ConnectionSettings {
    var settings = ConnectionSettings(path: path)
    settings.isReadOnly = readOnly
    settings.journalMode = journalMode.rawValue
    settings.synchronous = synchronous.rawValue
    settings.busyTimeout = waitLimit
    settings.foreignKeys = foreignKeys
    // Negative in SQLite's own terms: KiB instead of pages.
    settings.cacheSize = cacheSize.map { -max($0 / 1024, 1) }
    settings.mappedSize = mappedSize.map { max($0, 0) }
    try key?.validate()
    try cipher.validate()
    settings.key = key
    settings.cipher = cipher
    if key?.isDerived == true, path != nil { settings.derivedKey = DerivedKey() }
    settings.valuesInErrors = valuesInErrors
    settings.vfs = vfs
    settings.statementLog = combinedLog
    for function in functions { try function.validate() }
    for collation in collations { try collation.validate() }
    for tokenizer in tokenizers { try tokenizer.validate() }
    settings.tokenizers = tokenizers
    settings.functions = functions
    settings.collations = collations
    // A place of the pool is taken meanwhile, and perhaps the gate of the file.
    settings.setUps = setUps.map { setUp in
      XTSetUp(setUp) { connection in
        try AccessStack.current.holding { try setUp.body(connection) }
      }
    }
    return settings
  }

  private var combinedLog: (@Sendable (String) -> Void)? {
    guard debugLog else { return statementLog }
    let name = label ?? "XTLite"
    return { [statementLog] sql in
      FileHandle.standardError.write(Data("[\(name)] \(sql)\n".utf8))
      statementLog?(sql)
    }
  }

  /// The name of a setting that differs and can't be changed while the file is open.
  func fixedSetting(changedIn other: XTConfiguration) -> String? {
    label != other.label ? "label" : conflict(with: other)
  }

  /// The name of a setting in which two values on one file must agree and do not.
  func conflict(with other: XTConfiguration) -> String? {
    if key != other.key { return "key" }
    if key != nil, cipher != other.cipher { return "cipher" }
    if readOnly != other.readOnly { return "readOnly" }
    if journalMode != other.journalMode { return "journalMode" }
    if automaticColumns != other.automaticColumns { return "automaticColumns" }
    if automaticAdditions != other.automaticAdditions { return "automaticAdditions" }
    return nil
  }
}
