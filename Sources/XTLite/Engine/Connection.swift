import Foundation

/// One connection to a database file.
///
/// Not for two threads at once: SQLite is told to take no locks of its own (NOMUTEX), whoever has
/// the connection's turn uses it. Only `cancel` may be called from anywhere.
final class Connection {
  /// The file's absolute path; ":memory:" for a database in memory.
  let path: String
  /// What it is set to: as it was opened, and changed by `apply`.
  @exclusivity(unchecked) var settings: ConnectionSettings
  let handle: OpaquePointer

  // Touched only by who has the turn; see Statement.
  @exclusivity(unchecked) var restrictions: Restrictions = []
  @exclusivity(unchecked) var cache: StatementCache
  @exclusivity(unchecked) var scopes: [TransactionScope] = []
  /// What waits for the end of a transaction that plain SQL began.
  @exclusivity(unchecked) var plainActions = ActionList()
  let owner = StatementOwner()
  let counters = ConnectionCounters()
  /// How many connections the process had open when this one was opened, with it.
  private(set) var openCount = 0
  private static let openConnections = Mutex(0)
  /// Counts and times what runs here; nil where nobody wants to know.
  private(set) var meter: Meter?
  /// Set by another thread to stop what runs here at its next statement.
  let isCancelled = Flag()
  /// Set by another thread to end a wait for another connection's lock.
  let isInterrupted = Flag()
  /// How often a call has taken it.
  @exclusivity(unchecked) var uses: UInt = 0
  /// Whether another connection's lock is waited for, in the thread of the call.
  var waitsForLocks = true
  /// When the current wait for another connection's lock began, in nanoseconds of uptime.
  var busySince: UInt64 = 0
  /// Seconds to wait for a lock where they are other than the settings say.
  var busyLimit: Double?
  /// Told of each commit; see `watchLog`.
  var logWatcher: (@Sendable (_ pages: Int) -> Void)?
  /// Set while hooks run after their transaction has ended, which a cancelled task does not stop.
  @exclusivity(unchecked) var runsHooks = false
  /// The error by which SQLite ended the open transaction by itself.
  var abortReason: XTError?
  /// What a function of the program's own threw latest.
  var functionFailure: FunctionFailure?
  /// The generation of its settings; -1 for one that has to be looked at before each use.
  @exclusivity(unchecked) var generation = 0
  /// The file as it was when it was taken as it is.
  let stamp: FileStamp?
  /// The copy that is being made from here, which ends before the connection does.
  weak var pageCopy: PageCopy?
  /// SQLite's own size of the page cache, once another was set.
  var originalCacheSize: Int?

  /// Who wants to hear of what is committed here.
  @exclusivity(unchecked) var commits: CommitWatch?
  /// What they wanted when that was looked at last.
  @exclusivity(unchecked) var followed: CommitWatch.Wanted = []
  /// What is found out for them; nil where nobody wants anything.
  @exclusivity(unchecked) var tableWatch: TableWatch?

  /// Whether it only reads, beside the connection that writes.
  let isReader: Bool
  /// Shared by the connections of one file.
  let schemaClock: ChangeClock
  // Moves whenever a statement ran here that may have changed the schema, or was rolled back.
  // Begins with a number of the connection's own: one that is opened later shares no value with it.
  @exclusivity(unchecked) private(set) var ownGeneration: Int

  /// Differs from an earlier value where the schema that this connection sees may have changed.
  @inline(__always)
  var schemaGeneration: Int { isReader ? schemaClock.time : ownGeneration }

  /// Opens the file, or throws why it can't be.
  init(_ settings: ConnectionSettings, schemaClock: ChangeClock = ChangeClock()) throws {
    // The settings' additions are not there before they are applied.
    self.settings = settings.withoutAdditions
    self.schemaClock = schemaClock
    isReader = settings.isReader
    // Before it is opened: a change after that is seen.
    stamp = settings.isTakenAsItIs ? settings.path.flatMap { FileStamp(path: $0) } : nil
    ownGeneration = Self.nextGeneration()
    cache = StatementCache(counters)
    path = settings.path ?? ":memory:"
    handle = try Self.openHandle(settings)
    owner.connection = self
    openCount = Self.openConnections.withLock { count in
      count += 1
      return count
    }
    do {
      try setUp()
      try apply(settings)
    } catch {
      close()
      throw error
    }
  }

