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
    takeDoubleQuotedTexts(true)
    defer {
      takeDoubleQuotedTexts(false)
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
}
