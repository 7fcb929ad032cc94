import XTLite

extension Workload {
  /// Two threads that read while a third one writes; the time until the last of them is done, and
  /// what they wrote is in the file.
  static let readersBesideWriter = Workload(
    name: "W9", summary: "2 threads of 5,000 finds each beside 1 thread of 2,000 single inserts"
  ) { bench in
    let rows = bench.count(100_000)
    let (raw, table) = try bench.pair("W9", Item.self, rows: rows)
    let finds = bench.count(5_000)
    let pkids = (0..<2).map { thread in
      (0..<finds).map { Int64((($0 &* 2 &+ thread) &* 7_919) % rows) + 1 }
    }
    let items = Item.make(bench.count(2_000))
    let threads = try (0..<3).map { _ in try RawThread(path: raw.path) }
    return Sides(
      raw: {
        try onThreads([
          { try threads[0].find(Item.self, pkids[0]) },
          { try threads[1].find(Item.self, pkids[1]) },
          { try threads[2].insert(items) },
        ]) &+ threads[2].end(after: rows)
      },
      xt: {
        try onThreads([
          { try table.find(pkids[0]) }, { try table.find(pkids[1]) },
          { try table.insertEach(items) },
        ]) &+ table.end(after: rows)
      },
      setUp: {
        try raw.run("DELETE FROM Item WHERE pkid > \(rows)")
        try table.delete(where: "pkid > \(rows)", scope: .all)
        try table.database.checkpoint()
      })
  }
}
