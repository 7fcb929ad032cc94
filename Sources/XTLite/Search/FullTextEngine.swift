/// Which of SQLite's full-text searches there is.
enum FullTextEngine: Sendable {
  case fts5
  case fts4

  /// That of the linked library.
  static let linked: FullTextEngine =
    SQLiteLibrary.hasFTS5 ? .fts5 : .fts4

  var name: String { self == .fts5 ? "FTS5" : "FTS4" }

  /// The name of the rowid in the table that knows which rows the index has.
  var sizeKey: String { self == .fts5 ? "`id`" : "`docid`" }

  /// The tokenizer as it stands in CREATE VIRTUAL TABLE, word by word.
  ///
  /// - Throws: `sqlite` where the engine has none like it.
  func words(of tokenizer: XTSearchTokenizer) throws -> [String] {
    // The second kind of removal knows more diacritics, and came with 3.27.
    let removal = SQLiteLibrary.versionNumber >= 3_027_000 ? "2" : "1"
    switch (tokenizer.kind, self) {
    case (.words, _): return unicode61(removal)
    case (.wordsExact, _): return unicode61("0")
    case (.porter, .fts5): return ["porter"] + unicode61(removal)
    case (.porter, .fts4): return ["porter"]
    case (.trigram, .fts5):
      guard SQLiteLibrary.versionNumber >= 3_034_000 else {
        throw LibraryNeed.trigram.tooOld()
      }
      return ["trigram"]
    case (.trigram, .fts4):
      throw XTError(
        .sqlite, "the tokenizer .trigram needs FTS5, and this program's SQLite has FTS4 alone",
        hint: "take .cjk or .words, or an SQLite (3.34 or later) that was built with FTS5")
    case (.cjk(let pinyin), _): return [pinyin ? CJKTokenizer.pinyinName : CJKTokenizer.name]
    case (.custom(let name), _):
      try SQLiteName.check(name, of: "tokenizer")
      return [name]
    }
  }
}

extension FullTextEngine {
  private func unicode61(_ removal: String) -> [String] {
    switch self {
    case .fts5: ["unicode61", "remove_diacritics", removal, "tokenchars", Self.marks]
    case .fts4: ["unicode61", "remove_diacritics=\(removal)", "tokenchars=\(Self.marks)"]
    }
  }

  /// The marks that belong to words. SQLite takes them for what stands between two words; its option
  /// to count all marks makes words of the signs behind emoji, and empty ones of accents.
  ///
  /// The last one first: SQLite keeps a list in order, and looks for a new one's place from the front.
  private static let marks: String = {
    var marks = String.UnicodeScalarView()
    for range in "\(WordMarks.ranges)".split(separator: " ").reversed() {
      let ends = range.split(separator: "-").compactMap { UInt32($0, radix: 16) }
      guard let first = ends.first, let last = ends.last, first <= last else { continue }
      marks.append(contentsOf: (first...last).reversed().compactMap(Unicode.Scalar.init))
    }
    return String(marks)
  }()
}

extension LibraryNeed {
  fileprivate static let trigram = LibraryNeed(
    what: "the tokenizer .trigram", version: 3_034_000)

  fileprivate func tooOld() -> any Error {
    do {
      try check()
    } catch {
      return error
    }
    return XTError(.sqlite, "\(what) is not there", hint: "take another tokenizer")
  }
}
