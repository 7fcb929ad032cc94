import Testing

@testable import XTLite

struct DeclarationTokenTests {
  /// The scalars: two texts that Swift takes for equal are two names to SQLite.
  private func names(_ sql: String) -> [[Unicode.Scalar]?] {
    DeclarationToken.tokens(of: sql).map { $0.name.map { Array($0.unicodeScalars) } }
  }

  @Test(arguments: [
    ("`a`", "a"), ("\"a\"", "a"), ("[a]", "a"), ("a", "a"), ("`a``b`", "a`b"), ("````", "`"),
    ("\"\"\"a\"\"\"", "\"a\""), ("\"a``b\"", "a``b"), ("[a[[b]", "a[[b"), ("``", ""),
  ])
  func name_quoted_isWithoutItsQuotes(_ sql: String, _ name: String) {
    #expect(names(sql) == [Array(name.unicodeScalars)])
  }

  @Test(arguments: [
    ("`\u{301}a`", "\u{301}a"), ("\"\u{301}\"", "\u{301}"), ("[\u{20DD}a]", "\u{20DD}a"),
    ("`a``\u{301}b`", "a`\u{301}b"), ("`a\u{301}`", "a\u{301}"),
  ])
  func name_combiningMarkBehindAQuote_isPartOfTheName(_ sql: String, _ name: String) {
    #expect(names(sql) == [Array(name.unicodeScalars)])
  }

  @Test(arguments: ["'a'", "1", "(", "`a", "x'00'"])
  func name_noName_isNil(_ sql: String) {
    #expect(names(sql) == [nil])
  }
}
