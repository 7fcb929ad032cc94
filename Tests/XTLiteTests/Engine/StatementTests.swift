import Foundation
import Testing

@testable import XTLite

@Suite struct StatementTests {
  let connection: Connection

  init() throws {
    connection = try Connection(ConnectionSettings())
    try connection.executeScript(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')"
    )
  }

  func liveStatements() -> Int {
    var count = 0
    var next = sqlite3_next_stmt(connection.handle, nil)
    while let statement = next {
      count += 1
      next = sqlite3_next_stmt(connection.handle, statement)
    }
    return count
  }

  @Test func statement_sameShapeInsideARow_isASecondOne() throws {
    let key = StatementKey("SELECT b FROM t ORDER BY a")
    var outer: [String?] = []
    try connection.withStatement(key) { statement in
      while try statement.step() {
        outer.append(statement.column(0).value.string)
        try connection.withStatement(key) { inner in
          #expect(inner !== statement)
          let hasRow = try inner.step()
          #expect(hasRow)
        }
        let rows = try connection.rows(key.sql)
        #expect(rows.count == 3)
        try connection.withStatement(key.sql) { byText in
          let rows = try connection.rows(key.sql)
          #expect(rows.count == 3)
          let hasRow = try byText.step()
          #expect(hasRow)
        }
      }
    }
    #expect(outer == ["x", "y", "z"])
  }

  @Test func statement_finished_isHandedOutAgainAndClean() throws {
    let key = StatementKey("SELECT ?1")
    let first = try connection.statement(key)
    try first.bind(["x"])
    #expect(try first.step())
    connection.finish(first)
    let second = try connection.statement(key)
    defer { connection.finish(second) }
    #expect(first === second)
    #expect(try second.step())
    #expect(second.column(0).isNull)
  }

  @Test func withStatement_bodyThrows_finishesIt() throws {
    let key = StatementKey("SELECT b FROM t")
    struct Failure: Error {}
    for _ in 0..<1000 {
      #expect(throws: Failure.self) {
        try connection.withStatement(key) { statement in
          _ = try statement.step()
          throw Failure()
        }
      }
      #expect(throws: XTError.self) { try connection.run("INSERT INTO t VALUES (1, ?)", ["x"]) }
    }
    #expect(liveStatements() <= 3)
    try connection.withStatement(key) { #expect(sqlite3_stmt_busy($0.pointer) == 0) }
  }

  @Test func cache_manyTextsAndKeys_staysBounded() throws {
    for number in 0..<5000 {
      #expect(try connection.firstValue("SELECT \(number)") == .integer(Int64(number)))
      try connection.withStatement(StatementKey("SELECT -\(number)")) { _ in }
    }
    #expect(connection.cache.count <= 1100)
    #expect(liveStatements() <= 1100)
    connection.cache.removeAll()
    #expect(liveStatements() == 0)
  }

  @Test func cache_hotKeyAmongMany_isKept() throws {
    let hot = StatementKey("SELECT 'hot'")
    let first = try connection.statement(hot)
    connection.finish(first)
    for number in 0..<3000 {
      try connection.withStatement(StatementKey("SELECT \(number)")) { _ in }
      try connection.withStatement(hot) { #expect($0 === first) }
    }
  }

  @Test func statement_textAfterTheFirst_isRefused() throws {
    for sql in ["SELECT 1; SELECT 2", "SELECT 1;x", "SELECT 1; /* a */ DELETE FROM t"] {
      let error = try #require(throws: XTError.self) { try connection.run(sql) }
      #expect(error.kind == .sqlite)
      #expect(error.hint != nil)
    }
    for sql in ["SELECT 1;", "SELECT 1; -- two", " SELECT 1 ;; /* x */\n"] {
      try connection.run(sql)
    }
    #expect(try connection.firstValue("SELECT count(*) FROM t") == 3)
  }

  @Test func statement_noneInTheText_throws() {
    for sql in ["", "  ", "-- x", ";"] {
      #expect(throws: XTError.self) { try connection.run(sql) }
    }
  }

  @Test func statement_NULInTheText_isRefused() throws {
    #expect(throws: XTError.self) { try connection.run("DELETE FROM t\0 WHERE a = 1") }
    #expect(throws: XTError.self) { try connection.executeScript("DELETE FROM t\0 WHERE a = 1") }
    #expect(try connection.firstValue("SELECT count(*) FROM t") == 3)
  }

  @Test func bind_wrongCount_throws() {
    #expect(throws: XTError.self) { try connection.run("SELECT ?, ?", [1]) }
    #expect(throws: XTError.self) { try connection.run("SELECT ?", [1, 2]) }
    #expect(throws: XTError.self) { try connection.run("SELECT 1", [1]) }
    #expect(throws: XTError.self) { try connection.run("SELECT ?") }
  }

  @Test func bind_withoutCopy_readsTheCallersMemory() throws {
    let text = Array("mamba".utf8)
    try connection.withStatement("SELECT ?, ?, ?, typeof(?3)") { statement in
      try text.withUnsafeBytes { bytes in
        let start = try #require(bytes.baseAddress)
        try statement.bind(text: start, count: 5, copying: false, at: 1)
        try statement.bind(blob: start, count: 5, copying: false, at: 2)
        try statement.bind(blob: start, count: 0, copying: false, at: 3)
        #expect(try statement.step())
        #expect(statement.column(0).value == "mamba")
        #expect(statement.column(1).value == .blob(Data(text)))
        #expect(statement.column(2).value == .blob(Data()))
        #expect(statement.column(3).value == "blob")
        statement.reset()
        statement.clearBindings()
      }
    }
  }

  @Test func run_statementsOfEachKind_countsTheirOwnRows() throws {
    #expect(try connection.run("UPDATE t SET b = 'q' WHERE a > 1") == 2)
    #expect(try connection.run("CREATE TABLE u (a)") == 0)
    #expect(try connection.run("SELECT * FROM t") == 0)
    #expect(try connection.run("PRAGMA user_version = 5") == 0)
    #expect(try connection.run("DELETE FROM t") == 3)
    #expect(try connection.firstValue("SELECT a FROM t") == nil)
  }

  @Test func column_outOfRange_isNull() throws {
    try connection.withStatement("SELECT 1") { statement in
      let hasRow = try statement.step()
      #expect(hasRow)
      #expect(statement.column(7).isNull)
      #expect(statement.columnName(7) == "")
      #expect(statement.column(0).storageClass == .integer)
    }
  }
}
