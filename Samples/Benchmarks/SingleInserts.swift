import XTLite

extension Workload {
  /// What a transaction costs that has one row in it.
  static let insertEach = Workload(
    name: "W2", summary: "1,000 inserts, each its own transaction"
  ) { bench in
    let (raw, table) = try bench.pair("W2", Item.self, rows: 0)
    let items = Item.make(bench.count(1_000))
    let thread = try RawThread(path: raw.path)
    return Sides(
      raw: { try thread.insert(items) &+ thread.end(after: 0) },
      xt: { try table.insertEach(items) &+ table.end(after: 0) },
      setUp: {
        try raw.run("DELETE FROM Item")
        try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
        try table.deleteAll()
        try table.database.checkpoint(.truncate)
      })
  }
}
