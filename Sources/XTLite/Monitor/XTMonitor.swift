import Foundation

/// Tells what databases do: errors, SQL, times, waits and warnings.
///
/// ```swift
/// let listening = XTMonitor.listen(for: [.errors, .slowStatements]) { event in
///   logger.warning("\(event)")
/// }
/// ```
///
/// While nobody listens it costs nothing: no clock is read and nothing is kept. There may be any
/// number of listeners. None is called while a lock or a connection is held: what happens during a
/// call is told right after it, in order, by the thread that called. So a listener may use a
/// database; what it does there is not told. Only where the thread has a transaction of
/// ``XTDatabase/begin()-75e2t`` open does a listener that writes to that database wait in vain: it
/// gets `locked`. So does one that uses a database which the thread has suspended.
public enum XTMonitor {
  /// What a listener wants to hear of.
  public struct Topics: OptionSet, Sendable {
    /// One bit for each.
    public let rawValue: UInt

    /// Topics of these bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    init(_ interests: Interests) {
      rawValue = interests.rawValue
    }

    var interests: Interests { Interests(rawValue: rawValue) }

    /// Every ``XTError`` that a call throws, also where the caller catches it inside a block.
    public static let errors = Topics(.failures)
    /// Every statement that ran.
    public static let statements = Topics(.statements)
    /// Statements that took longer than `XTConfiguration.slowStatement`.
    public static let slowStatements = Topics(.slowStatements)
    /// What each call and each transaction cost.
    public static let performance = Topics(.calls)
    /// Connections that were opened.
    public static let openings = Topics(.openings)
    /// Waits for another connection's lock on the file.
    public static let busyWaits = Topics(.busyWaits)
    /// What did not fail and should be looked at: see ``XTWarning``.
    public static let warnings = Topics(.warnings)
    /// What SQLite itself logs, which belongs to no database.
    public static let sqliteLog = Topics(.log)
    /// Files that turn out to be damaged.
    public static let damage = Topics(.damage)

    /// What a program in use wants to know of: all that should not be, none of what is usual.
    public static let problems: Topics = [
      .errors, .slowStatements, .warnings, .sqliteLog, .damage,
    ]
    /// Everything.
    public static let all: Topics = [
      .problems, .statements, .performance, .openings, .busyWaits,
    ]
  }

  /// Calls `hear` with what happens from now on, until the token is cancelled or goes.
  ///
  /// ```swift
  /// let listening = XTMonitor.listen(to: database, for: .performance) { event in
  ///   if case .performance(let call, _) = event { print(call.cost.nanoseconds) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - database: The one to listen to, with all values on the same file until it is closed; nil
  ///     for every database of the process, those too that are opened later.
  ///   - topics: What to tell.
  ///   - withValues: Whether statements come with their bound values too. Values may be secrets:
  ///     off by default.
  ///   - hear: Called on the thread of the call that it tells of, perhaps on several at a time.
  /// - Returns: Keep it as long as you listen.
  public static func listen(
    to database: XTDatabase? = nil, for topics: Topics = .all, withValues: Bool = false,
    _ hear: @escaping @Sendable (XTEvent) -> Void
  ) -> XTListening {
    var interests = topics.interests
    if withValues { interests.insert(.values) }
    func listener(_ interests: Interests) -> SignalListener {
      SignalListener(interests) { signal, source in
        if let event = XTEvent(signal, source, withValues: withValues) { hear(event) }
      }
    }
    guard let database else { return XTListening(everywhere: listener(interests)) }
    // SQLite's log says nothing of where it comes from.
    let toAll = interests.intersection(.log)
    return XTListening(
      to: database.core.signals, listener(interests.subtracting(.log)),
      everywhere: toAll.isEmpty ? nil : listener(toAll))
  }

  /// Prints what happens, in lines that are made to be read.
  ///
  /// ```swift
  /// let printing = XTMonitor.printing(withValues: true)
  /// ```
  ///
  /// - Parameters:
  ///   - database: The one to listen to; nil for every database of the process.
  ///   - topics: What to print. By default all but the cost of single calls.
  ///   - withValues: Whether to print the SQL with its bound values.
  ///   - print: Gets a text of one or more lines; nil prints to standard error.
  /// - Returns: Keep it as long as it shall print.
  public static func printing(
    _ database: XTDatabase? = nil, for topics: Topics = .all.subtracting(.performance),
    withValues: Bool = false, to print: (@Sendable (String) -> Void)? = nil
  ) -> XTListening {
    let print = print ?? { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    return listen(to: database, for: topics, withValues: withValues) { event in
      print(event.line)
    }
  }

  /// Whether SQLite's log can be heard. Not where the program used SQLite by another way before its
  /// first XTLite database: then ``XTMonitor/Topics/sqliteLog`` stays silent.
  public static var hearsSQLiteLog: Bool { EngineLog.isAvailable }
}

/// What ``XTMonitor/listen(to:for:withValues:_:)`` returns: listens until it is cancelled, or until
/// nobody holds it any more.
public final class XTListening: Sendable {
  private let signals: Signals?
  private let own: SignalListener?
  private let everywhere: SignalListener?

  init(to signals: Signals? = nil, _ own: SignalListener? = nil, everywhere: SignalListener?) {
    self.signals = signals
    self.own = own
    self.everywhere = everywhere
    if let own { signals?.add(own) }
    if let everywhere { Signals.addToAll(everywhere) }
  }

  deinit {
    cancel()
  }

  /// Ends it. A call that is being told of on another thread at this moment may still come. A second
  /// call does nothing.
  public func cancel() {
    if let own {
      own.isCancelled.set(true)
      signals?.remove(own)
    }
    if let everywhere {
      everywhere.isCancelled.set(true)
      Signals.removeFromAll(everywhere)
    }
  }
}
