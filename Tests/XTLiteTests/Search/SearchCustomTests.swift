import Foundation
import Testing

@testable import XTLite

/// Tokenizers of a program's own.
@Suite struct SearchCustomTests {
  private func found<Model: XTModel>(
    _ table: XTTable<Model>, _ text: String, _ property: KeyPath<Model, String>
  ) throws -> [String] {
    try table.search(text).map { $0.model[keyPath: property] }.sorted()
  }

  @Test func custom_isOnEveryConnection_andMissedByName() throws {
    let test = try TestDatabase { $0.add(tokenizer: Slashes(), named: "slashes") }
    let table = test.table(SearchCustom.self)
    try table.insertList([SearchCustom(path: "usr/Local bin/x"), SearchCustom(path: "local/y")])
    #expect(try found(table, "\"LOCAL", \.path).isEmpty)
    #expect(try table.search(query: .phrase("local bin")).count == 1)
    #expect(try table.search(query: .phrase("LOCAL")).first?.highlight(\.path) == "<b>local</b>/y")
    #expect(try test.database.read { try table.search(query: .phrase("y")).count } == 1)
    test.expectIndexFits(SearchCustom.self)
    try test.database.close()

    var configuration = test.database.configuration
    configuration.removeTokenizer("slashes")
    let other = try XTDatabase(path: test.path, configuration: configuration)
    let write = #expect(throws: XTError.self) {
      try other.execute("INSERT INTO SearchCustom (path) VALUES ('z')")
    }
    #expect(
      write?.kind == .schema && write?.description.contains("slashes") == true,
      "\(String(describing: write))")
    let search = #expect(throws: XTError.self) {
      try other.table(SearchCustom.self).search("z")
    }
    #expect(search?.description.contains("slashes") == true)
    #expect(search?.hint?.contains("add(tokenizer:") == true)
    #expect(try other.anyFunc(sql: "SELECT count(*) FROM SearchCustom") == 2)
    // It comes while the database is open.
    try other.reconfigure { $0.add(tokenizer: Slashes(), named: "slashes") }
    #expect(try other.table(SearchCustom.self).search(query: .phrase("y")).count == 1)
  }

  @Test func custom_names_areChecked() throws {
    for name in ["", "xt_mine", "unicode61", "Porter", "a\0b"] {
      #expect(throws: XTError.self, "\(name)") {
        try TestDatabase { $0.add(tokenizer: Slashes(), named: name) }
      }
    }
    var configuration = XTConfiguration()
    configuration.add(tokenizer: Slashes(), named: "s")
    configuration.add(tokenizer: Slashes(), named: "S")
    #expect(configuration.tokenizers.count == 1 && configuration.removeTokenizer("s"))
  }

  @Test func custom_tokensOfAnyKind_leaveTheIndexWhole() throws {
    let test = try TestDatabase { $0.add(tokenizer: Odd(), named: "odd") }
    let table = test.table(SearchStrange.self)
    let texts = [
      "nul", "empty", "far", "backwards", "overlap", "same", "many", "long", "nothing", "",
    ]
    try table.insertList(texts.map { SearchStrange(text: "\($0) żółw") })
    test.expectIndexFits(SearchStrange.self)
    for text in ["a", "a\0b", "a\u{FFFD}b", "a\0c", "b", "x", "y", "z", "\0", "\0\0z"] {
      for hit in try table.search(query: .phrase("=\(text)") || .prefix("=\(text)")) {
        let marked = hit.highlight(\.text, from: "\u{1}", to: "\u{2}")
        #expect(marked.filter { $0 != "\u{1}" && $0 != "\u{2}" } == hit.model.text)
        for words in 1...3 { _ = hit.snippet(\.text, words: words) }
      }
    }
    func found(_ token: String) throws -> [String] {
      try table.search(query: .phrase("=\(token)")).map {
        String($0.model.text.prefix { $0 != " " })
      }
      .sorted()
    }
    // Of two tokens that are the same up to a NUL each is found by itself.
    #expect(try found("nul1") == ["nul"])
    #expect(try found("a\u{FFFD}b") == ["nul"] && found("a\u{FFFD}c") == ["nul"])
    #expect(try found("a") == [])
    #expect(try found("x") == ["backwards", "far", "overlap"])
    #expect(try found("synonym") == ["empty"])
    #expect(try found(String(repeating: "long", count: 20_000)) == ["long"])
    let backwards = try #require(
      try table.search(query: .phrase("=x y")).first { $0.model.text.hasPrefix("back") })
    #expect(backwards.highlight(\.text, from: "[", to: "]") == "[backwards] żółw")
    let overlap = try #require(
      try table.search(query: .phrase("=x y")).first { $0.model.text.hasPrefix("over") })
    #expect(overlap.highlight(\.text, from: "[", to: "]") == "[overlap żó]łw")
    try test.database.execute("UPDATE SearchStrange SET text = 'nul ' || text WHERE pkid % 2")
    try test.database.execute("DELETE FROM SearchStrange WHERE pkid % 3 = 0")
    test.expectIndexFits(SearchStrange.self)
    try table.rebuildSearch()
    test.expectIndexFits(SearchStrange.self)
  }

  @Test func custom_thatLies_harmsNothing() throws {
    let test = try TestDatabase { $0.add(tokenizer: Liar(), named: "liar") }
    let table = test.table(SearchLiar.self)
    try table.insertList([SearchLiar(text: "Something"), SearchLiar(text: "")])
    for hit in try table.search("Something") {
      _ = hit.highlight(\.text)
      _ = hit.snippet(\.text, words: 1)
    }
    test.expectIndexFits(SearchLiar.self)
  }
}

