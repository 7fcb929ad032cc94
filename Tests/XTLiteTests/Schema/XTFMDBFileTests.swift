import Foundation
import Testing

@testable import XTLite

private struct Shadow: Codable, Hashable {
  var name = ""
  var size = 0
}

private struct Info: Codable, Hashable {
  var infoID = 0
  var infoStr = ""
}

private struct AnyModel: XTModel, Equatable {
  var pkid: Int64?
  var xt_createTime: Date?
  var age = 0
  var floatVal = 0.0
  var tick: Int64 = 0
  var title = ""
  var image = Data()
  var shadows: [Shadow] = []
  var attachments: [String: [String: String]] = [:]
  var today = Date()
  var sInfo: Info?
  var fatherName = ""
  var b1: String?
  var b2: Int?

  static var xt_tableName: String { "AnyModel" }
  static var xt_keywords: XTKeywordMap { [\AnyModel.title: .unique] }
}

/// The same table in other types.
private final class OtherModel: XTModel {
  var image: Data?
  var shadows: Set<Shadow>? = [Shadow()]
  var attachments: [String: [String: String]] = ["a": [:]]
  var sInfo = Info(infoID: 8, infoStr: "as made")
  var isSeen = true

  static var xt_tableName: String { "AnyModel" }
  static var xt_ignored: XTKeyPaths { [\OtherModel.isSeen] }
  required init() {}
}

private struct Strange: XTModel {
  var image = Data()
}

/// A file as XTFMDB, the Objective-C library, wrote it.
@Suite struct XTFMDBFileTests {
  private static let automatic = """
    pkid INTEGER PRIMARY KEY AUTOINCREMENT DEFAULT '1',xt_createTime BIGINT NOT NULL  DEFAULT '0' ,\
    xt_updateTime BIGINT NOT NULL  DEFAULT '0' ,xt_isDel BOOLEAN NOT NULL  DEFAULT '0' ,
    """

  private static let file = """
    CREATE TABLE XTDBVersion ( \(automatic)version INTEGER NOT NULL  DEFAULT '0' UNIQUE );
    INSERT INTO XTDBVersion (xt_createTime,xt_updateTime,xt_isDel,version)
      VALUES ('1528300000','1650000000','0','3');
    CREATE TABLE AnyModel ( \(automatic)age INTEGER NOT NULL  DEFAULT '0' ,\
    floatVal DOUBLE NOT NULL  DEFAULT '0' ,tick BIGINT NOT NULL  DEFAULT '0' ,\
    title TEXT NOT NULL  DEFAULT '' UNIQUE,image TEXT NOT NULL  DEFAULT '' ,\
    shadows TEXT NOT NULL  DEFAULT '' ,attachments TEXT NOT NULL  DEFAULT '' ,\
    today BIGINT NOT NULL  DEFAULT '0' ,sInfo TEXT NOT NULL  DEFAULT '' ,\
    fatherName TEXT NOT NULL  DEFAULT '' );
    ALTER TABLE AnyModel ADD b1 TEXT;
    ALTER TABLE AnyModel ADD b2 INTEGER;
    INSERT INTO AnyModel (xt_createTime, xt_updateTime, xt_isDel, age, floatVal, tick, title, image,
      shadows, attachments, today, sInfo, fatherName, b1, b2) VALUES
      ('1528300060', '1528300065', '0', '1', '0.125', '1528300000001', 'eins 🙂',
        replace('\(encoded)', '|', char(10)), '[{"name": "s0", "size": 0}]',
        '{"k0": {"path": "/a/0"}}', '1528300060', '{"infoID": 1, "infoStr": "信息 1"}', 'f', NULL,
        NULL),
      ('1528300120', '1528300125', '0', '2', '2', '7', 'zwei', '', '', '', '0', '', '', 'b', 5)
    """

  /// In lines of 76 characters, parted by "|" here.
  private static let encoded = bytes.base64EncodedString().enumerated().map { index, character in
    index > 0 && index % 76 == 0 ? "|\(character)" : "\(character)"
  }.joined()

  private static var bytes: Data { Data((0..<150).map { UInt8($0) }) }

  private func open() throws -> TestDatabase { try TestDatabase(after: Self.file) }

  @Test func everyRow_isReadAsItWasMeant() throws {
    let test = try open()
    let table = test.table(AnyModel.self)
    let wanted = [
      AnyModel(
        pkid: 1, xt_createTime: Date(timeIntervalSince1970: 1_528_300_060), age: 1,
        floatVal: 0.125, tick: 1_528_300_000_001, title: "eins 🙂", image: Self.bytes,
        shadows: [Shadow(name: "s0")], attachments: ["k0": ["path": "/a/0"]],
        today: Date(timeIntervalSince1970: 1_528_300_060), sInfo: Info(infoID: 1, infoStr: "信息 1"),
        fatherName: "f"),
      AnyModel(
        pkid: 2, xt_createTime: Date(timeIntervalSince1970: 1_528_300_120), age: 2, floatVal: 2,
        tick: 7, title: "zwei", today: Date(timeIntervalSince1970: 0), b1: "b", b2: 5),
    ]
    #expect(try table.findAll() == wanted)
    #expect(try table.find(pkid: 1) == wanted[0])
    #expect(try table.find(sql: "SELECT * FROM AnyModel ORDER BY pkid DESC") == wanted.reversed())
    #expect(try table.findAll(only: \.image, \.shadows).map(\.image) == [Self.bytes, Data()])
    var seen: [AnyModel] = []
    try table.forEach { seen.append($0) }
    #expect(seen == wanted)
    let selected: [(Data, [Shadow])] = try table.select(\.image, \.shadows)
    #expect(selected.map(\.0) == [Self.bytes, Data()])
    #expect(selected.map(\.1) == [[Shadow(name: "s0")], []])
    // Nothing was written by reading.
    #expect(try test.tables() == ["AnyModel", "XTDBVersion"])
    #expect(try test.seen("SELECT DISTINCT typeof(image) FROM AnyModel") == ["text"])
  }

