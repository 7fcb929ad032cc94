import Dispatch

/// One that keeps a reader from one call to the next.
protocol ReaderKeeper: AnyObject, Sendable {
  /// How often it was asked for something; nil where it is about to give it.
  var uses: UInt? { get }
  /// Gives the reader back, and throws `error` when it is asked the next time.
  func end(_ error: any Error)
}

/// Who keeps readers of one file. There is always a reader left for everyone else, nobody keeps one
/// for ever, and who needs the file alone ends them all.
final class KeptReaders: Sendable {
  /// Seconds after which one that nobody asks for anything gives its reader back: what it reads
  /// stands still for it, and the log that holds what was written since grows. Long enough for a
  /// loop that does much with a row, and for a task whose executor is blocked meanwhile.
  static let patience = 600.0
  private static let looksPerPatience = 6

  private struct Entry {
    weak var keeper: (any ReaderKeeper)?
    var uses: UInt?
    var looks = 0
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var isHeldBack = false
    var isLooking = false
    var patience = KeptReaders.patience
  }

  private let state = Mutex(State())

  /// How many there are.
  var count: Int { state.withLock { $0.entries.count } }

  /// Seconds, in place of what is usual.
  func setPatience(_ seconds: Double) {
    state.withLock { $0.patience = seconds }
  }

  /// Lets the keeper have one of `limit` readers.
  ///
  /// - Returns: false where others have them all.
  func admit(_ keeper: any ReaderKeeper, limit: Int) -> Bool {
    let pause: Double?
    let isAdmitted: Bool
    (isAdmitted, pause) = state.withLock { state in
      guard !state.isHeldBack, state.entries.count < limit else { return (false, nil) }
      state.entries[ObjectIdentifier(keeper)] = Entry(keeper: keeper, uses: keeper.uses)
      if state.isLooking { return (true, nil) }
      state.isLooking = true
      return (true, state.patience / Double(Self.looksPerPatience))
    }
    if let pause { look(after: pause) }
    return isAdmitted
  }

  /// It keeps none any more. For its deinit, too.
  func remove(_ keeper: ObjectIdentifier) {
    state.withLock { $0.entries[keeper] = nil }
  }

  /// Ends them all, and admits none until `letGo`.
  func endAll(for kind: AccessKind) {
    let keepers = state.withLock { state in
      state.isHeldBack = true
      return state.entries.values.compactMap(\.keeper)
    }
    for keeper in keepers {
      keeper.end(
        XTError(
          .interrupted, "\(kind.name) ended the stream: it needed the file alone",
          hint: "begin the stream anew"))
    }
  }

  func letGo() {
    state.withLock { $0.isHeldBack = false }
  }

  private func look(after seconds: Double) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.look()
    }
  }

  private func look() {
    var late: [any ReaderKeeper] = []
    // Held until after the lock: the last reference may go here.
    var present: [any ReaderKeeper] = []
    let (pause, patience) = state.withLock { state in
      for (key, entry) in state.entries {
        guard let keeper = entry.keeper else { continue }
        present.append(keeper)
        var entry = entry
        let uses = keeper.uses
        entry.looks = uses != nil && uses == entry.uses ? entry.looks + 1 : 0
        entry.uses = uses
        state.entries[key] = entry
        if entry.looks >= Self.looksPerPatience { late.append(keeper) }
      }
      state.isLooking = !state.entries.isEmpty
      return (
        state.isLooking ? state.patience / Double(Self.looksPerPatience) : nil, state.patience
      )
    }
    for keeper in late {
      keeper.end(
        XTError(
          .interrupted, "the stream was not asked for a row for \(patience) s",
          hint: "its reader was given back; find the rows in parts, or read them first"))
    }
    if let pause { look(after: pause) }
    withExtendedLifetime(present) {}
  }
}
