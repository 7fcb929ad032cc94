import Foundation

/// Tokenizers for the FTS3 and FTS4 of libraries without FTS5.
///
/// SQLite is given the address of a module and never says when it is done with it, so a module stays
/// for as long as the program runs: one for each tokenizer, however many connections have it.
enum FTS3Tokenizers {
  /// What a text begins with that is searched for, since FTS3 can't say so: a code point that stands
  /// for no character.
  static let questionMark: [UInt8] = [0xEF, 0xB7, 0x90]

  /// Unchecked: a module is written once, before anybody has its address.
  private struct Module: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<xt_fts3_module>
  }

  private static let modules = Mutex<[ObjectIdentifier: (stamp: Stamp, module: Module)]>([:])

  static func register(_ tokenizer: NamedTokenizer, on handle: OpaquePointer) -> Int32 {
    let module = modules.withLock { modules in
      if let known = modules[ObjectIdentifier(tokenizer.stamp)] { return known.module }
      let made = Module(pointer: make(tokenizer))
      modules[ObjectIdentifier(tokenizer.stamp)] = (tokenizer.stamp, made)
      return made
    }
    return xt_register_fts3(handle, tokenizer.name, module.pointer)
  }

  private static func make(
    _ tokenizer: NamedTokenizer
  ) -> UnsafeMutablePointer<xt_fts3_module> {
    let module = UnsafeMutablePointer<xt_fts3_module>.allocate(capacity: 1)
    module.initialize(
      to: xt_fts3_module(
        iVersion: 0,
        xCreate: { count, _, tokenizer in
          if count > 0 { return SQLITE_ERROR }
          let made = UnsafeMutablePointer<xt_fts3_tokenizer>.allocate(capacity: 1)
          made.initialize(to: xt_fts3_tokenizer(pModule: nil))
          tokenizer?.pointee = made
          return SQLITE_OK
        },
        xDestroy: { tokenizer in
          tokenizer?.deallocate()
          return SQLITE_OK
        },
        xOpen: { tokenizer, text, count, cursor in
          guard let text, let owner = tokenizer?.pointee.pModule?.pointee.owner else {
            return SQLITE_ERROR
          }
          let box = Unmanaged<TokenizerBox>.fromOpaque(owner).takeUnretainedValue()
          // A negative count is that of a text with a NUL at its end.
          let length = count < 0 ? Int32(truncatingIfNeeded: strlen(text)) : count
          let tokens = FTS3Tokens(bytes(text, length), box.bytes)
          let made = UnsafeMutablePointer<xt_fts3_cursor>.allocate(capacity: 1)
          made.initialize(
            to: xt_fts3_cursor(
              pTokenizer: nil, tokens: Unmanaged.passRetained(tokens).toOpaque()))
          cursor?.pointee = made
          return SQLITE_OK
        },
        xClose: { cursor in
          if let tokens = cursor?.pointee.tokens {
            Unmanaged<FTS3Tokens>.fromOpaque(tokens).release()
          }
          cursor?.deallocate()
          return SQLITE_OK
        },
        xNext: { cursor, token, count, start, end, position in
          guard let tokens = cursor?.pointee.tokens else { return SQLITE_ERROR }
          let list = Unmanaged<FTS3Tokens>.fromOpaque(tokens).takeUnretainedValue()
          guard let next = list.next() else { return SQLITE_DONE }
          token?.pointee = next.text
          count?.pointee = next.count
          start?.pointee = next.start
          end?.pointee = next.end
          position?.pointee = next.position
          return SQLITE_OK
        }, xLanguageid: nil,
        owner: Unmanaged.passRetained(TokenizerBox(tokenizer.bytes)).toOpaque()))
    return module
  }
}

/// The tokens of one text, which FTS3 asks for one by one.
private final class FTS3Tokens {
  struct Token {
    let text: UnsafePointer<CChar>
    let count: Int32
    let start: Int32
    let end: Int32
    let position: Int32
  }

  private struct Place {
    let offset: Int
    let count: Int
    let start: Int
    let end: Int
    let position: Int
  }

  private var places: [Place] = []
  private let memory: UnsafeMutablePointer<CChar>
  private var index = 0

  init(_ text: UnsafeBufferPointer<UInt8>, _ tokenizer: any ByteTokenizer) {
    let mark = FTS3Tokenizers.questionMark
    let isQuestion = text.count >= mark.count && text.prefix(mark.count).elementsEqual(mark)
    let skipped = isQuestion ? mark.count : 0
    var all: [CChar] = []
    var found: [Place] = []
    var position = -1
    tokenizer.tokenize(
      UnsafeBufferPointer(rebasing: text[skipped...]), isQuestion: isQuestion
    ) { token, start, end, isSynonym in
      if !isSynonym || position < 0 { position += 1 }
      found.append(
        Place(
          offset: all.count, count: token.count, start: start + skipped, end: end + skipped,
          position: position))
      all += token.lazy.map { CChar(bitPattern: $0) }
      return true
    }
    places = found
    memory = .allocate(capacity: max(all.count, 1))
    memory.initialize(repeating: 0, count: max(all.count, 1))
    for (offset, byte) in all.enumerated() { memory[offset] = byte }
  }

  deinit { memory.deallocate() }

  func next() -> Token? {
    guard index < places.count else { return nil }
    let place = places[index]
    index += 1
    return Token(
      text: UnsafePointer(memory + place.offset), count: Int32(truncatingIfNeeded: place.count),
      start: Int32(truncatingIfNeeded: place.start), end: Int32(truncatingIfNeeded: place.end),
      position: Int32(truncatingIfNeeded: place.position))
  }
}
