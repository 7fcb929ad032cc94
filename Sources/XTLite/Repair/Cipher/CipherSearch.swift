/// Finds out how a file is encrypted: the first settings by which a page's checksum is right.
struct CipherSearch {
  /// As the engine is given it.
  let key: SecretBytes
  let settings: XTCipher
  /// The file's salt as somebody remembers it, where its own is damaged.
  let salt: [UInt8]?

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
    guard let library = CipherLibraries.find() else {
      throw XTError(
        .encryption, "no library that decrypts was found on this system",
        hint: "install OpenSSL's libcrypto, which SQLCipher needs as well", path: path)
    }
    let salts = [rawSalt, file.read(at: 0, count: SQLCipherPages.saltSize), salt].compactMap { $0 }
      .filter { $0.count == SQLCipherPages.saltSize }
    for salt in salts {
      for form in forms {
        let iterations = settings.iterations ?? form.iterations
        guard
          let main = rawKey ?? library.derive(key, salt: salt, iterations: iterations, form.hash)
        else { continue }
        let checks = form.version > 1
        // The checksum has a key of its own, made from the other.
        let second = library.derive(main, salt: salt.map { $0 ^ 0x3A }, iterations: 2, form.hash)
        for pageSize in pageSizes(first: form.pageSize) {
          let pages = SQLCipherPages(
            library: library, key: main,
            authentication: checks ? second.map { ($0, form.hash) } : nil, pageSize: pageSize)
          if opens(pages, file, log) {
            return PagedFile.FoundCipher(
              cipher: pages, pageSize: pageSize, reserved: pages.reserved)
          }
        }
      }
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
    _ pages: SQLCipherPages, _ file: any ByteFile, _ log: (any ByteFile)?
  ) -> Bool {
    let count = file.size / pages.pageSize
    let step = max(count / Self.samples, 1)
    for number in stride(from: 1, to: count + 1, by: step) {
      guard let bytes = file.read(at: (number - 1) * pages.pageSize, count: pages.pageSize),
        let plain = pages.decrypt(bytes, page: number)
      else { continue }
      if pages.authentication != nil { return true }
      let usable = pages.pageSize - pages.reserved
      if BTreePage(plain, number: number, usable: usable)?.isSound == true { return true }
    }
    return false
  }

  // MARK: Keys that are not derived

  /// The bytes whose digits are in `x'…'`; nil for a passphrase.
  private func bytes(_ range: Range<Int>) -> SecretBytes? {
    key.withBytes { key in
      guard key.count == 67 || key.count == 99, key[0] == UInt8(ascii: "x"),
        key[1] == UInt8(ascii: "'"), key[key.count - 1] == UInt8(ascii: "'"),
        2 + 2 * range.upperBound < key.count,
        key[2..<(key.count - 1)].allSatisfy({ Self.value($0) != nil })
      else { return nil }
      return SecretBytes(count: range.count) { memory in
        for (index, position) in range.enumerated() {
          let high = Self.value(key[2 + 2 * position]) ?? 0
          let low = Self.value(key[3 + 2 * position]) ?? 0
          memory[index] = high << 4 | low
        }
      }
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private var rawKey: SecretBytes? { bytes(0..<32) }

  private var rawSalt: [UInt8]? { bytes(32..<48)?.withBytes { Array($0) } }
}
