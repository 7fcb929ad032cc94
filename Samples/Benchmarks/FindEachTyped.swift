import XTLite

extension Workload {
  /// The finds of W4b by a query of the typed language that is kept, with a parameter.
  static let findEachTyped = Workload(
    name: "W4q", summary: "W4b by a typed query with a parameter"
  ) { bench in
    let rows = bench.count(100_000)
    let (raw, table) = try bench.pair("W4q", Item.self, rows: rows)
    let pkids = (0..<bench.count(20_000)).map { Int64(($0 &* 7_919) % rows) + 1 }
    let thread = try RawThread(path: raw.path)
    let pkid = XTParameter<Int64?>("pkid")
    let query = table.query().where(Item.xt.pkid == pkid)
    return Sides(
      raw: { try thread.find(Item.self, pkids) },
      xt: {
        var sum = 0
        for number in pkids { sum &+= try query.with(pkid, number).first()?.checksum ?? 0 }
        return sum
      })
  }
}
