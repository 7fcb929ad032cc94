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

  /// Makes a copy of the file's schema remember it.
  static func copy(from file: Connection, to copy: Connection) throws {
    guard let number = try number(on: file) else { return }
    try copy.run("INSERT INTO \(quoted(table)) (`version`) VALUES (?)", [.integer(number)])
  }
}

extension TableShape {
  /// Whether XTFMDB made the table, and its columns are as an upgrade's steps leave them, as far as
  /// they tell: XTFMDB's number was for the whole file, so that it could pass a table by.
  func looksLeft(by upgrade: XTUpgrade) throws -> Bool {
    guard isLegacy else { return false }
    return try upgrade.steps.allSatisfy { step in
      switch step {
      case .add(let reference): has(column: try reference.column(in: mapping).name)
      case .rename(let old, _): !has(column: old)
      default: true
      }
    }
  }
}