  deinit {
    close()
  }

  /// Finalizes every statement and closes. A second call does nothing.
  func close() {
    guard isOpen else { return }
    restrictions.insert(.closed)
    Self.openConnections.withLock { $0 -= 1 }
    counters.isFinal.set(true)
    cache.removeAll()
    pageCopy?.finish()
    // A handle that outlives this object must not call back into it.
    sqlite3_busy_handler(handle, nil, nil)
    removeHooks()
    removeLogWatcher()
    stopWatchingTables()
    owner.connection = nil
    // v2: a statement that someone still holds keeps the handle alive until it goes.
    sqlite3_close_v2(handle)
  }

  var isOpen: Bool { !restrictions.contains(.closed) }

  // MARK: Statements

  /// The statement in the key's slot, or a second one where that is in use. Give it back with
  /// `finish`.
  @inline(__always)
  func statement(_ key: StatementKey) throws -> Statement {
    if let statement = cache.idle(key.id) {
      if needsLook(statement) { try look(at: statement, isReused: true) }
      cache.markUsed(statement)
      return statement
    }
    return try prepareForSlot(key)
  }

  /// A statement by its text, kept among the last used. Refuses text after the first statement.
  func statement(_ sql: String) throws -> Statement {
    let text = ExactText(sql)
    if let statement = cache.idle(text) {
      if needsLook(statement) { try look(at: statement, isReused: true) }
      cache.markUsed(statement)
      return statement
    }
    let statement = try prepare(sql)
    counters.count(.kept)
    cache.markUsed(statement)
    cache.insert(statement, for: text)
    return statement
  }

  /// Resets the statement, clears what is bound and frees it for the next use.
  @inline(__always)
  func finish(_ statement: Statement) {
    if statement.isMetered { statement.endUse() }
    statement.reset()
    if statement.parameterCount > 0 { statement.clearBindings() }
    statement.isBusy = false
    if !statement.aftermath.isEmpty { seeToAftermath(of: statement) }
  }

  /// Runs `body` with the key's statement, and finishes it also when `body` throws.
  @discardableResult @inline(__always)
  func withStatement<T>(_ key: StatementKey, _ body: (Statement) throws -> T) throws -> T {
    let statement = try statement(key)
    defer { finish(statement) }
    return try body(statement)
  }

  /// Runs `body` with the text's statement, and finishes it also when `body` throws.
  @discardableResult @inline(__always)
  func withStatement<T>(_ sql: String, _ body: (Statement) throws -> T) throws -> T {
    let statement = try statement(sql)
    defer { finish(statement) }
    return try body(statement)
  }

  @inline(never)
  private func prepareForSlot(_ key: StatementKey) throws -> Statement {
    let statement = try prepare(key.sql)
    counters.count(.kept)
    cache.markUsed(statement)
    cache.insert(statement, for: key.id)
    return statement
  }

  // MARK: Metering

  @inline(__always)
  var isMetered: Bool { restrictions.contains(.metered) }

  /// Lets `meter` know what runs, until `removeMeter`.
  func setMeter(_ meter: Meter) {
    self.meter = meter
    restrictions.insert(.metered)
  }

  /// Puts the meter that was there before back in its place, and hands the sums on to it.
  func removeMeter(_ outer: Meter?) {
    meter?.endWait()
    if let meter { outer?.add(meter.tally) }
    meter = outer
    if outer == nil { restrictions.remove(.metered) }
  }

  // MARK: State

  /// Rows that the latest INSERT, UPDATE or DELETE changed.
  var changes: Int { isOpen ? Int(sqlite3_changes(handle)) : 0 }

  /// The rowid of the latest INSERT.
  @inline(__always)
  var lastInsertRowID: Int64 { isOpen ? sqlite3_last_insert_rowid(handle) : 0 }

  /// Whether a transaction is open, whoever opened it.
  @inline(__always)
  var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// Set while a read block runs: a statement that may write throws `readOnly`.
  var refusesWrites: Bool {
    get { restrictions.contains(.writes) }
    set { if newValue { restrictions.insert(.writes) } else { restrictions.remove(.writes) } }
  }

  /// Whether the file, or the way it was opened, allows no writing.
  var isReadOnly: Bool { isOpen && sqlite3_db_readonly(handle, "main") == 1 }

