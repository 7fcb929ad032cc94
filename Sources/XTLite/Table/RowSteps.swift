/// The rows of a statement that runs, one after the other.
struct RowSteps {
  let statement: Statement
  private(set) var hasBegun = false
  private var hasEnded = false

  init(_ statement: Statement) {
    self.statement = statement
  }

  /// Runs to the next row. Returns false when there is none, however often it is called.
  mutating func next() throws -> Bool {
    // SQLite would begin anew.
    if hasEnded { return false }
    hasEnded = try !statement.step()
    if !hasEnded { hasBegun = true }
    return !hasEnded
  }

  /// A statement that writes has done so only at its end.
  mutating func finish() throws {
    if !statement.isReadOnly { while try next() {} }
  }
}
