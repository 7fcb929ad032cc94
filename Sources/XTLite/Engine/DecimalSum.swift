import Foundation

/// The sum of two decimal numbers, exact; SQLite's own would go by binary fractions.
enum DecimalSum {
  /// The SQL function that every connection offers. It is deterministic.
  static let functionName = "xt_decimal_add"

  /// What the SQL function gives: NULL where a side is NULL, where one is no decimal number, and
  /// where the sum has more digits than `Decimal` holds.
  static func sum(_ left: XTValue, _ right: XTValue) -> XTValue {
    guard var left = decimal(left), var right = decimal(right) else { return .null }
    var sum = Decimal()
    guard NSDecimalAdd(&sum, &left, &right, .plain) == .noError,
      let text = DecimalText.text(of: sum)
    else { return .null }
    return .text(text)
  }

  static func decimal(_ value: XTValue) -> Decimal? {
    switch value {
    case .integer(let number): Decimal(number)
    case .text(let text): DecimalText.parse(text)
    default: nil
    }
  }
}
