import Foundation
import Testing

@testable import XTLite

@Suite struct SQLVerbTests {
  let test: TestDatabase
  let samples: XTTable<Sample>

  init() throws {
    test = try TestDatabase()
    samples = test.table(Sample.self)
    try samples.insertList([
      Sample("a", 1) { $0.nick = "A" }, Sample("b", 2), Sample("c", 3) { $0.tint = .red },
    ])
  }

  // MARK: find(sql:)

  @Test func columns_areMatchedByTheirNames() throws {
    let found = try samples.find(
      sql: """
        SELECT `order` + 10 AS "ORDER", 'made up' AS unknown, upper(name) AS name, pkid
        FROM Sample WHERE `order` > \(1) ORDER BY name DESC
        """)
    #expect(found.map(\.order) == [13, 12] && found.map(\.name) == ["C", "B"])
    #expect(found.map(\.pkid) == [3, 2])
    #expect(found.map(\.tint) == [nil, nil] && found.map(\.draft) == ["kept out", "kept out"])
  }

  @Test func columnThatIsThereTwice_isReadOnce() throws {
    let found = try samples.find(
      sql: """
        SELECT s.*, t.* FROM Sample AS s JOIN Sample AS t ON t.pkid = s.pkid + 1
        ORDER BY s.pkid
        """)
    #expect(found.map(\.name) == ["a", "b"])
  }

  @Test func everyColumn_inAnyOrder_makesWholeModels() throws {
    let names = try test.columns(of: "Sample").reversed()
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    let found = try samples.find(sql: XTSQL(unsafe: "SELECT \(list) FROM Sample"))
    #expect(found.map(\.name) == ["a", "b", "c"] && found.map(\.order) == [1, 2, 3])
    #expect(found.map(\.nick) == ["A", nil, nil])
  }

  @Test func objects_learnTheirNumberWhereItIsThere() throws {
    let objects = test.table(SampleObject.self)
    #expect(try objects.find(sql: "SELECT pkid, name FROM Sample").map(\.pkid) == [1, 2, 3])
    #expect(try objects.find(sql: "SELECT name FROM Sample").map(\.pkid) == [nil, nil, nil])
    let first = try #require(try objects.findFirst(sql: "SELECT * FROM Sample WHERE name = 'b'"))
    #expect(first.pkid == 2 && first.xt_createTime != nil)
  }

  @Test func interpolations_knowModelsAndColumns() throws {
    let found = try samples.find(
      sql: """
        SELECT * FROM \(Sample.self) WHERE \(\Sample.name) IN \(list: ["a", "c"])
        AND \(\Sample.order) > \(1)
        """)
    #expect(found.map(\.name) == ["c"])
    let condition: XTCondition<Sample> = \.order > 1 && \.tint == .red
    #expect(try samples.find(sql: "SELECT * FROM Sample WHERE \(condition)").map(\.name) == ["c"])
  }

