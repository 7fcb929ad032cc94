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
