/// Which signals somebody wants, and how.
struct Interests: OptionSet, Sendable {
  let rawValue: UInt

  static let failures = Interests(rawValue: 1)
  static let statements = Interests(rawValue: 2)
  /// Statements with their bound values; says nothing without `statements` or `slowStatements`.
  static let values = Interests(rawValue: 4)
  static let slowStatements = Interests(rawValue: 8)
  static let calls = Interests(rawValue: 16)
  static let openings = Interests(rawValue: 32)
  static let busyWaits = Interests(rawValue: 64)
  static let warnings = Interests(rawValue: 128)
  static let log = Interests(rawValue: 256)
  static let damage = Interests(rawValue: 512)
  /// A block somewhere wants to know what it costs.
  static let costs = Interests(rawValue: 1024)

  /// For which each call has to be timed.
  static let ofCalls: Interests = [.calls, .warnings]
  /// For which each statement has to be watched.
  static let ofStatements: Interests = [.statements, .slowStatements, .calls, .busyWaits]
}

/// Something that somebody may want to hear of.
enum Signal: Sendable {
  case failed(XTError)
  case ran(StatementUse)
  case slow(StatementUse)
  case called(CallReport)
  /// A connection was opened, in nanoseconds.
  case opened(isReader: Bool, nanoseconds: UInt64)
  case busy(nanoseconds: UInt64)
  case warning(Warning)
  case logged(code: Int32, message: String)
  case damaged(XTError)

  /// What is wrong, or soon will be, though nothing failed.
  enum Warning: Sendable, Hashable {
    /// A call had to wait until another gave its reader back.
    case readersExhausted(nanoseconds: UInt64)
    /// The process has more connections open than the machine has cores.
    case manyConnections(open: Int, cores: Int)
    /// A call kept its connection for longer than the configuration's limit.
    case heldLong(AccessKind, nanoseconds: UInt64)
    /// A reader's old snapshot keeps the write-ahead log from being emptied.
    case logNotEmptied(pages: Int)
    /// The open database's file was removed, or another was put in its place.
    case fileGone(isReplaced: Bool)
    /// A query reads all rows of a large table to find some.
    case fullScan(table: String, rows: Int, sql: String)
    /// One call caused more signals than are kept until its end: so many were left out.
    case signalsLeftOut(Int)
  }

  var interest: Interests {
    switch self {
    case .failed: .failures
    case .ran: .statements
    case .slow: .slowStatements
    case .called: .calls
    case .opened: .openings
    case .busy: .busyWaits
    case .warning: .warnings
    case .logged: .log
    case .damaged: .damage
    }
  }
}

/// What one call did and cost.
struct CallReport: Sendable {
  let kind: AccessKind
  /// Whether it ran inside another call of the same database, whose report has its sums too.
  let isNested: Bool
  let tally: Tally
  /// From its beginning to its end.
  let nanoseconds: UInt64
  /// How long of that it waited for its connection.
  let waited: UInt64
  let hasFailed: Bool
}

/// The database that a signal comes from.
struct SignalSource: Sendable, Hashable {
  let label: String
  let path: String
}

/// One that hears signals.
final class SignalListener: Sendable {
  let interests: Interests
  /// Called without a lock held, on any thread, perhaps on several at a time.
  let hear: @Sendable (Signal, SignalSource?) -> Void
  let isCancelled = Flag()

  init(_ interests: Interests, hear: @escaping @Sendable (Signal, SignalSource?) -> Void) {
    self.interests = interests
    self.hear = hear
  }
}

/// Where the signals of one open file come together, and who hears them.
///
/// What nobody wants costs one load to find that out. What happens during a call is kept by its
/// thread (`ThreadWatch`) until that holds nothing any more.
// @unchecked: the word is only reached by atomic operations and lives as long as the object;
// `listeners` and `measuring` are only touched with the lock of `everyone` held.
final class Signals: @unchecked Sendable {
  private struct Everyone {
    /// Those who hear of every database.
    var listeners: [SignalListener] = []
    /// The words of all there are.
    var words: [ObjectIdentifier: (Interests, UnsafeMutablePointer<UInt>)] = [:]

    var interests: Interests { Signals.union(of: listeners) }
  }

  private static let everyone = Mutex(Everyone())

  /// The interests of those who hear of this database.
  private let word: UnsafeMutablePointer<UInt>
  private let makeSource: @Sendable () -> SignalSource
  private var listeners: [SignalListener] = []
  private var measuring = 0
  private let isDamageTold = Flag()
  private let isGoneTold = Flag()

  init(_ source: @escaping @Sendable () -> SignalSource) {
    makeSource = source
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
    Self.everyone.withLock { everyone in
      everyone.words[ObjectIdentifier(self)] = ([], word)
      xt_atomic_store_word(word, everyone.interests.rawValue)
    }
  }

  deinit {
    Self.everyone.withLock { $0.words[ObjectIdentifier(self)] = nil }
    word.deallocate()
  }

  var source: SignalSource { makeSource() }

  // MARK: Whether anybody wants it

  /// What is wanted of this database.
  @inline(__always)
  var interests: Interests { Interests(rawValue: xt_atomic_load_word(word)) }

