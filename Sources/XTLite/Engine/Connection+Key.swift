/// The key of an encrypted file: before anything else runs on the connection.
extension Connection {
  /// How to have encryption, for errors.
  static let encryptionHint =
    "add traits: [\"SQLCipher\"] to your package's dependency on XTLite, and install SQLCipher "
    + "(Debian: libsqlcipher-dev, Homebrew: sqlcipher)"

  static let plainFileMessage = "a key was given, but the file is not encrypted"

  static func refuseKeyWithoutEncryption(_ settings: ConnectionSettings) throws {
    #if !SQLCipher
      if settings.key != nil {
        throw XTError(
          .encryption, "a key was given, but this build of XTLite has no encryption",
          hint: encryptionHint, path: settings.path)
      }
    #endif
  }

  /// Gives the engine the key, by its C interface, and what the cipher is set to.
  func applyKey() throws {
    #if SQLCipher
      guard let key = settings.key else { return }
      let library = try cipherVersion()
      let bytes = try key.engineBytes()
      let given = try derivedBytes(of: bytes, library: library) ?? bytes
      let code = given.withBytes { bytes in
        Int32(exactly: bytes.count).map { sqlite3_key(handle, bytes.baseAddress, $0) }
          ?? SQLITE_TOOBIG
      }
      guard code == SQLITE_OK else {
        throw XTError(.encryption, "the key was not taken", path: path, code: code)
      }
      for pragma in try settings.cipher.pragmas(library: library) { try self.pragma(pragma) }
      // What a query puts aside would be plain text in a file of its own.
      try pragma("temp_store = MEMORY")
    #endif
  }

  /// Whether the key is the right one for all that its file's first page says: others were written
  /// with it, as their checksums prove.
  private var isFirstPageDamaged: Bool {
    #if SQLCipher
      // What was derived here may be what is wrong: the file is then opened once more without that.
      guard settings.derivedKey?.isKnown != true, let pages = try? pagesOfKey() else {
        return false
      }
      let file = ConnectionFile(self)
      let count = file.size / pages.pageSize
      let samples = 50
      return stride(from: 2, to: count + 1, by: max(count / samples, 1)).contains { number in
        file.read(at: (number - 1) * pages.pageSize, count: pages.pageSize)
          .map { pages.proves($0, page: number) } ?? false
      }
    #else
      return false
    #endif
  }

  #if SQLCipher
    /// The major version of SQLCipher. Without it, every byte would be written as it is.
    ///
    /// - Throws: `encryption` where the engine that runs is none.
    func cipherVersion() throws -> Int {
      let version = try pragma("cipher_version")?.string
      guard let version, let major = Int(version.prefix { $0.isWholeNumber }) else {
        throw XTError(
          .encryption, "the SQLite that this program runs on does not encrypt",
          hint: "it was built for SQLCipher, but another SQLite was loaded in its place: link "
            + "SQLCipher, and nothing else that brings a SQLite along",
          path: settings.path)
      }
      return major
    }

    private func derivedBytes(of key: SecretBytes, library: Int) throws -> SecretBytes? {
      guard settings.key?.isDerived == true, let derived = settings.derivedKey,
        let header = header(of: CipherPages.saltSize)
      else { return nil }
      return try derived.bytes(of: key, salt: header) { try derivation(library) }
    }

    /// How the linked SQLCipher derives keys with these settings; nil where that is not known.
    private func derivation(_ library: Int) throws -> DerivedKey.Derivation? {
      let compatibility = settings.cipher.compatibility ?? library
      let own = try pragma("cipher_default_kdf_iter")?.settingNumber.map { Int($0) }
      let ofVersion = [1: 4_000, 2: 4_000, 3: 64_000, 4: 256_000][compatibility]
      let fallback = settings.cipher.compatibility == nil ? own : ofVersion
      guard let iterations = settings.cipher.iterations ?? fallback else { return nil }
      if compatibility < 4 { return DerivedKey.Derivation(hash: .sha1, iterations: iterations) }
      let algorithm = try pragma("cipher_default_kdf_algorithm")?.string
      guard algorithm == nil || algorithm == "PBKDF2_HMAC_SHA512" else { return nil }
      return DerivedKey.Derivation(hash: .sha512, iterations: iterations)
    }

