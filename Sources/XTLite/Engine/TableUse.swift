/// Which tables a statement reads and writes, with what its triggers and foreign keys do, as SQLite
/// says while it prepares it.
final class TableUse: Sendable {
  let reads: Set<SQLiteName>
  let writes: Set<SQLiteName>
  /// The tables of the main file that it writes, as the schema has their names; without SQLite's and
  /// the library's own.
  let writtenNames: [String]
  /// Whether nobody knows: it may read and write any table.
  let isOfEverything: Bool
  /// Whether it changes the schema.
  let changesSchema: Bool
  /// Whether `sqlite3_total_changes` may say nothing of what it does.
  let isUncounted: Bool

  init(
    reads: Set<SQLiteName> = [], writes: Set<SQLiteName> = [], writtenNames: [String] = [],
    isOfEverything: Bool = false, changesSchema: Bool = false, isUncounted: Bool = false
  ) {
    self.reads = reads
    self.writes = writes
    self.writtenNames = writtenNames
    self.isOfEverything = isOfEverything
    self.changesSchema = changesSchema
    self.isUncounted = changesSchema || isUncounted
  }

  static let everything = TableUse(isOfEverything: true, changesSchema: true)
  static let nothing = TableUse()
}

/// Tables by name, or all there are.
///
/// A table of an attached file, or a temporary one, has its schema in the name: one of the main file
/// with the same name is another.
struct TableSet: Sendable, Equatable {
  var names: Set<SQLiteName> = []
  var isOfEverything = false

  static let everything = TableSet(isOfEverything: true)

  var isEmpty: Bool { names.isEmpty && !isOfEverything }

  mutating func add(_ other: TableSet) {
    if other.isOfEverything { isOfEverything = true }
    names.formUnion(other.names)
  }

  func meets(_ other: TableSet) -> Bool {
    if isOfEverything || other.isOfEverything { return true }
    return !names.isDisjoint(with: other.names)
  }
}

extension SQLiteName {
  static let mainSchema = "main"

  /// A table's name in a `TableSet`.
  init(_ table: String, in schema: String) {
    // No name holds a NUL.
    self.init(schema == Self.mainSchema ? table : "\(schema)\0\(table)")
  }

  private static let own = ["sqlite_", "xtlite_"].map { SQLiteName($0) }

  /// Whether it names a table that SQLite or the library keeps for itself.
  var isOwn: Bool { Self.own.contains(where: hasPrefix) }
}

/// What SQLite's authorizer is told while a statement is prepared.
struct TableUseNotes {
  private(set) var reads: Set<SQLiteName> = []
  private(set) var writes: Set<SQLiteName> = []
  private(set) var writtenNames: Set<String> = []
  /// Tables of which no column is read: SQLite doesn't say in which schema they are.
  private(set) var unplaced: Set<String> = []
  private(set) var isOfEverything = false
  private(set) var changesSchema = false
  private var writesSchema = false
  private var deletes = false
  // SQLite tells of each column, with the same text for each of a table.
  private var lastRead: UnsafePointer<CChar>?

  static let schemaTables: Set<SQLiteName> = Set(
    ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"]
      .map { SQLiteName($0) })

  /// Whether no part of it changes the schema.
  var isOfRowsAlone: Bool { !changesSchema && !writesSchema }

  var isEmpty: Bool { reads.isEmpty && unplaced.isEmpty && writes.isEmpty && !isOfEverything }

  /// - Parameter schema: In which schema an unplaced table is.
  func use(_ schema: (String) -> String) -> TableUse {
    if isEmpty { return .nothing }
    // Rows of the schema itself, written by hand.
    let isByHand = !changesSchema && writesSchema
    return TableUse(
      reads: reads.union(unplaced.map { SQLiteName($0, in: schema($0)) }), writes: writes,
      writtenNames: Array(writtenNames), isOfEverything: isOfEverything || isByHand,
      changesSchema: changesSchema || isByHand,
      isUncounted: deletes && !SQLiteLibrary.countsRowsOfEmptiedTables)
  }

  /// - Parameter schema: nil where the name stands alone.
  mutating func read(_ name: String, in schema: String?) {
    if let schema {
      reads.insert(SQLiteName(name, in: schema))
    } else {
      unplaced.insert(name)
    }
  }

  /// What only reads writes nothing.
  mutating func forgetWrites() {
    (writes, writtenNames) = ([], [])
    (isOfEverything, changesSchema, writesSchema, deletes) = (false, false, false, false)
  }

  /// A virtual table that SQLite connects to meanwhile declares its columns, which is told as if a row
  /// of the schema were written.
  mutating func forgetDeclarations() {
    if changesSchema || !writesSchema { return }
    writes.subtract(Self.schemaTables)
    writesSchema = false
  }

  mutating func note(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    _ schema: UnsafePointer<CChar>?
  ) {
    switch action {
    case SQLITE_READ:
      guard let first, first != lastRead else { return }
      lastRead = first
      read(String(cString: first), in: schema.map { String(cString: $0) })
    case SQLITE_INSERT, SQLITE_UPDATE:
      write(first, schema)
    case SQLITE_DELETE:
      deletes = true
      write(first, schema)
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_VTABLE,
      SQLITE_CREATE_VIEW, SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE,
      SQLITE_DROP_VTABLE, SQLITE_DROP_VIEW, SQLITE_DROP_TEMP_VIEW:
      changesSchema = true
      write(first, schema)
    case SQLITE_CREATE_INDEX, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TRIGGER,
      SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX, SQLITE_DROP_TRIGGER,
      SQLITE_DROP_TEMP_TRIGGER:
      changesSchema = true
    case SQLITE_ALTER_TABLE:
      changesSchema = true
      // The schema comes first here. The name that a table is given is told to nobody.
      if let first, strcmp(first, SQLiteName.mainSchema) != 0 {
        write(second, first)
      } else {
        isOfEverything = true
      }
    case SQLITE_ATTACH, SQLITE_DETACH:
      changesSchema = true
      isOfEverything = true
    default:
      break
    }
  }

  private mutating func write(_ name: UnsafePointer<CChar>?, _ schema: UnsafePointer<CChar>?) {
    guard let name else { return }
    let text = String(cString: name)
    let plain = SQLiteName(text)
    if Self.schemaTables.contains(plain) { writesSchema = true }
    let schema = schema.map { String(cString: $0) } ?? SQLiteName.mainSchema
    if schema == SQLiteName.mainSchema {
      writes.insert(plain)
      if !plain.isOwn { writtenNames.insert(text) }
    } else {
      writes.insert(SQLiteName(text, in: schema))
    }
  }
}
