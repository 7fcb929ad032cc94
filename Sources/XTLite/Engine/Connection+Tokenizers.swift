/// Tokenizers for full-text search, registered on this connection alone.
extension Connection {
  /// The library's own, and the functions that tell where and how well a row matches.
  func registerSearch() throws {
    removeHooks()
    defer { installHooks() }
    let api = xt_fts5(handle)
    if let api { _ = xt_register_search(api) }
    for tokenizer in CJKTokenizer.all {
      try SearchTokenizers.register(tokenizer, on: handle, api, path: path)
    }
  }

  func createTokenizer(_ tokenizer: NamedTokenizer) throws {
    removeHooks()
    defer { installHooks() }
    try SearchTokenizers.register(tokenizer, on: handle, xt_fts5(handle), path: path)
  }
}

/// The library's tokenizers for a connection that is not its own, as the benchmarks' is.
package enum SearchTokenizers {
  package static func register(on handle: OpaquePointer) throws {
    for tokenizer in CJKTokenizer.all {
      try register(tokenizer, on: handle, xt_fts5(handle), path: nil)
    }
  }

  fileprivate static func register(
    _ tokenizer: NamedTokenizer, on handle: OpaquePointer,
    _ api: UnsafeMutablePointer<fts5_api>?, path: String?
  ) throws {
    if let api {
      let box = Unmanaged.passRetained(TokenizerBox(tokenizer.bytes))
      var functions = fts5_tokenizer(
        xCreate: { context, _, count, instance in
          guard let context, count == 0 else { return SQLITE_ERROR }
          let box = Unmanaged<TokenizerBox>.fromOpaque(context).takeUnretainedValue()
          instance?.pointee = OpaquePointer(Unmanaged.passRetained(box).toOpaque())
          return SQLITE_OK
        },
        xDelete: { instance in
          guard let instance else { return }
          Unmanaged<TokenizerBox>.fromOpaque(UnsafeRawPointer(instance)).release()
        },
        xTokenize: { instance, context, flags, text, count, give in
          guard let instance, let give else { return SQLITE_ERROR }
          let box = Unmanaged<TokenizerBox>.fromOpaque(UnsafeRawPointer(instance))
            .takeUnretainedValue()
          var code = SQLITE_OK
          box.bytes.tokenize(
            bytes(text, count), isQuestion: flags & FTS5_TOKENIZE_QUERY != 0
          ) { token, start, end, isSynonym in
            code = token.withMemoryRebound(to: CChar.self) {
              give(
                context, isSynonym ? FTS5_TOKEN_COLOCATED : 0, $0.baseAddress, Int32($0.count),
                Int32(start), Int32(end))
            }
            return code == SQLITE_OK
          }
          return code
        })
      let code = api.pointee.xCreateTokenizer(
        api, tokenizer.name, box.toOpaque(), &functions,
        { context in
          if let context { Unmanaged<TokenizerBox>.fromOpaque(context).release() }
        })
      guard code == SQLITE_OK else {
        box.release()
        throw XTError.last(of: handle, code: code, path: path)
      }
    }
    let code = FTS3Tokenizers.register(tokenizer, on: handle)
    // Where there is FTS5, nothing needs the older one.
    guard code == SQLITE_OK || api != nil else {
      throw XTError.last(of: handle, code: code, path: path)
    }
  }
}

/// A tokenizer as an object, so that C can hold it.
final class TokenizerBox: Sendable {
  let bytes: any ByteTokenizer
  init(_ bytes: any ByteTokenizer) { self.bytes = bytes }
}

func bytes(_ text: UnsafePointer<CChar>?, _ count: Int32) -> UnsafeBufferPointer<UInt8> {
  guard let text, count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
  return UnsafeBufferPointer(
    start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: Int(count))
}
