/// Which row a model is, as values that stay when the model goes.
enum StoredIdentity: Hashable {
  case number(Int64)
  /// The quoted names of the columns with what they hold; one at least.
  case key([KeyPart])

  struct KeyPart: Hashable {
    let column: String
    let value: XTValue
  }
}

extension TablePlan {
  /// For what a model says by itself, while there is no database.
  static func withoutDatabase(_ type: any XTModel.Type) throws -> TablePlan {
    let mapping = try ModelMapping.of(type)
    return TablePlan(
      mapping: mapping, table: mapping.tableName,
      settings: Settings(automaticColumns: true, automaticAdditions: true, database: 0))
  }

  /// By the row's number, else the model's own key, else the first property that is unique by
  /// itself.
  ///
  /// - Throws: `noIdentity` where the model has none of them.
  func storedIdentity(of memory: ModelMemory, _ verb: String) throws -> StoredIdentity {
    if let identity = try storedIdentityIfAny(of: memory) { return identity }
    throw noIdentity(verb)
  }

  func storedIdentityIfAny(of memory: ModelMemory) throws -> StoredIdentity? {
    if let number = try number(of: memory) { return .number(number) }
    for columns in [mapping.primaryKey] + mapping.uniqueColumns.map({ [$0] }) {
      var parts: [StoredIdentity.KeyPart] = []
      for column in columns {
        guard let value = try column.access?.value(from: memory.base), value != .null else { break }
        parts.append(StoredIdentity.KeyPart(column: column.quotedName, value: value))
      }
      if !parts.isEmpty, parts.count == columns.count { return .key(parts) }
    }
    return nil
  }
}
