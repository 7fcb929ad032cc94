import Foundation

/// The key of an encrypted database. Takes a build with the package trait `SQLCipher`.
///
/// Never shown: its description names only its form, and no error, log or statement has it. The
/// library's own copies of it are erased from memory after use; this value is the program's.
public enum XTKey: Hashable, Sendable {
  /// A text, from which the cipher's key is derived. Any characters, emoji and quotes too.
  ///
  /// A text of the form `x'…'` with 64 or 96 hexadecimal digits is a raw key, as it is to SQLCipher
  /// itself.
  case passphrase(String)
  /// Bytes, from which the cipher's key is derived; zero bytes too. Zero bytes at the end make no
  /// other key of it: that is how SQLCipher's derivation treats them.
  case bytes(Data)
  /// The cipher's key itself, 32 bytes, not derived: a keyed open costs no time. The salt, where
  /// given, is 16 bytes.
  case rawKey(Data, salt: Data? = nil)
}

extension XTKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The form of the key, never the key.
  public var description: String {
    switch self {
    case .passphrase: "XTKey.passphrase"
    case .bytes: "XTKey.bytes"
    case .rawKey: "XTKey.rawKey"
    }
  }

  /// The form of the key, never the key.
  public var debugDescription: String { description }

  /// Shows nothing: `dump` of a configuration must not print a key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension XTKey {
  /// Whether the cipher's key has to be derived from it.
  var isDerived: Bool {
    switch self {
    // A text may be a raw key's as well.
    case .passphrase, .bytes: (try? engineBytes())?.rawKey == nil
    case .rawKey: false
    }
  }

  /// - Throws: `encryption` for a key that can't be one.
  func validate() throws {
    switch self {
    case .passphrase(let text) where text.isEmpty:
      throw Self.emptyError
    case .bytes(let data) where data.isEmpty:
      throw Self.emptyError
    case .rawKey(let key, let salt) where key.count != 32 || (salt.map { $0.count != 16 } ?? false):
      throw XTError(
        .encryption, "a raw key of \(key.count) bytes, salt of \(salt?.count ?? 0)",
        hint: "a raw key is 32 bytes, its salt 16 or none")
    default:
      return
    }
  }

  private static var emptyError: XTError {
    XTError(
      .encryption, "the key is empty", hint: "leave it nil for a file that is not encrypted")
  }

  /// The bytes that the engine is given.
  func engineBytes() throws -> SecretBytes {
    try validate()
    switch self {
    case .passphrase(var text):
      return text.withUTF8 { text in
        SecretBytes(count: text.count) { $0.copyBytes(from: text) }
      }
    case .bytes(let data):
      return SecretBytes(count: data.count) { _ = data.copyBytes(to: $0) }
    case .rawKey(let key, let salt):
      return key.withUnsafeBytes { key in
        (salt ?? Data()).withUnsafeBytes { SecretBytes.raw(key, salt: $0) }
      }
    }
  }

  // MARK: Tests

  private static let initialKey = Mutex<XTKey?>(nil)

  /// What a new configuration begins with: nil, but where tests want all of their databases keyed.
  package static var initial: XTKey? { initialKey.withLock { $0 } }

  package static func setInitial(_ key: XTKey?) {
    initialKey.withLock { $0 = key }
  }
}
