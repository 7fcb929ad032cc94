/// What every connection of a database does before its first use, for
/// ``XTConfiguration/add(_:)-(XTSetUp)``.
///
/// ```swift
/// configuration.add(
///   XTSetUp("memory") { connection in
///     try connection.execute("PRAGMA temp_store = MEMORY")
///   })
/// ```
///
/// A database has one connection that writes and several that read, each opened when it is needed.
/// Set-ups run in the order in which they were added, after the connection's other settings,
/// functions and collations are there. The one that is added or replaced while the database is open
/// runs on each open connection before its next use. To take one away undoes nothing on those.
///
/// Where it throws, so does the call that needed the connection, and the next one tries it again. A
/// transaction that it leaves open is rolled back, and is such an error.
public struct XTSetUp: Sendable {
  /// By which it is replaced and taken away.
  public let name: String

  let body: @Sendable (borrowing XTConnection) throws -> Void
  let stamp: Stamp

  /// - Parameters:
  ///   - name: By which it is replaced and taken away; any text.
  ///   - body: Called with each connection, on whichever thread opens it. It may use that
  ///     connection and no other of the same database.
  public init(
    _ name: String, _ body: @escaping @Sendable (borrowing XTConnection) throws -> Void
  ) {
    self.name = name
    self.body = body
    stamp = Stamp()
  }

  /// The same set-up, done in another way.
  init(_ setUp: XTSetUp, _ body: @escaping @Sendable (borrowing XTConnection) throws -> Void) {
    name = setUp.name
    stamp = setUp.stamp
    self.body = body
  }
}

/// One connection to a database, for the length of a call.
///
/// It can't be copied or kept: a closure that is given one borrows it.
public struct XTConnection: ~Copyable {
  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Whether it can't write to the file: it is one of those that read beside the one that writes, or
  /// the database was opened read-only. Temporary tables are its own, and may be made.
  public var isReader: Bool { connection.isReader || connection.settings.isReadOnly }

  /// The file's absolute path; ":memory:" for a database in memory.
  public var path: String { connection.path }
}
