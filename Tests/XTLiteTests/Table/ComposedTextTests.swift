import Foundation
import Testing

@testable import XTLite

private let composed = "Caf\u{E9}"
private let decomposed = "Cafe\u{301}"

private struct Guest: XTModel, Equatable {
  var pkid: Int64?
  var name = ""
}

/// Two columns whose names are the same to Swift, and two to SQLite.
private struct Twins: XTModel, Equatable {
  var pkid: Int64?
  var key = ""
  var first: String?
  var second: String?

  static var xt_tableName: String { "Twins" }
  static var xt_columnNames: XTNameMap {
    [\Twins.first: composed, \Twins.second: decomposed]
  }
  static var xt_keywords: XTKeywordMap { [\Twins.key: .unique] }
}

private struct FewerTwins: XTModel {
  var pkid: Int64?
  var key = ""
  static var xt_tableName: String { "Twins" }
}

private struct UniqueTwins: XTModel {
  var pkid: Int64?
  var key = ""
  var first: String?
  var second: String?

  static var xt_tableName: String { "Twins" }
  static var xt_columnNames: XTNameMap {
    [\UniqueTwins.first: composed, \UniqueTwins.second: decomposed]
  }
  static var xt_constraints: [XTConstraint] {
    [.unique(\UniqueTwins.first), .unique(\UniqueTwins.second)]
  }
}

private struct CheckedTwins: XTModel {
  var pkid: Int64?
  var key = ""
  var first = 1
  var second = 2

  static var xt_tableName: String { "Twins" }
  static var xt_columnNames: XTNameMap {
    [\CheckedTwins.first: composed, \CheckedTwins.second: decomposed]
  }
  static var xt_constraints: [XTConstraint] {
    [.check("\(quoted(composed)) < \(quoted(decomposed))")]
  }
}

private struct LenientTwins: XTModel {
  var pkid: Int64?
  var key = ""
  var day = Date()
  var count = 3

  static var xt_tableName: String { "Twins" }
  static var xt_columnNames: XTNameMap {
    [\LenientTwins.day: composed, \LenientTwins.count: decomposed]
  }
}

/// Letters with an accent have two spellings, which Swift takes for the same and SQLite doesn't.
@Suite struct ComposedTextTests {
  @Test func statements_ofTextsInTwoSpellings_areTwo() throws {
    let connection = try Connection(ConnectionSettings())
    #expect(try connection.firstValue("SELECT '\(composed)'")?.string?.utf8.count == 5)
    #expect(try connection.firstValue("SELECT '\(decomposed)'")?.string?.utf8.count == 6)
    #expect(try connection.firstValue("SELECT '\(composed)'")?.string?.utf8.count == 5)
  }

  @Test func tally_textsInTwoSpellings_areTwo() {
    var tally = Tally()
    tally.add(sql: "SELECT '\(composed)'", runs: 1, nanoseconds: 0)
    tally.add(sql: "SELECT '\(decomposed)'", runs: 1, nanoseconds: 0)
    #expect(tally.statements.map(\.runs) == [1, 1])
  }

  @Test func conditions_inTwoSpellings_findTheirOwnRows() throws {
    let test = try TestDatabase()
    let guests = test.table(Guest.self)
    try guests.insertList([Guest(name: composed), Guest(name: decomposed)])
    let inOne = XTCondition<Guest>(unsafe: "name = '\(composed)'")
    let inTwo = XTCondition<Guest>(unsafe: "name = '\(decomposed)'")
    #expect(try guests.find(where: inOne).map(\.pkid) == [1])
    #expect(try guests.find(where: inTwo).map(\.pkid) == [2])
    #expect(try guests.count(where: inOne) == 1)
    #expect(try guests.delete(where: inOne) == 1)
    #expect(try guests.delete(where: inOne) == 0)
    #expect(try guests.delete(where: inTwo) == 1)
  }

