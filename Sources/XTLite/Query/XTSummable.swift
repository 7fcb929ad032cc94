import Foundation

/// The types of properties that can be summed up: numbers, and optionals of them.
public protocol XTSummable {
  /// What a sum of them is: `Int64` for integers, `Double` for floating-point numbers, `Decimal`
  /// for decimals.
  associatedtype XTSum = Int64
}

extension Int: XTSummable {}
extension Int8: XTSummable {}
extension Int16: XTSummable {}
extension Int32: XTSummable {}
extension Int64: XTSummable {}
extension UInt: XTSummable {}
extension UInt8: XTSummable {}
extension UInt16: XTSummable {}
extension UInt32: XTSummable {}
extension UInt64: XTSummable {}

extension Double: XTSummable {
  /// The sum of `Double`s.
  public typealias XTSum = Double
}

extension Float: XTSummable {
  /// The sum of `Float`s, which has a wider range.
  public typealias XTSum = Double
}

extension CGFloat: XTSummable {
  /// The sum of `CGFloat`s.
  public typealias XTSum = Double
}

extension Decimal: XTSummable {
  /// The exact sum of `Decimal`s.
  public typealias XTSum = Decimal
}

extension Optional: XTSummable where Wrapped: XTSummable {
  /// The sum of what is not nil.
  public typealias XTSum = Wrapped.XTSum
}
