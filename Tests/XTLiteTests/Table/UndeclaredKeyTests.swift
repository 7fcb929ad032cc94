import Testing

@testable import XTLite

/// A key that a later build declares, over a table whose rows never had to be unique in it.
@Suite struct UndeclaredKeyTests {
  private struct Coded: XTModel {
    var pkid: Int64?
    var code = ""
    var number = 0
    static var xt_tableName: String { "Coded" }
  }

  private struct KeyedByCode: XTModel {
    var code = ""
    var number = 0
    static var xt_tableName: String { "Coded" }
    static var xt_keywords: XTKeywordMap { [\KeyedByCode.code: .unique] }
  }

  private let database: XTDatabase

  init() throws {
    database = try XTDatabase.inMemory()
    try database.table(Coded.self).insertList([
      Coded(code: "A", number: 1), Coded(code: "A", number: 2), Coded(code: "B", number: 3),
    ])
  }

  private var numbers: [Int] {
    get throws { try database.table(Coded.self).findAll(orderBy: .asc(\.pkid)).map(\.number) }
  }

  @Test func updateAndDelete_byAKeyThatTheFileHasNot_throwAndTouchNoRow() throws {
    let table = database.table(KeyedByCode.self)
    for verb in [{ try table.update($0) }, { try table.delete($0) ? 1 : 0 }]
      as [(KeyedByCode) throws -> Int]
    {
      let error = #expect(throws: XTError.self) { _ = try verb(KeyedByCode(code: "A", number: 99)) }
      #expect(error?.kind == .noIdentity)
    }
    #expect(try numbers == [1, 2, 3])
  }

  @Test func update_byAKeyThatTheFileHas_changesItsOneRow() throws {
    try database.execute(
      "DELETE FROM Coded WHERE number = 2; CREATE UNIQUE INDEX k ON Coded (code)")
    #expect(try database.table(KeyedByCode.self).update(KeyedByCode(code: "A", number: 99)) == 1)
    #expect(try numbers == [99, 3])
  }
}
