/// One call's use of a connection.
struct Visit {
  enum Origin {
    /// The call runs inside another of the same database, and nothing lies between.
    case sameCall
    /// As `sameCall`, but with a call of another database between the two.
    case outerCall
    /// The connection was taken for this call, and is given back after it.
    case taken
  }

  let connection: Connection
  let origin: Origin
}

/// The doors for the rooms above: a connection for one call.
extension XTDatabase {
  /// For one read verb: the connection of this thread's block where there is one, else one for the
  /// call, without a transaction.
  @inline(__always)
  func reading<T>(_ body: (Connection) throws -> T) throws -> T {
    try accessing(.readVerb, body)
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
      if visit.origin != .sameCall { _ = leave(visit) }
      throw error
    }
    if visit.origin != .sameCall, let leftover = leave(visit) { throw leftover }
    return result
  }

  // Not inlined into each verb: two calls cost less than their code sixty times.
  @inline(never)
  private func enter(_ kind: AccessKind) throws -> Visit {
    if !isOpen { throw closedError() }
    let stack = AccessStack.current
    if let connection = stack.connection(of: core) {
      if stack.isInnermost(core) { return Visit(connection: connection, origin: .sameCall) }
      stack.push(self, connection)
      return Visit(connection: connection, origin: .outerCall)
    }
    return try begin(kind.isReading ? core.takeReader(kind) : core.takeWriter(kind))
  }

  /// Begins the visit of a connection that was taken for it.
  func begin(_ connection: Connection) throws -> Visit {
    // It may have been closed while this call stood in line.
    if !isOpen {
      _ = core.give(connection)
      throw closedError()
    }
    AccessStack.current.push(self, connection)
    return Visit(connection: connection, origin: .taken)
  }

  /// Returns the error that is left where plain SQL forgot to end its transaction.
  @inline(never)
  private func leave(_ visit: Visit) -> (any Error)? {
    AccessStack.current.pop()
    return visit.origin == .taken ? core.give(visit.connection) : nil
  }

  @inline(__always)
  func refuseWrites(on connection: Connection) throws {
    if connection.refusesWrites || connection.settings.isReadOnly {
      throw writeRefusal(connection)
    }
  }

  @inline(never)
  private func writeRefusal(_ connection: Connection) -> XTError {
    if connection.settings.isReadOnly {
      return XTError(
        .readOnly, "a write to \(core.label), which was opened read-only",
        hint: "open it without readOnly", path: path)
    }
    return Connection.writeInRead(path: path)
  }
}

extension AccessKind {
  @inline(__always)
  fileprivate var isReading: Bool {
    switch self {
    case .read, .readVerb: true
    default: false
    }
  }
}
