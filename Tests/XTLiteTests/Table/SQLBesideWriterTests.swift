import Foundation
import Testing

@testable import XTLite

private struct Fare: XTModel {
  var pkid: Int64?
  var price = 0
  static var xt_tableName: String { "price_changes" }
}

/// Which statements in the program's own words need the writer's connection.
@Suite struct SQLBesideWriterTests {
  let test: TestDatabase
  var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase { $0.busyTimeout = 0.2 }
    try test.table(Fare.self).insertList([Fare(price: 1), Fare(price: 2)])
  }

  static let questions = [
    "SELECT count(*) FROM price_changes",
    "SELECT count(changes.price) FROM price_changes AS changes",
    "SELECT count(*) FROM price_changes WHERE 'changes()' > ''",
    "SELECT /* changes() */ 2 -- last_insert_rowid()", "SELECT 2 AS \"changes\" WHERE (2)",
    "WITH all_changes(n) AS (SELECT 2) SELECT n FROM all_changes",
  ]

  @Test(arguments: questions)
  func text_thatOnlyNamesChanges_waitsForNoWriter(sql: String) throws {
    let database = database
    try database.transaction {
      try database.execute("INSERT INTO price_changes (price) VALUES (3)")
      #expect(try elsewhere { try database.anyFunc(sql: XTSQL(unsafe: sql)) } == 2)
    }
  }

  @Test(arguments: [
    "SELECT changes()", "select CHANGES ( )", "SELECT \"changes\"()", "SELECT [Changes]/* */()",
    "SELECT abs(last_insert_rowid())", "SELECT total_changes() >= 1 AND 1",
    "SELECT `total_changes`\n()",
  ])
  func functionOfTheConnection_isAskedOfTheWriter(sql: String) throws {
    // The reader has none to tell of.
    let reading = try TestDatabase()
    try reading.database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let answer = try reading.database.anyFunc(sql: XTSQL(unsafe: sql))
    #expect(answer?.int64 ?? 0 > 0)
    #expect(
      try reading.database.table(Fare.self)
        .findFirst(sql: XTSQL(unsafe: "SELECT (\(sql)) AS price"))?.price
        == answer?.int64.map(Int.init))
  }

  // MARK: PRAGMA and the like

  @Test func pragmaThatOnlyAsks_isAnsweredWhereNothingCanBeWritten() throws {
    let database = database
    let question: XTSQL = "PRAGMA user_version"
    try database.execute("PRAGMA user_version = 7")
    #expect(try database.read { try database.anyFunc(sql: question) } == 7)
    #expect(try database.transaction { try database.anyFunc(sql: question) } == 7)
    let number = try database.table(Fare.self).forEachFirst { try database.anyFunc(sql: question) }
    #expect(number == 7)
    var configuration = XTConfiguration()
    configuration.readOnly = true
    try database.close()
    let reading = try XTDatabase(path: test.path, configuration: configuration)
    #expect(try reading.anyFunc(sql: question) == 7)
    #expect(try reading.read { try reading.anyFunc(sql: question) } == 7)
    let error = #expect(throws: XTError.self) {
      try reading.anyFunc(sql: "PRAGMA user_version = 8")
    }
    #expect(error?.kind == .readOnly && error?.message.contains("opened read-only") == true)
  }

  @Test func pragmaThatWrites_inAReadBlock_isRefused() throws {
    for sql: XTSQL in [
      "PRAGMA user_version = 8", "CREATE TABLE t (a)", "DELETE FROM price_changes",
    ] {
      let error = #expect(throws: XTError.self) {
        try database.read { try database.anyFunc(sql: sql) }
      }
      #expect(error?.kind == .readOnly)
    }
    #expect(try test.seen("PRAGMA user_version") == ["0"])
  }

  @Test func pragmaOfTheConnection_isTheWriters() throws {
    #expect(try database.anyFunc(sql: "PRAGMA temp.user_version = 5") == nil)
    #expect(try database.anyFunc(sql: "PRAGMA temp.user_version") == 5)
  }
}

extension XTTable {
  /// What `body` gives inside of a loop over rows.
  fileprivate func forEachFirst<T>(_ body: () throws -> T?) throws -> T? {
    var result: T?
    try forEach(limit: 1) { _ in result = try body() }
    return result
  }
}
