import Foundation
import Testing

@testable import XTLite

@Suite struct XTFunctionTests {
  struct Failure: Error, CustomStringConvertible { let description = "not today" }

  func connection(_ functions: XTFunction...) throws -> Connection {
    var settings = ConnectionSettings()
    settings.functions = functions
    return try Connection(settings)
  }

  func failure(_ connection: Connection, _ sql: String) throws -> XTError {
    try #require(throws: XTError.self) { try connection.firstValue(sql) }
  }

  // MARK: Scalars

  @Test func scalar_eachStorageClass_arrivesAndComesBack() throws {
    let connection = try connection(XTFunction("same", arguments: 1) { $0[0] })
    for value in XTValueTests.samples {
      #expect(try connection.firstValue("SELECT same(?)", [value]) == value)
    }
  }

  @Test func scalar_anyNumberOfArguments_getsThemAll() throws {
    let connection = try connection(
      XTFunction("joined") { .text($0.map(\.description).joined(separator: "+")) })
    #expect(try connection.firstValue("SELECT joined()") == "")
    #expect(try connection.firstValue("SELECT joined(1, NULL, 'x')") == "1+NULL+x")
  }

  @Test func scalar_sameNameAndOtherCount_areTwo() throws {
    let connection = try connection(
      XTFunction("f", arguments: 0) { _ in 0 }, XTFunction("f", arguments: 1) { _ in 1 })
    #expect(try connection.rows("SELECT f(), f('x')") == [[0, 1]])
    #expect(throws: XTError.self) { try connection.firstValue("SELECT f(1, 2)") }
  }

  @Test func scalar_throws_isTheStatementsErrorWithItsMessage() throws {
    let connection = try connection(XTFunction("fail") { _ in throw Failure() })
    let error = try failure(connection, "SELECT fail()")
    #expect(error.kind == .sqlite)
    #expect(error.message == "not today")
    #expect(error.hint?.contains("fail") == true)
    #expect(error.sql == "SELECT fail()" && error.path == ":memory:")
    #expect(try connection.firstValue("SELECT 1") == 1)
  }

  @Test func scalar_throwsALocalizedError_hasItsDescription() throws {
    struct Told: LocalizedError { let errorDescription: String? = "told" }
    let connection = try connection(XTFunction("fail") { _ in throw Told() })
    #expect(try failure(connection, "SELECT fail()").message == "told")
  }

  @Test(arguments: ["no such column: x", "no such table: x", "", "a\0b", "integer overflow"])
  func scalar_throwsWhatSQLiteMightSay_isNotMistakenForIt(_ message: String) throws {
    struct Saying: Error, CustomStringConvertible { let description: String }
    let connection = try connection(
      XTFunction("fail") { _ in throw Saying(description: message) })
    let error = try failure(connection, "SELECT fail()")
    #expect(error.kind == .sqlite)
    #expect(error.message == message.prefix { $0 != "\0" })
    #expect(error.table == nil && error.column == nil)
  }

  @Test func scalar_throwsAnXTError_keepsItsKindAndHint() throws {
    let connection = try connection(
      XTFunction("fail") { _ in throw XTError(.decoding, "no date", hint: "give one") })
    let error = try failure(connection, "SELECT fail()")
    #expect(error.kind == .decoding && error.message == "no date" && error.hint == "give one")
    #expect(error.sql == "SELECT fail()")
  }

  @Test func scalar_threwBefore_laterErrorsAreSQLitesOwn() throws {
    let connection = try connection(XTFunction("fail") { _ in throw Failure() })
    _ = try failure(connection, "SELECT fail()")
    #expect(try failure(connection, "SELECT nope").kind == .unknownColumn)
  }

  @Test func scalar_throwsInATrigger_failsTheWriteAndKeepsTheTransaction() throws {
    let connection = try connection(XTFunction("fail") { _ in throw Failure() })
    try connection.executeScript(
      """
      CREATE TABLE t (a);
      CREATE TRIGGER x AFTER INSERT ON t WHEN new.a > 1 BEGIN SELECT fail(); END
      """)
    let error = #expect(throws: XTError.self) { try connection.run("INSERT INTO t VALUES (2)") }
    #expect(error?.message == "not today")
    #expect(try connection.rows("SELECT a FROM t") == [])
  }

