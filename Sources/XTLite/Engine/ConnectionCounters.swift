/// What a connection has done since it was opened. Written by whoever uses the connection, read by
/// any thread.
// @unchecked: the words are only reached by atomic operations and live as long as the object. One
// thread at a time writes, so that counting takes no atomic addition.
final class ConnectionCounters: @unchecked Sendable {
  enum Counter: Int, CaseIterable {
    /// Statements that were handed out, prepared for it or not.
    case used
    case prepared
    /// Those of the prepared that were handed out and are kept for the next use.
    case kept
    /// Transactions, not savepoints.
    case committed, rolledBack
    /// Waits for another connection's lock.
    case busyWaits
  }

  /// A line of the processor's cache: two connections' words in one would hold each other up.
  private static let lineSize = 64

  /// Set when the connection was closed: nothing is counted any more.
  let isFinal = Flag()
  private let words: UnsafeMutablePointer<UInt>

  init() {
    let count = Counter.allCases.count
    words =
      UnsafeMutableRawPointer
      .allocate(
        byteCount: max(count * MemoryLayout<UInt>.stride, Self.lineSize), alignment: Self.lineSize
      )
      .initializeMemory(as: UInt.self, repeating: 0, count: count)
  }

  deinit {
    words.deallocate()
  }

  /// Adds one, and returns the new count.
  @inline(__always) @discardableResult
  func count(_ counter: Counter) -> UInt {
    xt_count(words + counter.rawValue)
  }

  subscript(_ counter: Counter) -> Int {
    Int(truncatingIfNeeded: xt_atomic_load_word(words + counter.rawValue))
  }
}

extension Connection {
  /// The prepared statements, and those that are in the midst of a run; for tests.
  var statements: (all: Int, running: Int) {
    var (all, running) = (0, 0)
    guard isOpen else { return (0, 0) }
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      all += 1
      if sqlite3_stmt_busy(current) != 0 { running += 1 }
      statement = sqlite3_next_stmt(handle, current)
    }
    return (all, running)
  }
}
