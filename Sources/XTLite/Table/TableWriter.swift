/// One verb's writing to one table: what it writes with, the statements that it holds from row to
/// row, and the objects that are to be told what their rows hold.
final class TableWriter {
  let plan: TablePlan
  let rows: RowPlan
  let connection: Connection
  /// The verb's name, for messages.
  let verb: String
  /// Now, in seconds since 1970.
  let time: Double
  let buffer: BindingBuffer
  /// The columns that the verb is about; nil for all.
  let only: [Column]?
  /// What finds the rows, where the verb names it; nil for the model's identity.
  let key: RowKey?

  // Touched only by the verb, under the connection's turn; see Statement.
  @exclusivity(unchecked) private var first: HeldStatement?
  @exclusivity(unchecked) private var others: ContiguousArray<HeldStatement> = []
  @exclusivity(unchecked) private var news: [(memory: ModelMemory, row: WrittenRow)] = []
  @exclusivity(unchecked) private var heldInsertion: Insertion?

  /// - Throws: `unknownColumn` and `schema` where the verb names a property that the model or the
  ///   table doesn't have.
  init(
    _ plan: TablePlan, _ rows: RowPlan, _ connection: Connection, _ verb: WritingVerb, isList: Bool
  ) throws {
    self.plan = plan
    self.rows = rows
    self.connection = connection
    self.verb = verb.name
    time = verb.time
    buffer = .make(capacity: isList ? 4096 : 1024)
    only = try verb.only.map { try plan.writtenColumns($0) }
    key = try verb.by.isEmpty ? nil : Self.key(of: verb.by, plan, rows)
  }

  private static func key(
    of properties: [AnyKeyPath], _ plan: TablePlan, _ rows: RowPlan
  ) throws -> RowKey {
    let columns = try plan.writtenColumns(properties)
    if columns.count == 1, columns[0] === plan.mapping.rowID, let key = rows.byNumber { return key }
    return try rows.key(columns)
  }

  // MARK: Statements

  /// The key's statement, which stays with this writer until `finish`.
  @inline(__always)
  func statement(_ key: StatementKey) throws -> Statement {
    if let first, first.key === key { return first.statement }
    return try other(key)
  }

  @inline(never)
  private func other(_ key: StatementKey) throws -> Statement {
    if let known = others.first(where: { $0.key === key }) { return known.statement }
    let held = HeldStatement(key: key, statement: try connection.statement(key))
    // Most verbs use one; an array is made for those that use more.
    if first == nil { first = held } else { others.append(held) }
    return held.statement
  }

  /// Runs `body` and gives the statements back.
  @inline(__always)
  func whileHolding<Result>(_ body: () throws -> Result) throws -> Result {
    defer { finish() }
    return try body()
  }

  /// Gives the statements back.
  @inline(__always)
  func finish() {
    if let first { connection.finish(first.statement) }
    first = nil
    if !others.isEmpty { finishOthers() }
  }

  @inline(never)
  private func finishOthers() {
    for other in others { connection.finish(other.statement) }
    others = []
  }

  @inline(__always)
  func insertion() throws -> Insertion {
    if let heldInsertion { return heldInsertion }
    let insertion = try rows.insertion(only: only)
    heldInsertion = insertion
    return insertion
  }

  // MARK: Objects

  /// Keeps what an object is to be told; a value is told by who has it in hand.
  @inline(__always)
  func note(_ row: WrittenRow, of memory: ModelMemory) {
    if memory.object != nil { news.append((memory, row)) }
  }

  /// Tells the objects what their rows hold, once all of the verb's work is there. They forget it
  /// again where a transaction around it rolls back.
  func tellObjects() throws {
    guard !news.isEmpty else { return }
    if connection.isInTransaction {
      let before = news.compactMap { ObjectState($0.memory, plan.mapping) }
      connection.onRollback { for state in before { state.restore() } }
    }
    for (memory, row) in news { try memory.tell(row, self) }
  }
}

private struct HeldStatement {
  let key: StatementKey
  let statement: Statement
}

/// What a verb is about.
struct WritingVerb {
  let name: String
  /// Now, in seconds since 1970.
  let time: Double
  /// The properties that are written; nil for all.
  var only: [AnyKeyPath]?
  /// The properties that find the rows; none for the model's identity.
  var by: [AnyKeyPath] = []
}
