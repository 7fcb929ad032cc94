import Foundation
import Testing

@testable import XTLite

@Suite struct SearchDeclarationTests {
  @Test func names_ofAnyKind_work() throws {
    let test = try TestDatabase()
    for name in ["work&33-cur", "3a", "a b", "a\"b", "表", "it's", "select", "a`b", "a]b"] {
      let table = test.table(SearchNames.self, named: name)
      try table.insertList([
        SearchNames(rank: "first", order: "second", rowid: "third", quote: "fourth")
      ])
      for word in ["first", "second", "third", "fourth"] {
        #expect(try table.search(word).count == 1, "\(name) \(word)")
      }
      #expect(try table.search("first").first?.highlight(\.rank) == "<b>first</b>")
      #expect(try table.search(query: .in(\SearchNames.rank, "first")).count == 1)
      #expect(try table.search(query: .in(\SearchNames.quote, "first")).isEmpty)
      #expect(try table.checkSearch() == 1)
      try table.deleteAll()
      #expect(try table.checkSearch() == 0)
    }
  }

  @Test func ownKey_isTheRowsNumber() throws {
    let test = try TestDatabase()
    let table = test.table(SearchOwnKey.self)
    try table.insertList([
      SearchOwnKey(localID: 40, title: "forty"), SearchOwnKey(localID: -3, title: "minus"),
    ])
    #expect(try table.search("minus").first?.model.localID == -3)
    try table.update(where: \.localID == 40, .set(\.title, to: "four"))
    #expect(try table.search("four").count == 1 && table.checkSearch() == 2)
  }

  @Test func class_itsSubclassesAndObjects_areFound() throws {
    let test = try TestDatabase()
    let table = test.table(SearchObject.self)
    let object = SearchObject()
    object.title = "an object"
    try table.insert(object)
    let hit = try #require(try table.search("object").first)
    #expect(hit.model.title == "an object" && hit.model.pkid == object.pkid)
    #expect(hit.highlight(\.title) == "an <b>object</b>")
    hit.model.title = "changed"
    try table.update(hit.model)
    #expect(try table.search("object").isEmpty && table.search("changed").count == 1)
  }

  @Test func badDeclarations_areErrors() throws {
    let test = try TestDatabase()
    func message<Model: XTModel>(_ type: Model.Type) -> String {
      do {
        _ = try test.table(type).search("x")
        return "none"
      } catch {
        return "\(error)"
      }
    }
    #expect(message(SearchLater.self).contains("has no xt_search"))
    #expect(message(SearchOfNumber.self).contains("age, which is no text but"))
    #expect(message(SearchOfList.self).contains("tags, which is no text"))
    #expect(message(SearchTwice.self).contains("names title twice"))
    #expect(message(SearchOdd.self).contains("prefix of 0"))
    #expect(message(SearchWeightless.self).contains("gives other a weight"))
    #expect(throws: XTError.self) {
      try test.table(SearchOfNumber.self).insertList([SearchOfNumber()])
    }
    let table = test.table(SearchNote.self)
    #expect(throws: XTError.self) { try table.search(query: .in(\SearchNote.age, "x")) }
    try table.insertList([SearchNote(title: "x")])
    #expect(throws: XTError.self) { try table.search(query: .in(\SearchKeyed.title, "x")) }
    let without = try TestDatabase { $0.automaticColumns = false }
    #expect(throws: XTError.self) {
      try without.table(SearchKeyed.self).insertList([SearchKeyed(code: "a", title: "b")])
    }
  }

  @Test func foreignTable_getsAnIndexOnlyWhereAsked() throws {
    let test = try TestDatabase(
      after: "CREATE TABLE SearchKeyed (pkid INTEGER PRIMARY KEY, code TEXT, title TEXT);"
        + "INSERT INTO SearchKeyed (code, title) VALUES ('a', 'theirs')")
    let table = test.table(SearchKeyed.self)
    #expect(throws: XTError.self) { try table.search("theirs") }
    try table.update(where: \.code == "a", .set(\.title, to: "ours"))
    #expect(try test.tables() == ["SearchKeyed"])
    try table.rebuildSearch()
    #expect(try table.search("ours").count == 1 && table.checkSearch() == 1)
  }

  @Test func takenName_isAnError() throws {
    let test = try TestDatabase(after: "CREATE TABLE SearchNote_search (a)")
    let error = #expect(throws: XTError.self) {
      try test.table(SearchNote.self).insertList([SearchNote(title: "x")])
    }
    #expect(error?.message.contains("`SearchNote_search` is taken") == true)
    #expect(try test.tables() == ["SearchNote_search"])
  }

  @Test func readOnly_searches_andMakesNothing() throws {
    let test = try TestDatabase()
    try test.table(SearchNote.self).insertList([SearchNote(title: "x")])
    try test.table(SearchLater.self, named: "Later").insertList([SearchLater(title: "row")])
    try test.database.close()
    var configuration = test.database.configuration
    configuration.readOnly = true
    let other = try XTDatabase(path: test.path, configuration: configuration)
    #expect(try other.table(SearchNote.self).search("x").count == 1)
    #expect(throws: XTError.self) {
      try other.table(SearchLaterA.self, named: "Later").search("row")
    }
  }

  @Test func rebuild_tellsOfProgress_andCanBeCancelled() throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList((0..<5_000).map { SearchNote(title: "row \($0)") })
    let progress = Progress(totalUnitCount: 1)
    try table.rebuildSearch(progress: progress)
    #expect(progress.totalUnitCount == 5_000 && progress.completedUnitCount == 5_000)
    let cancelled = Progress(totalUnitCount: 1)
    cancelled.cancel()
    #expect(throws: CancellationError.self) { try table.rebuildSearch(progress: cancelled) }
    #expect(try table.checkSearch() == 5_000)
  }

  @Test func rebuild_async_isCancelledWithItsTask() async throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList((0..<3_000).map { SearchNote(title: "row \($0)") })
    try await table.rebuildSearch()
    #expect(try table.search("2321").count == 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await table.rebuildSearch()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try table.checkSearch() == 3_000)
  }

  @Test func rebuild_ofFTSItself_isRight() throws {
    let test = try TestDatabase()
    try test.table(SearchNote.self).insertList([SearchNote(title: "one"), SearchNote(title: "two")])
    try test.outside("INSERT INTO SearchNote_search (SearchNote_search) VALUES ('rebuild')")
    try test.outside("INSERT INTO SearchNote_search (SearchNote_search) VALUES ('optimize')")
    #expect(try test.table(SearchNote.self).checkSearch() == 2)
    #expect(try test.table(SearchNote.self).search("two").count == 1)
  }

  @Test func partialUniqueIndex_andReplace_keepTheIndexInStep() throws {
    let test = try TestDatabase()
    let table = test.table(SearchPartial.self)
    try table.insertList([
      SearchPartial(mail: "A@b", title: "one"), SearchPartial(mail: "c", title: "two"),
    ])
    try test.outside("INSERT OR REPLACE INTO SearchPartial (mail, title) VALUES ('a@B', 'three')")
    #expect(try table.search("one").isEmpty && table.search("three").count == 1)
    test.expectIndexFits(SearchPartial.self)
    try table.softDelete(where: \.title == "two")
    try test.outside("INSERT OR REPLACE INTO SearchPartial (mail, title) VALUES ('c', 'four')")
    #expect(try table.searchCount("two", scope: .all) == 1)
    test.expectIndexFits(SearchPartial.self)
  }

  @Test func backup_andVacuum_keepIt() throws {
    let test = try TestDatabase()
    let table = test.table(SearchCJK.self)
    try table.insertList([SearchCJK(text: "苹果树")])
    try test.database.execute("VACUUM")
    #expect(try table.search("苹果").count == 1)
    let folder = try TemporaryFolder()
    let path = folder.path("copy.sqlite")
    try test.database.backup(to: path)
    let copy = try XTDatabase(path: path)
    #expect(try copy.table(SearchCJK.self).search("果树").count == 1)
    #expect(try copy.table(SearchCJK.self).checkSearch() == 1)
  }
}

