import Foundation
import TestProcess
import XTLite

/// The key that all databases of the tests have, where the environment names one in XTLITE_TEST_KEY:
/// 64 hexadecimal digits for a raw key, which costs no time; else a passphrase.
package enum TestKey {
  /// Whether the tests' databases are encrypted.
  package static var isSet: Bool { XTKey.initial != nil }

  /// The key that a text stands for; "-" for none.
  package static func named(_ text: String) -> XTKey? {
    text == "-" ? nil : from(text)
  }

  static func from(_ text: String) -> XTKey {
    let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count == 64, text.count == 64 else { return .passphrase(text) }
    return .rawKey(
      Data((0..<32).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }))
  }
}

/// Called by TestProcess before the process does anything else.
@_cdecl("xtlite_tests_begin")
public func beginTests() {
  guard let text = getenv("XTLITE_TEST_KEY") else { return }
  XTKey.setInitial(TestKey.from(String(cString: text)))
}
