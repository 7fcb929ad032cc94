/// What a connection refuses just now, and what a statement is sensitive to: both sides in one
/// byte, so that handing out a statement costs one AND.
struct Restrictions: OptionSet {
  let rawValue: UInt8

  /// The connection is closed.
  static let closed = Restrictions(rawValue: 1)
  /// SQLite rolled the open transaction back by itself: nothing runs until its scope has ended, or
  /// the rest of the block would be committed without its beginning.
  static let aborted = Restrictions(rawValue: 2)
  /// A read block runs.
  static let writes = Restrictions(rawValue: 4)
  /// A transaction scope is open, which alone may end its transaction.
  static let transactionControl = Restrictions(rawValue: 8)
  /// The library's own COMMIT or ROLLBACK runs, which a cancelled task does not stop.
  static let libraryOnly = Restrictions(rawValue: 16)
  /// Refuses nothing: a meter runs, which has to know of each statement that is handed out.
  static let metered = Restrictions(rawValue: 32)
  /// SQLite waits for a callback, in which it takes no other call.
  static let inCallback = Restrictions(rawValue: 64)

  /// Refuses nothing: somebody wants to know which tables the statements use.
  static let observed = Restrictions(rawValue: 128)

  @inline(__always)
  func meets(_ other: Restrictions) -> Bool {
    rawValue & other.rawValue != 0
  }
}
