extension SQLFragment {
  /// The parts with a connective between them; nil where there are none.
  ///
  /// In halves, and halves of these: SQLite takes a mere list for a tree as deep as it is long, and
  /// refuses one that is deeper than a thousand.
  static func joined(_ parts: [SQLFragment], by connective: String) -> SQLFragment? {
    guard !parts.isEmpty else { return nil }
    return SQLFragment(text(parts[...], connective), parts.flatMap(\.values))
  }

  private static func text(_ parts: ArraySlice<SQLFragment>, _ connective: String) -> String {
    let count = parts.count
    if count <= 8 {
      let list = parts.map(\.text).joined(separator: " \(connective) ")
      return count == 1 ? list : "(\(list))"
    }
    return
      "(\(text(parts.prefix(count / 2), connective)) \(connective)"
      + " \(text(parts.suffix(count - count / 2), connective)))"
  }
}