    /// The file's pages as the key and the settings say; nil where they have no checksums, or where
    /// that can't be known.
    private func pagesOfKey() throws -> CipherPages? {
      let version = try cipherVersion()
      let compatibility = settings.cipher.compatibility ?? version
      guard compatibility > 1, let cipher = CipherLibraries.found,
        let key = try settings.key?.engineBytes(), let derivation = try derivation(version)
      else { return nil }
      let raw = key.rawKey
      guard let salt = raw?.salt ?? header(of: CipherPages.saltSize),
        salt.count == CipherPages.saltSize,
        let main = raw?.key
          ?? cipher.derive(key, salt: salt, iterations: derivation.iterations, derivation.hash),
        let second = CipherPages.authenticationKey(of: main, salt: salt, derivation.hash, cipher)
      else { return nil }
      let own = try pragma("cipher_default_page_size")?.settingNumber.map { Int($0) }
      let ofVersion = compatibility < 4 ? 1_024 : 4_096
      let fallback = settings.cipher.compatibility == nil ? own ?? ofVersion : ofVersion
      return CipherPages(
        library: cipher, key: main, authentication: (second, derivation.hash),
        pageSize: settings.cipher.pageSize ?? fallback)
    }
  #endif

  /// Writes the salt of a file that is new, so that whoever opens it later has the same.
  func keepSalt() throws {
    guard settings.key != nil, header(of: 1)?.isEmpty == true else { return }
    do {
      try prepare("PRAGMA user_version = 0", kept: false).run()
    } catch let error as XTError where error.kind == .notADatabase {
      throw keyError(error)
    }
  }

  /// The first bytes of the file, as they are; empty for an empty file, nil where there is no file.
  ///
  /// Read through SQLite's own descriptor: to close another one would drop the process's locks.
  func header(of count: Int) -> [UInt8]? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods,
      let size = methods.pointee.xFileSize, let read = methods.pointee.xRead
    else { return nil }
    var bytes: sqlite3_int64 = 0
    guard size(file, &bytes) == SQLITE_OK else { return nil }
    if bytes == 0 { return [] }
    guard bytes >= count else { return nil }
    var header = [UInt8](repeating: 0, count: count)
    return read(file, &header, Int32(count), 0) == SQLITE_OK ? header : nil
  }

  /// Whether the file begins as one that is not encrypted.
  var hasPlainHeader: Bool { header(of: 16) == Array("SQLite format 3\0".utf8) }

  static let unreadablePage = "a page of the encrypted file can't be read: it is damaged"

  /// SQLCipher has no word of its own for a page that does not decrypt, or can't be read.
  func decryptionError(_ error: XTError) -> XTError {
    guard error.extendedCode == SQLITE_ERROR,
      error.message == String(cString: sqlite3_errstr(SQLITE_ERROR))
    else { return error }
    var error = error
    error.kind = .corrupt
    error.message = Self.unreadablePage
    error.hint = "keep the file as it is, copy it, and put a backup in its place"
    return error
  }

  /// Why a file is not read with the key that was given, or without one.
  func keyError(_ error: XTError) -> XTError {
    var error = error
    error.sql = nil
    guard settings.key != nil else {
      error.kind = .notADatabase
      if hasPlainHeader {
        error.message = "the file's header is damaged, or a later version of SQLite has written it"
        error.hint = "open it with a later version, or put a backup in its place"
        return error
      }
      error.message = "the file is no database, or it is encrypted"
      #if SQLCipher
        error.hint = "where it is encrypted, give its key: XTConfiguration.key"
      #else
        error.hint = "an encrypted file takes a key and SQLCipher: " + Self.encryptionHint
      #endif
      return error
    }
    error.kind = .encryption
    if hasPlainHeader {
      error.message = Self.plainFileMessage
      error.hint = "open it without a key; changeKey(to:) encrypts it"
    } else if isFirstPageDamaged {
      error.kind = .corrupt
      error.message = "the key is right, but the first page of the file is damaged"
      error.hint =
        "keep a copy of the file, and put a backup in its place; XTRepair.salvage brings back what "
        + "is on the other pages"
    } else {
      error.message = "the key does not open the file"
      error.hint =
        "the key is wrong, or the cipher's settings are, or it is no database, or its first 16 bytes "
        + "are damaged"
    }
    return error
  }
}

extension XTValue {
  /// A number that a PRAGMA gives: SQLCipher has texts of some, which SQLite gives as numbers.
  var settingNumber: Int64? { int64 ?? string.flatMap { Int64($0) } }
}
