import Foundation

/// The types that `+` takes: numbers, texts, and optionals of them.
public protocol XTAddable {}

extension Int: XTAddable {}
extension Int8: XTAddable {}
extension Int16: XTAddable {}
extension Int32: XTAddable {}
extension Int64: XTAddable {}
extension UInt: XTAddable {}
extension UInt8: XTAddable {}
extension UInt16: XTAddable {}
extension UInt32: XTAddable {}
extension UInt64: XTAddable {}
extension Double: XTAddable {}
extension Float: XTAddable {}
extension CGFloat: XTAddable {}
extension Decimal: XTAddable {}
extension String: XTAddable {}
extension Optional: XTAddable where Wrapped: XTAddable {}

/// The types that `%` takes: integers, and optionals of them.
public protocol XTIntegral {}

extension Int: XTIntegral {}
extension Int8: XTIntegral {}
extension Int16: XTIntegral {}
extension Int32: XTIntegral {}
extension Int64: XTIntegral {}
extension UInt: XTIntegral {}
extension UInt8: XTIntegral {}
extension UInt16: XTIntegral {}
extension UInt32: XTIntegral {}
extension UInt64: XTIntegral {}
extension Optional: XTIntegral where Wrapped: XTIntegral {}

/// The signs of arithmetic.
enum Arithmetic: String {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
}

extension SQLNode {
  static func arithmetic<V>(
    _ left: SQLNode, _ sign: Arithmetic, _ right: SQLNode, _ type: V.Type
  ) -> SQLNode {
    if type == String.self || type == String?.self {
      return infix(left, "||", right, .concatenation)
    }
    if type == Decimal.self || type == Decimal?.self {
      return decimal(left, sign, right)
    }
    let precedence: Precedence = sign == .add || sign == .subtract ? .additive : .multiplicative
    return infix(left, sign.rawValue, right, precedence)
  }

  private static func decimal(_ left: SQLNode, _ sign: Arithmetic, _ right: SQLNode) -> SQLNode {
    guard let function = DecimalArithmetic.functionName(sign.rawValue) else {
      return SQLNode(
        XTError(
          .sqlite, "there is no remainder of decimals",
          hint: "use / and round(), or cast the decimals to Double"))
    }
    return call(function, [left, right], collation: DecimalOrder.collationName)
  }
}
