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
    var hash: CipherHash
    var iterations: Int
  }

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
      ? (0..<CipherPages.saltSize).map { _ in UInt8.random(in: 0...255, using: &generator) } : salt
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
    let derived = CipherLibraries.found?.derive(
      key, salt: salt, iterations: derivation.iterations, derivation.hash)
    return derived?.withBytes { derived in
      salt.withUnsafeBytes { SecretBytes.raw(derived, salt: $0) }
    }
  }
}
