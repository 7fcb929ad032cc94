/// A tokenizer of the program's own, for ``XTConfiguration/add(tokenizer:named:)`` and
/// ``XTSearchTokenizer/custom(_:)``: it says what the words of a text are.
///
/// ```swift
/// struct Lines: XTTokenizer {
///   func tokens(of text: String, for use: XTTokenUse) -> [XTToken] {
///     var tokens: [XTToken] = []
///     var start = 0
///     for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
///       tokens.append(XTToken(String(Substring(line)).lowercased(), at: start..<(start + line.count)))
///       start += line.count + 1
///     }
///     return tokens
///   }
/// }
/// ```
///
/// It is called by whichever thread writes or searches, several at a time. For a row and for a
/// question it has to give the same tokens for the same words, now and in every later version of the
/// program, or the index no longer fits its rows; give a tokenizer that changes another name.
///
/// Whatever else it gives, the index stays whole: an empty token is passed over; a NUL character in
/// one, which SQLite takes for its end, counts as U+FFFD; of a range what lies outside of the text is
/// cut off; and ranges may overlap and stand in any order, since only marks in hits are made of them.
public protocol XTTokenizer: Sendable {
  /// The tokens of a text, in their order.
  ///
  /// - Parameters:
  ///   - text: A row's text, or a part of what is searched for.
  ///   - use: What for. The FTS4 of an SQLite without FTS5 can't tell, and always says `.row`.
  func tokens(of text: String, for use: XTTokenUse) -> [XTToken]
}

/// What a text is taken apart for.
public enum XTTokenUse: Hashable, Sendable {
  /// It stands in a row.
  case row
  /// It is searched for.
  case question
}

/// A word of a text, as an ``XTTokenizer`` gives it.
public struct XTToken: Hashable, Sendable {
  /// What is compared: lower case, without an ending, or whatever the tokenizer makes of the word.
  /// An empty one is passed over, and a NUL character in it counts as U+FFFD. SQLite looks at the
  /// first 32,768 bytes.
  public var text: String
  /// Where the word stands in the text: bytes of its UTF-8, from 0.
  public var range: Range<Int>
  /// Whether it stands at the place of the token before it, as another word for the same.
  public var isSynonym: Bool

  /// A token.
  ///
  /// - Parameters:
  ///   - text: What is compared.
  ///   - range: Where the word stands, in bytes of the text's UTF-8. What lies outside of the text is
  ///     cut off, and a character that it cuts belongs to it.
  ///   - isSynonym: Whether it stands at the place of the token before it.
  public init(_ text: String, at range: Range<Int>, isSynonym: Bool = false) {
    self.text = text
    self.range = range
    self.isSynonym = isSynonym
  }
}

/// Takes a text's bytes apart.
protocol ByteTokenizer: Sendable {
  /// - Parameter give: Is given a token's bytes, where the word begins and ends, and whether it stands
  ///   at the place of the one before. Gives false where no more are wanted.
  func tokenize(
    _ text: UnsafeBufferPointer<UInt8>, isQuestion: Bool,
    _ give: (UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ isSynonym: Bool) -> Bool)
}

/// A tokenizer of the program's own, by its name.
struct NamedTokenizer: Sendable {
  let name: String
  let bytes: any ByteTokenizer
  let stamp = Stamp()

  init(_ name: String, _ tokenizer: any XTTokenizer) {
    self.name = name
    bytes = TextTokenizer(base: tokenizer)
  }

  init(_ name: String, bytes: any ByteTokenizer) {
    self.name = name
    self.bytes = bytes
  }

  func isReplaced(by other: NamedTokenizer) -> Bool { SQLiteName(name) == SQLiteName(other.name) }

  /// - Throws: Why SQLite or the library can't take it.
  func validate() throws {
    try SQLiteName.check(name, of: "tokenizer")
    let ownNames = ["unicode61", "ascii", "porter", "trigram", "simple", "icu"]
    guard !ownNames.contains(where: { SQLiteName($0) == SQLiteName(name) }) else {
      throw XTError(
        .sqlite, "SQLite's own tokenizer \(name) can't be replaced",
        hint: "every search index of the file is made by it; choose another name")
    }
  }
}

private struct TextTokenizer: ByteTokenizer {
  let base: any XTTokenizer

  func tokenize(
    _ text: UnsafeBufferPointer<UInt8>, isQuestion: Bool,
    _ give: (UnsafeBufferPointer<UInt8>, Int, Int, Bool) -> Bool
  ) {
    let string = String(decoding: text, as: UTF8.self)
    var isFirst = true
    for var token in base.tokens(of: string, for: isQuestion ? .question : .row) {
      let (start, end) = Self.place(token.range, in: text)
      // SQLite's own code looks for the end of a token by its NUL.
      if token.text.utf8.contains(0) {
        token.text = token.text.replacing("\0", with: "\u{FFFD}")
      }
      let goesOn = token.text.withUTF8 { bytes in
        bytes.isEmpty || give(bytes, start, end, token.isSynonym && !isFirst)
      }
      if !goesOn { return }
      if !token.text.isEmpty { isFirst = false }
    }
  }

  /// A range within the text that cuts no code point.
  private static func place(
    _ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>
  ) -> (start: Int, end: Int) {
    var start = min(max(range.lowerBound, 0), text.count)
    var end = min(max(range.upperBound, start), text.count)
    while start > 0, start < text.count, text[start] & 0xC0 == 0x80 { start -= 1 }
    while end > start, end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return (start, end)
  }
}
