import Foundation
import Testing

@testable import XTLite

private struct LackingItem: XTModel {
  var code = ""
  var level = 7
  var nick: String?

  static var xt_tableName: String { "Item" }
  static var xt_primaryKey: XTKeyPaths { [\LackingItem.code] }
}

/// What a table lacks is in every row what `init()` gives, also for a statement that writes.
@Suite struct LackingColumnWriteTests {
  private typealias I = LackingItem

  private func items(_ table: String) throws -> (TestDatabase, XTTable<LackingItem>) {
    let sut = try TestDatabase(
      after: """
        \(table);
        INSERT INTO Item (code, size) VALUES ('a', 1), ('b', 2), ('c', 3);
        """)
    return (sut, sut.table(LackingItem.self))
  }

  @Test(
    arguments: [
      "CREATE TABLE Item (code TEXT PRIMARY KEY, size INTEGER)",
      "CREATE TABLE Item (code TEXT PRIMARY KEY, size INTEGER) WITHOUT ROWID",
      "CREATE TABLE Item (code TEXT, size INTEGER, PRIMARY KEY (code, size)) WITHOUT ROWID",
      "CREATE TABLE Item (rowid TEXT, code TEXT PRIMARY KEY, size INTEGER)",
    ])
  func findsAndWrites_withAConditionOnIt_agree(table: String) throws {
    let (sut, items) = try items(table)
    #expect(try items.count(where: \.level == 7) == 3)
    #expect(try items.count(where: I.xt.level + 1 == 8) == 3)
    #expect(try items.query().where(I.xt.nick.isNull && I.xt.code == "a").count() == 1)
    #expect(try items.update(where: \.level == 8, .set(\.code, to: "z")) == 0)
    #expect(try items.update(where: \.level == 7 && \.code == "a", .set(\.code, to: "z")) == 1)
    #expect(try items.delete(where: \.level != 7) == 0)
    #expect(try items.delete(where: "level = \(7) AND code = 'b'") == 1)
    #expect(try items.delete(where: I.xt.nick.isNull && I.xt.code == "c") == 1)
    #expect(try sut.seen("SELECT code FROM Item") == ["z"])
    #expect(try items.delete(where: nil, orderBy: .asc(\.level), limit: 1) == 1)
    #expect(try sut.seen("SELECT code FROM Item") == [])
  }

  @Test func conditionOnWhatIsThere_needsNoSubquery() throws {
    let (sut, items) = try items("CREATE TABLE Item (code TEXT PRIMARY KEY, size INTEGER)")
    _ = try items.delete(where: \.code == "level")
    let sql = try sut.statements { try items.delete(where: \.code == "level") }
    #expect(sql.contains("DELETE FROM `Item` WHERE `code` = ?"))
  }

  @Test func setting_whatTheTableLacks_isAnErrorThatSaysSo() throws {
    let (sut, items) = try items("CREATE TABLE Item (code TEXT PRIMARY KEY, size INTEGER)")
    let error = schemaError { try items.update(where: \.code == "a", .set(\.level, to: 1)) }
    #expect(error?.kind == .schema)
    #expect(error?.column == "level")
    #expect(try sut.seen("SELECT count(*) FROM Item") == ["3"])
  }
}
