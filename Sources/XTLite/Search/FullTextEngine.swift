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
    case (.words, .fts5): return ["unicode61", "remove_diacritics", removal]
    case (.words, .fts4): return ["unicode61", "remove_diacritics=\(removal)"]
    case (.wordsExact, .fts5): return ["unicode61", "remove_diacritics", "0"]
    case (.wordsExact, .fts4): return ["unicode61", "remove_diacritics=0"]
    case (.porter, .fts5): return ["porter", "unicode61", "remove_diacritics", removal]
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
