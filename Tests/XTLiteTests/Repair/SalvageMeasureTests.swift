import Foundation
import Testing
import TortureWork

@testable import XTLite

/// How much comes back of a file of 200,000 rows in `make torture`, of 20,000 in `make test`.
// Plain files are what it is about, also where every other database of the tests is encrypted.
@Suite(.enabled(if: !TestKey.isSet)) struct SalvageTortureTests {
  @Test func rows_on_sound_pages_come_back_and_none_is_wrong_unreported() throws {
    let file = try SalvageFile(rows: Torture.part(of: 200_000))
    try file.saveHints()
    let log = try file.opened().store.log
    for (index, damage) in Damage.all.enumerated() {
      for hints in [true, false] {
        let name = "case\(index)\(hints)"
        let path = try file.copy(name, hints: hints)
        let damaged = try damage.apply(
          to: path, log: log, pageSize: file.pageSize, seed: UInt64(index) + 11)
        let report = try XTRepair.salvage(path, to: file.folder.path(name + "-new.sqlite"))
        let measure = try SalvageMeasure(report, of: file, damaged: damaged)
        print("\(damage), \(hints ? "with" : "without") hints: \(measure)")
        if ProcessInfo.processInfo.environment["XTLITE_SALVAGE_REPORT"] != nil { print(report) }
        #expect(measure.share >= (hints ? 0.995 : 0.99), "\(damage), hints: \(hints)")
        // A last transaction whose end is lost is left out, and that is told.
        let isTold = report.problems.contains { $0.contains("not whole") }
        #expect(measure.unreportedElsewhere == 0 || isTold, "\(damage), hints: \(hints)")
      }
    }
  }
}