struct SearchCustom: XTModel {
  var path = ""
  static var xt_search: XTSearch { XTSearch([\SearchCustom.path], tokenizer: .custom("slashes")) }
}

struct SearchLiar: XTModel {
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchLiar.text], tokenizer: .custom("liar")) }
}

struct SearchStrange: XTModel {
  var pkid: Int64?
  var text = ""
  static var xt_search: XTSearch { XTSearch([\SearchStrange.text], tokenizer: .custom("odd")) }
}

/// What a row's first word asks for; of a question, what stands behind `=`.
private struct Odd: XTTokenizer {
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    let count = text.utf8.count
    if text.hasPrefix("=") {
      return text.dropFirst().split(separator: " ").map { XTToken(String($0), at: 0..<count) }
    }
    switch text.split(separator: " ").first {
    case "nul":
      return ["a\0b", "a\0c", "\0", "\0\0z", "nul1", "a\0"].map { XTToken($0, at: 0..<3) }
    case "empty":
      return [
        XTToken("", at: 0..<5), XTToken("synonym", at: 0..<5, isSynonym: true),
        XTToken("", at: 6..<6), XTToken("b", at: 6..<7),
      ]
    case "far":
      return [
        XTToken("x", at: -9 ..< -3), XTToken("y", at: Int.min..<Int.max),
        XTToken("z", at: Int.max - 1..<Int.max),
      ]
    case "backwards":
      return [XTToken("x", at: 5..<9), XTToken("y", at: 0..<4), XTToken("z", at: 3..<3)]
    case "overlap":
      return [XTToken("x", at: 0..<9), XTToken("y", at: 2..<11), XTToken("z", at: 10..<12)]
    case "same":
      return (0..<9).map { XTToken("b", at: 0..<4, isSynonym: $0 % 2 == 0) }
    case "many":
      return (0..<5_000).map { XTToken("m\($0 % 7)", at: 5_000 - $0..<5_001) }
    case "long": return [XTToken(String(repeating: "long", count: 20_000), at: 0..<4)]
    default: return []
    }
  }
}

private struct Slashes: XTTokenizer {
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    var tokens: [XTToken] = []
    var start = 0
    for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      tokens.append(XTToken(String(Substring(part)).lowercased(), at: start..<(start + part.count)))
      start += part.count + 1
    }
    return tokens
  }
}

private struct Liar: XTTokenizer {
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
    [
      XTToken("", at: 0..<1), XTToken("syn", at: -5 ..< -3, isSynonym: true),
      XTToken("far", at: 100..<200), XTToken("mid", at: 3..<500), XTToken(text, at: 2..<2),
    ]
  }
}
