import Foundation

#if canImport(CommonCrypto)
  import CommonCrypto
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The hashes that SQLCipher uses.
enum CipherHash: Sendable {
  case sha1, sha512

  var size: Int { self == .sha1 ? 20 : 64 }
}

/// What is needed of the library that SQLCipher itself encrypts with. None of it is this package's.
protocol CipherLibrary: Sendable {
  /// PBKDF2 with an HMAC of the hash; a key of 32 bytes.
  func derive(
    _ password: SecretBytes, salt: [UInt8], iterations: Int, _ hash: CipherHash
  ) -> SecretBytes?
  func hmac(_ bytes: [UInt8], key: SecretBytes, _ hash: CipherHash) -> [UInt8]?
  /// AES-256 in CBC mode, without padding.
  func decrypt(_ bytes: ArraySlice<UInt8>, key: SecretBytes, iv: [UInt8]) -> [UInt8]?
}

enum CipherLibraries {
  /// Nil where there is none on this system.
  static let found: (any CipherLibrary)? = {
    #if canImport(CommonCrypto)
      return SystemCipherLibrary()
    #else
      return OpenSSLLibrary()
    #endif
  }()
}

#if canImport(CommonCrypto)
  private struct SystemCipherLibrary: CipherLibrary {
    func derive(
      _ password: SecretBytes, salt: [UInt8], iterations: Int, _ hash: CipherHash
    ) -> SecretBytes? {
      let algorithm = hash == .sha1 ? kCCPRFHmacAlgSHA1 : kCCPRFHmacAlgSHA512
      var code = Int32(kCCParamError)
      let key = SecretBytes(count: 32) { key in
        code = password.withBytes { password in
          CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2),
            password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt,
            salt.count, CCPseudoRandomAlgorithm(algorithm), UInt32(clamping: iterations),
            key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count)
        }
      }
      return code == kCCSuccess ? key : nil
    }

    func hmac(_ bytes: [UInt8], key: SecretBytes, _ hash: CipherHash) -> [UInt8]? {
      var result = [UInt8](repeating: 0, count: hash.size)
      let algorithm = hash == .sha1 ? kCCHmacAlgSHA1 : kCCHmacAlgSHA512
      key.withBytes {
        CCHmac(
          CCHmacAlgorithm(algorithm), $0.baseAddress, $0.count, bytes, bytes.count, &result)
      }
      return result
    }

    func decrypt(_ bytes: ArraySlice<UInt8>, key: SecretBytes, iv: [UInt8]) -> [UInt8]? {
      let input = Array(bytes)
      var result = [UInt8](repeating: 0, count: input.count)
      var count = 0
      let code = key.withBytes {
        CCCrypt(
          CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, $0.baseAddress, $0.count, iv,
          input, input.count, &result, result.count, &count)
      }
      return code == kCCSuccess && count == result.count ? result : nil
    }
  }
