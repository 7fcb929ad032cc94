import Foundation
import Testing

@testable import XTLite

private struct Track: XTModel {
  var id = 0
  var title = ""
  var seconds: Double?

  static var xt_primaryKey: XTKeyPaths { [\Track.id] }
}

private struct Numbered: XTModel {
  var pkid: Int64?
  var title = ""

  static var xt_tableName: String { "Track" }
}

private final class Keyless: XTModel {
  var title = ""
  var note = "none"

  static var xt_tableName: String { "Track" }
}

/// Tables that another program made: nothing is added to them, and what they lack is left out.
@Suite struct ForeignTableTests {
  private static let rows = "INSERT INTO Track VALUES (7, 'seven', 70.5), (3, 'three', NULL)"

  /// The same rows in every form that an integer key can have.
  private static let keys = [
    "CREATE TABLE Track (id INTEGER PRIMARY KEY, title TEXT, seconds REAL)",
    "CREATE TABLE Track (id INT PRIMARY KEY, title TEXT, seconds REAL)",
    "CREATE TABLE Track (id INTEGER PRIMARY KEY DESC, title TEXT, seconds REAL)",
    "CREATE TABLE Track (id INTEGER PRIMARY KEY, title TEXT, seconds REAL) WITHOUT ROWID",
    "CREATE TABLE Track (id INTEGER, title TEXT, seconds REAL, UNIQUE (id))",
    "CREATE TABLE Track (id INTEGER, title TEXT, seconds REAL)",
    "CREATE TABLE Track (ID integer primary key, TITLE TEXT, Seconds REAL)",
  ]

  @Test(arguments: keys)
  func reads_anIntegerKeyOfTheirOwn_findByIt(definition: String) throws {
    let test = try TestDatabase(after: "\(definition); \(Self.rows)")
    let tracks = test.table(Track.self)
    #expect(try tracks.find(pkid: 7)?.title == "seven")
    #expect(try tracks.find(pkid: 7, scope: .all)?.seconds == 70.5)
    #expect(try tracks.find(pkid: 1) == nil)
    #expect(try tracks.find(pkids: [3, 1, 7]).map(\.title) == ["three", "seven"])
    #expect(try tracks.findAll(orderBy: .asc(\.id)).map(\.id) == [3, 7])
    #expect(try tracks.find(where: \.seconds == nil).map(\.id) == [3])
    #expect(try tracks.findFirst(where: "title = \("seven")")?.id == 7)
    #expect(try tracks.count() == 2)
    #expect(try tracks.max(of: \.id) == 7)
    #expect(try tracks.select(\.title, orderBy: .desc(\.id)) == ["seven", "three"])
    #expect(try test.tables() == ["Track"])
  }

  @Test(arguments: keys)
  func writes_anIntegerKeyOfTheirOwn_goToTheRowOfThatKey(definition: String) throws {
    let test = try TestDatabase(after: "\(definition); \(Self.rows)")
    let tracks = test.table(Track.self)
    var seven = try #require(try tracks.findFirst(where: \.id == 7))
    seven.title = "sept"
    try tracks.update(seven)
    #expect(try test.seen("SELECT * FROM Track ORDER BY id") == ["3|three|NULL", "7|sept|70.5"])
    #expect(try tracks.delete(seven))
    #expect(try test.seen("SELECT id FROM Track") == ["3"])
  }

