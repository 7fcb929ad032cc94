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

  /// Whether XTFMDB itself brought `table` to an upgrade's version.
  ///
  /// Its number was for the whole file, so that it could pass a table by: the table must also look as
  /// if the upgrade's steps had been taken.
  static func covers(
    _ upgrade: XTUpgrade, of table: String, mapping: ModelMapping, on connection: Connection
  ) throws -> Bool {
    guard let number = try number(on: connection), Int64(upgrade.version) <= number else {
      return false
    }
    let shape = try SchemaReader.shape(of: table, mapping: mapping, on: connection)
    return try shape.isLegacy && upgrade.steps.allSatisfy { try $0.looksTaken(in: shape) }
  }

  /// Makes a copy of the file's schema remember it.
  static func copy(from file: Connection, to copy: Connection) throws {
    guard let number = try number(on: file) else { return }
    try copy.run("INSERT INTO \(quoted(table)) (`version`) VALUES (?)", [.integer(number)])
  }
}

extension UpgradeStep {
  /// Whether a table's columns are those that the step leaves, as far as they tell.
  fileprivate func looksTaken(in shape: TableShape) throws -> Bool {
    switch self {
    case .add(let reference): shape.has(column: try reference.column(in: shape.mapping).name)
    case .rename(let old, _): !shape.has(column: old)
    default: true
    }
  }

  /// Whether it looks at what is declared and does what is missing, so that it can be taken twice.
  var isOnDeclarations: Bool {
    switch self {
    case .change(_, conversion: nil), .drop, .addIndex, .dropIndex, .dropIndexOver: true
    default: false
    }
  }
}
