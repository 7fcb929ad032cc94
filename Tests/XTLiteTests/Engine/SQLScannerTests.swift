import Testing

@testable import XTLite

@Suite struct SQLScannerTests {
  private func kinds(_ text: String) -> [SQLScanner.Token.Kind] {
    SQLScanner(text).map(\.kind)
  }

  @Test func tokens_ofEachKind_areTold() {
    #expect(kinds("a 1 ?2 :b") == [.word, .number, .parameter, .parameter])
    #expect(kinds("'a''b' \"c\" `d``e` [f]") == [.text, .doubleQuoted, .name, .name])
    #expect(
      kinds("-- a'\n/* ' */ (;).") == [
        .lineComment, .blockComment, .openParenthesis, .semicolon, .closeParenthesis, .dot,
      ])
    #expect(kinds("a-b/c") == [.word, .other, .word, .other, .word])
    #expect(kinds("表$a = x'00'") == [.word, .other, .word, .text])
    #expect(kinds("").isEmpty)
  }

  @Test func token_thatTheTextEnds_isNotClosed() {
    for text in ["'a", "'a''", "\"a", "`a", "[a", "-- a", "/* a *", "/*/"] {
      #expect(SQLScanner(text).map(\.isClosed) == [false], "\(text)")
    }
    for text in ["'a'", "''", "'a'''", "[a]", "-- a\n", "/* a **/", "/**/"] {
      #expect(SQLScanner(text).map(\.isClosed) == [true], "\(text)")
    }
  }

  @Test func unquoted_makesDoubledQuotesSingle() throws {
    let scanner = SQLScanner(#""a""b""""#)
    let token = try #require(Array(scanner).first)
    #expect(scanner.unquoted(token) == #"a"b""#)
  }

  @Test func unquoted_brackets_doubleNothing() throws {
    let scanner = SQLScanner("[a[b[[c]")
    let token = try #require(Array(scanner).first)
    #expect(scanner.unquoted(token) == "a[b[[c")
  }
}
