import Testing

@testable import XTLite

@Suite struct CaseFoldingTests {
  @Test(arguments: [
    ("A", "a"), ("É", "é"), ("ТВОРОГ", "творог"), ("STRASSE", "straße"), ("STRASSE", "STRAẞE"),
    ("ΟΔΟΣ", "οδος"), ("ΟΔΟΣ", "οδοσ"), ("\u{212A}", "k"), ("\u{C9}", "e\u{301}"),
    ("e\u{301}", "E\u{301}"), ("ǅ", "ǆ"), ("ﬁ", "FI"),
  ])
  func folded_ofTwoCases_isTheSame(left: String, right: String) {
    let folded = (CaseFolding.folded(left), CaseFolding.folded(right))
    #expect(Array(folded.0.unicodeScalars) == Array(folded.1.unicodeScalars))
  }

  @Test(arguments: [("é", "e"), ("ö", "o"), ("ё", "е"), ("表", "裏"), ("a", "b")])
  func folded_ofDifferentLetters_differs(left: String, right: String) {
    #expect(CaseFolding.folded(left) != CaseFolding.folded(right))
  }

  @Test func folded_twice_isFoldedOnce() {
    for text in ["Straße", "İstanbul", "ΟΔΟΣ", "É", "a\0B", "🦊", ""] {
      let once = CaseFolding.folded(text)
      #expect(Array(CaseFolding.folded(once).utf8) == Array(once.utf8))
    }
  }

  @Test func folded_ofAnotherValue_isThatValue() {
    #expect(CaseFolding.folded(XTValue.integer(1)) == .integer(1))
    #expect(CaseFolding.folded(XTValue.null) == .null)
    #expect(CaseFolding.folded(XTValue.text("A")) == .text("a"))
  }
}
