/// The rows that refer to what is not there.
struct DanglingReferences {
  private struct Reference: Hashable {
    let table: SQLiteName
    let row: XTValue
    let parent: SQLiteName
  }

  private var found: [Reference: [XTValue]] = [:]
  /// Tables whose foreign keys name no key of their parent, of which SQLite can't tell more.
  private var mismatches: [SQLiteName: String] = [:]

  /// - Parameter originalName: What a table was called before the upgrade.
  init(on connection: Connection, originalName: (String) -> String = { $0 }) throws {
    for (table, _) in try ForeignReferences.tables(on: connection) {
      let original = SQLiteName(originalName(table))
      do {
        for row in try connection.rows("PRAGMA foreign_key_check(\(quoted(table)))") {
          let parent = originalName(row[2].string ?? "")
          found[Reference(table: original, row: row[1], parent: SQLiteName(parent))] = row
        }
      } catch let error as XTError where error.code == 1 {
        mismatches[original] = error.message
      }
    }
  }

  /// - Parameter mayMove: Whether rows may have got other numbers, or another table.
  /// - Throws: `upgrade` where a row refers to what is not there, and did not before.
  func refuseMore(than before: DanglingReferences, mayMove: Bool, path: String?) throws {
    for (table, message) in mismatches where before.mismatches[table] == nil {
      throw XTError(
        .upgrade, "the upgrade would leave a foreign key without a key to refer to: \(message)",
        hint: "keep what it refers to unique, or take the foreign key out in a step before",
        path: path)
    }
    let new = found.filter { before.found[$0.key] == nil }
    guard let row = new.values.first, !mayMove || found.count > before.found.count else { return }
    throw XTError(
      .upgrade,
      "the upgrade would leave \(new.count) rows that refer to what is not there, such as"
        + " row \(row[1]) of `\(row[0])`, which refers to `\(row[2])`",
      hint: "write a step that sees to them: $0.run(\"…\")", table: row[0].string, path: path)
  }
}
