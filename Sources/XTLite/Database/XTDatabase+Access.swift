/// One call's use of a connection.
struct Visit {
  let connection: Connection
  /// Whether the call stands on the thread's stack: always, but where it runs inside another of the
  /// same database and nothing lies between.
  let isPushed: Bool
  /// Whether somebody wants to hear of the call.
  var isWatched = false
  /// Where the connection goes back to, where it was taken for the call. Not counted: the call's
  /// database holds it, or the transaction object's that is the current one.
  var pool: Unmanaged<ConnectionPool>?
}

/// The doors for the rooms above: a connection for one call.
extension XTDatabase {
  /// For one read verb: the connection of this thread's block where there is one, else one for the
  /// call, without a transaction.
  @inline(__always)
  func reading<T>(_ body: (Connection) throws -> T) throws -> T {
    try accessing(.readVerb, body)
  }

  /// For a reading verb that hands its rows out one by one. In `write { }` it goes to a reader beside
  /// that, where one is free: what the rows' callback writes would be refused on a connection that
  /// still reads an older state.
  func streaming<T>(_ body: (Connection) throws -> T) throws -> T {
    guard isOpen, let writer = AccessStack.current.connection(of: core), !writer.isReader,
      !writer.isInTransaction, writer.scopes.isEmpty, readers !== writers,
      !writer.hasTablesOfItsOwn,
      let place = readers.takeIfFree(.readVerb)
    else { return try reading(body) }
    let asked = core.signals.isWatched ? Uptime.now : 0
    return try visiting(begin(.readVerb, place, of: readers, since: asked), body)
  }

  /// For one write verb: the writer, without a transaction of its own.
  ///
  /// Throws `readOnly` inside `read { }` and where the file was opened read-only.
  @inline(__always)
  func writing<T>(_ body: (Connection) throws -> T) throws -> T {
    try accessing(.writeVerb) { connection in
      try refuseWrites(on: connection)
      return try body(connection)
    }
  }

  /// For a write verb of several statements: a transaction, or a savepoint where one is open.
  @inline(__always)
  func transacting<T>(_ body: (Connection) throws -> T) throws -> T {
    try accessing(.writeVerb) { connection in
      try refuseWrites(on: connection)
      return try connection.inTransaction { try body(connection) }
    }
  }

  /// Runs SQL, one statement or several in order, on the writer. Returns the rows changed.
  ///
  /// `values` go to the parameters in the order of the text.
  @discardableResult
  func executeScript(_ sql: String, _ values: [XTValue] = []) throws -> Int {
    try accessing(.writeVerb) { connection in
      try connection.executeScript(sql, values)
    }
  }

  /// Runs `body` with the connection that this thread's innermost call of this database uses, or
  /// with one taken for the call.
  @inline(__always)
  func accessing<T>(_ kind: AccessKind, _ body: (Connection) throws -> T) throws -> T {
    try visiting(enter(kind), body)
  }

  /// Runs `body` and ends the visit.
  @inline(__always)
  func visiting<T>(_ visit: Visit, _ body: (Connection) throws -> T) throws -> T {
    let result: T
    do {
      result = try body(visit.connection)
    } catch {
      throw leave(visit, throwing: error)
    }
    if visit.isPushed || visit.isWatched, let leftover = leave(visit) { throw leftover }
    return result
  }

  // Not inlined into each verb: two calls cost less than their code sixty times.
  @inline(never)
  private func enter(_ kind: AccessKind) throws -> Visit {
    if !isOpen { throw noted(closedError()) }
    if let begun { return try enter(begun, kind) }
    let stack = AccessStack.current
    if let innermost = stack.connection(of: core) {
      if serves(innermost, kind) {
        return inside(innermost, kind, isSameCall: stack.isInnermost(core))
      }
      // In the callback of a loop that a write block runs beside its own connection.
      if let writer = stack.writer(of: core) { return inside(writer, kind, isSameCall: false) }
    }
    if let current = stack.begunDatabase(of: core) { return try current.enter(kind) }
    return try take(kind, kind.isReading ? readers : writers)
  }

  /// For a call inside of one that uses the connection.
  @inline(__always)
  private func inside(_ connection: Connection, _ kind: AccessKind, isSameCall: Bool) -> Visit {
    if !isSameCall { AccessStack.current.push(self, connection) }
    let isWatched = connection.isMetered && watch(kind, inside: connection)
    return Visit(connection: connection, isPushed: !isSameCall, isWatched: isWatched)
  }

  @inline(__always)
  func take(_ kind: AccessKind, _ pool: ConnectionPool) throws -> Visit {
    do {
      if core.signals.isWatched { return try enterWatched(kind, pool) }
      return try begin(pool.take(kind, limit: core.waitLimit))
    } catch {
      throw noted(error)
    }
  }

