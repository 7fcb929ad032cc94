import Foundation
import Testing

@testable import XTLite

private enum RowTint: String, Codable { case red, green }

private struct RowPlace: Codable, Equatable {
  var city = ""
  var zip: Int?
}

/// Rows of plain SQL, with names and values.
@Suite struct RowTests {
  private let test: TestDatabase
  private var database: XTDatabase { test.database }

  init() throws {
    test = try TestDatabase()
    try test.database.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, nick TEXT, data BLOB, real REAL);
      INSERT INTO t VALUES (1, 'a''b', NULL, X'00FF', 1.5), (2, \("x\0y"), 'n', X'', -0.25);
      """)
  }

  @Test func rows_haveNamesAndValues_inOrder() throws {
    let rows = try database.rows("SELECT *, id + \(1) AS next FROM t WHERE id > \(0) ORDER BY id")
    #expect(rows.count == 2)
    #expect(rows[0].names == ["id", "name", "nick", "data", "real", "next"])
    #expect(
      rows[0].values == [
        .integer(1), .text("a'b"), .null, .blob(Data([0, 0xFF])), .real(1.5), .integer(2),
      ])
    #expect(rows[1].values[1] == .text("x\0y") && rows[1].count == 6)
    #expect(try database.rows("SELECT * FROM t WHERE 0").isEmpty)
  }

  @Test func value_byNameAndPlace_isOfTheTypeAskedFor() throws {
    let row = try #require(try database.firstRow("SELECT * FROM t"))
    let id: Int = try row["id"]
    #expect(id == 1)
    #expect(try row["ID"] as Int64? == 1 && row[0] as UInt8 == 1)
    #expect(try row["nick"] as String? == nil && row[2] as String? == nil)
    #expect(try row["data"] as Data == Data([0, 0xFF]))
    #expect(try row["real"] as Double == 1.5 && row["id"] as Double == 1)
    #expect(try row["id"] as Bool)
    #expect(try row["name"] as XTValue == .text("a'b") && row["nick"] as XTValue? == nil)
    #expect(try row["nick"] as XTValue == .null)
    #expect(row.value("NAME") == .text("a'b") && row.value("nope") == .none)
    #expect(row.value(at: 0) == .integer(1))
    #expect([5, -1, .max, .min].allSatisfy { row.value(at: $0) == Optional<XTValue>.none })
  }

  @Test func value_asStorageMapsIt_comesBack() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    let uuid = UUID()
    let url = try #require(URL(string: "https://example.org/a?b=1"))
    let place = RowPlace(city: "上海", zip: nil)
    let row = try #require(
      try database.firstRow(
        """
        SELECT \(date) AS date, \(uuid) AS uuid, \(url) AS url, \(Decimal(string: "0.1")) AS decimal,
        \(RowTint.green) AS tint, \(place) AS place, \(["b", "a"]) AS tags, \(UInt8(7)) AS small
        """))
    #expect(try row["date"] as Date == date && row["uuid"] as UUID == uuid)
    #expect(try row["url"] as URL == url && row["decimal"] as Decimal == Decimal(string: "0.1"))
    #expect(try row["tint"] as RowTint == .green && row["place"] as RowPlace == place)
    #expect(try row["tags"] as [String] == ["b", "a"] && row["small"] as UInt8 == 7)
  }

  @Test func wrongColumnAndWrongType_areNamed() throws {
    let row = try #require(try database.firstRow("SELECT * FROM t"))
    let missing = #expect(throws: XTError.self) { try row["nope"] as Int }
    #expect(missing?.kind == .unknownColumn && missing?.column == "nope")
    #expect(missing?.hint?.contains("id, name, nick") == true)
    for place in [5, -1, .max, .min] {
      let error = #expect(throws: XTError.self) { try row[place] as Int }
      #expect(error?.kind == .unknownColumn)
    }
    let null = #expect(throws: XTError.self) { try row["nick"] as String }
    #expect(null?.kind == .decoding && null?.column == "nick")
    #expect(null?.message == "NULL is no String" && null?.hint == "read it as String?")
    let type = #expect(throws: XTError.self) { try row["name"] as Int }
    #expect(type?.kind == .decoding && type?.column == "name" && type?.sql == "SELECT * FROM t")
    #expect(type?.message.contains("Int") == true)
    let big = try #require(try database.firstRow("SELECT 300 AS big"))
    let range = #expect(throws: XTError.self) { try big["big"] as UInt8 }
    #expect(range?.kind == .valueOutOfRange && range?.column == "big")
    let tint = try #require(try database.firstRow("SELECT 'blue' AS tint"))
    #expect(throws: XTError.self) { try tint["tint"] as RowTint? }
    let none = #expect(throws: XTError.self) { try row["id"] as RowTests }
    #expect(none?.kind == .unsupportedProperty && none?.column == "id")
  }

  @Test func nameThatIsThereTwice_isTheFirst_andBothByPlace() throws {
    let row = try #require(try database.firstRow("SELECT 1 AS a, 2 AS A, 3 AS b, 4 AS a"))
    #expect(row.names == ["a", "A", "b", "a"])
    #expect(try row["a"] as Int == 1 && row["A"] as Int == 1 && row[1] as Int == 2)
    #expect(try row[3] as Int == 4)
  }

  @Test func names_areBytes_butForASCIICase() throws {
    let row = try #require(
      try database.firstRow("SELECT 1 AS `e\u{301}`, 2 AS `\u{E9}`, 3 AS `É`, 4 AS ``"))
    #expect(try row["e\u{301}"] as Int == 1 && row["\u{E9}"] as Int == 2)
    #expect(try row["É"] as Int == 3 && row[""] as Int == 4)
  }

  @Test func rows_shareTheirNames_andCompareByNamesAndValues() throws {
    let rows = try database.rows("SELECT 1 AS a UNION ALL SELECT 1 UNION ALL SELECT 2")
    #expect(rows[0] == rows[1] && rows[0] != rows[2] && Set(rows).count == 2)
    let other = try #require(try database.firstRow("SELECT 1 AS b"))
    #expect(rows[0] != other)
  }

  @Test func description_isNamesAndValues() throws {
    let row = try #require(try database.firstRow("SELECT * FROM t"))
    #expect("\(row)" == "[id: 1, name: 'a''b', nick: NULL, data: 2 bytes, real: 1.5]")
  }

  @Test func textThatIsNotUTF8_isShownButNotRead() throws {
    let row = try #require(try database.firstRow("SELECT CAST(X'61FF' AS TEXT) AS bad, 1 AS good"))
    #expect(row.value("bad") == .text("a\u{FFFD}"))
    let error = #expect(throws: XTError.self) { try row["bad"] as String }
    #expect(error?.kind == .decoding && error?.column == "bad")
    #expect(try row["good"] as Int == 1)
  }

  // MARK: Any statement

  @Test func pragmaAndExplain_giveRows() throws {
    let columns = try database.rows("PRAGMA table_info(t)")
    #expect(try columns.map { try $0["name"] as String } == ["id", "name", "nick", "data", "real"])
    #expect(try !database.rows("EXPLAIN QUERY PLAN SELECT * FROM t").isEmpty)
    let before = try database.rows("EXPLAIN SELECT * FROM t")
    #expect(before.first?.names.contains("opcode") == true)
    #expect(try !database.rows("EXPLAIN DELETE FROM t").isEmpty)
    #expect(try test.seen("SELECT count(*) FROM t") == ["2"])
    #expect(try database.rows("PRAGMA user_version = 3").isEmpty)
    #expect(try database.rows("PRAGMA user_version")[0].values == [.integer(3)])
  }

  @Test func explainOfAWrite_isNoWrite() throws {
    try database.read { () throws in
      #expect(try !database.rows("EXPLAIN DELETE FROM t").isEmpty)
      #expect(try !database.rows("explain query plan UPDATE t SET name = 'x'").isEmpty)
    }
    #expect(try test.seen("SELECT count(*) FROM t WHERE name = 'x'") == ["0"])
  }

  @Test func statementThatWrites_runsToItsEnd() throws {
    #expect(try database.rows("UPDATE t SET nick = \("m")").isEmpty)
    #expect(try test.seen("SELECT count(*) FROM t WHERE nick = 'm'") == ["2"])
    #expect(try database.firstRow("DELETE FROM t WHERE id = 1") == nil)
    #expect(try database.rows("CREATE TABLE u (a)").isEmpty)
    #expect(try test.seen("SELECT count(*) FROM t") == ["1"])
    #expect(try database.rows("SELECT changes() AS n")[0].values == [.integer(1)])
    if SQLiteLibrary.versionNumber >= 3_035_000 {
      let made = try database.firstRow(
        "INSERT INTO u VALUES (1), (2), (3) RETURNING a, rowid AS number")
      #expect(made?.names == ["a", "number"] && made?.values == [.integer(1), .integer(1)])
      #expect(try test.seen("SELECT count(*) FROM u") == ["3"])
      #expect(
        try database.select("UPDATE u SET a = a * 2 RETURNING a", as: Int.self) == [2, 4, 6])
    }
  }

  @Test func write_insideAReadBlock_isRefused() throws {
    try database.read { () throws in
      let error = #expect(throws: XTError.self) { try database.rows("DELETE FROM t") }
      #expect(error?.kind == .readOnly)
      #expect(try database.rows("SELECT * FROM t").count == 2)
    }
  }

  @Test func rows_insideBlocks_seeWhatTheySee() throws {
    try database.transaction { () throws in
      try database.execute("DELETE FROM t WHERE id = 1")
      #expect(try database.rows("SELECT id FROM t").map(\.values) == [[.integer(2)]])
      try database.rollback()
    }
    try database.write { () throws in
      try database.execute("CREATE TEMP TABLE own (a); INSERT INTO own VALUES (7)")
      #expect(try database.rows("SELECT a FROM own")[0].values == [.integer(7)])
    }
    // Also where a reader would not know it.
    #expect(try database.rows("SELECT a FROM own")[0].values == [.integer(7)])
    let transaction = try database.begin()
    try transaction.execute("DELETE FROM t")
    #expect(try transaction.rows("SELECT * FROM t").isEmpty)
    #expect(try transaction.select("SELECT count(*) FROM t", as: Int.self) == [0])
    #expect(try database.rows("SELECT * FROM t").count == 2)
    try transaction.rollback()
  }

  @Test func setUp_readsRowsOnItsConnection() throws {
    let seen = Mutex<[[XTRow]]>([])
    let other = try TestDatabase {
      $0.add(
        XTSetUp("look") { connection in
          let rows = try connection.rows("SELECT 1 AS a, \("x") AS b")
          let pairs = try connection.select("SELECT 1, 'x'", as: Int.self, String.self)
          let places = try connection.rows("SELECT 'c' AS city", as: RowPlace.self)
          guard pairs[0] == (1, "x"), places == [RowPlace(city: "c", zip: nil)] else { return }
          seen.withLock { $0.append(rows) }
        })
    }
    try other.database.write {}
    #expect(seen.withLock { $0.first?.first?.values } == [.integer(1), .text("x")])
  }

  @Test func forEachRow_streams_andMayWriteBeside() throws {
    var seen: [Int] = []
    try database.forEachRow("SELECT id FROM t ORDER BY id") { row in
      seen.append(try row["id"])
      try database.execute("UPDATE t SET nick = 'each' WHERE id = \(try row["id"] as Int)")
      // The same text, in use around it.
      #expect(try database.rows("SELECT id FROM t ORDER BY id").count == 2)
    }
    #expect(seen == [1, 2])
    #expect(try test.seen("SELECT count(*) FROM t WHERE nick = 'each'") == ["2"])
    struct Stop: Error {}
    var count = 0
    #expect(throws: Stop.self) {
      try database.forEachRow("SELECT id FROM t") { _ in
        count += 1
        throw Stop()
      }
    }
    #expect(count == 1)
  }

  @Test func forEachRow_whoseBodyMeetsAMissingTable_runsOnce() throws {
    var count = 0
    let error = #expect(throws: XTError.self) {
      try database.forEachRow("SELECT id FROM t") { _ in
        count += 1
        _ = try database.rows("SELECT * FROM nope")
      }
    }
    #expect(count == 1 && error?.kind == .schema)
  }

  @Test func columnsThatCameMeanwhile_areThere() throws {
    #expect(try database.rows("SELECT * FROM t")[0].count == 5)
    try test.outside("ALTER TABLE t ADD COLUMN late DEFAULT 'l'")
    let row = try #require(try database.firstRow("SELECT * FROM t"))
    #expect(try row.count == 6 && row["late"] as String == "l")
  }

  @Test func brokenSQL_throwsWithItsText() throws {
    let broken: [(XTSQL, XTError.Kind)] = [
      ("", .sqlite), ("SELEC 1", .sqlite), ("SELECT nope FROM t", .unknownColumn),
      ("SELECT * FROM nope", .schema), ("SELECT 1; SELECT 2", .sqlite),
      ("SELECT * FROM t WHERE name = '\("x")'", .sqlite), ("SELECT ?", .sqlite),
      ("SELECT * FROM t WHERE sum(id) > 1", .sqlite),
    ]
    for (sql, kind) in broken {
      for call in [
        { _ = try database.rows(sql) }, { _ = try database.firstRow(sql) },
        { _ = try database.select(sql, as: Int.self) },
        { _ = try database.rows(sql, as: RowPlace.self) },
        { try database.forEachRow(sql) { _ in } },
      ] as [() throws -> Void] {
        let error = #expect(throws: XTError.self, "\(sql)") { try call() }
        #expect(error?.kind == kind, "\(sql)")
        if !sql.sql.isEmpty { #expect(error?.sql?.isEmpty == false, "\(sql)") }
      }
    }
  }

  @Test func wrongNameInDoubleQuotes_isAnErrorAndNoText() throws {
    for sql in [
      "SELECT * FROM t WHERE \"nmae\" = 'x'", "SELECT \"nmae\" FROM t",
      "SELECT * FROM t WHERE id IN (SELECT \"a\"\"b\")", "DELETE FROM t WHERE \"nmae\" != 'x'",
      "UPDATE t SET name = \"nmae`\"", "INSERT INTO t (name) VALUES (\"nmae\")",
      "EXPLAIN SELECT \"nmae\"",
    ] as [XTSQL] {
      for call in [
        { _ = try database.rows(sql) }, { _ = try database.select(sql, as: Int.self) },
        { _ = try database.execute(sql) }, { _ = try database.anyFunc(sql: sql) },
      ] as [() throws -> Void] {
        let error = #expect(throws: XTError.self, "\(sql)") { try call() }
        #expect(error?.kind == .unknownColumn, "\(sql) \(String(describing: error))")
        #expect(error?.sql == sql.sql)
      }
    }
    #expect(try test.seen("SELECT count(*), max(name) FROM t WHERE id = 1") == ["1|a'b"])
  }

  @Test func rightNameInDoubleQuotes_isAColumn() throws {
    let row = try #require(
      try database.firstRow(
        "SELECT \"name\" AS \"a`b\"\"c\", 'say \"hi\"' AS \"text\" FROM \"t\" WHERE \"t\".\"id\" = 1"
      ))
    #expect(row.names == ["a`b\"c", "text"])
    #expect(row.values == [.text("a'b"), .text("say \"hi\"")])
    #expect(try database.execute("UPDATE \"t\" SET \"name\" = 'z' WHERE \"id\" = 1; SELECT 1") == 1)
    try database.execute("CREATE TABLE \"q`t\" (\"a b\" TEXT); INSERT INTO \"q`t\" VALUES ('v')")
    #expect(try database.select("SELECT \"a b\" FROM \"q`t\"", as: String.self) == ["v"])
    #expect(
      try test.seen("SELECT sql FROM sqlite_master WHERE name = 'q`t'")
        == ["CREATE TABLE \"q`t\" (\"a b\" TEXT)"])
  }

  // MARK: Async

  @Test func asyncForms_giveTheSame() async throws {
    let rows = try await database.rows("SELECT id FROM t ORDER BY id")
    #expect(rows.map(\.values) == [[.integer(1)], [.integer(2)]])
    #expect(try await database.firstRow("SELECT id FROM t")?.values == [.integer(1)])
    #expect(
      try await database.select("SELECT id, name FROM t", as: Int.self, String.self).count == 2)
    let last = try await database.selectFirst("SELECT max(id) FROM t", as: Int?.self)
    #expect(last != nil && last! == 2)
    #expect(
      try await database.rows("SELECT 'a' AS city", as: RowPlace.self) == [RowPlace(city: "a")])
    #expect(try await database.rows("PRAGMA user_version").count == 1)
    #expect(try await database.rows("DELETE FROM t WHERE id = 1").isEmpty)
    #expect(try await database.rows("WITH a AS (SELECT 2) DELETE FROM t").isEmpty)
    #expect(try test.seen("SELECT count(*) FROM t") == ["0"])
  }

  @Test func asyncRows_ofACancelledTask_areNotRead() async throws {
    let database = database
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await database.rows("SELECT 1")
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
