import Dispatch
import Foundation

/// One open file: its pools of connections, and what other rooms keep beside it. Shared by all
/// `XTDatabase` values on the file.
final class DatabaseCore: Sendable {
  /// Unique in the process.
  let identity: UInt64
  let file: DatabaseFile
  /// What it is set to now.
  let current: CurrentSettings
  /// One connection: whoever has it writes.
  let writers: ConnectionPool
  /// Beside the writer in WAL; the writer's own pool where a reader would stand in its way.
  let readers: ConnectionPool
  /// Runs the writing blocks of the async forms, so that none holds a thread of Swift's own pool.
  private let writerQueue: DispatchQueue
  /// Run the reading blocks of the async forms, each on a thread of its own.
  private let readerQueues: WorkerQueues
  let attachments = Mutex(Attachments())
  /// The readers that streams keep.
  let streams = KeptReaders()
  /// What those hear who listen.
  let signals: Signals
  let ledger: ConnectionLedger
  /// Who wants to hear of commits.
  let commits: CommitWatch
  /// What time it is, for the automatic times.
  let clock: @Sendable () -> Date
  /// What was wrong with the file that was at the path before.
  let damage: XTDamage?
  /// Nil where the file has no log, or this database none to look after.
  let checkpointer: Checkpointer?

  private let schemaClock: ChangeClock
  let isDamageTold = Mutex(false)
  private let hasBeenAway = Flag()
  let suspension = Mutex(Suspension.none)
  let suspending = Lock()

  private static let lastIdentity = Mutex<UInt64>(0)

  /// Opens the file, or throws why it can't be; a nil path is a database in memory.
  init(path: String?, configuration: XTConfiguration, damage: XTDamage? = nil) throws {
    self.damage = damage
    let label =
      configuration.label ?? path.map { ($0 as NSString).lastPathComponent } ?? "in memory"
    let file = DatabaseFile(path: path, label: label)
    let current = try CurrentSettings(configuration, path: path)
    let schemaClock = ChangeClock()
    let signals = Signals { SignalSource(label: file.label, path: file.path) }
    let ledger = ConnectionLedger()
    let commits = CommitWatch()
    self.file = file
    self.schemaClock = schemaClock
    self.current = current
    self.signals = signals
    self.ledger = ledger
    self.commits = commits
    clock = configuration.clock
    let checkpointer = Self.checkpointer(of: file, configuration, current)
    self.checkpointer = checkpointer
    checkpointer?.setListener(
      Checkpointer.Listener(
        stuckReader: { pages, _ in signals.send(.warning(.logNotEmptied(pages: pages))) },
        failure: { error in
          signals.keep(error)
          Signals.deliverKept()
        }))
    writers = ConnectionPool(file, capacity: 1) {
      let writer = try Self.connect(
        file, current.settings, schemaClock, signals, ledger, isReader: false)
      writer.commits = commits
      if let checkpointer {
        writer.watchLog { checkpointer.told($0) }
        checkpointer.start()
      }
      return writer
    }
    let readsBeside = path != nil && (configuration.readOnly || configuration.journalMode == .wal)
    readers =
      readsBeside
      ? ConnectionPool(file, capacity: configuration.maximumReaders) {
        try Self.connect(file, current.settings, schemaClock, signals, ledger, isReader: true)
      } : writers
    writerQueue = DispatchQueue(label: "XTLite \(label)")
    readerQueues = WorkerQueues(label: "XTLite reader of \(label)")
    identity = Self.lastIdentity.withLock { last in
      last += 1
      return last
    }
    if let damage { signals.keepDamage(damage.error) }
    // The first connection proves that the file is a database.
    if try !openReader() { writers.give(try writers.take(.opening, limit: 0)) }
    // Until `close`: the pool holds it too.
    checkpointer?.setWriters(writers)
  }

  /// Opens a reader where the file needs nothing of a writer: each connection reads the whole
  /// schema, and a program that begins with questions should not wait for that twice.
  private func openReader() throws -> Bool {
    guard readsBeside, FilePath.isWritable(file.path),
      let reader = try? readers.take(.opening, limit: 0)
    else { return false }
    if configuration.readOnly || reader.hasLog {
      readers.give(reader)
      return true
    }
    readers.discard(Loan(connection: reader))
    readers.give(Loan(connection: nil))
    return false
  }

