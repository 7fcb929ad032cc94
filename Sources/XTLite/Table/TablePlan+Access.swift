extension TablePlan {
  /// Looks at the table and reads from it on one snapshot, so that both see the same one.
  @inline(never)
  func lookingAgain<Result>(
    _ connection: Connection, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    // A snapshot of the writer's connection would stand in the way of what a row's callback writes.
    func run() throws -> Result {
      let rows = try rowsForReading(connection)
      do {
        return try body(connection, rows)
      } catch {
        throw rows.shape.explainedName(error)
      }
    }
    return connection.isReader ? try connection.inSnapshot(run) : try run()
  }

  @inline(__always)
  func writing<Result>(
    _ connection: Connection, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    let rows = try rowsForWriting(connection)
    do {
      return try body(connection, rows)
    } catch let error as XTError {
      guard isStale(error, rows, connection) else {
        throw explained(rows.shape.explainedName(error), connection)
      }
      return try body(connection, rowsForWriting(connection))
    }
  }

  /// The same inside of a transaction, which can't be tried again.
  @inline(__always)
  func writingInTransaction<Result>(
    _ connection: Connection, _ body: (Connection, RowPlan) throws -> Result
  ) throws -> Result {
    let rows = try rowsForTransaction(connection)
    do {
      return try body(connection, rows)
    } catch {
      throw explained(rows.shape.explainedName(error), connection)
    }
  }

  /// Says of an error of a write what the things beside the table have to do with it.
  @inline(never)
  func explained(_ error: any Error, _ connection: Connection?) -> any Error {
    TableCompanions.explained(error, table, mapping, on: connection)
  }

  /// Whether an error comes from a table that is no longer the one that was looked at.
  @inline(never)
  func isStale(_ error: XTError, _ rows: RowPlan, _ connection: Connection) -> Bool {
    // A column that the model doesn't know may have come, and take no NULL.
    [.schema, .unknownColumn, .constraint(.notNull)].contains(error.kind) && error.code != 0
      && hasChanged(since: rows, connection)
  }
}
