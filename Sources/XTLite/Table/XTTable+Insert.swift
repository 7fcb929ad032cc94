import Foundation

extension XTTable {
  /// Adds a row for the model and tells it its pkid and both times.
  ///
  /// ```swift
  /// var kobe = Person(name: "mamba", age: 24)
  /// try people.insert(&kobe)         // kobe.pkid is set
  /// ```
  ///
  /// - Returns: the row's pkid: the model's own where it is set, else the next one.
  /// - Throws: `constraint` where the row would break one, also for a pkid that is taken;
  ///   `valueOutOfRange` for a value that can't be stored.
  @discardableResult
  public func insert(_ model: inout Model) throws -> Int64 {
    try insertRow(&model) ?? 0
  }

  /// Adds a row with just these properties; the file's defaults fill the other columns.
  ///
  /// A property for which the file has no default, and that is never NULL (a UUID, a Date that is
  /// not optional), is written too.
  ///
  /// - Returns: the row's pkid.
  /// - Throws: as `insert(_:)`.
  @discardableResult
  public func insert(_ model: inout Model, only properties: PartialKeyPath<Model>...) throws
    -> Int64
  {
    try insertRow(&model, only: properties) ?? 0
  }

  /// Adds a row for the model unless a constraint is in the way.
  ///
  /// - Returns: whether a row was added; only then are pkid and times written back.
  @discardableResult
  public func insertOrIgnore(_ model: inout Model) throws -> Bool {
    try insertRow(&model, .ignore) != nil
  }

  /// Adds rows for all models, in one transaction, and tells each its pkid and times.
  ///
  /// - Returns: how many rows were added.
  /// - Throws: as `insert(_:)`; the table is then as it was, and no model was touched.
  @discardableResult
  public func insertList(_ models: inout [Model]) throws -> Int {
    try insertRows(&models, .fail)
  }

  /// Adds rows for all models of a sequence, in one transaction. Values are not written back to,
  /// objects are.
  ///
  /// - Returns: how many rows were added.
  /// - Throws: as ``insertList(_:)-(inout)``.
  @discardableResult
  public func insertList(_ models: some Sequence<Model>) throws -> Int {
    try insertRows(models, .fail)
  }

  /// Adds rows for all models with just these properties.
  @discardableResult
  public func insertList(
    _ models: some Sequence<Model>, only properties: PartialKeyPath<Model>...
  ) throws -> Int {
    try insertRows(models, only: properties)
  }

  /// Adds rows for those models that no constraint is in the way of.
  ///
  /// - Returns: how many rows were added.
  @discardableResult
  public func insertOrIgnoreList(_ models: inout [Model]) throws -> Int {
    try insertRows(&models, .ignore)
  }

  /// The same for any sequence; values are not written back to.
  @discardableResult
  public func insertOrIgnoreList(_ models: some Sequence<Model>) throws -> Int {
    try insertRows(models, .ignore)
  }
}

extension XTTable where Model: AnyObject {
  /// Adds a row for the object and tells it its pkid and both times.
  ///
  /// - Returns: the row's pkid.
  /// - Throws: `constraint` where the row would break one; `valueOutOfRange` for a value that can't
  ///   be stored.
  @discardableResult
  public func insert(_ object: Model) throws -> Int64 {
    var object = object
    return try insert(&object)
  }

  /// Adds a row with just these properties; the file's defaults fill the other columns.
  @discardableResult
  public func insert(_ object: Model, only properties: PartialKeyPath<Model>...) throws -> Int64 {
    var object = object
    return try insertRow(&object, only: properties) ?? 0
  }

  /// Adds a row for the object unless a constraint is in the way.
  @discardableResult
  public func insertOrIgnore(_ object: Model) throws -> Bool {
    var object = object
    return try insertOrIgnore(&object)
  }
}

// MARK: -

extension XTTable {
  func insertRow(
    _ model: inout Model, _ conflict: StatementBuilder.Conflict = .fail, only: [AnyKeyPath]? = nil
  ) throws -> Int64? {
    // What is ignored can't show that the table is another by now: that is looked at first.
    try write(&model, verb("insert", only: only), isAtomic: conflict == .ignore) {
      try $0.insert($1, conflict)
    }?.number
  }

  func insertRows(
    _ models: some Sequence<Model>, _ conflict: StatementBuilder.Conflict = .fail,
    only: [AnyKeyPath]? = nil
  ) throws -> Int {
    var count = 0
    try writeEach(models, verb("insert", only: only)) { writer, memory in
      if try writer.insert(memory, conflict) != nil { count += 1 }
    }
    return count
  }

  private func insertRows(
    _ models: inout [Model], _ conflict: StatementBuilder.Conflict
  ) throws -> Int {
    try writeEach(&models, verb("insert")) { try $0.insert($1, conflict) }.count { $0 != nil }
  }
}
