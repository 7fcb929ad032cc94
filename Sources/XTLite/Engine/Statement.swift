import Foundation

/// The way from a statement back to its connection, which may go first.
///
/// Not a weak reference: one of those makes every later retain of the connection slow.
final class StatementOwner {
  unowned(unsafe) var connection: Connection?
}

/// A prepared statement.
///
/// Belongs to its connection and is used under the connection's turn only. `Connection.finish`
/// gives it back; it is finalized when the last reference goes.
final class Statement {
  let sql: String
  let pointer: OpaquePointer
  let isReadOnly: Bool
  /// How many values are bound to it.
  let parameterCount: Int
  /// Whether they are bound as one, which the SQL that SQLite has takes apart.
  let isPacked: Bool
  let kind: StatementKind
  /// The connection's states in which this statement is refused.
  let sensitivity: Restrictions
  /// What its use may leave to be seen to.
  let effects: Effects

  // Only the connection's user of the moment touches these, so the runtime's check for overlapping
  // accesses has nothing to find.
  @exclusivity(unchecked) var isBusy = false
  /// Whether the use that is on is watched, and `gauge` is there for it.
  @exclusivity(unchecked) var isMetered = false
  @exclusivity(unchecked) var lastUse: UInt = 0
  /// Whether somebody has looked how SQLite goes about it.
  @exclusivity(unchecked) var isExplained = false
  @exclusivity(unchecked) var gauge: StatementGauge?
  /// Which tables it uses; nil where nobody wanted to know when it was prepared.
  @exclusivity(unchecked) var tables: TableUse?
  /// How many changes the connection had made before the use that is on.
  @exclusivity(unchecked) var changesBefore: Int32 = 0
  /// How many rows were recorded before it.
  @exclusivity(unchecked) var rowsBefore = 0
  /// What the use that is on leaves to be seen to.
  @exclusivity(unchecked) var aftermath: Effects

  /// Whether it asks for its connection's latest changes.
  lazy var asksForChanges = SQLScanner.asksForChanges(sql)

  private let owner: StatementOwner
  var connection: Connection? { owner.connection }

  /// - Parameter packedCount: how many values are bound as one; nil where each is by itself.
  init(sql: String, pointer: OpaquePointer, owner: StatementOwner, packedCount: Int? = nil) {
    self.sql = sql
    self.pointer = pointer
    self.owner = owner
    let kind = StatementKind(sql: sql)
    self.kind = kind
    // SQLite says of an EXPLAIN what it would of the statement that is explained.
    isReadOnly = sqlite3_stmt_readonly(pointer) != 0 || Words.startsWithExplain(sql)
    parameterCount = packedCount ?? Int(sqlite3_bind_parameter_count(pointer))
    isPacked = packedCount != nil
    var sensitivity: Restrictions = [.closed, .aborted, .inCallback, .metered, .observed]
    switch kind {
    case .begin, .commit, .rollback: sensitivity.insert(.transactionControl)
    default: if !isReadOnly { sensitivity.insert(.writes) }
    }
    self.sensitivity = sensitivity
    effects =
      switch kind {
      case .schema: !isReadOnly || Words.startsWithAttach(sql) ? .schema : []
      case .commit, .rollback, .rollbackTo: [.schema, .transaction]
      case .savepoint, .release: .transaction
      default: []
      }
    aftermath = effects
  }

  deinit {
    sqlite3_finalize(pointer)
  }

  /// Columns of a row; 0 for a statement that gives none.
  var columnCount: Int { Int(sqlite3_column_count(pointer)) }

  /// A column's name, as in AS or in the table; "" where there is none.
  func columnName(_ index: Int) -> String {
    guard let name = sqlite3_column_name(pointer, Int32(truncatingIfNeeded: index)) else {
      return ""
    }
    return String(cString: name)
  }

  // MARK: Binding, 1-based

  @inline(__always)
  var parameters: Parameters { Parameters(pointer: pointer) }

  @inline(__always)
  func bindNull(at index: Int) throws {
    try check(sqlite3_bind_null(pointer, Int32(truncatingIfNeeded: index)))
  }

  @inline(__always)
  func bind(int64 value: Int64, at index: Int) throws {
    try check(sqlite3_bind_int64(pointer, Int32(truncatingIfNeeded: index), value))
  }

  /// SQLite would store NaN as NULL; it is refused.
  @inline(__always)
  func bind(double value: Double, at index: Int) throws {
    if value.isNaN { throw notANumber(index) }
    try check(sqlite3_bind_double(pointer, Int32(truncatingIfNeeded: index), value))
  }

  /// Binds `count` bytes of UTF-8. Not copying, the caller keeps the memory until `finish`.
  @inline(__always)
  func bind(text: UnsafeRawPointer, count: Int, copying: Bool, at index: Int) throws {
    guard count <= Int32.max else { throw failure(SQLITE_TOOBIG) }
    try check(
      xt_bind_text(
        pointer, Int32(truncatingIfNeeded: index), text, Int32(truncatingIfNeeded: count),
        copying ? 1 : 0))
  }

