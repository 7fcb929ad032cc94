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
    try connection.createAggregate(sumName, arguments: 1) { DecimalTotal() }
  }
}

/// The sum of a group: NULL where it has no number, as with SQLite's own.
private final class DecimalTotal: Accumulation {
  private var sum: XTValue?

  override func step(_ values: [XTValue]) throws {
    guard let value = values.first, value != .null else { return }
    let next = DecimalSum.sum(sum ?? .integer(0), value)
    guard next != .null else {
      throw XTError(
        .valueOutOfRange,
        "a sum of decimals has more digits than Decimal holds, or holds a value "
          + "that is no number")
    }
    sum = next
  }

  override func result() throws -> XTValue { sum ?? .null }
}
