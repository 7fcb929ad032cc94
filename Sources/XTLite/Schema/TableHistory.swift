/// The upgrades of one table of a model, in the order of their versions.
struct TableHistory {
  let mapping: ModelMapping
  /// What the table is to be called.
  let table: String
  let upgrades: [XTUpgrade]
  /// Whether it is the model's own, which alone a `renameTable` renames.
  let isOwn: Bool

  var newest: Int { upgrades.last?.version ?? 0 }

  /// The names that the table had, in order, with the version that ended each.
  var olderNames: [(name: String, until: Int)] {
    guard isOwn else { return [] }
    var names: [(name: String, until: Int)] = []
    for upgrade in upgrades {
      for case .renameTable(let name) in upgrade.steps
      // A step that is written twice says no more than once.
      where names.last.map({ SQLiteName($0.name) }) != SQLiteName(name) {
        names.append((name, upgrade.version))
      }
    }
    return names
  }

  /// What `rename` steps call columns, by what they were called.
  func laterNames() throws -> [SQLiteName: String] {
    var names: [SQLiteName: String] = [:]
    for upgrade in upgrades {
      for case .rename(let old, let new) in upgrade.steps {
        names[SQLiteName(old)] = try new.name(in: mapping)
      }
    }
    return names
  }

  /// All names that it has or had, the latest first and then in order.
  var names: [String] { [table] + olderNames.map(\.name) }

  /// The name under which the file has the table.
  ///
  /// - Parameter exists: Whether there is a table of that name.
  func currentName(
    _ history: UpgradeHistory, exists: (String) throws -> Bool
  ) rethrows -> String {
    var name = table
    for older in olderNames.reversed() {
      if history.applied(to: name).contains(older.until) { return name }
      // The older table is the one with the rows; what has the new name was made by itself.
      if try exists(older.name) || !exists(name) { name = older.name }
    }
    return try exists(name) ? name : table
  }

  /// Upgrades that the table has not had.
  func due(_ applied: Set<Int>) -> [XTUpgrade] {
    upgrades.filter { !applied.contains($0.version) }
  }
}
