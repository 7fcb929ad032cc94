import Foundation
import Testing
import TortureWork

@testable import XTLite

private struct SalvagedPerson: XTModel, Equatable {
  var pkid: Int64?
  var name = ""
  var age = 0
  var nick: String?
}

private struct SalvagedOrder: XTModel {
  var pkid: Int64?
  var number = 0
  var price = 0.0
  var items: [String] = []
}

// Plain files are what it is about, also where every other database of the tests is encrypted.
@Suite(.enabled(if: !TestKey.isSet)) struct SalvageSourcesTests {
  @Test func models_make_the_tables_that_a_lost_schema_had() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("models.sqlite")
    let database = try XTDatabase(path: path)
    try database.asCurrent {
      try SalvagedPerson.xt_insertList(
        (1...500).map {
          SalvagedPerson(name: "Person \($0)", age: $0 % 90, nick: $0 % 2 == 0 ? "n" : nil)
        })
      try SalvagedOrder.xt_insertList(
        (1...500).map { SalvagedOrder(number: $0, price: Double($0) / 4, items: ["a", "b"]) })
    }
    try database.close()
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for position in 0..<4096 { bytes[position] = 0xFF }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    var options = XTSalvageOptions()
    options.models = [SalvagedPerson.self, SalvagedOrder.self]
    let report = try XTRepair.salvage(path, to: folder.path("saved.sqlite"), options: options)
    let saved = try XTDatabase(path: folder.path("saved.sqlite"))
    let people = try saved.table(SalvagedPerson.self).findAll(orderBy: .asc(\.pkid))
    #expect(people.count == 500, "\(report)")
    #expect(people.last == SalvagedPerson(pkid: 500, name: "Person 500", age: 50, nick: "n"))
    #expect(try saved.table(SalvagedOrder.self).sum(of: \.price) == 31_312.5)
    #expect(try saved.checkIntegrity() == [])
  }

  @Test func backup_gives_the_schema_that_the_file_has_lost() throws {
    let patient = try RepairPatient(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b REAL);
      CREATE TABLE u (x BLOB, y INTEGER NOT NULL);
      """)
    let backup = patient.folder.path("backup.sqlite")
    try FileManager.default.copyItem(atPath: patient.path, toPath: backup)
    let connection = try Connection(ConnectionSettings(path: patient.path))
    try connection.executeScript(
      """
      \(salvageSeries) INSERT INTO t SELECT i, 'text ' || i, i * 0.5 FROM c;
      \(salvageSeries) INSERT INTO u SELECT zeroblob(i % 50), i FROM c;
      PRAGMA journal_mode = DELETE;
      """)
    connection.close()
    try patient.damage { for position in 0..<4096 { $0[position] = 0 } }
    let report = try patient.salvage { $0.backup = backup }
    #expect(report.tables.map(\.name) == ["t", "u"])
    #expect(report.rows == 6_000, "\(report)")
    #expect(try patient.saved("SELECT count(*) FROM t WHERE a = 'text ' || id") == ["3000"])
    #expect(try patient.saved("SELECT sum(y) FROM u") == ["4501500"])
    // One that is of no help is no reason to save nothing.
    var options = XTSalvageOptions()
    options.backup = patient.folder.path("nowhere.sqlite")
    let without = try XTRepair.salvage(
      patient.path, to: patient.folder.path("without.sqlite"), options: options)
    #expect(without.rows == 6_000 && without.problems.contains { $0.contains("backup") })
  }

  @Test func log_is_read_and_the_damaged_file_stays_as_it_is() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("work.sqlite")
    let connection = try Connection(ConnectionSettings(path: path))
    try connection.executeScript(
      """
      PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);
      PRAGMA wal_checkpoint; UPDATE t SET a = 3 WHERE a = 2; INSERT INTO t VALUES (4); BEGIN;
      """)
    let copy = folder.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
    connection.close()
    let before = [copy, copy + "-wal"].map { FileManager.default.contents(atPath: $0) }
    let newPath = folder.path("saved.sqlite")
    let report = try XTRepair.salvage(copy, to: newPath)
    #expect(report.rows == 3)
    #expect([copy, copy + "-wal"].map { FileManager.default.contents(atPath: $0) } == before)
    #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
    let saved = try Connection(ConnectionSettings(path: newPath))
    defer { saved.close() }
    #expect(try saved.rows("SELECT a FROM t").map { $0[0] } == [1, 3, 4])
  }

  @Test func transaction_that_did_not_end_is_rolled_back_by_its_journal() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("work.sqlite")
    var settings = ConnectionSettings(path: path)
    settings.journalMode = "delete"
    settings.cacheSize = 10
    let connection = try Connection(settings)
    try connection.executeScript(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      \(salvageSeries) INSERT INTO t SELECT i, 'before ' || i FROM c;
      BEGIN; UPDATE t SET a = 'after the last commit ' || id;
      INSERT INTO t SELECT id + 10000, a FROM t;
      """)
    // The cache is small: much of it is in the file already, and its journal synced.
    let copy = folder.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try FileManager.default.copyItem(atPath: path + "-journal", toPath: copy + "-journal")
    connection.close()
    let file = try #require(FileManager.default.contents(atPath: copy))
    #expect(file.range(of: Data("after the last commit".utf8)) != nil)
    let report = try XTRepair.salvage(copy, to: folder.path("saved.sqlite"))
    #expect(report.rows == 3_000 && report.score == 1, "\(report)")
    let saved = try Connection(ConnectionSettings(path: report.newPath))
    defer { saved.close() }
    #expect(
      try saved.firstValue("SELECT count(*) FROM t WHERE a = 'before ' || id") == 3_000)
  }

  @Test func refusals_say_why_and_leave_nothing_behind() throws {
    let patient = try RepairPatient("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    func kind(_ path: String, _ newPath: String, progress: Progress? = nil) -> XTError.Kind? {
      do {
        try XTRepair.salvage(path, to: newPath, progress: progress)
        return nil
      } catch {
        return (error as? XTError)?.kind
      }
    }
    let newPath = patient.newPath
    #expect(kind(patient.folder.path("none"), newPath) == .open)
    #expect(kind(patient.folder.path, newPath) == .open)
    #expect(kind("/dev/zero", newPath) == .open)
    #expect(kind(patient.path, patient.path) == .open)
    let text = patient.folder.path("text")
    try Data("no database at all".utf8).write(to: URL(fileURLWithPath: text))
    #expect(kind(text, newPath) == .notADatabase)
    try Data().write(to: URL(fileURLWithPath: text))
    #expect(kind(text, newPath) == .notADatabase)
    let database = try XTDatabase(path: patient.path)
    #expect(kind(patient.path, newPath) == .locked)
    try database.close()
    let progress = Progress(totalUnitCount: 1)
    progress.cancel()
    #expect(kind(patient.path, newPath, progress: progress) == .interrupted)
    #expect(!FileManager.default.fileExists(atPath: newPath))
    let counted = Progress(totalUnitCount: 1)
    #expect(kind(patient.path, newPath, progress: counted) == nil)
    #expect(counted.completedUnitCount == counted.totalUnitCount && counted.totalUnitCount == 4)
  }

  @Test func async_form_ends_with_its_task() async throws {
    let patient = try RepairPatient("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    let (path, newPath) = (patient.path, patient.newPath)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await XTRepair.salvage(path, to: newPath)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(!FileManager.default.fileExists(atPath: newPath))
    #expect(try await XTRepair.salvage(path, to: newPath).rows == 1)
  }
}
