import Foundation

/// Where in a row's texts the words stand that were found.
struct HitPlaces: Sendable {
  enum Marks: Sendable {
    /// As `xt_marks` gives them: phrase, column, first token and how many tokens.
    case tokens(Data, extras: [Int])
    /// As `offsets` of FTS4 gives them: column, term, start and size in bytes, as numbers; with how
    /// many words each token of each phrase has behind its first.
    case terms(String, phrases: [SearchQuestion.Phrase])
    /// Texts that are looked for.
    case pieces([ScanPiece])
    case none
  }

  let marks: Marks
  let plan: SearchPlan

  /// The places in a text, as bytes of its UTF-8; in order, apart from each other, and none ends
  /// inside of a character.
  func ranges(in text: String, of property: AnyKeyPath) -> [Range<Int>] {
    guard let field = try? plan.index.field(.keyPath(property)) else { return [] }
    var ranges: [Range<Int>] = []
    switch marks {
    case .none: return []
    case .tokens(let data, let extras):
      let numbers = Self.numbers(in: data)
      let places = stride(from: 0, to: numbers.count - numbers.count % 4, by: 4)
        .filter { numbers[$0 + 1] == field }
      if places.isEmpty { return [] }
      let words = words(of: text)
      for place in places {
        let phrase = numbers[place]
        let extra = extras.indices.contains(phrase) ? extras[phrase] : 0
        let first = numbers[place + 2]
        let last = first + max(numbers[place + 3], 1) - 1 + extra
        guard first >= 0, first <= last, words.indices.contains(first) else { continue }
        if let range = Self.span(of: words[first...min(last, words.count - 1)]) {
          ranges.append(range)
        }
      }
    case .terms(let list, let phrases):
      ranges = Self.ranges(list, phrases, field: field) { words(of: text) }
    case .pieces(let pieces):
      for piece in pieces where !piece.text.isEmpty && (piece.field ?? field) == field {
        ranges += TrigramFolding.ranges(of: piece.text, in: text)
      }
    }
    return CharacterBounds.outward(Self.merged(ranges, within: text.utf8.count), in: text)
  }

