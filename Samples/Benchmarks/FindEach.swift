import XTLite

extension Workload {
  /// Finds that no block encloses: what a read costs by itself.
  static let findEach = Workload(
    name: "W4b", summary: "20,000 finds by pkid, each its own access"
  ) { bench in
    let rows = bench.count(100_000)
    let (raw, table) = try bench.pair("W4b", Item.self, rows: rows)
    let pkids = (0..<bench.count(20_000)).map { Int64(($0 &* 7_919) % rows) + 1 }
    let thread = try RawThread(path: raw.path)
    return Sides(
      raw: { try thread.find(Item.self, pkids) },
      xt: { try table.find(pkids) })
  }
}
