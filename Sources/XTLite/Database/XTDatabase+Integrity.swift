extension XTDatabase {
  /// Looks for damage in the whole file, and tells what is wrong.
  ///
  /// ```swift
  /// let problems = try database.checkIntegrity { print("\(Int($0 * 100)) %") }
  /// if !problems.isEmpty { print(problems.joined(separator: "\n")) }
  /// ```
  ///
  /// It reads everything, on a connection that reads: those that write go on. In memory, and in a
  /// journal mode other than WAL, it has the writer's turn. What it looks for is what SQLite's
  /// `PRAGMA integrity_check` does: pages, cells, free pages, the order of rows and indexes, UNIQUE,
  /// NOT NULL and CHECK; not foreign keys, for which there is `PRAGMA foreign_key_check`.
  ///
  /// - Parameters:
  ///   - quick: Leaves out whether indexes agree with their tables, and UNIQUE: much faster.
  ///   - limit: The number of problems after which it stops looking.
  ///   - progress: Told how far it is, from 0 to 1: an estimate, first while SQLite goes over the
  ///     pages, where it stands still, then row by row. It runs on this thread, and may throw to end
  ///     the check. It can't use this database.
  /// - Returns: The problems in SQLite's words; empty where the file is sound.
  /// - Throws: What `progress` throws; ``XTError`` `notADatabase`, and `corrupt` where the file
  ///   can't even be opened; `interrupted`, `locked`, `closed`.
  public func checkIntegrity(
    quick: Bool = false, limit: Int = 100, progress: (Double) throws -> Void = { _ in }
  ) throws -> [String] {
    let problems = try reading {
      try $0.problems(isQuick: quick, limit: limit, progress: progress)
    }
    if let first = problems.first {
      core.signals.keepDamage(XTError(.corrupt, first, path: path))
      Signals.deliverKept()
    }
    return problems
  }

  /// The async form: runs on a thread of the database's own. Cancelling the task ends the check.
  ///
  /// - Parameters:
  ///   - quick: As for the other form.
  ///   - limit: As for the other form.
  ///   - progress: Called on that thread; otherwise as for the other form.
  /// - Returns: The problems in SQLite's words; empty where the file is sound.
  /// - Throws: As the other form; `CancellationError`.
  public func checkIntegrity(
    quick: Bool = false, limit: Int = 100,
    progress: @escaping @Sendable (Double) throws -> Void = { _ in }
  ) async throws -> [String] {
    try await read {
      try self.checkIntegrity(quick: quick, limit: limit, progress: progress)
    }
  }
}
