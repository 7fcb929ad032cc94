/// Texts without regard to case as the tokenizer `trigram` compares them: each code point by itself, by
/// SQLite's tables. So a text that is too short for the index is found where a longer one would be.
enum TrigramFolding {
  /// The SQL function that every connection offers: it gives the folded text for a text, and any other
  /// value as it is. It is deterministic.
  static let functionName = "xt_trigram_folded"

  /// The code points that become others, as the tokenizer itself tells.
  private static let others: [Unicode.Scalar: Unicode.Scalar] = {
    // No script with capital letters lies behind these.
    let scalars = (UInt32(1)...0x1FFFF).compactMap(Unicode.Scalar.init)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    // The last two begin no three.
    text.append(contentsOf: "aa".unicodeScalars)
    var others: [Unicode.Scalar: Unicode.Scalar] = [:]
    guard let firsts = try? TextTokens.firstScalars(ofTrigramsIn: String(text)),
      firsts.count == scalars.count
    else { return others }
    for (scalar, first) in zip(scalars, firsts) where scalar != first { others[scalar] = first }
    return others
  }()

  static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    folded.append(contentsOf: text.unicodeScalars.lazy.map { others[$0] ?? $0 })
    return String(folded)
  }

  /// What the SQL function gives.
  static func folded(_ value: XTValue) -> XTValue {
    if case .text(let text) = value { .text(folded(text)) } else { value }
  }

  /// Where a part stands in a text, as bytes of the text's UTF-8; none inside of another.
  static func ranges(of part: String, in text: String) -> [Range<Int>] {
    let part = part.unicodeScalars.map { others[$0] ?? $0 }
    let scalars = Array(text.unicodeScalars)
    guard let first = part.first, part.count <= scalars.count else { return [] }
    let folded = scalars.map { others[$0] ?? $0 }
    var ranges: [Range<Int>] = []
    var place = 0
    var start = 0
    while place + part.count <= folded.count {
      if folded[place] == first, folded[place..<(place + part.count)].elementsEqual(part) {
        let found = scalars[place..<(place + part.count)]
        let end = start + found.reduce(0) { $0 + UTF8.width($1) }
        ranges.append(start..<end)
        start = end
        place += part.count
      } else {
        start += UTF8.width(scalars[place])
        place += 1
      }
    }
    return ranges
  }
}
