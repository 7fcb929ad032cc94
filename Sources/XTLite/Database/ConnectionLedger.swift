/// What all connections of one file have done, those too that were closed.
final class ConnectionLedger: Sendable {
  private struct State {
    var open: [ConnectionCounters] = []
    /// Of those that were closed, by the counter's number.
    var closed = [Int](repeating: 0, count: ConnectionCounters.Counter.allCases.count)
    var opened = 0
    var failures = 0
  }

  private let state = Mutex(State())

  /// A connection was opened.
  func add(_ counters: ConnectionCounters) {
    state.withLock { state in
      Self.settle(&state)
      state.open.append(counters)
      state.opened += 1
    }
  }

  /// A call threw an error of the library.
  func countFailure() {
    state.withLock { $0.failures += 1 }
  }

  /// Connections that were opened, and calls that threw an error.
  var counts: (opened: Int, failures: Int) { state.withLock { ($0.opened, $0.failures) } }

  subscript(_ counter: ConnectionCounters.Counter) -> Int {
    state.withLock { state in
      Self.settle(&state)
      return state.open.reduce(state.closed[counter.rawValue]) { $0 + $1[counter] }
    }
  }

  /// Keeps the sums of those that were closed, and forgets them.
  private static func settle(_ state: inout State) {
    state.open.removeAll { counters in
      guard counters.isFinal.isSet else { return false }
      for counter in ConnectionCounters.Counter.allCases {
        state.closed[counter.rawValue] += counters[counter]
      }
      return true
    }
  }
}
