extension Connection {
  /// Runs `body` with foreign keys off, which has to be said before a transaction begins: inside one
  /// it does nothing, and dropping a table would delete the rows that refer to it.
  ///
  /// They are on again on every way out.
  func withoutForeignKeys<T>(_ body: () throws -> T) throws -> T {
    let areEnforced = settings.foreignKeys
    // Nil where the library has no such switch.
    let legacyAlter = try pragma("legacy_alter_table")?.int64
    try setForeignKeys(false)
    defer {
      // A step that was cancelled could not see to it.
      if let legacyAlter { _ = try? pragma("legacy_alter_table = \(legacyAlter)") }
      if areEnforced {
        do { try setForeignKeys(true) } catch {
          // They are set before the connection's next use.
          settings.foreignKeys = false
          generation = -1
        }
      }
    }
    guard try pragma("foreign_keys")?.int64 == 0 else {
      throw XTError(
        .upgrade, "foreign keys could not be turned off, so that no table can be made anew",
        path: path)
    }
    return try body()
  }

  /// How many rows refer to what is not there; nil where SQLite can't tell.
  func danglingReferences() -> Int? {
    try? rows("PRAGMA foreign_key_check").count
  }

  /// - Throws: `upgrade` where more rows refer to what is not there than did before.
  func refuseDangling(since before: Int?) throws {
    guard let before else { return }
    let rows = try rows("PRAGMA foreign_key_check")
    guard rows.count > before, let row = rows.last else { return }
    throw XTError(
      .upgrade,
      "the upgrade would leave \(rows.count - before) rows that refer to what is not there, such as"
        + " row \(row[1]) of `\(row[0])`, which refers to `\(row[2])`",
      hint: "write a step that sees to them: $0.run(\"…\")", table: row[0].string, path: path)
  }
}
