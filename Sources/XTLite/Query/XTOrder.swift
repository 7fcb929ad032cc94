/// A column to sort by, and in which direction.
///
/// ```swift
/// try Person.xt_findAll(orderBy: .desc(\.age), .asc(\.name))
/// ```
///
/// NULL sorts before everything else, ascending. Texts sort by their bytes: upper case before
/// lower.
public struct XTOrder<Model: XTModel>: Sendable {
  private let text: Result<String, any Error>

  private init(_ direction: String, _ term: () throws -> String) {
    text = Result { "\(try term()) \(direction)" }
  }

  /// Smallest first, by a property.
  public static func asc(_ keyPath: PartialKeyPath<Model>) -> XTOrder {
    XTOrder("ASC") { try ConditionColumn(keyPath).compared }
  }

  /// Largest first, by a property.
  public static func desc(_ keyPath: PartialKeyPath<Model>) -> XTOrder {
    XTOrder("DESC") { try ConditionColumn(keyPath).compared }
  }

  /// Smallest first, by the name of a column; also of one that the model doesn't know.
  public static func asc(column name: String) -> XTOrder {
    XTOrder("ASC") { try term(for: name) }
  }

  /// Largest first, by the name of a column; also of one that the model doesn't know.
  public static func desc(column name: String) -> XTOrder {
    XTOrder("DESC") { try term(for: name) }
  }

  private static func term(for name: String) throws -> String {
    let known = try ModelMapping.of(Model.self).column(named: name)
    return known.map { ConditionColumn($0).compared } ?? quoted(name)
  }

  /// The term as it stands in ORDER BY.
  ///
  /// - Throws: `unknownColumn` where a key path is none of a stored property.
  func resolved() throws -> String {
    try text.get()
  }
}

extension XTOrder: CustomStringConvertible {
  /// The term as it stands in ORDER BY, or what is wrong with it.
  public var description: String {
    switch text {
    case .success(let text): text
    case .failure(let error): "\(error)"
    }
  }
}
