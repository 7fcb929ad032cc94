import XTLite

extension Workload {
  /// Two threads that both write; none may fail, and none of their rows may be lost.
  static let twoWriters = Workload(
    name: "W11", summary: "2 threads inserting 2,000 each, single inserts"
  ) { bench in
    let (raw, table) = try bench.pair("W11", Item.self, rows: 0)
    let items = (0..<2).map { _ in Item.make(bench.count(2_000)) }
    let threads = try (0..<2).map { _ in try RawThread(path: raw.path) }
    return Sides(
      raw: {
        try onThreads([{ try threads[0].insert(items[0]) }, { try threads[1].insert(items[1]) }])
          &+ threads[0].end(after: 0)
      },
      xt: {
        try onThreads([{ try table.insertEach(items[0]) }, { try table.insertEach(items[1]) }])
          &+ table.end(after: 0)
      },
      setUp: {
        try raw.run("DELETE FROM Item")
        try table.deleteAll()
        try table.database.checkpoint()
      })
  }
}