  /// Whether somebody wants to hear of anything.
  @inline(__always)
  var isWatched: Bool { xt_atomic_load_word(word) != 0 }

  @inline(__always)
  func wants(_ some: Interests) -> Bool {
    !interests.isDisjoint(with: some)
  }

  // MARK: Who wants it

  func add(_ listener: SignalListener) {
    Self.everyone.withLock { everyone in
      listeners.append(listener)
      update(&everyone)
    }
  }

  func remove(_ listener: SignalListener) {
    Self.everyone.withLock { everyone in
      listeners.removeAll { $0 === listener }
      update(&everyone)
    }
  }

  /// Adds one who hears of every database, those too that are opened later.
  static func addToAll(_ listener: SignalListener) {
    changeEveryone { $0.append(listener) }
  }

  static func removeFromAll(_ listener: SignalListener) {
    changeEveryone { listeners in listeners.removeAll { $0 === listener } }
  }

  /// One more block wants to know what it costs.
  func beginMeasuring() {
    Self.everyone.withLock { everyone in
      measuring += 1
      update(&everyone)
    }
  }

  func endMeasuring() {
    Self.everyone.withLock { everyone in
      measuring -= 1
      update(&everyone)
    }
  }

  private func update(_ everyone: inout Everyone) {
    var own = Self.union(of: listeners)
    if measuring > 0 { own.insert(.costs) }
    everyone.words[ObjectIdentifier(self)] = (own, word)
    xt_atomic_store_word(word, own.union(everyone.interests).rawValue)
  }

  private static func changeEveryone(_ change: (inout [SignalListener]) -> Void) {
    everyone.withLock { everyone in
      change(&everyone.listeners)
      let interests = everyone.interests
      for (own, word) in everyone.words.values {
        xt_atomic_store_word(word, own.union(interests).rawValue)
      }
      let receiver: EngineLog.Receiver = { hear(.logged(code: $0, message: $1), nil) }
      EngineLog.setReceiver(interests.contains(.log) ? receiver : nil)
    }
  }

  private static func union(of listeners: [SignalListener]) -> Interests {
    listeners.reduce([]) { $0.union($1.interests) }
  }

  // MARK: Telling

  /// Tells of it when this thread holds nothing: at once, or at the end of its outermost call.
  func send(_ signal: Signal) {
    keep(signal)
    Self.deliverKept()
  }

  /// Tells of what this thread has kept, unless it holds something.
  static func deliverKept() {
    let stack = AccessStack.current
    if stack.hasSignals { stack.watch.deliver() }
  }

  /// Tells of it at the end of this thread's outermost call, or at its next `send`. False where
  /// nobody will hear of it.
  @discardableResult
  func keep(_ signal: Signal) -> Bool {
    wants(signal.interest) && ThreadWatch.current.keep(signal, of: self)
  }

  /// The same for a database that is not open.
  static func send(_ signal: Signal, of source: SignalSource) {
    if everyone.withLock({ $0.interests.contains(signal.interest) }) {
      ThreadWatch.current.keep(signal, of: source)
    }
    deliverKept()
  }

  /// Keeps an error, and what it says of the file: once for each file.
  func keep(_ error: XTError) {
    guard isWatched else { return }
    keep(.failed(error))
    if error.isOfDamage { keepDamage(error) }
  }

  /// Keeps what is wrong with the file: once for each file.
  func keepDamage(_ error: XTError) {
    if !isDamageTold.isSet, keep(.damaged(error)) { isDamageTold.set(true) }
  }

  /// The same of a database that could not be opened. Tells of it at once.
  static func send(_ error: XTError, of source: SignalSource) {
    send(.failed(error), of: source)
    if error.isOfDamage { send(.damaged(error), of: source) }
  }

  /// Tells that the file is not the one that was opened any more; once.
  func keepFileGone(isReplaced: Bool) {
    if !isGoneTold.isSet, keep(.warning(.fileGone(isReplaced: isReplaced))) {
      isGoneTold.set(true)
    }
  }

  /// All connections were closed: another file may be opened next.
  func forgetFile() {
    isDamageTold.set(false)
    isGoneTold.set(false)
  }

  /// Calls those who want the signal. The caller holds no lock and no connection.
  func hear(_ signal: Signal) {
    let listeners = Self.everyone.withLock { self.listeners + $0.listeners }
    Self.tell(signal, source, listeners)
  }

  static func hear(_ signal: Signal, _ source: SignalSource?) {
    tell(signal, source, everyone.withLock { $0.listeners })
  }

  private static func tell(
    _ signal: Signal, _ source: SignalSource?, _ listeners: [SignalListener]
  ) {
    for listener in listeners
    where listener.interests.contains(signal.interest) && !listener.isCancelled.isSet {
      listener.hear(signal, source)
    }
  }
}

extension XTError {
  /// Whether it says that the file is damaged, or no database.
  var isOfDamage: Bool { kind == .corrupt || kind == .notADatabase }
}

extension Signals: Hashable {
  static func == (left: Signals, right: Signals) -> Bool { left === right }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
