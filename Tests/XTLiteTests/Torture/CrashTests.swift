import Foundation
import Testing
import TortureWork

@testable import XTLite

/// A process that is killed while it writes.
@Suite struct CrashTortureTests {
  @Test(arguments: [XTConfiguration.JournalMode.wal, .delete])
  func process_thatIsKilled_losesNoCommit(journal: XTConfiguration.JournalMode) throws {
    var kills = 0
    var reports = 0
    while kills < Torture.part(of: 250) {
      // A new file now and then: making it is interrupted too.
      let folder = try TemporaryFolder()
      var file = CrashedFile(path: folder.path("crashed.sqlite"), journal: journal)
      for round in 0..<25 where kills < Torture.part(of: 250) {
        try file.killAWriter(beside: round % 3 == 0)
        kills += 1
      }
      reports += file.reports
    }
    if Torture.isFull { print("\(journal): \(kills) kills, \(reports) commits reported") }
  }
}

/// The file of the processes that are killed, and what they said of it.
private struct CrashedFile {
  let path: String
  let journal: XTConfiguration.JournalMode
  /// The last batch that was committed: a process said so, or it was found there.
  private var committed = 0
  /// How many batches a process said it had committed.
  private(set) var reports = 0

  init(path: String, journal: XTConfiguration.JournalMode) {
    self.path = path
    self.journal = journal
  }

  /// Lets a process write, kills it, and looks at what it left; where `isBeside` from a connection
  /// that was open meanwhile.
  mutating func killAWriter(beside isBeside: Bool) throws {
    var configuration = XTConfiguration()
    configuration.journalMode = journal
    let neighbour = isBeside ? try XTDatabase(path: path, configuration: configuration) : nil
    let child = try ChildProcess("batches", path, journal.rawValue)
    if Int.random(in: 0..<5) == 0 {
      // While it starts, opens the file and recovers it.
      usleep(.random(in: 0..<100_000))
    } else {
      for _ in 0..<Int.random(in: 0..<12) {
        try note(#require(child.line(), "the writer stopped"))
      }
      usleep(.random(in: 0..<8_000))
    }
    child.kill()
    for line in child.lines() { try note(line) }
    if let neighbour {
      _ = try check { sql in
        try neighbour.reading { try $0.rows(sql) }
      }
      try neighbour.close()
    }
    let other = try Connection(ConnectionSettings(path: path, journalMode: journal.rawValue))
    defer { other.close() }
    // The next process goes on after it, reported or not.
    committed = try check { try other.rows($0) }
  }

  private mutating func note(_ line: String) throws {
    let number = try #require(Int(line), "\(line)")
    #expect(number == committed + 1)
    committed = number
    reports += 1
  }

  /// Every batch that was reported is there, whole; of the one that may have been committed
  /// without a report all or nothing. Returns the last that is there.
  private func check(_ rows: (String) throws -> [[XTValue]]) throws -> Int {
    func integers(_ sql: String) throws -> [[Int]] {
      try rows(sql).map { $0.map { Int($0.description) ?? -1 } }
    }
    #expect(try rows("PRAGMA integrity_check") == [["ok"]])
    let tables = try rows("SELECT name FROM sqlite_master WHERE name LIKE 'Batch%'")
    if tables.count < 3 {
      #expect(committed == 0 && tables == [])
      return 0
    }
    let heads = try integers("SELECT number, parts FROM BatchHead ORDER BY number")
    let last = heads.last?[0] ?? 0
    #expect((committed...committed + 1).contains(last))
    let numbers = last == 0 ? [] : Array(max(last - BatchWriter.kept + 1, 1)...last)
    #expect(heads == numbers.map { [$0, BatchWriter.parts(of: $0)] })
    #expect(
      try integers("SELECT batch, count(*) FROM BatchPart GROUP BY batch ORDER BY batch") == heads)
    var amounts: [String: Int] = [:]
    if last > 0 {
      for number in 1...last {
        for (name, change) in BatchWriter.transfer(of: number) {
          amounts[name, default: 0] += change
        }
      }
    }
    let found = try rows("SELECT name, amount FROM BatchAccount")
    #expect(
      Dictionary(uniqueKeysWithValues: found.map { ($0[0].description, $0[1].description) })
        == amounts.mapValues(\.description))
    return last
  }
}
