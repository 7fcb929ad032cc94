/// What an upsert or a save did.
public enum XTUpserted: Hashable, Sendable {
  /// A row was added.
  case inserted(pkid: Int64)
  /// The rows that were there already, as a rule one, were changed.
  case updated(pkids: [Int64])

  /// Whether a row was added.
  public var isInserted: Bool {
    if case .inserted = self { true } else { false }
  }

  /// The rows that were added or changed.
  public var pkids: [Int64] {
    switch self {
    case .inserted(let pkid): [pkid]
    case .updated(let pkids): pkids
    }
  }
}
