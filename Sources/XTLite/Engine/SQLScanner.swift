/// The tokens of SQL text, as far as it takes to know what stands inside quotes and comments.
///
/// It starts outside of both. Blanks are passed over; a token that the text ends before closing is
/// given as not closed.
struct SQLScanner: Sequence, IteratorProtocol {
  struct Token {
    enum Kind {
      case word, number, parameter
      /// `'…'`
      case text
      /// `"…"`, which SQLite may take for a text.
      case doubleQuoted
      /// `` `…` ``, or `[…]`
      case name
      /// `-- …`
      case lineComment
      /// `/* … */`
      case blockComment
      case openParenthesis, closeParenthesis, semicolon, dot
      case other
    }

    let kind: Kind
    let range: Range<Int>
    let isClosed: Bool

    var isComment: Bool { kind == .lineComment || kind == .blockComment }
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  func text(of token: Token) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// What stands between the quotes or brackets of `token`, with doubled quotes made single. By
  /// bytes, as SQLite reads: a quote with a combining mark behind it is still a quote.
  func unquoted(_ token: Token) -> String {
    let quote = bytes[token.range.lowerBound]
    var content: [UInt8] = []
    var isSecond = false
    for byte in bytes[token.range].dropFirst().dropLast(token.isClosed ? 1 : 0) {
      // Brackets have no way to hold their own end.
      isSecond = byte == quote && quote != UInt8(ascii: "[") && !isSecond
      if !isSecond { content.append(byte) }
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// What a token names, without its quotes; nil for one that can name nothing.
  func name(of token: Token) -> String? {
    switch token.kind {
    case .word: text(of: token)
    case .name, .doubleQuoted, .text: unquoted(token)
    default: nil
    }
  }

  mutating func next() -> Token? {
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    guard position < bytes.count else { return nil }
    let start = position
    let (kind, isClosed) = scanToken()
    return Token(kind: kind, range: start..<position, isClosed: isClosed)
  }

  /// Moves past one token.
  private mutating func scanToken() -> (Token.Kind, isClosed: Bool) {
    let first = bytes[position]
    position += 1
    switch first {
    case UInt8(ascii: "'"):
      return (.text, skip(past: first, doubled: true))
    case UInt8(ascii: "\""):
      return (.doubleQuoted, skip(past: first, doubled: true))
    case UInt8(ascii: "`"):
      return (.name, skip(past: first, doubled: true))
    case UInt8(ascii: "["):
      return (.name, skip(past: UInt8(ascii: "]"), doubled: false))
    case UInt8(ascii: "-") where peek == UInt8(ascii: "-"):
      return (.lineComment, skip(past: UInt8(ascii: "\n"), doubled: false))
    case UInt8(ascii: "/") where peek == UInt8(ascii: "*"):
      position += 1
      return (.blockComment, skipBlockComment())
    case UInt8(ascii: "("):
      return (.openParenthesis, true)
    case UInt8(ascii: ")"):
      return (.closeParenthesis, true)
    case UInt8(ascii: ";"):
      return (.semicolon, true)
    case UInt8(ascii: "?"):
      skipNameBytes()
      return (.parameter, true)
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
      let start = position
      skipNameBytes()
      return (position > start ? .parameter : .other, true)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      skipNameBytes()
      return (.number, true)
    case UInt8(ascii: "."):
      return (.dot, true)
    case _ where Self.isNameByte(first):
      skipNameBytes()
      return (.word, true)
    default:
      return (.other, true)
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipNameBytes() {
    while let byte = peek, Self.isNameByte(byte) { position += 1 }
  }

  /// - Returns: whether `end` was there. With `doubled`, two of it stand for one inside.
  private mutating func skip(past end: UInt8, doubled: Bool) -> Bool {
    while let byte = peek {
      position += 1
      guard byte == end else { continue }
      guard doubled, peek == end else { return true }
      position += 1
    }
    return false
  }

  private mutating func skipBlockComment() -> Bool {
    while let byte = peek {
      position += 1
      if byte == UInt8(ascii: "*"), peek == UInt8(ascii: "/") {
        position += 1
        return true
      }
    }
    return false
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }

  /// SQLite takes every byte of a character beyond ASCII for a letter, and `$` after the first.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default:
      false
    }
  }
}
