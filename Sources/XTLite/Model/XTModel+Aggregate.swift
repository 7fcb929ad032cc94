extension XTModel {
  /// How many rows there are.
  public static func xt_count(scope: XTScope = .live) throws -> Int {
    try currentTable.count(scope: scope)
  }

  /// How many rows meet a condition.
  public static func xt_countWhere(
    _ condition: XTCondition<Self>?, scope: XTScope = .live
  ) throws -> Int {
    try currentTable.count(where: condition, scope: scope)
  }

  /// In how many rows a Bool property is true.
  public static func xt_countWhere(
    _ flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> Int {
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

  /// The largest value of a property in the rows in which a Bool property is true.
  public static func xt_maxOf<V>(
    _ property: KeyPath<Self, V>, where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try currentTable.max(of: property, where: flag, scope: scope)
  }

  /// The largest value of an optional property in the rows in which a Bool property is true.
  public static func xt_maxOf<V>(
    _ property: KeyPath<Self, V?>, where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try currentTable.max(of: property, where: flag, scope: scope)
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

  /// The smallest value of a property in the rows in which a Bool property is true.
  public static func xt_minOf<V>(
    _ property: KeyPath<Self, V>, where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try currentTable.min(of: property, where: flag, scope: scope)
  }

  /// The smallest value of an optional property in the rows in which a Bool property is true.
  public static func xt_minOf<V>(
    _ property: KeyPath<Self, V?>, where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> V? {
    try currentTable.min(of: property, where: flag, scope: scope)
  }

  /// The sum of a numeric property; nil where no row has a value. Of integers (`Int64?`) and
  /// decimals (`Decimal?`) it is exact; of floating-point numbers it is a `Double?`.
  ///
  /// - Throws: `XTError` of kind `valueOutOfRange` where the sum is beyond 64 bits, has more digits
  ///   than `Decimal` holds, or is of both infinities and no number.
  public static func xt_sumOf<V: XTSummable>(
    _ property: KeyPath<Self, V>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> V.XTSum? {
    try currentTable.sum(of: property, where: condition, scope: scope)
  }

  /// The sum of a numeric property in the rows in which a Bool property is true.
  public static func xt_sumOf<V: XTSummable>(
    _ property: KeyPath<Self, V>, where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> V.XTSum? {
    try currentTable.sum(of: property, where: flag, scope: scope)
  }

  /// The average of a numeric property; nil where no row has a value.
  public static func xt_avgOf<V>(
    _ property: KeyPath<Self, V>, where condition: XTCondition<Self>? = nil,
    scope: XTScope = .live
  ) throws -> Double? {
    try currentTable.avg(of: property, where: condition, scope: scope)
  }

  /// The average of a numeric property in the rows in which a Bool property is true.
  public static func xt_avgOf<V>(
    _ property: KeyPath<Self, V>, where flag: KeyPath<Self, Bool>, scope: XTScope = .live
  ) throws -> Double? {
    try currentTable.avg(of: property, where: flag, scope: scope)
  }
}
