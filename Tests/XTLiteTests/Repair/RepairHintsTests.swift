import Foundation
import Testing
import TortureWork

@testable import XTLite

private struct HintedNote: XTModel {
  var pkid: Int64?
  var text = ""
}

// Plain files are what it is about, also where every other database of the tests is encrypted.
@Suite(.enabled(if: !TestKey.isSet)) struct RepairHintsTests {
  private func read(_ file: TestDatabase) -> RepairHints? {
    RepairHints.read(RepairHints.path(of: file.path), key: file.database.configuration.key)
  }

  @Test func hints_hold_the_schema_and_whose_pages_are_whose_and_no_row() throws {
    let file = try TestDatabase()
    try file.database.execute(
      """
      CREATE TABLE a (t TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY, t TEXT);
      WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 5000)
        INSERT INTO a SELECT 'secret ' || i FROM c;
      WITH RECURSIVE c (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 5000)
        INSERT INTO b SELECT i, 'secret ' || i FROM c;
      CREATE INDEX i ON a (t);
      """)
    try file.database.saveRepairHints()
    let hints = try #require(read(file))
    #expect(hints.schema.map(\.name) == ["a", "b", "i"])
    #expect(hints.pageSize == 4096 && hints.reserved == 0 && hints.encoding == .utf8)
    let roots = try file.seen("SELECT rootpage FROM sqlite_master ORDER BY name").compactMap(
      Int.init)
    #expect(hints.table(ofPage: roots[0]) == "a" && hints.table(ofPage: roots[1]) == "b")
    #expect(hints.table(ofPage: 1) == nil && hints.table(ofPage: 1_000_000) == nil)
    // As few entries as there are places where tables meet.
    #expect(hints.runs.count < 10)
    let path = RepairHints.path(of: file.path)
    let bytes = try #require(FileManager.default.contents(atPath: path))
    #expect(bytes.range(of: Data("secret".utf8)) == nil)
    for rest in ["-new", "-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: path + rest))
    }
  }

  @Test func hints_follow_the_schema_once_they_were_asked_for() throws {
    let file = try TestDatabase()
    let keeper = { () -> RepairHintsKeeper in
      file.database.attachment(
        for: AttachmentKey(type: ObjectIdentifier(RepairHintsKeeper.self), name: nil)
      ) { RepairHintsKeeper() }
    }
    try file.database.execute("CREATE TABLE a (t TEXT); INSERT INTO a VALUES ('x')")
    keeper().waitUntilIdle()
    #expect(read(file) == nil)
    try file.database.saveRepairHints()
    try file.database.table(HintedNote.self).insertList([HintedNote(text: "x")])
    keeper().waitUntilIdle()
    #expect(read(file)?.schema.contains { $0.name == "HintedNote" } == true)
    try file.database.execute("ALTER TABLE a RENAME TO z")
    keeper().waitUntilIdle()
    let root = Int(try file.seen("SELECT rootpage FROM sqlite_master WHERE name = 'z'")[0]) ?? 0
    #expect(read(file)?.table(ofPage: root) == "z")
    // A change that is undone is none.
    try? file.database.transaction {
      try file.database.execute("DROP TABLE z")
      throw XTError(.interrupted, "test")
    }
    keeper().waitUntilIdle()
    #expect(read(file)?.schema.contains { $0.name == "z" } == true)
    // Hints that somebody has removed are not made again.
    try FileManager.default.removeItem(atPath: RepairHints.path(of: file.path))
    try file.database.execute("CREATE TABLE more (a)")
    keeper().waitUntilIdle()
    #expect(read(file) == nil)
  }

  @Test func hints_go_where_the_file_goes_and_with_it() throws {
    let folder = try TemporaryFolder()
    let file = try TestDatabase()
    try file.table(HintedNote.self).insertList([HintedNote(text: "x")])
    try file.database.saveRepairHints()
    let first = RepairHints.path(of: file.path)
    // It is what the files are known by that are moved.
    #expect(DatabaseFile.additions(to: file.path) == [first])
    let place = folder.path("moved.sqlite")
    let second = RepairHints.path(of: place)
    try Data("another's".utf8).write(to: URL(fileURLWithPath: second))
    let error = try #require(throws: XTError.self) { try file.database.moveFiles(to: place) }
    #expect(error.kind == .open && error.path == second)
    try FileManager.default.removeItem(atPath: second)
    try file.database.moveFiles(to: place)
    #expect(!FileManager.default.fileExists(atPath: first))
    #expect(RepairHints.read(second, key: nil)?.schema.isEmpty == false)
    try file.database.removeFiles()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func hints_that_are_damaged_or_foreign_are_gone_without() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file.sqlite")
    let connection = try Connection(ConnectionSettings(path: path))
    try connection.executeScript(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA journal_mode = DELETE")
    connection.close()
    for (index, bytes) in [Data(), Data("what is this".utf8), Data(count: 8_192)].enumerated() {
      try bytes.write(to: URL(fileURLWithPath: RepairHints.path(of: path)))
      let report = try XTRepair.salvage(path, to: folder.path("saved\(index).sqlite"))
      #expect(!report.hasHints && report.rows == 1)
    }
  }

  @Test func database_in_memory_has_none() throws {
    let database = try XTDatabase.inMemory()
    #expect { try database.saveRepairHints() } throws: { ($0 as? XTError)?.kind == .open }
  }
}
