import XTLite

// Three columns of each row, as tuples: what is asked for by expressions, by key paths, in SQL.

extension Workload {
  static let tuples: [Workload] = [
    Workload(name: "W12", summary: "three columns of 100,000 rows as tuples, by expressions") {
      try sides($0, "W12") { table in
        { try table.select(Item.xt.name, Item.xt.score, Item.xt.age) }
      }
    },
    Workload(name: "W12k", summary: "W12 by key paths") {
      try sides($0, "W12k") { table in { try table.select(\.name, \.score, \.age) } }
    },
    Workload(name: "W12s", summary: "W12 by SQL") {
      try sides($0, "W12s") { table in
        {
          try table.database.select(
            "SELECT name, score, age FROM Item WHERE xt_isDel = 0", as: String.self, Double.self,
            Int.self)
        }
      }
    },
  ]

  private static func sides(
    _ bench: Bench, _ name: String,
    _ select: (XTTable<Item>) -> () throws -> [(String, Double, Int)]
  ) throws -> Sides {
    let (raw, table) = try bench.pair(name, Item.self, rows: bench.count(100_000))
    let select = select(table)
    return Sides(raw: { checksum(try tuples(raw)) }, xt: { checksum(try select()) })
  }

  private static func tuples(_ raw: RawDatabase) throws -> [(String, Double, Int)] {
    let statement = try raw.statement("SELECT name, score, age FROM Item WHERE xt_isDel = 0")
    var rows: [(String, Double, Int)] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (
          text(try value(statement, 0, SQLITE_TEXT)),
          sqlite3_value_double(try value(statement, 1, SQLITE_FLOAT)),
          Int(sqlite3_value_int64(try value(statement, 2, SQLITE_INTEGER)))
        ))
    }
    sqlite3_reset(statement)
    return rows
  }

  private static func checksum(_ rows: [(String, Double, Int)]) -> Int {
    rows.reduce(rows.count) { $0 &+ $1.0.utf8.count &+ Int($1.1) &+ $1.2 }
  }
}
