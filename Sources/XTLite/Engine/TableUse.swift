/// Which tables a statement reads and writes, with what its triggers and foreign keys do, as SQLite
/// says while it prepares it.
final class TableUse: Sendable {
  let reads: [SQLiteName]
  let writes: [SQLiteName]
  /// The same as the schema has them.
  let writtenNames: [String]
  /// Whether nobody knows: it may read and write any table.
  let isOfEverything: Bool
  /// Whether it changes the schema.
  let changesSchema: Bool
  /// Whether `sqlite3_total_changes` may say nothing of what it does.
  let isUncounted: Bool

  init(
    reads: Set<SQLiteName> = [], writes: [SQLiteName: String] = [:], isOfEverything: Bool = false,
    changesSchema: Bool = false, isUncounted: Bool = false
  ) {
    self.reads = Array(reads)
    self.writes = Array(writes.keys)
    writtenNames = Array(writes.values)
    self.isOfEverything = isOfEverything
    self.changesSchema = changesSchema
    self.isUncounted = changesSchema || isUncounted
  }

  static let everything = TableUse(isOfEverything: true, changesSchema: true)
  static let nothing = TableUse()
}

/// Tables by name, or all there are.
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

/// What SQLite's authorizer is told while a statement is prepared.
struct TableUseNotes {
  private(set) var reads: Set<SQLiteName> = []
  private(set) var writes: [SQLiteName: String] = [:]
  private(set) var isOfEverything = false
  private(set) var changesSchema = false
  private var deletes = false
  // SQLite tells of each column, with the same text for each of a table.
  private var lastRead: UnsafePointer<CChar>?

  static let schemaTables: Set<SQLiteName> = Set(
    ["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"]
      .map { SQLiteName($0) })

  /// Whether no part of it changes the schema.
  var isOfRowsAlone: Bool {
    !changesSchema && !writes.keys.contains(where: Self.schemaTables.contains)
  }

  var isEmpty: Bool { reads.isEmpty && writes.isEmpty && !isOfEverything }

  var use: TableUse {
    if isEmpty { return .nothing }
    // Rows of the schema itself, written by hand.
    let isByHand = !changesSchema && !isOfRowsAlone
    return TableUse(
      reads: reads, writes: writes, isOfEverything: isOfEverything || isByHand,
      changesSchema: changesSchema || isByHand,
      isUncounted: deletes && !SQLiteLibrary.countsRowsOfEmptiedTables)
  }

  mutating func note(_ action: Int32, _ name: UnsafePointer<CChar>?) {
    switch action {
    case SQLITE_READ:
      guard let name, name != lastRead else { return }
      lastRead = name
      reads.insert(SQLiteName(String(cString: name)))
    case SQLITE_INSERT, SQLITE_UPDATE:
      write(name)
    case SQLITE_DELETE:
      deletes = true
      write(name)
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_VTABLE,
      SQLITE_CREATE_VIEW, SQLITE_CREATE_TEMP_VIEW, SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE,
      SQLITE_DROP_VTABLE, SQLITE_DROP_VIEW, SQLITE_DROP_TEMP_VIEW:
      changesSchema = true
      write(name)
    case SQLITE_CREATE_INDEX, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TRIGGER,
      SQLITE_CREATE_TEMP_TRIGGER, SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX, SQLITE_DROP_TRIGGER,
      SQLITE_DROP_TEMP_TRIGGER:
      changesSchema = true
    case SQLITE_ALTER_TABLE, SQLITE_ATTACH, SQLITE_DETACH:
      // The name that a table is given is told to nobody.
      changesSchema = true
      isOfEverything = true
    default:
      break
    }
  }

  private mutating func write(_ name: UnsafePointer<CChar>?) {
    guard let name else { return }
    let text = String(cString: name)
    writes[SQLiteName(text)] = text
  }
}
