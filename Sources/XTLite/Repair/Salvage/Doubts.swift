/// Why a row may not be what was stored last.
struct Doubts: OptionSet, Hashable, Sendable {
  let rawValue: UInt16

  /// Its page's structure does not fit together, or its cells are not in order.
  static let damagedPage = Doubts(rawValue: 1)
  /// No more than its looks says that it belongs to the table.
  static let guessedTable = Doubts(rawValue: 2)
  /// Its page may be one that the database had given up.
  static let maybeDeleted = Doubts(rawValue: 4)
  /// It holds what the column does not take, or text that is none.
  static let oddValue = Doubts(rawValue: 8)
  /// It comes from a part of the log that is damaged, or there is a damaged part behind it.
  static let unprovedLog = Doubts(rawValue: 16)
  /// Another table or row says that the same page is its own.
  static let contested = Doubts(rawValue: 32)
}