  /// Seven bits a byte, the lowest first; the last byte of a number has not the eighth.
  private static func numbers(in data: Data) -> [Int] {
    var numbers: [Int] = []
    var number = 0
    var shift = 0
    for byte in data {
      number |= Int(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 {
        numbers.append(number)
        (number, shift) = (0, 0)
      }
    }
    return numbers
  }

  /// What words take up together: those of a program's own tokenizer stand in any order.
  private static func span(of words: ArraySlice<Range<Int>>) -> Range<Int>? {
    var span: Range<Int>?
    for word in words where !word.isEmpty {
      let known = span ?? word
      span = min(known.lowerBound, word.lowerBound)..<max(known.upperBound, word.upperBound)
    }
    return span
  }

  private static func ranges(
    _ list: String, _ phrases: [SearchQuestion.Phrase], field: Int,
    _ words: () -> [Range<Int>]
  ) -> [Range<Int>] {
    let numbers = list.split(separator: " ").compactMap { Int($0) }
    let places = stride(from: 0, to: numbers.count - numbers.count % 4, by: 4)
      .filter { numbers[$0] == field && numbers[$0 + 2] >= 0 && numbers[$0 + 3] > 0 }
    if places.isEmpty { return [] }
    // Nothing is known of the phrases of a raw search.
    if phrases.isEmpty {
      return places.map { numbers[$0 + 2]..<(numbers[$0 + 2] + numbers[$0 + 3]) }
    }
    let words = words()
    let starts = Dictionary(
      zip(words.map(\.lowerBound), words.indices), uniquingKeysWith: { first, _ in first })
    // By term: the words that it is found at.
    var found: [Int: Set<Int>] = [:]
    for place in places {
      if let word = starts[numbers[place + 2]] {
        found[numbers[place + 1], default: []].insert(word)
      }
    }
    var ranges: [Range<Int>] = []
    var term = 0
    for phrase in phrases {
      let (first, count) = (term, phrase.extras.count)
      term += count
      guard (phrase.field ?? field) == field, let extra = phrase.extras.last else { continue }
      for word in found[first] ?? [] {
        let isWhole = (0..<count).allSatisfy { found[first + $0]?.contains(word + $0) == true }
        guard isWhole else { continue }
        let last = min(word + count - 1 + extra, words.count - 1)
        if let range = span(of: words[word...last]) { ranges.append(range) }
      }
    }
    return ranges
  }

  /// The places of a text's words, in the text's order.
  func tokens(of text: String) -> [Range<Int>] {
    let tokens = words(of: text).filter { !$0.isEmpty }
    let isSorted = zip(tokens, tokens.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
    return isSorted ? tokens : tokens.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// By position.
  private func words(of text: String) -> [Range<Int>] {
    guard let tokens = try? plan.tokens.tokens(of: text, isQuestion: false) else { return [] }
    var words: [Range<Int>] = []
    for token in tokens where token.position == words.count {
      words.append(token.start..<max(token.start, token.end))
    }
    return words
  }

  private static func merged(_ ranges: [Range<Int>], within count: Int) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    })
    where range.upperBound <= count {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}

/// A text with the places in it that are to be marked.
struct HitText {
  private let text: String
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(_ text: String, _ ranges: [Range<Int>]) {
    self.text = text
    bytes = Array(text.utf8)
    self.ranges = ranges
  }

  func marked(_ opening: String, _ closing: String) -> String {
    String(decoding: marked(0..<bytes.count, opening, closing), as: UTF8.self)
  }

  private func marked(_ part: Range<Int>, _ opening: String, _ closing: String) -> [UInt8] {
    var result: [UInt8] = []
    var position = part.lowerBound
    for range in ranges {
      let start = max(range.lowerBound, part.lowerBound)
      let end = min(range.upperBound, part.upperBound)
      guard start < end, start >= position else { continue }
      result += bytes[position..<start]
      result += opening.utf8
      result += bytes[start..<end]
      result += closing.utf8
      position = end
    }
    if position < part.upperBound { result += bytes[position..<part.upperBound] }
    return result
  }

  /// - Parameter words: The text's words, in order.
  func snippet(
    of count: Int, _ words: [Range<Int>], _ opening: String, _ closing: String,
    _ ellipsis: String
  ) -> String {
    guard words.count > count else { return marked(opening, closing) }
    let first = bestStart(of: count, words)
    let last = first + count - 1
    // What stands before the first word belongs to it, as a quotation mark does.
    var start = first == 0 ? 0 : words[first].lowerBound
    var end = bytes.count
    if last < words.count - 1 {
      end = words[first...last].reduce(start) { max($0, $1.upperBound) }
    }
    guard start <= end, end <= bytes.count else { return marked(opening, closing) }
    var bounds = CharacterBounds(text)
    (start, end) = (bounds.down(start), bounds.up(end))
    let text = String(decoding: marked(start..<end, opening, closing), as: UTF8.self)
    return (start == 0 ? "" : ellipsis) + text + (end == bytes.count ? "" : ellipsis)
  }

  /// The word with which the part begins that has the most places, with some words before the first
  /// of them.
  private func bestStart(of count: Int, _ words: [Range<Int>]) -> Int {
    var hits: [Int] = []
    var word = 0
    for range in ranges {
      while word < words.count, words[word].upperBound <= range.lowerBound { word += 1 }
      if word < words.count { hits.append(word) }
    }
    guard !hits.isEmpty else { return 0 }
    var best = 0
    var most = 0
    var end = 0
    for start in hits.indices {
      end = max(end, start)
      while end < hits.count, hits[end] < hits[start] + count { end += 1 }
      if end - start > most { (best, most) = (start, end - start) }
    }
    let span = hits[best + most - 1] - hits[best] + 1
    let before = min(max(count - span, 0) / 2, hits[best])
    return min(hits[best] - before, words.count - count)
  }
}
