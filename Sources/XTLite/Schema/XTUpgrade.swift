/// One version of a model: what its table went through to get there.
///
/// ```swift
/// try database.upgrade {
///   XTUpgrade(Person.self, to: 2) { $0.add(\.email); $0.rename("nick", to: \.nickname) }
///   XTUpgrade(Person.self, to: 3) {
///     $0.change(\.age)
///     $0.drop("legacy")
///     $0.fill(\.email) { row in "\(row["name"] as String? ?? "")@example.org" }
///   }
/// }
/// ```
///
/// The steps name what a column was called by a text, and what it is by a key path. They are data:
/// nothing is looked at before the upgrade runs.
public struct XTUpgrade: Sendable {
  let model: any XTModel.Type
  let version: Int
  /// The one table that it is for; nil for the model's own and each recorded `named:` one.
  let table: String?
  let steps: [UpgradeStep]

  /// What brings the table to a version.
  ///
  /// - Parameters:
  ///   - type: The model, as it is now.
  ///   - version: 1 or more. Each table has its versions for itself.
  ///   - name: One table of the model; by default its own and every `named:` one that XTLite made.
  ///   - steps: The steps, in their order.
  public init<Model: XTModel>(
    _ type: Model.Type, to version: Int, named name: String? = nil,
    _ steps: (inout XTUpgradeSteps<Model>) throws -> Void
  ) rethrows {
    var list = XTUpgradeSteps<Model>()
    try steps(&list)
    model = type
    self.version = version
    table = name
    self.steps = list.steps
  }

  /// One that adds the columns of properties.
  init<Model: XTModel>(
    _ type: Model.Type, adding properties: XTKeyPaths, to version: Int, named name: String?
  ) {
    model = type
    self.version = version
    table = name
    steps = properties.keyPaths.map { .add(.keyPath($0)) }
  }
}

/// Makes a list of the upgrades in a block; `if`, `switch` and `for` may stand in it.
@resultBuilder
public enum XTUpgradeBuilder {
  /// One upgrade.
  public static func buildExpression(_ upgrade: XTUpgrade) -> [XTUpgrade] { [upgrade] }
  /// Upgrades that stand somewhere else.
  public static func buildExpression(_ upgrades: [XTUpgrade]) -> [XTUpgrade] { upgrades }
  /// The upgrades of a block, in their order.
  public static func buildBlock(_ upgrades: [XTUpgrade]...) -> [XTUpgrade] {
    upgrades.flatMap { $0 }
  }
  /// Those of an `if` without an `else`.
  public static func buildOptional(_ upgrades: [XTUpgrade]?) -> [XTUpgrade] { upgrades ?? [] }
  /// Those of an `if`.
  public static func buildEither(first upgrades: [XTUpgrade]) -> [XTUpgrade] { upgrades }
  /// Those of an `else`.
  public static func buildEither(second upgrades: [XTUpgrade]) -> [XTUpgrade] { upgrades }
  /// Those of a loop.
  public static func buildArray(_ upgrades: [[XTUpgrade]]) -> [XTUpgrade] {
    upgrades.flatMap { $0 }
  }
  /// Those behind `if #available`.
  public static func buildLimitedAvailability(_ upgrades: [XTUpgrade]) -> [XTUpgrade] { upgrades }
}
