/// How SQLCipher encrypts a file. What is nil is as the linked version of SQLCipher does it by itself.
///
/// A file is only opened by the settings that it was made with. See
/// [SQLCipher's documentation](https://www.zetetic.net/sqlcipher/sqlcipher-api/).
///
/// ```swift
/// configuration.key = .passphrase(secret)
/// configuration.cipher.compatibility = 3    // a file of SQLCipher 3, opened by any later one
/// ```
public struct XTCipher: Hashable, Sendable {
  /// The size of a page in bytes: a power of two from 512 to 65,536. SQLCipher's own is 1,024 up to
  /// version 3 and 4,096 from version 4 on.
  public var pageSize: Int?
  /// How often the key is hashed when it is derived. SQLCipher's own is 64,000 in version 3 and
  /// 256,000 in version 4; a raw key is not derived.
  public var iterations: Int?
  /// The major version of SQLCipher, 1 to 4, whose files it is one of. Not later than the version
  /// that is linked.
  public var compatibility: Int?

  /// What is not given is as SQLCipher does it by itself.
  public init(pageSize: Int? = nil, iterations: Int? = nil, compatibility: Int? = nil) {
    self.pageSize = pageSize
    self.iterations = iterations
    self.compatibility = compatibility
  }
}

extension XTCipher {
  /// - Throws: `encryption` that names the value which can't be.
  func validate() throws {
    if let pageSize, !(512...65_536).contains(pageSize) || pageSize & (pageSize - 1) != 0 {
      throw XTError(
        .encryption, "a cipher's page of \(pageSize) bytes",
        hint: "a page is a power of two from 512 to 65536")
    }
    if let iterations, !(1...Int(Int32.max)).contains(iterations) {
      throw XTError(
        .encryption, "\(iterations) iterations to derive a key",
        hint: "leave it nil for SQLCipher's own number")
    }
    if let compatibility, !(1...4).contains(compatibility) {
      throw XTError(
        .encryption, "files of SQLCipher \(compatibility)",
        hint: "its major versions are 1 to 4")
    }
  }

  /// The statements that make it so, after the key and before anything else; for a database that has
  /// the name `schema` on its connection.
  ///
  /// - Parameter library: The major version of SQLCipher that is linked.
  /// - Throws: `encryption` where that version can't do it.
  func pragmas(library: Int, schema: String = "main") throws -> [String] {
    var pragmas: [String] = []
    if let compatibility {
      guard compatibility <= library else {
        throw XTError(
          .encryption, "files of SQLCipher \(compatibility), of which \(library) is linked",
          hint: "link SQLCipher \(compatibility) or later")
      }
      if library >= 4 {
        pragmas.append("\(schema).cipher_compatibility = \(compatibility)")
      } else if compatibility < 3 {
        pragmas.append("\(schema).kdf_iter = 4000")
        if compatibility == 1 { pragmas.append("\(schema).cipher_use_hmac = OFF") }
      }
    }
    if let pageSize { pragmas.append("\(schema).cipher_page_size = \(pageSize)") }
    if let iterations { pragmas.append("\(schema).kdf_iter = \(iterations)") }
    return pragmas
  }
}
