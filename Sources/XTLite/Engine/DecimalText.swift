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

  /// With a point whatever the user's own locale has.
  private static let plain = Locale(identifier: "en_US_POSIX")

  /// - Returns: nil where `text` is not exactly a decimal number from its first to its last
  ///   character.
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
    guard let decimal = Decimal(string: text, locale: plain), !decimal.isNaN else { return nil }
    // Up to 38 digits are always kept; beyond that, and beyond the exponents that there are,
    // Foundation rounds without a word.
    guard exponent != nil || text.utf8.count > 38 else { return decimal }
    return isExact(decimal, text, exponent) ? decimal : nil
  }

  private static func isExact(_ decimal: Decimal, _ text: String, _ exponent: Substring?) -> Bool {
    let mantissa = text.prefix { $0 != "e" && $0 != "E" }
    return Digits(mantissa, exponent: exponent.flatMap { Int($0) } ?? 0)
      == self.text(of: decimal).map { Digits($0[...], exponent: 0) }
  }

  /// A number as its digits from the first to the last that is not zero, and the place of the
  /// first.
  private struct Digits: Equatable {
    var digits: [UInt8] = []
    var place = 0

    init(_ text: Substring, exponent: Int) {
      var pointAt: Int?
      for byte in text.utf8 {
        if byte == UInt8(ascii: ".") { pointAt = digits.count }
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { digits.append(byte) }
      }
      place = (pointAt ?? digits.count).addingReportingOverflow(exponent).partialValue
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
      digits.removeFirst(zeros)
      place = digits.isEmpty ? 0 : place - zeros
    }
  }
}
