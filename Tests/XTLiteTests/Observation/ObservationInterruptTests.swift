import Foundation
import Testing

@testable import XTLite

/// What stops or disturbs a reading, and is none of the observer's business.
@Suite struct ObservationInterruptTests {
  static let endless = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000000000)
    SELECT count(*) FROM n
    """

  /// - Parameter isSwallowed: Whether the closure makes nothing of the error.
  @Test(arguments: ["wal", "memory"], [false, true])
  func interruptedReading_isBegunAgain(_ kind: String, isSwallowed: Bool) async throws {
    let test = try TestDatabase()
    let database = kind == "memory" ? try XTDatabase.inMemory() : test.database
    try database.table(LivePerson.self).insertList([LivePerson("a")])
    let runs = RunCount()
    let watching = Watching(
      database.observe {
        guard runs.advance() == 1 else { return try LivePerson.xt_count() }
        let endless = XTSQL(unsafe: Self.endless)
        if isSwallowed { return (try? database.anyFunc(sql: endless)) == nil ? -1 : 0 }
        return Int(try database.anyFunc(sql: endless)?.int64 ?? 0)
      })
    #expect(
      await until {
        database.interrupt()
        return runs.count > 1
      })
    #expect(await watching.gets(1))
    #expect(watching.values == [1])
    #expect(watching.error == nil)
    try database.table(LivePerson.self).insertList([LivePerson("b")])
    #expect(await watching.gets(2))
  }

  /// What somebody else was interrupted by, and threw in the closure, is an error as any other.
  @Test func errorThatSaysInterrupted_endsTheSequence() async throws {
    let test = try TestDatabase()
    let watching = Watching(
      test.database.observe { () throws -> Int in throw XTError(.interrupted, "elsewhere") })
    #expect(await until { watching.isOver })
    #expect((watching.error as? XTError)?.kind == .interrupted)
    test.database.expectNobodyObserves()
  }

  /// It may give rows other numbers, in a table without an INTEGER PRIMARY KEY.
  @Test func vacuum_makesObserversReadOnce_andCheckpointsDoNot() async throws {
    let test = try TestDatabase(
      after: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3); DELETE FROM t WHERE a < 3")
    let (runs, database) = (RunCount(), test.database)
    let numbers = Watching(
      database.observe {
        runs.advance()
        return try database.anyFunc(sql: "SELECT rowid FROM t")?.int64
      })
    #expect(await numbers.gets(3))
    for mode in [XTCheckpoint.passive, .full, .restart, .truncate] {
      try blocking { try database.checkpoint(mode) }
    }
    try database.executeScript("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize; ANALYZE; REINDEX")
    if SQLiteLibrary.versionNumber >= 3_027_000 {
      try database.executeScript("VACUUM INTO '\(test.path).copy'")
    }
    try database.executeScript("CREATE TABLE other (a); INSERT INTO other VALUES (1)")
    #expect(runs.count == 1)
    try blocking { try database.vacuum() }
    let now = try blocking { try database.anyFunc(sql: "SELECT rowid FROM t") }?.int64
    #expect(await numbers.gets(now))
    #expect(await until { runs.count == 2 })
  }
}
