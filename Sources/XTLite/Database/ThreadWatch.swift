/// What one thread keeps while somebody listens to what it does, or measures it.
///
/// Found through the thread's `AccessStack`; never touched by another thread.
final class ThreadWatch {
  private enum Origin: Hashable {
    case database(Signals)
    case other(SignalSource)

    func hear(_ signal: Signal) {
      switch self {
      case .database(let signals): signals.hear(signal)
      case .other(let source): Signals.hear(signal, source)
      }
    }
  }

  /// A call that is being watched.
  struct Call {
    let kind: AccessKind
    let isNested: Bool
    let start: UInt64
    let waited: UInt64
    /// Nil where only the call's own time counts.
    let meter: Meter?
    /// The meter of the call around it.
    let outer: Meter?
  }

  /// A block that wants to know what the calls in it cost.
  final class Cost {
    let signals: Signals
    var tally = Tally()

    init(_ signals: Signals) {
      self.signals = signals
    }
  }

  /// The calls that run, innermost last.
  var calls: [Call] = []
  /// The blocks that run, innermost last.
  var costs: [Cost] = []
  private(set) var isDelivering = false
  private var kept: [(Signal, Origin)] = []
  private var leftOut: [Origin: Int] = [:]

  /// A call of a million statements must not fill the memory with what it tells of them.
  private static let keptLimit = 10_000

  /// This thread's.
  static var current: ThreadWatch { AccessStack.current.watch }

  /// The innermost block that measures the database.
  func cost(of signals: Signals) -> Cost? {
    costs.last { $0.signals === signals }
  }

  // MARK: Keeping and delivering

  /// Keeps the signal until the thread holds nothing. What a listener itself does is not told:
  /// it would be told of that, too, and so on.
  ///
  /// - Returns: Whether it will be told.
  @discardableResult
  func keep(_ signal: Signal, of signals: Signals) -> Bool {
    keep(signal, .database(signals))
  }

  func keep(_ signal: Signal, of source: SignalSource) {
    keep(signal, .other(source))
  }

  @discardableResult
  private func keep(_ signal: Signal, _ origin: Origin) -> Bool {
    guard !isDelivering else { return false }
    if kept.count >= Self.keptLimit, signal.isOneOfMany {
      leftOut[origin, default: 0] += 1
      return false
    }
    kept.append((signal, origin))
    AccessStack.current.hasSignals = true
    return true
  }

  /// Calls the listeners with what was kept, unless the thread still holds something.
  func deliver() {
    let stack = AccessStack.current
    guard !kept.isEmpty, !isDelivering, !stack.holdsSomething else { return }
    stack.hasSignals = false
    isDelivering = true
    defer { isDelivering = false }
    for (origin, count) in leftOut { kept.append((.warning(.signalsLeftOut(count)), origin)) }
    let all = kept
    kept = []
    leftOut = [:]
    for (signal, origin) in all { origin.hear(signal) }
  }
}

extension Signal {
  /// Whether one call may cause very many of its kind.
  fileprivate var isOneOfMany: Bool {
    switch self {
    case .failed, .ran, .slow, .called, .busy: true
    default: false
    }
  }
}
