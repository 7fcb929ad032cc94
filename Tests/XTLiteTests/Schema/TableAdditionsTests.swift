import Foundation
import Testing

@testable import XTLite

/// The first version of a table that the models of these tests go on from.
private struct First: XTModel {
  var name = ""
  static var xt_tableName: String { "Item" }
}

private struct Everything: XTModel {
  var name = ""
  var count = 7
  var text = "a, (b) 'c'"
  var flag = true
  var note: String?
  var day = Date()
  var token = UUID()
  var order = [1, 2]
  static var xt_tableName: String { "Item" }
}

private final class Counter: @unchecked Sendable {
  private let state = Mutex(0)
  func next() -> Int {
    state.withLock {
      $0 += 1
      return $0
    }
  }
}

private let counter = Counter()

private struct UniqueToken: XTModel {
  var name = ""
  var token = UUID()
  static var xt_tableName: String { "Item" }
  static var xt_keywords: XTKeywordMap { [\UniqueToken.token: .unique] }
}

private struct UniqueNumber: XTModel {
  var name = ""
  var number = counter.next()
  static var xt_tableName: String { "Item" }
  static var xt_keywords: XTKeywordMap { [\UniqueNumber.number: [.unique, "CHECK (number > 0)"]] }
}

private struct UniqueCode: XTModel {
  var name = ""
  var code = ""
  var other = 0
  static var xt_tableName: String { "Item" }
  static var xt_keywords: XTKeywordMap { [\UniqueCode.code: "UNIQUE COLLATE NOCASE"] }
}

private struct OptionalUnique: XTModel {
  var name = ""
  var code: String?
  static var xt_tableName: String { "Item" }
  static var xt_keywords: XTKeywordMap { [\OptionalUnique.code: .unique] }
}

struct TableAdditionsTests {
  private func fileWithRows(_ count: Int) throws -> SchemaFile {
    let file = try SchemaFile()
    try file.create(First.self)
    for number in 0..<count {
      try file.connection.run("INSERT INTO Item (name) VALUES (?)", [.text("n\(number)")])
    }
    return file
  }