  private static func checkpointer(
    of file: DatabaseFile, _ configuration: XTConfiguration, _ current: CurrentSettings
  ) -> Checkpointer? {
    guard !file.isInMemory, !configuration.readOnly, configuration.journalMode == .wal else {
      return nil
    }
    var limits = Checkpointer.Limits()
    limits.bytes = configuration.walLimit
    return Checkpointer(label: file.label, limits: limits) {
      // A log goes with its file: put into another one it would destroy that.
      try file.verify()
      var settings = current.settings.withoutAdditions
      settings.path = file.path
      settings.isForCheckpoints = true
      settings.mayCreate = false
      return try Connection(settings)
    }
  }

  private static func connect(
    _ file: DatabaseFile, _ settings: ConnectionSettings, _ clock: ChangeClock,
    _ signals: Signals, _ ledger: ConnectionLedger, isReader: Bool
  ) throws -> Connection {
    // Not the log of the open file with another file.
    try file.verify()
    var settings = settings
    settings.isReader = isReader
    if !file.isInMemory {
      settings.path = file.path
      settings.mayCreate = file.mayCreate
      if isReader, settings.mayCreate, !settings.isReadOnly, FileIdentity(path: file.path) == nil {
        // A reader makes no file.
        try connect(file, settings, clock, signals, ledger, isReader: false).close()
      }
    }
    let begin = signals.isWatched ? Uptime.now : nil
    let connection = try Connection.open(settings, schemaClock: clock)
    file.wasOpened(forWriting: !isReader && !settings.isReadOnly)
    ledger.add(connection.counters)
    if let begin { signals.keepOpening(of: connection, nanoseconds: Uptime.now - begin) }
    return connection
  }

  var label: String { file.label }

  var configuration: XTConfiguration { current.configuration }

  /// Seconds that a call waits for others.
  var waitLimit: Double { current.waitLimit }

  /// Runs the block of an async form that has its connection.
  func runOnWorker(_ kind: AccessKind, _ block: @escaping @Sendable () -> Void) {
    if kind.isReading { readerQueues.async(block) } else { writerQueue.async(execute: block) }
  }

  /// Changes what it is set to: the connections follow before their next use.
  func reconfigure(_ change: (inout XTConfiguration) throws -> Void) throws {
    try current.change(change) { configuration in
      if readsBeside { readers.setCapacity(configuration.maximumReaders) }
      checkpointer?.setByteLimit(configuration.walLimit)
    }
  }

  /// Whether reads have connections of their own.
  var readsBeside: Bool { readers !== writers }

  func forEachPool(_ body: (ConnectionPool) -> Void) {
    body(writers)
    if readsBeside { body(readers) }
  }

  /// Closes the readers that nobody uses. Returns how many.
  @discardableResult
  func purge() -> Int { readsBeside ? readers.closeIdle() : 0 }

  func releaseMemory() {
    forEachPool { pool in pool.forEachIdle { $0.releaseMemory() } }
  }

  /// Whether a connection can be opened; tried by opening one that only reads.
  var canOpen: Bool {
    file.isInMemory || Self.canOpen(path: file.path, configuration: configuration)
  }

  static func canOpen(path: String, configuration: XTConfiguration) -> Bool {
    var configuration = configuration
    configuration.readOnly = true
    guard FileIdentity(path: path) != nil,
      let settings = try? configuration.connectionSettings(path: path),
      let connection = try? Connection.open(settings)
    else { return false }
    connection.close()
    return true
  }

  // MARK: Having all of it

  /// Waits until nobody uses the file, and holds everyone back until `letGo`: the caller has all
  /// connections.
  ///
  /// - Returns: The writer's place.
  /// - Throws: `locked` where a block still ran at the busy limit; everything then goes on.
  func holdBack(_ kind: AccessKind) throws -> Loan {
    let place = try writers.takePlace(kind, limit: waitLimit)
    guard readsBeside else { return place }
    streams.endAll(for: kind)
    do {
      try readers.holdBack(kind, limit: waitLimit)
    } catch {
      streams.letGo()
      writers.give(place)
      throw error
    }
    return place
  }

  /// Ends what `holdBack` began.
  func letGo(_ place: Loan) {
    if readsBeside { readers.letGo() }
    streams.letGo()
    writers.give(place)
    // It may be another file.
    if hasBeenAway.isSet {
      hasBeenAway.set(false)
      commits.tell(.unknown)
    }
  }