  @Test func tables_namedInTwoSpellings_areTwo() throws {
    let test = try TestDatabase()
    try test.table(Guest.self, named: composed).insertList([Guest(name: "one")])
    try test.table(Guest.self, named: decomposed).insertList([Guest(name: "two"), Guest()])
    #expect(try test.table(Guest.self, named: composed).count() == 1)
    #expect(try test.table(Guest.self, named: decomposed).count() == 2)
    #expect(try test.columns(of: composed).count == test.columns(of: decomposed).count)
    #expect(try test.seen("SELECT count(*) FROM \(quoted(decomposed))") == ["2"])
    #expect(try !test.table(Guest.self, named: decomposed).create())
  }

  @Test func columns_inTwoSpellings_areWrittenEachForItself() throws {
    let test = try TestDatabase()
    let twins = test.table(Twins.self)
    try twins.insertList([Twins(key: "a", first: "1", second: "2")])
    let changed = Twins(pkid: 1, key: "a", first: "3", second: "4")
    func row() throws -> [String] {
      try test.seen("SELECT \(quoted(composed)), \(quoted(decomposed)) FROM Twins")
    }
    #expect(try twins.update(changed, only: \.first) == 1)
    #expect(try row() == ["3|2"])
    #expect(try twins.update(changed, only: \.second) == 1)
    #expect(try row() == ["3|4"])
    #expect(try twins.update(Twins(key: "b", first: "3", second: "9"), by: \.first) == 1)
    #expect(try twins.update(Twins(key: "c", first: "8", second: "3"), by: \.second) == 0)
    #expect(try twins.update(Twins(key: "c", first: "8", second: "9"), by: \.second) == 1)
    #expect(try row() == ["8|9"])
  }

  @Test func additions_ofColumnsInTwoSpellings_areTwo() throws {
    let test = try TestDatabase()
    try test.table(FewerTwins.self).insertList([FewerTwins(key: "a")])
    try test.table(UniqueTwins.self).insertList([UniqueTwins(key: "b", first: "x", second: "x")])
    for twin in [
      UniqueTwins(key: "c", first: "x"), UniqueTwins(key: "c", second: "x"),
    ] {
      #expect(throws: XTError.self) { try test.table(UniqueTwins.self).insertList([twin]) }
    }
  }

  @Test func addition_ofCheckOverBoth_isMadeWithTheLast() throws {
    let test = try TestDatabase()
    try test.table(FewerTwins.self).insertList([FewerTwins(key: "a")])
    let twins = test.table(CheckedTwins.self)
    try twins.insertList([CheckedTwins(key: "b")])
    #expect(throws: XTError.self) { try twins.insertList([CheckedTwins(first: 4, second: 3)]) }
    #expect(try twins.count() == 2)
  }

  // SQLite renames columns from 3.25 on.
  @Test(.enabled(if: SQLiteLibrary.versionNumber >= 3_025_000))
  func nullOfOneSpelling_isNoneOfTheOther() throws {
    let test = try TestDatabase()
    try test.table(FewerTwins.self).insertList([FewerTwins(key: "a")])
    let twins = test.table(LenientTwins.self)
    try twins.insertList([LenientTwins(key: "b")])
    try test.outside(
      """
      ALTER TABLE Twins RENAME COLUMN \(quoted(decomposed)) TO old;
      ALTER TABLE Twins ADD COLUMN \(quoted(decomposed)) INTEGER
      """)
    #expect(throws: XTError.self) { try twins.findAll() }
  }

  @Test func column_renamedToTheOtherSpelling_isSeen() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE Twins (pkid INTEGER PRIMARY KEY, key, \(quoted(composed)))")
    let twins = test.table(Twins.self)
    #expect(try twins.findAll().isEmpty)
    try test.outside(
      "DROP TABLE Twins; CREATE TABLE Twins (pkid INTEGER PRIMARY KEY, key, \(quoted(decomposed)));"
        + "INSERT INTO Twins VALUES (1, 'a', 'x')")
    #expect(try twins.findAll() == [Twins(pkid: 1, key: "a", second: "x")])
  }
}