  /// Older libraries leave what the statement did until then: it must not be committed.
  @Test func scalar_throwsMidwayInAnUpdate_noHalfOfItIsCommitted() throws {
    let connection = try connection(
      XTFunction("raised", arguments: 1) { values in
        if values[0] == 2 { throw Failure() }
        return 10
      })
    try connection.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
    func caught() throws {
      do {
        try connection.run("UPDATE t SET a = raised(a)")
      } catch let error as XTError where error.message == "not today" {}
    }
    let undoes = SQLiteLibrary.undoesEndedStatements
    #expect(undoes || SQLiteLibrary.versionNumber < 3_040_000)
    func ends(_ body: () throws -> Void) throws {
      do {
        try body()
        #expect(undoes)
      } catch let error as XTError where error.message == "not today" {
        #expect(!undoes)
      }
    }
    try ends {
      try connection.inTransaction {
        try connection.run("INSERT INTO t VALUES (4)")
        try caught()
      }
    }
    let rows = try connection.rows("SELECT a FROM t")
    #expect(rows == (undoes ? [[1], [2], [3], [4]] : [[1], [2], [3]]))
    // An inner block takes its own work back, and no more.
    try connection.inTransaction {
      try connection.run("INSERT INTO t VALUES (5)")
      try ends { try connection.inTransaction { try caught() } }
    }
    #expect(try connection.rows("SELECT a FROM t") == rows + [[5]])
  }

  @Test func scalar_givesNaN_throwsInPlaceOfNULL() throws {
    let connection = try connection(XTFunction("nan") { _ in .real(.nan) })
    let error = try failure(connection, "SELECT nan()")
    #expect(error.kind == .valueOutOfRange)
    #expect(error.message == "the SQL function nan gave NaN")
    #expect(error.hint?.contains("NULL") == true)
  }

  @Test func scalar_replacesSQLitesOwn_whereTheArgumentsAreAsMany() throws {
    let connection = try connection(XTFunction("UPPER", arguments: 1) { _ in "mine" })
    #expect(try connection.rows("SELECT upper('a'), lower('A')") == [["mine", "a"]])
  }

  @Test func scalar_deterministic_isTakenInAnIndexAndTheOtherIsNot() throws {
    let connection = try connection(
      XTFunction("sure", arguments: 1, deterministic: true) { $0[0] },
      XTFunction("unsure", arguments: 1) { $0[0] })
    try connection.run("CREATE TABLE t (a)")
    try connection.run("CREATE INDEX i ON t (sure(a))")
    #expect(throws: XTError.self) { try connection.run("CREATE INDEX j ON t (unsure(a))") }
  }

  @Test func scalar_runsAStatementOfItsOwn_bothGoOn() throws {
    let place = Mutex<Connection?>(nil)
    let connection = try connection(
      XTFunction("tenfold", arguments: 1) { values in
        try place.withLock { try $0?.firstValue("SELECT 10 * ?", values) } ?? .null
      })
    place.withLock { $0 = connection }
    defer { place.withLock { $0 = nil } }
    let rows = try connection.rows(
      "SELECT tenfold(x) FROM (SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 3)")
    #expect(rows == [[10], [20], [30]])
  }

  // MARK: Aggregates

  static let longest = XTFunction(aggregate: "longest", arguments: 1, from: "") {
    longest, values in
    if let text = values[0].string, text.count > longest.count { longest = text }
  } result: { longest in
    .text(longest)
  }

  @Test func aggregate_groups_haveAStateEach() throws {
    let connection = try connection(Self.longest)
    try connection.executeScript(
      """
      CREATE TABLE t (k, a);
      INSERT INTO t VALUES (1, 'a'), (2, 'bbb'), (1, 'cc'), (2, 'dd'), (3, NULL)
      """)
    let rows = try connection.rows("SELECT k, longest(a) FROM t GROUP BY k ORDER BY k")
    #expect(rows == [[1, "cc"], [2, "bbb"], [3, ""]])
    #expect(try connection.firstValue("SELECT longest(a) FROM t WHERE 0") == "")
  }

  @Test func aggregate_twoInOneStatement_doNotShare() throws {
    let connection = try connection(Self.longest)
    let rows = try connection.rows(
      "SELECT longest(a), longest(b) FROM (SELECT 'x' AS a, 'yy' AS b UNION ALL SELECT 'zzz', '')")
    #expect(rows == [["zzz", "yy"]])
  }

