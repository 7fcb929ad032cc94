import Foundation
import Testing

@testable import XTLite

/// What a program does with a database whose disk fails at some point, beside a model of what must
/// be in the file.
final class FaultScenario {
  let fault: Fault
  let disk: FaultDisk
  let path: String
  let configuration: XTConfiguration
  /// What was committed: a row's name, and the rest of it.
  private(set) var committed: [String: String] = [:]
  private var database: XTDatabase?
  /// What would be in the file had the last failed step been committed.
  private var doubtful: [String: String] = [:]

  init(_ fault: Fault, journal: XTConfiguration.JournalMode, disk: FaultDisk, path: String) {
    self.fault = fault
    self.disk = disk
    self.path = path
    var configuration = XTConfiguration()
    configuration.vfs = disk.name
    configuration.journalMode = journal
    configuration.synchronous = .full
    configuration.busyTimeout = 0.004
    // Small enough that a transaction writes pages before it ends.
    configuration.cacheSize = 16_384
    self.configuration = configuration
  }

  // MARK: Steps

  /// Runs everything once. A step that throws has done nothing, and the next goes on.
  func run() async throws {
    try await write()
    try readAfterOpeningAgain()
  }

  private func write() async throws {
    try open()
    guard let database else { return }
    try await writeRows(database)
    try await useEngine(database)
  }

  private func writeRows(_ database: XTDatabase) async throws {
    let crates = database.table(FaultCrate.self)

    try attempt("insert") {
      var crate = FaultCrate("first", 1)
      try crates.insert(&crate)
      try #require(crate.pkid == 1)
    } then: {
      $0["first"] = "1"
    }

    try attempt("list") {
      var list = (0..<20).map { FaultCrate("list \($0)", $0, note: Self.longText) }
      try database.transaction {
        try crates.insertList(&list)
      }
    } then: { rows in
      for index in 0..<20 { rows["list \(index)"] = "\(index)" }
    }

    try attempt("objects") {
      let objects = (0..<3).map { FaultBarrel("barrel \($0)") }
      do {
        try database.table(FaultBarrel.self).insertList(objects)
        try #require(objects.allSatisfy { $0.pkid != nil })
      } catch {
        #expect(objects.allSatisfy { $0.pkid == nil }, "an object keeps what was undone")
        throw error
      }
    } then: { rows in
      for index in 0..<3 { rows["barrel \(index)"] = "" }
    }

    try attempt("update") {
      guard var crate = try crates.findFirst(where: \.name == "first") else { return }
      crate.weight = 2
      try crates.update(crate)
    } then: {
      $0["first"] = $0["first"].map { _ in "2" }
    }

    try attempt("upsert") {
      var crate = FaultCrate("upserted", 3)
      try crates.upsert(&crate, by: \.name)
    } then: {
      $0["upserted"] = "3"
    }
    try attempt("upsert again") {
      var crate = FaultCrate("upserted", 4)
      try crates.upsert(&crate, by: \.name)
    } then: {
      $0["upserted"] = "4"
    }

    try attempt("new column") {
      var crate = LabelledFaultCrate(name: "labelled", weight: 5, label: "fragile")
      try database.table(LabelledFaultCrate.self, named: "FaultCrate").insert(&crate)
    } then: {
      $0["labelled"] = "5"
    }

    try attempt("transaction") {
      try database.transaction {
        var crate = FaultCrate("inner", 6)
        try crates.insert(&crate)
        do {
          try database.savepoint {
            try crates.updateAll(.add(\.weight, 100))
            throw Undone()
          }
        } catch is Undone {}
        try crates.update(where: (\FaultCrate.name).startsWith("list"), .add(\.weight, 1000))
      }
    } then: { rows in
      rows["inner"] = "6"
      for (name, weight) in rows where name.hasPrefix("list") {
        rows[name] = "\((Int(weight) ?? 0) + 1000)"
      }
    }

    try attempt("undone") {
      try database.transaction {
        try crates.insertList((0..<20).map { FaultCrate("undone \($0)", note: Self.longText) })
        try crates.deleteAll()
        throw Undone()
      }
    }

    try await attemptAsync("async transaction") {
      try await database.transaction {
        try crates.update(where: \.name == "list 2", .set(\.weight, to: 8))
        try crates.insertList([FaultCrate("async", 8)])
      }
    } then: {
      $0["async"] = "8"
      $0["list 2"] = $0["list 2"].map { _ in "8" }
    }

    try attempt("read") {
      let (all, count) = try database.read {
        (try crates.findAll(), try crates.count())
      }
      try #require(all.count == count)
      try expectCommitted(all)
    }

    try attempt("delete") {
      try crates.delete(where: \.name == "list 3")
    } then: {
      $0["list 3"] = nil
    }

    try attempt("delete many") {
      try crates.delete(where: (\FaultCrate.name).startsWith("list 1"))
    } then: { rows in
      rows = rows.filter { !$0.key.hasPrefix("list 1") }
    }

    try attempt("checkpoint") {
      _ = try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    try attempt("vacuum") {
      _ = try database.execute("VACUUM")
    }

    try attempt("insert at the end") {
      try crates.insertList([FaultCrate("at the end", 9)])
    } then: {
      $0["at the end"] = "9"
    }
  }

  private func open() throws {
    try attempt("open") {
      database = try XTDatabase(path: path, configuration: configuration)
    }
  }

  /// Ends the only use of the file, where SQLite tidies up, and begins another.
  private func readAfterOpeningAgain() throws {
    try attempt("close") { try database?.close() }
    database = nil
    try settleDoubt()
    try open()
    guard let crates = database?.table(FaultCrate.self) else { return }
    try attempt("read again") {
      var seen: [FaultCrate] = []
      try crates.forEach { seen.append($0) }
      try expectCommitted(seen)
    }
  }

  static let longText = String(repeating: "0123456789", count: 40)

  /// Runs one step. Where it throws, the error must be the disk's, and nothing is committed.
  func attempt(
    _ step: String, _ body: () throws -> Void,
    then effect: (inout [String: String]) -> Void = { _ in }
  ) throws {
    let before = disk.hits
    try end(step, Result(catching: body), failuresBefore: before, effect)
  }

  func attemptAsync(
    _ step: String, _ body: () async throws -> Void,
    then effect: (inout [String: String]) -> Void = { _ in }
  ) async throws {
    let before = disk.hits
    let result: Result<Void, any Error>
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    try end(step, result, failuresBefore: before, effect)
  }

  private func end(
    _ step: String, _ result: Result<Void, any Error>, failuresBefore before: Int,
    _ effect: (inout [String: String]) -> Void
  ) throws {
    switch result {
    case .success:
      effect(&committed)
    case .failure(let error):
      check(error, in: step, failuresBefore: before)
      doubtful = committed
      effect(&doubtful)
    }
    if disk.hits > before, !fault.isLasting { try expectFile("after \(step)") }
  }

  private func check(_ error: any Error, in step: String, failuresBefore: Int) {
    if error is Undone { return }
    #expect(fault.explains(error), "\(step): \(error)")
    #expect(
      disk.hits > (fault.isLasting ? 0 : failuresBefore),
      "\(step) throws, and the disk is well: \(error)")
  }