struct SearchLater: XTModel {
  var title = ""
  var note = ""
}

struct SearchLaterA: XTModel {
  var title = ""
  var note = ""
  static var xt_search: XTSearch { XTSearch([\SearchLaterA.title]) }
}

struct SearchLaterB: XTModel {
  var title = ""
  var note = ""
  static var xt_search: XTSearch { XTSearch([\SearchLaterB.note], tokenizer: .wordsExact) }
}

struct SearchLaterC: XTModel {
  var title = ""
  var note = ""
  var added = "new"
  static var xt_search: XTSearch { XTSearch([\SearchLaterC.title]) }
}

struct SearchLaterD: XTModel {
  var title = ""
  var note = ""
  var added = "new"
  static var xt_search: XTSearch { XTSearch([\SearchLaterD.title, \SearchLaterD.added]) }
}

struct SearchNames: XTModel {
  var rank = ""
  var order = ""
  var rowid = ""
  var quote = ""
  static var xt_columnNames: XTNameMap { [\SearchNames.quote: "a \"b`, 'c] d"] }
  static var xt_search: XTSearch {
    XTSearch([\SearchNames.rank, \SearchNames.order, \SearchNames.rowid, \SearchNames.quote])
  }
}

struct SearchOwnKey: XTModel {
  var localID = 0
  var title = ""
  static var xt_primaryKey: XTKeyPaths { [\SearchOwnKey.localID] }
  static var xt_search: XTSearch { XTSearch([\SearchOwnKey.title]) }
}

final class SearchObject: XTModel {
  var title = ""
  init() {}
  static var xt_search: XTSearch { XTSearch([\SearchObject.title]) }
}

struct SearchOfNumber: XTModel {
  var age = 0
  static var xt_search: XTSearch { XTSearch([\SearchOfNumber.age]) }
}

struct SearchOfList: XTModel {
  var tags: [String] = []
  static var xt_search: XTSearch { XTSearch([\SearchOfList.tags]) }
}

struct SearchTwice: XTModel {
  var title = ""
  static var xt_search: XTSearch { XTSearch([\SearchTwice.title, \SearchTwice.title]) }
}

struct SearchOdd: XTModel {
  var title = ""
  static var xt_search: XTSearch { XTSearch([\SearchOdd.title], prefixes: [0]) }
}

struct SearchWeightless: XTModel {
  var title = ""
  var other = ""
  static var xt_search: XTSearch {
    XTSearch([\SearchWeightless.title], weights: [\SearchWeightless.other: 2])
  }
}

struct SearchPartial: XTModel {
  var mail = ""
  var title = ""
  static var xt_keywords: XTKeywordMap { [\SearchPartial.mail: .noCase] }
  static var xt_indexes: [XTIndex] { [XTIndex(\SearchPartial.mail, unique: true, scope: .live)] }
  static var xt_search: XTSearch { XTSearch([\SearchPartial.title]) }
}
