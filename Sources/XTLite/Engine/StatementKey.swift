/// One SQL text with a slot number that is unique in the process.
///
/// A connection finds the prepared statement by the number, so that a verb that runs often hashes
/// no text. Make one per table, verb and set of columns, and keep it.
final class StatementKey: Sendable {
  let sql: String
  let id: Int

  private static let nextID = Mutex(0)

  init(_ sql: String) {
    self.sql = sql
    id = Self.nextID.withLock { next in
      defer { next += 1 }
      return next
    }
  }
}
