import Foundation
import Testing
import TortureWork

@testable import XTLite

/// What becomes of the index where the file is written anew.
@Suite struct SearchFileTests {
  @Test(.enabled(if: Connection.canExport && !TestKey.isSet))
  func changeKey_takesTheIndexAlong() throws {
    let test = try TestDatabase()
    let (notes, chinese) = (test.table(SearchNote.self), test.table(SearchCJK.self))
    try notes.insertList([SearchNote(title: "Apple pie")])
    try chinese.insertList([SearchCJK(text: "这是一颗苹果树")])
    try test.database.changeKey(to: .passphrase("secret"))
    #expect(try notes.search("apple").count == 1 && chinese.search("苹果").count == 1)
    try notes.insertList([SearchNote(title: "Apple cake")])
    try chinese.insertList([SearchCJK(text: "苹果")])
    #expect(try notes.search("apple").count == 2 && chinese.search("苹果").count == 2)
    #expect(try notes.checkSearch() == 2 && chinese.checkSearch() == 2)
  }

  @Test func salvage_givesAFileThatIsSearched() throws {
    let test = try TestDatabase()
    let table = test.table(SearchNote.self)
    try table.insertList((0..<300).map { SearchNote(title: "row \($0)", body: "apple") })
    try test.database.close()
    let folder = try TemporaryFolder()
    let path = folder.path("salvaged.sqlite")
    let key = test.database.configuration.key
    _ = try XTRepair.salvage(test.path, to: path, key: key)
    let other = try XTDatabase(path: path, configuration: test.database.configuration)
    let rows = other.table(SearchNote.self)
    #expect(try rows.search("apple", limit: 500).count == 300)
    try rows.insertList([SearchNote(title: "later", body: "apple")])
    #expect(try rows.searchCount("apple") == 301)
    #expect(try rows.checkSearch() == 301)
  }
}