  @Test func findFirst_stepsOnce() throws {
    #expect(
      try samples.findFirst(sql: "SELECT * FROM Sample ORDER BY `order` DESC")?.name == "c")
    #expect(try samples.findFirst(sql: "SELECT * FROM Sample WHERE 0") == nil)
    // The second row could not be read.
    try test.outside("UPDATE Sample SET `order` = 'x' WHERE pkid = 2")
    #expect(try samples.findFirst(sql: "SELECT * FROM Sample")?.name == "a")
    #expect(throws: XTError.self) { try samples.find(sql: "SELECT * FROM Sample") }
  }

  @Test func findWithSQLThatWrites_throwsAndWritesNothing() throws {
    let writes: [XTSQL] = [
      "DELETE FROM Sample", "UPDATE Sample SET name = 'x'", "DROP TABLE Sample",
      "INSERT INTO Sample (name) VALUES ('x')", "CREATE TABLE t (a)", "PRAGMA user_version = 3",
    ]
    for sql in writes {
      for call in [{ _ = try samples.find(sql: sql) }, { _ = try samples.findFirst(sql: sql) }]
        as [() throws -> Void]
      {
        let error = #expect(throws: XTError.self, "\(sql)") { try call() }
        #expect(error?.kind == .readOnly && error?.hint != nil)
      }
    }
    #expect(try test.seen("SELECT count(*), min(name) FROM Sample") == ["3|a"])
    #expect(try test.seen("PRAGMA user_version") == ["0"])
  }

  @Test func textAfterTheStatement_isRefused() throws {
    for sql in ["SELECT * FROM Sample; DELETE FROM Sample", "SELECT 1;;SELECT 2"] as [XTSQL] {
      #expect(throws: XTError.self) { try samples.find(sql: sql) }
      #expect(throws: XTError.self) { try samples.findFirst(sql: sql) }
      #expect(throws: XTError.self) { try samples.anyFunc(sql: sql) }
    }
    #expect(try samples.find(sql: "SELECT * FROM Sample; -- all").count == 3)
    #expect(try samples.count() == 3)
  }

  @Test func wrongSQL_throwsWithItsText() throws {
    let broken: [(XTSQL, XTError.Kind)] = [
      ("SELECT * FORM Sample", .sqlite), ("SELECT nmae FROM Sample", .unknownColumn),
      ("SELECT * FROM Smaple", .schema), ("", .sqlite), ("-- nothing", .sqlite),
      ("SELECT * FROM Sample WHERE name = '\("x")'", .sqlite), ("SELECT ?", .sqlite),
    ]
    for (sql, kind) in broken {
      let error = #expect(throws: XTError.self, "\(sql)") { try samples.find(sql: sql) }
      #expect(error?.kind == kind, "\(sql)")
      #expect(throws: XTError.self, "\(sql)") { try samples.anyFunc(sql: sql) }
    }
  }

  // MARK: anyFunc(sql:)

  @Test func anyFunc_givesTheFirstValue() throws {
    try test.asCurrent { () throws in
      #expect(try Sample.xt_anyFuncWithSql("SELECT count(*), 9 FROM Sample") == 3)
      #expect(try Sample.xt_anyFuncWithSql("SELECT name FROM Sample ORDER BY name DESC") == "c")
      #expect(try Sample.xt_anyFuncWithSql("SELECT nick FROM Sample WHERE pkid = 2") == .null)
      #expect(try Sample.xt_anyFuncWithSql("SELECT name FROM Sample WHERE 0") == nil)
      #expect(try Sample.xt_anyFuncWithSql("SELECT 1.5") == 1.5)
      #expect(try Sample.xt_anyFuncWithSql("SELECT x'00ff'") == .blob(Data([0, 255])))
      #expect(try Sample.xt_anyFuncWithSql("PRAGMA user_version") == 0)
      #expect(try Sample.xt_anyFuncWithSql("SELECT max(\(1), \(2.5))") == 2.5)
    }
  }

  @Test func anyFunc_thatWrites_writesOnce() throws {
    try test.asCurrent {
      let none = try Sample.xt_anyFuncWithSql("UPDATE Sample SET name = 'x' WHERE pkid = \(1)")
      #expect(none == nil)
      try Sample.xt_anyFuncWithSql("INSERT INTO Sample (name, level) VALUES ('d', 1)")
      try Sample.xt_anyFuncWithSql("PRAGMA user_version = 4")
    }
    #expect(try test.seen("SELECT name FROM Sample ORDER BY pkid") == ["x", "b", "c", "d"])
    #expect(try test.seen("PRAGMA user_version") == ["4"])
    try test.database.read { () throws in
      let error = #expect(throws: XTError.self) { try samples.anyFunc(sql: "DELETE FROM Sample") }
      #expect(error?.kind == .readOnly)
    }
    #expect(try samples.count() == 4)
  }

  @Test func anyFunc_withReturning_runsToItsEnd() throws {
    guard SQLiteLibrary.versionNumber >= 3_035_000 else { return }
    let value = try samples.anyFunc(
      sql: "UPDATE Sample SET `order` = `order` * 10 RETURNING `order`")
    #expect(value == 10)
    #expect(try test.seen("SELECT `order` FROM Sample") == ["10", "20", "30"])
  }
}
