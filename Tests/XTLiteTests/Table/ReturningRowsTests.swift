import Foundation
import Testing

@testable import XTLite

/// Raw SQL that writes and tells: a row that can't be read leaves the table as it was.
@Suite(.enabled(if: SQLiteLibrary.versionNumber >= 3_035_000))
struct ReturningRowsTests {
  let sut: TestDatabase
  private var database: XTDatabase { sut.database }

  init() throws {
    sut = try TestDatabase(
      after: "CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, '1'), (2, 'x'), (3, '3')"
    )
  }

  private struct Stop: Error {}
  private struct Row: Decodable { var a: Int; var b: Int }

  private func expectUntouched(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(
      try sut.seen("SELECT a, b FROM t ORDER BY a") == ["1|1", "2|x", "3|3"],
      sourceLocation: location)
  }

  @Test func rows_thatCannotBeRead_stay() throws {
    #expect(throws: XTError.self) { try database.select("DELETE FROM t RETURNING b", as: Int.self) }
    try expectUntouched()
    #expect(throws: XTError.self) {
      try database.rows("UPDATE t SET a = a + 10 RETURNING a, b", as: Row.self)
    }
    try expectUntouched()
    #expect(throws: XTError.self) {
      try database.select(
        "INSERT INTO t SELECT a + 10, b FROM t RETURNING b", as: Int.self)
    }
    try expectUntouched()
    #expect(throws: XTError.self) {
      try database.selectFirst("DELETE FROM t RETURNING a, b", as: Int.self)
    }
    try expectUntouched()
    #expect(throws: Stop.self) {
      try database.forEachRow("DELETE FROM t RETURNING a") { _ in throw Stop() }
    }
    try expectUntouched()
  }

  @Test func rows_thatCannotBeRead_stay_alsoInsideOfATransaction() throws {
    try database.transaction {
      try database.execute("INSERT INTO t VALUES (4, '4')")
      #expect(throws: XTError.self) {
        try database.select("DELETE FROM t RETURNING b", as: Int.self)
      }
    }
    #expect(try sut.seen("SELECT count(*) FROM t") == ["4"])
    try database.write {
      #expect(throws: XTError.self) {
        try database.select("DELETE FROM t RETURNING b", as: Int.self)
      }
    }
    #expect(try sut.seen("SELECT count(*) FROM t") == ["4"])
  }

  @Test func rows_thatCanBeRead_areGone() throws {
    #expect(
      try database.select("DELETE FROM t WHERE a < 3 RETURNING b", as: String.self).count == 2)
    #expect(try database.anyFunc(sql: "UPDATE t SET a = 9 RETURNING a") == 9)
    #expect(try database.select("SELECT changes()", as: Int.self) == [1])
    #expect(try sut.seen("SELECT a FROM t") == ["9"])
    let inserted = try database.firstRow("INSERT INTO t VALUES (1, 'n'), (2, 'm') RETURNING b")
    #expect(try inserted?["b"] as String? == "n")
    #expect(try sut.seen("SELECT count(*) FROM t") == ["3"])
  }
}
