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

  /// Takes away what is left of it where other programs dropped the tables.
  static func removeOrphans(on connection: Connection) throws

  /// Refuses a name for a model's table that belongs to what is kept beside another.
  static func refuse(_ name: String, on connection: Connection) throws

  /// An error of a write to the table, told by what is wrong with it where it is to blame.
  ///
  /// - Parameter connection: nil where nothing more can be asked.
  static func explained(
    _ error: any Error, _ table: String, _ mapping: ModelMapping, on connection: Connection?
  ) -> any Error
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

  static func removeOrphans(on connection: Connection) throws {
    for companion in all { try companion.removeOrphans(on: connection) }
  }

  static func refuse(_ name: String, on connection: Connection) throws {
    for companion in all { try companion.refuse(name, on: connection) }
  }

  static func explained(
    _ error: any Error, _ table: String, _ mapping: ModelMapping, on connection: Connection?
  ) -> any Error {
    all.reduce(error) { $1.explained($0, table, mapping, on: connection) }
  }
}
