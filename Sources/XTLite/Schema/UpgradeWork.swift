/// A version that a table lacks.
struct UpgradeWork {
  let upgrade: XTUpgrade
  let order: Int
  /// Which of the tables.
  let table: Int
  /// Whether XTFMDB had brought the table there.
  let isCovered: Bool

  /// The steps that are still to be taken.
  ///
  /// - Parameter fresh: What a table that was made just now has got of others' rows; nil for one
  ///   that was there.
  func steps(fresh: inout FreshTable?) -> [UpgradeStep] {
    guard fresh != nil else {
      return upgrade.steps.filter { !isCovered || $0.isOnDeclarations }
    }
    return upgrade.steps.filter { fresh?.needs($0) ?? true }
  }
}

/// A table that was made just now is as the model wants it; only others' rows are missing, and
/// what gives those their values.
struct FreshTable {
  private var hasRows = false

  mutating func needs(_ step: UpgradeStep) -> Bool {
    switch step {
    case .merge:
      hasRows = true
      return true
    case .fill, .change(_, conversion: .some): return hasRows
    default: return false
    }
  }
}
