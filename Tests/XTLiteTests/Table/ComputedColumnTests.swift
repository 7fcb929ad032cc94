import Foundation
import Testing

@testable import XTLite

private struct Sized: XTModel, Equatable {
  var pkid: Int64?
  var title = ""
  var size = 0
  var both: String?
}

private struct Ranked: XTModel, Equatable {
  var pkid: Int64?
  var title = ""
  var rank: Double?
}

private struct Area: XTModel, Equatable {
  var side = 0
  var area: Int?

  static var xt_keywords: XTKeywordMap { [\Area.area: "NULL AS (side * side)"] }
}

/// Columns whose values SQLite makes: read as they are, and never written.
@Suite(.enabled(if: SQLiteLibrary.versionNumber >= 3_031_000))
struct ComputedColumnTests {
  private func open() throws -> TestDatabase {
    try TestDatabase(
      after: """
        CREATE TABLE Sized (pkid INTEGER PRIMARY KEY, title TEXT,
          size INTEGER NOT NULL AS (length(title)), both TEXT AS (title || '!') STORED);
        INSERT INTO Sized (title) VALUES ('a'), ('bb')
        """)
  }

  @Test func generatedColumn_isReadAndAskedFor() throws {
    let test = try open()
    let table = test.table(Sized.self)
    #expect(
      try table.findAll() == [
        Sized(pkid: 1, title: "a", size: 1, both: "a!"),
        Sized(pkid: 2, title: "bb", size: 2, both: "bb!"),
      ])
    #expect(try table.find(where: \.size > 1).map(\.title) == ["bb"])
    #expect(try table.sum(of: \.size) == 3)
    #expect(try table.max(of: \.both) == "bb!")
  }

  @Test func modelWithAGeneratedColumn_isWrittenWithoutIt() throws {
    let test = try open()
    let table = test.table(Sized.self)
    var new = Sized(title: "ccc", size: 99, both: "?")
    try table.insert(&new)
    try table.insertList([Sized(title: "dddd")])
    try table.update(Sized(pkid: 1, title: "aaaaa", size: 7))
    try table.save(&new)
    new.pkid = nil
    try table.upsert(&new, by: \.size)
    #expect(
      try test.seen("SELECT * FROM Sized") == [
        "1|aaaaa|5|aaaaa!", "2|bb|2|bb!", "3|ccc|3|ccc!", "4|dddd|4|dddd!", "5|ccc|3|ccc!",
      ])
  }

  @Test func verbThatNamesAGeneratedColumn_isRefused() throws {
    let test = try open()
    let table = test.table(Sized.self)
    var new = Sized(title: "ccc")
    for call in [
      { _ = try table.insert(&new, only: \.title, \.size) },
      { _ = try table.insertList([new], only: \.both) },
      { try table.update(Sized(pkid: 1), only: \.size) },
      { try table.update(where: nil, .set(\.size, to: 3)) },
      { try table.updateAll(.add(\.size, 3)) },
    ] as [() throws -> Void] {
      let error = #expect(throws: XTError.self) { try call() }
      #expect(error?.kind == .schema && error?.hint?.contains("not written") == true)
    }
    #expect(try test.seen("SELECT title FROM Sized") == ["a", "bb"])
  }

  @Test func keyword_makesAGeneratedColumnOfOurOwn() throws {
    let test = try TestDatabase()
    let table = test.table(Area.self)
    try table.insertList([Area(side: 3), Area(side: 4, area: 1)])
    #expect(try table.findAll().map(\.area) == [9, 16])
    #expect(try test.seen("SELECT area FROM Area") == ["9", "16"])
    #expect(try test.database.differences(for: [Area.self]) == [])
  }

  @Test func hiddenColumnOfAVirtualTable_isReadWhereItIsAskedFor() throws {
    let test = try TestDatabase(
      after: """
        CREATE VIRTUAL TABLE Ranked USING fts5(title);
        INSERT INTO Ranked VALUES ('one two'), ('two two')
        """)
    let table = test.table(Ranked.self)
    let condition: XTCondition<Ranked> = "title MATCH \("two")"
    let found = try table.find(where: condition, orderBy: .asc(\.rank))
    #expect(found.map(\.title) == ["two two", "one two"])
    #expect(found.allSatisfy { $0.rank.map { $0 < 0 } ?? false })
    var new = Ranked(title: "three", rank: 5)
    #expect(try table.insert(&new) == 3)
    #expect(try table.findAll().map(\.title).count == 3)
  }
}
