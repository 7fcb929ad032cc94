#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The cipher's key of one file as it was derived, for all of the file's connections: deriving it is
/// made to be slow, and takes longer than all else at an opening.
///
/// Derived by the library of ciphers that SQLCipher itself has loaded. Where that is not found, or
/// what comes of it does not open the file, each connection derives the key for itself.
final class DerivedKey: Sendable {
  private struct State {
    var salt: [UInt8] = []
    /// As the engine is given it.
    var bytes: SecretBytes?
    var derivations = 0
  }

  private let state = Mutex(State())
  private let isUseless = Flag()

  /// How the key is derived.
  struct Derivation: Equatable {
    enum Hash { case sha1, sha512 }
    var hash: Hash
    var iterations: Int
  }

  static let saltSize = 16
  private static let keySize = 32

  /// How often a key was derived.
  var derivations: Int { state.withLock { $0.derivations } }

  /// Whether there is one, which need not be right.
  var isKnown: Bool { state.withLock { $0.bytes != nil } }

  /// It did not open the file: not asked for any more.
  func giveUp() {
    isUseless.set(true)
    state.withLock { $0.bytes = nil }
  }

  /// What the engine is given instead of `key`; nil where it has to derive it itself.
  ///
  /// - Parameter salt: The file's; empty for a file that is to be made.
  func bytes(
    of key: SecretBytes, salt: [UInt8], _ derivation: () throws -> Derivation?
  ) rethrows -> SecretBytes? {
    if isUseless.isSet { return nil }
    if let bytes = state.withLock({ $0.salt == salt || salt.isEmpty ? $0.bytes : nil }) {
      return bytes
    }
    guard let derivation = try derivation() else { return nil }
    var generator = SystemRandomNumberGenerator()
    let salt =
      salt.isEmpty
      ? (0..<Self.saltSize).map { _ in UInt8.random(in: 0...255, using: &generator) } : salt
    guard let bytes = Self.derive(key, salt, derivation) else { return nil }
    state.withLock { state in
      state.salt = salt
      state.bytes = bytes
      state.derivations += 1
    }
    return bytes
  }

  private static func derive(
    _ key: SecretBytes, _ salt: [UInt8], _ derivation: Derivation
  ) -> SecretBytes? {
    let derived = UnsafeMutableRawBufferPointer.allocate(byteCount: keySize, alignment: 1)
    derived.initializeMemory(as: UInt8.self, repeating: 0)
    defer {
      xt_erase(derived.baseAddress, UInt(derived.count))
      derived.deallocate()
    }
    let isDone = key.withBytes { key in
      salt.withUnsafeBytes { salt in
        CipherLibrary.derive(key, salt: salt, derivation, into: derived)
      }
    }
    guard isDone else { return nil }
    return salt.withUnsafeBytes { SecretBytes.raw(UnsafeRawBufferPointer(derived), salt: $0) }
  }
}

/// The library of ciphers that the engine has loaded, by the names of its functions.
private enum CipherLibrary {
  #if canImport(Darwin)
    // CCKeyDerivationPBKDF of CommonCrypto.
    private typealias Function =
      @convention(c) (
        UInt32, UnsafePointer<CChar>?, Int, UnsafePointer<UInt8>?, Int, UInt32, UInt32,
        UnsafeMutablePointer<UInt8>?, Int
      ) -> Int32

    static func derive(
      _ key: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer,
      _ derivation: DerivedKey.Derivation, into derived: UnsafeMutableRawBufferPointer
    ) -> Bool {
      guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: -2), "CCKeyDerivationPBKDF")
      else { return false }
      let function = unsafeBitCast(symbol, to: Function.self)
      let pbkdf2: UInt32 = 2
      let prf: UInt32 = derivation.hash == .sha1 ? 1 : 5
      return function(
        pbkdf2, key.bindMemory(to: CChar.self).baseAddress, key.count,
        salt.bindMemory(to: UInt8.self).baseAddress, salt.count, prf,
        UInt32(clamping: derivation.iterations),
        derived.bindMemory(to: UInt8.self).baseAddress, derived.count) == 0
    }
  #else
    // PKCS5_PBKDF2_HMAC of OpenSSL.
    private typealias Function =
      @convention(c) (
        UnsafePointer<CChar>?, Int32, UnsafePointer<UInt8>?, Int32, Int32, OpaquePointer?, Int32,
        UnsafeMutablePointer<UInt8>?
      ) -> Int32
    private typealias Hash = @convention(c) () -> OpaquePointer?

    static func derive(
      _ key: UnsafeRawBufferPointer, salt: UnsafeRawBufferPointer,
      _ derivation: DerivedKey.Derivation, into derived: UnsafeMutableRawBufferPointer
    ) -> Bool {
      guard let length = Int32(exactly: key.count), let symbol = dlsym(nil, "PKCS5_PBKDF2_HMAC"),
        let hashSymbol = dlsym(nil, derivation.hash == .sha1 ? "EVP_sha1" : "EVP_sha512")
      else { return false }
      let function = unsafeBitCast(symbol, to: Function.self)
      let hash = unsafeBitCast(hashSymbol, to: Hash.self)
      return function(
        key.bindMemory(to: CChar.self).baseAddress, length,
        salt.bindMemory(to: UInt8.self).baseAddress, Int32(salt.count),
        Int32(clamping: derivation.iterations), hash(), Int32(derived.count),
        derived.bindMemory(to: UInt8.self).baseAddress) == 1
    }
  #endif
}
