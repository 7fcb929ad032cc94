/// Who observes a database: wakes those whose tables a commit touched.
///
/// One for each open file. It keeps no values and has no thread: an observer that is woken reads
/// when it is asked for its next value, so that a slow one finds the newest.
final class LiveHub: Sendable {
  private struct State {
    var observers: [ObjectIdentifier: LiveObserver] = [:]
    /// Those that wait, by the tables that they have read.
    var byTable: [SQLiteName: [ObjectIdentifier: LiveObserver]] = [:]
    /// Those of which nobody knows what they have read.
    var ofEverything: [ObjectIdentifier: LiveObserver] = [:]
    /// Those that read at this moment.
    var reading: [ObjectIdentifier: LiveObserver] = [:]
    /// Those that are to read when others have: ten thousand that are woken at one time must not
    /// keep every reader from the program's other calls. The first ones may have ended.
    var line: ArraySlice<LiveObserver> = []
    /// How many of these have ended.
    var endedInLine = 0
    /// How many have been told that it is their turn, and have not come yet.
    var called = 0
    var feeds: [ObjectIdentifier: ChangeFeed] = [:]
    var lastCommit = 0

    var isIdle: Bool { observers.isEmpty && feeds.isEmpty }

    var wanted: CommitWatch.Wanted {
      if !feeds.isEmpty { return [.tables, .rows] }
      return observers.isEmpty ? [] : .tables
    }
  }

  private let state = Mutex(State())
  private let core: Unowned
  private let commits: CommitWatch
  private let others = OtherPrograms()

  // The core has it among its attachments, and is held by each observer's database.
  private struct Unowned: Sendable {
    weak var core: DatabaseCore?
  }

  init(_ core: DatabaseCore) {
    self.core = Unowned(core: core)
    commits = core.commits
  }

  /// The hub of a database.
  static func of(_ database: XTDatabase) -> LiveHub {
    database.attachment(for: AttachmentKey(type: ObjectIdentifier(LiveHub.self), name: nil)) {
      LiveHub(database.core)
    }
  }

  // MARK: Events

  private func hear(_ event: CommitWatch.Event) {
    switch event {
    case .committed(let writes): committed(writes)
    case .unknown: committed(.everything)
    case .closed: endClosed()
    }
  }

  private func committed(_ writes: Writes) {
    let tables = writes.tables
    let wakers = state.withLock { state -> [LiveObserver.Waker] in
      state.lastCommit += 1
      var wakers = state.feeds.values.flatMap { $0.add(writes, commit: state.lastCommit) }
      for observer in state.reading.values { observer.missed.add(tables) }
      func wake(_ observers: [ObjectIdentifier: LiveObserver]?) {
        guard let observers else { return }
        for observer in observers.values { wakers += observer.wake() }
      }
      if tables.isOfEverything {
        wake(state.observers)
      } else {
        for table in tables.names { wake(state.byTable[table]) }
        wake(state.ofEverything)
      }
      return wakers
    }
    for waker in wakers { waker.resume() }
  }

  /// Wakes those who want to hear of other programs' writes, of which nobody says what they touch.
  func othersWrote() {
    let wakers = state.withLock { state in
      state.observers.values.filter { $0.pollInterval != nil }.flatMap { observer in
        observer.missed.isOfEverything = true
        return observer.wake()
      }
    }
    for waker in wakers { waker.resume() }
  }

  /// Ends those whose database was closed.
  private func endClosed() {
    let (observers, feeds) = state.withLock { state in
      (
        state.observers.values.filter { !$0.database.isOpen },
        state.feeds.values.filter { !$0.database.isOpen }
      )
    }
    for observer in observers { end(observer) }
    for feed in feeds { feed.close() }
  }

  // MARK: Observers

  enum Turn { case read, wait, end }

  /// What an observer does next: one that is asked for its first value is known from now on.
  func turn(of observer: LiveObserver) -> Turn {
    let id = ObjectIdentifier(observer)
    return state.withLock { state in
      guard !observer.hasEnded else { return .end }
      if state.observers[id] == nil {
        state.observers[id] = observer
        state.ofEverything[id] = observer
        // Before it reads: what is committed after that is heard of.
        listen(state)
        if let interval = observer.pollInterval { look(every: interval, observer.database) }
      }
      guard observer.isDirty else { return .wait }
      if observer.place == .called {
        state.called -= 1
      } else if state.reading.count + state.called >= observer.mostReading {
        if observer.place == nil { state.line.append(observer) }
        observer.place = .inLine
        return .wait
      }
      observer.place = nil
      observer.isDirty = false
      observer.isReading = true
      observer.missed = TableSet()
      state.reading[id] = observer
      return .read
    }
  }

