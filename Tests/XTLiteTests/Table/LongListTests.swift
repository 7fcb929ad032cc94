import Foundation
import Testing

@testable import XTLite

private struct Listed: XTModel {
  var pkid: Int64?
  var name = ""
  var nick: String?
  var big: Int64 = 0
  var price = Decimal()
  var bytes = Data()
  var seen = Date(timeIntervalSince1970: 0)

  init() {}

  init(_ number: Int) {
    name = "n\(number)\0\(number % 2 == 0 ? "'" : "\u{1F389}")"
    nick = number % 3 == 0 ? nil : "k\(number)"
    big = 9_007_199_254_740_993 + Int64(number)
    price = Decimal(number) / 4
    bytes = Data([UInt8(number & 0xFF), UInt8(number >> 8)])
    seen = Date(timeIntervalSince1970: Double(number) + 0.5)
  }
}

/// Lists beyond what a statement takes parameters for.
@Suite struct LongListTests {
  private let test: TestDatabase
  private let table: XTTable<Listed>
  private static let count = 3_000

  init() throws {
    test = try TestDatabase()
    table = test.table(Listed.self)
    try table.insertList((0..<Self.count).map(Listed.init))
  }

  private var even: [Listed] {
    (0..<Self.count).filter { $0 % 2 == 0 }.map(Listed.init)
  }

