/// What the file remembers of its tables' versions.
struct UpgradeHistory {
  /// The tables that XTLite made, each with the model's own table name.
  var tables: [(name: String, model: SQLiteName)] = []
  private var versions: [SQLiteName: Set<Int>] = [:]

  mutating func addVersion(_ version: Int, of table: String) {
    versions[SQLiteName(table), default: []].insert(version)
  }

  func applied(to table: String) -> Set<Int> { versions[SQLiteName(table)] ?? [] }

  /// The `named:` tables of a model that goes, or went, by one of `names`.
  func otherTables(of names: [String]) -> [String] {
    let names = Set(names.map(SQLiteName.init))
    return tables.filter { names.contains($0.model) && !names.contains(SQLiteName($0.name)) }
      .map(\.name)
  }
}
