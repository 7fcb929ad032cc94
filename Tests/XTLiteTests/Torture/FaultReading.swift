import Foundation
import Testing

@testable import XTLite

/// A program that opens a file that was left by a crash, and reads it from a disk that fails.
final class FaultReading {
  private let fault: Fault
  private let disk: FaultDisk
  private let configuration: XTConfiguration
  private let folder: TemporaryFolder
  private let rows: [FaultCrate]

  private static let names = ["", "-wal"]

  /// Makes the file: rows in the file itself, and in WAL others in the log.
  init(_ fault: Fault, journal: XTConfiguration.JournalMode, disk: FaultDisk) throws {
    self.fault = fault
    self.disk = disk
    var configuration = XTConfiguration()
    configuration.journalMode = journal
    configuration.cacheSize = 16_384
    folder = try TemporaryFolder()
    let path = folder.path("left.sqlite")
    let database = try XTDatabase(path: path, configuration: configuration)
    let crates = database.table(FaultCrate.self)
    let note = String(repeating: "0123456789", count: 40)
    try crates.insertList((0..<60).map { FaultCrate("\($0)", $0, note: note) })
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try crates.insertList((60..<90).map { FaultCrate("\($0)", $0, note: note) })
    try crates.delete(where: \.weight > 80)
    rows = try crates.findAll(orderBy: .asc(\.pkid))
    // A copy from before the end of the program.
    for name in Self.names where FileManager.default.fileExists(atPath: path + name) {
      try FileManager.default.copyItem(atPath: path + name, toPath: folder.path("copy" + name))
    }
    try database.close()
    configuration.vfs = disk.name
    self.configuration = configuration
  }

  /// Reads with the `nth` operation failing; nil lets none fail. Returns how many failed.
  func run(_ nth: Int?) throws -> Int {
    let path = folder.path("\(UUID().uuidString).sqlite")
    for name in Self.names where FileManager.default.fileExists(atPath: folder.path("copy" + name))
    {
      try FileManager.default.copyItem(atPath: folder.path("copy" + name), toPath: path + name)
    }
    nth.map { disk.arm(fault, nth: $0) } ?? disk.count()
    var database: XTDatabase?
    attempt("open") { database = try XTDatabase(path: path, configuration: configuration) }
    if let database { read(database) }
    let hits = disk.hits
    disk.disarm()
    let again = try database ?? XTDatabase(path: path, configuration: configuration)
    database = nil
    #expect(try again.table(FaultCrate.self).findAll(orderBy: .asc(\.pkid)) == rows)
    #expect(try again.anyFunc(sql: "PRAGMA integrity_check") == "ok")
    try again.table(FaultCrate.self).insertList([FaultCrate("new")])
    #expect(try again.table(FaultCrate.self).count() == rows.count + 1)
    try again.close()
    #expect(disk.openFiles == 0)
    for name in Self.names { try? FileManager.default.removeItem(atPath: path + name) }
    return hits
  }

  private func read(_ database: XTDatabase) {
    let crates = database.table(FaultCrate.self)
    attempt("findAll") {
      let all = try crates.findAll(orderBy: .asc(\.pkid))
      #expect(all == rows)
    }
    attempt("find") { () throws in
      for row in rows where row.weight % 10 == 0 {
        #expect(try crates.find(pkid: row.pkid ?? 0) == row)
        #expect(try crates.findFirst(where: \.name == row.name) == row)
      }
    }
    attempt("read block") {
      try database.read { () throws in
        #expect(try crates.count() == rows.count)
        #expect(try crates.find(where: \.weight > 50).count == rows.count { $0.weight > 50 })
      }
    }
    attempt("aggregates") { () throws in
      #expect(try crates.max(of: \.weight) == rows.map(\.weight).max())
      #expect(try crates.sum(of: \.weight) == Int64(rows.map(\.weight).reduce(0, +)))
    }
    attempt("forEach") {
      var seen: [FaultCrate] = []
      try crates.forEach(orderBy: .asc(\.pkid)) { seen.append($0) }
      #expect(seen == rows)
    }
  }

  private func attempt(_ step: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      #expect(disk.hits > 0 && fault.explains(error), "\(step): \(error)")
    }
  }
}
