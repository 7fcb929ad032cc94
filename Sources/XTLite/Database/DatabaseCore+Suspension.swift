/// Whether a file is suspended: closed, with everyone held back.
enum Suspension {
  case none
  /// One thread has everything or waits for it, and will look at what came meanwhile.
  case changing(isResumed: Bool)
  /// The writer's place is held until resume().
  case suspended(Loan)
}

extension DatabaseCore {
  /// Closes every connection and holds everyone back until `resume`.
  func suspend() throws {
    // A second one returns when the first has done it.
    try suspending.withLock {
      let isFirst = suspension.withLock { suspension in
        guard case .none = suspension else { return false }
        suspension = .changing(isResumed: false)
        return true
      }
      guard isFirst else { return }
      do {
        let place = try holdBack(.suspension)
        goOnSuspended(file.isInMemory ? place : disconnect(place))
      } catch {
        suspension.withLock { $0 = .none }
        throw error
      }
    }
  }

  /// Lets everyone go on; the file is opened by the next call.
  func resume() {
    let place = suspension.withLock { suspension -> Loan? in
      switch suspension {
      case .none: return nil
      case .changing:
        suspension = .changing(isResumed: true)
        return nil
      case .suspended(let place):
        suspension = .none
        return place
      }
    }
    if let place { letGo(place) }
  }

  /// The writer's place where it is suspended; the caller has everything then, and ends with
  /// `goOnSuspended`.
  func takeSuspension() -> Loan? {
    suspension.withLock { suspension in
      guard case .suspended(let place) = suspension else { return nil }
      suspension = .changing(isResumed: false)
      return place
    }
  }

  /// Keeps everyone held back, unless `resume` was called meanwhile.
  func goOnSuspended(_ place: Loan) {
    let isResumed = suspension.withLock { suspension in
      if case .changing(isResumed: true) = suspension {
        suspension = .none
        return true
      }
      suspension = .suspended(place)
      return false
    }
    if isResumed { letGo(place) }
  }
}
