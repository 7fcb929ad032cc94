import Foundation

extension XTTable {
  /// Updates the rows that hold the same values in these properties, or adds a row where none does.
  ///
  /// pkid, createTime and columns that the model doesn't know are kept; a soft-deleted row is live
  /// again. Without properties the model's identity decides: pkid, else its own key, else its first
  /// unique property.
  ///
  /// ```swift
  /// try people.upsert(&person, by: \.name)
  /// ```
  ///
  /// - Returns: whether a row was added, or which were changed.
  /// - Throws: `noIdentity` where the model has none, or holds nil in one of `properties`.
  @discardableResult
  public func upsert(_ model: inout Model, by properties: PartialKeyPath<Model>...) throws
    -> XTUpserted
  {
    try upsert(&model, by: properties)
  }

  /// Upserts all models, in their order and in one transaction, and tells each its pkid and times.
  ///
  /// - Returns: for each model what was done.
  /// - Throws: as `upsert(_:by:)`; the table is then as it was, and no model was touched.
  @discardableResult
  public func upsertList(
    _ models: inout [Model], by properties: PartialKeyPath<Model>...
  ) throws -> [XTUpserted] {
    try upsertList(&models, by: properties)
  }

  /// The same for any sequence; values are not written back to, objects are.
  @discardableResult
  public func upsertList(
    _ models: some Sequence<Model>, by properties: PartialKeyPath<Model>...
  ) throws -> [XTUpserted] {
    try upsertList(models, by: properties)
  }

  /// Updates the row that the model is, where that is in the table; else adds one.
  ///
  /// - Returns: whether a row was added, or which was changed.
  @discardableResult
  public func save(_ model: inout Model) throws -> XTUpserted {
    try write(&model, verb("save"), isAtomic: true) { try $0.save($1) }?.result
      ?? .updated(pkids: [])
  }

  /// Writes the model over the row that it is, or adds a row; rows that stand in the way of one of
  /// its unique properties go.
  ///
  /// The row that the model is keeps its pkid, its createTime and the columns that this program
  /// doesn't know.
  ///
  /// - Returns: the row's pkid.
  @discardableResult
  public func insertOrReplace(_ model: inout Model) throws -> Int64 {
    try write(&model, verb("insertOrReplace"), isAtomic: true) { try $0.replace($1) }?.number ?? 0
  }

  /// The same for all models, in one transaction.
  ///
  /// - Returns: how many models were written.
  @discardableResult
  public func insertOrReplaceList(_ models: inout [Model]) throws -> Int {
    try writeEach(&models, verb("insertOrReplace")) { try $0.replace($1) }.count
  }

  /// The same for any sequence; values are not written back to, objects are.
  @discardableResult
  public func insertOrReplaceList(_ models: some Sequence<Model>) throws -> Int {
    var count = 0
    try writeEach(models, verb("insertOrReplace")) { writer, memory in
      _ = try writer.replace(memory)
      count += 1
    }
    return count
  }
}

extension XTTable where Model: AnyObject {
  /// Updates the rows that hold the same values in these properties, or adds a row where none does.
  @discardableResult
  public func upsert(_ object: Model, by properties: PartialKeyPath<Model>...) throws -> XTUpserted
  {
    var object = object
    return try upsert(&object, by: properties)
  }

  /// Updates the row that the object is, where that is in the table; else adds one.
  @discardableResult
  public func save(_ object: Model) throws -> XTUpserted {
    var object = object
    return try save(&object)
  }

  /// Writes the object over the row that it is, or adds a row.
  @discardableResult
  public func insertOrReplace(_ object: Model) throws -> Int64 {
    var object = object
    return try insertOrReplace(&object)
  }
}

// MARK: -

extension XTTable {
  func upsert(_ model: inout Model, by properties: [AnyKeyPath]) throws -> XTUpserted {
    try write(&model, verb("upsert", by: properties), isAtomic: true) { try $0.upsert($1) }?.result
      ?? .updated(pkids: [])
  }

  func upsertList(_ models: inout [Model], by properties: [AnyKeyPath]) throws -> [XTUpserted] {
    try writeEach(&models, verb("upsert", by: properties)) { try $0.upsert($1) }
      .compactMap { $0?.result }
  }

  func upsertList(
    _ models: some Sequence<Model>, by properties: [AnyKeyPath]
  ) throws -> [XTUpserted] {
    var results: [XTUpserted] = []
    try writeEach(models, verb("upsert", by: properties)) { writer, memory in
      results.append(try writer.upsert(memory).result)
    }
    return results
  }
}
