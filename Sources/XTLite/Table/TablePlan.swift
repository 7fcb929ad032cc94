import Foundation

/// What a database remembers of one model's table: its shape in the file, and the statements that
/// follow from it. Made once per model, table and database.
final class TablePlan: Sendable {
  let mapping: ModelMapping
  let table: String
  let settings: Settings
  /// The property that holds the row's number, where the model declares one.
  let numberColumn: Column?
  /// What that property can hold; nil where it is all that SQLite gives.
  private let numberRange: ClosedRange<Int64>?

  /// What the plan needs to know of the database.
  struct Settings {
    var automaticColumns: Bool
    var automaticAdditions: Bool
    var database: UInt32
  }

  private struct State {
    var rows: RowPlan?
    var generation = -1
    var isReadyForWriting = false
    /// SQLite's own count of schema changes, by whatever program.
    var schemaVersion: XTValue?
  }

  private static let changes = AtomicWord()
  /// Moves whenever any plan of the process changes what it remembers: what follows from plans
  /// stands as long as it is the same, and the connection's schema too.
  @inline(__always)
  static var looks: UInt { changes.value }

  // What the writer sees of the table, and what has been committed: the readers' side.
  private let writerState = Mutex(State())
  private let readerState = Mutex(State())

  @inline(__always)
  private func state(of connection: Connection) -> Mutex<State> {
    connection.isReader ? readerState : writerState
  }

  init(mapping: ModelMapping, table: String, settings: Settings) {
    self.mapping = mapping
    self.table = table
    self.settings = settings
    numberColumn = mapping.declared(.pkid)
    let range = numberColumn?.type.integerRange
    numberRange = range?.upperBound == Int64.max ? nil : range
  }

  /// Whether SQLite may give a row a number that the model's property can't hold.
  var numberMayNotFit: Bool { numberRange != nil }

  /// - Throws: `valueOutOfRange` where the model's property can't hold the number.
  @inline(__always)
  func checkFit(_ number: Int64) throws {
    if let numberRange, !numberRange.contains(number) { throw outOfRange(number) }
  }

  @inline(never)
  private func outOfRange(_ number: Int64) -> XTError {
    let type = numberColumn.map { TypeName.display($0.type.swiftType) } ?? "Int64"
    return ColumnFailure.outOfRange(.integer(number), type)
      .error(table: table, column: numberColumn?.name)
  }

  /// The rows as a read verb finds them. Nothing is created; where the table is missing or lacks
  /// columns, SQLite is asked each time whether another program has changed that.
  @inline(__always)
  func rowsForReading(_ connection: Connection) throws -> RowPlan {
    try knownRows(connection) ?? lookAgain(connection)
  }

  /// What is remembered of a table that has all of the model's columns, and soft deletion.
  @inline(__always)
  func knownRows(_ connection: Connection) -> RowPlan? {
    let state = state(of: connection).withLock { $0 }
    guard let rows = state.rows, state.generation == connection.schemaGeneration, rows.isComplete
    else { return nil }
    return rows
  }

  @inline(never)
  private func lookAgain(_ connection: Connection) throws -> RowPlan {
    // Asked before the table is looked at: what changes between the two is then seen next time.
    let generation = connection.schemaGeneration
    let version = try connection.schemaVersion()
    let state = state(of: connection).withLock { $0 }
    connection.noteRead(of: table)
    if let rows = state.rows, state.generation == generation, state.schemaVersion == version {
      return rows
    }
    let shape = try connection.withoutNotingReads {
      try SchemaReader.shape(of: table, mapping: mapping, on: connection)
    }
    return remember(shape, connection, generation, version, isReadyForWriting: false)
  }

  /// The rows as a write verb finds them: the table is there, with what could be added to it.
  @inline(__always)
  func rowsForWriting(_ connection: Connection) throws -> RowPlan {
    let state = writerState.withLock { $0 }
    guard let rows = state.rows, state.isReadyForWriting,
      state.generation == connection.schemaGeneration
    else { return try makeReady(connection) }
    // A property without a place may have got one by another program, and so may soft deletion.
    return rows.homeless.isEmpty && rows.marksDeletion
      ? rows : try rowsForTransaction(connection)
  }

  /// The same inside of a transaction, where no other program can change the table any more: what
  /// is remembered is compared with the file first.
  func rowsForTransaction(_ connection: Connection) throws -> RowPlan {
    let state = writerState.withLock { $0 }
    if let rows = state.rows, state.isReadyForWriting,
      state.generation == connection.schemaGeneration,
      state.schemaVersion == (try connection.schemaVersion())
    {
      return rows
    }
    return try makeReady(connection)
  }

  @inline(never)
  private func makeReady(_ connection: Connection) throws -> RowPlan {
    let before = try connection.schemaVersion()
    var shape = try TableMaker.prepareForWriting(
      table: table, mapping: mapping, automaticColumns: settings.automaticColumns,
      automaticAdditions: settings.automaticAdditions, on: connection)
    let version = try connection.schemaVersion()
    // Changed by the preparation, or meanwhile by another program.
    if version != before {
      shape = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
    }
    let uniqueKeys =
      mapping.hasOwnKeys ? try SchemaReader.uniqueKeys(of: table, on: connection) : []
    return remember(
      shape, connection, connection.schemaGeneration, version, isReadyForWriting: true,
      uniqueKeys: uniqueKeys)
  }

  private func remember(
    _ shape: TableShape, _ connection: Connection, _ generation: Int, _ version: XTValue?,
    isReadyForWriting: Bool, uniqueKeys: [Set<SQLiteName>] = []
  ) -> RowPlan {
    let rows = RowPlan(shape: shape, database: settings.database, uniqueKeys: uniqueKeys)
    set(
      State(
        rows: rows, generation: generation, isReadyForWriting: isReadyForWriting,
        schemaVersion: version), connection)
    return rows
  }

  private func set(_ state: State, _ connection: Connection) {
    self.state(of: connection).withLock { $0 = state }
    Self.changes.advance()
  }

  /// Whether the file's table is another than the one that `rows` was made for. It is then looked
  /// at anew by the next verb: another program changed it.
  func hasChanged(since rows: RowPlan, _ connection: Connection) -> Bool {
    guard let shape = try? SchemaReader.shape(of: table, mapping: mapping, on: connection)
    else { return false }
    func names(_ shape: TableShape) -> [ExactText] { shape.fileColumns.map { ExactText($0.name) } }
    guard names(shape) != names(rows.shape) else { return false }
    set(State(), connection)
    return true
  }
}
