/// What a capability keeps in the file beside a model's table, and that comes and goes with it.
protocol TableCompanion {
  /// Makes it for a table that is there, where the model declares it and the file has another or none.
  ///
  /// - Parameter advance: Told how many rows were looked at since it was last; what it throws ends the
  ///   work.
  static func prepare(
    _ shape: TableShape, on connection: Connection, advance: (Int64) throws -> Void
  ) throws

  /// Whether `prepare` would do something.
  static func isMissing(_ shape: TableShape, on connection: Connection) throws -> Bool

  /// Takes it away: the table is about to go, or to be made anew in another form.
  static func remove(from table: String, on connection: Connection) throws
}

enum TableCompanions {
  static func prepare(
    _ shape: TableShape, on connection: Connection,
    advance: (Int64) throws -> Void = { _ in }
  ) throws {
    for companion in all { try companion.prepare(shape, on: connection, advance: advance) }
  }

  static func areMissing(_ shape: TableShape, on connection: Connection) throws -> Bool {
    try all.contains { try $0.isMissing(shape, on: connection) }
  }

  static func remove(from table: String, on connection: Connection) throws {
    for companion in all { try companion.remove(from: table, on: connection) }
  }
}
