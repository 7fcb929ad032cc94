import Foundation

/// Texts without regard to case, in every script and in no particular language.
///
/// Letters are made upper case and then lower case by Unicode's tables, so that `ß` and `SS`, `ς`
/// and `Σ` meet; accents count. Characters that Unicode calls equivalent come out the same,
/// composed. The Turkish dotless `ı` comes out as `i`; `İ` comes out as `i` with a dot above.
enum CaseFolding {
  /// The SQL function that every connection offers: it gives the folded text for a text, and any
  /// other value as it is. It is deterministic.
  static let functionName = "xt_casefold"

  /// The collation that every connection offers; in queries only, never in a table.
  static let collationName = "xt_unicode"

  /// The order of the folded texts' bytes.
  static func compare(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    let isPlain = left.allSatisfy { $0 < 0x80 } && right.allSatisfy { $0 < 0x80 }
    if isPlain { return order(left.lazy.map(lower), right.lazy.map(lower)) }
    let texts = [left, right].map { folded(String(decoding: $0, as: UTF8.self)) }
    return order(texts[0].utf8, texts[1].utf8)
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func order(
    _ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>
  ) -> ComparisonResult {
    if left.lexicographicallyPrecedes(right) { return .orderedAscending }
    return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
  }

  static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.decomposedStringWithCanonicalMapping.lowercased().uppercased().lowercased()
      .precomposedStringWithCanonicalMapping
  }

  /// What the SQL function gives.
  static func folded(_ value: XTValue) -> XTValue {
    if case .text(let text) = value { .text(folded(text)) } else { value }
  }
}
