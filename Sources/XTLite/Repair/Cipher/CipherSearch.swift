extension CipherPages: PageCipher {}

/// Finds out how a file is encrypted: the first settings by which a page's checksum is right.
struct CipherSearch {
  /// As the engine is given it.
  let key: SecretBytes
  let settings: XTCipher
  /// The file's salt as somebody remembers it, where its own is damaged.
  let salt: [UInt8]?
  /// Whether the salt in the file may be the right one.
  var trustsFile = true

  private struct Form {
    let version: Int
    let iterations: Int
    let hash: CipherHash
    let pageSize: Int
  }

  private var forms: [Form] {
    let all = [
      Form(version: 4, iterations: 256_000, hash: .sha512, pageSize: 4096),
      Form(version: 3, iterations: 64_000, hash: .sha1, pageSize: 1024),
      Form(version: 2, iterations: 4_000, hash: .sha1, pageSize: 1024),
      Form(version: 1, iterations: 4_000, hash: .sha1, pageSize: 1024),
    ]
    // Without checksums nothing tells one from the other but what comes out: asked for by number.
    return all.filter { form in
      settings.compatibility.map { $0 == form.version } ?? (form.version > 1)
    }
  }

  /// - Throws: `encryption` where no page can be read with the key.
  func run(
    _ file: any ByteFile, log: (any ByteFile)?, path: String
  ) throws -> PagedFile.FoundCipher {
    guard let library = CipherLibraries.found else {
      throw XTError(
        .encryption, "no library that decrypts was found on this system",
        hint: "install OpenSSL's libcrypto, which SQLCipher needs as well", path: path)
    }
    let raw = key.rawKey
    let own = trustsFile ? file.read(at: 0, count: CipherPages.saltSize) : nil
    let salts = [raw?.salt, own, salt].compactMap { $0 }.filter {
      $0.count == CipherPages.saltSize
    }
    for salt in salts {
      for form in forms {
        let iterations = settings.iterations ?? form.iterations
        guard
          let main = raw?.key ?? library.derive(key, salt: salt, iterations: iterations, form.hash)
        else { continue }
        let checks = form.version > 1
        let second = CipherPages.authenticationKey(of: main, salt: salt, form.hash, library)
        for pageSize in pageSizes(first: form.pageSize) {
          let pages = CipherPages(
            library: library, key: main,
            authentication: checks ? second.map { ($0, form.hash) } : nil, pageSize: pageSize)
          if opens(pages, file, log) {
            return PagedFile.FoundCipher(
              cipher: pages, pageSize: pageSize, reserved: pages.reserved)
          }
        }
      }
    }
    if file.read(at: 0, count: 16) == DatabaseHeader.magic {
      throw XTError(
        .encryption, Connection.plainFileMessage, hint: "salvage it without a key", path: path)
    }
    throw XTError(
      .encryption, "the key opens no page of the file",
      hint: "the key is wrong; or the file's first 16 bytes are damaged, without which only a raw "
        + "key with its salt or repair hints help; or it is encrypted in another way, see "
        + "XTSalvageOptions.cipher", path: path)
  }

  private func pageSizes(first: Int) -> [Int] {
    if let pageSize = settings.pageSize {
      return DatabaseHeader.isPageSize(pageSize) ? [pageSize] : []
    }
    return [first] + DatabaseHeader.pageSizes.filter { $0 != first }
  }

  private static let samples = 50

  private func opens(
    _ pages: CipherPages, _ file: any ByteFile, _ log: (any ByteFile)?
  ) -> Bool {
    let count = file.size / pages.pageSize
    for number in stride(from: 1, to: count + 1, by: max(count / Self.samples, 1))
    where isPage(file, at: (number - 1) * pages.pageSize, number, pages) { return true }
    // A young file may have nearly all of its pages in the log.
    guard let log, log.size > LogIndex.headerSize else { return false }
    let size = LogIndex.frameHeaderSize + pages.pageSize
    let frames = (log.size - LogIndex.headerSize) / size
    for frame in stride(from: 0, to: frames, by: max(frames / Self.samples, 1)) {
      let offset = LogIndex.headerSize + frame * size
      guard let number = log.read(at: offset, count: 4)?.uint32(at: 0), number > 0 else { continue }
      if isPage(log, at: offset + LogIndex.frameHeaderSize, number, pages) { return true }
    }
    return false
  }

  private func isPage(
    _ file: any ByteFile, at offset: Int, _ number: Int, _ pages: CipherPages
  ) -> Bool {
    guard let bytes = file.read(at: offset, count: pages.pageSize) else { return false }
    if pages.authentication != nil { return pages.proves(bytes, page: number) }
    guard let plain = pages.decrypt(bytes, page: number) else { return false }
    return (PageSizeGuess.reserved(on: plain, number: number) ?? 0) >= pages.reserved
  }
}