  @Test(arguments: [0, 1, 3, 1203])
  func prepare_lackingColumns_areAddedWithAValueForEachRow(_ rows: Int) throws {
    let file = try fileWithRows(rows)
    let shape = try file.prepare(Everything.self)
    #expect(shape.missingColumns.isEmpty)
    #expect(
      try file.columns(of: "Item").suffix(7) == [
        "count|INTEGER|1|7|0", "text|TEXT|1|'a, (b) ''c'''|0", "flag|BOOLEAN|1|1|0",
        "note|TEXT|0|NULL|0", "day|REAL|0|NULL|0", "token|TEXT|0|NULL|0",
        "order|TEXT|1|'[1,2]'|0",
      ])
    #expect(
      try file.seen(
        "SELECT count(*) FROM Item WHERE count = 7 AND text = 'a, (b) ''c''' AND flag = 1"
          + " AND note IS NULL AND `order` = '[1,2]' AND typeof(day) = 'real'"
          + " AND length(token) = 36 AND name LIKE 'n%'")
        == ["\(rows)"])
    #expect(try file.seen("SELECT count(DISTINCT token) FROM Item") == ["\(rows)"])
    #expect(shape.lenientColumns.map(\.name) == ["day", "token"])
    #expect(
      try file.seen("SELECT column_name, is_lenient FROM xtlite_columns WHERE table_name = 'item'")
        == [
          "count|0", "day|1", "flag|0", "note|0", "order|0", "text|0", "token|1",
        ])
    #expect(try file.seen("PRAGMA integrity_check") == ["ok"])
  }

  @Test func prepare_secondTime_writesNothing() throws {
    let file = try fileWithRows(3)
    try file.prepare(Everything.self)
    let statements = try file.statements { _ = try file.prepare(Everything.self) }
    #expect(statements.allSatisfy { $0.hasPrefix("PRAGMA") || $0.hasPrefix("SELECT") })
    #expect(statements.count == 3)
  }

  @Test func prepare_nullsInLenientColumns_areFilledOnceMore() throws {
    let file = try fileWithRows(3)
    try file.prepare(Everything.self)
    let kept = try file.seen("SELECT token FROM Item WHERE pkid = 1")
    try file.connection.run("INSERT INTO Item (name) VALUES ('raw'), ('raw')")
    try file.connection.run("UPDATE Item SET note = NULL, token = NULL WHERE pkid = 2")
    try file.prepare(Everything.self)
    #expect(
      try file.seen("SELECT count(DISTINCT token), count(day), count(note) FROM Item") == ["5|5|0"])
    #expect(try file.seen("SELECT token FROM Item WHERE pkid = 1") == kept)
  }

  @Test func prepare_lenientColumnThatIsOptionalNow_keepsItsNulls() throws {
    struct Later: XTModel {
      var name = ""
      var day: Date?
      static var xt_tableName: String { "Item" }
    }
    let file = try fileWithRows(1)
    try file.prepare(Everything.self)
    try file.connection.run("UPDATE Item SET day = NULL")
    #expect(try file.prepare(Later.self).lenientColumns.isEmpty)
    #expect(try file.seen("SELECT day FROM Item") == ["NULL"])
  }

  @Test func prepare_nullsInATableThatWasCreatedSo_stay() throws {
    let file = try SchemaFile()
    try file.create(Everything.self)
    try file.connection.run("INSERT INTO Item (name) VALUES ('raw')")
    let shape = try file.prepare(Everything.self)
    #expect(shape.lenientColumns.isEmpty)
    #expect(try file.seen("SELECT count(*) FROM Item WHERE token IS NULL") == ["1"])
  }

  @Test func prepare_tableOfXTFMDB_getsItsColumns() throws {
    let file = try SchemaFile()
    try file.connection.executeScript(
      "CREATE TABLE Item ( pkid INTEGER PRIMARY KEY AUTOINCREMENT DEFAULT '1',xt_createTime"
        + " BIGINT NOT NULL DEFAULT '0',xt_updateTime BIGINT NOT NULL DEFAULT '0',"
        + "xt_isDel BOOLEAN NOT NULL DEFAULT '0', name TEXT NOT NULL DEFAULT '');"
        + "INSERT INTO Item (name) VALUES ('a'), ('b')")
    let shape = try file.prepare(Everything.self)
    #expect(shape.missingColumns.isEmpty)
    #expect(shape.lenientColumns.map(\.name) == ["day", "token"])
    #expect(try file.seen("SELECT count(DISTINCT token) FROM Item WHERE count = 7") == ["2"])
    // XTLite did not make it.
    #expect(try file.seen("SELECT count(*) FROM xtlite_tables") == ["0"])
  }

  @Test(arguments: [0, 1, 3])
  func prepare_uniquePropertyWithAValueForEachRow_becomesColumnAndIndex(_ rows: Int) throws {
    let file = try fileWithRows(rows)
    try file.prepare(UniqueToken.self)
    try file.prepare(UniqueNumber.self)
    #expect(
      try file.sql(of: "Item").suffix(2) == [
        "CREATE UNIQUE INDEX `Item_token_unique` ON `Item` (`token`)",
        "CREATE UNIQUE INDEX `Item_number_unique` ON `Item` (`number`)",
      ])
    #expect(
      try file.seen("SELECT count(DISTINCT token), count(DISTINCT number) FROM Item")
        == ["\(rows)|\(rows)"])
    #expect(try file.sql(of: "Item")[0].contains("CHECK (number > 0)"))
  }

  @Test(arguments: [0, 1])
  func prepare_uniquePropertyWithDefault_isAddedWhereNoRowsCollide(_ rows: Int) throws {
    let file = try fileWithRows(rows)
    try file.prepare(UniqueCode.self)
    #expect(
      try file.sql(of: "Item").last
        == "CREATE UNIQUE INDEX `Item_code_unique` ON `Item` (`code`)")
    #expect(try file.sql(of: "Item")[0].contains("`code` TEXT NOT NULL DEFAULT '' COLLATE NOCASE"))
  }

  @Test func prepare_uniquePropertyWithDefaultOverTwoRows_isRefusedBeforeAnything() throws {
    let file = try fileWithRows(2)
    let before = try file.sql(of: "Item")
    let changes = sqlite3_total_changes(file.connection.handle)
    let error = schemaError { try file.prepare(UniqueCode.self) }
    #expect(error?.kind == .upgrade)
    #expect(error?.column == "code")
    #expect(error?.hint?.contains("upgrade step") == true)
    #expect(try file.sql(of: "Item") == before)
    #expect(sqlite3_total_changes(file.connection.handle) == changes)
    #expect(try file.seen("SELECT count(*) FROM Item") == ["2"])
  }

  @Test func prepare_optionalUniqueProperty_isAddedOverManyRows() throws {
    let file = try fileWithRows(3)
    try file.prepare(OptionalUnique.self)
    try file.connection.run("UPDATE Item SET code = 'x' WHERE pkid = 1")
    #expect(
      schemaErrorKind { try file.connection.run("UPDATE Item SET code = 'x' WHERE pkid = 2") }
        == .constraint(.unique))
  }

  @Test func prepare_automaticColumnsTurnedOn_areAddedButForPkid() throws {
    let file = try SchemaFile()
    try file.create(First.self, automaticColumns: false)
    try file.connection.run("INSERT INTO Item (name) VALUES ('a')")
    let shape = try file.prepare(First.self)
    #expect(
      try file.columns(of: "Item").map { $0.prefix { $0 != "|" } }
        == ["name", "xt_createTime", "xt_updateTime", "xt_isDel"])
    #expect(shape.rowIDName == nil && shape.has(.isDel) && !shape.has(.pkid))
    // Without a key column rows are told apart by their rowid.
    try file.prepare(Everything.self)
    #expect(try file.seen("SELECT length(token) FROM Item") == ["36"])
  }

  @Test func prepare_rolledBack_leavesColumnAndRecordBehindNowhere() throws {
    struct Stop: Error {}
    let file = try fileWithRows(2)
    let before = try file.sql(of: "Item")
    #expect(throws: Stop.self) {
      try file.connection.inTransaction {
        try file.prepare(Everything.self)
        throw Stop()
      }
    }
    #expect(try file.sql(of: "Item") == before)
    #expect(try file.seen("SELECT count(*) FROM xtlite_columns") == ["0"])
    #expect(try file.prepare(Everything.self).missingColumns.isEmpty)
  }

  @Test func prepare_caseOfAColumnDiffers_isNotAddedAgain() throws {
    struct Cased: XTModel {
      var NAME = ""
      static var xt_tableName: String { "ITEM" }
    }
    let file = try fileWithRows(1)
    let shape = try file.prepare(Cased.self)
    #expect(shape.isOwn && shape.missingColumns.isEmpty)
    #expect(try file.columns(of: "Item").count == 5)
  }
}
