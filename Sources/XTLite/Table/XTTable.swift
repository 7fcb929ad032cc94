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
          "an object of \(TypeName.display(type)) can't go into \(customName), a table of "
            + "\(TypeName.display(Model.self))",
          hint: "use a table of the object's own class", table: customName))
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
      "\(owner.typeName) and \(mapping.typeName) would share the table \(mapping.tableName)",
      hint: "state another name for one of them: static var xt_tableName: String { \"…\" }; types "
        + "that both state a name may share it",
      table: mapping.tableName)
  }
}
