import Foundation

/// The key of an encrypted database. Takes a build with the package trait `SQLCipher`.
///
/// Never shown: its description names only its form.
public enum XTKey: Hashable, Sendable {
  /// A text, from which the cipher's key is derived. Any characters, emoji and quotes too.
  case passphrase(String)
  /// Bytes, from which the cipher's key is derived; zero bytes too.
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
  /// The bytes that the engine is given.
  func engineBytes() throws -> [UInt8] {
    switch self {
    case .passphrase(let text):
      return Array(text.utf8)
    case .bytes(let data):
      return Array(data)
    case .rawKey(let key, let salt):
      guard key.count == 32, salt == nil || salt?.count == 16 else {
        throw XTError(
          .encryption, "a raw key of \(key.count) bytes, salt of \(salt?.count ?? 0)",
          hint: "a raw key is 32 bytes, its salt 16 or none")
      }
      return Array("x'\(hexadecimal(key))\(hexadecimal(salt ?? Data()))'".utf8)
    }
  }
}
