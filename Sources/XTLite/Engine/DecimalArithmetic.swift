import Foundation

/// Arithmetic of decimal numbers that are kept as text, exact; SQLite's own would go by binary
/// fractions.
enum DecimalArithmetic {
  private static let operations:
    [(sign: String, name: String, operation: @Sendable (Decimal, Decimal) -> Decimal?)] = [
      ("+", DecimalSum.functionName, { reckon($0, $1, NSDecimalAdd) }),
      ("-", "xt_decimal_subtract", { reckon($0, $1, NSDecimalSubtract) }),
      ("*", "xt_decimal_multiply", { reckon($0, $1, NSDecimalMultiply) }),
      ("/", "xt_decimal_divide", { $1.isZero ? nil : reckon($0, $1, NSDecimalDivide) }),
    ]

  /// The SQL function for a sign; nil where there is none.
  static func functionName(_ sign: String) -> String? {
    operations.first { $0.sign == sign }?.name
  }

  /// The SQL aggregate that adds decimals up.
  static let sumName = "xt_decimal_sum"

  /// The SQL function that gives a decimal without its sign.
  static let sizeName = "xt_decimal_abs"

  private static func reckon(
    _ left: Decimal, _ right: Decimal,
    _ operation: (
      UnsafeMutablePointer<Decimal>, UnsafePointer<Decimal>, UnsafePointer<Decimal>,
      NSDecimalNumber.RoundingMode
    ) -> NSDecimalNumber.CalculationError
  ) -> Decimal? {
    var (left, right, result) = (left, right, Decimal())
    let error = operation(&result, &left, &right, .plain)
    return error == .noError || error == .lossOfPrecision ? result : nil
  }

  /// Makes them known to a connection. They give NULL where a side is NULL or no decimal number,
  /// and where the result is too large for `Decimal`.
  static func register(on connection: Connection) throws {
    for (sign, name, operation) in operations where sign != "+" {
      try connection.createFunction(name, arguments: 2) { values in
        guard values.count == 2, let left = DecimalSum.decimal(values[0].value),
          let right = DecimalSum.decimal(values[1].value), let result = operation(left, right),
          let text = DecimalText.text(of: result)
        else { return .null }
        return .text(text)
      }
    }
    try connection.createFunction(sizeName, arguments: 1) { values in
      guard let value = values.first, let number = DecimalSum.decimal(value.value),
        let text = DecimalText.text(of: number.magnitude)
      else { return .null }
      return .text(text)
    }
    try connection.createAggregate(sumName, arguments: 1, standsOverWindows: true) {
      DecimalTotal()
    }
  }
}

/// The sum of a group, or of a window: NULL where it has no number, as with SQLite's own.
private final class DecimalTotal: Accumulation {
  private var sum = Decimal()
  private var count = 0

  override func step(_ values: [XTValue]) throws {
    if try change(values, NSDecimalAdd) { count += 1 }
  }

  override func takeBack(_ values: [XTValue]) throws {
    if try change(values, NSDecimalSubtract) { count -= 1 }
  }

  override func result() throws -> XTValue {
    if count == 0 { return .null }
    guard let text = DecimalText.text(of: sum) else { throw Self.beyond }
    return .text(text)
  }

  /// - Returns: whether there was a number.
  private func change(
    _ values: [XTValue],
    _ operation: (
      UnsafeMutablePointer<Decimal>, UnsafePointer<Decimal>, UnsafePointer<Decimal>,
      NSDecimalNumber.RoundingMode
    ) -> NSDecimalNumber.CalculationError
  ) throws -> Bool {
    guard let value = values.first, value != .null else { return false }
    guard var number = DecimalSum.decimal(value) else { throw Self.beyond }
    var result = Decimal()
    guard operation(&result, &sum, &number, .plain) == .noError else { throw Self.beyond }
    sum = result
    return true
  }

  private static var beyond: XTError {
    XTError(
      .valueOutOfRange,
      "a sum of decimals has more digits than Decimal holds, or holds a value "
        + "that is no number")
  }
}