  @Test func list_isOneParameterFromAHundredOn() {
    let short = (\Listed.big).in(1...100)
    #expect(short.values.count == 100 && !short.sql.contains("xt_list"))
    let long = (\Listed.big).in(1...101)
    #expect(long.sql == "`big` IN (SELECT value FROM xt_list(?))")
    #expect(long.values.count == 1)
    #expect((\Listed.big).in(1...9_999).sql == long.sql)
    #expect((!long).sql == "NOT (\(long.sql))")
    #expect((long && \.name == "a").sql == "\(long.sql) AND `name` = ?")
    #expect(
      (\Listed.price).notIn((1...101).map { Decimal($0) }).sql
        == "`price` COLLATE xt_decimal NOT IN (SELECT value FROM xt_list(?))")
  }

  @Test func list_ofEveryType_findsTheSameAsOneByOne() throws {
    let even = even
    #expect(try table.count(where: (\Listed.big).in(even.map(\.big))) == even.count)
    #expect(try table.count(where: (\Listed.name).in(even.map(\.name))) == even.count)
    #expect(try table.count(where: (\Listed.bytes).in(even.map(\.bytes))) == even.count)
    #expect(try table.count(where: (\Listed.seen).in(even.map(\.seen))) == even.count)
    #expect(try table.count(where: (\Listed.price).in(even.map(\.price))) == even.count)
    #expect(try table.count(where: (\Listed.big).notIn(even.map(\.big))) == Self.count - even.count)
    let first = try table.find(
      where: (\Listed.big).in(even.map(\.big)), orderBy: .desc(\.big), limit: 2)
    #expect(first.map(\.big) == even.suffix(2).reversed().map(\.big))
  }

  @Test func nil_inALongList_isNull() throws {
    let nicks = even.map(\.nick)
    let isNil = (0..<Self.count).count { $0 % 3 == 0 }
    let named = Set(nicks.compactMap { $0 }).count
    #expect(try table.count(where: (\Listed.nick).in(nicks)) == named + isNil)
    #expect(try table.count(where: (\Listed.nick).notIn(nicks)) == Self.count - isNil - named)
    // SQL's own meaning, where SQL is written.
    #expect(try table.count(where: "nick IN \(list: nicks)") == named)
    #expect(try table.count(where: "nick NOT IN \(list: nicks)") == 0)
  }

  @Test func list_inRawText_isOneParameterBehindIn() throws {
    let bigs = even.map(\.big)
    let forms: [XTCondition<Listed>] = [
      "big IN \(list: bigs)", "big IN (\(list: bigs))", "big IN ( \(list: bigs) /* ) */ )",
      "big IN (SELECT big FROM Listed WHERE big IN (\(list: bigs)))",
      "NOT big NOT IN \(list: bigs)",
    ]
    for form in forms {
      #expect(form.values.count == 1, "\(form)")
      #expect(try table.count(where: form) == bigs.count, "\(form)")
    }
    // With more in the parentheses each has its own.
    let more: XTCondition<Listed> = "big IN (\(list: bigs), \(bigs[0] + 1))"
    #expect(more.values.count == bigs.count + 1)
    #expect(try table.count(where: more) == bigs.count + 1)
  }

  @Test func list_ofARowsValues_isWrittenOut() throws {
    let row = Array(0..<150)
    let sql: XTSQL = "INSERT INTO t VALUES (\(list: row))"
    #expect(sql.values.count == 150)
    let names = row.map { "c\($0)" }.joined(separator: ", ")
    try test.database.execute(XTSQL(unsafe: "CREATE TABLE t (\(names))"))
    try test.database.execute(sql)
    #expect(try test.seen("SELECT c0, c149 FROM t") == ["0|149"])
  }

  @Test func chainOfThousands_findsItsRows() throws {
    let numbers = stride(from: 0, to: Self.count, by: 2)
    let chain = numbers.map { Listed($0) }.map { \Listed.big == $0.big && \.name == $0.name }
    let any = chain.dropFirst().reduce(chain[0], ||)
    #expect(any.values.count == Self.count)
    #expect(try table.count(where: any) == Self.count / 2)
    #expect(
      try table.find(where: any, orderBy: .desc(\.big), limit: 1).map(\.big)
        == [Listed(Self.count - 2).big])
    #expect(try table.update(where: any, .set(\.nick, to: "x")) == Self.count / 2)
    #expect(try table.delete(where: any) == Self.count / 2)
    #expect(try test.seen("SELECT count(*), sum(big % 2 = 1) FROM Listed") == ["1500|0"])
  }

  @Test func hundredThousandKeys_areDeletedInOneStatement() throws {
    let keys = Array(1...100_000) as [Int64]
    let statements = try test.statements { () throws in
      #expect(try table.delete(where: (\Listed.pkid).in(keys)) == Self.count)
    }
    #expect(statements.count { $0.hasPrefix("DELETE") } == 1)
    #expect(try test.seen("SELECT count(*) FROM Listed") == ["0"])
  }

  @Test func hundredThousandKeys_areFoundInTheirOrder() throws {
    let keys = (1...100_000).map { Int64($0 * 7_919 % 100_003) }
    let found = try table.find(pkids: keys)
    #expect(found.compactMap(\.pkid) == keys.filter { (1...Int64(Self.count)).contains($0) })
    #expect(try table.find(pkids: [5, 5, 0, 4]).compactMap(\.pkid) == [5, 5, 4])
  }

  @Test func longList_onTheWriterAndInItsBlocks_works() throws {
    let bigs = even.map(\.big)
    try test.database.transaction { () throws in
      #expect(try table.update(where: (\Listed.big).in(bigs), .set(\.nick, to: "w")) == bigs.count)
      #expect(try table.count(where: (\Listed.big).in(bigs) && \.nick == "w") == bigs.count)
      try test.database.rollback()
    }
    try test.database.read { () throws in
      #expect(try table.count(where: (\Listed.big).in(bigs) && \.nick == "w") == 0)
    }
    #expect(try table.softDelete(where: (\Listed.big).in(bigs)) == bigs.count)
    #expect(try table.count(where: (\Listed.big).in(bigs)) == 0)
  }

  @Test func longList_usesTheIndex() throws {
    let condition: XTCondition<Listed> = (\Listed.pkid).in(Array(1...1_000))
    let plan = try test.database.reading { connection in
      let sql = "EXPLAIN QUERY PLAN SELECT * FROM Listed WHERE \(condition.sql)"
      return try connection.rows(sql, condition.values)
    }
    #expect(plan.contains { $0.last?.string?.contains("PRIMARY KEY") == true })
  }

  @Test func textDates_areNotComparedWithALongListOfNumbers() throws {
    let other = try TestDatabase(
      after: "CREATE TABLE Listed (name TEXT, seen DATETIME); "
        + "INSERT INTO Listed VALUES ('a', '2020-01-02 03:04:05')")
    let dates = (0..<200).map { Date(timeIntervalSince1970: Double($0)) }
    let error = #expect(throws: XTError.self) {
      try other.table(Listed.self).count(where: (\Listed.seen).in(dates))
    }
    #expect(error?.kind == .schema)
  }
}
