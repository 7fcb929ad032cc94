import Foundation

extension XTModel {
  /// How many rows there are.
  public static func xt_count(scope: XTScope = .live) throws -> Int {
    try currentTable.count(scope: scope)
  }

  /// How many rows meet a condition.
  public static func xt_countWhere(_ condition: XTCondition<Self>?, scope: XTScope = .live) throws
    -> Int
  {
    try currentTable.count(where: condition, scope: scope)
  }

  /// In how many rows a Bool property is true.
  public static func xt_countWhere(_ flag: KeyPath<Self, Bool>, scope: XTScope = .live) throws
    -> Int
  {
    try currentTable.count(where: flag, scope: scope)
  }

  /// The largest value of a property; nil where no row has one.
  public static func xt_maxOf<V>(
    _ property: KeyPath<Self, V>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.max(of: property, where: condition, scope: scope)
  }

  /// The largest value of an optional property; nil where no row has one.
  public static func xt_maxOf<V>(
    _ property: KeyPath<Self, V?>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.max(of: property, where: condition, scope: scope)
  }

  /// The smallest value of a property; nil where no row has one.
  public static func xt_minOf<V>(
    _ property: KeyPath<Self, V>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.min(of: property, where: condition, scope: scope)
  }

  /// The smallest value of an optional property; nil where no row has one.
  public static func xt_minOf<V>(
    _ property: KeyPath<Self, V?>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> V? {
    try currentTable.min(of: property, where: condition, scope: scope)
  }

  /// The sum of an integer property; nil where no row has a value.
  ///
  /// - Throws: `valueOutOfRange` where the sum is beyond 64 bits.
  public static func xt_sumOf<V: BinaryInteger>(
    _ property: KeyPath<Self, V>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Int64? {
    try currentTable.sum(of: property, where: condition, scope: scope)
  }

  /// The sum of an optional integer property; nil where no row has a value.
  public static func xt_sumOf<V: BinaryInteger>(
    _ property: KeyPath<Self, V?>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Int64? {
    try currentTable.sum(of: property, where: condition, scope: scope)
  }

  /// The sum of a floating-point property; nil where no row has a value.
  public static func xt_sumOf<V: BinaryFloatingPoint>(
    _ property: KeyPath<Self, V>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    try currentTable.sum(of: property, where: condition, scope: scope)
  }

  /// The sum of an optional floating-point property; nil where no row has a value.
  public static func xt_sumOf<V: BinaryFloatingPoint>(
    _ property: KeyPath<Self, V?>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    try currentTable.sum(of: property, where: condition, scope: scope)
  }

  /// The exact sum of a decimal property; nil where no row has a value.
  ///
  /// - Throws: `valueOutOfRange` where the sum has more digits than `Decimal` holds.
  public static func xt_sumOf(
    _ property: KeyPath<Self, Decimal>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Decimal? {
    try currentTable.sum(of: property, where: condition, scope: scope)
  }

  /// The exact sum of an optional decimal property; nil where no row has a value.
  public static func xt_sumOf(
    _ property: KeyPath<Self, Decimal?>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Decimal? {
    try currentTable.sum(of: property, where: condition, scope: scope)
  }

  /// The average of a numeric property; nil where no row has a value.
  public static func xt_avgOf<V>(
    _ property: KeyPath<Self, V>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    try currentTable.avg(of: property, where: condition, scope: scope)
  }
}
