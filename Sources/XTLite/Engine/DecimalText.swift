import Foundation

/// The one text of a decimal number: plain digits, no exponent, no leading or trailing zeros.
enum DecimalText {
  /// - Returns: nil for NaN, which has no text.
  static func text(of decimal: Decimal) -> String? {
    guard !decimal.isNaN else { return nil }
    let text = decimal.description
    guard text.contains(".") else { return text == "-0" ? "0" : text }
    var digits = Substring(text)
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return digits == "-0" || digits.isEmpty ? "0" : String(digits)
  }

  /// - Returns: nil where `text` is not a decimal number from its first to its last character.
  static func parse(_ text: String) -> Decimal? {
    var hasDigits = false
    var hasPoint = false
    var exponent: Substring?
    var isFirst = true
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigits = true
      case UInt8(ascii: "-") where isFirst, UInt8(ascii: "+") where isFirst: break
      case UInt8(ascii: ".") where !hasPoint: hasPoint = true
      case UInt8(ascii: "e") where hasDigits, UInt8(ascii: "E") where hasDigits:
        exponent = text[text.utf8.index(after: index)...]
      default: return nil
      }
      if exponent != nil { break }
      isFirst = false
    }
    guard hasDigits, exponent.map({ Int($0) != nil }) ?? true else { return nil }
    guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !decimal.isNaN
    else { return nil }
    return decimal
  }
}
