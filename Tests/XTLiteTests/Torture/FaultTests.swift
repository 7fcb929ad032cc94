import Foundation
import Testing

@testable import XTLite

/// A disk that fails: at every operation of every kind, once and for good.
@Suite struct FaultTortureTests {
  @Test(arguments: Fault.all, [XTConfiguration.JournalMode.wal, .delete])
  func disk_thatFails_losesNothing(
    fault: Fault, journal: XTConfiguration.JournalMode
  ) async throws {
    let disk = try FaultDisk()
    try await forEachNumber(of: fault, on: disk, "\(fault.testDescription), \(journal)") { nth in
      let folder = try TemporaryFolder()
      let scenario = FaultScenario(
        fault, journal: journal, disk: disk, path: folder.path("faulty.sqlite"))
      nth.map { disk.arm(fault, nth: $0) } ?? disk.count()
      try await scenario.run()
      let hits = disk.hits
      disk.disarm()
      try scenario.check()
      return hits
    }
  }

  /// What SQLite writes after it took a short read at its word is its own affair (a rollback that
  /// finds its journal empty has nothing to undo), so these faults meet a program that only reads.
  @Test(arguments: Fault.shortReads, [XTConfiguration.JournalMode.wal, .delete])
  func disk_thatReadsShort_givesNoWrongRows(
    fault: Fault, journal: XTConfiguration.JournalMode
  ) async throws {
    let disk = try FaultDisk()
    let scenario = try FaultReading(fault, journal: journal, disk: disk)
    try await forEachNumber(of: fault, on: disk, "\(fault.testDescription), \(journal)") { nth in
      try scenario.run(nth)
    }
  }

  /// Calls `run` with the number of the operation that is to fail until no operation has that
  /// number; first with nil, for a disk that only counts. `run` returns how many failed.
  private func forEachNumber(
    of fault: Fault, on disk: FaultDisk, _ name: String, _ run: (Int?) async throws -> Int
  ) async throws {
    _ = try await run(nil)
    let count = disk.count(of: fault.operation)
    let step = Torture.isFull || count < 10 ? 1 : 10
    // Not always the same ones of ten, for they would often belong to the same call.
    var nth = step == 1 ? 1 : 1 + Int(fault.code) % 7
    var runs = 0
    while try await run(nth) > 0 {
      nth += step
      runs += 1
    }
    #expect(runs > 0 || count == 0)
    if Torture.isFull { print("\(name): \(runs) runs") }
  }
}
