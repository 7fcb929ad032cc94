@testable import XTLite

extension SQLiteLibrary {
  /// Whether the linked engine encrypts files.
  static var hasEncryption: Bool {
    #if SQLCipher
      true
    #else
      false
    #endif
  }
}
