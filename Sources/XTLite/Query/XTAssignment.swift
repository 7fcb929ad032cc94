/// A column's new value, for rows that are changed without being read.
///
/// ```swift
/// try Person.xt_updateWhere(\.age > 17, .set(\.nick, to: nil), .add(\.visits, 1))
/// ```
public struct XTAssignment<Model: XTModel>: Sendable {
  /// An assignment whose column and value are known to be right.
  struct Resolved: Sendable {
    let column: Column
    /// As it stands in SET: `` `age` = `age` + ? ``.
    let fragment: SQLFragment
    /// The new value, where the fragment is not all: it ends behind the equals sign then.
    var expression: SQLNode?
    /// True for the rows whose new value the property could not hold; nil where there can be none.
    let leavesRange: SQLFragment?
  }

  private let result: Result<Resolved, any Error>

  private init(_ make: () throws -> Resolved) {
    result = Result { try make() }
  }

  /// Gives a property a value; nil is NULL.
  public static func set<V>(_ keyPath: KeyPath<Model, V>, to value: V) -> XTAssignment {
    XTAssignment {
      let target = try ConditionColumn(keyPath)
      let value = try target.value(of: value)
      return Resolved(
        column: target.column, fragment: SQLFragment("\(target.name) = ?", [value]),
        leavesRange: nil)
    }
  }

  /// Gives a property the value of an expression over the row as it was.
  ///
  /// ```swift
  /// try Person.xt_updateAll(.set(\.name, to: Person.xt.name.trim()))
  /// ```
  ///
  /// Where an integer property can't hold the value in a row, the verb throws `valueOutOfRange` and
  /// changes no row.
  public static func set<V>(
    _ keyPath: KeyPath<Model, V>, to expression: some XTExpressible<V>
  ) -> XTAssignment {
    setting(keyPath, expression.xt_expression.node)
  }

  /// Gives an optional property the value of an expression.
  public static func set<V>(
    _ keyPath: KeyPath<Model, V?>, to expression: some XTExpressible<V>
  ) -> XTAssignment {
    setting(keyPath, expression.xt_expression.node)
  }

  private static func setting(
    _ keyPath: PartialKeyPath<Model>, _ expression: SQLNode
  ) -> XTAssignment {
    XTAssignment {
      if let error = expression.error { throw error }
      let target = try ConditionColumn(keyPath)
      return Resolved(
        column: target.column, fragment: SQLFragment("\(target.name) = "), expression: expression,
        leavesRange: nil)
    }
  }

  /// Adds an amount, which may be negative, to a numeric property.
  ///
  /// Where a row's sum is beyond what the property can hold, the verb throws `valueOutOfRange` and
  /// changes no row.
  public static func add<V: Numeric>(_ keyPath: KeyPath<Model, V>, _ amount: V) -> XTAssignment {
    adding(amount, to: keyPath)
  }

  /// As above, to an optional property: nil stays nil.
  public static func add<V: Numeric>(_ keyPath: KeyPath<Model, V?>, _ amount: V) -> XTAssignment {
    adding(amount, to: keyPath)
  }

  /// - Throws: what was wrong with the key path or the value.
  func resolved() throws -> Resolved {
    try result.get()
  }
}

extension XTAssignment {
  private static func adding<V>(
    _ amount: V, to keyPath: PartialKeyPath<Model>
  ) -> XTAssignment {
    XTAssignment {
      let target = try ConditionColumn(keyPath)
      let amount = try target.value(of: amount)
      let column = target.column
      let name = target.name
      if column.type.isDecimal {
        let sum = "\(DecimalSum.functionName)(\(name), ?)"
        return Resolved(
          column: column, fragment: SQLFragment("\(name) = \(sum)", [amount]),
          leavesRange: SQLFragment("(\(name) IS NOT NULL AND \(sum) IS NULL)", [amount]))
      }
      return Resolved(
        column: column, fragment: SQLFragment("\(name) = \(name) + ?", [amount]),
        leavesRange: try leavesRange(column, amount))
    }
  }

  private static func leavesRange(_ column: Column, _ amount: XTValue) throws -> SQLFragment? {
    let name = column.quotedName
    switch amount {
    case .integer(let amount):
      guard let range = column.type.integerRange else { break }
      return integerLeavesRange(name, range, amount)
    case .real:
      // Infinities can cancel to NaN, which SQLite makes NULL.
      let lost = "(\(name) IS NOT NULL AND \(name) + ? IS NULL)"
      guard column.type.kind == .float else { return SQLFragment(lost, [amount]) }
      let largest = XTValue.real(Double(Float.greatestFiniteMagnitude))
      return SQLFragment(
        "(\(lost) OR (abs(\(name)) <= ? AND abs(\(name) + ?) > ?))",
        [amount, largest, amount, largest])
    default:
      break
    }
    throw XTError(
      .valueOutOfRange, "nothing can be added to \(column.name)",
      hint: "add is for columns that hold numbers", column: column.name)
  }

  /// The bound is moved, not the value: beyond 64 bits SQLite goes on with a rounded real.
  private static func integerLeavesRange(
    _ name: String, _ range: ClosedRange<Int64>, _ amount: Int64
  ) -> SQLFragment? {
    if amount == 0 { return nil }
    let sign = amount > 0 ? ">" : "<"
    let end = amount > 0 ? range.upperBound : range.lowerBound
    let (limit, overflow) = end.subtractingReportingOverflow(amount)
    // Only an amount that is larger than the whole range gets there.
    if overflow { return SQLFragment("\(name) IS NOT NULL") }
    return SQLFragment("\(name) \(sign) ?", [.integer(limit)])
  }
}

extension XTAssignment.Resolved {
  /// As it stands in SET.
  func fragment(in scope: SQLScope?, _ catalog: any TableCatalog) throws -> SQLFragment {
    guard let expression else { return fragment }
    var writer = SQLWriter(scope, catalog: catalog)
    writer.write(fragment)
    try writer.write(expression)
    return try writer.complete()
  }

  /// True for the rows whose new value the property could not hold; nil where there can be none.
  func leavesRange(in scope: SQLScope?, _ catalog: any TableCatalog) throws -> SQLFragment? {
    guard let expression else { return leavesRange }
    guard expression.column == nil, let leaves = column.leavesRange(expression) else { return nil }
    var writer = SQLWriter(scope, catalog: catalog)
    try writer.write(leaves)
    return try writer.complete()
  }
}

extension XTAssignment: CustomStringConvertible {
  /// The assignment as it stands in SET, without the value, or what is wrong with it.
  public var description: String {
    switch result {
    case .success(let resolved):
      (try? resolved.fragment(in: nil, DeclaredTables()).text) ?? resolved.fragment.text
    case .failure(let error): "\(error)"
    }
  }
}
