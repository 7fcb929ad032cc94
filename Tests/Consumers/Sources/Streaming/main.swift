// Memory while rows are read: a loop over rows keeps none of them.
import Foundation
import XTLite

struct Row: XTModel {
  var pkid: Int64?
  var name = ""
  var note = ""
  var data = Data()
}

/// The most memory that the process ever had, in bytes.
func peak() -> Int {
  var usage = rusage()
  #if os(Linux)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) * 1024
  #else
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
  #endif
}

let folder = FileManager.default.temporaryDirectory.path + "/xtlite-consumer-\(UUID().uuidString)"
defer { try? FileManager.default.removeItem(atPath: folder) }
let database = try XTDatabase(path: folder + "/rows.sqlite")
let rows = database.table(Row.self)
let count = 300_000
// Made by SQLite, so that the peak before the loop is a small one.
try rows.create()
try database.execute(
  """
  WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))
  INSERT INTO Row (name, note, data) SELECT 'row ' || x, printf('%100d', x), zeroblob(32) FROM n
  """)

// Once, so that pages and statements are there.
try rows.forEach(limit: 20_000) { _ in }
let before = peak()
var seen = 0
try rows.forEach { row in
  seen += 1
  if seen % 50_000 == 0 {
    check(try rows.find(pkid: row.pkid ?? 0)?.name == row.name, "a find inside the loop")
  }
}
check(seen == count, "\(seen) rows")
_ = try rows.count(where: \.note != "y")
let growth = (peak() - before) / 1024
check(growth < 5 * 1024, "forEach over \(count) rows took \(growth) KiB")
print("streaming: \(count) rows in \(growth) KiB")