  @Test func emptyText_isNilWhereItCanBe_andElseWhatTheModelIsMadeWith() throws {
    let test = try open()
    let found = try test.table(OtherModel.self).findAll()
    #expect(found.map(\.image) == [Self.bytes, nil])
    #expect(found.map(\.shadows) == [[Shadow(name: "s0")], nil])
    #expect(found.map(\.attachments) == [["k0": ["path": "/a/0"]], ["a": [:]]])
    #expect(found.map(\.sInfo.infoID) == [1, 8])
    #expect(found.map(\.pkid) == [1, 2])
  }

  @Test func whatIsWritten_isReadAgain() throws {
    let test = try open()
    let table = test.table(AnyModel.self)
    var all = try table.findAll()
    try table.updateList(all)
    #expect(try table.findAll() == all)
    #expect(
      try test.seen("SELECT typeof(image), shadows FROM AnyModel") == [
        #"blob|[{"name":"s0","size":0}]"#, "blob|[]",
      ])
    var new = all[0]
    new.pkid = nil
    new.title = "drei"
    try table.insert(&new)
    #expect(new.pkid == 3)
    all.append(new)
    #expect(try table.findAll().map(\.title) == all.map(\.title))
    #expect(try table.find(pkid: 3)?.image == Self.bytes)
    #expect(try table.softDelete(new))
    #expect(try table.count() == 2)
    #expect(try test.seen("SELECT count(*) FROM sqlite_master WHERE name LIKE 'xtlite%'") == ["0"])
  }

  @Test func textThatIsNoBase64_throws() throws {
    let test = try open()
    for text in ["abc", "Zm9v!", "no base64", "{}", " Zm9v"] {
      try test.outside("UPDATE AnyModel SET image = '\(text)' WHERE pkid = 2")
      let error = #expect(throws: XTError.self) { try test.table(AnyModel.self).findAll() }
      #expect(error?.kind == .decoding && error?.column == "image")
    }
    try test.outside("UPDATE AnyModel SET image = '', shadows = 'x' WHERE pkid = 2")
    #expect(throws: XTError.self) { try test.table(AnyModel.self).findAll() }
  }

  /// Text in a column of bytes is nothing that XTLite wrote; what it means, only its writer knows.
  @Test func textInOtherTables_isNoBase64() throws {
    for definition in [
      "pkid INTEGER PRIMARY KEY, image TEXT", "pkid INTEGER PRIMARY KEY, image",
      "pkid INTEGER PRIMARY KEY AUTOINCREMENT, xt_createTime REAL, xt_updateTime REAL, "
        + "xt_isDel BOOLEAN NOT NULL DEFAULT 0, image TEXT",
    ] {
      let test = try TestDatabase(
        after: "CREATE TABLE Strange (\(definition)); INSERT INTO Strange (image) VALUES ('Zm9v')")
      let error = #expect(throws: XTError.self) { try test.table(Strange.self).findAll() }
      #expect(error?.kind == .decoding)
    }
    let test = try TestDatabase()
    try test.table(Strange.self).create()
    try test.outside("INSERT INTO Strange (image) VALUES ('Zm9v')")
    #expect(throws: XTError.self) { try test.table(Strange.self).findAll() }
  }

  // MARK: Versions

  @Test func versionOfTheFile_countsAsApplied() throws {
    let test = try open()
    for version in [1, 3] {
      #expect(
        try !test.database.upgrade(
          AnyModel.self, add: [\AnyModel.b1, \AnyModel.b2], version: version))
    }
    #expect(
      try test.seen("SELECT * FROM xtlite_versions") == ["AnyModel|1", "AnyModel|3"])
    // And costs one SELECT from then on.
    let sql = try test.statements {
      try test.database.upgrade(AnyModel.self, add: [\AnyModel.b1], version: 3)
    }
    #expect(sql.count == 1 && sql[0].hasPrefix("SELECT"))
    #expect(try test.seen("SELECT version FROM XTDBVersion") == ["3"])
  }

  @Test func laterVersion_isApplied() throws {
    let test = try open()
    try test.outside("UPDATE XTDBVersion SET version = 2")
    #expect(
      try test.database.upgrade(LaterModel.self, add: [\LaterModel.nick], version: 3))
    #expect(try test.columns(of: "AnyModel").last == "nick")
    #expect(try test.seen("SELECT nick FROM AnyModel") == ["none", "none"])
    #expect(try test.table(LaterModel.self).find(pkid: 1)?.image == Self.bytes)
  }

  @Test func versionThatPassedTheTableBy_isApplied() throws {
    let test = try open()
    #expect(
      try test.database.upgrade(LaterModel.self, add: [\LaterModel.nick], version: 2))
    #expect(try test.columns(of: "AnyModel").last == "nick")
  }

  @Test func tableOfAnotherProgram_hasNoVersion() throws {
    let test = try TestDatabase(
      after: Self.file + "; CREATE TABLE Strange (pkid INTEGER PRIMARY KEY, image BLOB)")
    #expect(try test.database.upgrade(Strange.self, add: [\Strange.image], version: 2))
    #expect(try test.seen("SELECT * FROM xtlite_versions") == ["Strange|2"])
  }
}

private struct LaterModel: XTModel {
  var pkid: Int64?
  var image = Data()
  var nick = "none"

  static var xt_tableName: String { "AnyModel" }
}