#else
  /// OpenSSL's libcrypto, found when the program runs.
  private struct OpenSSLLibrary: CipherLibrary {
    private typealias Hash = @convention(c) () -> OpaquePointer?
    private typealias Derive =
      @convention(c) (
        UnsafePointer<CChar>?, Int32, UnsafePointer<UInt8>?, Int32, Int32, OpaquePointer?, Int32,
        UnsafeMutablePointer<UInt8>?
      ) -> Int32
    private typealias Authenticate =
      @convention(c) (
        OpaquePointer?, UnsafeRawPointer?, Int32, UnsafePointer<UInt8>?, Int,
        UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?
      ) -> UnsafeMutablePointer<UInt8>?
    private typealias NewContext = @convention(c) () -> OpaquePointer?
    private typealias FreeContext = @convention(c) (OpaquePointer?) -> Void
    private typealias Begin =
      @convention(c) (
        OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?,
        UnsafePointer<UInt8>?
      ) -> Int32
    private typealias SetPadding = @convention(c) (OpaquePointer?, Int32) -> Int32
    private typealias Update =
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?,
        UnsafePointer<UInt8>?, Int32
      ) -> Int32

    private let sha1: Hash
    private let sha512: Hash
    private let aes: Hash
    private let pbkdf2: Derive
    private let authenticate: Authenticate
    private let newContext: NewContext
    private let freeContext: FreeContext
    private let begin: Begin
    private let setPadding: SetPadding
    private let update: Update

    /// SQLCipher's own first: it is loaded already where the engine is SQLCipher.
    private static let names = [nil, "libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"]

    init?() {
      for name in Self.names {
        // Never closed: whoever uses it may still be in it.
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
        if let found = OpenSSLLibrary(library) {
          self = found
          return
        }
      }
      return nil
    }

    private init?(_ library: UnsafeMutableRawPointer) {
      func symbol<T>(_ name: String, _ type: T.Type) -> T? {
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
      }
      guard let sha1 = symbol("EVP_sha1", Hash.self), let sha512 = symbol("EVP_sha512", Hash.self),
        let aes = symbol("EVP_aes_256_cbc", Hash.self),
        let pbkdf2 = symbol("PKCS5_PBKDF2_HMAC", Derive.self),
        let authenticate = symbol("HMAC", Authenticate.self),
        let newContext = symbol("EVP_CIPHER_CTX_new", NewContext.self),
        let freeContext = symbol("EVP_CIPHER_CTX_free", FreeContext.self),
        let begin = symbol("EVP_DecryptInit_ex", Begin.self),
        let setPadding = symbol("EVP_CIPHER_CTX_set_padding", SetPadding.self),
        let update = symbol("EVP_DecryptUpdate", Update.self)
      else { return nil }
      self.sha1 = sha1
      self.sha512 = sha512
      self.aes = aes
      self.pbkdf2 = pbkdf2
      self.authenticate = authenticate
      self.newContext = newContext
      self.freeContext = freeContext
      self.begin = begin
      self.setPadding = setPadding
      self.update = update
    }

    private func digest(_ hash: CipherHash) -> OpaquePointer? {
      hash == .sha1 ? sha1() : sha512()
    }

    func derive(
      _ password: SecretBytes, salt: [UInt8], iterations: Int, _ hash: CipherHash
    ) -> SecretBytes? {
      guard let digest = digest(hash), iterations > 0, iterations <= Int32.max,
        let length = Int32(exactly: password.count)
      else { return nil }
      var code: Int32 = 0
      let key = SecretBytes(count: 32) { key in
        code = password.withBytes { password in
          pbkdf2(
            password.baseAddress?.assumingMemoryBound(to: CChar.self), length, salt,
            Int32(salt.count), Int32(iterations), digest, Int32(key.count),
            key.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
      }
      return code == 1 ? key : nil
    }

    func hmac(_ bytes: [UInt8], key: SecretBytes, _ hash: CipherHash) -> [UInt8]? {
      guard let digest = digest(hash) else { return nil }
      var result = [UInt8](repeating: 0, count: hash.size)
      var size: UInt32 = 0
      let isDone = key.withBytes {
        authenticate(
          digest, $0.baseAddress, Int32(clamping: $0.count), bytes, bytes.count, &result, &size)
          != nil
      }
      return isDone && Int(size) == result.count ? result : nil
    }

    func decrypt(_ bytes: ArraySlice<UInt8>, key: SecretBytes, iv: [UInt8]) -> [UInt8]? {
      guard key.count == 32, iv.count == 16, bytes.count % 16 == 0, let cipher = aes(),
        let context = newContext()
      else { return nil }
      defer { freeContext(context) }
      let input = Array(bytes)
      // Room for one block more, as the library asks for.
      var result = [UInt8](repeating: 0, count: input.count + 16)
      var count: Int32 = 0
      let hasBegun = key.withBytes {
        begin(context, cipher, nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), iv) == 1
      }
      guard hasBegun, setPadding(context, 0) == 1,
        update(context, &result, &count, input, Int32(input.count)) == 1,
        Int(count) == input.count
      else { return nil }
      result.removeLast(16)
      return result
    }
  }
#endif