  /// A call of a transaction object uses the transaction's own connection and no other.
  @inline(never)
  private func enter(_ begun: BegunTransaction, _ kind: AccessKind) throws -> Visit {
    let stack = AccessStack.current
    guard let connection = stack.connection(begun.connection) else {
      return try take(kind, writers)
    }
    return inside(connection, kind, isSameCall: stack.isInnermost(begun.connection))
  }

  /// Whether this thread is inside a block or call of the same database, where nobody can wait for
  /// the whole of it.
  var isInsideBlock: Bool { begun != nil || AccessStack.current.isInside(core) }

  func refuseInsideBlock(_ kind: AccessKind) throws {
    guard isInsideBlock else { return }
    throw XTError(
      .locked, "\(kind.name) inside a block of the same database",
      hint: "call it after the block has ended", path: path)
  }

  /// Whether a call on this thread can have the writer's connection: not inside of a read block.
  var canVisitWriter: Bool {
    guard let connection = AccessStack.current.connection(of: core) else { return true }
    return !serves(connection, .writerVerb)
  }

  /// Whether a call inside of one that uses `connection` uses it too. A write in the callback of a
  /// reading verb goes to the writer beside it; in a read block it is refused.
  @inline(__always)
  private func serves(_ connection: Connection, _ kind: AccessKind) -> Bool {
    !connection.isReader || kind.isReading || connection.refusesWrites
      || connection.settings.isReadOnly
  }

  /// Begins the visit of a connection that was taken for it.
  func begin(_ taken: Connection) throws -> Visit {
    var connection = taken
    do {
      // It may have been closed while this call stood in line.
      if !isOpen { throw closedError() }
      connection.uses &+= 1
      if connection.uses & Self.mask(of: connection) == 0 { try core.file.verify() }
    } catch {
      pool(of: connection).give(connection)
      if isOpen { core.signals.keepFileGone(isReplaced: FileIdentity(path: path) != nil) }
      throw noted(error)
    }
    // A transaction object goes on as it began.
    if connection.generation != core.current.generation, begun == nil {
      connection = try upToDate(connection)
    }
    if connection.isInterrupted.isSet { connection.isInterrupted.set(false) }
    if connection.followed != core.commits.wanted { connection.follow(core.commits) }
    AccessStack.current.push(self, connection)
    return Visit(
      connection: connection, isPushed: true, pool: .passUnretained(pool(of: connection)))
  }

  /// Whether the file is still in its place is asked before each writing call, and now and then
  /// before a reading one, which is as fast as the question.
  @inline(__always)
  private static func mask(of connection: Connection) -> UInt {
    connection.isReader ? 127 : 0
  }

  @inline(__always)
  private func pool(of connection: Connection) -> ConnectionPool {
    connection.isReader ? readers : writers
  }

  /// Gives back what was taken. A transaction that plain SQL left open is rolled back first, or the
  /// next call would run inside it: returns the error that says so.
  @inline(never)
  func leave(_ visit: Visit, hasFailed: Bool = false) -> (any Error)? {
    let stack = AccessStack.current
    let connection = visit.connection
    let leftover = visit.pool == nil ? nil : rollBackLeftover(connection)
    if visit.isWatched { endWatch(of: connection, hasFailed: hasFailed || leftover != nil) }
    if visit.pool != nil, !connection.isReader { connection.publishUnwatched() }
    if visit.isPushed { stack.pop() }
    visit.pool?._withUnsafeGuaranteedRef { $0.give(connection) }
    if stack.hasSignals { Signals.deliverKept() }
    return leftover
  }

  /// The same for a call that throws. Returns what it throws.
  @inline(never)
  func leave(_ visit: Visit, throwing error: any Error) -> any Error {
    let error = noted(error)
    var visit = visit
    if visit.isWatched, error is LockIsTaken {
      // The call goes on with another visit, which tells of it.
      dropWatch(of: visit.connection)
      visit.isWatched = false
    }
    _ = leave(visit, hasFailed: true)
    return error
  }

  @inline(__always)
  private func rollBackLeftover(_ connection: Connection) -> (any Error)? {
    guard connection.isInTransaction, let error = connection.rollBackLeftover() else { return nil }
    return noted(error)
  }

  @inline(__always)
  func refuseWrites(on connection: Connection) throws {
    if connection.refusesWrites || connection.settings.isReadOnly {
      throw writeRefusal(connection)
    }
  }

  @inline(never)
  private func writeRefusal(_ connection: Connection) -> XTError {
    if connection.settings.isReadOnly { return readOnlyRefusal("a write to") }
    return Connection.writeInRead(path: path)
  }

  /// `what` ends before the database's name.
  func readOnlyRefusal(_ what: String) -> XTError {
    XTError(
      .readOnly, "\(what) \(core.label), which was opened read-only",
      hint: "open it without readOnly", path: path)
  }
}

extension AccessKind {
  @inline(__always)
  var isReading: Bool {
    switch self {
    case .read, .readVerb: true
    default: false
    }
  }
}
