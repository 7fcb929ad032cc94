import Foundation

/// Takes texts apart as a full-text table does: for questions, and to show where a row matches.
final class TextTokens: Sendable {
  struct Token: Equatable {
    /// Bytes of the text's UTF-8.
    var start: Int
    var end: Int
    /// Tokens that stand for the same word have the same.
    var position: Int
  }

  private enum Source: Sendable {
    case own(any ByteTokenizer)
    /// One of SQLite's, on a connection of its own.
    case library(Mutex<any LibraryTokenizer>)
  }

  private let source: Source

  private static let known = Mutex<[[String]: TextTokens]>([:])

  private init(_ source: Source) { self.source = source }

  /// - Parameters:
  ///   - words: The tokenizer's name and its arguments.
  ///   - isFTS5: Whether it is one of FTS5's, and not of FTS4's.
  ///   - own: The program's own.
  /// - Throws: `schema` where there is none of the name.
  static func of(_ words: [String], isFTS5: Bool, own: [NamedTokenizer]) throws -> TextTokens {
    if let name = words.first.map({ SQLiteName($0) }) {
      let named = (CJKTokenizer.all + own).first { SQLiteName($0.name) == name }
      if let named { return TextTokens(.own(named.bytes)) }
    }
    let key = words + [isFTS5 ? "5" : "4"]
    if let found = known.withLock({ $0[key] }) { return found }
    let library: any LibraryTokenizer =
      isFTS5 ? try FTS5LibraryTokenizer(words) : try FTS4LibraryTokenizer(words)
    let made = TextTokens(.library(Mutex(library)))
    known.withLock { $0[key] = made }
    return made
  }

  /// The first code point of each three that the tokenizer `trigram` gives of a text without NULs.
  static func firstScalars(ofTrigramsIn text: String) throws -> [Unicode.Scalar] {
    var text = text
    return try text.withUTF8 { try FTS5LibraryTokenizer(["trigram"]).firstScalars(of: $0) }
  }

  func tokens(of text: String, isQuestion: Bool) throws -> [Token] {
    var text = text
    switch source {
    case .own(let tokenizer):
      return text.withUTF8 { bytes in
        var tokens: [Token] = []
        tokenizer.tokenize(bytes, isQuestion: isQuestion) { _, start, end, isSynonym in
          tokens.add(start, end, isSynonym: isSynonym)
          return true
        }
        return tokens
      }
    case .library(let tokenizer):
      return try text.withUTF8 { bytes in
        try tokenizer.withLock { try $0.tokens(of: bytes, isQuestion: isQuestion) }
      }
    }
  }
}

extension [TextTokens.Token] {
  fileprivate mutating func add(_ start: Int, _ end: Int, isSynonym: Bool) {
    let last = last?.position ?? -1
    append(
      TextTokens.Token(
        start: start, end: end, position: isSynonym && last >= 0 ? last : last + 1))
  }
}

private protocol LibraryTokenizer {
  func tokens(
    of text: UnsafeBufferPointer<UInt8>, isQuestion: Bool
  ) throws -> [TextTokens.Token]
}

private final class FTS5LibraryTokenizer: LibraryTokenizer {
  private let connection: Connection
  private var functions = fts5_tokenizer()
  private var instance: OpaquePointer?

  init(_ words: [String]) throws {
    connection = try Connection(ConnectionSettings())
    let name = words.first ?? ""
    var context: UnsafeMutableRawPointer?
    guard let api = xt_fts5(connection.handle),
      api.pointee.xFindTokenizer(api, name, &context, &functions) == SQLITE_OK
    else { throw XTError(sqliteCode: SQLITE_ERROR, message: "no such tokenizer: \(name)") }
    let arguments = words.dropFirst().map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var pointers = arguments.map { UnsafePointer($0) }
    let code = functions.xCreate(context, &pointers, Int32(pointers.count), &instance)
    guard code == SQLITE_OK else {
      throw XTError(sqliteCode: code, message: "the tokenizer \(name) can't be made")
    }
  }

  deinit {
    if let instance { functions.xDelete(instance) }
    connection.close()
  }

  private final class List {
    var tokens: [TextTokens.Token] = []
  }

  func tokens(
    of text: UnsafeBufferPointer<UInt8>, isQuestion: Bool
  ) throws -> [TextTokens.Token] {
    let list = List()
    let code = text.withMemoryRebound(to: CChar.self) { text in
      functions.xTokenize(
        instance, Unmanaged.passUnretained(list).toOpaque(),
        isQuestion ? FTS5_TOKENIZE_QUERY : FTS5_TOKENIZE_AUX, text.baseAddress, Int32(text.count),
        { context, flags, _, _, start, end in
          guard let context else { return SQLITE_ERROR }
          Unmanaged<List>.fromOpaque(context).takeUnretainedValue().tokens.add(
            Int(start), Int(end), isSynonym: flags & FTS5_TOKEN_COLOCATED != 0)
          return SQLITE_OK
        })
    }
    guard code == SQLITE_OK else {
      throw XTError(sqliteCode: code, message: "a text can't be taken apart")
    }
    return list.tokens
  }

  private final class Scalars {
    var list: [Unicode.Scalar] = []
  }

  func firstScalars(of text: UnsafeBufferPointer<UInt8>) throws -> [Unicode.Scalar] {
    let scalars = Scalars()
    let code = text.withMemoryRebound(to: CChar.self) { text in
      functions.xTokenize(
        instance, Unmanaged.passUnretained(scalars).toOpaque(), FTS5_TOKENIZE_AUX,
        text.baseAddress, Int32(text.count),
        { context, _, token, count, _, _ in
          guard let context else { return SQLITE_ERROR }
          var utf8 = UTF8()
          var units = bytes(token, count).makeIterator()
          if case .scalarValue(let scalar) = utf8.decode(&units) {
            Unmanaged<Scalars>.fromOpaque(context).takeUnretainedValue().list.append(scalar)
          }
          return SQLITE_OK
        })
    }
    guard code == SQLITE_OK else {
      throw XTError(sqliteCode: code, message: "a text can't be taken apart")
    }
    return scalars.list
  }
}

private final class FTS4LibraryTokenizer: LibraryTokenizer {
  private let connection: Connection

  init(_ words: [String]) throws {
    connection = try Connection(ConnectionSettings())
    let list = words.map { "'\($0)'" }.joined(separator: ", ")
    try connection.run("CREATE VIRTUAL TABLE `t` USING fts3tokenize(\(list))")
  }

  deinit { connection.close() }

  func tokens(
    of text: UnsafeBufferPointer<UInt8>, isQuestion: Bool
  ) throws -> [TextTokens.Token] {
    try connection.withStatement("SELECT `start`, `end`, `position` FROM `t` WHERE `input` = ?") {
      statement in
      try statement.bind(.text(String(decoding: text, as: UTF8.self)), at: 1)
      var tokens: [TextTokens.Token] = []
      while try statement.step() {
        tokens.append(
          TextTokens.Token(
            start: Int(statement.column(0).int64), end: Int(statement.column(1).int64),
            position: Int(statement.column(2).int64)))
      }
      return tokens
    }
  }
}