  /// Stops what runs on this connection, and refuses its next statements until `resume`. May be
  /// called from any thread, while the connection is open.
  func cancel() {
    isCancelled.set(true)
    sqlite3_interrupt(handle)
  }

  /// Takes statements again after `cancel`.
  func resume() {
    isCancelled.set(false)
  }

  /// Stops the statement that runs. May be called from any thread, while the connection is open.
  func interrupt() {
    isInterrupted.set(true)
    sqlite3_interrupt(handle)
  }

  /// Proves that no other connection has the file open, and puts the log into it. Close it then, and
  /// nothing is beside the file.
  ///
  /// - Throws: `locked` where another program has it open.
  func takeFileAlone() throws {
    cache.removeIdle()
    do {
      // Leaving the log takes the whole file; a rollback journal's file is taken by a lock.
      if settings.journalMode == "wal" {
        try prepare("PRAGMA journal_mode = DELETE", kept: false).run()
      } else {
        try prepare("BEGIN EXCLUSIVE", kept: false).run()
        try prepare("COMMIT", kept: false).run()
      }
    } catch var error as XTError where error.kind == .locked {
      error.message = "another program has the file open"
      error.hint = "close it there first"
      throw error
    }
  }

  /// Gives back what memory can be done without: prepared statements, and pages of the cache.
  func releaseMemory() {
    guard isOpen else { return }
    cache.removeIdle()
    sqlite3_db_release_memory(handle)
  }

  private static let lastGeneration = Mutex(0)

  private static func nextGeneration() -> Int {
    lastGeneration.withLock { last in
      last += 1 << 32
      return last
    }
  }

  /// What is remembered of tables is out of date: for this connection at once, for the readers when
  /// the change is committed.
  @inline(never)
  func schemaChanged() {
    ownGeneration &+= 1
    if !isInTransaction { schemaClock.changed() }
  }

  // MARK: Refusals

  /// Whether a statement can't just be handed out: it is refused, or a meter has to know of it.
  @inline(__always)
  func needsLook(_ statement: Statement) -> Bool {
    restrictions.meets(statement.sensitivity)
      || (isCancelled.isSet && !restrictions.contains(.libraryOnly))
  }

  @inline(never)
  func look(at statement: Statement, isReused: Bool) throws {
    let isRefused =
      restrictions.subtracting([.metered, .observed]).meets(statement.sensitivity)
      || (isCancelled.isSet && !restrictions.contains(.libraryOnly) && !runsHooks)
    if isRefused { throw refusal(of: statement) }
    if restrictions.contains(.observed) { noteUse(of: statement) }
    guard let meter else { return }
    if isReused { meter.reused() }
    statement.beginUse()
  }

  @inline(never)
  func refusal(of statement: Statement) -> XTError {
    let sql = statement.sql
    if restrictions.contains(.closed) { return closedError(sql: sql) }
    if restrictions.contains(.inCallback) { return inCallback(sql: sql) }
    if restrictions.contains(.aborted), let abortReason { return abortReason }
    if restrictions.contains(.writes), statement.sensitivity.contains(.writes) {
      return Self.writeInRead(sql: sql, path: path)
    }
    if isCancelled.isSet {
      return XTError(.interrupted, "the task was cancelled", sql: sql, path: path)
    }
    if scopes.last?.isBegun == true {
      return XTError(
        .sqlite, "a transaction of begin() ends with commit() or rollback()",
        hint: "call that instead of the statement", sql: sql, path: path)
    }
    return XTError(
      .sqlite, "a transaction block ends by itself, or with rollback()",
      hint: "return from the block to commit, throw or call rollback() to roll back", sql: sql,
      path: path)
  }

  static func writeInRead(sql: String? = nil, path: String?) -> XTError {
    XTError(
      .readOnly, "a write inside read { }", hint: "use transaction { } instead of read { }",
      sql: sql, path: path)
  }

  func inCallback(sql: String?) -> XTError {
    XTError(
      .locked, "a call inside a progress closure of the same connection",
      hint: "make it before, after, or on another thread", sql: sql, path: path)
  }

  func closedError(sql: String?) -> XTError {
    XTError(.closed, "the database was closed", sql: sql, path: path)
  }
}
