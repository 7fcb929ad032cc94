/// Which rows of a table with soft deletion a verb sees.
public enum XTScope: Hashable, Sendable {
  /// Rows that are not soft-deleted.
  case live
  /// Rows that are.
  case deleted
  /// Both.
  case all
}