  /// A commit to the log whose last sync failed is undone for all who have the file open. Where it
  /// is closed before anything else could be written, the next to open it finds the whole
  /// transaction there, and SQLite takes it for committed.
  private func settleDoubt() throws {
    guard fault.operation == .sync, configuration.journalMode == .wal else { return }
    if try rowsInFile() == doubtful { committed = doubtful }
  }

  func expectCommitted(_ crates: [FaultCrate]) throws {
    let seen = Dictionary(crates.map { ($0.name, "\($0.weight)") }) { "\($0) and \($1)" }
    try #require(seen == committed.filter { !$0.key.hasPrefix("barrel") })
  }

  // MARK: Afterwards

  /// Looks at the file, and sees that the database can be used, now that the disk is well again.
  func check() throws {
    try expectFile("after the fault")
    let database = try database ?? XTDatabase(path: path, configuration: configuration)
    self.database = nil
    let crates = database.table(FaultCrate.self)
    try expectCommitted(crates.findAll())
    var crate = LabelledFaultCrate(name: "last", weight: 7, label: "new")
    try database.table(LabelledFaultCrate.self, named: "FaultCrate").insert(&crate)
    committed["last"] = "7"
    try database.transaction {
      try crates.updateAll(.add(\.weight, 1))
      try crates.delete(where: \.name == "first")
    }
    committed["first"] = nil
    committed = committed.mapValues { weight in Int(weight).map { "\($0 + 1)" } ?? weight }
    try database.table(FaultBarrel.self).insert(FaultBarrel("barrel at last"))
    committed["barrel at last"] = ""
    try database.upgrade(FaultCask.self, add: [\FaultCask.size], version: 2)
    #expect(try database.table(FaultCask.self).findAll().allSatisfy { $0.size == 3 })
    try expectCommitted(crates.findAll())
    try expectFile("after new writing")
    try database.close()
    #expect(disk.openFiles == 0)
    try expectFile("after closing")
  }

  /// What another program finds in the file.
  private func expectFile(_ moment: String) throws {
    let integrity = try withOtherProgram { other in
      try other.rows("PRAGMA integrity_check").map { $0.map(\.description) }
    }
    #expect(integrity == [["ok"]], "\(moment)")
    #expect(try rowsInFile() == committed, "\(moment)")
  }

  private func rowsInFile() throws -> [String: String] {
    try withOtherProgram { other in
      var pairs: [(String, String)] = []
      for (table, value) in [("FaultCrate", "weight"), ("FaultBarrel", "''")] {
        let isThere = "SELECT 1 FROM sqlite_master WHERE name = '\(table)'"
        guard try other.firstValue(isThere) != nil else { continue }
        let rows = try other.rows("SELECT name, \(value) FROM \(table)")
        pairs += rows.map { ($0[0].description, $0[1].description) }
      }
      return Dictionary(pairs) { "\($0) and \($1)" }
    }
  }

  private func withOtherProgram<T>(_ body: (Connection) throws -> T) throws -> T {
    var settings = ConnectionSettings(path: path)
    settings.journalMode = configuration.journalMode.rawValue
    settings.synchronous = "off"
    let other = try Connection(settings)
    defer { other.close() }
    return try body(other)
  }
}

struct Undone: Error {}