  @Test(arguments: ["step", "result", "nan"])
  func aggregate_throws_isTheStatementsErrorAndItsStatesGo(_ place: String) throws {
    // Each case has its own: they run at the same time.
    final class State {
      let count: Mutex<Int>
      init(_ count: Mutex<Int>) {
        self.count = count
        count.withLock { $0 += 1 }
      }
      deinit { count.withLock { $0 -= 1 } }
    }
    let (states, results) = (Mutex(0), Mutex(0))
    let connection = try connection(
      XTFunction(aggregate: "fail", arguments: 1, from: State(states)) { _, _ in
        if place == "step" { throw Failure() }
      } result: { _ in
        results.withLock { $0 += 1 }
        if place == "nan" { return .real(.nan) }
        throw Failure()
      })
    let error = try failure(connection, "SELECT fail(1)")
    #expect(error.message == (place == "nan" ? "the SQL function fail gave NaN" : "not today"))
    #expect(results.withLock { $0 } == (place == "step" ? 0 : 1))
    #expect(states.withLock { $0 } == 0)
  }

  @Test func aggregate_statementEndedMidway_itsStateGoes() throws {
    final class State: Sendable {
      let token: Token
      init(_ token: Token) { self.token = token }
    }
    final class Token: Sendable {}
    weak var seen: Token?
    do {
      let tokens = Mutex<[Token]>([])
      let connection = try connection(
        XTFunction("fail", arguments: 1) { values in
          if values[0] == 3 { throw Failure() }
          return values[0]
        },
        XTFunction(aggregate: "collect", arguments: 1, from: State(Token())) { state, _ in
          tokens.withLock { $0 = [state.token] }
        } result: { _ in
          .null
        })
      _ = try failure(
        connection,
        "SELECT collect(fail(x)) FROM (SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 3)")
      seen = tokens.withLock { $0.first }
      #expect(seen != nil)
      tokens.withLock { $0 = [] }
      connection.close()
      #expect(seen == nil)
    }
  }

  // MARK: Names

  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 256), "xt_mine", "XT_casefold"])
  func validate_names_areRefused(_ name: String) throws {
    let function = #expect(throws: XTError.self) { try XTFunction(name) { _ in 1 }.validate() }
    let collation = #expect(throws: XTError.self) {
      try XTCollation(name) { _, _ in .orderedSame }.validate()
    }
    #expect(function?.hint != nil && collation?.hint != nil)
  }

  @Test(arguments: ["a b", "a`b", "表", "select", String(repeating: "x", count: 255)])
  func validate_oddNames_work(_ name: String) throws {
    let function = XTFunction(name, arguments: 1) { $0[0] }
    try function.validate()
    let connection = try connection(function)
    #expect(try connection.firstValue("SELECT \(quoted(name))(7)") == 7)
  }

  @Test(arguments: [-1, 128, Int.min, Int.max])
  func validate_wrongNumberOfArguments_throws(_ number: Int) {
    #expect(throws: XTError.self) { try XTFunction("f", arguments: number) { _ in 1 }.validate() }
  }

  @Test func validate_binaryCollation_throws() {
    let error = #expect(throws: XTError.self) {
      try XTCollation("Binary") { _, _ in .orderedSame }.validate()
    }
    #expect(error?.message.contains("BINARY") == true)
  }

  @Test func collation_ofTextsAndOfBytes_sort() throws {
    var settings = ConnectionSettings()
    settings.collations = [
      XTCollation("bylength") { left, right in
        left.count < right.count
          ? .orderedAscending : left.count == right.count ? .orderedSame : .orderedDescending
      },
      XTCollation(ofBytes: "byfirst") { left, right in
        let (left, right) = (left.first ?? 0, right.first ?? 0)
        return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
      },
    ]
    let connection = try Connection(settings)
    try connection.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES ('bé'), ('a'), ('')")
    #expect(
      try connection.rows("SELECT a FROM t ORDER BY a COLLATE bylength") == [[""], ["a"], ["bé"]])
    #expect(
      try connection.rows("SELECT a FROM t ORDER BY a COLLATE BYFIRST DESC")
        == [["bé"], ["a"], [""]])
  }
}
