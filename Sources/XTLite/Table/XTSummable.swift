import Foundation

/// The types of properties that can be summed up: numbers, and optionals of them.
public protocol XTSummable {
  /// What a sum of them is: `Int64` for integers, `Double` for floating-point numbers, `Decimal`
  /// for decimals.
  associatedtype XTSum
}

extension Int: XTSummable { public typealias XTSum = Int64 }
extension Int8: XTSummable { public typealias XTSum = Int64 }
extension Int16: XTSummable { public typealias XTSum = Int64 }
extension Int32: XTSummable { public typealias XTSum = Int64 }
extension Int64: XTSummable { public typealias XTSum = Int64 }
extension UInt: XTSummable { public typealias XTSum = Int64 }
extension UInt8: XTSummable { public typealias XTSum = Int64 }
extension UInt16: XTSummable { public typealias XTSum = Int64 }
extension UInt32: XTSummable { public typealias XTSum = Int64 }
extension UInt64: XTSummable { public typealias XTSum = Int64 }
extension Double: XTSummable { public typealias XTSum = Double }
extension Float: XTSummable { public typealias XTSum = Double }
extension CGFloat: XTSummable { public typealias XTSum = Double }
extension Decimal: XTSummable { public typealias XTSum = Decimal }
extension Optional: XTSummable where Wrapped: XTSummable { public typealias XTSum = Wrapped.XTSum }
