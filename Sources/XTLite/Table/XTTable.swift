import Foundation

/// A model's table in one database: where the verbs live.
///
/// The `xt_` verbs of a model are these, on the current database. A table of one's own choice comes
/// from ``XTDatabase/table(_:named:)``:
///
/// ```swift
/// let archive = try XTDatabase(path: "archive.sqlite")
/// let people = archive.table(Person.self)
/// try people.insert(&person)
/// let adults = try people.find(where: \.age >= 18)
/// ```
public struct XTTable<Model: XTModel>: Sendable {
  /// The database that the table is in.
  public let database: XTDatabase

  /// The table's name where it is not the model's own.
  let customName: String?

  init(database: XTDatabase, name: String?) {
    self.database = database
    customName = name
  }

  /// The table's name.
  ///
  /// - Throws: what is wrong with the model, where it can't have a table.
  public var name: String {
    get throws { try plan().table }
  }
}

extension XTDatabase {
  /// The table of a model in this database.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - name: the table's name where it is not the model's own, so that one type can have several
  ///     tables.
  public func table<Model: XTModel>(_ type: Model.Type, named name: String? = nil) -> XTTable<Model>
  {
    XTTable(database: self, name: name)
  }
}

extension XTTable {
  @inline(__always)
  func plan() throws -> TablePlan {
    try plan(of: Model.self)
  }

  @inline(__always)
  private func plan(of type: any XTModel.Type) throws -> TablePlan {
    try database.attachment(for: AttachmentKey(type: ObjectIdentifier(type), name: customName)) {
      try database.noting { try makePlan(type) }
    }
  }

  /// An object goes to the table of its own class, not of the variable's type.
  @inline(__always)
  func plan(for memory: ModelMemory) throws -> TablePlan {
    guard let object = memory.object, Swift.type(of: object) != Model.self else {
      return try plan()
    }
    return try plan(forObject: object)
  }

  @inline(never)
  private func plan(forObject object: AnyObject) throws -> TablePlan {
    guard let type = Swift.type(of: object) as? any XTModel.Type else { return try plan() }
    if let customName {
      throw database.noted(
        XTError(
          .schema,
          "An object of \(TypeName.display(type)) can't go into \(customName), a table of "
            + "\(TypeName.display(Model.self)).",
          hint: "Use a table of the object's own class.", table: customName))
    }
    return try plan(of: type)
  }

  @inline(never)
  private func makePlan(_ type: any XTModel.Type) throws -> TablePlan {
    let mapping = try ModelMapping.of(type)
    let table = customName ?? mapping.tableName
    try TableDefinition.checkName(table)
    if customName == nil {
      try database.attachment(
        for: AttachmentKey(type: ObjectIdentifier(TableNames.self), name: nil)
      ) {
        TableNames()
      }.claim(mapping)
    }
    return TablePlan(
      mapping: mapping, table: table,
      settings: TablePlan.Settings(
        automaticColumns: database.configuration.automaticColumns,
        automaticAdditions: database.configuration.automaticAdditions,
        database: UInt32(truncatingIfNeeded: database.identity)))
  }
}

/// Which type uses a table name in one database: two whose names came out the same by themselves
/// must not share a table.
private final class TableNames: Sendable {
  private let owners = Mutex<[SQLiteName: ModelMapping]>([:])

  func claim(_ mapping: ModelMapping) throws {
    let owner = owners.withLock { owners in
      let key = SQLiteName(mapping.tableName)
      if let owner = owners[key], !owner.statesTableName { return owner }
      owners[key] = mapping
      return mapping
    }
    guard owner.modelType != mapping.modelType, !mapping.statesTableName else { return }
    throw XTError(
      .schema,
      "\(owner.typeName) and \(mapping.typeName) would share the table \(mapping.tableName).",
      hint: "State another name for one of them: static var xt_tableName: String { \"…\" }. Types "
        + "that both state a name may share it.",
      table: mapping.tableName)
  }
}

// The three ways of a verb to the table. Where another program has changed the table since it was
// looked at, a single statement is tried once more with what is there now; a transaction compares
// first, since what it has taken from a sequence can't be taken again.
extension XTTable {
  @inline(__always)
  func reading<Result>(
    _ plan: TablePlan, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    try database.reading { connection in
      guard let rows = plan.knownRows(connection) else {
        return try plan.lookingAgain(connection, body)
      }
      do {
        return try body(connection, rows)
      } catch let error as XTError {
        guard plan.isStale(error, rows, connection) else { throw error }
        return try plan.lookingAgain(connection, body)
      }
    }
  }

  @inline(__always)
  func writing<Result>(
    _ plan: TablePlan, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    try database.writing { try plan.writing($0, body) }
  }

  /// All of what `body` writes, or nothing.
  @inline(__always)
  func transacting<Result>(
    _ plan: TablePlan, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    try database.transacting { connection in
      try body(connection, plan.rowsForTransaction(connection))
    }
  }
}

extension TablePlan {
  /// Looks at the table and reads from it on one snapshot, so that both see the same one.
  @inline(never)
  func lookingAgain<Result>(
    _ connection: Connection, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    // A snapshot of the writer's connection would stand in the way of what a row's callback writes.
    guard connection.isReader else { return try body(connection, rowsForReading(connection)) }
    return try connection.inSnapshot { try body(connection, rowsForReading(connection)) }
  }

  @inline(__always)
  func writing<Result>(
    _ connection: Connection, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    let rows = try rowsForWriting(connection)
    do {
      return try body(connection, rows)
    } catch let error as XTError {
      guard isStale(error, rows, connection) else { throw error }
      return try body(connection, rowsForWriting(connection))
    }
  }
}

extension TablePlan {
  /// Whether an error comes from a table that is no longer the one that was looked at.
  @inline(never)
  func isStale(_ error: XTError, _ rows: RowPlan, _ connection: Connection) -> Bool {
    // A column that the model doesn't know may have come, and take no NULL.
    [.schema, .unknownColumn, .constraint(.notNull)].contains(error.kind) && error.code != 0
      && hasChanged(since: rows, connection)
  }

  func columns(_ keyPaths: [AnyKeyPath]) throws -> [Column] {
    try keyPaths.map { try mapping.column(for: $0) }
  }

  /// The columns of `keyPaths` whose values a model carries: those that it declares, and the number
  /// of an object's row, which is kept beside it.
  func writtenColumns(_ keyPaths: [AnyKeyPath]) throws -> [Column] {
    let columns = try columns(keyPaths)
    let isNumberKept = mapping.isClass
    if let other = columns.first(where: {
      $0.access == nil && !(isNumberKept && $0 === mapping.rowID)
    }) {
      throw XTError(
        .unknownColumn, "\(mapping.typeName) does not declare \(other.name).",
        hint: "Declare it as a stored property.", table: table, column: other.name)
    }
    return columns
  }
}
