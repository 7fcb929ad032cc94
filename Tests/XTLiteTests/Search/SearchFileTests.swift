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

  /// What another program can do with the file, which has SQLite and nothing of XTLite's.
  @Test(.enabled(if: !TestKey.isSet))
  func anotherProgram_writesNoTableWhoseTokenizerItLacks() throws {
    let test = try TestDatabase()
    let (chinese, plain) = (test.table(SearchCJK.self), test.table(SearchPlain.self))
    try chinese.insertList([SearchCJK(text: "这是一颗苹果树"), SearchCJK(text: "梨")])
    try plain.insertList([SearchPlain(text: "apple"), SearchPlain(text: "pear")])
    for sql in [
      "INSERT INTO SearchCJK (text) VALUES ('苹果')",
      "INSERT OR REPLACE INTO SearchCJK (pkid, text) VALUES (1, '苹果')",
      "UPDATE SearchCJK SET text = '苹果'", "DELETE FROM SearchCJK WHERE pkid = 1",
      "DROP TABLE SearchCJK_search",
    ] {
      let (status, text) = Self.tool(test.path, sql)
      #expect(status != 0 && text.contains("tokenizer: xt_cjk"), "\(sql): \(text)")
    }
    #expect(Self.tool(test.path, "SELECT text FROM SearchCJK WHERE pkid = 2") == (0, "梨\n"))
    #expect(try chinese.checkSearch() == 2)
    #expect(try chinese.search("苹果").map(\.model.pkid) == [1])
    // One with a tokenizer of SQLite's own it writes, and the index follows.
    #expect(Self.tool(test.path, "UPDATE SearchPlain SET text = 'plum' WHERE pkid = 1") == (0, ""))
    #expect(Self.tool(test.path, "DELETE FROM SearchPlain WHERE pkid = 2") == (0, ""))
    #expect(try plain.search("plum").map(\.model.pkid) == [1])
    #expect(try plain.search("apple").isEmpty && plain.search("pear").isEmpty)
    #expect(try plain.checkSearch() == 1)
  }

  /// Runs the sqlite3 command line tool. Not by Foundation's Process: it leaks, which a leak check
  /// would show as ours.
  private static func tool(_ path: String, _ sql: String) -> (status: Int32, text: String) {
    guard let stream = popen("sqlite3 '\(path)' \"\(sql)\" 2>&1", "r") else { return (-1, "") }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      if count == 0 { break }
      text += buffer[..<count]
    }
    return (pclose(stream), String(decoding: text, as: UTF8.self))
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
