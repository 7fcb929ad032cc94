import Foundation
import Testing
import TortureWork

@testable import XTLite

/// Files of which nobody knows what has happened to them: 100,000 in `make torture`.
// Plain files are what it is about, also where every other database of the tests is encrypted.
@Suite(.enabled(if: !TestKey.isSet)) struct SalvageFuzzTortureTests {
  /// A small database of each kind, as the bytes of its file and its log.
  private static func patients(in folder: TemporaryFolder) throws -> [(file: [UInt8], log: [UInt8])]
  {
    let content = """
      CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT NOT NULL, r REAL, b BLOB);
      CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; CREATE INDEX i ON a (t, r);
      CREATE VIEW v AS SELECT t FROM a;
      WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 40)
        INSERT INTO a (t, r, b) SELECT 'text ' || i, i / 3.0, zeroblob(i * i % 900) FROM c;
      WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 30)
        INSERT INTO w SELECT 'key ' || i, i FROM c;
      DELETE FROM a WHERE id BETWEEN 10 AND 22;
      """
    let kinds = [
      "PRAGMA page_size = 512;", "PRAGMA page_size = 1024; PRAGMA encoding = 'UTF-16le';",
      "PRAGMA page_size = 512; PRAGMA auto_vacuum = FULL;",
      "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;",
    ]
    return try kinds.enumerated().map { index, kind in
      let path = folder.path("\(index).sqlite")
      var settings = ConnectionSettings(path: path)
      settings.journalMode = "delete"
      settings.synchronous = "off"
      let connection = try Connection(settings)
      defer { connection.close() }
      try connection.executeScript("PRAGMA secure_delete = OFF;" + kind + content)
      let log = FileManager.default.contents(atPath: path + "-wal")
      return (Array(try Data(contentsOf: URL(fileURLWithPath: path))), log.map { Array($0) } ?? [])
    }
  }

  private static func mutate(
    _ bytes: [UInt8], others: [UInt8], _ numbers: inout SeededNumbers
  ) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return bytes }
    func below(_ limit: Int) -> Int { Int(numbers.next() % UInt64(max(limit, 1))) }
    for _ in 0...below(6) {
      guard !bytes.isEmpty else { break }
      let place = below(bytes.count)
      switch below(10) {
      case 0: bytes[place] ^= UInt8(1) << UInt8(below(8))
      case 1: bytes[place] = UInt8(below(256))
      case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80][below(4)]
      case 3:
        // A page's header, or the pointers behind it.
        let field = place / 512 * 512 + below(24)
        if field < bytes.count { bytes[field] = UInt8(below(256)) }
      case 4:
        // A number of a page where one may stand.
        let field = place / 512 * 512 + [0, 4, 8, 28, 32, 36, 52, 56, 508][below(9)]
        if field + 4 <= bytes.count {
          for offset in 0..<3 { bytes[field + offset] = 0 }
          bytes[field + 3] = UInt8(below(40))
        }
      case 5:
        let end = min(place + below(600), bytes.count)
        for position in place..<end { bytes[position] = [0, 0xFF][below(2)] }
      case 6:
        // One page over another.
        let (from, to) = (place / 512 * 512, below(bytes.count) / 512 * 512)
        for offset in 0..<512 where max(from, to) + offset < bytes.count {
          bytes[to + offset] = bytes[from + offset]
        }
      case 7: if below(4) == 0 { bytes.removeLast(min(below(2_000), bytes.count - 1)) }
      case 8: bytes += others.dropFirst(below(others.count)).prefix(below(2_000))
      default:
        // Long numbers.
        for offset in 0..<(1 + below(9)) where place + offset < bytes.count {
          bytes[place + offset] = 0xFF
        }
      }
    }
    return bytes
  }

  /// Salvages bytes into a database in memory.
  private static func salvage(_ file: [UInt8], _ log: [UInt8]) throws -> XTSalvageReport? {
    do {
      let damaged = try PagedFile(
        BytesFile(file), log: log.isEmpty ? nil : BytesFile(log),
        knowing: PagedFile.Knowledge(), path: "mutated"
      ) {}
      let writer = try SalvageWriter(ConnectionSettings(), like: damaged, keepsPageSize: true)
      defer { writer.close() }
      return try Salvage(
        damaged, writer: writer, hints: nil, options: XTSalvageOptions(),
        progress: SalvageProgress(nil), report: XTSalvageReport(path: "", newPath: "")
      ).run()
    } catch let error as XTError where error.kind == .notADatabase {
      return nil
    }
  }

  /// What the process has in memory; nil where the system does not say.
  private static func residentBytes() -> Int? {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * 4096 }
  }

  @Test func mutated_files_neither_trap_nor_hang_nor_grow() throws {
    let patients = try Self.patients(in: TemporaryFolder())
    let environment = ProcessInfo.processInfo.environment
    let first = environment["XTLITE_FUZZ_FROM"].flatMap(Int.init) ?? 0
    let count = Torture.isFull ? 100_000 : 2_000
    var (rows, none, slowest) = (0, 0, 0.0)
    var memory: Int?
    for index in first..<(first + count) {
      var numbers = SeededNumbers(UInt64(index) + 1)
      let patient = patients[index % patients.count]
      // What the first thousand files took is there for all others.
      if index == first + 1_000 { memory = Self.residentBytes() }
      let others = patients[(index + 1) % patients.count].file
      let start = Date()
      // Each is tried with its log and without.
      let file = Self.mutate(patient.file, others: others, &numbers)
      let log = Self.mutate(patient.log, others: others, &numbers)
      guard let report = try Self.salvage(file, log) else {
        none += 1
        continue
      }
      rows += report.rows
      #expect(report.score >= 0 && report.score <= 1, "file \(index)")
      #expect(!report.description.isEmpty)
      // Far from what any takes: a file of 20 pages has no more rows than that.
      #expect(report.rows < 2_000, "file \(index)")
      slowest = max(slowest, Date().timeIntervalSince(start))
    }
    if Torture.isFull, let before = memory, let after = Self.residentBytes() {
      #expect(after - before < 100 << 20, "\(after - before) bytes more")
    }
    #expect(slowest < 60, "a file of a few pages took \(slowest) s")
    // Most of what is not hit comes back: the test is none of refusals.
    #expect(rows > count * 20, "\(rows) rows of \(count) files, \(none) without any page")
  }
}
