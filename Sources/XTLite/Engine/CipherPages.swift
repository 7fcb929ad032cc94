/// The pages of a file of SQLCipher's: each encrypted by itself, with its own checksum.
struct CipherPages: Sendable {
  static let saltSize = 16
  private static let blockSize = 16

  let library: any CipherLibrary
  let key: SecretBytes
  /// Nil where pages have no checksum.
  let authentication: (key: SecretBytes, hash: CipherHash)?
  let pageSize: Int

  /// Bytes at a page's end: where its encryption begins, then its checksum, in whole blocks.
  static func reserved(_ hash: CipherHash?) -> Int {
    let size = blockSize + (hash?.size ?? 0)
    return (size + blockSize - 1) / blockSize * blockSize
  }

  var reserved: Int { Self.reserved(authentication?.hash) }

  /// The key of the pages' checksums, which is made from the other.
  static func authenticationKey(
    of key: SecretBytes, salt: [UInt8], _ hash: CipherHash, _ library: any CipherLibrary
  ) -> SecretBytes? {
    library.derive(key, salt: salt.map { $0 ^ 0x3A }, iterations: 2, hash)
  }

  /// - Returns: nil where the bytes are not those that were written.
  func decrypt(_ bytes: [UInt8], page: Int) -> [UInt8]? {
    guard bytes.count == pageSize else { return nil }
    // The file begins with the salt in the open.
    let start = page == 1 ? Self.saltSize : 0
    let end = pageSize - reserved
    guard end > start, isRight(bytes, start: start, end: end, page: page),
      let plain = library.decrypt(
        bytes[start..<end], key: key, iv: Array(bytes[end..<(end + Self.blockSize)]))
    else { return nil }
    let head = page == 1 ? Array("SQLite format 3\0".utf8) : []
    return head + plain + bytes[end...]
  }

  /// Whether a page's checksum says that it was written with the key; false where it has none.
  func proves(_ bytes: [UInt8], page: Int) -> Bool {
    let start = page == 1 ? Self.saltSize : 0
    let end = pageSize - reserved
    return authentication != nil && bytes.count == pageSize && end > start
      && isRight(bytes, start: start, end: end, page: page)
  }

  private func isRight(_ bytes: [UInt8], start: Int, end: Int, page: Int) -> Bool {
    guard let authentication else { return true }
    let sumStart = end + Self.blockSize
    var message = Array(bytes[start..<sumStart])
    // The page's number, least significant byte first.
    for shift in [0, 8, 16, 24] { message.append(UInt8(truncatingIfNeeded: page >> shift)) }
    let stated = bytes[sumStart..<(sumStart + authentication.hash.size)]
    return library.hmac(message, key: authentication.key, authentication.hash)
      .map { $0.elementsEqual(stated) } ?? false
  }
}