  /// Binds `count` bytes; 0 is an empty blob, not NULL. Not copying, the caller keeps the memory
  /// until `finish`.
  @inline(__always)
  func bind(blob: UnsafeRawPointer, count: Int, copying: Bool, at index: Int) throws {
    guard count <= Int32.max else { throw failure(SQLITE_TOOBIG) }
    try check(
      xt_bind_blob(
        pointer, Int32(truncatingIfNeeded: index), blob, Int32(truncatingIfNeeded: count),
        copying ? 1 : 0))
  }

  /// Binds a copy of the value.
  func bind(_ value: XTValue, at index: Int) throws {
    switch value {
    case .null:
      try bindNull(at: index)
    case .integer(let value):
      try bind(int64: value, at: index)
    case .real(let value):
      try bind(double: value, at: index)
    case .text(var value):
      try value.withUTF8 { bytes in
        // An empty buffer may have no address, and a null pointer would bind NULL.
        if let start = bytes.baseAddress, !bytes.isEmpty {
          try bind(text: start, count: bytes.count, copying: true, at: index)
        } else {
          try check(xt_bind_text(pointer, Int32(truncatingIfNeeded: index), "", 0, 1))
        }
      }
    case .blob(let value):
      try value.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress, !bytes.isEmpty {
          try bind(blob: start, count: bytes.count, copying: true, at: index)
        } else {
          try check(sqlite3_bind_zeroblob(pointer, Int32(truncatingIfNeeded: index), 0))
        }
      }
    }
  }

  /// Binds one value for each parameter, in order.
  func bind(_ values: [XTValue]) throws {
    guard values.count == parameterCount else { throw wrongCount(values.count) }
    if isPacked { return try bind(try PackedValues.pack(values), at: 1) }
    for (position, value) in values.enumerated() {
      try bind(value, at: position + 1)
    }
  }

  // MARK: Running

  /// Runs to the next row. Returns false when there is none.
  @inline(__always)
  func step() throws -> Bool {
    if isMetered { return try timedStep() }
    let code = sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Runs to the end, over any rows.
  @inline(__always)
  func run() throws {
    while try step() {}
  }

  @inline(__always)
  func reset() {
    sqlite3_reset(pointer)
  }

  @inline(__always)
  func clearBindings() {
    sqlite3_clear_bindings(pointer)
  }

  /// A column of the current row, 0-based.
  @inline(__always)
  func column(_ index: Int) -> ColumnValue {
    // SQLite never gives a null pointer here: out of range it is a NULL value.
    ColumnValue(
      pointer: sqlite3_column_value(pointer, Int32(truncatingIfNeeded: index)).unsafelyUnwrapped)
  }

  /// The bytes of the texts and blobs of the current row.
  var rowSize: Int {
    var size = 0
    for index in 0..<columnCount { size += column(index).size }
    return size
  }

  // MARK: Errors, out of line

  @inline(__always)
  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw failure(code) }
  }

  func error(of refusal: BindingRefusal) -> XTError {
    failure(refusal.code)
  }

  @inline(never)
  func failure(_ code: Int32) -> XTError {
    aftermath.insert(.failure)
    var error = XTError.last(
      of: sqlite3_db_handle(pointer), code: code, sql: sql, boundSQL: boundSQL,
      path: connection?.path)
    guard let connection else { return error }
    if let hint = connection.lockHint(error, self) { error.hint = hint }
    if !isReadOnly { connection.writeFailed(error) }
    return connection.noticed(error)
  }

  @inline(never)
  private func notANumber(_ index: Int) -> XTError {
    XTError(
      .valueOutOfRange, "NaN cannot be stored (parameter \(index))",
      hint: "SQLite would keep NULL instead; use an optional and nil", sql: sql,
      path: connection?.path)
  }

  @inline(never)
  private func wrongCount(_ count: Int) -> XTError {
    XTError(
      .sqlite, "the statement has \(parameterCount) parameters, and \(count) values were given",
      hint: "give one value for each parameter", sql: sql, path: connection?.path,
      code: SQLITE_RANGE)
  }

  private var boundSQL: String? {
    connection?.settings.valuesInErrors == true ? textWithValues : nil
  }
}

/// What a statement's use may leave to be seen to when it has ended.
struct Effects: OptionSet {
  let rawValue: UInt8

  /// Table shapes may differ.
  static let schema = Effects(rawValue: 1)
  /// It began or ended a part of a transaction.
  static let transaction = Effects(rawValue: 2)
  /// It failed, with which SQLite may have ended the transaction.
  static let failure = Effects(rawValue: 4)
  /// It may have written, and somebody wants to know what.
  static let writes = Effects(rawValue: 8)
}

extension Words {
  fileprivate static func startsWithExplain(_ sql: String) -> Bool {
    var words = Words(sql.utf8[...])
    return words.next() == "EXPLAIN"
  }

  /// ATTACH and DETACH count as read-only in SQLite, but bring and take tables.
  fileprivate static func startsWithAttach(_ sql: String) -> Bool {
    var words = Words(sql.utf8[...])
    return ["ATTACH", "DETACH"].contains(words.next())
  }
}