  /// An observer has read: it is woken again when one of these tables is touched.
  ///
  /// - Parameter tables: nil where it could not read, and is to try again.
  func settle(_ observer: LiveObserver, _ tables: TableSet?) {
    let id = ObjectIdentifier(observer)
    let wakers = state.withLock { state -> [LiveObserver.Waker] in
      // It may have been ended meanwhile.
      let next = observer.isReading ? Self.callNext(&state) : []
      observer.isReading = false
      state.reading[id] = nil
      guard !observer.hasEnded, state.observers[id] != nil else { return next }
      observer.isDirty = tables.map { observer.missed.meets($0) } ?? true
      if let tables, tables != observer.tables {
        Self.forget(observer, &state)
        observer.tables = tables
        if tables.isOfEverything { state.ofEverything[id] = observer }
        for name in tables.names { state.byTable[name, default: [:]][id] = observer }
      }
      // A copy of the iterator may wait, and this one not come again.
      return observer.isDirty ? next + observer.takeWakers() : next
    }
    for waker in wakers { waker.resume() }
  }

  /// Somebody has read: the next in line may.
  private static func callNext(_ state: inout State) -> [LiveObserver.Waker] {
    defer { if state.line.isEmpty { state.line = [] } }
    while let next = state.line.popFirst() {
      guard !next.hasEnded else {
        state.endedInLine -= 1
        continue
      }
      state.called += 1
      next.place = .called
      return next.takeWakers()
    }
    return []
  }

  /// Those who came and went while one reads for long must not fill the memory.
  private static func countEndedInLine(_ state: inout State) {
    state.endedInLine += 1
    guard state.endedInLine > state.line.count / 2 else { return }
    state.line.removeAll { $0.hasEnded }
    state.endedInLine = 0
  }

  /// Keeps the continuation until the observer is woken or ended. False where that has happened.
  func park(_ observer: LiveObserver, _ waker: LiveObserver.Waker) -> Bool {
    state.withLock { state in
      guard !observer.hasEnded, !observer.isDirty || observer.place == .inLine else { return false }
      observer.keep(waker)
      return true
    }
  }

  /// Forgets an observer: it waits no more, and gives no more values.
  func end(_ observer: LiveObserver) {
    let id = ObjectIdentifier(observer)
    let (wakers, isIdle) = state.withLock { state -> ([LiveObserver.Waker], Bool) in
      guard !observer.hasEnded else { return ([], false) }
      observer.hasEnded = true
      let hadPlace = observer.isReading || observer.place == .called
      if observer.place == .called { state.called -= 1 }
      if observer.place == .inLine { Self.countEndedInLine(&state) }
      observer.isReading = false
      state.reading[id] = nil
      let next = hadPlace ? Self.callNext(&state) : []
      let wasKnown = state.observers.removeValue(forKey: id) != nil
      Self.forget(observer, &state)
      listen(state)
      if observer.pollInterval != nil,
        !state.observers.values.contains(where: { $0.pollInterval != nil })
      {
        others.end()
      }
      return (observer.takeWakers() + next, wasKnown && state.isIdle)
    }
    for waker in wakers { waker.resume() }
    if isIdle { stopWatching() }
  }

  private static func forget(_ observer: LiveObserver, _ state: inout State) {
    let id = ObjectIdentifier(observer)
    state.ofEverything[id] = nil
    for name in observer.tables.names {
      state.byTable[name]?[id] = nil
      if state.byTable[name]?.isEmpty == true { state.byTable[name] = nil }
    }
  }

  // MARK: Feeds

  func add(_ feed: ChangeFeed) {
    state.withLock { state in
      state.feeds[ObjectIdentifier(feed)] = feed
      listen(state)
    }
  }

  func remove(_ feed: ChangeFeed) {
    let isIdle = state.withLock { state in
      let wasKnown = state.feeds.removeValue(forKey: ObjectIdentifier(feed)) != nil
      listen(state)
      return wasKnown && state.isIdle
    }
    if isIdle { stopWatching() }
  }

  // MARK: -

  /// Listens to what those who are there want to hear of. Called with the lock held.
  private func listen(_ state: State) {
    let wanted = state.wanted
    guard wanted != commits.wanted else { return }
    // Not by `init`: of two that are made at one time, one is thrown away.
    if commits.wanted.isEmpty { commits.listen { [weak self] event in self?.hear(event) } }
    commits.want(wanted)
    if wanted.isEmpty { commits.listen(nil) }
  }

  /// Looks for what other programs write, as long as somebody asks for it.
  private func look(every interval: Double, _ database: XTDatabase) {
    guard !database.core.file.isInMemory else { return }
    others.look(every: interval, at: database.path) { [weak self] in
      self?.state.withLock { state in
        state.observers.values.first { $0.pollInterval != nil }?.database
      }
    } tell: { [weak self] in
      self?.othersWrote()
    }
  }

  /// Nobody listens any more. Connections that are in use see that at their next use.
  private func stopWatching() {
    core.core?.forEachPool { pool in
      pool.forEachIdle { if commits.wanted.isEmpty { $0.stopWatchingTables() } }
    }
  }

  /// How many observe and how many of them wait for a table; for tests.
  var counts: (observers: Int, places: Int, feeds: Int) {
    state.withLock { state in
      let places = state.byTable.values.reduce(0) { $0 + $1.count }
      let others = state.ofEverything.count + state.reading.count + state.line.count + state.called
      return (state.observers.count, places + others, state.feeds.count)
    }
  }
}
