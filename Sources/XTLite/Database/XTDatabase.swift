import Foundation

/// A database: one file, or one in memory.
///
/// ```swift
/// try XTDatabase.configure(path: "people.sqlite")      // the one that xt_ verbs use
/// let archive = try XTDatabase(path: "archive.sqlite") // another beside it
/// try archive.transaction {
///   try archive.table(Person.self).insertList(people)
/// }
/// ```
///
/// Values on the same file, also by way of links, share one writing connection; the last to be
/// closed or released closes the file. All calls may come from any thread. Every wait for the
/// connection ends with `locked` after `XTConfiguration.busyTimeout` seconds.
public final class XTDatabase: Sendable {
  let core: DatabaseCore
  /// Where a call that writes gets its connection.
  let writers: ConnectionPool
  /// Where one that reads does.
  let readers: ConnectionPool
  /// What this one is the inside of, where it is a transaction object's own.
  let begun: BegunTransaction?
  private let closed: Flag

  init(core: DatabaseCore) {
    self.core = core
    writers = core.writers
    readers = core.readers
    begun = nil
    closed = Flag()
    // Its first connection may have been opened just now.
    Signals.deliverKept()
  }

  /// A database all of whose calls run in the transaction. It is no user of the file for itself:
  /// the database that began it is one as long as this one is there.
  init(begun: BegunTransaction) {
    core = begun.database.core
    writers = begun.pool
    readers = begun.pool
    self.begun = begun
    closed = begun.hasEnded
  }

  deinit {
    guard !closed.isSet else { return }
    if let begun { return begun.drop() }
    guard DatabaseRegistry.release(core) else { return }
    // Every running call holds a value, so nobody has a connection.
    core.close()
  }

  // MARK: Opening

  /// Opens the file at `path`, and makes it and missing folders where they are not there.
  ///
  /// - Parameters:
  ///   - path: Absolute, or relative to the current folder; `~` is the home folder.
  ///   - configuration: See ``XTConfiguration``. Where the file is open already, its key, readOnly,
  ///     journalMode, automaticColumns and automaticAdditions must be the same.
  /// - Throws: ``XTError`` that says why the file can't be opened: `open`, `notADatabase`,
  ///   `readOnly`, `encryption`, `locked`, `corrupt`.
  public convenience init(
    path: String, configuration: XTConfiguration = XTConfiguration()
  ) throws {
    self.init(core: try Self.open(path, configuration))
  }

  /// Opens the file at a file URL; otherwise as ``init(path:configuration:)``.
  ///
  /// - Throws: ``XTError``, also where `url` is not a file's.
  public convenience init(
    url: URL, configuration: XTConfiguration = XTConfiguration()
  ) throws {
    guard url.isFileURL else {
      throw XTError(
        .open, "\(url.absoluteString) is not the URL of a file",
        hint: "make it with URL(fileURLWithPath:)")
    }
    try self.init(path: url.path, configuration: configuration)
  }

  /// A new, empty database in memory, gone when the value goes.
  ///
  /// ```swift
  /// let database = try XTDatabase.inMemory()
  /// ```
  ///
  /// - Throws: ``XTError`` where the configuration asks for what is not possible in memory.
  public static func inMemory(
    configuration: XTConfiguration = XTConfiguration()
  ) throws -> XTDatabase {
    XTDatabase(core: try open(nil, configuration))
  }

  private static func open(
    _ path: String?, _ configuration: XTConfiguration
  ) throws -> DatabaseCore {
    do {
      let core = try DatabaseRegistry.open(path: path, configuration: configuration)
      core.tellDamage()
      return core
    } catch var error as XTError {
      error.isNoted = true
      let path = error.path ?? path ?? ":memory:"
      let label = configuration.label ?? (path as NSString).lastPathComponent
      Signals.send(error, of: SignalSource(label: label, path: path))
      throw error
    }
  }

  // MARK: State

  /// The file's absolute path with links resolved; ":memory:" for a database in memory.
  public var path: String { core.file.path }

  /// What the file is set to: as the first value on it was opened, with what ``reconfigure(_:)``
  /// changed since.
  public var configuration: XTConfiguration { core.configuration }

  /// Whether this value can be used: false after ``close()``.
  public var isOpen: Bool { !closed.isSet }

  /// A number unique in the process for the open file.
  var identity: UInt64 { core.identity }

  /// Closes this value; the file, where no other value is on it.
  ///
  /// Waits for the blocks that run. Afterwards every call on this value throws `closed`. A second
  /// call does nothing.
  ///
  /// - Throws: ``XTError``: `locked` where a block still ran at the busy limit, or where it is
  ///   called inside one; the value then stays open.
  public func close() throws {
    try noting(closeOnce)
  }

  private func closeOnce() throws {
    guard !closed.isSet else { return }
    if let begun { throw begun.closeRefusal() }
    try refuseInsideBlock(.closing)
    let place: Loan
    let wasSuspended: Bool
    do {
      let suspended = core.takeSuspension()
      wasSuspended = suspended != nil
      place = try suspended ?? core.holdBack(.closing)
    } catch {
      // Another thread was faster.
      if closed.isSet { return }
      throw error
    }
    let isLast = !closed.isSet && DatabaseRegistry.release(core)
    closed.set(true)
    core.commits.tell(.closed)
    if isLast {
      core.close(place)
    } else if wasSuspended {
      core.goOnSuspended(place)
    } else {
      core.letGo(place)
    }
  }

  // MARK: Time

  /// The time now, as a Date that is the same after it was stored and read back.
  ///
  /// Seconds since 1970 are what the file keeps; an arbitrary `Date` may differ from its stored
  /// form by 0.12 µs.
  public static func now() -> Date {
    storable(Date())
  }

  /// What time it is by the configuration's clock, in seconds since 1970; the same after a round
  /// trip through Date.
  func currentTime() -> Double {
    Self.storable(core.clock()).timeIntervalSince1970
  }

  private static func storable(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970)
  }

  func closedError() -> XTError { begun?.endedError() ?? core.file.closedError() }
}
