extension XTModel {
  /// Updates the rows that hold the same values in these properties, or adds a row where none does;
  /// without properties the model's identity decides. A soft-deleted row is live again.
  ///
  /// ```swift
  /// try person.xt_upsert(by: \.name)
  /// ```
  ///
  /// - Returns: whether a row was added, or which were changed.
  /// - Throws: `XTError` of kind `noIdentity` where the model has none, or holds nil in one of
  ///   `properties`.
  @discardableResult
  public mutating func xt_upsert(by properties: PartialKeyPath<Self>...) throws -> XTUpserted {
    try Self.currentTable.upsert(&self, by: properties)
  }

  /// Updates the row that the model is, where that is in the table; else adds one.
  ///
  /// - Returns: whether a row was added, or which was changed.
  @discardableResult
  public mutating func xt_save() throws -> XTUpserted {
    try Self.currentTable.save(&self)
  }

  /// Upserts all models, in their order and in one transaction, and writes pkids and times back.
  ///
  /// - Returns: for each model what was done.
  @discardableResult
  public static func xt_upsertList(
    _ models: inout [Self], by properties: PartialKeyPath<Self>...
  ) throws -> [XTUpserted] {
    try currentTable.upsertList(&models, by: properties)
  }

  /// The same for any sequence; values are not written back to.
  @discardableResult
  public static func xt_upsertList(
    _ models: some Sequence<Self>, by properties: PartialKeyPath<Self>...
  ) throws -> [XTUpserted] {
    try currentTable.upsertList(models, by: properties)
  }
}

extension XTModel where Self: AnyObject {
  /// Updates the rows that hold the same values in these properties, or adds a row where none does.
  @discardableResult
  public func xt_upsert(by properties: PartialKeyPath<Self>...) throws -> XTUpserted {
    var object = self
    return try Self.currentTable.upsert(&object, by: properties)
  }

  /// Updates the row that the object is, where that is in the table; else adds one.
  @discardableResult
  public func xt_save() throws -> XTUpserted {
    try Self.currentTable.save(self)
  }
}
