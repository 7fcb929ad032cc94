import XTLite

extension Workload {
  /// Most of the time is SQLite's own here.
  static let scan = Workload(
    name: "W5", summary: "age < x without an index, about 10 % of 100,000 rows, 20 times"
  ) { bench in
    let (raw, table) = try bench.pair("W5", Item.self, rows: bench.count(100_000))
    return Sides(
      raw: {
        let statement = try raw.statement(SQL.all(Item.self) + " AND age < ?")
        var sum = 0
        for limit in 1...20 {
          var items: [Item] = []
          sqlite3_bind_int64(statement, 1, Int64(limit))
          while sqlite3_step(statement) == SQLITE_ROW {
            items.append(try Item(row: statement))
          }
          sqlite3_reset(statement)
          sum &+= Item.checksum(items)
        }
        return sum
      },
      xt: {
        var sum = 0
        for limit in 1...20 { sum &+= Item.checksum(try table.find(where: \.age < limit)) }
        return sum
      })
  }

  static let aggregates = Workload(
    name: "W7", summary: "count, max, sum over 100,000 rows, 200 in all"
  ) { bench in
    let (raw, table) = try bench.pair("W7", Item.self, rows: bench.count(100_000))
    let rest = "FROM Item WHERE xt_isDel = 0"
    return Sides(
      raw: {
        var sum = 0
        for index in 0..<200 {
          switch index % 3 {
          case 0: sum &+= try raw.number("SELECT count(*) \(rest)")
          case 1: sum &+= try raw.number("SELECT max(age) \(rest)")
          default: sum &+= try raw.number("SELECT sum(createTime) \(rest)")
          }
        }
        return sum
      },
      xt: {
        var sum = 0
        for index in 0..<200 {
          switch index % 3 {
          case 0: sum &+= try table.count()
          case 1: sum &+= try table.max(of: \.age) ?? 0
          default: sum &+= Int(try table.sum(of: \.createTime) ?? 0)
          }
        }
        return sum
      })
  }
}