  /// Calls `body` when a change of the schema was committed, or undone, on a connection of this file;
  /// see `ChangeClock.watch`.
  func watchSchema(_ body: @escaping @Sendable () -> Void) {
    schemaClock.watch(body)
  }

  /// Another file has taken the place of the one that was open: who watches the schema looks at it.
  func fileWasExchanged() {
    schemaClock.changed()
  }

  /// Closes every connection: no lock is held on the file afterwards, which may be another one when
  /// it is opened again. For who holds everyone back.
  ///
  /// - Returns: The writer's place, without a connection.
  func disconnect(_ place: Loan) -> Loan {
    checkpointer?.stop()
    // The writer last: SQLite then puts the log into the file and removes it.
    purge()
    leaveNoLog(place)
    writers.discard(place)
    schemaClock.advance()
    hasBeenAway.set(true)
    file.wasClosed()
    signals.forgetFile()
    return Loan(connection: nil)
  }

  /// The same where no other program has the file open: it is then one file, without a log.
  ///
  /// - Throws: `locked` where there is one; everyone then goes on.
  func disconnectAlone(_ place: Loan) throws -> Loan {
    try disconnect(place) { try $0.takeFileAlone() }
  }

  /// The same with all of the log in the file, which is then whole by itself. Closing would see to
  /// that, but not where other programs have the file open, and not where only readers were open.
  ///
  /// - Throws: `locked` where another program is in the way at the busy limit; everyone then goes on.
  func disconnectWhole(_ place: Loan) throws -> Loan {
    if configuration.readOnly { return disconnect(place) }
    return try disconnect(place) { try $0.emptyLog(wait: waitLimit) }
  }

  private func disconnect(
    _ place: Loan, after preparation: (Connection) throws -> Void
  ) throws -> Loan {
    checkpointer?.stop()
    purge()
    var place = place
    do {
      let connection = try writers.connectionKeepingPlace(place)
      place = Loan(connection: connection)
      try preparation(connection)
    } catch {
      if place.connection != nil { checkpointer?.start() }
      letGo(place)
      throw error
    }
    return disconnect(place)
  }

  // MARK: Another file at the path

  /// Empties the log where the file is not at its path any more. SQLite leaves it there then, and
  /// would put it into whatever file is opened at the path next, over what that holds.
  ///
  /// - Returns: Whether nothing is left in it.
  @discardableResult
  private func leaveNoLog(_ place: Loan) -> Bool {
    guard checkpointer != nil, let connection = place.connection, file.hasStrayLog else {
      return true
    }
    return (try? connection.checkpoint(.truncate, wait: waitLimit))?.obstacle == nil
  }

  /// Leaves the path to another file, which is to be opened there: two files would share one log.
  /// The calls that follow throw that this one's file is gone.
  ///
  /// - Throws: `locked` where a block still ran at the busy limit, `open` where another program
  ///   uses the log.
  func giveUpPath() throws {
    guard checkpointer != nil, file.hasStrayLog else { return }
    let place = try holdBack(.opening)
    checkpointer?.stop()
    guard leaveNoLog(place) else {
      checkpointer?.start()
      letGo(place)
      throw XTError(
        .open, "the log of the file that was here is still in use",
        hint: "close that file everywhere, and open this one then", path: file.path)
    }
    purge()
    writers.discard(place)
    letGo(Loan(connection: nil))
  }

  // MARK: Opening again

  /// Opens the file again and lets everyone go on.
  ///
  /// - Throws: Why it can't be opened. The calls that follow try it again.
  func reconnect() throws {
    // Readers go on before the writer's place is given back: who takes that next may hold them back.
    do {
      letGo(Loan(connection: try writers.connectionKeepingPlace(Loan(connection: nil))))
    } catch {
      letGo(Loan(connection: nil))
      throw error
    }
  }

  /// Closes everything for good. For who holds everyone back, or where nobody can come.
  func close(_ place: Loan? = nil) {
    commits.tell(.closed)
    attachments.withLock { $0 = Attachments() }
    checkpointer?.stop()
    checkpointer?.setWriters(nil)
    if readsBeside { readers.close() }
    if let place = place ?? writers.takeIfFree(.closing) {
      leaveNoLog(place)
      writers.discard(place)
    }
    writers.close()
  }
}
