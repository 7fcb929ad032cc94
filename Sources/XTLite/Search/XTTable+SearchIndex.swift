import Foundation

extension XTTable {
  /// Compares the index of the words with the rows, word by word. SQLite counts that as a write,
  /// though nothing is changed.
  ///
  /// - Returns: How many rows there are.
  /// - Throws: `corrupt` where they differ or the index is damaged; `schema` for a model without
  ///   `xt_search`, and where the file has no index, or another one than the model declares;
  ///   `readOnly` in `read { }` and in a file opened read-only; `locked` and others as any write.
  @discardableResult
  public func checkSearch() throws -> Int {
    let plan = try searchPlan()
    return try onIndex(plan) { connection, shape in
      try SearchCheck(plan.index, shape, connection).run()
    }
  }

  /// Makes the index of the words anew of the rows, also where the file has none or a damaged one.
  ///
  /// - Parameter progress: Is told how many rows are done. Cancelling it ends the call with
  ///   `CancellationError`, and the index is the one that it was.
  /// - Throws: `schema` for a model without `xt_search`; `readOnly`, `locked` and others as any write.
  public func rebuildSearch(progress: Progress? = nil) throws {
    let plan = try searchPlan()
    try onIndex(plan) { connection, shape in
      if let progress {
        let count = try connection.firstValue("SELECT count(*) FROM \(quoted(plan.index.table))")
        progress.totalUnitCount = Swift.max(count?.int64 ?? 0, 1)
        progress.completedUnitCount = 0
      }
      try SearchMaker.prepare(plan.index, shape, isForced: true, on: connection) { rows in
        progress?.completedUnitCount += rows
        if progress?.isCancelled == true { throw CancellationError() }
      }
      if let progress { progress.completedUnitCount = progress.totalUnitCount }
    }
  }

  /// The same on a thread of its own. Cancelling the task cancels it.
  public func rebuildSearch(progress: Progress? = nil) async throws {
    try await database.onOwnThread(progress) { progress in
      try rebuildSearch(progress: progress)
    }
  }

  /// Takes the index of the words out of the file, with its triggers, also where the program lacks
  /// its tokenizer, or SQLite its kind of search, and no write succeeds for that.
  ///
  /// ```swift
  /// try database.table(File.self).removeSearch()
  /// ```
  ///
  /// It is for models that no longer declare `xt_search`, or never did: the next write or search of one
  /// that does makes the index anew.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `readOnly`, `locked` and others as any write.
  @discardableResult
  public func removeSearch() throws -> Bool {
    let table = try plan().table
    return try database.transacting { connection in
      let isThere = try !SearchParts(of: table, on: connection).isEmpty
      try SearchRemoval.remove(from: table, on: connection)
      return isThere
    }
  }

  /// A transaction with the table as it is: nothing is made by the way.
  func onIndex<Result>(
    _ plan: SearchPlan, _ body: (Connection, TableShape) throws -> Result
  ) throws -> Result {
    try database.transacting { connection in
      let shape = try SchemaReader.shape(
        of: plan.table.table, mapping: plan.table.mapping, on: connection)
      guard shape.exists else {
        throw XTError(
          .schema, "there is no table `\(plan.table.table)`",
          hint: "the first write makes it, with the index", table: plan.table.table)
      }
      do {
        return try body(connection, shape)
      } catch let error as XTError {
        throw plan.explained(error)
      }
    }
  }
}
