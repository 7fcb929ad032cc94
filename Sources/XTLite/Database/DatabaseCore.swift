import Dispatch
import Foundation

/// One open file: its connection, the turn to use it, and what other rooms keep beside it. Shared
/// by all `XTDatabase` values on the file.
// @unchecked: `writer` is used only by who has the turn, or in `deinit`; everything else that
// changes is behind a lock of its own.
final class DatabaseCore: @unchecked Sendable {
  /// Unique in the process.
  let identity: UInt64
  /// Absolute, links resolved; ":memory:" for a database in memory.
  let path: String
  let label: String
  let configuration: XTConfiguration
  let turn: WriterQueue
  /// Runs the blocks of the async forms, so that none holds a thread of Swift's own pool.
  let worker: DispatchQueue
  let attachments = Mutex(Attachments())

  private let writer: Connection
  private let waitLimit: Double

  private static let lastIdentity = Mutex<UInt64>(0)

  /// Opens the file, or throws why it can't be; a nil path is a database in memory.
  init(path: String?, configuration: XTConfiguration) throws {
    writer = try Connection(configuration.connectionSettings(path: path))
    self.path = writer.path
    self.configuration = configuration
    waitLimit = configuration.waitLimit
    label = configuration.label ?? path.map { ($0 as NSString).lastPathComponent } ?? "in memory"
    turn = WriterQueue(label: label, path: writer.path)
    worker = DispatchQueue(label: "XTLite \(label)")
    identity = Self.lastIdentity.withLock { last in
      last += 1
      return last
    }
  }

  // MARK: Connections for calls

  /// A connection to write with; wait for it, and give it back with `give`.
  @inline(__always)
  func takeWriter(_ kind: AccessKind) throws -> Connection {
    try turn.take(kind, limit: waitLimit)
    return writer
  }

  /// A connection to read with; wait for it, and give it back with `give`.
  @inline(__always)
  func takeReader(_ kind: AccessKind) throws -> Connection {
    try takeWriter(kind)
  }

  /// Gives back what `takeWriter` or `takeReader` gave. A transaction that plain SQL left open is
  /// rolled back first, or the next call would run inside it: returns the error that says so.
  @inline(__always)
  func give(_ connection: Connection) -> XTError? {
    let leftover = connection.isInTransaction ? rollBackLeftover(connection) : nil
    turn.give()
    return leftover
  }

  @inline(never)
  private func rollBackLeftover(_ connection: Connection) -> XTError? {
    guard connection.rollBackLeftover() else { return nil }
    return XTError(
      .sqlite, "a transaction was still open at the end of the call and was rolled back",
      hint: "use transaction { } instead of BEGIN", path: path)
  }

  /// Calls `job` on the core's own thread with a connection, or anywhere with the reason for there
  /// being none. Returns the place in line, to leave it by `turn.cancel`.
  func submit(
    _ kind: AccessKind, _ job: @escaping @Sendable (Result<ConnectionLease, any Error>) -> Void
  ) -> Waiter {
    let wake: @Sendable (Result<Void, any Error>) -> Void = { [self] outcome in
      switch outcome {
      case .success:
        worker.async { [self] in job(.success(ConnectionLease(connection: writer))) }
      case .failure(let error):
        // Not by way of the worker, which may be what this call has waited for in vain.
        job(.failure(error))
      }
    }
    let waiter = Waiter(kind, limit: waitLimit, wake: .job(wake))
    turn.submit(waiter)
    return waiter
  }

  /// The writing connection, for who has the turn.
  var writerForHolder: Connection { writer }

  // MARK: Closing

  /// Closes the connection. For who has the turn; nobody gets it afterwards.
  func close() {
    turn.close()
    attachments.withLock { $0 = Attachments() }
    writer.close()
  }
}

/// A connection on its way to the thread that will use it.
// @unchecked: made by who has the turn, and used by the one job that it is handed to.
struct ConnectionLease: @unchecked Sendable {
  let connection: Connection
}