  @Test(arguments: keys)
  func softDeletion_whereThereIsNone_throwsForItsScopeAlone(definition: String) throws {
    let test = try TestDatabase(after: "\(definition); \(Self.rows)")
    let tracks = test.table(Track.self)
    for scope in [XTScope.live, .all] {
      #expect(try tracks.count(scope: scope) == 2)
      #expect(try tracks.findAll(scope: scope).count == 2)
      #expect(try tracks.has(where: \.id == 3, scope: scope))
      #expect(try tracks.sum(of: \.seconds, scope: scope) == 70.5)
      #expect(try tracks.select(\.id, scope: scope).count == 2)
    }
    let calls: [() throws -> Void] = [
      { _ = try tracks.count(scope: .deleted) }, { _ = try tracks.findAll(scope: .deleted) },
      { _ = try tracks.find(pkid: 7, scope: .deleted) },
      { _ = try tracks.has(where: \.id == 3, scope: .deleted) },
      { _ = try tracks.max(of: \.id, scope: .deleted) },
      { _ = try tracks.select(\.id, scope: .deleted) },
      { try tracks.forEach(scope: .deleted) { _ in } },
    ]
    for call in calls {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .schema)
      #expect(error?.column == "xt_isDel")
    }
  }

  @Test func pkid_whereTheKeyHasAnotherName_isThatKey() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE Track (nr INTEGER PRIMARY KEY, title TEXT, seconds REAL); \(Self.rows)")
    let tracks = test.table(Numbered.self)
    #expect(try tracks.find(pkid: 7)?.title == "seven")
    #expect(try tracks.find(pkid: 7)?.pkid == 7)
    #expect(try tracks.findAll(orderBy: .asc(\.pkid)).map(\.pkid) == [3, 7])
    #expect(try tracks.find(where: \.pkid == 3).map(\.title) == ["three"])
    #expect(try tracks.max(of: \.pkid) == 7)
    var seven = try #require(try tracks.find(pkid: 7))
    seven.title = "sept"
    try tracks.update(seven)
    #expect(try test.seen("SELECT nr, title FROM Track") == ["3|three", "7|sept"])
  }

  @Test func pkid_whereThereIsNoKey_isTheRowsNumber() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE Track (title TEXT); INSERT INTO Track VALUES ('a'), ('b')")
    let tracks = test.table(Numbered.self)
    #expect(try tracks.find(pkid: 2)?.title == "b")
    #expect(try tracks.find(where: \.pkid == 2).map(\.pkid) == [2])
    let objects = test.table(Keyless.self)
    let second = try #require(try objects.find(pkid: 2))
    #expect(second.title == "b" && second.pkid == 2 && second.note == "none")
    #expect(second.xt_createTime == nil && !second.xt_isDel)
    #expect(try objects.findAll(orderBy: .desc(\.pkid)).map(\.pkid) == [2, 1])
    #expect(try objects.find(where: \.pkid == 1).map(\.title) == ["a"])
    let numbers: [Int64?] = try objects.select(\.pkid)
    #expect(numbers == [1, 2])
    #expect(try objects.max(of: \.pkid) == 2)
    #expect(try objects.find(where: \.note == "none" && \.pkid > 1).map(\.title) == ["b"])
  }

  @Test func pkid_whereRowsHaveNoNumber_throwsWhatIsMissing() throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Track (title TEXT PRIMARY KEY) WITHOUT ROWID;
        INSERT INTO Track VALUES ('a'), ('b')
        """)
    let tracks = test.table(Numbered.self)
    #expect(try tracks.findAll(orderBy: .desc(\.title)).map(\.title) == ["b", "a"])
    #expect(try tracks.findAll().map(\.pkid) == [nil, nil])
    let objects = test.table(Keyless.self)
    #expect(try objects.findAll().map(\.pkid) == [nil, nil])
    for find in [
      { _ = try tracks.find(pkid: 1) }, { _ = try objects.find(pkid: 1, scope: .all) },
      { _ = try tracks.find(pkids: [1]) },
    ] as [() throws -> Void] {
      let error = #expect(throws: XTError.self) { try find() }
      #expect(error?.kind == .schema && error?.table == "Track")
    }
  }

  @Test func view_readsAsATable() throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE t (a, b); INSERT INTO t VALUES ('a', 1.5), ('b', NULL), ('c', 3);
        CREATE VIEW Track AS SELECT rowid AS id, a AS title, b AS seconds FROM t
        """)
    let tracks = test.table(Track.self)
    #expect(try tracks.findAll(orderBy: .desc(\.id), limit: 1).map(\.title) == ["c"])
    #expect(try tracks.find(pkid: 2)?.title == "b")
    #expect(try tracks.count(where: \.seconds > 1) == 2)
    #expect(try tracks.sum(of: \.seconds) == 4.5)
    #expect(try tracks.has(where: \.title == "c"))
    let objects = test.table(Keyless.self)
    #expect(try objects.findAll(orderBy: .asc(\.title)).map(\.note) == ["none", "none", "none"])
    #expect(throws: XTError.self) { try objects.find(pkid: 2) }
  }

  @Test func view_ofOurOwnTable_keepsItsNumbers() throws {
    let test = try TestDatabase()
    try test.table(Numbered.self).insertList([Numbered(title: "a"), Numbered(title: "b")])
    try test.database.execute("CREATE VIEW Later AS SELECT * FROM Track WHERE pkid > 1")
    #expect(try test.table(Numbered.self, named: "Later").find(pkid: 2)?.title == "b")
    #expect(try test.table(Keyless.self, named: "Later").findAll().map(\.pkid) == [2])
    #expect(try test.table(Numbered.self, named: "Later").count(scope: .deleted) == 0)
  }

  @Test func columnsThatTakeAllNamesOfTheRowID_areColumns() throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Track (title TEXT, rowid TEXT, oid TEXT, _rowid_ TEXT);
        INSERT INTO Track VALUES ('a', 'x', 'y', 'z')
        """)
    #expect(try test.table(Keyless.self).findAll().map(\.title) == ["a"])
    #expect(try test.table(Numbered.self).findAll().map(\.pkid) == [nil])
    #expect(throws: XTError.self) { try test.table(Numbered.self).find(pkid: 1) }
  }

  @Test func nullMark_isNoDeletion() throws {
    let test = try TestDatabase(
      after: """
        CREATE TABLE Track (title TEXT, xt_isDel INTEGER);
        INSERT INTO Track VALUES ('a', NULL), ('b', 0), ('c', 1)
        """)
    let tracks = test.table(Numbered.self)
    #expect(try tracks.findAll().map(\.title) == ["a", "b"])
    #expect(try tracks.find(where: "title < 'z' OR 0").map(\.title) == ["a", "b"])
    #expect(try tracks.find(pkid: 1)?.title == "a")
    #expect(try tracks.find(pkid: 3) == nil)
    #expect(try tracks.findAll(scope: .deleted).map(\.title) == ["c"])
    #expect(try tracks.count(scope: .all) == 3)
  }

  @Test func doubleQuotedName_thatTheTableDoesNotHave_isRefused() throws {
    let test = try TestDatabase(after: "\(Self.keys[0]); \(Self.rows)")
    let tracks = test.table(Numbered.self)
    #expect(try tracks.count(where: #""title" = 'seven'"#) == 1)
    #expect(try tracks.count(where: #""seconds" > 1"#) == 1)
    for wrong in [#""xt_isDel" = 0"#, #""titel" != 'x'"#] as [XTCondition<Numbered>] {
      let error = #expect(throws: XTError.self) { try tracks.count(where: wrong) }
      #expect(error?.kind == .unknownColumn)
    }
  }
}

extension Numbered {
  fileprivate init(title: String) {
    self.title = title
  }
}
