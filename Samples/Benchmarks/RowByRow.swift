import XTLite

extension Workload {
  /// A loop that keeps no row: its memory must not grow with the table.
  static let rowByRow = Workload(
    name: "each", summary: "a loop over 100,000 models that keeps none"
  ) { bench in
    let (raw, table) = try bench.pair("each", Item.self, rows: bench.count(100_000))
    return Sides(
      raw: {
        let statement = try raw.statement(SQL.all(Item.self) + " AND age >= ?")
        var sum = 0
        sqlite3_bind_int64(statement, 1, 0)
        while sqlite3_step(statement) == SQLITE_ROW {
          sum &+= try Item(row: statement).checksum
        }
        sqlite3_reset(statement)
        return sum
      },
      xt: {
        var sum = 0
        try table.forEach(where: \.age >= 0) { sum &+= $0.checksum }
        return sum
      })
  }
}
