import Foundation
import Testing

@testable import XTLite

/// Indexes of words that a program takes away.
@Suite struct SearchRemovalTests {
  private static let engines: [any XTModel.Type] =
    isFTS5 ? [SearchLines.self, SearchLines4.self] : [SearchLines4.self]

  private func parts(_ test: TestDatabase) throws -> [String] {
    try test.seen("SELECT name FROM sqlite_master WHERE name LIKE 'SearchLines!_%' ESCAPE '!'")
  }

  @Test(arguments: engines.indices)
  func remove_withoutItsTokenizer_letsTheTableBeWritten(engine: Int) throws {
    let test = try TestDatabase { $0.add(tokenizer: Lines(), named: "lines") }
    try make(Self.engines[engine], test)
    #expect(try parts(test).count > 8)
    try test.database.close()

    var configuration = test.database.configuration
    configuration.removeTokenizer("lines")
    let database = try XTDatabase(path: test.path, configuration: configuration)
    let table = database.table(SearchLinesNoMore.self)
    for attempt in 0..<3 {
      let error = #expect(throws: XTError.self) {
        switch attempt {
        case 0: try table.insertList([SearchLinesNoMore(text: "more")])
        case 1: try table.update(where: \.pkid == 1, .set(\.text, to: "other"))
        default: try database.execute("DROP TABLE SearchLines_search")
        }
      }
      #expect(error?.hint?.contains("removeSearch()") == true, "\(String(describing: error))")
      #expect(error?.hint?.contains("add(tokenizer:") == true)
    }
    #expect(try table.removeSearch())
    #expect(try parts(test) == [])
    try table.insertList([SearchLinesNoMore(text: "more")])
    try table.update(where: \.pkid == 1, .set(\.text, to: "other"))
    #expect(try test.seen("SELECT text FROM SearchLines ORDER BY pkid") == ["other", "more"])
    #expect(try test.seen("PRAGMA integrity_check") == ["ok"])
    #expect(try !table.removeSearch())
    #expect(try database.asCurrent { try SearchLinesNoMore.xt_removeSearch() } == false)
    try database.close()

    // Who searches again finds what was written meanwhile.
    let later = try XTDatabase(path: test.path, configuration: test.database.configuration)
    try find("more", Self.engines[engine], later)
  }

  private func make<Model: XTModel>(_ type: Model.Type, _ test: TestDatabase) throws {
    try test.table(type).create()
    try test.database.execute("INSERT INTO SearchLines (text) VALUES ('one')")
    #expect(try test.table(type).searchCount("one") == 1)
  }

  private func find<Model: XTModel>(
    _ text: String, _ type: Model.Type, _ database: XTDatabase
  ) throws {
    #expect(try database.table(type).searchCount(text) == 1)
    #expect(try database.table(type).checkSearch() == 2)
  }

  @Test func remove_ofAModelThatIsSearched_lastsUntilTheNextWrite() throws {
    let test = try TestDatabase()
    let notes = test.table(SearchNote.self)
    try notes.insertList([SearchNote(title: "apple")])
    #expect(try notes.removeSearch())
    #expect(try !test.tables().contains { $0.contains("_search") })
    #expect(try test.seen("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == ["0"])
    #expect(throws: XTError.self) { try notes.checkSearch() }
    try notes.insertList([SearchNote(title: "pear")])
    #expect(try notes.search("apple").count == 1 && notes.search("pear").count == 1)
    #expect(try notes.checkSearch() == 2)
  }

  @Test func remove_thatIsRolledBack_leavesTheIndex() throws {
    struct Stop: Error {}
    let test = try TestDatabase()
    let notes = test.table(SearchNote.self)
    try notes.insertList([SearchNote(title: "apple")])
    #expect(throws: Stop.self) {
      try test.database.transaction { () throws -> Void in
        #expect(try notes.removeSearch())
        throw Stop()
      }
    }
    #expect(try notes.search("apple").count == 1)
    #expect(try notes.checkSearch() == 1)
  }

  @Test func remove_ofATableThatIsNotThere_isNothing() throws {
    let test = try TestDatabase()
    #expect(try !test.table(SearchNote.self).removeSearch())
    #expect(try test.tables() == [])
    // Another's table of such a name is left alone.
    try test.outside("CREATE TABLE SearchNote_search (mine)")
    #expect(try !test.table(SearchNote.self).removeSearch())
    #expect(try test.tables() == ["SearchNote_search"])
  }
}

private struct Lines: XTTokenizer {
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    [XTToken(text, at: 0..<text.utf8.count)]
  }
}

private struct SearchLines: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_tableName: String { "SearchLines" }
  static var xt_search: XTSearch { XTSearch([\SearchLines.text], tokenizer: .custom("lines")) }
}

private struct SearchLines4: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_tableName: String { "SearchLines" }
  static var xt_search: XTSearch {
    var search = XTSearch([\SearchLines4.text], tokenizer: .custom("lines"))
    search.engine = .fts4
    return search
  }
}

private struct SearchLinesNoMore: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_tableName: String { "SearchLines" }
}
