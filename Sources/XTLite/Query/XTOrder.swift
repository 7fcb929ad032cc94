/// A column to sort by, and in which direction.
///
/// ```swift
/// try Person.xt_findAll(orderBy: .desc(\.age), .asc(\.name))
/// ```
///
/// NULL sorts before everything else, ascending. Texts sort by their bytes: upper case before
/// lower.
public struct XTOrder<Model: XTModel>: Sendable {
  let node: OrderNode

  private init(
    _ isDescending: Bool, _ nulls: XTNulls? = nil, _ term: () throws -> SQLNode
  ) {
    node = OrderNode(node: .make(term), isDescending: isDescending, nulls: nulls)
  }

  /// Smallest first, by a property.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - nulls: where NULL goes, if not first.
  public static func asc(_ keyPath: PartialKeyPath<Model>, nulls: XTNulls? = nil) -> XTOrder {
    XTOrder(false, nulls) { try ConditionColumn(keyPath).node }
  }

  /// Largest first, by a property.
  ///
  /// - Parameters:
  ///   - keyPath: the property.
  ///   - nulls: where NULL goes, if not last.
  public static func desc(_ keyPath: PartialKeyPath<Model>, nulls: XTNulls? = nil) -> XTOrder {
    XTOrder(true, nulls) { try ConditionColumn(keyPath).node }
  }

  /// Smallest first, by any expression.
  ///
  /// ```swift
  /// try Person.xt_findAll(orderBy: .asc(Person.xt.name.lower()))
  /// ```
  public static func asc(_ term: some XTExpressible, nulls: XTNulls? = nil) -> XTOrder {
    XTOrder(false, nulls) { term.xt_expression.node }
  }

  /// Largest first, by any expression.
  public static func desc(_ term: some XTExpressible, nulls: XTNulls? = nil) -> XTOrder {
    XTOrder(true, nulls) { term.xt_expression.node }
  }

  /// Smallest first, by the name of a column; also of one that the model doesn't know.
  public static func asc(column name: String) -> XTOrder {
    XTOrder(false) { try term(for: name) }
  }

  /// Largest first, by the name of a column; also of one that the model doesn't know.
  public static func desc(column name: String) -> XTOrder {
    XTOrder(true) { try term(for: name) }
  }

  private static func term(for name: String) throws -> SQLNode {
    let table = TableReference(Model.self)
    let known = try ModelMapping.of(Model.self).column(named: name)
    return known.map { QueryColumn($0, of: table).node }
      ?? QueryColumn(named: name, of: table).node
  }

  /// The term as it stands in ORDER BY.
  ///
  /// - Throws: `unknownColumn` where a key path is none of a stored property.
  func resolved(
    in scope: SQLScope? = nil, _ catalog: any TableCatalog = DeclaredTables()
  ) throws -> SQLFragment {
    var writer = SQLWriter(scope, catalog: catalog)
    try writer.write(node)
    return try writer.complete()
  }
}

/// Where NULL goes in an order.
public enum XTNulls: Hashable, Sendable {
  /// Before all values.
  case first
  /// Behind all values.
  case last
}

extension XTOrder: CustomStringConvertible {
  /// The term as it stands in ORDER BY, or what is wrong with it.
  public var description: String {
    do { return try resolved().text } catch { return "\(error)" }
  }
}
