/// What two databases have in common of which one is a copy.
struct DatabaseFacts: Equatable {
  private var schema: [[XTValue]]
  /// Rows, by table.
  private var counts: [String: Int64] = [:]
  private var sequence: [[XTValue]] = []
  private var numbers: [String: XTValue] = [:]

  init(of connection: Connection) throws {
    // The table of sequences is there as soon as some table needs it.
    schema = try connection.rows(
      """
      SELECT type, name, tbl_name, sql FROM main.sqlite_master WHERE name <> 'sqlite_sequence'
      ORDER BY type, name, tbl_name
      """)
    let tables = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0")
    for table in tables.compactMap({ $0[0].string }) {
      let count = try connection.firstValue("SELECT count(*) FROM main.\(quoted(table))")
      if table != "sqlite_sequence" { counts[table] = count?.int64 }
    }
    if tables.contains(where: { $0[0] == "sqlite_sequence" }) {
      sequence = try connection.rows(
        "SELECT name, seq FROM main.sqlite_sequence ORDER BY name, seq")
    }
    for name in ["user_version", "application_id", "auto_vacuum", "encoding"] {
      numbers[name] = try connection.pragma("main.\(name)")
    }
  }

  /// In what the other differs; nil where it does not.
  func difference(from other: DatabaseFacts) -> String? {
    if schema != other.schema { return "the schema" }
    if let table = counts.keys.sorted().first(where: { counts[$0] != other.counts[$0] }) {
      return "the rows of \(table)"
    }
    if sequence != other.sequence { return "sqlite_sequence" }
    return numbers.keys.sorted().first { numbers[$0] != other.numbers[$0] }
  }
}
