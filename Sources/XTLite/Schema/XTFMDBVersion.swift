/// The version that XTFMDB, the Objective-C library, left in a file: one number for all tables.
enum XTFMDBVersion {
  private static let table = "XTDBVersion"

  /// The number; nil where XTFMDB kept none.
  static func number(on connection: Connection) throws -> Int64? {
    let columns = try SchemaReader.columns(of: table, on: connection)
    guard columns.contains(where: { SQLiteName($0.name) == SQLiteName("version") }) else {
      return nil
    }
    return try connection.firstValue("SELECT max(`version`) FROM \(quoted(table))")?.int64
  }

  /// Whether XTFMDB itself brought `table` to `version`.
  ///
  /// Its number was for the whole file, so that it could pass a table by: what the version adds
  /// must be there too.
  static func covers(
    _ version: Int, _ columns: [Column], of table: String, mapping: ModelMapping,
    on connection: Connection
  ) throws -> Bool {
    guard let number = try number(on: connection), Int64(version) <= number else { return false }
    let shape = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
    return shape.isLegacy && columns.allSatisfy { shape.has(column: $0.name) }
  }
}
